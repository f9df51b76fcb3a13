#include "files/scan.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/indexed_walk.h"
#include "files/folder_judge.h"

namespace ringwall::files {
namespace {

// One in which files come and go need not come to rest: who watches it sees what appears.
constexpr int kTriesToSettle = 3;

class Scan {
 public:
  Scan(int tree, const ProtectedNames& protected_names, const HiddenNames& hidden_names,
       Index& index, const ScanBounds& bounds)
      : index_(index), walk_(tree), judge_(protected_names, hidden_names, index), bounds_(bounds) {}

  Result<ScanResult> run() {
    TRY_ASSIGN(Mark top, walk_.begin());
    if (!S_ISDIR(top.mode)) return ScanResult{};
    for (int tries = 1; tries <= IndexedWalk::kMostPasses; tries++) {
      TRY(pass());
      if (walk_.has_lost_folder() || (shrinking_ && tries < IndexedWalk::kMostPasses)) continue;
      if (!moving_ || tries >= kTriesToSettle) return finish();
    }
    return std::unexpected(walk_.still_changing());
  }

 private:
  Status pass();
  Status visit(const WalkStep& step);
  Status list(const WalkStep& step);
  bool check_notes(const IndexedFolder& folder);
  void report(const WalkStep& step, const Mark& mark);
  void report_note(const Note& note, bool is_covered);
  Result<ScanResult> finish();
  const std::string& path() const { return walk_.path().text(); }

  Index& index_;
  IndexedWalk walk_;
  FolderJudge judge_;
  const ScanBounds& bounds_;

  // Of one pass
  ScanResult result_;
  bool moving_ = false;     // a folder that was listed had changed since the pass began
  bool shrinking_ = false;  // and lacked one that it had
};

Status Scan::pass() {
  moving_ = shrinking_ = false;
  result_.found.clear();
  result_.folders = 0;
  result_.newest = 0;
  return walk_.pass(index_, [&](const WalkStep& step) { return visit(step); });
}

Status Scan::visit(const WalkStep& step) {
  if (bounds_.goes_on && !bounds_.goes_on()) return fail("nobody wants to know any more");
  IndexedFolder& folder = index_.folders[step.folder];
  if (path().size() > bounds_.longest_path) {
    folder.ctime = 0;
    folder.forget_content();
    return {};
  }
  if (folder.ctime == 0) return list(step);
  Mark mark;
  if (!walk_.path().look(mark)) return walk_.miss(index_, step);
  if (!walk_.is_as_noted(folder, mark) || !check_notes(folder)) return list(step);
  report(step, mark);
  return {};
}

// False if a file of which the folder's times say nothing is not as it was.
bool Scan::check_notes(const IndexedFolder& folder) {
  for (uint32_t i = 0; i < folder.notes; i++) {
    const Note& note = index_.notes[folder.first_note + i];
    if (note.watched == 0) continue;
    Mark mark;
    bool is_same = note.ctime != 0 && walk_.path().look_at(index_.name_of(note), mark) &&
                   S_ISREG(mark.mode) && mark.inode == note.inode && mark.ctime == note.ctime;
    if (!is_same) return false;
  }
  return true;
}

Status Scan::list(const WalkStep& step) {
  Fd dir = walk_.path().open_folder();
  if (!dir) return walk_.miss(index_, step);
  Mark mark;
  if (!read_mark(dir.get(), mark)) return fail_errno("cannot look at " + walk_.name_of_place());
  Status judged = judge_.judge(dir.get(), step.folder, path(), walk_.moment());
  if (!judged) {
    errno = judged.error().err;
    return walk_.miss(index_, step);
  }
  result_.read_again++;
  bool is_settled = walk_.moment().is_settled(mark.ctime);
  moving_ |= !is_settled;
  shrinking_ |= !is_settled && judge_.lost_folders;
  walk_.note(index_.folders[step.folder], mark);
  index_.mark_changed();
  report(step, mark);
  return {};
}

void Scan::report(const WalkStep& step, const Mark& mark) {
  const IndexedFolder& known = index_.folders[step.folder];
  result_.folders++;
  int64_t changed = walk_.remembers() ? mark.ctime : std::numeric_limits<int64_t>::max();
  result_.newest = std::max(result_.newest, changed);
  if (mark.is_mount && step.depth > 0)
    result_.found.push_back({.kind = Found::Kind::mount, .path = path(), .is_folder = true});
  if ((known.place & place::kIsGit) != 0)
    result_.found.push_back({.kind = Found::Kind::git_folder, .path = path(), .is_folder = true});
  for (uint32_t i = 0; i < known.notes; i++)
    report_note(index_.notes[known.first_note + i], (known.place & place::kCovered) != 0);
}

void Scan::report_note(const Note& note, bool is_covered) {
  auto add = [&](Found::Kind kind, uint32_t why) {
    std::string place = path();
    if (!place.empty()) place += '/';
    place += index_.name_of(note);
    result_.found.push_back({.kind = kind,
                             .path = std::move(place),
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
  if (note.leads_away != 0) add(Found::Kind::leads_away, 0);
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
                        const HiddenNames& hidden_names, Index& index, const ScanBounds& bounds) {
  // The same file may be readable to one and closed to another.
  std::string key = "links 2 " + protected_names.fingerprint() + " " + hidden_names.fingerprint() +
                    " " + std::to_string(geteuid());
  if (index.key() != key) index.clear(key);
  return Scan(tree, protected_names, hidden_names, index, bounds).run();
}

}  // namespace ringwall::files
