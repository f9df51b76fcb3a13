// Random trees, random work in them through the kernel's overlay: what is read from the layer,
// done to a copy of the tree, must give what was seen inside, and tell nothing that did not change.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "base/text.h"
#include "review/layer_changes.h"
#include "review/overlay_lab.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::EntryType;
namespace fs = std::filesystem;

constexpr int kRounds = 300;
constexpr int kActs = 25;

// Works in the current folder. Acts that cannot be done are part of the game.
class RandomWork {
 public:
  explicit RandomWork(unsigned seed) : random_(seed) {}

  void fill() {
    for (const char* folder : {"a", "b", "c", "a/a", "a/b", "b/a", "b/c", "a/a/b", "b/c/a"})
      mkdir(folder, 0755);
    for (int i = 0; i < 30; i++)
      one_of(5) == 0 ? make_folder() : write();
  }
  void act() {
    switch (one_of(12)) {
      case 0:
        return make_folder();
      case 1:
        return write();
      case 2:
        return (void)truncate(path().c_str(), static_cast<off_t>(one_of(5)));
      case 3:
      case 4:
        return (void)rename(path().c_str(), path().c_str());
      case 5:
        return (void)link(path().c_str(), path().c_str());
      case 6:
        return (void)change_mode();
      case 7:
        return (void)unlink(path().c_str());
      case 8:
        return (void)fs::remove_all(path(), error_);
      case 9:
        return replace();
      case 10:
        return (void)symlink(path().c_str(), path().c_str());
      default:
        return (void)utimensat(AT_FDCWD, path().c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
    }
  }

 private:
  unsigned one_of(unsigned count) { return static_cast<unsigned>(random_() % count); }
  std::string path() {
    std::string out;
    for (unsigned depth = one_of(4); depth > 0; depth--)
      out += std::string(1, static_cast<char>('a' + one_of(3))) + "/";
    return out + static_cast<char>('a' + one_of(5));
  }
  void make_folder() { mkdir(path().c_str(), 0755); }
  void write() { write_text(path(), std::string(one_of(4), static_cast<char>('p' + one_of(3)))); }
  int change_mode() {
    std::string name = path();
    struct stat seen;
    if (lstat(name.c_str(), &seen) < 0 || S_ISLNK(seen.st_mode)) return -1;
    constexpr mode_t kModes[] = {0644, 0755, 0600, 0700};
    return chmod(name.c_str(), kModes[one_of(4)] | (S_ISDIR(seen.st_mode) ? 0700u : 0u));
  }
  void replace() {
    std::string name = path();
    bool is_folder = fs::is_directory(fs::symlink_status(name, error_));
    fs::remove_all(name, error_);
    if (is_folder && one_of(2) == 0) return write_text(name, "was a folder");
    mkdir(name.c_str(), 0755);
    write_text(name + "/a", "was none");
  }

  std::mt19937 random_;
  std::error_code error_;
};

void put(const Change& change, const std::string& from, const std::string& to) {
  if (change.after.type == EntryType::folder) {
    mkdir(to.c_str(), 0755);
  } else if (change.after.type == EntryType::link) {
    unlink(to.c_str());
    fs::create_symlink(fs::read_symlink(from), to);
  } else {
    unlink(to.c_str());
    write_text(to, read_text(from));
  }
  if (change.after.type != EntryType::link) chmod(to.c_str(), change.after.mode);
}

void apply_naively(const changes::Changes& all, const std::string& upper, const std::string& tree) {
  for (auto change = all.rbegin(); change != all.rend(); change++) {
    if (change->before.exists() && change->before.type != change->after.type)
      (void)remove((tree + "/" + change->path).c_str());
  }
  for (const Change& change : all) {
    if (change.after.exists()) put(change, upper + "/" + change.path, tree + "/" + change.path);
  }
}

// No such byte is in what random work writes.
constexpr char kEnd = '\1';

void keep(const Snapshot& snapshot, const std::string& file) {
  std::string text;
  for (const auto& [path, words] : snapshot)
    text += path + kEnd + words + kEnd;
  write_text(file, text);
}

Snapshot kept(const std::string& file) {
  Snapshot snapshot;
  std::vector<std::string> parts = text::split(read_text(file), kEnd);
  for (size_t i = 0; i + 1 < parts.size(); i += 2)
    snapshot[parts[i]] = parts[i + 1];
  return snapshot;
}

std::set<std::string> different(const Snapshot& a, const Snapshot& b) {
  std::set<std::string> paths;
  for (const auto& [path, words] : a)
    if (!b.contains(path) || b.at(path) != words) paths.insert(path);
  for (const auto& [path, words] : b)
    if (!a.contains(path)) paths.insert(path);
  return paths;
}

std::set<std::string> told(const changes::Changes& all, const std::set<std::string>& expected) {
  std::set<std::string> paths;
  for (const Change& change : all) {
    // Names of one file are told though nothing else may have changed, and so are times.
    if (change.is_time_alone && !expected.contains(change.path)) continue;
    if (change.after.links == 1 || change.after.type == EntryType::folder ||
        !change.after.exists() || expected.contains(change.path))
      paths.insert(change.path);
  }
  return paths;
}

void check_round(unsigned seed) {
  OverlayLab lab;
  ASSERT_TRUE(lab.work([&] {
    if (chdir(lab.real().c_str()) < 0) return false;
    RandomWork(seed).fill();
    return true;
  }));
  Snapshot before = snapshot_of(lab.top() + "/real");
  // The view must be looked at while it is mounted: what it looked like is handed out in a file.
  std::string seen = lab.top() + "/seen";
  ASSERT_TRUE(lab.work([&] {
    RandomWork work(seed + 1'000'000);
    for (int i = 0; i < kActs; i++)
      work.act();
    keep(snapshot_of("."), seen);
    return true;
  }));
  Fd upper = lab.open("upper"), real = lab.open("real");
  auto found = read_layer(upper.get(), real.get(), {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->unread.empty());
  Snapshot inside = kept(seen);
  std::set<std::string> expected = different(before, inside);
  EXPECT_EQ(told(found->changes, expected), expected);
  std::string tree = lab.top() + "/real";
  apply_naively(found->changes, lab.top() + "/upper", tree);
  EXPECT_EQ(snapshot_of(tree), inside);
}

TEST(LayerProperty, WhatIsReadGivesWhatWasSeen) {
  for (unsigned seed = 0; seed < kRounds; seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check_round(seed);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace ringwall::review
