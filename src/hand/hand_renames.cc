#include "hand/hand_renames.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/channel.h"
#include "base/file_id.h"
#include "base/fixed_message.h"
#include "base/syscalls.h"
#include "hand/caller_memory.h"

namespace ringwall::hand {
namespace {

// Git's settings, and the locks that it renames over them.
struct GitSettings {
  std::string_view config, lock;
};
constexpr GitSettings kNames[] = {{"config", "config.lock"},
                                  {"config.worktree", "config.worktree.lock"}};
constexpr size_t kFewLocks = 4;  // that are quicker looked for than a name is copied
constexpr off_t kMostLockBytes = 1 << 20;
constexpr size_t kMostWaiting = 64;

std::string_view name_of(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string folder_of(const std::string& path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Fd open_folder(int base, const char* path) {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  // Links may be followed: it is the config and the lock that are found there that count.
  how.resolve = RESOLVE_NO_MAGICLINKS;
  return Fd(sys::openat2(base, path, how));
}

// The one that a path ends in; none: a rename to it is not ours to look at.
const GitSettings* settings_at(std::string_view path) {
  auto found = std::ranges::find(kNames, name_of(path), &GitSettings::config);
  return found == std::end(kNames) ? nullptr : found;
}

Fd open_lock(int folder, std::string_view name) {
  open_how how{};
  how.flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;
  return Fd(sys::openat2(folder, name.data(), how));
}

bool is_rename(int number) {
  return number == SYS_rename || number == SYS_renameat || number == SYS_renameat2;
}

}  // namespace

CaughtRenames::CaughtRenames(Inputs inputs, TellRefusal tell)
    : in_(std::move(inputs)), tell_(std::move(tell)) {
  for (const std::string& config : in_.configs)
    locks_.push_back(config + ".lock");
}

void CaughtRenames::take_rename(bool hung_up) {
  const seccomp_notif* notice = in_.listener.receive();
  if (notice == nullptr) {
    if (hung_up) in_.listener.close();
    return;
  }
  if (!is_rename(notice->data.nr)) return take_file_call(*notice);
  const auto& arguments = notice->data.args;
  Call call{notice->id, static_cast<pid_t>(notice->pid), AT_FDCWD, AT_FDCWD, 0, 0};
  uint64_t flags = 0;
  if (notice->data.nr == SYS_rename) {
    call.from = arguments[0];
    call.to = arguments[1];
  } else {
    call.from_folder = static_cast<int>(arguments[0]);
    call.from = arguments[1];
    call.to_folder = static_cast<int>(arguments[2]);
    call.to = arguments[3];
    if (notice->data.nr == SYS_renameat2) flags = arguments[4];
  }
  if (flags != 0 || !asks_broker(call)) take_file_call(*notice);
}

// Goes on at once; what became of it is looked at afterwards.
void CaughtRenames::take_file_call(const seccomp_notif& notice) {
  auto asked = in_.wanted != nullptr ? in_.wanted->copy_arguments(notice) : std::nullopt;
  in_.listener.let_go_on(notice.id);
  if (asked) in_.wanted->judge(*asked);
}

Fd CaughtRenames::open_folder_of(const Call& call, int folder, const std::string& path) const {
  std::string name = folder_of(path);
  // Nobody inside has a root of their own: that of the namespace is everyone's.
  if (name[0] == '/') return open_folder(AT_FDCWD, name.c_str());
  std::string base =
      std::to_string(call.caller) + (folder == AT_FDCWD ? "/cwd" : "/fd/" + std::to_string(folder));
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  Fd start(sys::openat2(in_.processes, base.c_str(), how));
  if (!start) return Fd();
  return open_folder(start.get(), name.c_str());
}

int CaughtRenames::find_config(int folder, std::string_view name) const {
  struct stat target, known;
  if (fstatat(folder, name.data(), &target, AT_SYMLINK_NOFOLLOW) < 0) return -1;
  for (size_t i = 0; i < in_.configs.size(); i++) {
    // Looked up each time: the host may have replaced it.
    bool there = fstatat(AT_FDCWD, in_.configs[i].c_str(), &known, AT_SYMLINK_NOFOLLOW) == 0;
    if (there && S_ISREG(known.st_mode) && file::is_same(known, target)) return static_cast<int>(i);
  }
  return -1;
}

// Without a lock there is none: almost every rename is another's, and need not be looked at.
bool CaughtRenames::may_be_update() const {
  if (locks_.size() > kFewLocks) return true;
  struct stat facts;
  return std::ranges::any_of(locks_, [&](const std::string& lock) {
    return fstatat(AT_FDCWD, lock.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
  });
}

// False: it goes on as it is.
bool CaughtRenames::asks_broker(const Call& call) {
  if (!may_be_update()) return false;
  auto to = read_callers_text(call.caller, call.to);
  const GitSettings* settings = to ? settings_at(*to) : nullptr;
  if (settings == nullptr || !in_.broker) return false;
  auto from = read_callers_text(call.caller, call.from);
  if (!from || name_of(*from) != settings->lock || waiting_.size() >= kMostWaiting) return false;
  Fd folder = open_folder_of(call, call.to_folder, *to);
  Fd locks_folder = open_folder_of(call, call.from_folder, *from);
  // Else the number was another process's when we read.
  if (!folder || !locks_folder || !in_.listener.still_waits(call.id)) return false;
  if (!file::is_same(folder.get(), locks_folder.get())) return false;
  int config = find_config(folder.get(), settings->config);
  if (config < 0) return false;
  Fd lock = open_lock(folder.get(), settings->lock);
  struct stat facts;
  if (!lock || fstat(lock.get(), &facts) < 0 || !S_ISREG(facts.st_mode) || facts.st_nlink != 1 ||
      facts.st_size > kMostLockBytes)
    return false;
  ConfigUpdateAsk ask{++last_ticket_, static_cast<uint32_t>(config)};
  int fd = lock.get();
  if (!channel::send(in_.broker.get(), fixed::bytes_of(ask), {&fd, 1}, MSG_DONTWAIT)) return false;
  waiting_.push_back(
      {ask.ticket, call.id, ask.config, std::move(folder), settings->lock, file::id_of(facts)});
  return true;
}

void CaughtRenames::take_answer() {
  auto message = channel::receive(in_.broker.get(), MSG_DONTWAIT);
  auto answer = message && !message->bytes.empty() ? parse_update_answer(message->bytes)
                                                   : std::unexpected(Error{"gone"});
  if (!answer) return lose_broker();
  auto found = std::ranges::find_if(
      waiting_, [&](const Waiting& waiting) { return waiting.ticket == answer->ticket; });
  if (found == waiting_.end()) return;
  finish(*found, *answer);
  waiting_.erase(found);
}

void CaughtRenames::finish(Waiting& waiting, const ConfigUpdateAnswer& answer) {
  if (answer.err == 0) {
    // As after a rename, the lock is not there any more; unless it is another one already.
    struct stat facts;
    int folder = waiting.folder.get();
    const char* lock = waiting.name.data();  // a literal, ended by a zero
    if (fstatat(folder, lock, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
        file::id_of(facts) == waiting.lock)
      unlinkat(folder, lock, 0);
  } else if (answer.text[0] != '\0') {
    tell_(waiting.config, answer.text);
  }
  in_.listener.answer(waiting.id, answer.err < 0 ? EACCES : answer.err);
}

// Nothing hangs on it but such updates: the mount refuses them, as it does without a broker.
void CaughtRenames::lose_broker() {
  in_.broker.close();
  for (Waiting& waiting : waiting_)
    in_.listener.let_go_on(waiting.id);
  waiting_.clear();
}

}  // namespace ringwall::hand
