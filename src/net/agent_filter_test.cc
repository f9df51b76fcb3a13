#include "net/agent_filter.h"

#include <gtest/gtest.h>

namespace ringwall::net {
namespace {

std::string number(uint32_t value) {
  std::string out;
  for (int shift : {24, 16, 8, 0})
    out += static_cast<char>(value >> shift & 0xff);
  return out;
}

std::string text(std::string_view value) {
  return number(static_cast<uint32_t>(value.size())) + std::string(value);
}

const AgentRules kRules{{"key one"}, {"github's key"}};
const std::string kFailed("\x05");
const std::string kDone("\x06");

std::string bind_to(std::string_view host, std::string_view session, char forwards = 0) {
  return "\x1b" + text("session-bind@openssh.com") + text(host) + text(session) + text("proof") +
         forwards;
}

std::string login(std::string_view session, std::string_view key, std::string_view host = {}) {
  std::string data = text(session) + "\x32" + text("git") + text("ssh-connection");
  data += text(host.empty() ? "publickey" : "publickey-hostbound-v00@openssh.com");
  data += "\x01" + text("ssh-ed25519") + text(key);
  return host.empty() ? data : data + text(host);
}

std::string sign(std::string_view key, std::string_view data) {
  return "\x0d" + text(key) + text(data) + number(0);
}

class AgentFilterTest : public testing::Test {
 protected:
  bool forwards(const std::string& request) {
    AgentFilter::Step step = filter.take_request(request);
    EXPECT_EQ(step.answer, step.forward ? "" : kFailed);
    return step.forward;
  }
  void bind(std::string_view session) {
    ASSERT_TRUE(forwards(bind_to("github's key", session)));
    ASSERT_EQ(filter.take_answer(kDone), kDone);
  }
  AgentFilter filter{kRules};
};

TEST_F(AgentFilterTest, ShowsTheNamedKeysAlone) {
  ASSERT_TRUE(forwards("\x0b"));
  std::string all = "\x0c" + number(3) + text("key zero") + text("a") + text("key one") +
                    text("b") + text("key two") + text("c");
  EXPECT_EQ(filter.take_answer(all), "\x0c" + number(1) + text("key one") + text("b"));
}

TEST_F(AgentFilterTest, AHostThatIsDeniedMeanwhileGetsNoLogin) {
  AgentRules rules = kRules;
  AgentFilter changing(rules);
  ASSERT_TRUE(changing.take_request(bind_to("github's key", "s1")).forward);
  ASSERT_EQ(changing.take_answer(kDone), kDone);
  std::string request = sign("key one", login("s1", "key one"));
  ASSERT_TRUE(changing.take_request(request).forward);
  (void)changing.take_answer(kFailed);
  rules.host_keys.clear();
  EXPECT_FALSE(changing.take_request(request).forward);
  AgentFilter later(rules);
  EXPECT_FALSE(later.take_request(bind_to("github's key", "s2")).forward);
}

TEST_F(AgentFilterTest, AnAnswerThatIsCutGivesWhatIsWhole) {
  std::string all = "\x0c" + number(1000) + text("key one") + text("b");
  for (size_t length = 0; length <= all.size(); length++) {
    ASSERT_TRUE(forwards("\x0b"));
    std::string shown = filter.take_answer(all.substr(0, length));
    EXPECT_TRUE(shown == kFailed || shown.starts_with("\x0c")) << length;
  }
}

TEST_F(AgentFilterTest, SignsALoginToTheHostThatWasTold) {
  bind("session");
  EXPECT_TRUE(forwards(sign("key one", login("session", "key one", "github's key"))));
  EXPECT_EQ(filter.take_answer("\x0e" + text("signature")), "\x0e" + text("signature"));
  EXPECT_TRUE(forwards(sign("key one", login("session", "key one"))));
}

TEST_F(AgentFilterTest, SignsNothingElse) {
  EXPECT_FALSE(forwards(sign("key one", login("session", "key one")))) << "no host was told";
  bind("session");
  EXPECT_FALSE(forwards(sign("key two", login("session", "key two"))));
  EXPECT_FALSE(forwards(sign("key one", login("session", "key two"))));
  EXPECT_FALSE(forwards(sign("key one", login("another", "key one"))));
  EXPECT_FALSE(forwards(sign("key one", login("session", "key one", "evil's key"))));
  EXPECT_FALSE(forwards(sign("key one", "a file")));
  EXPECT_FALSE(forwards(sign("key one", login("session", "key one") + "more")));
  EXPECT_FALSE(forwards(sign("key one", login("session", "key one")) + "more"));
}

TEST_F(AgentFilterTest, BindsToGrantedHostsAlone) {
  EXPECT_FALSE(forwards(bind_to("evil's key", "session")));
  EXPECT_FALSE(forwards(bind_to("github's key", "session", 1))) << "forwarded";
  bind("session");
  EXPECT_FALSE(forwards(bind_to("github's key", "second")));
}

TEST_F(AgentFilterTest, AHostThatDidNotProveItselfIsNone) {
  ASSERT_TRUE(forwards(bind_to("github's key", "session")));
  EXPECT_EQ(filter.take_answer(kFailed), kFailed);
  EXPECT_FALSE(forwards(sign("key one", login("session", "key one"))));
}

TEST_F(AgentFilterTest, NothingIsAddedRemovedOrLocked) {
  for (int type = 0; type < 256; type++) {
    if (type == 11) continue;
    EXPECT_FALSE(forwards(std::string(1, static_cast<char>(type)) + text("anything"))) << type;
  }
  EXPECT_FALSE(forwards(""));
}

}  // namespace
}  // namespace ringwall::net
