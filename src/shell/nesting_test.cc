#include "shell/nesting.h"

#include <gtest/gtest.h>

namespace ringwall::shell {
namespace {

constexpr size_t kNone = std::string_view::npos;

TEST(Nesting, FindsWhatClosesASubstitution) {
  EXPECT_EQ(end_of_parentheses("$(a b) c", 2), 5U);
  EXPECT_EQ(end_of_parentheses("$(a $(b) c) d", 2), 10U);
  EXPECT_EQ(end_of_parentheses("$(a ')' \")\" \\) b)", 2), 16U);
  EXPECT_EQ(end_of_parentheses("$(a # )\n)", 2), 8U);
  EXPECT_EQ(end_of_parentheses("$(case x in a) b;; esac)", 2), 23U);
  EXPECT_EQ(end_of_parentheses("$(a", 2), kNone);
}

TEST(Nesting, FindsWhatClosesQuotesAndBraces) {
  EXPECT_EQ(end_of_double_quotes("\"a \\\" $(echo \")\") b\" c", 1), 19U);
  EXPECT_EQ(end_of_single_quotes("'a\\' b", 1, false), 3U);
  EXPECT_EQ(end_of_single_quotes("$'a\\' b' c", 2, true), 7U);
  EXPECT_EQ(end_of_single_quotes("'a", 1, false), kNone);
  EXPECT_EQ(end_of_backticks("`a \\` b` c", 1), 7U);
  EXPECT_EQ(end_of_braces("${a:-${b}} c", 2, false), 9U);
  // In double quotes a ' means itself.
  EXPECT_EQ(end_of_braces("${a:-'}'} c", 2, false), 8U);
  EXPECT_EQ(end_of_braces("${a:-'}'} c", 2, true), 6U);
}

TEST(Nesting, TellsArithmeticFromASubshell) {
  EXPECT_TRUE(is_arithmetic("((1 + (2)))", 2));
  EXPECT_FALSE(is_arithmetic("((a); (b))", 2));
  EXPECT_EQ(end_of_arithmetic("$((1 + (2))) x", 3), 10U);
}

TEST(Nesting, FindsHereDocuments) {
  std::string_view text = "cat <<A <<-'B'\na\nA\n\tb $x\n\tB\nc";
  Nesting nesting = nesting_of(text);
  ASSERT_EQ(nesting.documents.size(), 2U);
  const HereDocument &first = nesting.documents[0], &second = nesting.documents[1];
  EXPECT_EQ(text.substr(first.from, first.to - first.from), "a\n");
  EXPECT_FALSE(first.raw);
  EXPECT_EQ(text.substr(second.from, second.to - second.from), "\tb $x\n");
  EXPECT_TRUE(second.raw && second.strips_tabs && second.ended);
  EXPECT_EQ(text.substr(second.end), "c");
}

TEST(Nesting, ADocumentWithoutItsEndIsNotEnded) {
  Nesting nesting = nesting_of("cat <<A\na\nAA\n");
  ASSERT_EQ(nesting.documents.size(), 1U);
  EXPECT_FALSE(nesting.documents[0].ended);
  EXPECT_TRUE(nesting_of("cat <<<A\n").documents.empty());
  EXPECT_TRUE(nesting_of("echo '<<A'\n").documents.empty());
}

TEST(Nesting, SaysWhatIsOpenOrTooDeep) {
  EXPECT_FALSE(nesting_of("echo $(a) \"b\"").open_at_end);
  EXPECT_TRUE(nesting_of("echo $(a").open_at_end);
  EXPECT_TRUE(nesting_of("echo 'a").open_at_end);
  EXPECT_FALSE(nesting_of(std::string(50, '(')).too_deep);
  EXPECT_TRUE(nesting_of(std::string(10000, '(')).too_deep);
}

}  // namespace
}  // namespace ringwall::shell
