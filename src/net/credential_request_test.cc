#include "net/credential_request.h"

#include <gtest/gtest.h>

namespace ringwall::net {
namespace {

TEST(CredentialRequest, ALoginByHttps) {
  auto request = parse_credential_request(
      "action=get\ntimeout=900\nprotocol=https\nhost=git.example.com:8443\nusername=me\n");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->host, "git.example.com:8443");
}

TEST(CredentialRequest, EverythingElseIsNone) {
  for (const char* lines :
       {"", "\n", "action=get\n", "action=get\nprotocol=https\n",
        "action=get\nprotocol=https\nhost=\n", "action=get\nprotocol=http\nhost=a.com\n",
        "action=store\nprotocol=https\nhost=a.com\npassword=x\n",
        "action=get\nprotocol=https\nhost=a.com\nhost=b.com\n",
        "action=get\naction=get\nprotocol=https\nhost=a.com\n", "host=a.com\nprotocol=https\n"}) {
    EXPECT_FALSE(parse_credential_request(lines)) << lines;
  }
  EXPECT_FALSE(
      parse_credential_request(std::string_view("action=get\nprotocol=https\nhost=a\0b\n", 35)));
  EXPECT_FALSE(parse_credential_request("action=get\nprotocol=https\nhost=a.com\n" +
                                        std::string(5000, 'x')));
}

}  // namespace
}  // namespace ringwall::net
