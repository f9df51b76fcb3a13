#include "desks/gate_desk.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/channel.h"
#include "base/fixed_message.h"

namespace ringwall::desks {
namespace {

using gate::GateAnswer;
using gate::GateNotice;

sockaddr_un unnamed_address(socklen_t& size) {
  static int number = 0;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "gate-desk-%d-%d",
                        getpid(), number++);
  size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<size_t>(length));
  return address;
}

struct Desk {
  std::vector<events::Event> told, noted;
  sockaddr_un address{};
  socklen_t size = 0;
  std::unique_ptr<GateDesk> desk;

  explicit Desk(int64_t patience = 60'000'000'000) {
    address = unnamed_address(size);
    Fd listener(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    EXPECT_EQ(bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(listener.get(), 4096), 0);
    EventWays ways{[this](const events::Event& event) { told.push_back(event); },
                   [this](const events::Event& event) { noted.push_back(event); }};
    desk = *GateDesk::open(std::move(listener), "run", patience, std::move(ways));
  }

  Fd say(std::string_view bytes) {
    Fd visitor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (connect(visitor.get(), reinterpret_cast<sockaddr*>(&address), size) < 0) return {};
    (void)channel::send(visitor.get(), bytes, {}, MSG_DONTWAIT);
    return visitor;
  }
  Fd say(GateNotice::Type type, const char* text) {
    GateNotice notice{type};
    fixed::put(notice.tool, "Bash");
    fixed::put(notice.folder, "/w");
    fixed::put(notice.text, text);
    return say(fixed::bytes_of(notice));
  }
  void work() {
    for (int i = 0; i < 20; i++)
      desk->step();
  }
};

GateAnswer::Type heard(const Fd& visitor) {
  auto message = channel::receive(visitor.get(), MSG_DONTWAIT);
  auto answer = message ? gate::parse_gate_answer(message->bytes) : std::unexpected(Error{});
  return answer ? answer->type : GateAnswer::Type{};
}

}  // namespace

TEST(GateDesk, AnAnswerIsForWhatThePersonSaw) {
  Desk here;
  Fd one = here.say(GateNotice::Type::ask, "git push");
  Fd same = here.say(GateNotice::Type::ask, "git push");
  Fd other = here.say(GateNotice::Type::ask, "git push ");
  here.work();
  ASSERT_EQ(here.desk->waiting().size(), 2u);
  EXPECT_EQ(here.desk->waiting()[0].to.shown(), "Bash in /w: git push");
  EXPECT_TRUE(here.desk->approve(here.desk->waiting()[0].id, 0));
  EXPECT_EQ(heard(one), GateAnswer::Type::approved);
  EXPECT_EQ(heard(same), GateAnswer::Type::approved);
  EXPECT_EQ(heard(other), GateAnswer::Type{});
  Fd again = here.say(GateNotice::Type::ask, "git push");
  here.work();
  EXPECT_EQ(heard(again), GateAnswer::Type::approved);
  EXPECT_EQ(here.desk->waiting().size(), 1u);
}

TEST(GateDesk, WhatIsApprovedOnceIsAskedAgain) {
  Desk here;
  Fd one = here.say(GateNotice::Type::ask, "git push");
  here.work();
  EXPECT_TRUE(here.desk->approve(here.desk->waiting()[0].id, std::nullopt));
  Fd again = here.say(GateNotice::Type::ask, "git push");
  here.work();
  EXPECT_EQ(here.desk->waiting().size(), 1u);
  EXPECT_FALSE(here.desk->approve(12'345'678, 0));
}

TEST(GateDesk, NothingWaitsForEver) {
  Desk here(1);
  Fd one = here.say(GateNotice::Type::ask, "git push");
  here.work();
  EXPECT_EQ(heard(one), GateAnswer::Type::unanswered);
  EXPECT_TRUE(here.desk->waiting().empty());
}

TEST(GateDesk, WhoeverAskedAndLeftIsForgotten) {
  Desk here;
  here.say(GateNotice::Type::ask, "git push").close();
  here.work();
  EXPECT_TRUE(here.desk->waiting().empty());
}

TEST(GateDesk, WhatIsNoMessageIsShownOut) {
  Desk here;
  GateNotice notice{GateNotice::Type::ask};
  std::string whole(fixed::bytes_of(notice));
  std::string of_nobody = whole;
  of_nobody[4] = 9;
  std::string of_no_type = whole;
  of_no_type[0] = 99;
  for (const std::string& bytes : {std::string("x"), whole + "x", whole.substr(1), of_nobody,
                                   of_no_type, std::string(channel::kMostBytes, 'x')}) {
    Fd visitor = here.say(bytes);
    here.work();
    auto end = channel::receive(visitor.get(), MSG_DONTWAIT);
    EXPECT_TRUE(!end || end->bytes.empty());
  }
  EXPECT_TRUE(here.desk->waiting().empty());
  EXPECT_TRUE(here.told.empty() && here.noted.empty());
}

TEST(GateDesk, AFloodIsCountedAndNotTold) {
  Desk here;
  std::vector<Fd> visitors;
  for (int i = 0; i < 3000; i++) {
    visitors.push_back(here.say(GateNotice::Type::refused, std::to_string(i).c_str()));
    here.desk->step();
  }
  here.work();
  EXPECT_LE(here.told.size(), 50u);
  EXPECT_LE(here.told.size() + here.noted.size(), 150u);
  EXPECT_NE(here.desk->next_deadline(), 0);
}

TEST(GateDesk, TheSameRefusalIsToldOnce) {
  Desk here;
  for (int i = 0; i < 5; i++) {
    here.say(GateNotice::Type::refused, "git push");
    here.work();
  }
  EXPECT_EQ(here.told.size(), 1u);
  EXPECT_EQ(here.noted.size(), 4u);
}

// Whoever says much of one kind mutes no other.
TEST(GateDesk, AFloodOfOneKindMutesNoOther) {
  Desk here;
  for (int i = 0; i < 150; i++) {
    Fd visitor = here.say(GateNotice::Type::allowed, std::to_string(i).c_str());
    here.desk->step();
    here.desk->step();
  }
  here.say(GateNotice::Type::refused, "rm -rf /");
  here.work();
  auto is_refusal = [](const events::Event& event) {
    return std::holds_alternative<events::ToolRefused>(event);
  };
  EXPECT_TRUE(std::ranges::any_of(here.told, is_refusal));
  EXPECT_LT(here.noted.size(), 150u) << "what is allowed has its own bounds";
}

}  // namespace ringwall::desks
