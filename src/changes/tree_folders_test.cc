#include "changes/tree_folders.h"

#include "changes/changes_testing.h"
#include "changes/transaction.h"

namespace ringwall::changes {
namespace {

// Far beyond what the kernel takes as one path.
constexpr size_t kDeep = 10'000;

std::string make_deep(int top) {
  std::string path;
  Fd at(openat(top, ".", O_RDONLY | O_DIRECTORY));
  for (size_t depth = 0; depth < kDeep; depth++) {
    EXPECT_EQ(mkdirat(at.get(), "d", 0700), 0);
    at = Fd(openat(at.get(), "d", O_RDONLY | O_DIRECTORY));
    path += "d/";
  }
  Fd file(openat(at.get(), "file", O_WRONLY | O_CREAT, 0600));
  EXPECT_EQ(write(file.get(), "deep", 4), 4);
  return path + "file";
}

TEST(TreeFolders, TakesPlainPathsAlone) {
  for (const char* good : {"a", "a/b", "...", ".a", "a b\n"})
    EXPECT_TRUE(is_plain_path(good)) << good;
  for (const char* bad : {"", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b"})
    EXPECT_FALSE(is_plain_path(bad)) << bad;
  EXPECT_FALSE(is_plain_path(std::string_view("a\0b", 3)));
}

TEST(TreeFolders, FindsTheSameWhateverCameBefore) {
  TemporaryFolder top;
  write_text(top.path() + "/a/b/c/x", "1");
  write_text(top.path() + "/a/bb/x", "2");
  write_text(top.path() + "/x", "3");
  Fd tree = open_folder(top.path());
  TreeFolders folders(tree.get());
  for (int round = 0; round < 2; round++) {
    for (const char* path : {"a/b/c/x", "a/bb/x", "x", "a/b/c", "a/b/c/x", "a/b", "a/bb/x"}) {
      auto found = folders.find(path);
      ASSERT_TRUE(found) << path;
      struct stat one, other;
      ASSERT_EQ(fstatat(found->folder, found->name, &one, 0), 0);
      ASSERT_EQ(stat((top.path() + "/" + path).c_str(), &other), 0);
      EXPECT_EQ(one.st_ino, other.st_ino) << path;
    }
    EXPECT_EQ(folders.find("a/none/x").error().err, ENOENT);
    EXPECT_EQ(folders.find("a/bb/x/y").error().err, ENOTDIR);
  }
}

TEST(TreeFolders, TenThousandDeepAreReadPutAndTakenAway) {
  TemporaryFolder top("/dev/shm");
  for (const char* folder : {"/tree", "/source", "/journal"})
    ASSERT_EQ(mkdir((top.path() + folder).c_str(), 0700), 0);
  Fd tree = open_folder(top.path() + "/tree"), source = open_folder(top.path() + "/source"),
     journal = open_folder(top.path() + "/journal");
  std::string deep = make_deep(source.get());
  std::vector<Step> steps;
  for (size_t end = 1; end < deep.size(); end += 2) {
    Step step;
    step.path = deep.substr(0, end);
    step.wanted = EntryType::folder;
    step.mode = 0700;
    steps.push_back(std::move(step));
    if (end == 2 * kDeep - 1) break;
  }
  Step file;
  file.path = deep;
  file.wanted = EntryType::file;
  file.mode = 0600;
  file.source_folder = source.get();
  file.source = deep;
  steps.push_back(file);
  auto report = put_in_place(tree.get(), journal.get(), steps);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_TRUE(is_whole(*report));
  TreeFolders folders(tree.get());
  auto found = folders.find(deep);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(faccessat(found->folder, "file", F_OK, 0), 0);
}

}  // namespace
}  // namespace ringwall::changes
