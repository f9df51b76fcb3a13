#include "guard/exec_scope.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <iterator>

#include "base/channel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "base/read_lease.h"
#include "guard/process_names.h"
#include "guard/recheck.h"
#include "identity/linkers.h"

#ifndef FAN_MARK_EVICTABLE
#define FAN_MARK_EVICTABLE 0x00000200
#endif

namespace ringwall::guard {
namespace {

constexpr uint64_t kBoth = FAN_OPEN_PERM | FAN_OPEN_EXEC_PERM;
constexpr uint32_t kProgram = RW_PROGRAM;
constexpr uint32_t kLibrary = RW_LIBRARY;
constexpr uint32_t kProgramAndLibrary = kProgram | kLibrary;
constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kRestSeconds = 10;  // until a verdict may be forgotten for want of room
constexpr uint32_t kMostToldInSecond = 64;
constexpr size_t kMostBuilt = 65536;

bool is_same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool is_before(const timespec& a, const timespec& b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

// Libraries may be opened unasked, but not executed.
uint64_t ignored_for(uint32_t may_be) { return (may_be & RW_PROGRAM) != 0 ? kBoth : FAN_OPEN_PERM; }

std::string own_path(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

}  // namespace

ExecScope::ExecScope(VerdictTable table, KernelGate& gate, DigestCache& cache, ScopeRules rules,
                     Sandbox sandbox, int peer)
    : table_(std::move(table)),
      gate_(gate),
      cache_(cache),
      rules_(std::move(rules)),
      sandbox_(std::move(sandbox)),
      peer_(peer),
      stop_(eventfd(0, EFD_CLOEXEC)),
      recheck_(new Recheck(gate_, table_,
                           [this](const rw_refusal& refusal) { tell_refused(refusal); })) {}

ExecScope::~ExecScope() {
  // First, so that nobody runs what we are not asked about any more.
  gate_.end_scope(id());
  recheck_.reset();
  if (!thread_.joinable()) return;
  uint64_t one = 1;
  (void)!::write(stop_.get(), &one, sizeof one);
  thread_.join();
}

void ExecScope::start() {
  thread_ = std::thread([this] { run(); });
}

void ExecScope::run() {
  GuardNotice answer;
  answer.kind = static_cast<uint32_t>(gate_.kind());
  Status begun = begin();
  answer.accepted = begun ? 1 : 0;
  if (!begun) fixed::put(answer.text, begun.error().text());
  send(answer);
  if (begun) answer_events();
}

Status ExecScope::begin() {
  // Nobody waits for a pipe's other end when we are shown it.
  constexpr unsigned kEventFlags = O_RDONLY | O_LARGEFILE | O_CLOEXEC | O_NONBLOCK;
  group_ = Fd(fanotify_init(
      FAN_CLASS_CONTENT | FAN_CLOEXEC | FAN_NONBLOCK | FAN_UNLIMITED_QUEUE | FAN_UNLIMITED_MARKS,
      kEventFlags));
  if (!group_) return fail_errno("cannot ask the kernel about opened files");
  clock_gettime(CLOCK_REALTIME_COARSE, &began_);
  TRY_ASSIGN(touched_, TouchedFiles::open());
  TRY_ASSIGN(mounts_, watch_mounts(group_.get(), sandbox_.pid));
  uint32_t flags = (rules_.flags & GuardRequest::kAnonymous) != 0 ? RW_ANONYMOUS_ALLOWED : 0;
  return gate_.begin_scope({id(), flags, flags}, sandbox_.pidfd.get(), sandbox_.process_namespace);
}

void ExecScope::answer_events() {
  alignas(fanotify_event_metadata) char buffer[16384];
  while (true) {
    pollfd waits[] = {
        {group_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}, {touched_.queue(), POLLIN, 0}};
    if (poll(waits, 3, -1) < 0 && errno != EINTR) return;
    if (waits[1].revents != 0) return;
    if (waits[2].revents != 0) take_touched();
    ssize_t left = ::read(group_.get(), buffer, sizeof buffer);
    auto* metadata = reinterpret_cast<fanotify_event_metadata*>(buffer);
    for (; FAN_EVENT_OK(metadata, left); metadata = FAN_EVENT_NEXT(metadata, left)) {
      if (metadata->fd >= 0) answer(*metadata);
    }
  }
}

void ExecScope::answer(const fanotify_event_metadata& metadata) {
  Fd file(metadata.fd);
  Event event{metadata.fd, metadata.pid, (metadata.mask & FAN_OPEN_EXEC_PERM) != 0, {}, {}};
  bool may = false;
  if (fstat(event.fd, &event.info) == 0) {
    auto mount = mounts_.find(mount_of(event.fd));
    if (mount != mounts_.end()) event.mount = mount->second;
    std::lock_guard lock(mutex_);
    may = judge(event);
  }
  fanotify_response response{event.fd, static_cast<uint32_t>(may ? FAN_ALLOW : FAN_DENY)};
  (void)!::write(group_.get(), &response, sizeof response);
}

// Whether it may be opened. What may be executed is left for the kernel's programs.
bool ExecScope::judge(Event& event) {
  if (!S_ISREG(event.info.st_mode)) {
    ignore(event, kBoth);
    return true;
  }
  bool is_code = looks_like_code(event.fd);
  file::ReadLease lease(event.fd);
  if (!lease.is_held()) return judge_writing(event, is_code);
  Known* known = find(event);
  if (known == nullptr && !is_code && !event.is_exec) {
    built_.erase(file::id_of(event.info));
    ignore(event, event.mount.read_only ? kBoth : FAN_OPEN_PERM);
    return true;
  }
  if (known == nullptr) {
    known = look_at(event);
  } else if (known->is_unwatched) {
    ignore(event, ignored_for(known->may_be));  // the kernel has forgotten that it need not ask
  }
  if (known != nullptr) return judge_known(event, *known, is_code);
  if (event.is_exec) tell_refused(event, nullptr, RW_EXEC, RW_UNKNOWN);
  return !event.is_exec;
}

// Somebody has it open for writing: mostly who opens it just now.
bool ExecScope::judge_writing(Event& event, bool is_code) {
  file::Id id = file::id_of(event.info);
  if (event.is_exec) {
    // A program is refused by the kernel, with the error that everybody knows.
    if (!is_code) tell_refused(event, nullptr, RW_EXEC, RW_WRITTEN);
    return is_code;
  }
  auto mapped = gate_.describe(event.fd);
  auto known = known_.find(id);
  if (known != known_.end()) {
    bool in_use = mapped && mapped->is_mapped_elsewhere && known->second.may_be != 0;
    if (in_use) {
      tell_refused(event, &known->second, RW_WRITE, RW_IN_USE);
      return false;
    }
    drop(known);
  }
  if ((rules_.flags & GuardRequest::kBuiltHere) != 0) {
    if (built_.size() >= kMostBuilt) built_.clear();
    built_[id] = mapped && mapped->writers == 1 && is_linker(event.pid);
  }
  return true;
}

bool ExecScope::judge_known(Event& event, const Known& known, bool is_code) {
  if (is_denied(known.digest)) {
    tell_refused(event, &known, event.is_exec ? RW_EXEC : RW_READ, RW_REFUSED);
    return false;
  }
  // The loader of programs is opened like one of them: the kernel's programs tell them apart.
  uint32_t wanted = is_code ? kProgramAndLibrary : kProgram;
  if (event.is_exec && (known.may_be & wanted) == 0) {
    tell_refused(event, &known, RW_EXEC, RW_REFUSED);
    return false;
  }
  return true;
}

ExecScope::Known* ExecScope::find(const Event& event) {
  auto found = known_.find(file::id_of(event.info));
  if (found == known_.end()) return nullptr;
  Known& known = found->second;
  if (is_same_time(known.changed, event.info.st_ctim) && known.size == event.info.st_size)
    return &known;
  drop(found);
  return nullptr;
}

// Null: its content cannot be told, or not be remembered.
ExecScope::Known* ExecScope::look_at(Event& event) {
  if (known_.size() >= kMostFiles - 1) forget_old();
  if (known_.size() >= kMostFiles - 1) return nullptr;
  // Whoever opens it for writing later must be seen.
  if (!event.mount.read_only) heed(event);
  auto file = examine(event.fd, event.info, gate_, cache_);
  if (!file) return nullptr;
  Known known{event.info.st_ctim,   event.info.st_size, file->key, file->digest,
              decide(event, *file), clock::monotonic(), false};
  if (known.may_be != 0 &&
      !gate_.let_run(table_, event.fd, file->key, file->digest, file->generation, known.may_be))
    return nullptr;
  bool changes_show = !file->in_memory || gate_.kind() == Kind::lsm;
  if (event.mount.read_only && changes_show && known.may_be != 0) leave_unwatched(event, known);
  uses_[known.digest]++;
  return &(known_[file::id_of(event.info)] = known);
}

// Touched while nobody watched yet, it is asked for at each open.
void ExecScope::leave_unwatched(Event& event, Known& known) {
  if (unwatched_ >= kMostFiles / 2) return;
  if (!touched_.watch(event.fd, file::id_of(event.info))) return;
  struct stat now;
  if (fstat(event.fd, &now) < 0 || !is_same_time(now.st_ctim, known.changed)) return;
  known.is_unwatched = true;
  unwatched_++;
  ignore(event, ignored_for(known.may_be));
}

void ExecScope::take_touched() {
  std::lock_guard lock(mutex_);
  auto touched = touched_.take();
  if (touched) {
    for (const file::Id& id : *touched)
      ask_again(known_.find(id));
    return;
  }
  for (auto at = known_.begin(); at != known_.end();)
    ask_again(at++);
}

// The next open is a question again. All marks go, since this file is not at hand; the others' come
// back with their next open.
void ExecScope::ask_again(KnownFiles::iterator at) {
  if (at == known_.end() || !at->second.is_unwatched) return;
  drop(at);
  (void)fanotify_mark(group_.get(), FAN_MARK_FLUSH, 0, AT_FDCWD, nullptr);
}

// What nobody heard of, as below an overlay, shows by what did not run: the next time it does.
void ExecScope::forget_touched(const rw_file_key& key) {
  std::lock_guard lock(mutex_);
  for (auto at = known_.begin(); at != known_.end();) {
    const rw_file_key& known = at->second.key;
    bool is_it = known.inode == key.inode && known.device == key.device;
    bool is_other_state = memcmp(&known, &key, sizeof key) != 0;
    auto next = std::next(at);
    if (is_it && is_other_state) ask_again(at);
    at = next;
  }
}

ExecScope::KnownFiles::iterator ExecScope::drop(KnownFiles::iterator at) {
  const Known& known = at->second;
  bool is_last = --uses_[known.digest] == 0;
  gate_.forget(table_, known.key, is_last ? &known.digest : nullptr);
  if (is_last) uses_.erase(known.digest);
  if (known.is_unwatched) unwatched_--;
  return known_.erase(at);
}

uint32_t ExecScope::decide(const Event& event, const ExaminedFile& file) {
  if (is_denied(file.digest)) return 0;
  if ((rules_.flags & GuardRequest::kAllowList) == 0) return kProgramAndLibrary;
  if (rules_.named.contains(file.digest)) return kProgramAndLibrary | RW_COMPILER;
  if (rules_.allowed.contains(file.digest)) return kProgramAndLibrary;
  // As it was when the sandbox began.
  if (event.mount.is_system && is_before(event.info.st_ctim, began_))
    return (rules_.flags & GuardRequest::kSystem) != 0 ? kProgramAndLibrary : kLibrary;
  auto built = built_.find(file::id_of(event.info));
  if (built != built_.end() && built->second) return kProgramAndLibrary;
  return 0;
}

// The kernel does not ask again until it is written to. The mark goes with the inode.
void ExecScope::ignore(const Event& event, uint64_t mask) {
  unsigned how = FAN_MARK_ADD | FAN_MARK_IGNORED_MASK;
  std::string path = own_path(event.fd);
  if (fanotify_mark(group_.get(), how | FAN_MARK_EVICTABLE, mask, AT_FDCWD, path.c_str()) < 0 &&
      errno == EINVAL)  // before 5.19
    (void)fanotify_mark(group_.get(), how, mask, AT_FDCWD, path.c_str());
}

void ExecScope::heed(const Event& event) {
  (void)fanotify_mark(group_.get(), FAN_MARK_REMOVE | FAN_MARK_IGNORED_MASK, kBoth, AT_FDCWD,
                      own_path(event.fd).c_str());
}

void ExecScope::forget_old() {
  int64_t now = clock::monotonic();
  for (auto at = known_.begin(); at != known_.end();) {
    const Known& known = at->second;
    bool stays = known.is_unwatched || now - known.since < kRestSeconds * kSecond;
    if (stays) {
      ++at;
      continue;
    }
    at = drop(at);
  }
}

bool ExecScope::is_linker(pid_t pid) const {
  std::string link = "/proc/" + std::to_string(pid) + "/exe";
  Fd program(::open(link.c_str(), O_PATH | O_CLOEXEC));
  if (!program) return false;
  auto mount = mounts_.find(mount_of(program.get()));
  if (mount == mounts_.end() || !mount->second.is_system) return false;
  auto path = file::read_link(own_path(program.get()));
  return path && identity::is_linker(*path);
}

void ExecScope::tell_refused(const Event& event, const Known* known, uint32_t how, uint32_t why) {
  GuardNotice notice{.type = GuardNotice::Type::refused};
  notice.how = how;
  notice.why = why;
  notice.pid = event.pid;
  if (known != nullptr) memcpy(notice.digest, known->digest.bytes.data(), kDigestSize);
  ProcessNames names = names_of(event.pid);
  fixed::put(notice.program, names.own);
  fixed::put(notice.parent, names.parent);
  if (auto path = file::read_link(own_path(event.fd))) fixed::put(notice.path, *path);
  send(notice);
}

void ExecScope::take_refusal(const rw_refusal& refusal) {
  if (refusal.why == RW_UNSURE || refusal.why == RW_UNSEEN) return recheck_->add(refusal);
  if (refusal.why == RW_UNKNOWN) forget_touched(refusal.key);
  tell_refused(refusal);
}

void ExecScope::tell_refused(const rw_refusal& refusal) {
  bool is_killed = gate_.kind() == Kind::tracepoints;
  GuardNotice notice{.type = GuardNotice::Type::refused};
  notice.how = refusal.how;
  notice.why = refusal.why;
  notice.pid = refusal.pid;
  notice.killed = is_killed ? 1 : 0;
  memcpy(notice.digest, refusal.digest.bytes, kDigestSize);
  fixed::put(notice.program, {refusal.program, strnlen(refusal.program, sizeof refusal.program)});
  fixed::put(notice.parent,
             {refusal.parent_program, strnlen(refusal.parent_program, sizeof notice.parent)});
  fixed::put(notice.path, {refusal.path, strnlen(refusal.path, sizeof refusal.path)});
  std::lock_guard lock(mutex_);
  send(notice);
}

// Never waits: who does not listen is told the number later. The caller holds the lock, or there
// is no other thread yet.
void ExecScope::send(GuardNotice notice) {
  int64_t second = clock::monotonic() / kSecond;
  if (second != second_) told_ = 0;
  second_ = second;
  notice.more = untold_;
  bool may = notice.type == GuardNotice::Type::answer || told_ < kMostToldInSecond;
  if (may && channel::send(peer_, fixed::bytes_of(notice), {}, MSG_DONTWAIT)) {
    told_++;
    untold_ = 0;
  } else {
    untold_++;
  }
}

}  // namespace ringwall::guard
