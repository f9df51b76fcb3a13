#include "review/layer_changes.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/file.h"
#include "base/file_id.h"
#include "base/folder_reader.h"
#include "base/path.h"
#include "base/text.h"
#include "base/walk_path.h"
#include "review/change_words.h"
#include "review/layer_marks.h"
#include "review/refreshed_index.h"
#include "review/renames.h"
#include "review/same_content.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::EntryFacts;
using changes::EntryType;
using changes::facts_of;

constexpr uint64_t kMostCompared = uint64_t{4} << 30;
constexpr size_t kMostMemory = size_t{2} << 30;  // for paths and facts
constexpr size_t kMemoryOfOne = 400;
constexpr size_t kLongestPath = PATH_MAX - 1;  // without the byte at its end

uint64_t mount_of(int fd) {
  struct statx facts;
  if (statx(fd, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT, STATX_MNT_ID, &facts) < 0) return 0;
  return facts.stx_mnt_id;
}

bool is_gone(int err) { return err == ENOENT || err == ENOTDIR || err == ELOOP; }

// A folder that is yet to be looked into.
struct Waiting {
  size_t depth;
  std::string name;
  bool in_upper, in_real;
  bool has_same_facts = false;  // on both sides, so that only the attributes are left to compare
  bool is_covered = false;      // by an opaque folder above: nothing real shines through
};

class LayerReader {
 public:
  LayerReader(int upper, int real, const std::vector<std::string>& left_out)
      : upper_(upper), real_(real), left_out_(left_out.begin(), left_out.end()) {
    mounts_ = {mount_of(upper), mount_of(real)};
  }

  Result<LayerChanges> read() {
    waiting_.push_back({0, "", true, true});
    while (!waiting_.empty()) {
      Waiting next = std::move(waiting_.back());
      waiting_.pop_back();
      look_into(next);
      if (memory_ > kMostMemory)
        return fail("the layer holds more changes than can be read",
                    "ringwall discard gives it up");
    }
    std::ranges::sort(found_.changes, {}, &Change::path);
    return std::move(found_);
  }

 private:
  struct Folders {
    Fd upper, real;
  };

  enum class Opened { yes, gone, no };

  Opened open_one(const Waiting& folder, WalkPath& walk, uint64_t mount, Fd& opened) {
    bool is_there = folder.depth == 0 || walk.enter(folder.depth, folder.name);
    if (is_there) opened = walk.open_folder();
    if (!opened) {
      int err = errno;
      if (is_gone(err)) return Opened::gone;
      miss(walk.text(), strerror(err));
      return Opened::no;
    }
    if (mount_of(opened.get()) == mount) return Opened::yes;
    miss(walk.text(), "another filesystem is mounted there");
    return Opened::no;
  }

  bool open_both(const Waiting& folder, Folders& at) {
    if (folder.in_upper && open_one(folder, upper_, mounts_.upper, at.upper) != Opened::yes)
      return false;
    if (!folder.in_real) return true;
    Opened real = open_one(folder, real_, mounts_.real, at.real);
    // What the person removed meanwhile is not there to be compared with.
    return real == Opened::yes || (real == Opened::gone && at.upper);
  }

  void look_into(const Waiting& folder) {
    Folders at;
    if (!open_both(folder, at)) return;
    depth_ = folder.depth;
    path_ = folder.in_upper ? upper_.text() : real_.text();
    if (folder.has_same_facts && at.real &&
        attributes_of(at.upper.get()) != attributes_of(at.real.get()))
      add_folder_of_other_attributes(at);
    if (!at.upper) return list_deleted(at.real.get(), {});
    Opaque opaque = read_opaque(at.upper.get());
    std::unordered_set<std::string> names;
    covers_ = opaque == Opaque::yes || folder.is_covered;
    bool hides_all = covers_ && at.real;
    for (const std::string& name : list(at.upper.get())) {
      if (hides_all) names.insert(name);
      look_at(at, name, opaque);
    }
    if (hides_all) list_deleted(at.real.get(), names);
  }

  std::vector<std::string> list(int folder) {
    std::vector<std::string> names;
    bool goes_on_below = false;
    Status read = reader_.read(folder, [&](const FolderReader::Entry& entry) {
      if (is_left_out(entry.name)) return;
      // Nobody could name it, and thousands of such paths would fill all memory.
      bool is_too_long = path_.size() + 1 + entry.name.size() > kLongestPath;
      goes_on_below |= is_too_long;
      if (!is_too_long) names.emplace_back(entry.name);
    });
    if (!read) miss(path_, strerror(read.error().err));
    if (goes_on_below) miss(path_, "what lies in it has paths longer than programs can use");
    return names;
  }

  void list_deleted(int real, const std::unordered_set<std::string>& but) {
    for (const std::string& name : list(real)) {
      if (!but.contains(name)) add_deleted(real, name);
    }
  }

  void add_deleted(int real, const std::string& name) {
    EntryFacts before = facts_at(real, name);
    if (!before.exists()) return;
    add(name, before, {});
    if (before.type == EntryType::folder) waiting_.push_back({depth_ + 1, name, false, true});
  }

  void look_at(const Folders& at, const std::string& name, Opaque opaque) {
    struct stat seen;
    if (fstatat(at.upper.get(), name.c_str(), &seen, AT_SYMLINK_NOFOLLOW) < 0) {
      if (!is_gone(errno)) miss(path_of(name), strerror(errno));
      return;
    }
    if (is_whiteout(at.upper.get(), name, seen, opaque)) {
      if (at.real) add_deleted(at.real.get(), name);
      return;
    }
    EntryFacts after = facts_of(seen);
    EntryFacts before = at.real ? facts_at(at.real.get(), name) : EntryFacts{};
    bool was_folder = before.type == EntryType::folder, is_folder = after.type == EntryType::folder;
    bool is_same = before.type == after.type && before.mode == after.mode &&
                   (is_folder || is_same_entry(at, name, before, after));
    if (!is_same) add(name, before, after);
    if (is_same && !is_folder && is_other_time(before, after)) {
      add(name, before, after);
      found_.changes.back().is_time_alone = true;
    }
    if (is_folder) {
      waiting_.push_back({depth_ + 1, name, true, was_folder, is_same, covers_});
    } else if (was_folder) {
      waiting_.push_back({depth_ + 1, name, false, true});
    }
  }

  // What would lose its other names or its rights by it keeps its time.
  static bool is_other_time(const EntryFacts& was, const EntryFacts& is) {
    constexpr int64_t kSecond = 1'000'000'000;
    if (was.links > 1 || (was.mode & 06000) != 0 || was.inode == is.inode) return false;
    // The layer's filesystem may know of seconds alone.
    bool is_cut = is.modified % kSecond == 0 && was.modified >= is.modified &&
                  was.modified - is.modified < kSecond;
    return was.modified != is.modified && !is_cut;
  }

  EntryFacts facts_at(int folder, const std::string& name) {
    struct stat seen;
    if (fstatat(folder, name.c_str(), &seen, AT_SYMLINK_NOFOLLOW) == 0) return facts_of(seen);
    if (!is_gone(errno)) miss(path_of(name), strerror(errno));
    return {};
  }

  // Of the same type and mode, and no folders.
  bool is_same_entry(const Folders& at, const std::string& name, const EntryFacts& before,
                     const EntryFacts& after) {
    // One file under both names: it was applied, and the layer's name is about to go.
    if (before.device == after.device && before.inode == after.inode) return true;
    if (before.raw_type != after.raw_type) return false;
    if (after.type == EntryType::file && name == "index" && is_same_index(at, before, after))
      return true;
    if (before.size != after.size) return false;
    if (after.type == EntryType::fifo) return true;
    if (after.type == EntryType::link) {
      auto was = read_link_at(at.real.get(), name), is = read_link_at(at.upper.get(), name);
      return was && is && *was == *is;
    }
    if (after.type != EntryType::file || after.links > 1) return false;
    Fd was = open_file_at(at.real.get(), name), is = open_file_at(at.upper.get(), name);
    return was && is && is_still(was.get(), before) && is_still(is.get(), after) &&
           is_same_file(was.get(), is.get(), after.size, budget_);
  }

  bool is_same_index(const Folders& at, const EntryFacts& before, const EntryFacts& after) {
    if (after.links > 1) return false;
    Fd was = open_file_at(at.real.get(), "index"), is = open_file_at(at.upper.get(), "index");
    return was && is && is_still(was.get(), before) && is_still(is.get(), after) &&
           is_refreshed_index(was.get(), before, is.get(), after, budget_);
  }

  static bool is_still(int fd, const EntryFacts& facts) {
    struct stat seen;
    return fstat(fd, &seen) == 0 && S_ISREG(seen.st_mode) && seen.st_dev == facts.device &&
           seen.st_ino == facts.inode;
  }

  static std::optional<std::string> read_link_at(int folder, const std::string& name) {
    std::string target(4096, '\0');  // the kernel's own bound
    ssize_t size = readlinkat(folder, name.c_str(), target.data(), target.size());
    if (size < 0) return std::nullopt;
    target.resize(static_cast<size_t>(size));
    return target;
  }

  void add_folder_of_other_attributes(const Folders& at) {
    struct stat was, is;
    if (fstat(at.real.get(), &was) < 0 || fstat(at.upper.get(), &is) < 0) return;
    add_at(path_, facts_of(was), facts_of(is));
  }

  void add(const std::string& name, const EntryFacts& before, const EntryFacts& after) {
    add_at(path_of(name), before, after);
  }

  void add_at(std::string path, const EntryFacts& before, const EntryFacts& after) {
    Change::Kind kind = !before.exists()  ? Change::Kind::added
                        : !after.exists() ? Change::Kind::deleted
                                          : Change::Kind::changed;
    memory_ += path.size() + kMemoryOfOne;
    found_.changes.push_back({kind, std::move(path), before, after});
  }

  std::string path_of(std::string_view name) const {
    return path_.empty() ? std::string(name) : path_ + '/' + std::string(name);
  }

  bool is_left_out(std::string_view name) const {
    return !left_out_.empty() && left_out_.contains(path_of(name));
  }

  void miss(const std::string& path, const std::string& why) {
    memory_ += path.size() + kMemoryOfOne;
    found_.unread.push_back({path, why});
  }

  WalkPath upper_, real_;
  struct {
    uint64_t upper = 0, real = 0;
  } mounts_;
  std::unordered_set<std::string> left_out_;
  FolderReader reader_;
  ReadBudget budget_{kMostCompared};
  std::vector<Waiting> waiting_;
  size_t depth_ = 0;  // of the folder that is looked into
  std::string path_;  // its path
  bool covers_ = false;
  LayerChanges found_;
  size_t memory_ = 0;
};

}  // namespace

Result<LayerChanges> read_layer(int upper, int real, const std::vector<std::string>& left_out) {
  return LayerReader(upper, real, left_out).read();
}

Result<Fd> open_real(const ReviewTree& tree) {
  TRY_ASSIGN(Fd top, file::open("/", O_PATH | O_DIRECTORY));
  auto folder = file::open_beneath(top.get(), tree.path.substr(1), O_RDONLY | O_DIRECTORY);
  if (!folder) {
    return std::unexpected(Error{"cannot open " + text::quote(tree.path), folder.error().err,
                                 "the review is of this folder: bring it back to its place"});
  }
  struct stat seen;
  if (fstat(folder->get(), &seen) < 0) return fail_errno("cannot look at a folder");
  if (file::is_still(seen, {tree.device, tree.inode}, tree.stamp)) return folder;
  return fail(text::quote(tree.path) + " is not the folder that it was when the run began",
              "something was mounted or unmounted there, or another folder took its place");
}

Result<Fd> open_upper(int review, const ReviewTree& tree) {
  return file::open_beneath(review, tree.layer + "/upper", O_RDONLY | O_DIRECTORY);
}

std::vector<std::string> left_out_of(const Review& review, const ReviewTree& tree) {
  std::vector<std::string> paths;
  for (const std::string& nested : review.nested)
    paths.push_back(nested);
  for (const std::string& apart : review.apart)
    paths.push_back(path::normalize(path::join(review.workspace, apart)));
  std::vector<std::string> relative;
  for (const std::string& each : paths) {
    if (each != tree.path && path::is_beneath(each, tree.path))
      relative.push_back(each.substr(tree.path == "/" ? 1 : tree.path.size() + 1));
  }
  return relative;
}

Result<LayerChanges> read_tree_changes(int folder, const Review& review, const ReviewTree& tree) {
  TRY_ASSIGN(Fd upper, open_upper(folder, tree));
  TRY_ASSIGN(Fd real, open_real(tree));
  TRY_ASSIGN(LayerChanges found, read_layer(upper.get(), real.get(), left_out_of(review, tree)));
  std::erase_if(found.changes, [&](const Change& change) {
    return change.is_time_alone && was_changed_outside(change, tree.stamp);
  });
  find_renames(found.changes, upper.get(), real.get());
  return found;
}

}  // namespace ringwall::review
