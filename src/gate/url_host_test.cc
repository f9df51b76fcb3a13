#include "gate/url_host.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ringwall::gate {
namespace {

bool may_mean(std::string_view url, std::string_view host) {
  UrlHosts read = hosts_of(url);
  return std::ranges::find(read.hosts, host) != read.hosts.end();
}

TEST(UrlHost, PlainOnesAreCertain) {
  const std::pair<const char*, const char*> plain[] = {
      {"http://evil.com", "evil.com"},
      {"HTTPS://Evil.COM:8080/a?b#c", "evil.com"},
      {"https://evil.com./", "evil.com"},
      {"https://user:word@evil.com/@good.com", "evil.com"},
      {"https://evil.com?x=//good.com\\", "evil.com"},
      {"wss://a_b.xn--mnchen-3ya.de/", "a_b.xn--mnchen-3ya.de"},
      {"http://127.0.0.1:80/", "127.0.0.1"},
      {"http://[::1]:80/", "[::1]"},
      {"http://[0:0::1]/", "[::1]"},
  };
  for (const auto& [url, host] : plain) {
    UrlHosts read = hosts_of(url);
    EXPECT_TRUE(read.is_certain) << url;
    EXPECT_EQ(read.hosts, std::vector<std::string>{host}) << url;
  }
}

TEST(UrlHost, WhatABrowserReadsIsAmongThemAndNotCertain) {
  for (const char* url :
       {"http:/evil.com", "http:evil.com", "http:///evil.com", "http:\\\\evil.com",
        "http:\\/evil.com/x", "//evil.com", "evil.com/x", "http://ev%69l.com", "http://evil\t.com",
        " http://evil.com", "http://evil.com\\@good.com", "http://good.com\\@evil.com",
        "http://evil.com:x80/", "ht\ntp://evil.com", "http://evil%2ecom"}) {
    EXPECT_TRUE(may_mean(url, "evil.com")) << url;
    EXPECT_FALSE(hosts_of(url).is_certain) << url;
  }
}

TEST(UrlHost, OtherLettersForTheSameNameAreSeenThrough) {
  for (const char* url :
       {"http://ｅvil.com", "http://evil。com", "http://ev\u00adil.com", "http://evil．ＣＯＭ",
        "http://e\u200bvil.com", "http://𝐞vil.com", "http://%EF%BD%85vil.com"}) {
    EXPECT_TRUE(may_mean(url, "evil.com")) << url;
    EXPECT_FALSE(hosts_of(url).is_certain) << url;
  }
}

TEST(UrlHost, NumbersAreAddresses) {
  for (const char* url : {"http://127.1/", "http://2130706433/", "http://0x7f.0.0.1/",
                          "http://0177.0.0.1/", "http://0x7F000001"}) {
    EXPECT_TRUE(may_mean(url, "127.0.0.1")) << url;
    EXPECT_FALSE(hosts_of(url).is_certain) << url;
  }
}

TEST(UrlHost, WhatCannotBeReadIsNotCertain) {
  for (const char* url :
       {"", "http://", "http://münchen.de", "http://а.com", "http://a b.com", "http://[::g]/",
        "http://a%zz", "file:///etc/passwd", "gopher://evil.com"})
    EXPECT_FALSE(hosts_of(url).is_certain) << url;
}

}  // namespace
}  // namespace ringwall::gate
