#include "policy/hosts.h"

#include <gtest/gtest.h>

namespace ringwall::policy {

TEST(Hosts, AreWrittenInOneWay) {
  const std::pair<const char*, const char*> cases[] = {
      {"api.example.com", "api.example.com:443"},
      {"API.Example.COM.", "api.example.com:443"},
      {"api.example.com:443", "api.example.com:443"},
      {"*.example.com", "*.example.com:443"},
      {"*.example.com:8443", "*.example.com:8443"},
      {"*.example.com:8000-8100", "*.example.com:8000-8100"},
      {"example.com:80-80", "example.com:80"},
      {"example.com:*", "example.com:*"},
      {"example.com:1-65535", "example.com:*"},
      {"localhost:3000", "localhost:3000"},
      {"xn--bcher-kva.example", "xn--bcher-kva.example:443"},
      {"192.0.2.1", "192.0.2.1:443"},
      {"192.0.2.1:80", "192.0.2.1:80"},
      {"10.0.0.0/8", "10.0.0.0/8:443"},
      {"10.0.0.0/8:22", "10.0.0.0/8:22"},
      {"10.0.0.0/8:22-23", "10.0.0.0/8:22-23"},
      {"0.0.0.0/0:*", "0.0.0.0/0:*"},
      {"2001:DB8::1", "[2001:db8::1]:443"},
      {"[2001:db8::1]", "[2001:db8::1]:443"},
      {"[2001:db8:0::1]:443", "[2001:db8::1]:443"},
      {"[2001:db8::1]:1-2", "[2001:db8::1]:1-2"},
      {"fd00::/8", "[fd00::/8]:443"},
      {"[fd00::/8]:*", "[fd00::/8]:*"},
  };
  for (const auto& [written, shown] : cases) {
    auto host = parse_host_pattern(written);
    ASSERT_TRUE(host) << written << ": " << host.error().what;
    EXPECT_EQ(host->text(), shown);
    for (NoPort no_port : {NoPort::https, NoPort::any})
      EXPECT_EQ(parse_host_pattern(host->text(), no_port)->text(), shown);
  }
}

TEST(Hosts, WithoutAPortAreDeniedAtEveryOne) {
  const std::pair<const char*, const char*> cases[] = {
      {"example.com", "example.com:*"},     {"*.example.com", "*.example.com:*"},
      {"192.0.2.1", "192.0.2.1:*"},         {"2001:db8::1", "[2001:db8::1]:*"},
      {"[2001:db8::1]", "[2001:db8::1]:*"}, {"example.com:25", "example.com:25"},
  };
  for (const auto& [written, shown] : cases)
    EXPECT_EQ(parse_host_pattern(written, NoPort::any)->text(), shown);
}

TEST(Hosts, ThatAreDeniedMayBeAllThereAre) {
  auto all = parse_host_pattern("*", NoPort::any), at_80 = parse_host_pattern("*:80", NoPort::any);
  auto zone = parse_host_pattern("*.ru", NoPort::any);
  ASSERT_TRUE(all && at_80 && zone);
  EXPECT_EQ(all->text(), "*:*");
  EXPECT_EQ(parse_host_pattern(all->text(), NoPort::any)->text(), "*:*");
  EXPECT_EQ(zone->text(), "*.ru:*");
  const uint8_t address[4] = {192, 0, 2, 1};
  EXPECT_TRUE(all->matches("a.example", 443) && all->matches_address(address, false, 443));
  EXPECT_TRUE(at_80->matches("a.example", 80) && at_80->matches_address(address, false, 80));
  EXPECT_FALSE(at_80->matches("a.example", 443) || at_80->matches_address(address, false, 443));
  EXPECT_TRUE(zone->matches("a.ru", 443));
  EXPECT_FALSE(zone->matches("ru", 443) || zone->matches_address(address, false, 443));
  for (const char* other : {"a.example", "*.ru:80", "192.0.2.0/24", "::1"}) {
    EXPECT_TRUE(all->covers(*parse_host_pattern(other, NoPort::any))) << other;
    EXPECT_FALSE(parse_host_pattern(other, NoPort::any)->covers(*all)) << other;
  }
  EXPECT_FALSE(parse_host_pattern("*"));
  EXPECT_FALSE(parse_host_pattern("*.ru"));
}

TEST(Hosts, ThatNobodyCouldReachAreNoGrants) {
  for (const char* never :
       {"127.0.0.1", "127.3.0.0/16:*", "[::1]:80", "localhost:3000", "a.localhost", "*.localhost",
        "0.0.0.0", "[::]:80", "198.18.0.5:80", "198.19.0.0/16", "224.0.0.1", "[ff02::1]:80",
        "255.255.255.255", "example.com:53"})
    EXPECT_FALSE(check_grant(*parse_host_pattern(never, NoPort::any))) << never;
  for (const char* grant : {"example.com", "localhost.example.com", "notlocalhost", "0.0.0.0/0:*",
                            "[::/0]:*", "10.0.0.0/8", "169.254.169.254:80", "198.17.0.1",
                            "192.0.0.0/2", "example.com:50-60", "*.example.com:*"})
    EXPECT_TRUE(check_grant(*parse_host_pattern(grant, NoPort::any))) << grant;
}

TEST(Hosts, ThatAreWrongSayWhatToWrite) {
  const std::pair<const char*, const char*> cases[] = {
      {"https://api.example.com", "leave https:// out"},
      {"user@example.com", "host alone"},
      {"example.com/path", "leave it out"},
      {"example.com:0", "1 to 65535"},
      {"example.com:65536", "65535"},
      {"example.com:http", "number"},
      {"example.com:", "number"},
      {"example.com:0443", "number"},
      {"example.com:80-", "number"},
      {"example.com:-80", "number"},
      {"example.com:80-90-100", "number"},
      {"example.com:90-80", "lower one first"},
      {"example.com:0-80", "1 to 65535"},
      {"example.com:80-65536", "65535"},
      {"example.com:**", "number"},
      {"[::1]:", "number"},
      {"*", "*.example.com"},
      {"*.com", "top-level"},
      {"a*.example.com", "leading"},
      {"*.*.example.com", "leading"},
      {"-a.example.com", "hyphens"},
      {"a_b.example.com", "hyphens"},
      {"a..b", "once"},
      {"b\xc3\xbc"
       "cher.example",
       "xn--"},
      {"256.1.1.1", "IPv4"},
      {"1.2.3", "IPv4"},
      {"0x7f.1", "four numbers"},
      {"0x7f000001", "four numbers"},
      {"1.0X7F", "four numbers"},
      {"10.1.2.3/8", "10.0.0.0/8"},
      {"10.0.0.0/33", "up to 32"},
      {"::ffff:192.0.2.1", "as IPv4"},
      {"fe80::1%eth0", "IPv6"},
      {"[::1", "without"},
      {"[example.com]:443", "leave them out"},
      {"[::1]x", "[::1]:443"},
      {"2001:db8::/129", "up to 128"},
      {" example.com", "letters"},
      {"exam ple.com", "letters"},
  };
  for (const auto& [written, told] : cases) {
    auto host = parse_host_pattern(written);
    ASSERT_FALSE(host) << written;
    std::string message = host.error().what + " → " + host.error().hint;
    EXPECT_NE(message.find(told), std::string::npos) << written << ": " << message;
  }
}

TEST(Hosts, CoverWhatTheyName) {
  auto covers = [](const char* one, const char* other) {
    return parse_host_pattern(one)->covers(*parse_host_pattern(other));
  };
  EXPECT_TRUE(covers("example.com", "example.com:443"));
  EXPECT_TRUE(covers("example.com:443", "example.com"));
  EXPECT_FALSE(covers("example.com", "example.com:*"));
  EXPECT_TRUE(covers("example.com:*", "example.com:1-65535"));
  EXPECT_TRUE(covers("example.com:80-90", "example.com:81-90"));
  EXPECT_FALSE(covers("example.com:80-90", "example.com:81-91"));
  EXPECT_FALSE(covers("example.com:80-90", "example.com:79-90"));
  EXPECT_FALSE(covers("example.com:443", "example.com:80"));
  EXPECT_FALSE(covers("example.com", "a.example.com"));
  EXPECT_TRUE(covers("*.example.com:*", "a.b.example.com:1"));
  EXPECT_TRUE(covers("*.example.com", "*.a.example.com"));
  EXPECT_FALSE(covers("*.example.com", "example.com"));
  EXPECT_FALSE(covers("*.example.com", "badexample.com"));
  EXPECT_FALSE(covers("a.example.com", "*.example.com"));
  EXPECT_TRUE(covers("10.0.0.0/8:*", "10.9.8.7:22"));
  EXPECT_FALSE(covers("10.0.0.0/8", "10.9.8.7:22"));
  EXPECT_FALSE(covers("10.0.0.0/9", "10.128.0.1"));
  EXPECT_FALSE(covers("10.9.8.7", "10.0.0.0/8"));
  EXPECT_TRUE(covers("fd00::/8", "fd12::1"));
  EXPECT_FALSE(covers("::/0", "10.0.0.1"));
  EXPECT_FALSE(covers("0.0.0.0/0", "example.com"));
  EXPECT_FALSE(covers("*.example.com", "10.0.0.1"));
}

TEST(Hosts, MatchAConnection) {
  auto matches = [](const char* pattern, const char* name, uint16_t port) {
    return parse_host_pattern(pattern)->matches(name, port);
  };
  EXPECT_TRUE(matches("example.com", "example.com", 443));
  EXPECT_TRUE(matches("example.com", "EXAMPLE.com", 443));
  EXPECT_FALSE(matches("example.com", "example.com", 80));
  EXPECT_FALSE(matches("example.com", "example.com.", 443));
  EXPECT_FALSE(matches("example.com", "a.example.com", 443));
  EXPECT_TRUE(matches("example.com:*", "example.com", 1));
  EXPECT_TRUE(matches("example.com:*", "example.com", 65535));
  EXPECT_TRUE(matches("example.com:80-90", "example.com", 90));
  EXPECT_FALSE(matches("example.com:80-90", "example.com", 91));
  EXPECT_TRUE(matches("*.example.com", "a.b.example.com", 443));
  EXPECT_TRUE(matches("*.example.com", "A.Example.Com", 443));
  EXPECT_FALSE(matches("*.example.com", "example.com", 443));
  EXPECT_FALSE(matches("*.example.com", "badexample.com", 443));
  EXPECT_FALSE(matches("*.example.com", "a.example.com", 22));
  EXPECT_FALSE(matches("0.0.0.0/0:*", "example.com", 443));
  EXPECT_FALSE(matches("10.0.0.1:*", "10.0.0.1", 443));
}

TEST(Hosts, MatchAConnectionToAnAddress) {
  const uint8_t four[4] = {10, 9, 8, 7};
  const uint8_t six[16] = {0xfd, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  auto matches = [&](const char* pattern, bool is_ipv6, uint16_t port) {
    return parse_host_pattern(pattern)->matches_address(is_ipv6 ? six : four, is_ipv6, port);
  };
  EXPECT_TRUE(matches("10.0.0.0/8", false, 443));
  EXPECT_FALSE(matches("10.0.0.0/8", false, 22));
  EXPECT_TRUE(matches("10.9.8.7:22", false, 22));
  EXPECT_FALSE(matches("10.9.8.6:22", false, 22));
  EXPECT_TRUE(matches("0.0.0.0/0:*", false, 22));
  EXPECT_FALSE(matches("0.0.0.0/0:*", true, 22));
  EXPECT_TRUE(matches("fd00::/8", true, 443));
  EXPECT_FALSE(matches("fd13::/16", true, 443));
  EXPECT_FALSE(matches("::/0", false, 443));
  EXPECT_FALSE(matches("example.com:*", false, 443));
}

TEST(HostNames, AreTakenInSmallLetters) {
  const std::pair<std::string, const char*> cases[] = {
      {"example.com", "example.com"},
      {"API.Example.COM", "api.example.com"},
      {"localhost", "localhost"},
      {"xn--bcher-kva.example", "xn--bcher-kva.example"},
      {"a-b--c.d9", "a-b--c.d9"},
      {"1.2.3.4.example", "1.2.3.4.example"},
      {"0x7f.example", "0x7f.example"},
      {std::string(63, 'a'), nullptr},
      {std::string(63, 'a') + "." + std::string(63, 'b') + "." + std::string(63, 'c') + "." +
           std::string(61, 'd'),
       nullptr},
  };
  for (const auto& [asked, small] : cases) {
    auto name = parse_host_name(asked);
    ASSERT_TRUE(name) << asked << ": " << name.error().what;
    EXPECT_EQ(*name, small == nullptr ? asked : small);
  }
}

TEST(HostNames, OfAnotherGrammarAreRefused) {
  using namespace std::string_literals;
  std::string longest = std::string(63, 'a') + "." + std::string(63, 'b') + "." +
                        std::string(63, 'c') + "." + std::string(62, 'd');
  EXPECT_EQ(longest.size(), 254u);
  const std::string cases[] = {
      "",
      ".",
      "example.com.",
      ".example.com",
      "a..b",
      "a_b.example.com",
      "_dmarc.example.com",
      "-a.example",
      "a-.example",
      "a.example\0.b"s,
      "\0"s,
      "a.example\r"s,
      "a.example\n"s,
      "a.example\r\nHost: b"s,
      "a%00.example",
      "a.example%eth0",
      "a b.example",
      " a.example",
      "a.example ",
      "*.example.com",
      "a.example:443",
      "a.example/",
      "a@b.example",
      "[::1]",
      "::1",
      "b\xc3\xbc"
      "cher.example",
      "a\\.b",
      "a.example\x7f",
      // Addresses, and what a resolver would take for one.
      "127.0.0.1",
      "127.1",
      "2130706433",
      "017700000001",
      "0x7f000001",
      "0x7f.1",
      "127.0x1",
      "0X7F000001",
      "1.2.3.0x4",
      "example.123",
      "example.0x",
      std::string(64, 'a'),
      longest,
      std::string(100000, 'a'),
  };
  for (const std::string& asked : cases)
    EXPECT_FALSE(parse_host_name(asked)) << asked;
  for (int byte = 0; byte < 256; byte++) {
    char c = static_cast<char>(byte);
    bool is_fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   c == '-' || c == '.';
    EXPECT_EQ(parse_host_name("a"s + c + "b.example").has_value(), is_fine) << byte;
  }
}

}  // namespace ringwall::policy
