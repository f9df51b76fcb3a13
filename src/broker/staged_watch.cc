#include "broker/staged_watch.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>

#include "base/clock.h"
#include "base/file.h"
#include "base/git_blob.h"
#include "base/path.h"
#include "base/read_lease.h"
#include "base/walk_path.h"
#include "files/folder_judge.h"

namespace ringwall::broker {
namespace {

constexpr int64_t kDelay = 200'000'000;  // nanoseconds
constexpr int64_t kShare = 50;           // of the time goes into looking, while a run goes on
// What is larger is looked at in the end alone, or not compared with what it was: meanwhile plants
// are not seen.
constexpr uint64_t kMostMeanwhile = 8 << 20;
constexpr size_t kMostBeside = 16;
constexpr uint64_t kMostAtStart = 32 << 20;

Result<Fd> open_index(const files::WatchedTree& tree, const std::string& path) {
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  return file::open_beneath(tree.folder.get(), path, kFlags);
}

}  // namespace

bool stamps_files(int folder) {
  struct statfs facts;
  return fstatfs(folder, &facts) == 0 && facts.f_type != TMPFS_MAGIC && stamps_folders(folder);
}

namespace {

std::string beside(const std::string& path, const std::string& name) {
  size_t slash = path.rfind('/');
  return slash == path.npos ? name : path.substr(0, slash + 1) + name;
}

Result<IndexLook> look_at_one(const files::WatchedTree& tree, const std::string& path,
                              const files::ProtectedNames& names, const Replacing& replacing = {}) {
  TRY_ASSIGN(Fd opened, open_index(tree, path));
  auto bytes = file::read_all(opened.get(), kMostIndex);
  if (!bytes) {
    IndexLook look;
    look.why = "it cannot be judged: " + bytes.error().text();
    return look;
  }
  return look_into_index(*bytes, names, folder_of_files(path), replacing);
}

}  // namespace

namespace {

constexpr size_t kMostCompared = 1 << 20;

// The file in the tree says the same: `git checkout .` changes nothing then.
bool lies_there(const files::WatchedTree& tree, const std::string& path, const StagedFile& staged) {
  constexpr uint32_t kFile = 0100644, kProgram = 0100755;
  auto opened = open_index(tree, path);
  struct stat facts;
  bool is_small = opened && fstat(opened->get(), &facts) == 0 && S_ISREG(facts.st_mode) &&
                  static_cast<uint64_t>(facts.st_size) <= kMostCompared;
  auto content = is_small ? file::read_all(opened->get(), kMostCompared) : fail("it is none");
  if (!content) return false;
  std::string mode = std::to_string((facts.st_mode & 0100) != 0 ? kProgram : kFile) + " ";
  return staged.what.starts_with(mode) &&
         staged.what.substr(mode.size()) == git_blob_id(*content, staged.what.size() - mode.size());
}

}  // namespace

std::optional<StartIndex> open_start_index(const std::vector<std::string>& trees,
                                           const std::string& git_folder) {
  for (size_t tree = 0; tree < trees.size(); tree++) {
    std::string path = git_folder + "/index";
    if (!path::is_beneath(path, trees[tree])) continue;
    Fd file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    Mark mark;
    bool is_small =
        file && read_mark(file.get(), mark) && S_ISREG(mark.mode) && mark.size <= kMostAtStart;
    if (!is_small || !file::take_read_lease(file.get())) return std::nullopt;
    // Of somebody who waits to write nobody needs to be told: the wait is short.
    if (fcntl(file.get(), F_SETOWN, 0) < 0) return std::nullopt;
    return StartIndex{tree, path.substr(trees[tree].size() + 1), std::move(file)};
  }
  return std::nullopt;
}

Result<IndexLook> look_at_index(const files::WatchedTree& tree, const std::string& path,
                                const files::ProtectedNames& names) {
  TRY_ASSIGN(IndexLook look, look_at_one(tree, path, names));
  if (look.below.empty()) return look;
  // Without it git reads nothing at all.
  auto below = look_at_one(tree, beside(path, look.below), names, look.replacing);
  if (!below) return look;
  if (look.why.empty()) look.why = below->why;
  look.staged.merge(below->staged);
  look.has_more = look.has_more || below->has_more;
  return look;
}

std::string judge_index(const IndexLook& look, const KnownStaged* known) {
  constexpr const char* kMend = "; git reset makes the index anew";
  if (!look.why.empty()) return look.why + kMend;
  std::string hushed = known != nullptr ? find_hushed(look, *known) : "";
  if (hushed.empty()) return "";
  return "git checkout outside would write " + hushed + ", of which git status says nothing" +
         kMend;
}

void StagedWatch::begin(const std::vector<files::Index>& indexes, std::vector<StartIndex> opened,
                        int64_t start) {
  start_ = start;
  held_ = std::move(opened);
  due_ = clock::monotonic() + kDelay;
  for (size_t tree = 0; tree < trees_.size(); tree++) {
    indexes[tree].visit_folders([&](std::string_view path, const files::IndexedFolder& folder) {
      if ((folder.place & files::place::kIsGit) == 0) return true;
      begin_in(tree, std::string(path));
      return true;
    });
  }
}

void StagedWatch::begin_in(size_t tree, const std::string& folder) {
  auto opened = file::open_beneath(trees_[tree].folder.get(), folder.empty() ? "." : folder,
                                   O_RDONLY | O_NOATIME | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  auto entries = opened ? file::list(opened->get()) : std::unexpected(opened.error());
  if (!entries) return;  // closed to us, and so to the run
  size_t indexes = 0;
  for (const file::Entry& entry : *entries) {
    bool is_one = entry.name == "index" || entry.name.starts_with("sharedindex.");
    if (is_one && ++indexes <= kMostBeside)
      begin_one(tree, folder.empty() ? entry.name : folder + "/" + entry.name);
  }
}

void StagedWatch::begin_one(size_t tree, const std::string& path) {
  bool is_held = std::ranges::any_of(
      held_, [&](const StartIndex& one) { return one.tree == tree && one.path == path; });
  if (is_held) return;
  auto opened = open_index(trees_[tree], path);
  if (!opened && files::is_gone(opened.error())) return;  // nothing was staged
  if (!opened) {
    knows_all_ = false;
    return;
  }
  StartIndex held{tree, path, std::move(*opened)};
  bool is_leased = file::take_read_lease(held.file.get());
  Mark mark;
  bool is_as_found = read_mark(held.file.get(), mark) && mark.ctime < start_;
  if (!is_as_found || mark.size > kMostAtStart) knows_all_ = false;
  if (!knows_all_) return;
  if (is_leased)
    held_.push_back(std::move(held));
  else
    knows_all_ = path::basename(path) == "index" && read_one(held) && is_as_at_start(tree, path);
}

// Who wants to write into one waits until this is done.
void StagedWatch::read_held() {
  for (const StartIndex& held : held_) {
    if (path::basename(held.path) == "index") knows_all_ = knows_all_ && read_one(held);
  }
  for (const StartIndex& held : held_)
    knows_all_ = knows_all_ && fcntl(held.file.get(), F_GETLEASE) == F_RDLCK;
  // Who opened it may still have it open.
  for (const StartIndex& held : held_)
    fcntl(held.file.get(), F_SETLEASE, F_UNLCK);
  held_.clear();
}

bool StagedWatch::read_one(const StartIndex& held) {
  auto bytes = file::read_all(held.file.get(), kMostAtStart);
  if (!bytes) return false;
  IndexLook look = look_into_index(*bytes, names_, folder_of_files(held.path));
  if (!look.below.empty()) {
    // git touches it when it uses it, so that its times say nothing.
    std::string path = beside(held.path, look.below);
    auto below = std::ranges::find_if(
        held_, [&](const StartIndex& one) { return one.tree == held.tree && one.path == path; });
    if (below == held_.end()) return false;
    auto rest = file::read_all(below->file.get(), kMostAtStart);
    if (!rest) return false;
    std::string folder = folder_of_files(held.path);
    look.staged.merge(look_into_index(*rest, names_, folder, look.replacing).staged);
  }
  for (auto& [name, file] : look.staged)
    known_.emplace(name, std::move(file.what));
  return look.why.empty() && !look.has_more;
}

bool StagedWatch::is_as_at_start(size_t tree, const std::string& path) const {
  auto opened = open_index(trees_[tree], path);
  Mark now;
  return opened && read_mark(opened->get(), now) && now.ctime < start_;
}

std::string StagedWatch::take(size_t tree, const std::string& path) {
  if (is_last_) return judge_last(tree, path);
  if (waiting_.empty() && held_.empty()) due_ = std::max(clock::monotonic() + kDelay, next_);
  waiting_.insert({tree, path});
  return "";
}

// A file that is protected, and so as it was, may be staged as it is: nothing new comes by that.
void StagedWatch::leave_out_what_lies_there(size_t tree, const std::string& index,
                                            IndexLook& look) const {
  std::string folder = folder_of_files(index);
  std::erase_if(look.staged, [&](const auto& one) {
    return !known_.contains({one.first, one.second.what}) &&
           lies_there(trees_[tree], folder + one.first, one.second);
  });
}

bool StagedWatch::are_due() const {
  return !(waiting_.empty() && held_.empty()) && clock::monotonic() >= due_;
}

int StagedWatch::wait_time(int longest) const {
  if (waiting_.empty() && held_.empty()) return longest;
  int64_t left = std::max<int64_t>(due_ - clock::monotonic(), 0);
  int wait = static_cast<int>((left + 999'999) / 1'000'000);
  return longest < 0 ? wait : std::min(wait, longest);
}

void StagedWatch::work(std::vector<Culprit>& culprits) {
  if (!are_due()) return;
  int64_t began = clock::monotonic();
  read_held();
  if (waiting_.empty()) return;
  // One in each go, since plants are more urgent.
  auto [tree, path] = waiting_.extract(waiting_.begin()).value();
  Mark now;
  auto opened = open_index(trees_[tree], path);
  bool is_looked_at = opened && read_mark(opened->get(), now) && now.size <= kMostMeanwhile;
  auto look =
      is_looked_at ? look_at_index(trees_[tree], path, names_) : fail("it is not looked at");
  if (look) leave_out_what_lies_there(tree, path, *look);
  std::string why = look ? judge_index(*look, known()) : "";
  if (!why.empty()) culprits.push_back({tree, path, "GIT/index", why});
  int64_t ended = clock::monotonic();
  next_ = due_ = ended + (ended - began) * kShare;
}

std::string StagedWatch::judge_last(size_t tree, const std::string& path) {
  bool is_kept = stamped_[tree] && is_as_at_start(tree, path);
  if (is_kept || passed_.contains({tree, path})) return "";
  auto look = look_at_index(trees_[tree], path, names_);
  if (!look) return files::is_gone(look.error()) ? "" : look.error().text();
  if (!look->staged.empty() || path::basename(path) != "index") read_held();
  leave_out_what_lies_there(tree, path, *look);
  std::string why = judge_index(*look, known());
  if (!why.empty()) return why;
  passed_.insert({tree, path});
  // The lower part of a split one has changed, and the index itself need not have.
  std::string index = beside(path, "index");
  if (path != index) look = look_at_index(trees_[tree], index, names_);
  if (look) leave_out_what_lies_there(tree, index, *look);
  std::string names = look ? name_staged(*look, known_) : "";
  if (!names.empty()) staged_.push_back({trees_[tree].whole(index), names, knows_all_});
  return "";
}

}  // namespace ringwall::broker
