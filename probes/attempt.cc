#include "probes/attempt.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/fd.h"
#include "base/file.h"

namespace ringwall::probes {

int read_secret(const std::string& path, std::string_view secret) {
  Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) return errno;
  char bytes[4096];
  ssize_t count = read(file.get(), bytes, sizeof bytes);
  if (count < 0) return errno;
  std::string_view content(bytes, static_cast<size_t>(count));
  return !secret.empty() && content.find(secret) != std::string_view::npos ? 0 : ENODATA;
}

int try_open(const std::string& path, int flags) {
  Fd file(open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600));
  return file ? 0 : errno;
}

int try_connect(const std::string& path, bool abstract) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  size_t lead = abstract ? 1 : 0;
  if (path.size() + lead >= sizeof address.sun_path) return ENAMETOOLONG;
  memcpy(address.sun_path + lead, path.data(), path.size());
  auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + lead + path.size());
  int err = 0;
  for (int type : {SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM}) {
    Fd socket(::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) return errno;
    if (connect(socket.get(), reinterpret_cast<sockaddr*>(&address), size) == 0) return 0;
    err = errno;
    if (err == EAGAIN) return 0;  // somebody listens, with no place left in the queue
    if (err != EPROTOTYPE) return err;
  }
  return err;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  Fd dir(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!dir) return names;
  auto entries = file::list(dir.get());
  if (!entries) {
    errno = entries.error().err;
    return names;
  }
  for (const file::Entry& entry : *entries)
    names.push_back(entry.name);
  errno = 0;
  return names;
}

std::vector<int> visible_pids() {
  std::vector<int> pids;
  for (const std::string& name : names_in("/proc")) {
    bool number =
        std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number) pids.push_back(atoi(name.c_str()));
  }
  std::sort(pids.begin(), pids.end());
  return pids;
}

unsigned long start_time_of(int pid) {
  auto stat = file::read("/proc/" + std::to_string(pid) + "/stat", 4096);
  if (!stat) return 0;
  size_t at = stat->rfind(')');  // the name before it may hold anything
  if (at == std::string::npos) return 0;
  constexpr int kFieldsBetween = 20;  // from the state, field 3, to field 22
  for (int i = 0; i < kFieldsBetween && at != std::string::npos; i++)
    at = stat->find(' ', at + 1);
  return at == std::string::npos ? 0 : strtoul(stat->c_str() + at, nullptr, 10);
}

Scratch::Scratch(const std::string& workspace) {
  std::string made = workspace + "/.ringwall-probe-XXXXXX";
  if (!workspace.empty() && mkdtemp(made.data()) != nullptr) path_ = made;
}

Scratch::~Scratch() {
  if (path_.empty()) return;
  // tree::remove_at needs openat2, which is not there inside. An error has nobody to be told
  // to: what stays is seen by the test that looks for it.
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace ringwall::probes
