#include "files/index.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <algorithm>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/plain_records.h"

namespace ringwall::files {
namespace {

// "a" with "b" and "c" in it, "d", and a note in each folder.
Index small_index() {
  Index index;
  index.clear("rules");
  auto folder = [&](std::string_view name, uint64_t inode) {
    return IndexedFolder{.inode = inode,
                         .ctime = 5,
                         .name = index.add_text(name),
                         .name_length = static_cast<uint16_t>(name.size())};
  };
  auto note = [&](std::string_view name) {
    return Note{.name = index.add_text(name),
                .why_hidden = index.add_text("secret"),
                .name_length = static_cast<uint16_t>(name.size()),
                .type = DT_REG};
  };
  // Not in the order in which they are written.
  index.folders.push_back(folder("b", 3));
  index.folders.push_back(folder("c", 4));
  index.folders.push_back(folder("a", 1));
  index.folders.push_back(folder("d", 2));
  index.folders[0].first_child = 3;
  index.folders[0].children = 2;
  index.folders[3].first_child = 1;
  index.folders[3].children = 2;
  for (IndexedFolder& each : index.folders) {
    each.first_note = static_cast<uint32_t>(index.notes.size());
    each.notes = 1;
    index.notes.push_back(note(".env"));
  }
  return index;
}

std::vector<std::string> paths_of(const Index& index) {
  std::vector<std::string> paths;
  index.visit_folders([&](std::string_view path, const IndexedFolder&) {
    paths.emplace_back(path);
    return true;
  });
  return paths;
}

const std::vector<std::string> kPaths = {"", "a", "a/b", "a/c", "d"};

std::string with_right_checksum(std::string bytes) {
  if (bytes.size() < 16) return bytes;
  uint64_t sum = bytes.size() < 32 ? 0 : records::checksum(std::string_view(bytes).substr(32));
  memcpy(bytes.data() + 8, &sum, sizeof sum);
  return bytes;
}

}  // namespace

TEST(Index, IsTheSameAfterItWasWritten) {
  Index index = small_index();
  EXPECT_EQ(paths_of(index), kPaths);
  Index again = Index::parse(index.serialize());
  EXPECT_EQ(paths_of(again), kPaths);
  EXPECT_EQ(again.key(), "rules");
  EXPECT_FALSE(again.is_changed());
  ASSERT_EQ(again.notes.size(), 5u);
  EXPECT_EQ(again.name_of(again.notes[4]), ".env");
  EXPECT_EQ(again.text_at(again.notes[4].why_hidden), "secret");
  EXPECT_EQ(again.serialize(), index.serialize());
}

TEST(Index, LeavesOutWhatNoFolderRefersTo) {
  Index index = small_index();
  index.folders[0].children = 1;  // without d
  index.pack();
  EXPECT_EQ(paths_of(index), (std::vector<std::string>{"", "a", "a/b", "a/c"}));
  EXPECT_EQ(index.folders.size(), 4u);
  EXPECT_EQ(index.notes.size(), 4u);
}

TEST(Index, IsWrittenToAFileAndRead) {
  std::string pattern = testing::TempDir() + "/iXXXXXX";
  std::string folder = mkdtemp(pattern.data());
  std::string path = folder + "/new/workspace.index";
  ASSERT_TRUE(small_index().write(path));
  ASSERT_TRUE(small_index().write(path));
  EXPECT_EQ(paths_of(Index::read(path)), kPaths);
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder + "/new"))
    files++;
  EXPECT_EQ(files, 1u);  // no temporary name is left
  std::filesystem::remove_all(folder);
}

TEST(Index, OfAFileThatIsNoneKnowsNothing) {
  std::string pattern = testing::TempDir() + "/iXXXXXX";
  std::string folder = mkdtemp(pattern.data());
  std::ofstream(folder + "/empty");
  std::ofstream(folder + "/text") << std::string(1000, 'x');
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  std::ofstream(folder + "/good", std::ios::binary) << small_index().serialize();
  std::filesystem::create_symlink("good", folder + "/link");
  for (const char* name : {"missing", "empty", "text", "pipe", "link", "."}) {
    Index index = Index::read(folder + "/" + name);
    EXPECT_EQ(index.folders.size(), 1u) << name;
    EXPECT_EQ(index.folders[0].ctime, 0) << name;
    EXPECT_EQ(index.key(), "") << name;
  }
  EXPECT_EQ(paths_of(Index::read(folder + "/good")), kPaths);
  std::filesystem::remove_all(folder);
}

TEST(Index, ThatWasCutOffOrDamagedKnowsNothing) {
  std::string good = small_index().serialize();
  for (size_t length = 0; length < good.size(); length++)
    EXPECT_EQ(Index::parse(good.substr(0, length)).key(), "") << length;
  for (size_t at = 0; at < good.size(); at++) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_EQ(Index::parse(bad).key(), "") << at;
  }
}

// The checksum is made right again, so that only the look at each number stands between the bytes
// and those who use them.
TEST(Index, WithWrongNumbersNeverLeadsAstray) {
  std::mt19937 random(4);
  const std::string good = small_index().serialize();
  size_t taken = 0;
  for (int round = 0; round < 20000; round++) {
    std::string bad = good;
    for (auto changes = 1 + random() % 4; changes > 0; changes--) {
      size_t at = 16 + random() % (bad.size() - 16);
      bad[at] = random() % 3 == 0 ? static_cast<char>(random()) : static_cast<char>(random() % 6);
    }
    Index index = Index::parse(with_right_checksum(bad));
    size_t folders = 0;
    index.visit_folders([&](std::string_view path, const IndexedFolder& folder) {
      folders++;
      EXPECT_EQ(path.find(".."), path.npos);
      for (uint32_t i = 0; i < folder.notes; i++) {
        const Note& note = index.notes.at(folder.first_note + i);
        EXPECT_LE(index.name_of(note).size() + index.text_at(note.why_hidden).size() +
                      index.text_at(note.why_protected).size(),
                  3 * good.size());
      }
      return true;
    });
    EXPECT_EQ(folders, index.folders.size());
    if (!index.key().empty()) taken++;
    EXPECT_EQ(Index::parse(index.serialize()).key(), index.key());
  }
  EXPECT_GT(taken, 100u);    // some numbers may be anything
  EXPECT_LT(taken, 19000u);  // most may not
}

TEST(Index, OfRandomBytesKnowsNothing) {
  std::mt19937 random(5);
  std::string head = small_index().serialize().substr(0, 8);
  for (int round = 0; round < 5000; round++) {
    std::string bytes(random() % 400, '\0');
    for (char& byte : bytes)
      byte = static_cast<char>(random());
    Index index = Index::parse(with_right_checksum(round % 2 == 0 ? head + bytes : bytes));
    EXPECT_EQ(index.folders.size(), 1u);
  }
}

TEST(Index, IsVisitedFromLevelToLevel) {
  std::vector<std::string> paths;
  size_t depth = 0;
  small_index().visit_folders_by_level(
      4096, [&](const std::string& path, bool) -> std::optional<bool> {
        size_t below = path.empty() ? 0 : 1 + static_cast<size_t>(std::ranges::count(path, '/'));
        EXPECT_GE(below, depth) << path;
        depth = below;
        paths.push_back(path);
        return false;
      });
  std::vector<std::string> all;
  small_index().visit_folders([&](const std::string& path, const IndexedFolder&) {
    all.push_back(path);
    return true;
  });
  std::ranges::sort(paths);
  std::ranges::sort(all);
  EXPECT_EQ(paths, all);
}

TEST(Index, IsVisitedUntilTold) {
  size_t visited = 0;
  small_index().visit_folders(
      [&](std::string_view, const IndexedFolder&) { return ++visited < 3; });
  EXPECT_EQ(visited, 3u);
}

}  // namespace ringwall::files
