// Random trees, random work in them through the kernel's overlay, applied in random parts: in the
// end the real tree is what was seen inside.
#include <random>
#include <set>

#include "review/apply_lab.h"

namespace ringwall::review {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kRounds = 150;
constexpr int kActs = 30;

// Acts that cannot be done are part of the game.
class RandomWork {
 public:
  RandomWork(const std::string& top, unsigned seed) : top_(top), random_(seed) {}

  // Without names of one file: overlayfs parts those when one of them is touched, even if nothing
  // is changed, and that is no change that anybody meant.
  void fill() {
    for (int i = 0; i < 40; i++)
      i < 12 ? (void)mkdir(path().c_str(), 0755) : act(false);
  }
  void act(bool makes_names = true) {
    std::string one = path(), other = path();
    switch (one_of(13)) {
      case 0:
        return (void)mkdir(one.c_str(), 0755);
      case 1:
      case 2:
        return write(one);
      case 3:
      case 4:
        return (void)rename(one.c_str(), other.c_str());
      case 5:
        return makes_names ? (void)link(one.c_str(), other.c_str()) : write(one);
      case 6:
        return change_mode(one);
      case 7:
        return (void)setxattr(one.c_str(), "user.colour", one_of(2) == 0 ? "red" : "blu", 3, 0);
      case 8:
        return (void)fs::remove_all(one, error_);
      case 9:
        fs::remove_all(one, error_);
        return one_of(2) == 0 ? write(one) : write(one + "/a");
      case 10:
        return (void)symlink("x", one.c_str());
      case 11:
        return touch(one);
      default:
        return (void)mkfifo(one.c_str(), 0644);
    }
  }

 private:
  unsigned one_of(unsigned count) { return static_cast<unsigned>(random_() % count); }
  std::string path() {
    std::string out = top_;
    for (unsigned depth = one_of(4); depth > 0; depth--)
      out += std::string(1, static_cast<char>('a' + one_of(3))) + "/";
    return out + static_cast<char>('a' + one_of(5));
  }
  void write(const std::string& path) {
    if (fs::is_fifo(fs::symlink_status(path, error_))) return;
    fs::create_directories(fs::path(path).parent_path(), error_);
    std::ofstream(path) << std::string(one_of(4), static_cast<char>('p' + one_of(3)));
  }
  void touch(const std::string& path) {
    timespec times[2] = {{0, UTIME_OMIT}, {static_cast<time_t>(one_of(1'000'000)), 123}};
    (void)utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW);
  }
  void change_mode(const std::string& path) {
    struct stat seen;
    if (lstat(path.c_str(), &seen) < 0 || S_ISLNK(seen.st_mode)) return;
    constexpr mode_t kModes[] = {0644, 0755, 0600, 0700};
    (void)chmod(path.c_str(), kModes[one_of(4)] | (S_ISDIR(seen.st_mode) ? 0700u : 0u));
  }

  std::string top_;
  std::mt19937 random_;
  std::error_code error_;
};

std::set<std::string> paths_of(const std::vector<ApplyTree>& trees) {
  std::set<std::string> paths;
  for (const ApplyItem& item : trees[0].items)
    paths.insert(item.change.path);
  return paths;
}

void check_round(unsigned seed) {
  ApplyLab lab("/dev/shm");
  RandomWork(lab.real(), seed).fill();
  ASSERT_TRUE(lab.run([&] {
    RandomWork work("", seed + 1'000'000);
    for (int i = 0; i < kActs; i++)
      work.act();
  }));
  auto trees = lab.items();
  ASSERT_TRUE(trees) << trees.error().text();
  std::set<std::string> had = paths_of(*trees);
  std::mt19937 random(seed);
  bool is_in_parts = seed % 2 == 0;
  for (int part = 0; is_in_parts && part < 2 && !lab.is_gone(); part++) {
    for (ApplyItem& item : (*trees)[0].items)
      item.is_chosen = item.state == ApplyItem::State::free && random() % 2 == 0;
    complete_choice(*trees);
    std::set<std::string> chosen;
    for (const ApplyItem& item : (*trees)[0].items)
      if (item.is_chosen) chosen.insert(item.change.path);
    auto applied = lab.apply(*trees);
    ASSERT_TRUE(applied) << applied.error().text();
    for (const AppliedTree& tree : applied->trees)
      EXPECT_TRUE(changes::is_whole(tree.report));
    if (lab.is_gone()) break;
    trees = lab.items();
    ASSERT_TRUE(trees);
    // Nothing is told anew, and nothing again but names of a file of which some are left.
    for (const ApplyItem& item : (*trees)[0].items) {
      EXPECT_TRUE(had.contains(item.change.path)) << item.change.path;
      EXPECT_FALSE(chosen.contains(item.change.path)) << item.change.path;
      EXPECT_EQ(item.state, ApplyItem::State::free) << item.change.path << ": " << item.why;
    }
  }
  if (!lab.is_gone()) {
    auto applied = lab.apply_all();
    ASSERT_TRUE(applied) << applied.error().text();
    EXPECT_TRUE(lab.is_gone());
  }
  Picture now = lab.now(), view = lab.view();
  // Names of one file that are applied one after the other become files of their own.
  auto without_names = [&](const std::string& words) {
    return is_in_parts ? words.substr(0, words.find(" = ")) : words;
  };
  for (const auto& [path, words] : view)
    EXPECT_EQ(without_names(now[path]), without_names(words)) << path;
  EXPECT_EQ(now.size(), view.size());
}

TEST(ApplyProperty, InPartsOrAtOnceItIsWhatWasSeen) {
  for (unsigned seed = 0; seed < kRounds; seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check_round(seed);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace ringwall::review
