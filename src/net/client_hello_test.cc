#include "net/client_hello.h"

#include <gtest/gtest.h>

#include "net/hello_testing.h"
#include "net/judge_testing.h"

namespace ringwall::net {
namespace {

using namespace std::string_literals;
using namespace testing;
using Kind = Judgement::Kind;

Fed fed(const std::string& bytes, const std::string& name = "a.example") {
  TlsJudge judge(name);
  return feed(judge, bytes);
}

void expect_refused(const std::string& bytes, const std::string& why,
                    const std::string& name = "a.example") {
  Fed outcome = fed(bytes, name);
  EXPECT_EQ(outcome.last, Kind::refuse);
  EXPECT_NE(outcome.why.find(why), std::string::npos) << outcome.why << ", not: " << why;
  EXPECT_EQ(outcome.passed, "");
}

Hello with_extensions(const std::string& extensions) { return {.extensions = extensions}; }

}  // namespace

TEST(ClientHello, ForTheNamePasses) {
  for (const char* asked : {"a.example", "A.Example", "a.EXAMPLE"}) {
    std::string bytes = record_of(hello_for(asked));
    TlsJudge judge("a.example");
    Fed outcome = feed(judge, bytes + kAppData + "more");
    EXPECT_EQ(outcome.last, Kind::pass_all) << outcome.why;
    EXPECT_EQ(outcome.passed, bytes + kAppData + "more");
    EXPECT_EQ(judge.shown(), "a.example");
  }
  TlsJudge judge("A.Example");
  EXPECT_EQ(judge.judge(record_of(Hello())).length, record_of(Hello()).size());
}

TEST(ClientHello, ForAnotherNameIsRefused) {
  for (const std::string& asked :
       {"b.example"s, "a.example."s, "xa.example"s, "a.example.b"s, "www.a.example"s, "a.exampl"s,
        "a.example\0"s, "a.example\0.b"s, " a.example"s, "10.0.0.1"s, std::string(300, 'a'),
        "\x1b[31m"s}) {
    TlsJudge judge("a.example");
    Fed outcome = feed(judge, record_of(hello_for(asked)));
    EXPECT_EQ(outcome.last, Kind::refuse) << asked;
    EXPECT_EQ(outcome.passed, "");
    EXPECT_LT(outcome.why.size(), 400u);
    EXPECT_EQ(outcome.why.find('\x1b'), std::string::npos);
    // It stays so.
    EXPECT_EQ(judge.judge(record_of(Hello())).kind, Kind::refuse);
  }
  expect_refused(record_of(hello_for("b.example")), "asks for b.example, not for a.example");
}

TEST(ClientHello, WithoutANameOrWithTwoIsRefused) {
  expect_refused(record_of(with_extensions(kUsualExtensions)), "asks for no name");
  expect_refused(record_of(with_extensions("")), "asks for no name");
  Hello bare = Hello();
  std::string body = bare.body();
  body.resize(body.size() - bare.extensions.size() - 2);
  expect_refused(record(22, Hello::handshake(1, body)), "asks for no name");

  std::string one = name_entry("a.example"), other = name_entry("b.example");
  for (const std::string& entries : {one + other, other + one, one + one})
    expect_refused(record_of(with_extensions(name_list(entries))), "two names");
  std::string first = server_name("a.example"), second = server_name("b.example");
  for (const std::string& extensions : {first + second, second + first, first + first})
    expect_refused(record_of(with_extensions(extensions)),
                   extensions == second + first ? "names" : "twice");
  // A name of another kind, alone and beside; none in the list; an empty one.
  expect_refused(record_of(with_extensions(name_list(name_entry("a.example", 1)))), "no host");
  expect_refused(record_of(with_extensions(name_list(name_entry("x", 1) + one))), "two names");
  expect_refused(record_of(with_extensions(name_list(name_entry("")))), "no host");
  expect_refused(record_of(with_extensions(name_list(""))), "does not add up");
  expect_refused(record_of(with_extensions(extension(0, ""))), "does not add up");
}

TEST(ClientHello, WithAnEncryptedOneNeedsTheOuterName) {
  std::string encrypted = extension(0xfe0d, std::string(200, 'e'));
  std::string ours = server_name("a.example") + encrypted;
  EXPECT_EQ(fed(record_of(with_extensions(ours))).passed, record_of(with_extensions(ours)));
  expect_refused(record_of(with_extensions(encrypted + server_name("cover.example"))),
                 "cover.example, not for a.example");
  expect_refused(record_of(with_extensions(encrypted)), "no name");
  expect_refused(record_of(with_extensions(ours + encrypted)), "twice");
  expect_refused(record_of(with_extensions(server_name("a.example") + extension(0xffce, "x"))),
                 "hides");
}

TEST(ClientHello, ThatDoesNotAddUpIsRefused) {
  std::string name = server_name("a.example");
  std::string longer = name, shorter = name;
  longer[3]++;
  shorter[3]--;
  expect_refused(record_of(with_extensions(longer)), "add up");
  expect_refused(record_of(with_extensions(shorter)), "add up");
  expect_refused(record_of(with_extensions(shorter + "\0\0\0\0\0"s)), "add up");
  for (size_t at : {5u, 8u}) {  // the lengths of the list and of the name
    for (int change : {-1, 1}) {
      std::string wrong = name;
      wrong[at] = static_cast<char>(wrong[at] + change);
      expect_refused(record_of(with_extensions(wrong)), "");
    }
  }
  expect_refused(record_of(with_extensions(name + "\0"s)), "add up");
  expect_refused(record_of(with_extensions(name + extension(5, "") + extension(5, ""))), "twice");
  std::string body = Hello().body();
  expect_refused(record(22, Hello::handshake(1, body + "x")), "add up");
  expect_refused(record_of({.session_id = std::string(33, 's')}), "malformed");
  expect_refused(record_of({.suites = ""}), "malformed");
  expect_refused(record_of({.suites = "odd"}), "malformed");
  expect_refused(record_of({.compressions = ""}), "malformed");
  for (const std::string& version : {"\x02\x00"s, "\x03\x00"s, "\x03\x05"s, "\x04\x03"s})
    expect_refused(record_of({.version = version}), "malformed");
  EXPECT_EQ(fed(record_of({.session_id = ""})).last, Kind::wait);
}

TEST(ClientHello, CutAtEveryByteWaitsAndThenPasses) {
  for (size_t records : {1u, 3u}) {
    std::string message = Hello().message();
    std::string bytes = spread(message, message.size() / records + 1);
    for (size_t length = 0; length < bytes.size(); length++) {
      TlsJudge judge("a.example");
      Fed outcome = feed(judge, bytes.substr(0, length));
      EXPECT_EQ(outcome.last, Kind::wait) << length << outcome.why;
      EXPECT_EQ(outcome.passed, "");
      // Cut there for good: what follows is no part of it.
      EXPECT_EQ(judge.judge(bytes).kind, Kind::pass) << length;
    }
  }
}

// The message is cut short and every length before it says so, but those inside do not.
TEST(ClientHello, CutShortAtEveryByteIsRefused) {
  std::string body = Hello().body();
  for (size_t length = 0; length < body.size(); length++)
    expect_refused(record(22, Hello::handshake(1, body.substr(0, length))), "ClientHello");
  // Every length of the message but the right one.
  std::string message = Hello().message();
  for (size_t length = 0; length < 1000; length++) {
    std::string wrong = message;
    wrong.replace(1, 3, number(length, 3));
    Fed outcome = fed(record(22, wrong));
    Kind kind = length + 4 < message.size() ? Kind::refuse : Kind::wait;
    EXPECT_EQ(outcome.last, length + 4 == message.size() ? Kind::wait : kind) << length;
    EXPECT_EQ(outcome.passed.empty(), length + 4 != message.size()) << length;
  }
}

TEST(ClientHello, SpreadOverRecordsAtEveryByteIsPutTogether) {
  std::string message = Hello().message();
  std::string other = hello_for("b.example").message();
  for (size_t size = 1; size <= message.size(); size++) {
    for (size_t slice : {1u, 7u, 100000u}) {
      TlsJudge judge("a.example"), refusing("a.example");
      Fed outcome = feed(judge, spread(message, size), slice);
      EXPECT_EQ(outcome.passed, spread(message, size)) << size << outcome.why;
      outcome = feed(refusing, spread(other, size), slice);
      EXPECT_EQ(outcome.last, Kind::refuse);
      EXPECT_EQ(outcome.passed, "");
    }
  }
  for (size_t cut = 1; cut < message.size(); cut++) {
    std::string bytes = record(22, message.substr(0, cut)) + record(22, message.substr(cut));
    EXPECT_EQ(fed(bytes).passed, bytes);
    // Nothing else comes in between.
    for (const std::string& between : {kChangeCipher, kAppData, record(21, "\x01\0"s), "\x80"s})
      expect_refused(bytes.substr(0, 5 + cut) + between + bytes.substr(5 + cut), "interrupted");
  }
}

TEST(ClientHello, HasABoundedSize) {
  auto of_size = [](size_t size) {
    Hello hello;
    size_t left = size - hello.message().size() - 4;
    hello.extensions += extension(21, std::string(left, '\0'));
    EXPECT_EQ(hello.message().size(), size);
    return hello.message();
  };
  std::string most = spread(of_size(TlsJudge::kMostHello), 64);
  TlsJudge judge("a.example");
  Fed outcome = feed(judge, most, 100);
  EXPECT_EQ(outcome.passed, most) << outcome.why;
  EXPECT_LE(outcome.most_waiting, TlsJudge::kMostWaiting);
  expect_refused(spread(of_size(TlsJudge::kMostHello + 1), 16000), "too long");
  expect_refused(spread(of_size(513), 1), "too many records");
  EXPECT_EQ(fed(spread(of_size(512), 1)).passed.size(), 512u * 6);
  // Refused as soon as the length is known, and not when all of it was sent.
  expect_refused("\x16\x03\x01\x40\x00\x01\xff\xff\xff"s, "too long");
  expect_refused("\x16\x03\x01\x40\x01"s, "too long");
  expect_refused("\x16\x03\x01\xff\xff"s, "too long");
}

TEST(ClientHello, ComesInRecordsThatAreRight) {
  std::string message = Hello().message();
  expect_refused(record(22, message, 0), "version");
  expect_refused(record(22, message, 5), "version");
  std::string old = record(22, message);
  old[1] = 2;
  expect_refused(old, "version");
  for (uint8_t minor = 1; minor <= 4; minor++)
    EXPECT_EQ(fed(record(22, message, minor)).passed, record(22, message, minor));
  expect_refused(record(22, ""), "empty");
  expect_refused(record(22, message.substr(0, 5)) + record(22, ""), "empty");
  for (const std::string& first :
       {kChangeCipher, kAppData, record(21, "\x01\0"s), record(24, "x"), "\x80\x2e\x01\x03\x01"s,
        "GET / HTTP/1.1\r\n"s, "SSH-2.0-x"s, "\0"s})
    expect_refused(first + record(22, message), "does not begin");
  expect_refused(record(22, Hello::handshake(0, "")), "does not begin");
  expect_refused(record(22, Hello::handshake(16, "x")), "does not begin");
  expect_refused(record(22, message + message), "more than");
  expect_refused(record(22, message + Hello::handshake(16, "x")), "more than");
}

TEST(ClientHello, ComesASecondTimeForTheSameName) {
  std::string first = record_of(Hello());
  for (const std::string& between : {""s, kChangeCipher, record(21, "\x01\0"s)}) {
    std::string bytes = first + between + first + kAppData;
    EXPECT_EQ(fed(bytes).passed, bytes) << fed(bytes).why;
    EXPECT_EQ(fed(bytes).last, Kind::pass_all);
    for (const Hello& other : {hello_for("b.example"), with_extensions(kUsualExtensions)}) {
      std::string message = other.message();
      for (size_t size : {message.size(), message.size() - 1, size_t{23}, size_t{1}}) {
        Fed outcome = fed(first + between + spread(message, size) + kAppData);
        EXPECT_EQ(outcome.last, Kind::refuse);
        EXPECT_EQ(outcome.passed, first + between);
      }
      EXPECT_EQ(fed(first + between + first + record(22, message)).why,
                "a third ClientHello follows");
    }
  }
}

TEST(ClientHello, ThatIsFollowedByOtherThings) {
  std::string first = record_of(Hello());
  std::string key = record(22, Hello::handshake(16, std::string(66, 'k')), 3);
  EXPECT_EQ(fed(first + key + "anything").passed, first + key + "anything");
  std::string alert = record(21, "\x02\x28"s, 3);
  EXPECT_EQ(fed(first + alert + kChangeCipher + alert).passed,
            first + alert + kChangeCipher + alert);
  for (const std::string& wrong :
       {record(24, "x"), record(20, "\x01\x01"s), record(20, "\x02"s), record(20, ""),
        record(23, ""), record(22, ""), "\x16\x02\0"s, "GET / "s}) {
    Fed outcome = fed(first + wrong + "\0\0\0\0\0"s);
    EXPECT_EQ(outcome.last, Kind::refuse);
    EXPECT_EQ(outcome.passed, first);
  }
}

// A session of TLS 1.2 that is resumed goes on with an encrypted record that can begin like a
// hello.
TEST(ClientHello, IsNotMistakenForAnEncryptedRecord) {
  std::string first = record_of(Hello());
  for (int byte = 0; byte < 256; byte++) {
    for (size_t size : {32u, 40u, 64u, 80u, 96u}) {
      std::string finished = static_cast<char>(byte) + std::string(size - 1, '\xa7');
      std::string bytes = first + kChangeCipher + record(22, finished, 3) + kAppData;
      Fed outcome = fed(bytes);
      EXPECT_EQ(outcome.passed, bytes) << byte << outcome.why;
      EXPECT_EQ(outcome.last, Kind::pass_all);
    }
  }
  // It is the last of the handshake: a hello in disguise would have to go on.
  std::string other = hello_for("b.example").message();
  other.replace(4, 2, "\x7f\x1c");
  for (size_t size = 1; size < other.size(); size++) {
    Fed outcome = fed(first + kChangeCipher + spread(other, size) + kAppData);
    EXPECT_EQ(outcome.last, Kind::refuse) << size;
    EXPECT_LT(outcome.passed.size(), first.size() + other.size());
  }
  expect_refused(record(22, "\x01" + std::string(39, '\xa7'), 3), "too long");
  // A hello that is as short as such a record, in one piece and in two.
  Hello brief{.session_id = "", .extensions = server_name("b.example")};
  EXPECT_LT(brief.message().size(), 128u);
  Hello odd = brief;
  odd.version = "\x7f\x1c";  // which hides nothing
  for (const std::string& records :
       {record_of(brief), record_of(odd), spread(brief.message(), 40)}) {
    Fed outcome = fed(first + kChangeCipher + records);
    EXPECT_EQ(outcome.last, Kind::refuse);
    EXPECT_EQ(outcome.passed, first + kChangeCipher);
  }
}

// Early data can be rejected, and a second hello in the clear follows it.
TEST(ClientHello, IsLookedForBehindEarlyData) {
  std::string early = record_of(with_extensions(server_name("a.example") + extension(42, "")));
  std::string good = record_of(Hello()), bad = record_of(hello_for("b.example"));
  std::string bytes = early + kChangeCipher + kAppData + kAppData;
  EXPECT_EQ(fed(bytes + good + kChangeCipher).passed, bytes + good + kChangeCipher);
  EXPECT_EQ(fed(bytes + bad).last, Kind::refuse);
  EXPECT_EQ(fed(bytes + bad).passed, bytes);
  std::string much;
  for (int i = 0; i < 17; i++)
    much += record(23, std::string(16384, 'x'), 3);
  EXPECT_EQ(fed(early + much).last, Kind::pass_all);
}

TEST(ClientHello, ForAnAddressMayAskForAnything) {
  const std::pair<Hello, const char*> cases[] = {{hello_for("B.example"), "b.example"},
                                                 {hello_for("10.0.0.1"), "10.0.0.1"},
                                                 {hello_for("fd00::1"), "fd00::1"},
                                                 {with_extensions(kUsualExtensions), ""}};
  for (const auto& [hello, shown] : cases) {
    TlsJudge judge("");
    EXPECT_EQ(feed(judge, record_of(hello)).passed, record_of(hello));
    EXPECT_EQ(judge.shown(), shown);
    Fed outcome = feed(judge, record_of(hello) + kAppData);
    EXPECT_EQ(outcome.last, Kind::pass_all) << outcome.why;
    Fed second = fed(record_of(hello) + record_of(hello_for("c.example")), "");
    EXPECT_EQ(second.last, Kind::refuse);
    EXPECT_EQ(second.passed, record_of(hello));
  }
  Fed nameless = fed(record_of(hello_for("b.example")) + record_of(with_extensions("")), "");
  EXPECT_EQ(nameless.last, Kind::refuse);
  for (const char* asked : {"a_b.example", "a.example.", "a\nb", "127.1"})
    expect_refused(record_of(hello_for(asked)), "no host's name", "");
}

TEST(ClientHello, ThatLostBytesIsRefused) {
  TlsJudge judge("a.example");
  std::string message = Hello().message();
  std::string bytes = record(22, message.substr(0, 10)) + record(22, message.substr(10));
  EXPECT_EQ(judge.judge(bytes.substr(0, 20)).kind, Kind::wait);
  EXPECT_EQ(judge.judge(bytes.substr(0, 3)).kind, Kind::refuse);
  EXPECT_EQ(judge.judge(bytes).kind, Kind::refuse);
}

}  // namespace ringwall::net
