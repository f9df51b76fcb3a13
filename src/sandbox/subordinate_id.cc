#include "sandbox/subordinate_id.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/fd.h"
#include "base/file.h"
#include "base/shell_word.h"
#include "base/spawn_program.h"
#include "base/text.h"

namespace ringwall::sandbox {
namespace {

constexpr const char* kRanges = "/etc/subuid";
constexpr size_t kMostRanges = 1 << 20;
constexpr uint64_t kUsualFirst = 100'000;
constexpr uint64_t kUsualCount = 65'536;

// Never looked for in PATH: it decides what belongs to root inside.
constexpr const char* kPrograms[] = {"/usr/bin/newuidmap", "/run/wrappers/bin/newuidmap"};

struct Range {
  std::string owner;
  uint64_t first = 0;
  uint64_t count = 0;
};

std::optional<uint64_t> number(const std::string& text) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > UINT32_MAX) return {};
  return value;
}

// Lines that are none are left out, as newuidmap does.
std::vector<Range> ranges_in(std::string_view subuid) {
  std::vector<Range> ranges;
  for (const std::string& line : text::split(subuid, '\n')) {
    std::vector<std::string> parts = text::split(line, ':');
    if (parts.size() != 3) continue;
    auto first = number(parts[1]);
    auto count = number(parts[2]);
    if (first && count && *count > 0) ranges.push_back({parts[0], *first, *count});
  }
  return ranges;
}

const char* mapping_program() {
  auto found =
      std::ranges::find_if(kPrograms, [](const char* path) { return access(path, X_OK) == 0; });
  return found == std::end(kPrograms) ? nullptr : *found;
}

// What it says of a refusal, up to its end.
std::string read_words(int fd) {
  std::string words;
  char bytes[512];
  ssize_t got = 0;
  while ((got = read(fd, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR)) {
    if (got > 0 && words.size() < sizeof bytes) words.append(bytes, static_cast<size_t>(got));
  }
  return text::escape(words.substr(0, words.find('\n')));
}

}  // namespace

std::optional<uid_t> first_subordinate_id(std::string_view subuid, const std::string& user,
                                          uid_t uid) {
  for (const Range& range : ranges_in(subuid)) {
    bool own = range.owner == user || range.owner == std::to_string(uid);
    // Root's own id, or the caller's, would not be a second one.
    if (own && range.first != 0 && range.first != uid) return static_cast<uid_t>(range.first);
  }
  return {};
}

std::string command_for_subordinate_ids(std::string_view subuid, const std::string& user) {
  uint64_t first = kUsualFirst;
  for (const Range& range : ranges_in(subuid))
    first = std::max(first, range.first + range.count);
  return "sudo usermod --add-subuids " + std::to_string(first) + "-" +
         std::to_string(first + kUsualCount - 1) + " " + text::shell_word(user);
}

Result<uid_t> find_subordinate_id(uid_t uid) {
  // As newuidmap finds it; USER may say anything.
  const passwd* entry = getpwuid(uid);
  if (entry == nullptr) return fail("uid " + std::to_string(uid) + " has no name on this host");
  std::string user = entry->pw_name;
  auto subuid = file::read(kRanges, kMostRanges);
  std::string ranges = subuid ? *subuid : "";
  auto id = first_subordinate_id(ranges, user, uid);
  bool has_program = mapping_program() != nullptr;
  std::string mend = has_program ? "" : "sudo apt install uidmap";
  if (!id) {
    mend += (mend.empty() ? "" : " && ") + command_for_subordinate_ids(ranges, user);
    return fail("/etc/subuid gives " + text::quote(user) + " no subordinate id", mend);
  }
  if (!has_program) return fail("newuidmap is not installed", mend);
  return *id;
}

Status map_subordinate_id(pid_t child, uid_t uid, uid_t as_root) {
  const char* program = mapping_program();
  if (program == nullptr) return fail("newuidmap is not installed", "sudo apt install uidmap");
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return fail_errno("cannot make a pipe");
  Fd words(ends[0]);
  Fd theirs(ends[1]);
  std::string own = std::to_string(uid);
  using process::ProgramStart;
  TRY_ASSIGN(pid_t pid, process::spawn_program({.file = program,
                                                .words = {program, std::to_string(child), own, own,
                                                          "1", "0", std::to_string(as_root), "1"},
                                                .variables = std::vector<std::string>(),
                                                .stdio = {ProgramStart::kNowhere,
                                                          ProgramStart::kNowhere, theirs.get()}}));
  theirs.close();
  std::string said = read_words(words.get());
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  // Not its exit status, which nobody hears whose caller ignores SIGCHLD.
  TRY_ASSIGN(std::string map, file::read("/proc/" + std::to_string(child) + "/uid_map"));
  if (!map.empty()) return {};
  return fail(
      "newuidmap has refused" + (said.empty() ? "" : ": " + said),
      "newuidmap must be setuid root (sudo apt install --reinstall uidmap), and Ringwall must "
      "not be started under no_new_privs");
}

}  // namespace ringwall::sandbox
