// What a scan says while others change the tree, and after any changes between two scans.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <thread>

#include "base/fd.h"
#include "base/plain_records.h"
#include "files/scan_testing.h"

namespace ringwall::files {
namespace {

namespace fs = std::filesystem;
using Kind = Found::Kind;

using ChangingTree = ScannedTree;

std::set<std::string> folders_of(const Index& index) {
  std::set<std::string> paths;
  index.visit_folders([&](std::string_view path, const IndexedFolder&) {
    EXPECT_TRUE(paths.emplace(path).second) << path << " comes twice";
    return true;
  });
  return paths;
}

// Random changes of every kind that matters, to a tree of some dozens of folders.
class Changes {
 public:
  Changes(std::string tree, unsigned seed) : tree_(std::move(tree)), random_(seed) {}

  void make_one() {
    std::error_code ignored;
    switch (random_() % 12) {
      case 0:
      case 1:
        return (void)fs::create_directory(any_path(), ignored);
      case 2:
        return (void)fs::remove_all(any_path(), ignored);
      case 3:
        return fs::rename(any_path(), any_path(), ignored);
      case 4:
        return (void)renameat2(AT_FDCWD, any_path().c_str(), AT_FDCWD, any_path().c_str(),
                               RENAME_EXCHANGE);
      case 5:
        return fs::create_symlink(any_name(), any_path(), ignored);
      case 6:
        return fs::create_hard_link(any_path(), any_path(), ignored);
      case 7:
        return (void)mknod(any_path().c_str(), S_IFSOCK | 0600, 0);
      case 8:
        return keep_times(any_path());
      default:
        return write(any_path());
    }
  }

 private:
  std::string any_name() {
    static const char* const kNames[] = {
        "a",         "b",    "c",     "objects", "refs",          "HEAD",         "config",
        "hooks",     ".git", ".env",  "key.pem", ".mcp.json",     ".vscode",      "modules",
        "commondir", "info", "plain", ".claude", "settings.json", "node_modules", "worktrees"};
    return kNames[random_() % std::size(kNames)];
  }

  std::string any_path() {
    std::string path = tree_;
    for (auto depth = random_() % 4; depth > 0; depth--) {
      std::vector<std::string> folders;
      std::error_code ignored;
      for (const auto& entry : fs::directory_iterator(path, ignored)) {
        if (entry.symlink_status(ignored).type() == fs::file_type::directory)
          folders.push_back(entry.path());
      }
      if (folders.empty()) break;
      std::sort(folders.begin(), folders.end());
      path = folders[random_() % folders.size()];
    }
    return path + "/" + any_name();
  }

  // In place, if it is there; of one length, so that only times and content differ.
  void write(const std::string& path) {
    Fd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    std::string word = random_() % 2 == 0 ? "PRIVATE KEY" : "CERTIFICATE";
    std::string text = "-----BEGIN " + word + "-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n";
    text += "-----END " + word + "-----\n";
    if (fd) (void)!::write(fd.get(), text.data(), text.size());
  }

  // Hides a change as well as a program can.
  void keep_times(const std::string& path) {
    struct stat before;
    std::string folder = fs::path(path).parent_path();
    if (stat(folder.c_str(), &before) != 0) return;
    write(path);
    timespec times[] = {before.st_atim, before.st_mtim};
    utimensat(AT_FDCWD, folder.c_str(), times, 0);
  }

  std::string tree_;
  std::mt19937 random_;
};

}  // namespace

TEST_F(ChangingTree, GivesTheSameWithAndWithoutAnIndex) {
  Changes changes(tree, 7);
  Index kept;
  size_t found = 0, saved = 0;
  for (int round = 0; round < 250; round++) {
    for (int i = 0; i < (round < 10 ? 40 : 4); i++)
      changes.make_one();
    // Sometimes what was seen has time to settle, sometimes changes come at once.
    if (round % 5 == 0) usleep(30'000);
    if (round % 3 == 0) kept = Index::parse(kept.serialize());
    Index fresh;
    auto warm = scan_with(kept);
    auto cold = scan_with(fresh);
    ASSERT_TRUE(warm && cold);
    ASSERT_EQ(warm->found, cold->found) << "round " << round;
    ASSERT_EQ(folders_of(kept), folders_of(fresh)) << "round " << round;
    ASSERT_EQ(warm->folders, cold->folders);
    found += cold->found.size();
    if (warm->read_again < cold->read_again) saved++;
  }
  EXPECT_GT(found, 2000u);
  EXPECT_GT(saved, 60u);  // else the index was not tried
}

TEST_F(ChangingTree, NeverLooksThroughALinkThatTakesAFoldersPlace) {
  fs::create_directories(top + "/outside/deep");
  std::ofstream(top + "/outside/deep/.env") << "x";
  std::ofstream(top + "/outside/deep/.mcp.json") << "x";
  fs::create_directory_symlink(top + "/outside", top + "/link");
  for (int i = 0; i < 50; i++)
    fs::create_directories(at("d" + std::to_string(i) + "/deep"));
  std::atomic<bool> stop = false;
  std::jthread swapper([&] {
    for (unsigned i = 0; !stop; i++) {
      std::string folder = at("d" + std::to_string(i % 50));
      renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, (top + "/link").c_str(), RENAME_EXCHANGE);
      renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, (top + "/link").c_str(), RENAME_EXCHANGE);
    }
  });
  Index kept;
  size_t finished = 0;
  for (int round = 0; round < 150; round++) {
    Index fresh;
    auto result = scan_with(round % 2 == 0 ? kept : fresh);
    if (!result) {
      EXPECT_EQ(result.error().err, 0) << result.error().text();  // "is changing"
      continue;
    }
    finished++;
    for (const Found& found : result->found)
      EXPECT_EQ(found.kind, Found::Kind::leads_away) << found.path;  // the link itself
  }
  stop = true;
  RecordProperty("finished", static_cast<int>(finished));
}

// Moved in the middle of a scan, from where it has not been to where it has been, or back.
TEST_F(ChangingTree, FindsWhatMovesMeanwhile) {
  for (int i = 0; i < 100; i++)
    fs::create_directories(at("d" + std::to_string(i) + "/sub"));
  fs::create_directories(at("d0/moving/sub"));
  std::ofstream(at("d0/moving/sub/.env")) << "x";
  std::mt19937 random(9);
  Index kept;
  std::string place = at("d0/moving");
  for (int round = 0; round < 150; round++) {
    auto pause = static_cast<useconds_t>(random() % 1500);
    std::string next = at("d" + std::to_string(random() % 100) + "/moving");
    std::jthread mover([&] {
      usleep(pause);
      rename(place.c_str(), next.c_str());
    });
    Index fresh;
    auto result = scan_with(round % 2 == 0 ? kept : fresh);
    mover.join();
    place = next;
    ASSERT_TRUE(result) << result.error().text();
    ASSERT_GE(result->found.size(), 1u) << "round " << round;
  }
}

// A damaged index can at worst say something wrong; here its checksum is right.
TEST_F(ChangingTree, IsScannedWithAnyIndex) {
  for (int i = 0; i < 5; i++) {
    fs::create_directories(at("d" + std::to_string(i) + "/deep"));
    std::ofstream(at("d" + std::to_string(i) + "/deep/.env")) << "x";
  }
  usleep(30'000);
  Index good;
  ASSERT_TRUE(scan_with(good));
  const std::string bytes = good.serialize();
  std::mt19937 random(11);
  size_t taken = 0;
  for (int round = 0; round < 3000; round++) {
    std::string bad = bytes;
    for (auto changes = 1 + random() % 3; changes > 0; changes--)
      bad[16 + random() % (bad.size() - 16)] = static_cast<char>(random() % 8);
    uint64_t sum = records::checksum(std::string_view(bad).substr(32));
    memcpy(bad.data() + 8, &sum, sizeof sum);
    Index index = Index::parse(bad);
    if (!index.is_changed()) taken++;
    auto result = scan_with(index);
    EXPECT_LE(result ? result->folders : 0, 11u);
    size_t folders = 0;
    index.visit_folders([&](std::string_view, const IndexedFolder&) { return ++folders < 100; });
    EXPECT_LE(folders, 11u);
  }
  EXPECT_GT(taken, 100u);
}

}  // namespace ringwall::files
