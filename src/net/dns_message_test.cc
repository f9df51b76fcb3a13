#include "net/dns_message.h"

#include <gtest/gtest.h>

#include "policy/hosts.h"

namespace ringwall::net {
namespace {

using namespace std::string_literals;

const std::string kEdns = "\0\0\x29\x04\xd0\0\0\0\0\0\0"s;
const std::string kTypeA = "\0\x01\0\x01"s;

std::string header(uint16_t flags, char questions, char answers, char authorities, char others) {
  return "\x12\x34"s + static_cast<char>(flags >> 8) + static_cast<char>(flags & 0xff) + '\0' +
         questions + '\0' + answers + '\0' + authorities + '\0' + others;
}

std::string wire_name(std::initializer_list<std::string> labels) {
  std::string out;
  for (const std::string& label : labels)
    out += static_cast<char>(label.size()) + label;
  return out + '\0';
}

std::string query(const std::string& name, const std::string& rest = kTypeA, char others = 0) {
  return header(0x0100, 1, 0, 0, others) + name + rest;
}

const std::string kQuery = query(wire_name({"API", "example", "Com"}));
const std::string kQueryWithEdns = query(wire_name({"a", "example"}), kTypeA + kEdns, 1);

std::string code_of(const std::string& reply) {
  return std::to_string(static_cast<uint8_t>(reply.at(3)) & 15);
}

void expect_problem(const std::string& message, DnsProblem problem) {
  auto parsed = parse_dns_query(message);
  ASSERT_FALSE(parsed) << parsed->name;
  EXPECT_EQ(parsed.error(), problem);
}

}  // namespace

TEST(DnsQuery, IsRead) {
  auto parsed = parse_dns_query(kQuery);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->id, 0x1234);
  EXPECT_TRUE(parsed->recursion_desired);
  EXPECT_EQ(parsed->name, "API.example.Com");
  EXPECT_EQ(parsed->type, kDnsTypeA);
  EXPECT_EQ(parsed->klass, kDnsClassInternet);
  EXPECT_EQ(parsed->question_end, kQuery.size());
  EXPECT_FALSE(parsed->has_edns);

  parsed = parse_dns_query(kQueryWithEdns);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->name, "a.example");
  EXPECT_EQ(parsed->question_end, kQueryWithEdns.size() - kEdns.size());
  EXPECT_TRUE(parsed->has_edns);

  // Options of EDNS (a cookie here), the bits AD and CD, no wish for recursion, another type.
  std::string edns = "\0\0\x29\x04\xd0\0\0\x80\0\0\x0c\0\x0a\0\x08"s + "12345678";
  parsed = parse_dns_query(header(0x0030, 1, 0, 0, 1) + wire_name({"a"}) + "\0\x1c\0\x01"s + edns);
  ASSERT_TRUE(parsed);
  EXPECT_FALSE(parsed->recursion_desired);
  EXPECT_EQ(parsed->type, kDnsTypeAaaa);
  EXPECT_EQ(parse_dns_query(query("\0"s))->name, "");
}

TEST(DnsQuery, CutAnywhereIsNone) {
  for (const std::string& message : {kQuery, kQueryWithEdns}) {
    for (size_t length = 0; length < message.size(); length++) {
      SCOPED_TRACE(length);
      expect_problem(message.substr(0, length),
                     length < 12 ? DnsProblem::not_a_query : DnsProblem::malformed);
    }
    expect_problem(message + '\0', DnsProblem::malformed);
    expect_problem(message + kEdns, DnsProblem::malformed);
  }
}

TEST(DnsQuery, OfOtherKindsIsNotAnswered) {
  std::string name = wire_name({"a", "example"}) + kTypeA;
  expect_problem(header(0x8100, 1, 0, 0, 0) + name, DnsProblem::not_a_query);
  for (uint16_t opcode = 1; opcode < 16; opcode++) {
    auto flags = static_cast<uint16_t>(opcode << 11);
    expect_problem(header(flags, 1, 0, 0, 0) + name, DnsProblem::not_a_query);
  }
}

TEST(DnsQuery, HasOneQuestionAndNoRecords) {
  std::string name = wire_name({"a", "example"}) + kTypeA;
  std::string record = "\0\0\x01\0\x01\0\0\0\0\0\x04"s + "1234";
  expect_problem(header(0x0100, 0, 0, 0, 0), DnsProblem::malformed);
  expect_problem(header(0x0100, 0, 0, 0, 0) + name, DnsProblem::malformed);
  expect_problem(header(0x0100, 2, 0, 0, 0) + name + name, DnsProblem::malformed);
  expect_problem(header(0x0100, 1, 1, 0, 0) + name + record, DnsProblem::malformed);
  expect_problem(header(0x0100, 1, 0, 1, 0) + name + record, DnsProblem::malformed);
  expect_problem(header(0x0100, 1, 0, 0, 1) + name + record, DnsProblem::malformed);
  expect_problem(header(0x0100, 1, 0, 0, 1) + name, DnsProblem::malformed);
  expect_problem(header(0x0100, 1, 0, 0, 2) + name + kEdns + kEdns, DnsProblem::malformed);
  // EDNS of another version, with a name, or with more data than there is.
  expect_problem(header(0x0100, 1, 0, 0, 1) + name + "\0\0\x29\x04\xd0\0\x01\0\0\0\0"s,
                 DnsProblem::malformed);
  expect_problem(header(0x0100, 1, 0, 0, 1) + name + "\x01\x61"s + kEdns, DnsProblem::malformed);
  expect_problem(header(0x0100, 1, 0, 0, 1) + name + "\0\0\x29\x04\xd0\0\0\0\0\xff\xff"s,
                 DnsProblem::malformed);
}

TEST(DnsQuery, NamesDoNotPointElsewhere) {
  expect_problem(query("\xc0\x0c"s), DnsProblem::malformed);
  expect_problem(query("\x01\x61\xc0\x0c"s), DnsProblem::malformed);
  expect_problem(query("\xc0\xff\0"s), DnsProblem::malformed);
  for (size_t length : {64u, 65u, 128u, 191u, 192u, 250u})
    expect_problem(query(wire_name({std::string(length, 'a')})), DnsProblem::malformed);
}

TEST(DnsQuery, NamesAreNoLongerThanNamesCanBe) {
  std::string label(63, 'a');
  auto longest = parse_dns_query(query(wire_name({label, label, label, std::string(61, 'b')})));
  ASSERT_TRUE(longest);
  EXPECT_EQ(longest->name.size(), 253u);
  expect_problem(query(wire_name({label, label, label, std::string(62, 'b')})),
                 DnsProblem::malformed);
  expect_problem(query(wire_name({label, label, label, label, label})), DnsProblem::malformed);
  std::string endless;
  for (int i = 0; i < 2000; i++)
    endless += "\x01\x61";
  expect_problem(query(endless + '\0'), DnsProblem::malformed);
  // The limit of a message.
  std::string padded = kTypeA + "\0\0\x29\x04\xd0\0\0\0\0"s;
  std::string message = query(wire_name({"a"}), padded, 1);
  size_t room = 4096 - message.size() - 2;
  message += {static_cast<char>(room >> 8), static_cast<char>(room & 0xff)};
  message += std::string(room, 'x');
  EXPECT_TRUE(parse_dns_query(message));
  message.insert(message.size(), 1, 'x');
  message[message.size() - room - 2] = static_cast<char>((room + 1) & 0xff);
  expect_problem(message, DnsProblem::malformed);
}

// What is no host's name is read, and does not look like one.
TEST(DnsQuery, NamesOfAnyBytesFitNoGrammar) {
  const std::pair<std::string, std::string> cases[] = {
      {wire_name({"www.example", "com"}), "www\\.example.com"},
      {wire_name({"a.b"}), "a\\.b"},
      {wire_name({"."}), "\\."},
      {wire_name({"a\0b"s, "example"}), "a\0b.example"s},
      {wire_name({"a\r\n"s, "example"}), "a\r\n.example"},
      {wire_name({"a%", "example"}), "a%.example"},
      {wire_name({"_dmarc", "example"}), "_dmarc.example"},
      {wire_name({"127", "1"}), "127.1"},
      {wire_name({"\xff", "example"}), "\xff.example"},
      {wire_name({"a\\", "example"}), "a\\.example"},
      {"\0"s, ""},
  };
  for (const auto& [wire, name] : cases) {
    auto parsed = parse_dns_query(query(wire));
    ASSERT_TRUE(parsed) << name;
    EXPECT_EQ(parsed->name, name);
    EXPECT_FALSE(policy::parse_host_name(parsed->name)) << name;
  }
}

TEST(DnsReply, GivesAnAddress) {
  auto question = parse_dns_query(kQuery);
  std::string reply = make_dns_reply(kQuery, *question, DnsReply::address, 0xc6120102, 7);
  EXPECT_EQ(reply, "\x12\x34\x81\x80\0\x01\0\x01\0\0\0\0"s + wire_name({"API", "example", "Com"}) +
                       kTypeA + "\xc0\x0c\0\x01\0\x01\0\0\0\x07\0\x04\xc6\x12\x01\x02"s);
}

TEST(DnsReply, AnswersEdns) {
  auto question = parse_dns_query(kQueryWithEdns);
  std::string reply = make_dns_reply(kQueryWithEdns, *question, DnsReply::name_error);
  EXPECT_EQ(reply, "\x12\x34\x81\x83\0\x01\0\0\0\0\0\x01"s + wire_name({"a", "example"}) + kTypeA +
                       "\0\0\x29\x04\xd0\0\0\0\0\0\0"s);
}

TEST(DnsReply, SaysHowLongNothingHolds) {
  auto question = parse_dns_query(kQuery);
  std::string reply = make_dns_reply(kQuery, *question, DnsReply::empty, 0, 5);
  std::string head = "\x12\x34\x81\x80\0\x01\0\0\0\x01\0\0"s;
  EXPECT_EQ(reply, head + kQuery.substr(12) + "\0\0\x06\0\x01\0\0\0\x05\0\x16\0\0"s +
                       "\0\0\0\x01\0\0\x0e\x10\0\0\x02\x58\0\x01\x51\x80\0\0\0\x05"s);
}

TEST(DnsReply, SaysWhyThereIsNone) {
  auto question = parse_dns_query(kQuery);
  const std::pair<DnsReply, const char*> cases[] = {{DnsReply::server_failure, "2"},
                                                    {DnsReply::name_error, "3"},
                                                    {DnsReply::not_implemented, "4"},
                                                    {DnsReply::refused, "5"}};
  for (const auto& [reply, code] : cases) {
    std::string made = make_dns_reply(kQuery, *question, reply);
    EXPECT_EQ(code_of(made), code);
    EXPECT_EQ(made.size(), kQuery.size());
    EXPECT_EQ(made.substr(12), kQuery.substr(12));
  }
  question->question_end = kQuery.size() + 1;
  EXPECT_EQ(make_dns_reply(kQuery, *question, DnsReply::refused), "");
}

TEST(DnsReply, ToWhatIsNoQuestion) {
  EXPECT_EQ(make_dns_format_error(""), "");
  EXPECT_EQ(make_dns_format_error("\x12\x34\x01"s), "");
  EXPECT_EQ(make_dns_format_error(kQuery), "\x12\x34\x81\x81\0\0\0\0\0\0\0\0"s);
  EXPECT_EQ(make_dns_format_error("\x12\x34\0\0"s), "\x12\x34\x80\x81\0\0\0\0\0\0\0\0"s);
}

}  // namespace ringwall::net
