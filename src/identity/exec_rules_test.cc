#include "identity/exec_rules.h"

#include <gtest/gtest.h>

namespace ringwall::identity {
namespace {

Digest digest(uint8_t first) {
  Digest out;
  out.bytes[0] = first;
  return out;
}

TEST(ExecRules, DenialBeatsAllowanceAndUnknownRunsOnlyWhereAllDoes) {
  ExecRules rules;
  rules.denied[digest(1)] = "npx";
  rules.allowed[digest(1)] = "system";
  rules.allowed[digest(2)] = "git";
  EXPECT_TRUE(rules.verdict_of(digest(1)).may_run);
  rules.mode = Mode::deny;
  EXPECT_FALSE(rules.verdict_of(digest(1)).may_run);
  EXPECT_EQ(rules.verdict_of(digest(1)).rule, "npx");
  EXPECT_TRUE(rules.verdict_of(digest(2)).may_run);
  EXPECT_TRUE(rules.verdict_of(digest(3)).may_run);
  rules.mode = Mode::allow;
  EXPECT_FALSE(rules.verdict_of(digest(1)).may_run);
  EXPECT_TRUE(rules.verdict_of(digest(2)).may_run);
  EXPECT_FALSE(rules.verdict_of(digest(3)).may_run);
}

}  // namespace
}  // namespace ringwall::identity
