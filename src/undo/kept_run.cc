#include "undo/kept_run.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>

#include "base/file.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/tree.h"
#include "undo/codec.h"

namespace ringwall::undo {
namespace {

constexpr std::string_view kKind = "ringwall undo run 1\n";
constexpr const char* kName = "run";
constexpr std::string_view kHasAll = "\nall ";  // after the id of the latest
const std::string kRemoved = ".removed-";
constexpr size_t kMostBytes = 8 << 20;

bool is_id(std::string_view id) {
  return !id.empty() && id.front() != '.' && id.find('/') == std::string_view::npos;
}

std::string name_of_tree(const std::string& tree) { return sha256(tree); }

}  // namespace

std::string encode(const KeptRun& run) {
  Encoder out(kKind);
  out.text(run.name);
  out.number(static_cast<uint64_t>(run.kind));
  out.text(run.workspace);
  out.signed_number(run.started);
  out.text(run.of);
  out.number(run.command.size());
  for (const std::string& word : run.command)
    out.text(word);
  return out.finish();
}

Result<KeptRun> parse_kept_run(std::string_view bytes, std::string id) {
  TRY_ASSIGN(Decoder in, Decoder::open(bytes, kKind));
  KeptRun run;
  run.id = std::move(id);
  run.name = in.text();
  uint64_t kind = in.number();
  if (kind > static_cast<uint64_t>(KeptRun::Kind::apply)) return fail("it is of an unknown kind");
  run.kind = static_cast<KeptRun::Kind>(kind);
  run.workspace = in.text();
  run.started = in.signed_number();
  run.of = in.text();
  for (size_t left = in.count(); left > 0; left--)
    run.command.emplace_back(in.text());
  TRY(in.finish());
  return run;
}

std::string make_id(const std::string& name, int64_t milliseconds) {
  time_t seconds = milliseconds / 1000;
  tm parts;
  gmtime_r(&seconds, &parts);
  char time[32];
  strftime(time, sizeof time, "%Y%m%dT%H%M%SZ", &parts);
  return name + "@" + time + "-" + std::to_string(getpid());
}

int64_t now_in_milliseconds() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

Result<Fd> make_kept_run(int undo, const KeptRun& run) {
  if (!is_id(run.id)) return fail("no proper id of a run: " + text::quote(run.id));
  TRY_ASSIGN(Fd runs, file::make_dirs_at(undo, "runs"));
  if (mkdirat(runs.get(), run.id.c_str(), 0700) < 0)
    return fail_errno("cannot make a folder for what is kept of the run");
  TRY_ASSIGN(Fd folder, file::open_beneath(runs.get(), run.id, O_RDONLY | O_DIRECTORY));
  if (flock(folder.get(), LOCK_EX | LOCK_NB) < 0) return fail_errno("cannot lock what is kept");
  TRY(file::replace_at(folder.get(), kName, encode(run)));
  return folder;
}

Result<Fd> open_kept_run(int undo, const std::string& id) {
  if (!is_id(id)) return fail("no run is called " + text::quote(id));
  return file::open_beneath(undo, "runs/" + id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

Result<KeptRun> read_kept_run(int folder, std::string id) {
  TRY_ASSIGN(Fd opened, file::open_beneath(folder, kName, O_RDONLY | O_NOFOLLOW));
  TRY_ASSIGN(std::string bytes, file::read_all(opened.get(), kMostBytes));
  return parse_kept_run(bytes, std::move(id));
}

Status remove_kept_run(int undo, const std::string& id) {
  if (!is_id(id)) return fail("no run is called " + text::quote(id));
  TRY_ASSIGN(Fd runs, file::make_dirs_at(undo, "runs"));
  std::string aside = kRemoved + id;
  if (renameat(runs.get(), id.c_str(), runs.get(), aside.c_str()) < 0) {
    if (errno == ENOENT) return {};
    return fail_errno("cannot remove what is kept of " + text::quote(id));
  }
  return tree::remove_at(runs.get(), aside);
}

bool is_removed(std::string_view name) { return name.starts_with(kRemoved); }

Status remove_leftovers(int undo) {
  TRY_ASSIGN(Fd runs, file::make_dirs_at(undo, "runs"));
  TRY_ASSIGN(auto names, file::list(runs.get()));
  for (const file::Entry& entry : names) {
    if (is_removed(entry.name)) TRY(tree::remove_at(runs.get(), entry.name));
  }
  return {};
}

void remove_kept_runs_below(const std::string& undo_folder, const std::string& folder) {
  auto undo = file::open(undo_folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  auto runs = undo ? list_kept_runs(undo->get()) : std::unexpected(undo.error());
  for (size_t i = 0; runs && i < runs->size(); i++) {
    if (path::is_beneath((*runs)[i].workspace, folder))
      (void)remove_kept_run(undo->get(), (*runs)[i].id);
  }
}

Result<std::vector<KeptRun>> list_kept_runs(int undo) {
  std::vector<KeptRun> found;
  auto runs = file::open_beneath(undo, "runs", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!runs && runs.error().err == ENOENT) return found;
  if (!runs) return std::unexpected(runs.error());
  TRY_ASSIGN(auto names, file::list(runs->get()));
  for (const file::Entry& entry : names) {
    auto folder = open_kept_run(undo, entry.name);
    auto run = folder ? read_kept_run(folder->get(), entry.name) : std::unexpected(folder.error());
    if (run) found.push_back(std::move(*run));
  }
  std::sort(found.begin(), found.end(), [](const KeptRun& a, const KeptRun& b) {
    return std::tie(a.started, a.id) < std::tie(b.started, b.id);
  });
  return found;
}

std::vector<std::string> list_damaged(int undo) {
  std::vector<std::string> damaged;
  auto runs = file::open_beneath(undo, "runs", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  auto names = runs ? file::list(runs->get()) : std::unexpected(runs.error());
  for (size_t i = 0; names && i < names->size(); i++) {
    auto folder = open_kept_run(undo, (*names)[i].name);
    auto run = folder ? read_kept_run(folder->get(), (*names)[i].name) : KeptRun{};
    // Without an errno it could be read, and is no proper one.
    if (!run && run.error().err == 0) damaged.push_back((*names)[i].name);
  }
  return damaged;
}

bool has_ended(int folder) {
  // By a descriptor of its own: a lock belongs to who opened it.
  Fd own(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return own && flock(own.get(), LOCK_SH | LOCK_NB) == 0;
}

Result<Fd> take_over(int folder) {
  Fd own(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own) return fail_errno("cannot open what is kept");
  if (flock(own.get(), LOCK_EX | LOCK_NB) == 0) return own;
  return fail("another process is at work with it", "wait for its end");
}

Latest latest_of(int undo, const std::string& tree) {
  auto opened = file::open_beneath(undo, "latest/" + name_of_tree(tree), O_RDONLY | O_NOFOLLOW);
  auto id = opened ? file::read_all(opened->get(), 4096) : std::unexpected(opened.error());
  if (!id) return {};
  Latest latest{id->substr(0, id->find('\n'))};
  size_t rest = id->find(kHasAll);
  if (rest == std::string::npos) return latest;
  std::vector<std::string> words = text::split(id->substr(rest + kHasAll.size()), ' ');
  latest.has_all = words.size() == 4;
  if (!latest.has_all) return latest;
  latest.mark = words[0];
  latest.looked = strtoll(words[1].c_str(), nullptr, 10);
  latest.entries = strtoull(words[2].c_str(), nullptr, 10);
  latest.clock = strtoll(words[3].c_str(), nullptr, 10);
  return latest;
}

Status set_latest(int undo, const std::string& tree, const Latest& latest) {
  TRY_ASSIGN(Fd folder, file::make_dirs_at(undo, "latest"));
  std::string words = latest.id;
  if (latest.has_all)
    words += std::string(kHasAll) + latest.mark + " " + std::to_string(latest.looked) + " " +
             std::to_string(latest.entries) + " " + std::to_string(latest.clock);
  // In its place, and not as a new file: a filesystem may write out at once what takes another's
  // name, and the run would wait for that.
  TRY_ASSIGN(Fd file, file::open_beneath(folder.get(), name_of_tree(tree),
                                         O_WRONLY | O_CREAT | O_NOFOLLOW, 0600));
  // Cut first: whoever is killed in between leaves what was true of the one before, or less of it,
  // and never the new one's name with what was said of the old.
  if (ftruncate(file.get(), static_cast<off_t>(words.size())) < 0)
    return fail_errno("cannot note which run was the latest");
  return file::write_all(file.get(), words);
}

Result<Fd> lock_store(int undo, LockMode mode) {
  Fd lock(openat(undo, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock) return fail_errno("cannot open the lock of the undo store");
  int how = mode == LockMode::shared ? LOCK_SH : LOCK_EX;
  if (mode == LockMode::alone_at_once) how |= LOCK_NB;
  if (flock(lock.get(), how) < 0) return fail_errno("cannot lock the undo store");
  return lock;
}

}  // namespace ringwall::undo
