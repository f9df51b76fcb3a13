#include "files/scan.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/walk_path.h"
#include "files/folder_judge.h"

namespace ringwall::files {
namespace {

// A tree in which folders go is searched again: one that moved may have been missed.
constexpr int kMostTries = 20;
// One in which files come and go need not come to rest: who watches it sees what appears.
constexpr int kTriesToSettle = 3;

// Within what an index can count; far beyond what anybody works on.
constexpr size_t kMostFolders = 8'000'000;
constexpr size_t kMostText = size_t{1} << 30;

class Scan {
 public:
  Scan(int tree, const ProtectedNames& protected_names, const HiddenNames& hidden_names,
       Index& index)
      : tree_(tree), index_(index), path_(tree), judge_(protected_names, hidden_names, index) {}

  Result<ScanResult> run() {
    Mark top;
    if (!read_mark(tree_, top)) return fail_errno("cannot look at " + name_of_tree());
    if (!S_ISDIR(top.mode)) return ScanResult{};
    device_ = top.device;
    remembers_ = stamps_folders(tree_);
    for (int tries = 1; tries <= kMostTries; tries++) {
      TRY(pass());
      if (vanished_ || (shrinking_ && tries < kMostTries)) continue;
      if (!moving_ || tries >= kTriesToSettle) return finish();
    }
    return fail(name_of_tree() + " is changing while it is searched", "try again");
  }

 private:
  struct Step {
    uint32_t folder;
    uint32_t parent;
    uint32_t depth;
  };

  Status pass();
  Status visit(const Step& step);
  Status list(const Step& step);
  Status miss(const Step& step);
  bool is_closed_to_us(const Step& step);
  bool check_notes(const IndexedFolder& folder);
  void report(uint32_t folder, bool is_mount);
  void report_note(const Note& note, bool is_covered);
  Result<ScanResult> finish();

  // For messages alone.
  std::string name_of_tree() const {
    auto name = file::read_link("/proc/self/fd/" + std::to_string(tree_));
    return text::quote(name ? *name : "the tree");
  }
  std::string name_of_place() const {
    auto name = file::read_link("/proc/self/fd/" + std::to_string(tree_));
    if (!name) return text::quote(path_.text());
    return text::quote(path_.text().empty() ? *name : path::join(*name, path_.text()));
  }

  int tree_;
  Index& index_;
  WalkPath path_;
  FolderJudge judge_;
  uint64_t device_ = 0;
  bool remembers_ = false;

  // Of one pass
  Moment moment_;
  std::vector<Step> steps_;
  ScanResult result_;
  bool vanished_ = false;   // a folder was gone when it was to be entered
  bool moving_ = false;     // a folder that was listed had changed since the pass began
  bool shrinking_ = false;  // and lacked one that it had
};

Status Scan::pass() {
  moment_ = Moment();
  vanished_ = moving_ = shrinking_ = false;
  result_.found.clear();
  result_.folders = 0;
  steps_.assign(1, {0, 0, 0});
  while (!steps_.empty()) {
    Step step = steps_.back();
    steps_.pop_back();
    const IndexedFolder& folder = index_.folders[step.folder];
    bool is_there = step.depth == 0 ? (path_.leave_to(0), true)
                                    : path_.enter(step.depth, index_.name_of(folder));
    TRY(is_there ? visit(step) : miss(step));
    if (index_.folders.size() > kMostFolders || index_.text_size() > kMostText)
      return fail(name_of_tree() + " holds too many folders", "choose a smaller one");
    const IndexedFolder& now = index_.folders[step.folder];
    for (uint32_t i = now.children; i > 0; i--)
      steps_.push_back({now.first_child + i - 1, step.folder, step.depth + 1});
  }
  return {};
}

Status Scan::visit(const Step& step) {
  const IndexedFolder& folder = index_.folders[step.folder];
  if (folder.ctime == 0) return list(step);
  Mark mark;
  if (!path_.look(mark)) return miss(step);
  bool is_same = S_ISDIR(mark.mode) && mark.device == device_ && mark.inode == folder.inode &&
                 mark.ctime == folder.ctime;
  if (!is_same || !check_notes(folder)) return list(step);
  report(step.folder, mark.is_mount && step.depth > 0);
  return {};
}

// False if a file of which the folder's times say nothing is not as it was.
bool Scan::check_notes(const IndexedFolder& folder) {
  for (uint32_t i = 0; i < folder.notes; i++) {
    const Note& note = index_.notes[folder.first_note + i];
    if (note.watched == 0) continue;
    Mark mark;
    bool is_same = note.ctime != 0 && path_.look_at(index_.name_of(note), mark) &&
                   S_ISREG(mark.mode) && mark.inode == note.inode && mark.ctime == note.ctime;
    if (!is_same) return false;
  }
  return true;
}

Status Scan::list(const Step& step) {
  Fd dir = path_.open_folder();
  if (!dir) return miss(step);
  Mark mark;
  if (!read_mark(dir.get(), mark)) return fail_errno("cannot look at " + name_of_place());
  if (Status judged = judge_.judge(dir.get(), step.folder, path_.text(), moment_); !judged) {
    errno = judged.error().err;
    return miss(step);
  }
  result_.read_again++;
  IndexedFolder& folder = index_.folders[step.folder];
  bool is_settled = moment_.is_settled(mark.ctime);
  moving_ |= !is_settled;
  shrinking_ |= !is_settled && judge_.lost_folders;
  folder.inode = mark.inode;
  folder.ctime = is_settled && remembers_ && mark.device == device_ ? mark.ctime : 0;
  index_.mark_changed();
  report(step.folder, mark.is_mount && step.depth > 0);
  return {};
}

// Takes errno as it stands.
Status Scan::miss(const Step& step) {
  int err = errno;
  IndexedFolder& folder = index_.folders[step.folder];
  folder.ctime = 0;
  folder.children = folder.notes = 0;
  // EXDEV: moved out of the tree during the lookup.
  bool is_gone = err == ENOENT || err == ENOTDIR || err == ELOOP || err == EXDEV || err == EAGAIN;
  if (step.depth > 0 && is_gone) {
    vanished_ = true;  // removed, or renamed to where this pass has been already
    index_.folders[step.parent].ctime = 0;
    return {};
  }
  if (err == EACCES && is_closed_to_us(step)) return {};
  std::string hint = err == EACCES         ? "chmod u+rx " + name_of_place()
                     : err == ENAMETOOLONG ? "remove what is nested so deep"
                                           : "";
  std::string place = name_of_place().substr(0, 300);
  errno = err;
  return fail_errno("cannot search " + place, hint);
}

// What belongs to somebody else and is closed to us is closed to the inside, which has the same id;
// what is our own could be opened up inside.
bool Scan::is_closed_to_us(const Step& step) {
  Mark mark;
  if (path_.look(mark)) return mark.owner != geteuid();
  if (step.depth == 0) return false;
  // The folder around it can be listed and not entered.
  path_.leave_to(step.depth - 1);
  return path_.look(mark) && mark.owner != geteuid();
}

void Scan::report(uint32_t folder, bool is_mount) {
  const IndexedFolder& known = index_.folders[folder];
  result_.folders++;
  if (is_mount)
    result_.found.push_back({.kind = Found::Kind::mount, .path = path_.text(), .is_folder = true});
  if ((known.place & place::kIsGit) != 0)
    result_.found.push_back(
        {.kind = Found::Kind::git_folder, .path = path_.text(), .is_folder = true});
  for (uint32_t i = 0; i < known.notes; i++)
    report_note(index_.notes[known.first_note + i], (known.place & place::kCovered) != 0);
}

void Scan::report_note(const Note& note, bool is_covered) {
  auto add = [&](Found::Kind kind, uint32_t why) {
    std::string path = path_.text();
    if (!path.empty()) path += '/';
    path += index_.name_of(note);
    result_.found.push_back({.kind = kind,
                             .path = std::move(path),
                             .is_folder = note.type == DT_DIR,
                             .is_link = note.type == DT_LNK,
                             .links = note.type == DT_REG ? note.links : 1,
                             .why = std::string(index_.text_at(why))});
  };
  if (note.why_protected != 0 && (!is_covered || note.links > 1))
    add(Found::Kind::protected_path, note.why_protected);
  if (note.why_hidden != 0) add(Found::Kind::hidden, note.why_hidden);
  if (note.type == DT_SOCK) add(Found::Kind::socket, 0);
  if (note.is_git != 0) add(Found::Kind::git_folder, 0);
}

Result<ScanResult> Scan::finish() {
  result_.looked_at = judge_.looked_at;
  std::sort(result_.found.begin(), result_.found.end(), [](const Found& a, const Found& b) {
    return std::tie(a.path, a.kind) < std::tie(b.path, b.kind);
  });
  // A folder that was listed again left its old records behind.
  if (index_.folders.size() > 2 * result_.folders + 64) index_.pack();
  return std::move(result_);
}

}  // namespace

Result<ScanResult> scan(int tree, const ProtectedNames& protected_names,
                        const HiddenNames& hidden_names, Index& index) {
  // The same file may be readable to one and closed to another.
  std::string key = "links " + protected_names.fingerprint() + " " + hidden_names.fingerprint() +
                    " " + std::to_string(geteuid());
  if (index.key() != key) index.clear(key);
  return Scan(tree, protected_names, hidden_names, index).run();
}

}  // namespace ringwall::files
