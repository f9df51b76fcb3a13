#include "base/git_blob.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace ringwall {
namespace {

std::string hex(const std::string& bytes) {
  std::string text;
  for (char c : bytes) {
    char two[3];
    snprintf(two, sizeof two, "%02x", static_cast<unsigned char>(c));
    text += two;
  }
  return text;
}

// As `git hash-object` says.
TEST(GitBlob, HasTheIdThatGitGivesIt) {
  EXPECT_EQ(hex(git_blob_id("", 20)), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  EXPECT_EQ(hex(git_blob_id("hello\n", 20)), "ce013625030ba8dba906f756967f9e9ca394464a");
  EXPECT_EQ(hex(git_blob_id("hello\n", 32)),
            "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4");
}

}  // namespace
}  // namespace ringwall
