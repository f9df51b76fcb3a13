#include "policy/programs.h"

#include <gtest/gtest.h>

namespace ringwall::policy {
namespace {

using Kind = ProgramRule::Kind;

TEST(ProgramRule, TakesNamesHashesFilesAndClasses) {
  EXPECT_EQ(parse_program_rule("npx", "/home/x", false)->kind, Kind::name);
  std::string hash(64, 'A');
  auto content = parse_program_rule("sha256:" + hash, "/home/x", false);
  ASSERT_TRUE(content);
  EXPECT_EQ(content->kind, Kind::content);
  EXPECT_EQ(content->digest.hex(), std::string(64, 'a'));
  auto file = parse_program_rule("file:~/bin/../tool", "/home/x", false);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->text, "/home/x/tool");
  EXPECT_EQ(parse_program_rule("system", "", true)->kind, Kind::system);
  EXPECT_EQ(parse_program_rule("built-here", "", true)->kind, Kind::built_here);
}

TEST(ProgramRule, RefusesWhatNamesNoProgram) {
  for (const char* text : {"/usr/bin/npx", "bin/npx", ".", "..", "sha256:", "sha256:12",
                           "file:", "file:tool", "system", "built-here"})
    EXPECT_FALSE(parse_program_rule(text, "/home/x", false)) << text;
  EXPECT_FALSE(parse_program_rule("sha256:" + std::string(63, 'a') + "g", "", true));
  EXPECT_FALSE(parse_program_rule(std::string(256, 'a'), "", true));
}

}  // namespace
}  // namespace ringwall::policy
