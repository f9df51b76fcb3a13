#include "policy/load.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "policy/fields.h"
#include "policy/values.h"

namespace ringwall::policy {
namespace {

std::vector<Diagnostic> load(Policy& policy, std::string_view toml) {
  return load_text(policy, toml, "/etc/p/policy.toml", "/home/u");
}

}  // namespace

TEST(PolicyLoad, ReadsEveryKindOfField) {
  Policy policy;
  auto diagnostics = load(policy, R"(
[files]
read = ["/data", "~/notes", "rel"]
workspace = "/w"
[home]
fresh = true
caches = ["npm"]
[environment]
set = ["A=b=c"]
)");
  ASSERT_TRUE(diagnostics.empty()) << diagnostics[0].what;
  ASSERT_EQ(policy.files.read.size(), 3u);
  EXPECT_EQ(policy.files.read[1].value, "/home/u/notes");
  EXPECT_EQ(policy.files.read[2].value, "/etc/p/rel");
  EXPECT_EQ(policy.files.read[0].origin, "/etc/p/policy.toml:3");
  EXPECT_EQ(policy.files.workspace.value, "/w");
  EXPECT_TRUE(policy.home.fresh.on);
  EXPECT_EQ(policy.environment.set[0].value, "A=b=c");
}

TEST(PolicyLoad, NamePatternsStayAsTheyAre) {
  Policy policy;
  auto diagnostics = load(policy, R"(
[files]
protect = [".tool/", "/ci.sh"]
unprotect = [".vscode/"]
hide = ["*.sql"]
show = ["*"]
)");
  ASSERT_TRUE(diagnostics.empty()) << diagnostics[0].what;
  ASSERT_EQ(policy.files.protect.size(), 2u);
  EXPECT_EQ(policy.files.protect[1].value, "/ci.sh");  // the workspace's top, not the host's
  EXPECT_EQ(policy.files.protect[1].origin, "/etc/p/policy.toml:3");
  EXPECT_EQ(policy.files.unprotect[0].value, ".vscode/");
  EXPECT_EQ(policy.files.hide[0].value, "*.sql");
  EXPECT_EQ(policy.files.show[0].value, "*");
}

TEST(PolicyLoad, WrongNamePatternsSayWhatToWrite) {
  Policy policy;
  auto diagnostics = load(policy, R"([files]
protect = ["**/x", "*"]
hide = ["", "a/../b"]
)");
  ASSERT_EQ(diagnostics.size(), 4u);
  std::string told;
  for (const Diagnostic& d : diagnostics)
    told += d.place + ": " + d.what + " (" + d.hint + ")\n";
  for (const char* part :
       {"policy.toml:2:12: files.protect '**/x' has '**' (leave it out: a name fits at any depth)",
        "files.protect '*' fits every file", "policy.toml:3:9: files.hide '' is empty",
        "files.hide a/../b has a part that is '.' or '..'"})
    EXPECT_NE(told.find(part), std::string::npos) << part << "\n" << told;
}

TEST(PolicyLoad, NumbersStandWithQuotesOrWithout) {
  Policy policy;
  auto diagnostics = load(policy, R"(
[limits]
memory = "4G"
processes = 300
cpu = 1.5
time = 90
workspace_size = "none"
)");
  ASSERT_TRUE(diagnostics.empty()) << diagnostics[0].what;
  EXPECT_EQ(policy.limits.memory.value, 4ull << 30);
  EXPECT_EQ(policy.limits.memory.origin, "/etc/p/policy.toml:3");
  EXPECT_EQ(policy.limits.processes.value, 300u);
  EXPECT_EQ(policy.limits.cpu.value, 1500u);
  EXPECT_EQ(policy.limits.time.value, 90'000u);
  EXPECT_EQ(policy.limits.workspace_size.value, kNoLimit);
}

TEST(PolicyLoad, WrongNumbersAreReportedWithTheirPlace) {
  Policy policy;
  auto diagnostics = load(policy, R"([limits]
memory = "4X"
processes = -3
cpu = true
proceses = 5
)");
  ASSERT_EQ(diagnostics.size(), 4u);
  std::string told;
  for (const Diagnostic& d : diagnostics)
    told += d.place + ": " + d.what + " (" + d.hint + ")\n";
  EXPECT_NE(told.find("policy.toml:2:10: limits.memory 4X must be a size"), std::string::npos)
      << told;
  EXPECT_NE(told.find("policy.toml:3:13: limits.processes -3 must be a whole number"),
            std::string::npos)
      << told;
  EXPECT_NE(told.find("limits.cpu must be a number of processors"), std::string::npos) << told;
  EXPECT_NE(told.find("did you mean limits.processes?"), std::string::npos) << told;
}

TEST(PolicyLoad, UnknownKeysAreErrorsWithASuggestion) {
  Policy policy;
  auto diagnostics = load(policy, "[files]\nraed = [\"/x\"]\n[flies]\nread = []\n");
  ASSERT_EQ(diagnostics.size(), 2u);
  EXPECT_EQ(diagnostics[0].place, "/etc/p/policy.toml:2:1");
  EXPECT_EQ(diagnostics[0].hint, "did you mean files.read?");
  EXPECT_EQ(diagnostics[1].hint, "did you mean files?");
}

TEST(PolicyLoad, EveryMistakeIsReported) {
  Policy policy;
  auto diagnostics = load(policy, R"(
[files]
read = "/x"
[home]
fresh = "yes"
caches = ["nmp"]
keep = ["/abs", "../up"]
name = "a/b"
[environment]
pass = ["A B", 3]
)");
  EXPECT_EQ(diagnostics.size(), 8u);
}

TEST(PolicyLoad, BrokenTomlNamesItsPlace) {
  Policy policy;
  auto diagnostics = load(policy, "[files\n");
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_TRUE(diagnostics[0].place.starts_with("/etc/p/policy.toml:1"));
}

TEST(PolicyLoad, FilesThatOthersCanWriteAreRefused) {
  std::string file = testing::TempDir() + "/policy.toml";
  std::ofstream(file) << "[files]\n";
  chmod(file.c_str(), 0666);
  auto refused = read_policy_file(file, getuid());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("written by others"), std::string::npos);
  chmod(file.c_str(), 0644);
  EXPECT_TRUE(read_policy_file(file, getuid()));
  EXPECT_FALSE(read_policy_file(testing::TempDir(), getuid()));
}

TEST(PolicyFields, KeysAndFlagsAreUnique) {
  std::vector<std::string_view> seen;
  for (const Field& field : fields()) {
    for (std::string_view other : seen) {
      EXPECT_NE(other, field.key);
      EXPECT_NE(other, field.flag);
    }
    seen.push_back(field.key);
    seen.push_back(field.flag);
  }
}

TEST(PolicyFields, OnlyWhatTakesAWallAwayWidens) {
  EXPECT_FALSE(field_by_key("files.protect")->widens);
  EXPECT_TRUE(field_by_key("files.unprotect")->widens);
  EXPECT_FALSE(field_by_key("files.hide")->widens);
  EXPECT_TRUE(field_by_key("files.show")->widens);
}

TEST(PolicyValues, SingleValuesReplaceListsGrow) {
  Policy policy;
  Source source{"--x", "/cwd", "/home/u"};
  const Field& name = *field_by_key("run.name");
  ASSERT_TRUE(put_text(policy, name, "one", source));
  ASSERT_TRUE(put_text(policy, name, "two", source));
  EXPECT_EQ(policy.run.name.value, "two");
  const Field& read = *field_by_key("files.read");
  ASSERT_TRUE(put_text(policy, read, "a", source));
  ASSERT_TRUE(put_text(policy, read, "b", source));
  EXPECT_EQ(policy.files.read.size(), 2u);
  EXPECT_FALSE(put_text(policy, name, "../x", source));
  EXPECT_FALSE(put_text(policy, read, "", source));
}

}  // namespace ringwall::policy
