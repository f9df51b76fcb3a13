#include "policy/load.h"

#include <gtest/gtest.h>

#include "policy/fields.h"
#include "policy/reference.h"
#include "policy/values.h"

namespace ringwall::policy {
namespace {

std::vector<Diagnostic> load(Policy& policy, std::string_view toml, Layer layer = Layer::person) {
  LoadedText loaded = load_text(toml, layer, "/etc/p/policy.toml", "/home/u");
  for (const Setting& setting : loaded.text.settings)
    put(policy, setting);
  return loaded.diagnostics;
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
  EXPECT_EQ(policy.files.read[0].origin.text(), "/etc/p/policy.toml:3");
  EXPECT_EQ(policy.files.workspace.value, "/w");
  EXPECT_TRUE(policy.home.fresh.on);
  EXPECT_EQ(policy.environment.set[0].value, "A=b=c");
}

// A check of the file alone finds what a run would refuse.
TEST(PolicyLoad, VariablesThatInjectCodeAreMistakesWhereTheyAreWritten) {
  Policy policy;
  auto diagnostics = load(policy, R"([environment]
pass = ["CI", "LD_PRELOAD", "HOME"]
set = ["GIT_DIR=hunter2", "HTTPS_PROXY=x", "GIT_AUTHOR_NAME=a"]
)");
  ASSERT_EQ(diagnostics.size(), 3u);
  EXPECT_EQ(diagnostics[0].line, 2u);
  EXPECT_EQ(diagnostics[0].what,
            "environment.pass LD_PRELOAD is never given to a run: the loader loads code by it");
  EXPECT_EQ(diagnostics[1].what, "environment.pass HOME is never passed on: Ringwall sets it");
  EXPECT_NE(diagnostics[1].hint.find("--set HOME="), std::string::npos);
  EXPECT_EQ(diagnostics[2].line, 3u);
  EXPECT_EQ(diagnostics[2].what.find("hunter2"), std::string::npos);
  EXPECT_NE(diagnostics[2].what.find("environment.set GIT_DIR is never given"), std::string::npos);
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
  EXPECT_EQ(policy.files.protect[1].origin.text(), "/etc/p/policy.toml:3");
  EXPECT_EQ(policy.files.unprotect[0].value, ".vscode/");
  EXPECT_EQ(policy.files.hide[0].value, "*.sql");
  EXPECT_EQ(policy.files.show[0].value, "*");
}

TEST(PolicyLoad, WrongNamePatternsSayWhatToWrite) {
  Policy policy;
  auto diagnostics = load(policy, R"([files]
protect = ["!x", "*", "/home/u/x"]
hide = ["", "a/../b"]
)");
  ASSERT_EQ(diagnostics.size(), 5u);
  std::string told;
  for (const Diagnostic& d : diagnostics)
    told += d.place + ": " + d.what + " (" + d.hint + ")\n";
  for (const char* part :
       {"policy.toml:2:12: files.protect '!x' starts with '!' (exceptions are files.show",
        "files.protect /home/u/x is a path of the host (a leading '/' is the workspace's top",
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
  EXPECT_EQ(policy.limits.memory.origin.text(), "/etc/p/policy.toml:3");
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

TEST(PolicyLoad, AValueKnowsWhereItStands) {
  LoadedText loaded =
      load_text("[files]\nread = [\n  \"/x\"\n]\n", Layer::person, "/p.toml", "/home/u");
  ASSERT_EQ(loaded.text.settings.size(), 1u);
  const Origin& origin = loaded.text.settings[0].origin;
  EXPECT_EQ(origin.layer, Layer::person);
  EXPECT_EQ(origin.text(), "/p.toml:3");
  EXPECT_EQ(origin.column, 3u);
}

TEST(PolicyLoad, OnlyTheOrganisationLocks) {
  const char* text = "lock = [\"files.read\", \"files.raed\", 3]\n";
  LoadedText loaded = load_text(text, Layer::organisation, "/o.toml", "/home/u");
  ASSERT_EQ(loaded.diagnostics.size(), 2u);
  EXPECT_EQ(loaded.diagnostics[0].hint, "did you mean files.read?");
  ASSERT_EQ(loaded.text.locks.size(), 1u);
  EXPECT_EQ(loaded.text.locks[0].origin.text(), "/o.toml:1");
  for (Layer layer : {Layer::profile, Layer::person, Layer::workspace}) {
    LoadedText other = load_text("lock = []\n", layer, "/p.toml", "/home/u");
    ASSERT_EQ(other.diagnostics.size(), 1u);
    EXPECT_NE(other.diagnostics[0].what.find("organisation"), std::string::npos);
  }
}

TEST(PolicyLoad, ListsHaveAnEnd) {
  std::string entries;
  for (int i = 0; i < 2001; i++)
    entries += "\"x" + std::to_string(i) + "\",";
  Policy policy;
  auto diagnostics = load(policy, "[files]\nhide = [" + entries + "]\n");
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_NE(diagnostics[0].what.find("2001 entries"), std::string::npos);
  // The page says the same number.
  EXPECT_NE(reference_page().find("At most 2000 entries in one list"), std::string::npos);
  EXPECT_TRUE(policy.files.hide.empty());
}

TEST(PolicyLoad, HostileTextsCostLittle) {
  std::string deep = "a";
  for (int i = 0; i < 400'000; i++)
    deep += ".a";
  std::string many = "[files]\n";
  for (int i = 0; i < 90'000; i++)
    many += "a" + std::to_string(i) + "=1\n";
  for (const std::string& text :
       {deep + " = 1\n", "[" + deep + "]\n", "x = {" + deep + " = 1}\n", many,
        "#\xe2\x80\xa8" + deep + " = 1\n", std::string("x = \"\"\"\n\"\"\"\n"), "#\r" + deep + "=1",
        "'a'.\"\\\".\"." + deep + " = 1\n"}) {
    Policy policy;
    auto diagnostics = load(policy, text);
    ASSERT_FALSE(diagnostics.empty()) << text.substr(0, 30);
    EXPECT_LE(diagnostics.size(), 100u);
    EXPECT_GT(diagnostics[0].line, 0u);
  }
  // The twin: dots in strings and comments are nobody's business.
  Policy policy;
  EXPECT_TRUE(load(policy,
                   "[files] # a.b.c.d.e.f.g.h.i.j.k\nread = [\"/a.b.c.d.e.f.g.h.i.j\", "
                   "'/a.b.c.d.e.f.g.h.i.j']\nhide = [\"\"\n,\"x\"]\n")
                  .size() == 1);  // the empty one
}

TEST(PolicyLoad, TextsAsPeopleSaveThem) {
  Policy policy;
  EXPECT_TRUE(load(policy, "\xef\xbb\xbf[home]\r\nfresh = true\r\n").empty());
  EXPECT_TRUE(policy.home.fresh.on);
  EXPECT_TRUE(load(policy, "").empty());
  std::string nul("[home]\nname = \"a\0b\"\n", 20);
  for (const std::string& text :
       {nul, std::string("[home]\nfresh = true\nfresh = true\n"), std::string("[home]\n[home]\n"),
        std::string("[files]\nread = ") + std::string(5000, '['),
        std::string("\xff\xfe[\x00f\x00", 6), std::string("a.") + std::string(100'000, 'a')}) {
    Policy other;
    auto diagnostics = load(other, text);
    ASSERT_FALSE(diagnostics.empty()) << text.substr(0, 30);
    EXPECT_GT(diagnostics[0].line, 0u) << text.substr(0, 30);
  }
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
  Source source{{Layer::command_line, "--x"}, "/cwd", "/home/u"};
  const Field& name = *field_by_key("run.name");
  put(policy, *check_text(name, "one", source));
  put(policy, *check_text(name, "two", source));
  EXPECT_EQ(policy.run.name.value, "two");
  EXPECT_EQ(policy.run.name.origin.text(), "--x");
  const Field& read = *field_by_key("files.read");
  put(policy, *check_text(read, "a", source));
  put(policy, *check_text(read, "b", source));
  EXPECT_EQ(policy.files.read.size(), 2u);
  EXPECT_FALSE(check_text(name, "../x", source));
  EXPECT_FALSE(check_text(read, "", source));
}

TEST(PolicyValues, ASlashAtTheEndSaysThatItIsAFolder) {
  Source source{{Layer::command_line, "--x"}, "/cwd", "/home/u"};
  auto written = [&](const Field& field, const char* value) {
    return std::get<std::string>(check_text(field, value, source)->value);
  };
  for (const char* key : {"home.copy", "home.forget"}) {
    const Field& field = *field_by_key(key);
    EXPECT_EQ(written(field, "~/.ag//rules.d//"), ".ag/rules.d/") << key;
    EXPECT_EQ(written(field, ".ag/settings.json"), ".ag/settings.json") << key;
    EXPECT_FALSE(check_text(field, ".ag/../", source)) << key;
  }
  EXPECT_EQ(written(*field_by_key("home.keep"), ".ag/rules.d/"), ".ag/rules.d");
}

}  // namespace ringwall::policy
