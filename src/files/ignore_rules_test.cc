#include "files/ignore_rules.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/fd.h"

namespace ringwall::files {
namespace {

namespace fs = std::filesystem;

class Ignored : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/ignoredXXXXXX";
    top = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(top); }

  const IgnoreRules::Level* enter(const std::string& folder, const std::string& text) {
    fs::create_directories(top + "/" + folder);
    if (!text.empty()) std::ofstream(top + "/" + folder + "/.gitignore") << text;
    Fd opened(open((top + "/" + folder).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return rules.enter(0, folder, opened.get());
  }
  static bool is_ignored(const IgnoreRules::Level* of, std::string_view path) {
    return IgnoreRules::is_ignored(of, path, EntryKind::file);
  }

  std::string top;
  IgnoreRules rules;
};

TEST_F(Ignored, TheLastLineThatFitsDecides) {
  auto top_rules = enter("", "# a comment\n*.log\n!kept.log\n/only-here\ncache/\r\n\n[\n");
  EXPECT_TRUE(is_ignored(top_rules, "a.log"));
  EXPECT_FALSE(is_ignored(top_rules, "kept.log"));
  EXPECT_TRUE(is_ignored(top_rules, "only-here"));
  EXPECT_FALSE(is_ignored(top_rules, "cache")) << "that is no folder";
  EXPECT_TRUE(IgnoreRules::is_ignored(top_rules, "cache", EntryKind::folder));
  EXPECT_FALSE(is_ignored(top_rules, "a comment"));
}

TEST_F(Ignored, ANestedFileComesBeforeThoseAbove) {
  enter("", "*.log\n*.tmp\n");
  EXPECT_EQ(enter("plain", ""), rules.rules_of(0, ""));
  auto nested = enter("plain/sub", "!*.log\n/mine\n");
  EXPECT_FALSE(is_ignored(nested, "plain/sub/a.log"));
  EXPECT_TRUE(is_ignored(nested, "plain/sub/a.tmp"));
  EXPECT_TRUE(is_ignored(nested, "plain/sub/mine"));
  EXPECT_FALSE(is_ignored(rules.rules_of(0, "plain"), "plain/mine"));
  EXPECT_EQ(rules.rules_of(0, "plain/sub/below"), nested);
  EXPECT_EQ(rules.rules_of(1, "plain/sub"), nullptr) << "another tree";
}

TEST_F(Ignored, ALinkIsNotRead) {
  std::ofstream(top + "/elsewhere") << "*\n";
  fs::create_symlink("elsewhere", top + "/.gitignore");
  EXPECT_EQ(enter("", ""), nullptr);
}

}  // namespace
}  // namespace ringwall::files
