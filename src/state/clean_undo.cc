// What killed runs left half-written of what is kept for undo.
#include "base/file.h"
#include "base/path.h"
#include "base/process.h"
#include "state/cleaner.h"
#include "undo/kept_run.h"

namespace ringwall::state {
namespace {

// "PID.NUMBER", as the store calls what it is writing.
std::optional<pid_t> writer_of(const std::string& name) {
  return maker_of(std::string_view(name).substr(0, name.find('.')), "");
}

}  // namespace

void Cleaner::sweep_undo(int state) {
  Fd undo = open_own_folder(state, "undo");
  if (!undo) return;
  std::string path = path::join(places_.state, "undo");
  sweep_files(undo.get(), path);
  if (Fd latest = open_own_folder(undo.get(), "latest"))
    sweep_files(latest.get(), path::join(path, "latest"));
  sweep_unfinished(undo.get(), path::join(path, "new"));
  sweep_kept_runs(undo.get(), path::join(path, "runs"));
}

void Cleaner::sweep_unfinished(int undo, const std::string& path) {
  Fd folder = open_own_folder(undo, "new");
  auto entries = folder ? file::list(folder.get()) : std::vector<file::Entry>();
  if (!entries) return complain(entries.error());
  for (const file::Entry& entry : *entries) {
    auto writer = writer_of(entry.name);
    if (writer && !process::is_running(*writer))
      take({Leftover::Kind::file, path::join(path, entry.name)}, folder.get(), entry.name);
  }
}

// One that does not say of which run it is was killed before anything was kept, or while it was
// removed; one that says it in no proper way is broken, and nothing can be put back by it.
void Cleaner::sweep_kept_runs(int undo, const std::string& path) {
  Fd runs = open_own_folder(undo, "runs");
  auto entries = runs ? file::list(runs.get()) : std::vector<file::Entry>();
  if (!entries) return complain(entries.error());
  for (const file::Entry& entry : *entries) {
    Fd folder = open_own_folder(runs.get(), entry.name);
    if (!folder || !undo::has_ended(folder.get())) continue;
    auto run = undo::read_kept_run(folder.get(), entry.name);
    bool is_nothing = undo::is_removed(entry.name) || (!run && run.error().err == ENOENT);
    bool is_broken = !run && run.error().err == 0;
    if (is_nothing || is_broken)
      take({Leftover::Kind::file, path::join(path, entry.name)}, runs.get(), entry.name);
    else
      sweep_files(folder.get(), path::join(path, entry.name));
  }
}

}  // namespace ringwall::state
