#include "undo/manifest.h"

#include <algorithm>

#include "undo/outcome.h"
#include "undo/undo_testing.h"

namespace ringwall::undo {
namespace {

using changes::EntryType;

SavedEntry entry(std::string path, EntryType type, Kept kept) {
  SavedEntry made;
  made.path = std::move(path);
  made.type = type;
  made.kept = kept;
  made.mode = 0640;
  made.uid = 1000;
  made.gid = 4'000'000'000;
  made.inode = UINT64_MAX;
  made.size = 12;
  made.modified = -5;
  made.changed = INT64_MAX;
  return made;
}

Manifest example() {
  Manifest manifest;
  ManifestTree& tree = manifest.trees.emplace_back();
  tree = {"/home/me/pro\nject", 7, 8, 9, false, {}};
  tree.entries.push_back(entry("a", EntryType::folder, Kept::none));
  tree.entries.push_back(entry("a/b", EntryType::folder, Kept::attributes));
  tree.entries.back().attributes = {{"user.x", ""}, {"user.y", "\xff\n"}};
  tree.entries.push_back(entry("a/link", EntryType::link, Kept::link));
  tree.entries.back().link = "../\xfe";
  tree.entries.push_back(entry("a/\xff\x1b[31m\n", EntryType::file, Kept::content));
  tree.entries.back().digest.bytes[31] = 5;
  tree.entries.back().attributes = {{"user.x", std::string("\0y", 2)}};
  tree.entries.push_back(entry("big", EntryType::file, Kept::beyond));
  manifest.trees.push_back({"/second", 1, 2, 3, true, {}});
  return manifest;
}

TEST(Manifests, ComeBackAsTheyWere) {
  auto parsed = parse_manifest(encode(example()));
  ASSERT_TRUE(parsed) << parsed.error().text();
  EXPECT_EQ(*parsed, example());
  EXPECT_EQ(find_entry(parsed->trees[0], "a/link")->link, "../\xfe");
  EXPECT_EQ(find_entry(parsed->trees[0], "a/lin"), nullptr);
}

TEST(Manifests, ThatAreDamagedAreErrors) {
  std::string bytes = encode(example());
  for (size_t i = 0; i < bytes.size(); i++) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
    EXPECT_FALSE(parse_manifest(damaged)) << i;
    EXPECT_FALSE(parse_manifest(std::string_view(bytes).substr(0, i))) << i;
  }
  EXPECT_FALSE(parse_manifest(bytes + "x"));
}

TEST(Manifests, HaveFoldersBeforeWhatLiesInThem) {
  std::vector<std::string> paths = {"a", "a/b", "a/b/c", "a-b", "a.c", "ab"};
  for (size_t i = 0; i + 1 < paths.size(); i++)
    EXPECT_TRUE(lies_before(paths[i], paths[i + 1])) << paths[i];
  EXPECT_FALSE(lies_before("a", "a"));
}

TEST(Outcomes, ComeBackAsTheyWereOrAreErrors) {
  Outcome outcome{77, true, {1, 2}, {3, 4}, true};
  outcome.unkept = 3;
  outcome.touched.push_back({1, Touched::Kind::deleted, {}, true, true});
  outcome.touched.back().after.path = "x\n";
  SavedEntry folder = entry("y", EntryType::folder, Kept::attributes);
  folder.attributes = {{"user.x", "y"}};
  outcome.touched.push_back({0, Touched::Kind::changed, folder});
  outcome.indexes.push_back({1, ".git/index", Digest{}});
  std::string bytes = encode(outcome);
  auto parsed = parse_outcome(bytes);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*parsed, outcome);
  for (size_t i = 0; i < bytes.size(); i++)
    EXPECT_FALSE(parse_outcome(std::string_view(bytes).substr(0, i)));
  outcome.starts.pop_back();
  EXPECT_FALSE(parse_outcome(encode(outcome))) << "clocks of other trees";
  outcome.starts.clear();
  EXPECT_TRUE(parse_outcome(encode(outcome)));
  outcome.clocks.pop_back();
  EXPECT_FALSE(parse_outcome(encode(outcome))) << "an entry of a tree that there is not";
}

class Looks : public UndoPlace {};

TEST_F(Looks, FindEverythingInOrder) {
  ASSERT_EQ(mkdir((tree_ + "/a").c_str(), 0700), 0);
  ASSERT_EQ(mkdir((tree_ + "/node_modules").c_str(), 0700), 0);
  write("node_modules/package", "not kept");
  write("a/\xff", "1");
  write("a-b", "22");
  ASSERT_EQ(symlink("nowhere", (tree_ + "/link").c_str()), 0);
  ASSERT_EQ(mkfifo((tree_ + "/fifo").c_str(), 0600), 0);
  Manifest manifest = snapshot();
  std::vector<std::string> paths;
  for (const SavedEntry& one : manifest.trees[0].entries)
    paths.push_back(one.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"a", "a/\xff", "a-b", "fifo", "link"}));
  EXPECT_EQ(find_entry(manifest.trees[0], "link")->link, "nowhere");
  EXPECT_TRUE(find_entry(manifest.trees[0], "fifo")->can_be_put_back());
  EXPECT_EQ(find_entry(manifest.trees[0], "a/\xff")->kept, Kept::content);
}

TEST_F(Looks, TellWhatWasDoneInBetween) {
  for (const char* name : {"same", "changed", "deleted", "moved"})
    write(name, name);
  ASSERT_EQ(mkdir((tree_ + "/folder").c_str(), 0700), 0);  // folders are not counted
  write("folder/file", "");
  Manifest before = snapshot();
  pass_time();
  write("changed", "CHANGED");
  ASSERT_EQ(unlink((tree_ + "/folder/file").c_str()), 0);
  ASSERT_EQ(rmdir((tree_ + "/folder").c_str()), 0);
  ASSERT_EQ(unlink((tree_ + "/deleted").c_str()), 0);
  ASSERT_EQ(rename((tree_ + "/moved").c_str(), (tree_ + "/to").c_str()), 0);
  write("new", "123");
  Manifest after = snapshot();
  std::vector<Touched> touched;
  compare(before.trees[0], after.trees[0].entries, 0, touched);
  EXPECT_EQ(count(touched), (Counts{1, 1, 2, 1, 10}));
  touched.clear();
  compare(after.trees[0], after.trees[0].entries, 0, touched);
  EXPECT_TRUE(touched.empty());
}

}  // namespace
}  // namespace ringwall::undo
