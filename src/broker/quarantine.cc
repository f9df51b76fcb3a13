#include "broker/quarantine.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>

#include "base/clock.h"
#include "base/file.h"
#include "base/file_id.h"
#include "base/text.h"
#include "base/tree.h"

namespace ringwall::broker {
namespace {

// Somebody may remove items while we make one, or plant again under the same name.
constexpr int kMostTries = 3;
// Who holds a folder open may go on filling it while we empty it.
constexpr int kMostRemovals = 50;

// A burst of this many is taken fast.
constexpr size_t kSpares = 4;
// Where nothing can be locked, older ones were left by a run that was killed. If not, that run only
// takes a bit longer once.
constexpr int64_t kSpareSeconds = 3600;

// With its type: the number of one that is gone may have been given to another thing since.
bool is_same_thing(const struct stat& a, const struct stat& b) {
  return file::is_same(a, b) && (a.st_mode & S_IFMT) == (b.st_mode & S_IFMT);
}

// 0 or an errno. `to` is a name that nobody else chooses.
int move(int from_dir, const std::string& from, int to_dir, const std::string& to) {
  if (renameat2(from_dir, from.c_str(), to_dir, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL) return errno;
  // Some filesystems do not know the flag.
  return renameat(from_dir, from.c_str(), to_dir, to.c_str()) == 0 ? 0 : errno;
}

bool is_closed(int err) { return err == EACCES || err == EPERM; }

// Looks at `name`; false if it is gone.
Result<bool> look(int parent, const std::string& name, struct stat& facts, OpenedUp& opened) {
  int done = fstatat(parent, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW);
  if (done < 0 && is_closed(errno)) {
    opened.open(parent, name);
    done = fstatat(parent, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW);
  }
  if (done == 0) return true;
  if (errno == ENOENT) return false;
  return fail_errno("cannot look at " + text::quote(name));
}

// Frees the name at once, by another name in the same folder; what takes longer comes after that.
// Returns where it lies now: nowhere if it is gone, `name` if it cannot be moved.
std::string put_aside(int parent, const std::string& name, OpenedUp& opened) {
  std::string aside = make_aside_name();
  int err = move(parent, name, parent, aside);
  if (is_closed(err)) {
    opened.open(parent, name);
    err = move(parent, name, parent, aside);
  }
  if (err == 0) return aside;
  return err == ENOENT ? "" : name;  // on a full disk it can still be removed
}

Status remove_aside(int parent, const std::string& aside, const std::string& name) {
  Status removed;
  for (int i = 0; i < kMostRemovals; i++) {
    removed = tree::remove_at(parent, aside);
    if (removed || removed.error().err != ENOTEMPTY) break;
  }
  if (removed) return {};
  removed.error().what = "cannot remove " + text::quote(name);
  if (aside != name) removed.error().what += ", which lies beside it as " + aside;
  return removed;
}

Result<Taken> discard(int parent, const std::string& name, const struct stat& seen,
                      const Error& why, OpenedUp& opened) {
  std::string aside = put_aside(parent, name, opened);
  struct stat facts;
  if (aside.empty() || fstatat(parent, aside.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0)
    return Taken{};
  TRY(remove_aside(parent, aside, name));
  return Taken{Taken::Outcome::removed, "", kind_of(facts.st_mode), !is_same_thing(facts, seen),
               why.text()};
}

// Its owner's lock ends with it, however it ends.
bool is_left_over(int store, const std::string& spare) {
  Fd folder(openat(store, spare.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder && flock(folder.get(), LOCK_EX | LOCK_NB) == 0) return true;
  if (folder && errno == EWOULDBLOCK) return false;
  struct stat facts;
  return fstatat(store, spare.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
         facts.st_mtime < clock::wall_seconds() - kSpareSeconds;
}

void remove_left_spares(int store, std::span<const file::Entry> entries) {
  for (const file::Entry& entry : entries) {
    // What stays is tried again the next time.
    if (entry.name.starts_with(kSparePrefix) && is_left_over(store, entry.name))
      (void)tree::remove_at(store, entry.name);
  }
}

bool is_one_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.size() <= 255 &&
         name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

}  // namespace

Result<Quarantine> Quarantine::open(const std::string& path, const QuarantineLimits& limits) {
  TRY_ASSIGN(Fd store, file::make_dirs(path));
  struct stat facts;
  if (fstat(store.get(), &facts) < 0) return fail_errno("cannot look at " + text::quote(path));
  if (facts.st_uid != geteuid()) {
    return fail("the quarantine " + text::quote(path) + " belongs to somebody else",
                "remove it, or give it to the user that runs Ringwall");
  }
  if ((facts.st_mode & 0777) != 0700 && fchmod(store.get(), 0700) < 0)
    return fail_errno("cannot close the quarantine " + text::quote(path) + " to others");
  TRY_ASSIGN(auto entries, file::list(store.get()));
  remove_left_spares(store.get(), entries);
  auto items = std::count_if(entries.begin(), entries.end(),
                             [](const file::Entry& entry) { return is_item_name(entry.name); });
  return Quarantine(std::move(store), static_cast<size_t>(items), limits);
}

Quarantine::~Quarantine() {
  // What cannot be removed goes at a later start.
  for (const Spare& spare : spares_)
    (void)tree::remove_at(store_.get(), spare.name);
}

void Quarantine::prepare() {
  while (spares_.size() < kSpares && items_ + spares_.size() < limits_.items) {
    std::string name = make_spare_name();
    if (mkdirat(store_.get(), name.c_str(), 0700) < 0) return;
    Fd folder(openat(store_.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    // Another start may remove it before it is locked, and where nothing can be locked when it is
    // old: then the item that it was for is made when it is needed.
    if (folder) (void)flock(folder.get(), LOCK_EX | LOCK_NB);
    std::string record = name + "/" + kRecordName;
    spares_.push_back({std::move(name), std::move(folder)});
    Fd file(openat(store_.get(), record.c_str(),
                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) return;
  }
}

// Sets errno.
bool Quarantine::make_folder(const std::string& item) {
  while (!spares_.empty()) {
    Spare spare = std::move(spares_.back());
    spares_.pop_back();
    if (move(store_.get(), spare.name, store_.get(), item) == 0) return true;
  }
  return mkdirat(store_.get(), item.c_str(), 0700) == 0;
}

Result<std::string> Quarantine::make_item() {
  if (taken_ >= limits_.items_of_run) {
    return fail("this run has already put " + std::to_string(taken_) +
                " items into the quarantine, and that is the most of one run");
  }
  if (items_ >= limits_.items) {
    return fail("the quarantine is full: it holds " + std::to_string(items_) + " items",
                "ringwall quarantine remove --all");
  }
  std::string item;
  bool made = false;
  for (int i = 0; i < kMostTries && !made; i++) {
    item = make_item_name(++counter_);
    made = make_folder(item);
    if (!made && errno != EEXIST) break;
  }
  if (!made) return fail_errno("cannot make an item in the quarantine");
  taken_++;
  items_++;
  return item;
}

void Quarantine::drop_item(const std::string& item) {
  // What cannot be removed is listed, and counts.
  if (!tree::remove_at(store_.get(), item)) return;
  items_--;
  taken_--;
}

Status Quarantine::write_record(const std::string& item, const Record& record) const {
  std::string path = item + "/" + kRecordName;
  Fd file(openat(store_.get(), path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                 0600));
  if (!file) return fail_errno("its record could not be made");
  if (Status written = file::write_all(file.get(), to_json(record)); !written)
    return std::unexpected(Error{"its record could not be written", written.error().err});
  return {};
}

// Whoever plants large things again and again must not fill the disk with them. One that is larger
// than can be counted here is kept, and the last.
void Quarantine::keep_within_bounds(const std::string& item, const struct stat& facts,
                                    Taken& taken) {
  constexpr size_t kMostCounted = 20'000;  // everything inside stands still meanwhile
  uint64_t bytes = static_cast<uint64_t>(facts.st_blocks) * 512;
  bool is_whole = true;
  Fd folder(openat(store_.get(), item.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (S_ISDIR(facts.st_mode) && folder) {
    auto count = [&](const std::string&, const struct stat& each) {
      bytes += static_cast<uint64_t>(each.st_blocks) * 512;
      return true;
    };
    is_whole = walk_hostile(folder.get(), kContentName, {0, kMostCounted}, count);
  }
  if (bytes_ <= limits_.bytes_of_run && bytes <= limits_.bytes_of_run - bytes_) {
    bytes_ = is_whole ? bytes_ + bytes : limits_.bytes_of_run;
    return;
  }
  // What cannot be removed stays and is listed.
  if (!folder || !remove_aside(folder.get(), kContentName, kContentName)) return;
  taken.outcome = Taken::Outcome::recorded;
  taken.why = "this run's part of the quarantine is full, " +
              std::to_string(limits_.bytes_of_run >> 20) + " MiB";
}

// What was moved is what lay there at that moment, which may not be what was seen.
Result<Taken> Quarantine::settle_moved(const std::string& item, const struct stat& seen,
                                       Record record, const Status& recorded) {
  Taken taken{Taken::Outcome::kept, item, record.kind};
  if (!recorded) taken.why = recorded.error().text();
  struct stat facts;
  std::string content = item + "/" + kContentName;
  if (fstatat(store_.get(), content.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0) return taken;
  taken.kind = kind_of(facts.st_mode);
  taken.swapped = !is_same_thing(facts, seen);
  keep_within_bounds(item, facts, taken);
  if (taken.kind == record.kind || !recorded) return taken;
  record.kind = taken.kind;
  if (Status again = write_record(item, record); !again) taken.why = again.error().text();
  return taken;
}

Result<Taken> Quarantine::copy_aside(int parent, const std::string& aside, const struct stat& seen,
                                     const std::string& item, Record record) {
  struct stat facts;
  if (fstatat(parent, aside.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0)
    return fail_errno("it cannot be looked at");
  Taken taken{Taken::Outcome::kept, item, kind_of(facts.st_mode), !is_same_thing(facts, seen)};
  if (taken.kind != record.kind) {
    record.kind = taken.kind;
    TRY(write_record(item, record));
  }
  if (!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode) && !S_ISLNK(facts.st_mode)) {
    taken.outcome = Taken::Outcome::recorded;
    taken.why = "a " + std::string(in_words(taken.kind)) + " cannot be copied";
    return taken;
  }
  TRY_ASSIGN(Fd folder, file::open_beneath(store_.get(), item, O_RDONLY | O_DIRECTORY));
  TRY_ASSIGN(Copied copied,
             copy_hostile(parent, aside, folder.get(), kContentName, limits_.copied));
  keep_within_bounds(item, facts, taken);
  if (taken.outcome == Taken::Outcome::kept && !copied.left_out.empty()) {
    taken.why = std::to_string(copied.left_out.size()) +
                (copied.left_out.size() == 1 ? " socket, FIFO or device in it was not kept"
                                             : " sockets, FIFOs or devices in it were not kept");
  }
  return taken;
}

// The store lies on another filesystem, or the kernel takes it for one: a bind mount, Landlock.
Result<Taken> Quarantine::take_across(int parent, const std::string& name, const struct stat& seen,
                                      const std::string& item, const Record& record,
                                      OpenedUp& opened) {
  std::string aside = put_aside(parent, name, opened);
  if (aside.empty()) {
    drop_item(item);
    return Taken{};
  }
  auto taken = copy_aside(parent, aside, seen, item, record);
  if (!taken) {
    drop_item(item);
    taken = Taken{Taken::Outcome::removed, "", record.kind, false,
                  "it could not be copied into the quarantine: " + taken.error().text()};
  }
  TRY(remove_aside(parent, aside, name));
  return taken;
}

Result<Taken> Quarantine::take(int parent, std::string_view view, const Origin& origin,
                               const Reason& reason) {
  if (!is_one_name(view)) return fail(text::quote(view) + " is no name in a folder");
  const std::string name(view);
  OpenedUp opened;
  struct stat seen;
  Error why;
  for (int i = 0; i < kMostTries; i++) {
    TRY_ASSIGN(bool there, look(parent, name, seen, opened));
    if (!there) return Taken{};
    auto item = make_item();
    if (!item) return discard(parent, name, seen, item.error(), opened);
    Record record{origin.path,           origin.run,           reason.rule, reason.text,
                  clock::wall_seconds(), kind_of(seen.st_mode)};
    Status recorded = write_record(*item, record);
    const std::string content = *item + "/" + kContentName;
    int err = move(parent, name, store_.get(), content);
    if (is_closed(err)) {
      opened.open(parent, name);
      err = move(parent, name, store_.get(), content);
    }
    if (err == 0) return settle_moved(*item, seen, std::move(record), recorded);
    if (err == EXDEV) return take_across(parent, name, seen, *item, record, opened);
    drop_item(*item);
    // Removing that would remove the person's state.
    if (err == EINVAL) return fail(text::quote(name) + " holds the quarantine itself");
    why = Error{"it could not be moved into the quarantine", err};
    if (err != ENOENT) break;  // else it went away, or somebody removed the item
  }
  return discard(parent, name, seen, why, opened);
}

}  // namespace ringwall::broker
