#include "guard/guard_protocol.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "base/fixed_message.h"

namespace ringwall::guard {
namespace {

TEST(GuardProtocol, RequestsAreChecked) {
  GuardRequest request{.type = GuardRequest::Type::enforce, .flags = GuardRequest::kAllowList};
  EXPECT_TRUE(parse_request(fixed::bytes_of(request)));
  EXPECT_FALSE(parse_request(fixed::bytes_of(request).substr(1)));
  request.flags = 1u << 31;
  EXPECT_FALSE(parse_request(fixed::bytes_of(request)));
  request.flags = 0;
  request.named = kMostDigests + 1;
  EXPECT_FALSE(parse_request(fixed::bytes_of(request)));
  request.named = 0;
  request.least = 3;
  EXPECT_FALSE(parse_request(fixed::bytes_of(request)));
  request.least = 2;
  EXPECT_TRUE(parse_request(fixed::bytes_of(request)));
}

TEST(GuardProtocol, TextsOfNoticesHaveAnEnd) {
  GuardNotice notice;
  memset(notice.path, 'x', sizeof notice.path);
  auto parsed = parse_notice(fixed::bytes_of(notice));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(strlen(parsed->path), sizeof notice.path - 1);
  notice.kind = 3;
  EXPECT_FALSE(parse_notice(fixed::bytes_of(notice)));
}

}  // namespace
}  // namespace ringwall::guard
