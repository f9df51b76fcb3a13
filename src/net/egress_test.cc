#include "net/egress.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

namespace ringwall::net {
namespace {

EgressRule rule(std::string_view text, policy::NoPort no_port = policy::NoPort::https) {
  return {*policy::parse_host_pattern(text, no_port), {"network.allow", {}}};
}

Address address(const char* text) {
  Address out;
  out.is_ipv6 = std::string_view(text).find(':') != std::string_view::npos;
  EXPECT_EQ(inet_pton(out.is_ipv6 ? AF_INET6 : AF_INET, text, out.bytes), 1) << text;
  return out;
}

TEST(Egress, OnlyWhatIsGranted) {
  EgressRules rules{.allow = {rule("api.example.com"), rule("*.cdn.example.com:8000-8100")}};
  EXPECT_TRUE(decide(rules, "api.example.com", 443).granted);
  EXPECT_FALSE(decide(rules, "api.example.com", 80).granted);
  EXPECT_EQ(decide(rules, "api.example.com", 80).why, "granted, but not on this port");
  EXPECT_FALSE(decide(rules, "evil.com", 443).granted);
  EXPECT_FALSE(decide(rules, "cdn.example.com", 8000).granted);
  EXPECT_TRUE(decide(rules, "a.b.cdn.example.com", 8100).granted);
  EXPECT_FALSE(decide(rules, "notcdn.example.com", 8000).granted);
}

TEST(Egress, NothingGrantedNothingReached) {
  EXPECT_FALSE(decide({}, "example.com", 443).granted);
  EXPECT_FALSE(decide_name({}, "example.com").granted);
  EXPECT_FALSE(decide_address({}, address("93.184.216.34"), 443, {}).granted);
}

TEST(Egress, ADenialWins) {
  EgressRules rules{.allow = {rule("*.example.com"), rule("93.184.0.0/16")},
                    .deny = {rule("evil.example.com", policy::NoPort::any),
                             rule("93.184.216.34", policy::NoPort::any)}};
  EXPECT_TRUE(decide(rules, "good.example.com", 443).granted);
  EXPECT_FALSE(decide(rules, "evil.example.com", 443).granted);
  EXPECT_FALSE(decide_name(rules, "evil.example.com").granted);
  EXPECT_TRUE(decide_address(rules, address("93.184.216.35"), 443, {}).granted);
  EXPECT_FALSE(decide_address(rules, address("93.184.216.34"), 443, {}).granted);
}

TEST(Egress, ANameLeadsToNothingThatIsDenied) {
  EgressRules rules{.deny = {rule("93.184.0.0/16:443"), rule("2606:2800::/32", policy::NoPort::any),
                             rule("evil.example.com", policy::NoPort::any)}};
  EXPECT_FALSE(judge_denials(rules, address("93.184.216.34"), 443).granted);
  EXPECT_TRUE(judge_denials(rules, address("93.184.216.34"), 80).granted);
  EXPECT_TRUE(judge_denials(rules, address("93.185.216.34"), 443).granted);
  EXPECT_FALSE(judge_denials(rules, address("2606:2800:220:1::10"), 80).granted);
}

// 93.184.216.34 in other clothes.
constexpr const char* kOtherWays[] = {
    "64:ff9b::5db8:d822",       "64:ff9b:1::5db8:d822",      "64:ff9b:1:5db8:d8:2200::",
    "64:ff9b:1:5d:b8:d822::",   "64:ff9b:1::5d:b8d8:2200:0", "2002:5db8:d822::1",
    "2001:0:5db8:d822::1",      "2001:0:1:1:0:0:a247:27dd",  "::ffff:93.184.216.34",
    "::ffff:0:93.184.216.34",   "::93.184.216.34",           "2606::5efe:5db8:d822",
    "2606::200:5efe:5db8:d822",
};

TEST(Egress, ADeniedAddressIsDeniedInAnyClothes) {
  EgressRules rules{.allow = {rule("::/0", policy::NoPort::any)},
                    .deny = {rule("93.184.216.0/24:443")}};
  for (const char* way : kOtherWays) {
    EXPECT_FALSE(judge_denials(rules, address(way), 443).granted) << way;
    EXPECT_TRUE(judge_denials(rules, address(way), 80).granted) << way;
    EXPECT_FALSE(decide_address(rules, address(way), 443, {}).granted) << way;
    EXPECT_TRUE(decide_address(rules, address(way), 80, {}).granted) << way;
  }
  for (const char* other : {"64:ff9b::5db8:d922", "2002:5db8:d922::1", "2606::5db8:d822"})
    EXPECT_TRUE(decide_address(rules, address(other), 443, {}).granted) << other;
}

TEST(Egress, ThisMachineIsItselfInAnyClothes) {
  std::vector<OwnNetwork> own = {{address("93.184.216.34"), 24}};
  for (const char* way : kOtherWays) {
    EXPECT_FALSE(judge_resolved(address(way), own, true).granted) << way;
    EXPECT_FALSE(judge_resolved(address(way), own, false).granted) << way;
  }
  EXPECT_FALSE(judge_resolved(address("64:ff9b::5db8:d807"), own, false).granted) << "its network";
  EXPECT_TRUE(judge_resolved(address("64:ff9b::5db8:d907"), own, false).granted);
}

TEST(Egress, ANameIsKnownIfSomePortOfItIsGranted) {
  EgressRules rules{.allow = {rule("db.example.com:5432")}};
  EXPECT_TRUE(decide_name(rules, "db.example.com").granted);
  EXPECT_FALSE(decide_name(rules, "other.example.com").granted);
}

TEST(Egress, TheHostsLoopbackByPort) {
  EgressRules rules{.allow = {rule("127.0.0.0/8:*")}, .host_ports = {5432}};
  EXPECT_TRUE(decide_address(rules, address("127.0.0.1"), 5432, {}).granted);
  EXPECT_TRUE(decide_address(rules, address("::1"), 5432, {}).granted);
  EXPECT_FALSE(decide_address(rules, address("127.0.0.1"), 5433, {}).granted);
}

// Who grants a block means hosts, not what is special about some addresses in it.
TEST(Egress, ABlockIsNoGrantOfMetadataServicesNorOfThisMachine) {
  std::vector<OwnNetwork> own = {{address("93.184.100.2"), 24}, {address("2606:2800::2"), 64}};
  auto granted = [&](const char* block, const char* wanted) {
    EgressRules rules{.allow = {rule(block)}};
    return decide_address(rules, address(wanted), 443, own).granted;
  };
  EXPECT_TRUE(granted("0.0.0.0/0", "93.184.216.34"));
  EXPECT_TRUE(granted("0.0.0.0/0", "10.1.2.3"));
  EXPECT_TRUE(granted("0.0.0.0/0", "93.184.100.3")) << "its neighbour";
  for (const char* wanted :
       {"169.254.169.254", "168.63.129.16", "100.100.100.200", "169.254.1.1", "93.184.100.2"}) {
    EXPECT_FALSE(granted("0.0.0.0/0", wanted)) << wanted;
    EXPECT_TRUE(granted(wanted, wanted)) << wanted;
  }
  EXPECT_FALSE(granted("93.184.100.0/24", "93.184.100.2"));
  EXPECT_TRUE(granted("169.254.0.0/16", "169.254.1.1")) << "the grant lies in the range";
  EXPECT_TRUE(granted("169.254.1.0/24", "169.254.1.1"));
  EXPECT_FALSE(granted("169.254.0.0/16", "169.254.169.254"));
  EXPECT_FALSE(granted("168.63.0.0/16", "168.63.129.16"));
  for (const char* wanted : {"fd00:ec2::254", "fe80::1", "2606:2800::2", "64:ff9b::a9fe:a9fe",
                             "2002:a9fe:a9fe::1", "64:ff9b::5db8:6402"}) {
    EXPECT_FALSE(granted("[::/0]", wanted)) << wanted;
    EXPECT_TRUE(granted(wanted, wanted)) << wanted;
  }
  EXPECT_TRUE(granted("[::/0]", "2606:2800::3"));
  EXPECT_TRUE(granted("fe80::/10", "fe80::1"));
}

TEST(Egress, ADenialOfEverythingIsOne) {
  EgressRules rules{.allow = {rule("a.example.com"), rule("93.184.216.34")},
                    .deny = {rule("*", policy::NoPort::any)},
                    .host_ports = {5432}};
  EXPECT_FALSE(decide(rules, "a.example.com", 443).granted);
  EXPECT_FALSE(decide_name(rules, "a.example.com").granted);
  EXPECT_FALSE(decide_address(rules, address("93.184.216.34"), 443, {}).granted);
  EXPECT_FALSE(decide_address(rules, address("127.0.0.1"), 5432, {}).granted);
  rules.deny = {rule("*:80", policy::NoPort::any), rule("*.ru", policy::NoPort::any)};
  EXPECT_TRUE(decide(rules, "a.example.com", 443).granted);
  EXPECT_TRUE(decide_address(rules, address("93.184.216.34"), 443, {}).granted);
}

TEST(Egress, WhereANameMayLead) {
  std::vector<OwnNetwork> own = {{address("192.0.2.1"), 24}, {address("203.0.114.7"), 24}};
  auto granted = [&](const char* text, bool may_be_private) {
    return judge_resolved(address(text), own, may_be_private).granted;
  };
  EXPECT_TRUE(granted("93.184.216.34", false));
  EXPECT_TRUE(granted("2606:2800:220:1::1", false));
  for (const char* text : {"10.1.2.3", "192.168.1.1", "172.16.0.1", "100.64.0.1", "fd00::1"}) {
    EXPECT_FALSE(granted(text, false)) << text;
    EXPECT_TRUE(granted(text, true)) << text;
  }
  for (const char* text : {"127.0.0.1", "::1", "169.254.169.254", "fd00:ec2::254", "0.0.0.0",
                           "224.0.0.1", "::ffff:10.1.2.3", "64:ff9b::a01:203", "fe80::1"}) {
    EXPECT_FALSE(granted(text, false)) << text;
    EXPECT_FALSE(granted(text, true)) << text;
  }
  // A network of this machine's own may be a company's; this machine itself is neither.
  EXPECT_FALSE(granted("203.0.114.9", false));
  EXPECT_TRUE(granted("203.0.114.9", true));
  EXPECT_FALSE(granted("203.0.114.7", true));
}

}  // namespace
}  // namespace ringwall::net
