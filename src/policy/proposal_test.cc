#include "policy/proposal.h"

#include <gtest/gtest.h>

#include "policy/load.h"
#include "policy/merge.h"

namespace ringwall::policy {
namespace {

using Kind = Wish::Kind;

Wish file(const std::string& path, Kind kind = Kind::read, uint64_t times = 1) {
  return {kind, path, false, times, {"tool"}};
}
Wish folder(const std::string& path, Kind kind = Kind::read) {
  return {kind, path, true, 1, {"tool"}};
}
Wish left_out(const std::string& path, const std::string& why) {
  return {Kind::read, path, false, 1, {"tool"}, why};
}

Proposal make(const std::vector<Wish>& wishes) {
  return propose(wishes, {"/home/u", [](const std::string& path, bool) {
                            bool broad = path == "/home/u" || path == "/home" || path == "/etc";
                            return broad ? std::string("too much") : std::string();
                          }});
}

std::vector<std::string> values(const Proposal& proposal) {
  std::vector<std::string> found;
  for (const Proposal::Entry& entry : proposal.entries)
    found.push_back(std::string(entry.key) + " " + entry.value);
  return found;
}

using Lines = std::vector<std::string>;

TEST(Proposal, IsAPolicyFileWithTimesAndPrograms) {
  Proposal proposal = make({{Kind::read, "/home/u/.tool/data", true, 12, {"tool"}},
                            {Kind::write, "/srv/out", true, 1, {"cc", "ld", "as", "make"}},
                            {Kind::cache, "npm", false, 3, {"node"}},
                            {Kind::reach, "pypi.org", false, 2, {}}});
  EXPECT_EQ(proposal.toml(),
            "# Made by: ringwall learn\n"
            "# What a command asked for is not always what it needs: read it before you use it.\n"
            "\n[files]\n"
            "read = [\n"
            "  \"~/.tool/data\",  # 12 times, by tool\n"
            "]\n"
            "write = [\n"
            "  \"/srv/out\",  # 1 time, by as, cc, 2 more\n"
            "]\n"
            "\n[home]\n"
            "caches = [\n"
            "  \"npm\",  # 3 times, by node\n"
            "]\n"
            "\n[network]\n"
            "allow = [\n"
            "  \"pypi.org\",  # 2 times\n"
            "]\n");
  EXPECT_EQ(proposal.flags(), (Lines{"--ro", "~/.tool/data", "--rw", "/srv/out", "--cache", "npm",
                                     "--allow", "pypi.org"}));
}

TEST(Proposal, NothingWantedIsNoFile) {
  EXPECT_EQ(make({}).toml(), "");
  EXPECT_TRUE(make({}).flags().empty());
}

TEST(Proposal, FewFilesStayFilesAndManyBecomeTheirFolder) {
  std::vector<Wish> wishes = {file("/d/t/1"), file("/d/t/2"), file("/d/t/3")};
  EXPECT_EQ(values(make(wishes)),
            (Lines{"files.read /d/t/1", "files.read /d/t/2", "files.read /d/t/3"}));
  wishes.push_back(file("/d/t/4", Kind::read, 5));
  Proposal proposal = make(wishes);
  ASSERT_EQ(values(proposal), Lines{"files.read /d/t"});
  EXPECT_EQ(proposal.entries[0].files, 4u);
  EXPECT_EQ(proposal.entries[0].times, 8u);
}

TEST(Proposal, FoldersBecomeTheirFolderToo) {
  std::vector<Wish> wishes;
  for (const char* sub : {"a", "b", "c", "d"}) {
    for (const char* name : {"1", "2", "3", "4"})
      wishes.push_back(file(std::string("/d/t/") + sub + "/" + name));
  }
  Proposal proposal = make(wishes);
  ASSERT_EQ(values(proposal), Lines{"files.read /d/t"});
  EXPECT_EQ(proposal.entries[0].files, 16u);
}

TEST(Proposal, NeverTheHomeNorTheRootForTheSakeOfManyFiles) {
  std::vector<Wish> wishes;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    wishes.push_back(file(std::string("/home/u/") + name));
    wishes.push_back(file(std::string("/etc/") + name));
    wishes.push_back(file(std::string("/") + name));
  }
  Proposal proposal = make(wishes);
  EXPECT_EQ(proposal.entries.size(), 15u);
  for (const Proposal::Entry& entry : proposal.entries)
    EXPECT_EQ(entry.files, 0u) << entry.value;
}

TEST(Proposal, WhatMustStayOutKeepsItsFolderOut) {
  std::vector<Wish> wishes = {left_out("/d/t/token", "stored login")};
  for (int i = 0; i < 1000; i++)
    wishes.push_back(file("/d/t/harmless" + std::to_string(i), Kind::read, 2));
  wishes.push_back(folder("/d"));
  Proposal proposal = make(wishes);
  for (const std::string& value : values(proposal)) {
    EXPECT_NE(value, "files.read /d/t");
    EXPECT_NE(value, "files.read /d");
    EXPECT_NE(value, "files.read /d/t/token");
  }
  EXPECT_LE(proposal.entries.size(), 100u);
  bool told = false;
  for (const Proposal::LeftOut& left : proposal.left_out) {
    told |= left.what == "/d/t/token" && left.why == "stored login";
    if (left.what != "/d") continue;
    EXPECT_EQ(left.why, "holds /d/t/token");
  }
  EXPECT_TRUE(told);
}

TEST(Proposal, TheOftenWantedStandOutOfAThousand) {
  std::vector<Wish> wishes = {file("/srv/real", Kind::read, 50)};
  for (int i = 0; i < 1000; i++)
    wishes.push_back(file("/d" + std::to_string(i) + "/x/y"));
  Proposal proposal = make(wishes);
  EXPECT_EQ(proposal.entries.size(), kMostProposed);
  EXPECT_EQ(values(proposal).back(), "files.read /srv/real");
  uint64_t left = 0;
  for (const Proposal::LeftOut& entry : proposal.left_out)
    left += entry.times;
  EXPECT_EQ(left, 1001 - kMostProposed);
}

TEST(Proposal, FoldersOnTheWayAreNotWantedThemselves) {
  EXPECT_EQ(values(make({folder("/d", Kind::look), folder("/d/t", Kind::look), file("/d/t/1"),
                         folder("/d.b", Kind::look)})),
            (Lines{"files.read /d.b", "files.read /d/t/1"}));
}

TEST(Proposal, WhatLiesInAFolderComesWithIt) {
  EXPECT_EQ(
      values(make({folder("/d/t"), file("/d/t/1"), file("/d/t.x"), file("/d/t/2", Kind::write)})),
      (Lines{"files.read /d/t", "files.read /d/t.x", "files.write /d/t/2"}));
}

// Found by the fuzz target: a folder lay in itself.
TEST(Proposal, TheRootAndNamesWithSlashesAtTheirEnd) {
  EXPECT_EQ(values(make({folder("/d/+/"), file("/d/+/1"), file("/d//+/./2")})),
            Lines{"files.read /d/+"});
  EXPECT_EQ(values(make({folder("/"), file("/d/1"), folder("/d/")})), Lines{"files.read /"});
}

TEST(Proposal, ManyLeftOutOfOneFolderAreOneLine) {
  std::vector<Wish> wishes;
  for (const char* name : {"a", "b", "c", "d"})
    wishes.push_back(left_out(std::string("/home/u/.ssh/") + name, "keys"));
  Proposal proposal = make(wishes);
  ASSERT_EQ(proposal.left_out.size(), 1u);
  EXPECT_EQ(proposal.left_out[0].what, "/home/u/.ssh");
  EXPECT_EQ(proposal.left_out[0].files, 4u);
  EXPECT_EQ(proposal.toml(), "");
}

// Whatever the names are, the file loads, and holds these names and no others.
TEST(Proposal, HostileNamesStayNames) {
  const std::string kNames[] = {"/d/a\"]\nwrite = [\"/home/u/.ssh", "/d/b\\", "/d/c # x", "/d/\x7f",
                                "/d/\xe2\x80\xae"
                                "evil"};
  for (const std::string& name : kNames) {
    Proposal proposal = make({{Kind::read, name, false, 1, {"x\n]\n[network]\nallow=[\"*\"]"}}});
    LoadedText loaded = load_text(proposal.toml(), Layer::person, "/p.toml", "/home/u");
    ASSERT_TRUE(loaded.diagnostics.empty()) << proposal.toml();
    for (const Setting& setting : loaded.text.settings) {
      EXPECT_EQ(setting.field->key, "files.read");
      EXPECT_EQ(std::get<std::string>(setting.value), name);
    }
    EXPECT_EQ(loaded.text.settings.size(), proposal.entries.size());
    EXPECT_EQ(proposal.entries.size() + proposal.left_out.size(), 1u);
  }
}

TEST(Proposal, NamesThatAreNoTextAreLeftOut) {
  Proposal proposal = make({file("/d/\xff\xfe")});
  EXPECT_TRUE(proposal.entries.empty());
  ASSERT_EQ(proposal.left_out.size(), 1u);
}

}  // namespace
}  // namespace ringwall::policy
