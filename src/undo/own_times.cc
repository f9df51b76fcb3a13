#include "undo/own_times.h"

#include <fcntl.h>

#include <optional>

#include "base/file.h"
#include "changes/transaction.h"
#include "undo/codec.h"
#include "undo/kept_run.h"
#include "undo/manifest.h"
#include "undo/outcome.h"

namespace ringwall::undo {
namespace {

using changes::EntryFacts;
using changes::EntryType;

constexpr std::string_view kKind = "ringwall undo own times 1\n";
constexpr const char* kName = "own-times";
constexpr size_t kMostBytes = size_t{1} << 30;

bool has_another_ctime_alone(const EntryFacts& now, EntryFacts before) {
  if (now.changed == before.changed) return false;
  before.changed = now.changed;
  before.links = now.links;
  return now == before;
}

// What a run has left, as far as its entry of the history tells.
class LeftByRun {
 public:
  static std::optional<LeftByRun> read(Fd folder) {
    auto outcome = read_outcome(folder.get());
    if (!outcome) return std::nullopt;  // it was killed: nothing counts as changed since
    return LeftByRun(std::move(folder), std::move(*outcome));
  }

  bool has(uint32_t tree, const SavedEntry& entry) const {
    if (times_.has(tree, entry.path, entry.inode, entry.changed)) return true;
    if (!outcome_.compared) return entry.changed <= outcome_.clocks[tree];
    auto found = ends_.find({tree, entry.path});
    return found != ends_.end() && found->second->inode == entry.inode &&
           found->second->changed == entry.changed;
  }

  void note(uint32_t tree, const std::string& path, const EntryFacts& now) {
    times_.note(tree, path, now);
    is_new_ = true;
  }
  Status write() const { return is_new_ ? times_.write(folder_.get()) : Status(); }
  size_t trees() const { return outcome_.clocks.size(); }

 private:
  LeftByRun(Fd folder, Outcome outcome)
      : folder_(std::move(folder)),
        outcome_(std::move(outcome)),
        times_(OwnTimes::read(folder_.get())) {
    for (const Touched& one : outcome_.touched)
      ends_[{one.tree, one.after.path}] = &one.after;
  }

  Fd folder_;
  Outcome outcome_;
  OwnTimes times_;
  std::map<std::pair<uint32_t, std::string>, const SavedEntry*> ends_;
  bool is_new_ = false;
};

Status note_tree(int tree, int journal, const ManifestTree& replaced, uint32_t index,
                 LeftByRun& left) {
  TRY_ASSIGN(changes::JournalState state, changes::look_at_journal(journal));
  if (state != changes::JournalState::reported) return {};
  TRY_ASSIGN(changes::Report report, changes::read_report(journal));
  for (const changes::StepReport& step : report) {
    if (step.outcome != changes::Outcome::done || step.inode == 0) continue;
    const SavedEntry* entry = find_entry(replaced, step.path);
    bool is_runs = entry != nullptr && entry->type != EntryType::folder && left.has(index, *entry);
    if (!is_runs) continue;
    TRY_ASSIGN(EntryFacts now, changes::look_at(tree, step.path));
    if (now.inode == step.inode) left.note(index, step.path, now);
  }
  return {};
}

}  // namespace

OwnTimes OwnTimes::read(int run_folder) {
  OwnTimes times;
  auto opened = file::open_beneath(run_folder, kName, O_RDONLY | O_NOFOLLOW);
  auto bytes = opened ? file::read_all(opened->get(), kMostBytes) : std::unexpected(opened.error());
  auto in = bytes ? Decoder::open(*bytes, kKind) : std::unexpected(bytes.error());
  if (!in) return times;
  for (size_t left = in->count(); left > 0; left--) {
    auto tree = static_cast<uint32_t>(in->number());
    std::string path(in->text());
    Time& time = times.times_[{tree, std::move(path)}];
    time.inode = in->number();
    time.changed = in->signed_number();
  }
  return in->finish() ? times : OwnTimes();
}

Status OwnTimes::write(int run_folder) const {
  Encoder out(kKind);
  out.number(times_.size());
  for (const auto& [place, time] : times_) {
    out.number(place.first);
    out.text(place.second);
    out.number(time.inode);
    out.signed_number(time.changed);
  }
  return file::replace_at(run_folder, kName, out.finish());
}

void OwnTimes::note(uint32_t tree, const std::string& path, const EntryFacts& now) {
  times_[{tree, path}] = {now.inode, now.changed};
}

bool OwnTimes::has(uint32_t tree, const std::string& path, uint64_t inode, int64_t changed) const {
  if (times_.empty()) return false;
  auto found = times_.find({tree, path});
  return found != times_.end() && found->second.inode == inode && found->second.changed == changed;
}

Status note_own_times(int run_folder, const std::vector<Fd>& trees,
                      const std::vector<SeenAsLeft>& before) {
  OwnTimes times = OwnTimes::read(run_folder);
  bool is_new = false;
  for (const SeenAsLeft& seen : before) {
    TRY_ASSIGN(EntryFacts now, changes::look_at(trees[seen.tree].get(), seen.path));
    if (!has_another_ctime_alone(now, seen.facts)) continue;
    times.note(seen.tree, seen.path, now);
    is_new = true;
  }
  return is_new ? times.write(run_folder) : Status();
}

Status note_given_back(int undo, int folder, const std::vector<Fd>& trees,
                       const std::vector<Fd>& journals) {
  TRY_ASSIGN(KeptRun as, read_kept_run(folder, ""));
  if (as.of.empty()) return {};
  TRY_ASSIGN(Fd undone, open_kept_run(undo, as.of));
  TRY_ASSIGN(KeptRun other, read_kept_run(undone.get(), as.of));
  if (other.of.empty()) return {};
  TRY_ASSIGN(Fd run, open_kept_run(undo, other.of));
  TRY_ASSIGN(Manifest replaced, read_manifest(undone.get()));
  auto left = LeftByRun::read(std::move(run));
  for (size_t i = 0; left && i < journals.size(); i++) {
    bool is_there = journals[i] && trees[i] && i < replaced.trees.size() && i < left->trees();
    if (!is_there) continue;
    TRY(note_tree(trees[i].get(), journals[i].get(), replaced.trees[i], static_cast<uint32_t>(i),
                  *left));
  }
  return left ? left->write() : Status();
}

}  // namespace ringwall::undo
