// What a command comes down to, as one line per act: the words with … for gaps, `?` before what is
// not certain.
#include "shell/analysis.h"

#include <gtest/gtest.h>

#include "shell/analysis_testing.h"

namespace ringwall::shell {
namespace {

TEST(Analysis, ReadsQuotesAndEscapes) {
  EXPECT_EQ(acts_of("git push --force origin main"), "git push --force origin main");
  EXPECT_EQ(acts_of("r\"m\" -rf ~; r\\m x; $'\\x72m' y; 'r'm z"),
            "rm -rf /home/me\nrm x\nrm y\nrm z");
}

TEST(Analysis, KnowsVariablesOfTheCommand) {
  EXPECT_EQ(acts_of("X=rm; $X -rf \"$HOME\""), "rm -rf /home/me");
  EXPECT_EQ(acts_of("rm${IFS}-rf${IFS}/"), "rm -rf /");
  EXPECT_EQ(acts_of("a=(rm -rf /); \"${a[@]}\""), "rm -rf /");
}

TEST(Analysis, LooksThroughWrappers) {
  EXPECT_EQ(acts_of("sudo -u root env A=b timeout -k 5 10 nice -n 5 git push"), "git push");
  EXPECT_EQ(acts_of("sh -c 'rm -rf $1' _ ~/x"), "rm -rf /home/me/x");
}

TEST(Analysis, SaysWhatFeedsWhat) {
  Analysis found = analyse("echo cm0= | base64 -d | bash", around());
  ASSERT_EQ(found.acts.size(), 3U);
  EXPECT_EQ(found.acts[2].fed_by, std::vector<size_t>{1});
}

}  // namespace
}  // namespace ringwall::shell
