#include "learn/learned_hosts.h"

#include <gtest/gtest.h>

namespace ringwall::learn {
namespace {

net::EgressRules rules() {
  net::EgressRules rules;
  rules.allow.push_back({*policy::parse_host_pattern("granted.example.com"), {}});
  rules.deny.push_back({*policy::parse_host_pattern("denied.example.com"), {}});
  return rules;
}

policy::Wish wish_for(const std::string& destination) {
  return wishes_for_hosts({{destination, "no grant names it", 3, "curl"}}, rules()).at(0);
}

TEST(LearnedHosts, AreProposedAsAGrantNamesThem) {
  EXPECT_EQ(wish_for("pypi.org:443").what, "pypi.org");
  EXPECT_EQ(wish_for("pypi.org:443").left_out, "");
  EXPECT_EQ(wish_for("pypi.org").what, "pypi.org");
  EXPECT_EQ(wish_for("github.com:22").what, "github.com:22");
  EXPECT_EQ(wishes_for_hosts({{"github.com", "no grant names it", 1, "ssh"}}, rules())[0].what,
            "github.com:22");
  EXPECT_EQ(wish_for("93.184.216.34:80").what, "93.184.216.34:80");
  EXPECT_EQ(wish_for("93.184.216.34:80").left_out, "");
  EXPECT_EQ(wish_for("pypi.org:443").times, 3u);
  EXPECT_EQ(wish_for("pypi.org:443").programs, std::set<std::string>{"curl"});
  // The name is granted, and this port of it is wanted too.
  EXPECT_EQ(wish_for("granted.example.com:80").left_out, "");
}

TEST(LearnedHosts, PrivateOnesAreMarked) {
  for (const char* destination :
       {"10.1.2.3:80", "192.168.1.1:443", "172.16.0.1:22", "169.254.169.254:80", "127.0.0.1:5432",
        "100.64.0.1:80", "[::1]:80", "[fd00::1]:80", "[fe80::1]:80", "db.internal:5432",
        "printer.local:443", "metadata.google.internal:80", "intranet:443", "nas.lan:443"})
    EXPECT_NE(wish_for(destination).left_out, "") << destination;
}

TEST(LearnedHosts, WhatAGrantWouldNotHelpIsLeftOut) {
  EXPECT_NE(wish_for("denied.example.com:443").left_out, "");
  EXPECT_NE(wish_for("granted.example.com:443").left_out, "");
  EXPECT_NE(wish_for("bad_name\n\"]:443").left_out, "");
  EXPECT_NE(wish_for("*.example.com:443").left_out, "");
}

}  // namespace
}  // namespace ringwall::learn
