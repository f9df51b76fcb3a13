#include "net/addresses.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <random>

namespace ringwall::net {
namespace {

Address parse(const std::string& written) {
  Address address;
  address.is_ipv6 = written.find(':') != std::string::npos;
  EXPECT_EQ(inet_pton(address.is_ipv6 ? AF_INET6 : AF_INET, written.c_str(), address.bytes), 1)
      << written;
  return address;
}

}  // namespace

TEST(Addresses, AreShownAsUsual) {
  for (const char* written : {"192.0.2.1", "0.0.0.0", "::", "2001:db8::1", "64:ff9b::a00:1"})
    EXPECT_EQ(text(parse(written)), written);
}

TEST(Addresses, OfThePublicInternetPass) {
  for (const char* written :
       {"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
        "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255",
        "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0",
        "203.0.112.255", "203.0.114.0", "223.255.255.255", "168.63.129.15", "168.63.129.17",
        "2606:4700:4700::1111", "2001:200::1", "2001:4860:4860::8888", "2001:db7:ffff::1",
        "2001:db9::1", "2003::1", "3ffe:ffff::1", "3fff:1000::1", "2a00::5eff:a00:1",
        // These carry a public IPv4 address.
        "64:ff9b::8.8.8.8", "64:ff9b:1::8.8.8.8", "64:ff9b:1:fffe::8.8.8.8", "::8.8.8.8",
        "2002:808:808::1", "2a00::5efe:808:808", "2a00::200:5efe:808:808"})
    EXPECT_EQ(why_not_public(parse(written)), std::nullopt) << written;
}

TEST(Addresses, OfOtherKindsAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"0.0.0.0", "this host"},
      {"0.255.255.255", "this host"},
      {"10.0.0.0", "private"},
      {"10.255.255.255", "private"},
      {"100.64.0.0", "carrier"},
      {"100.127.255.255", "carrier"},
      {"100.100.100.200", "metadata"},
      {"127.0.0.1", "loopback"},
      {"127.255.255.255", "loopback"},
      {"168.63.129.16", "metadata"},
      {"169.254.0.0", "link-local"},
      {"169.254.169.253", "link-local"},
      {"169.254.169.254", "metadata"},
      {"169.254.255.255", "link-local"},
      {"172.16.0.0", "private"},
      {"172.31.255.255", "private"},
      {"192.0.0.0", "protocols"},
      {"192.0.0.192", "metadata"},
      {"192.0.0.255", "protocols"},
      {"192.0.2.0", "documentation"},
      {"192.0.2.255", "documentation"},
      {"192.88.99.1", "6to4 relay"},
      {"192.168.0.0", "private"},
      {"192.168.255.255", "private"},
      {"198.18.0.0", "benchmarks"},
      {"198.19.255.255", "benchmarks"},
      {"198.51.100.1", "documentation"},
      {"203.0.113.1", "documentation"},
      {"224.0.0.0", "multicast"},
      {"239.255.255.255", "multicast"},
      {"240.0.0.0", "reserved"},
      {"255.255.255.254", "reserved"},
      {"255.255.255.255", "broadcast"},
      {"::", "unspecified"},
      {"::1", "loopback"},
      {"::ffff:8.8.8.8", "clothes"},
      {"::ffff:127.0.0.1", "clothes"},
      {"::ffff:0:8.8.8.8", "clothes"},
      {"100::1", "dropped"},
      {"2001::1", "Teredo"},
      {"2001:0:ffff::", "Teredo"},
      {"2001:2::1", "benchmarks"},
      {"2001:10::1", "ORCHID"},
      {"2001:1f:ffff::1", "ORCHID"},
      {"2001:20::1", "ORCHID"},
      {"2001:2f:ffff::1", "ORCHID"},
      {"2001:1::1", "protocols"},
      {"2001:1ff::1", "protocols"},
      {"2001:db8::1", "documentation"},
      {"3fff:fff::1", "documentation"},
      {"5f00::1", "segment"},
      {"fc00::", "private"},
      {"fdff:ffff::1", "private"},
      {"fd00:ec2::254", "metadata"},
      {"fd20:ce::254", "metadata"},
      {"fe80::1", "link-local"},
      {"febf::1", "link-local"},
      {"fec0::1", "site-local"},
      {"feff::1", "site-local"},
      {"ff02::1", "multicast"},
      {"1fff::1", "never given out"},
      {"4000::1", "never given out"},
      {"0:0:1::1", "never given out"},
      {"100:0:0:1::1", "never given out"},
      {"fe00::1", "never given out"},
      {"64:ff9b:2::8.8.8.8", "never given out"},
  };
  for (const auto& [written, word] : cases) {
    auto what = why_not_public(parse(written));
    ASSERT_TRUE(what) << written;
    EXPECT_NE(what->find(word), std::string_view::npos) << written << ": " << *what;
  }
}

TEST(Addresses, AreWhatTheyCarry) {
  const std::pair<const char*, const char*> carried[] = {
      {"127.0.0.1", "loopback"}, {"10.1.2.3", "private"},          {"169.254.169.254", "metadata"},
      {"0.0.0.2", "this host"},  {"255.255.255.255", "broadcast"}, {"224.0.0.1", "multicast"},
  };
  for (const auto& [four, word] : carried) {
    Address address = parse(four);
    char hex[16];
    snprintf(hex, sizeof hex, "%x%02x:%x%02x", address.bytes[0], address.bytes[1], address.bytes[2],
             address.bytes[3]);
    for (const std::string& six :
         {"::" + std::string(four), "64:ff9b::" + std::string(four),
          "64:ff9b:1::" + std::string(four), "64:ff9b:1:fffe::" + std::string(four),
          "2002:" + std::string(hex) + "::1", "2a00::5efe:" + std::string(hex),
          "2a00::200:5efe:" + std::string(hex), "2002:808:808::5efe:" + std::string(hex)}) {
      auto what = why_not_public(parse(six));
      ASSERT_TRUE(what) << six;
      EXPECT_NE(what->find(word), std::string_view::npos) << six << ": " << *what;
    }
  }
}

// With another length of the prefix, the IPv4 address would be 10.1.2.3 in each.
TEST(Addresses, OfLocalNat64ThatCannotBeToldAreRefused) {
  for (const char* six : {"64:ff9b:1:a01:2:300::", "64:ff9b:1:a:1:203::", "64:ff9b:1:0:a:102:300:0",
                          "64:ff9b:1:0:a:102:308:808", "64:ff9b:1::1:808:808"}) {
    auto what = why_not_public(parse(six));
    ASSERT_TRUE(what) << six;
    EXPECT_NE(what->find("cannot be told"), std::string_view::npos) << six << ": " << *what;
  }
}

// A name for the same address in IPv6 is never more public than the address.
TEST(Addresses, CarriedAreNeverMorePublic) {
  std::mt19937 random(1);  // NOLINT: the same in every run
  for (int i = 0; i < 100000; i++) {
    Address four, six{.is_ipv6 = true};
    for (int byte = 0; byte < 4; byte++)
      four.bytes[byte] = six.bytes[12 + byte] = static_cast<uint8_t>(random());
    if (!why_not_public(four)) continue;
    for (uint32_t start : {0u, 0x64ff9bu, 0x20010db8u, 0xffff0000u}) {
      for (int byte = 0; byte < 4; byte++)
        six.bytes[byte] = static_cast<uint8_t>(start >> (24 - 8 * byte));
      EXPECT_TRUE(why_not_public(six)) << text(six);
    }
  }
}

}  // namespace ringwall::net
