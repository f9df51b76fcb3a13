#include "review/bases.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>

#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "git/index_file.h"
#include "review/change_words.h"
#include "review/tree_open.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::EntryType;

constexpr const char* kIndex = ".git/index";
constexpr const char* kLastApply = "";  // no file of a tree has this path
constexpr const char* kTouched = "/";
constexpr const char* kFolders = "//";
constexpr const char* kDoubtful = "///";
constexpr const char* kOwnTimes = "////";
constexpr size_t kMostIndex = 8 << 20;
constexpr size_t kMostText = 256 << 10;
constexpr size_t kMostInAll = 4 << 20;
constexpr size_t kMostFiles = 400;

std::string folder_of(const ReviewTree& tree) { return tree.layer + "/bases"; }

Result<std::string> read_real(int real, const std::string& path, size_t most) {
  TRY_ASSIGN(Fd file, open_content(real, path));
  return file::read_all(file.get(), most);
}

Status keep(int folder, const ReviewTree& tree, const std::string& path,
            const std::string& content) {
  TRY_ASSIGN(Fd bases, file::make_dirs_at(folder, folder_of(tree)));
  return file::replace_at(bases.get(), sha256(path), content);
}

bool is_worth_keeping(const Change& change, const ReviewTree& tree) {
  return change.kind == Change::Kind::changed && change.before.type == EntryType::file &&
         change.after.type == EntryType::file && change.before.size <= kMostText &&
         change.before.changed <= tree.stamp;
}

bool is_same_index(int folder, const ReviewTree& tree, int real) {
  auto before = read_base(folder, tree, kIndex);
  auto now = read_real(real, kIndex, kMostIndex);
  if (!before || !now) return false;
  auto was = git::describe_index(*before), is = git::describe_index(*now);
  return was && is && *was == *is;
}

}  // namespace

Status keep_index(int folder, const ReviewTree& tree) {
  TRY_ASSIGN(Fd real, open_real(tree));
  struct stat facts;
  auto file = open_in_tree(real.get(), kIndex, O_RDONLY | O_NONBLOCK);
  if (!file || fstat(file->get(), &facts) < 0 || !S_ISREG(facts.st_mode)) return {};
  if (static_cast<size_t>(facts.st_size) > kMostIndex) return {};
  TRY_ASSIGN(std::string content, file::read_all(file->get(), kMostIndex));
  return keep(folder, tree, kIndex, content);
}

namespace {

// Of these both sides held the same when the run ended, so that whoever changes one later changes
// it alone.
void keep_touched(int folder, const ReviewedTree& tree) {
  std::string touched;
  for (const Change& change : tree.found.changes) {
    bool is_touched = change.is_time_alone && change.before.changed <= tree.tree.stamp;
    if (is_touched && touched.size() + change.path.size() < kMostInAll)
      touched += change.path + '\0';
  }
  // Without it, they are conflicts.
  if (!touched.empty()) (void)keep(folder, tree.tree, kTouched, touched);
}

}  // namespace

void keep_bases(int folder, const std::vector<ReviewedTree>& trees) {
  for (const ReviewedTree& tree : trees)
    keep_touched(folder, tree);
  size_t bytes = 0, files = 0;
  for (const ReviewedTree& tree : trees) {
    for (const Change& change : tree.found.changes) {
      if (!is_worth_keeping(change, tree.tree) || change.path == kIndex) continue;
      bytes += change.before.size;
      if (bytes > kMostInAll || ++files > kMostFiles) return;
      auto content = read_real(tree.real.get(), change.path, kMostText);
      // What cannot be kept is not there when it would help, and nothing else.
      if (!content || !keep(folder, tree.tree, change.path, *content)) return;
    }
  }
}

void keep_folders(int folder, const ReviewedTree& tree, const files::Index& at_start) {
  std::unordered_set<std::string> on_the_way;
  for (const Change& change : tree.found.changes) {
    std::string path = change.path;
    while (on_the_way.insert(path).second && path.find('/') != std::string::npos)
      path.resize(path.rfind('/'));
  }
  std::string known;
  at_start.visit_folders([&](const std::string& path, const files::IndexedFolder& each) {
    if (on_the_way.contains(path)) known += path + '\0' + std::to_string(each.inode) + '\0';
    return true;
  });
  // Without it, their times say what they can.
  if (known.size() <= kMostIndex) (void)keep(folder, tree.tree, kFolders, known);
}

std::optional<std::string> read_base(int folder, const ReviewTree& tree, const std::string& path) {
  auto file = file::open_beneath(folder, folder_of(tree) + "/" + sha256(path), O_RDONLY);
  auto content = file ? file::read_all(file->get(), kMostIndex)
                      : Result<std::string>(std::unexpected(file.error()));
  return content ? std::optional(std::move(*content)) : std::nullopt;
}

Status note_apply(int folder, const ReviewTree& tree, int real) {
  TRY_ASSIGN(int64_t now, changes::read_clock_of(real));
  return keep(folder, tree, kLastApply, std::to_string(now));
}

namespace {

std::unordered_map<std::string, OwnTime> read_own_times(int folder, const ReviewTree& tree) {
  std::unordered_map<std::string, OwnTime> times;
  std::string noted = read_base(folder, tree, kOwnTimes).value_or("");
  std::vector<std::string_view> parts = text::split_in_place(noted, '\0');
  for (size_t at = 0; at + 2 < parts.size(); at += 3) {
    OwnTime& time = times[std::string(parts[at])];
    std::from_chars(parts[at + 1].begin(), parts[at + 1].end(), time.inode);
    std::from_chars(parts[at + 2].begin(), parts[at + 2].end(), time.changed);
  }
  return times;
}

// But for the ctime, which nobody can set.
bool is_otherwise_same(const changes::EntryFacts& now, const changes::EntryFacts& before) {
  return now.type == before.type && now.mode == before.mode && now.device == before.device &&
         now.inode == before.inode && now.size == before.size && now.modified == before.modified;
}

}  // namespace

Status note_own_times(int folder, const ReviewTree& tree, int real,
                      const std::vector<Seen>& before) {
  auto times = read_own_times(folder, tree);
  OutsideLook outside(folder, tree, real);
  bool is_new = false;
  for (const auto& [path, facts] : before) {
    bool is_runs = facts.changed <= tree.stamp || outside.is_as_we_left_it(path, facts);
    if (!facts.exists() || facts.type == EntryType::folder || !is_runs) continue;
    TRY_ASSIGN(changes::EntryFacts now, changes::look_at(real, path));
    if (now.changed == facts.changed || !is_otherwise_same(now, facts)) continue;
    times[path] = {now.inode, now.changed};
    is_new = true;
  }
  if (!is_new) return {};
  std::string noted;
  for (const auto& [path, time] : times)
    noted += path + '\0' + std::to_string(time.inode) + '\0' + std::to_string(time.changed) + '\0';
  return keep(folder, tree, kOwnTimes, noted);
}

Status keep_doubtful(int folder, const ReviewTree& tree, const std::vector<std::string>& folders) {
  if (folders.empty()) return {};
  return keep(folder, tree, kDoubtful, text::join(folders, std::string_view("\0", 1)));
}

bool is_partly_applied(int folder, const Review& review) {
  return std::ranges::any_of(review.trees, [&](const ReviewTree& tree) {
    return read_base(folder, tree, kLastApply).has_value();
  });
}

OutsideLook::OutsideLook(int folder, const ReviewTree& tree, int real)
    : folder_(folder), tree_(tree), real_(real), applied_(tree.stamp) {
  std::string noted = read_base(folder, tree, kLastApply).value_or("");
  std::from_chars(noted.data(), noted.data() + noted.size(), applied_);
  for (std::string& path : text::split(read_base(folder, tree, kTouched).value_or(""), '\0'))
    touched_.insert(std::move(path));
  own_times_ = read_own_times(folder, tree);
  for (std::string& path : text::split(read_base(folder, tree, kDoubtful).value_or(""), '\0'))
    doubtful_.insert(std::move(path));
  auto known = read_base(folder, tree, kFolders);
  knows_folders_ = known.has_value();
  std::vector<std::string> words = text::split(known.value_or(""), '\0');
  for (size_t i = 0; i + 1 < words.size(); i += 2) {
    uint64_t inode = 0;
    std::from_chars(words[i + 1].data(), words[i + 1].data() + words[i + 1].size(), inode);
    folders_.emplace(std::move(words[i]), inode);
  }
}

bool OutsideLook::is_another(const std::string& folder, const changes::EntryFacts& now) const {
  if (knows_folders_) {
    auto known = folders_.find(folder);
    return known == folders_.end() || known->second != now.inode;
  }
  // A later ctime and an older mtime: it was moved, or its mode changed; with every name that comes
  // or goes both are later.
  return now.changed > applied_ && now.modified <= tree_.stamp;
}

bool OutsideLook::is_as_we_left_it(const std::string& path, const changes::EntryFacts& now) const {
  auto own = own_times_.find(path);
  return own != own_times_.end() && own->second.inode == now.inode &&
         own->second.changed == now.changed;
}

bool OutsideLook::was_moved_here(const std::string& path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos) return false;
  std::string above = path.substr(0, slash);
  if (auto known = moved_.find(above); known != moved_.end()) return known->second;
  struct stat seen;
  auto folder = open_in_tree(real_, above, O_PATH | O_NOFOLLOW);
  bool is_there = folder && fstat(folder->get(), &seen) == 0;
  bool moved = (is_there && is_another(above, changes::facts_of(seen))) || was_moved_here(above);
  moved_.emplace(above, moved);
  return moved;
}

bool OutsideLook::may_have_other_rights(const Change& change) const {
  return change.before.type == EntryType::folder && change.after.type == EntryType::folder &&
         (change.before.changed > applied_ || doubtful_.contains(change.path));
}

bool OutsideLook::is_others_alone(const Change& change) {
  return change.kind == Change::Kind::changed && touched_.contains(change.path) &&
         was_changed(change);
}

bool OutsideLook::was_changed(const Change& change) {
  bool is_folder = change.before.type == EntryType::folder;
  if (change.before.exists() && !is_folder && was_moved_here(change.path)) return true;
  if (!was_changed_outside(change, tree_.stamp)) return false;
  if (is_as_we_left_it(change.path, change.before)) return false;
  return change.path != kIndex || !is_same_index(folder_, tree_, real_);
}

}  // namespace ringwall::review
