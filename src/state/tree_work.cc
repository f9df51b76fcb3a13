#include "state/tree_work.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <optional>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "state/registry.h"

namespace ringwall::state {
namespace {

constexpr const char* kWrites = "writes";
constexpr const char* kUnnamed = ".new-";
constexpr size_t kMostBytes = 16 << 20;
constexpr useconds_t kPause = 5000;  // microseconds

std::string placing_folder(const Places& places) { return path::join(places.state, "placing"); }

// A path holds no NUL.
std::string encode(const Trees& trees) {
  std::string bytes;
  for (const std::string& tree : trees)
    bytes += tree + '\0';
  return bytes;
}

Result<Trees> read_trees(int file) {
  TRY_ASSIGN(std::string bytes, file::read_all(file, kMostBytes));
  Trees trees = text::split(bytes, '\0');
  std::erase(trees, "");
  return trees;
}

bool overlap(const Trees& some, const Trees& others) {
  return std::ranges::any_of(some, [&](const std::string& one) {
    return std::ranges::any_of(others, [&](const std::string& other) {
      return path::is_beneath(one, other) || path::is_beneath(other, one);
    });
  });
}

// Of one that was killed the lock is free.
Status visit_placings(int folder,
                      const std::function<void(const std::string&, bool, const Trees&)>& use) {
  TRY_ASSIGN(auto names, file::list(folder));
  for (const file::Entry& entry : names) {
    if (entry.name.starts_with(kUnnamed)) continue;
    auto file = file::open_beneath(folder, entry.name, O_RDONLY | O_NOFOLLOW);
    if (!file && file.error().err == ENOENT) continue;  // it has ended
    if (!file) return std::unexpected(file.error());
    TRY_ASSIGN(Trees trees, read_trees(file->get()));
    bool was_killed = flock(file->get(), LOCK_SH | LOCK_NB) == 0;
    // One that has ended since it was opened has taken its file away.
    if (!was_killed || file::still_names(folder, entry.name, file->get()))
      use(entry.name, was_killed, trees);
  }
  return {};
}

struct InTheWay {
  bool at_work = false, killed = false;
};

Result<InTheWay> look_for_placings(int folder, const Trees& trees) {
  InTheWay found;
  TRY(visit_placings(folder, [&](const std::string&, bool was_killed, const Trees& theirs) {
    if (overlap(trees, theirs)) (was_killed ? found.killed : found.at_work) = true;
  }));
  return found;
}

// None if it has not said yet: it will look for us when it has.
Result<std::optional<Trees>> writes_of(int registration) {
  auto file = file::open_beneath(registration, kWrites, O_RDONLY | O_NOFOLLOW);
  if (!file && file.error().err == ENOENT) return std::nullopt;
  if (!file) return std::unexpected(file.error());
  TRY_ASSIGN(Trees trees, read_trees(file->get()));
  return trees;
}

}  // namespace

Status note_writes(int registration, const Trees& trees) {
  return file::replace_at(registration, kWrites, encode(trees));
}

Status wait_for_placing(const Places& places, const Trees& trees,
                        std::chrono::milliseconds patience) {
  auto folder = file::open(placing_folder(places), O_RDONLY | O_DIRECTORY);
  if (!folder && folder.error().err == ENOENT) return {};
  if (!folder) return std::unexpected(folder.error());
  int64_t until = clock::monotonic() + std::chrono::nanoseconds(patience).count();
  while (true) {
    TRY_ASSIGN(InTheWay found, look_for_placings(folder->get(), trees));
    if (!found.at_work && !found.killed) return {};
    // What it had begun to put in place may lie in the tree, where the run could change it.
    if (!found.at_work)
      return fail("an apply or undo was interrupted where this run works, and cannot be finished",
                  "see why: ringwall history");
    if (clock::monotonic() > until)
      return fail("an apply or undo is putting files in place where this run works",
                  "wait for its end, and start the run again");
    usleep(kPause);
  }
}

Result<Placing> Placing::begin(const Places& places, const Trees& trees) {
  static int number = 0;
  Placing placing;
  placing.name_ = std::to_string(getpid()) + "." + std::to_string(number++);
  TRY_ASSIGN(placing.folder_, file::make_dirs(placing_folder(places)));
  // It is whole and locked before anybody looks at it.
  std::string unnamed = kUnnamed + placing.name_;
  int folder = placing.folder_.get();
  Fd file(
      openat(folder, unnamed.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file || flock(file.get(), LOCK_EX | LOCK_NB) < 0)
    return fail_errno("cannot say that files are put in place");
  TRY(file::write_all(file.get(), encode(trees)));
  if (renameat(folder, unnamed.c_str(), folder, placing.name_.c_str()) < 0)
    return fail_errno("cannot say that files are put in place");
  placing.file_ = std::move(file);
  return placing;
}

Placing::~Placing() {
  if (file_) unlinkat(folder_.get(), name_.c_str(), 0);
}

Result<std::vector<KilledPlacing>> find_killed_placings(const Places& places) {
  std::vector<KilledPlacing> killed;
  auto folder = file::open(placing_folder(places), O_RDONLY | O_DIRECTORY);
  if (!folder && folder.error().err == ENOENT) return killed;
  if (!folder) return std::unexpected(folder.error());
  TRY(visit_placings(folder->get(),
                     [&](const std::string& name, bool was_killed, const Trees& trees) {
                       if (was_killed) killed.push_back({name, trees});
                     }));
  return killed;
}

void forget_placings(const Places& places, const std::vector<KilledPlacing>& killed) {
  auto folder = file::open(placing_folder(places), O_RDONLY | O_DIRECTORY);
  // What stays is looked at once more.
  for (const KilledPlacing& placing : killed)
    if (folder) unlinkat(folder->get(), placing.name.c_str(), 0);
}

Result<std::string> find_run_writing(const Places& places, const Trees& trees) {
  TRY_ASSIGN(auto names, list_runs(places));
  for (const std::string& name : names) {
    auto folder = open_run(places, name);
    bool has_ended = !folder && (folder.error().err == ENOENT || folder.error().err == 0);
    if (has_ended) continue;
    if (!folder) return std::unexpected(folder.error());
    auto writes = writes_of(folder->get());
    bool is_silent = writes && !*writes;
    // Of an older Ringwall, which says it by its socket alone.
    bool may_write = is_silent && faccessat(folder->get(), "control", F_OK, 0) == 0;
    if (!writes || may_write || (!is_silent && overlap(trees, **writes))) return name;
  }
  return "";
}

}  // namespace ringwall::state
