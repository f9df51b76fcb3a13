#include "base/http_url.h"

#include <gtest/gtest.h>

namespace ringwall::http_url {
namespace {

TEST(HttpUrl, IsTakenApart) {
  Url url = parse("https://api.example/v1/messages?x=1").value();
  EXPECT_TRUE(url.is_tls);
  EXPECT_EQ(url.host, "api.example");
  EXPECT_EQ(url.port, "443");
  EXPECT_EQ(url.target, "/v1/messages?x=1");
  url = parse("http://[::1]:8080/v1").value();
  EXPECT_FALSE(url.is_tls);
  EXPECT_EQ(url.host, "::1");
  EXPECT_EQ(url.port, "8080");
}

TEST(HttpUrl, InTheClearOnlyToThisMachine) {
  EXPECT_TRUE(parse("http://127.0.0.1:1/x"));
  EXPECT_TRUE(parse("http://localhost/x"));
  EXPECT_FALSE(parse("http://localhost.example/x"));
  EXPECT_FALSE(parse("http://10.0.0.1/x"));
}

TEST(HttpUrl, WhatCouldBeReadInTwoWaysIsAnError) {
  for (const char* text :
       {"", "api.example/x", "ftp://a/x", "https://a", "https:///x", "https://a:/x",
        "https://a:99999x/x", "https://good@evil/x", "https://a/x#y", "https://a\\@b/x",
        "https://a b/x", "https://[::1/x", "https://a/\n", "https://\xc3\xa4/x"})
    EXPECT_FALSE(parse(text)) << text;
}

}  // namespace
}  // namespace ringwall::http_url
