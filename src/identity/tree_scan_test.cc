#include "identity/tree_scan.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/fd.h"

namespace ringwall::identity {
namespace {

class TreeScan : public testing::Test {
 protected:
  TreeScan() {
    char name[] = "/tmp/treescanXXXXXX";
    top = mkdtemp(name);
  }
  ~TreeScan() override { std::filesystem::remove_all(top); }

  void put(const std::string& name, const std::string& text, mode_t mode) {
    std::filesystem::create_directories((top / name).parent_path());
    std::ofstream(top / name) << text;
    chmod((top / name).c_str(), mode);
  }

  ScanResult scan(Look look = Look::whole) {
    Fd fd(open(top.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    auto result = scan_tree(fd.get(), index, look);
    EXPECT_TRUE(result) << result.error().text();
    return result ? *result : ScanResult();
  }

  void examine(const SizeFilter& filter) {
    Fd fd(open(top.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    EXPECT_TRUE(examine_sizes(fd.get(), index, filter));
  }

  // In a file of its own, as between runs.
  std::string keep(const std::string& bytes) {
    put("kept", bytes, 0600);
    return top / "kept";
  }

  std::set<std::string> found() const {
    std::set<std::string> names;
    index.visit_folders([&](const std::string& path, const ListedFolder& folder) {
      for (uint32_t i = 0; i < folder.entries; i++) {
        std::string name(index.name_of(index.files[folder.first_entry + i]));
        names.insert(path.empty() ? name : path + "/" + name);
      }
      return true;
    });
    return names;
  }

  std::filesystem::path top;
  TreeIndex index;
};

TEST_F(TreeScan, FindsProgramsAndLinksAndNothingElse) {
  put("a/tool", "#!/bin/sh\n", 0755);
  put("a/data", "#!/bin/sh\n", 0644);
  put("b/c/x", "x", 0711);
  mkfifo((top / "fifo").c_str(), 0755);
  std::filesystem::create_symlink("a/tool", top / "link");
  scan();
  EXPECT_EQ(found(), (std::set<std::string>{"a/tool", "b/c/x", "link"}));
  // By its size: it may be what is denied.
  SizeFilter filter;
  filter.add(10);
  examine(filter);
  EXPECT_EQ(found(), (std::set<std::string>{"a/tool", "a/data", "b/c/x", "link"}));
}

TEST_F(TreeScan, SurvivesBeingWrittenAndRead) {
  for (int i = 0; i < 50; i++)
    put("d" + std::to_string(i) + "/e/f", "#!/bin/sh\n" + std::to_string(i), i % 2 ? 0755 : 0644);
  scan();
  std::string bytes = index.serialize();
  std::set<std::string> before = found();
  index = TreeIndex::read(keep(bytes));
  EXPECT_FALSE(index.is_damaged());
  EXPECT_EQ(found(), before);
  EXPECT_EQ(before.size(), 25u);
  for (size_t at = 0; at < bytes.size(); at += 97) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    EXPECT_TRUE(TreeIndex::read(keep(changed)).is_damaged()) << at;
  }
  EXPECT_TRUE(TreeIndex::read(keep(bytes.substr(0, bytes.size() - 1))).is_damaged());
  EXPECT_TRUE(TreeIndex::read(keep(bytes + "x")).is_damaged());
  EXPECT_TRUE(TreeIndex::read(keep("")).is_damaged());
  EXPECT_FALSE(TreeIndex::read(top / "missing").is_damaged());
}

TEST_F(TreeScan, SeesWhatIsChangedInPlace) {
  // More than a small tree, which is always read whole.
  for (int i = 0; i < 400; i++)
    put("d" + std::to_string(i) + "/f", "x", 0644);
  put("d1/tool", "#!/bin/sh\n", 0755);
  scan();
  usleep(60'000);  // until times have settled
  scan();
  EXPECT_EQ(scan().listed, 0u);
  put("d1/tool", "#!/bin/sh\n# more\n", 0755);
  EXPECT_EQ(scan().listed, 1u);
  put("d2/new", "#!/bin/sh\n", 0755);
  scan();
  EXPECT_TRUE(found().contains("d2/new"));
  std::filesystem::remove_all(top / "d2");
  scan();
  EXPECT_FALSE(found().contains("d2/new"));
}

TEST_F(TreeScan, FolderOfOnesOwnThatIsClosedIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "no permission stops root";
  put("closed/tool", "#!/bin/sh\n", 0755);
  chmod((top / "closed").c_str(), 0);
  Fd fd(open(top.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  auto result = scan_tree(fd.get(), index, Look::whole);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().hint.find("chmod"), std::string::npos);
  chmod((top / "closed").c_str(), 0755);
}

}  // namespace
}  // namespace ringwall::identity
