#include "hand/wanted_files.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/fd.h"
#include "base/path.h"
#include "base/syscalls.h"
#include "hand/caller_memory.h"

namespace ringwall::hand {
namespace {

using Want = calls::FileCall::Want;

constexpr uint32_t kNamesNetwork = 0xc6120000;  // 198.18.0.0/15; see net/redirect.h
constexpr uint16_t kNamesPort = 53;
constexpr size_t kMostPrograms = 4096;  // then they are looked up anew

// The kernel's own, which look different to each process and are never granted.
bool is_kernels(std::string_view path) {
  return path::is_beneath(path, "/proc") || path::is_beneath(path, "/dev") ||
         path::is_beneath(path, "/sys");
}

Fd open_place(const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_MAGICLINKS;
  return Fd(sys::openat2(AT_FDCWD, path.c_str(), how));
}

bool is_read_only(const std::string& path) {
  Fd place = open_place(path);
  struct statfs facts;
  return place && fstatfs(place.get(), &facts) == 0 && (facts.f_flags & ST_RDONLY) != 0;
}

// "10.1.2.3:80", "[fd00::1]:80"; empty if nobody misses it: the run's own loopback, addresses that
// stand for names, which are seen elsewhere, and its resolver.
std::string wanted_address(const sockaddr_storage& bytes) {
  char text[INET6_ADDRSTRLEN] = {};
  uint16_t port = 0;
  if (bytes.ss_family == AF_INET) {
    const auto& address = reinterpret_cast<const sockaddr_in&>(bytes);
    uint32_t number = ntohl(address.sin_addr.s_addr);
    bool is_ours = number == 0 || number >> 24 == 127 || number >> 17 == kNamesNetwork >> 17;
    port = ntohs(address.sin_port);
    if (!is_ours) inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
  } else if (bytes.ss_family == AF_INET6) {
    const auto& address = reinterpret_cast<const sockaddr_in6&>(bytes);
    const in6_addr& host = address.sin6_addr;
    bool is_ours = IN6_IS_ADDR_LOOPBACK(&host) || IN6_IS_ADDR_UNSPECIFIED(&host) ||
                   IN6_IS_ADDR_V4MAPPED(&host);
    port = ntohs(address.sin6_port);
    if (!is_ours) inet_ntop(AF_INET6, &host, text, sizeof text);
  }
  if (text[0] == '\0' || port == 0 || port == kNamesPort) return {};
  std::string shown = bytes.ss_family == AF_INET ? text : "[" + std::string(text) + "]";
  return shown + ":" + std::to_string(port);
}

Wanted noted_as(Want want) {
  switch (want) {
    case Want::look:
      return Wanted::look;
    case Want::read:
      return Wanted::read;
    case Want::execute:
      return Wanted::execute;
    case Want::connect:
      return Wanted::connect;
    default:
      return Wanted::write;
  }
}

}  // namespace

std::vector<ShownTree> shown_trees(const std::vector<sandbox::Mount>& mounts) {
  std::vector<ShownTree> trees;
  for (const sandbox::Mount& mount : mounts) {
    using Kind = sandbox::Mount::Kind;
    // What is laid over a tree changes nothing about what lies in it.
    if (mount.kind == Kind::read_only || mount.kind == Kind::mask || mount.kind == Kind::pin)
      continue;
    bool is_the_hosts =
        (mount.kind == Kind::bind || mount.kind == Kind::overlay) && mount.source == mount.target;
    trees.push_back({mount.target, is_the_hosts});
  }
  return trees;
}

WantedFiles::WantedFiles(Inputs inputs)
    : in_(std::move(inputs)),
      table_(in_.table),
      has_mask_(in_.mask >= 0 && fstat(in_.mask, &mask_) == 0) {}

std::string WantedFiles::link_of(const std::string& place) const {
  char target[PATH_MAX];
  ssize_t length = readlinkat(in_.processes, place.c_str(), target, sizeof target);
  return length > 0 ? std::string(target, static_cast<size_t>(length)) : std::string();
}

// By its file: a thread calls itself what it likes.
std::string WantedFiles::program_of(pid_t caller, bool executes) {
  if (programs_.size() >= kMostPrograms) programs_.clear();
  auto [entry, is_new] = programs_.try_emplace(caller);
  if (is_new) entry->second = path::basename(link_of(std::to_string(caller) + "/exe"));
  std::string program = entry->second;
  if (executes) programs_.erase(entry);  // it may be another one from here on
  return program;
}

// Nothing if it is no socket of the file system.
std::optional<std::string> WantedFiles::name_of_socket(pid_t caller, const calls::FileCall& call) {
  sockaddr_storage bytes{};
  if (call.length <= sizeof(sa_family_t) || call.length > sizeof bytes) return std::nullopt;
  if (!copy_from_caller(caller, call.name, &bytes, call.length)) return std::nullopt;
  if (bytes.ss_family != AF_UNIX) {
    std::string address = wanted_address(bytes);
    if (!address.empty()) table_.add(Wanted::reach, address, program_of(caller, false));
    return std::nullopt;
  }
  const auto& address = reinterpret_cast<const sockaddr_un&>(bytes);
  if (address.sun_path[0] == '\0') return std::nullopt;
  return std::string(address.sun_path, strnlen(address.sun_path, sizeof address.sun_path));
}

std::optional<WantedFiles::Asked> WantedFiles::copy_arguments(const seccomp_notif& notice) {
  auto call = calls::decode_file_call(notice.data);
  if (!call) return std::nullopt;
  auto caller = static_cast<pid_t>(notice.pid);
  std::string program = program_of(caller, call->want == Want::execute);
  auto name = call->want == Want::connect ? name_of_socket(caller, *call)
                                          : read_callers_text(caller, call->name);
  if (!name || name->empty()) return std::nullopt;
  Asked asked{call->want, std::move(*name), std::move(program)};
  if (asked.path[0] != '/') {
    bool from_here = call->folder == AT_FDCWD || call->want == Want::connect;
    std::string folder = link_of(std::to_string(caller) +
                                 (from_here ? "/cwd" : "/fd/" + std::to_string(call->folder)));
    if (!folder.starts_with('/')) return std::nullopt;
    asked.path = path::join(folder, asked.path);
  }
  if (is_kernels(asked.path)) return std::nullopt;
  return asked;
}

void WantedFiles::judge(const Asked& asked) {
  struct stat facts;
  int err = fstatat(AT_FDCWD, asked.path.c_str(), &facts, AT_NO_AUTOMOUNT) == 0 ? 0 : errno;
  if (err != 0 && err != ENOENT && err != ENOTDIR) return;
  bool is_there = err == 0;
  if (is_there && is_masked(facts) && asked.want != Want::look)
    return table_.add(noted_as(asked.want), asked.path, asked.program);
  bool changes =
      asked.want == Want::write || asked.want == Want::make || asked.want == Want::remove;
  if (changes) {
    bool ordinary = !is_there || S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode);
    if (ordinary) judge_change(asked, is_there);
    return;
  }
  if (!is_there && is_missed_from_host(asked.path))
    table_.add(noted_as(asked.want), asked.path, asked.program);
}

// Files in memory that are the run's own can be made; whether that is what was meant nobody knows.
void WantedFiles::judge_change(const Asked& asked, bool is_there) {
  bool of_another =
      (asked.want == Want::make && is_there) || (asked.want == Want::remove && !is_there);
  if (of_another) return;
  std::string folder = path::parent(asked.path);
  struct stat facts;
  bool has_folder = fstatat(AT_FDCWD, folder.c_str(), &facts, AT_NO_AUTOMOUNT) == 0;
  bool whole = is_there && asked.want == Want::write;
  bool refused =
      has_folder ? is_read_only(whole ? asked.path : folder) : is_missed_from_host(asked.path);
  if (refused) table_.add(Wanted::write, asked.path, asked.program);
}

// Where the host's own tree is shown, what is missing is missing outside too: searches along PATH
// and for libraries end here.
bool WantedFiles::is_missed_from_host(const std::string& path) const {
  for (std::string at = path; at != "/"; at = path::parent(at)) {
    struct stat facts;
    bool is_link =
        fstatat(AT_FDCWD, at.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(facts.st_mode);
    Fd place = open_place(at);
    if (!place && is_link) return true;  // leads to what is not there inside
    if (!place) continue;
    std::string real = link_of("self/fd/" + std::to_string(place.get()));
    const ShownTree* shown = nullptr;
    for (const ShownTree& tree : in_.trees) {
      bool deeper = shown == nullptr || tree.target.size() >= shown->target.size();
      if (deeper && path::is_beneath(real, tree.target)) shown = &tree;
    }
    return shown == nullptr || !shown->is_the_hosts;
  }
  return true;
}

}  // namespace ringwall::hand
