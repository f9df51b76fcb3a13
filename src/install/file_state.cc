#include "install/file_state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::install {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

std::string start_of_temporary(const std::string& path) {
  return "." + std::string(path::basename(path)) + ".ringwall-";
}

std::string temporary_name(const std::string& path) {
  return path::join(path::parent(path), start_of_temporary(path) + std::to_string(getpid()));
}

Status set_facts(const std::string& path, const FileState& state) {
  if (geteuid() == 0 && lchown(path.c_str(), state.owner, state.group) < 0)
    return fail_errno("cannot give " + text::quote(path) + " to its owner");
  if (state.is_file() && chmod(path.c_str(), state.mode) < 0)
    return fail_errno("cannot set the mode of " + text::quote(path));
  timespec times[2] = {{0, UTIME_OMIT}, {state.changed / kSecond, state.changed % kSecond}};
  if (state.changed != 0 && utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW) < 0)
    return fail_errno("cannot set the time of " + text::quote(path));
  return {};
}

Status make_at(const std::string& path, const FileState& state) {
  if (state.is_link()) {
    if (symlink(state.content.c_str(), path.c_str()) < 0)
      return fail_errno("cannot make the link " + text::quote(path));
    return {};
  }
  TRY_ASSIGN(Fd fd, file::open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  TRY(file::write_all(fd.get(), state.content));
  if (fsync(fd.get()) < 0) return fail_errno("cannot write " + text::quote(path));
  return {};
}

}  // namespace

Result<FileState> look_at(const std::string& path, size_t most) {
  struct stat facts;
  if (lstat(path.c_str(), &facts) < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return FileState{};
    return fail_errno("cannot look at " + text::quote(path));
  }
  FileState out{.kind = FileState::Kind::other,
                .mode = facts.st_mode & 07777,
                .changed = facts.st_mtim.tv_sec * kSecond + facts.st_mtim.tv_nsec,
                .owner = facts.st_uid,
                .group = facts.st_gid};
  if (S_ISLNK(facts.st_mode)) {
    out.kind = FileState::Kind::link;
    TRY_ASSIGN(out.content, file::read_link(path));
  } else if (S_ISREG(facts.st_mode)) {
    out.kind = FileState::Kind::file;
    out.whole = static_cast<uint64_t>(facts.st_size) <= most;
    if (out.whole) {
      TRY_ASSIGN(out.content, file::read(path, most));
    }
  }
  return out;
}

bool same_content(const FileState& one, const FileState& other) {
  return one.kind == other.kind && one.whole && other.whole && one.content == other.content &&
         (one.is_link() || one.mode == other.mode);
}

void remove_leftovers(const std::string& path) {
  auto folder = file::open(path::parent(path), O_RDONLY | O_DIRECTORY);
  if (!folder) return;
  auto entries = file::list(folder->get());
  if (!entries) return;
  std::string start = start_of_temporary(path);
  for (const file::Entry& entry : *entries) {
    if (!entry.name.starts_with(start) || entry.name.size() == start.size()) continue;
    bool is_number = entry.name.find_first_not_of("0123456789", start.size()) == std::string::npos;
    if (is_number) unlinkat(folder->get(), entry.name.c_str(), 0);
  }
}

Status put(const std::string& path, const FileState& state) {
  if (state.is_absent()) {
    if (unlink(path.c_str()) < 0 && errno != ENOENT)
      return fail_errno("cannot remove " + text::quote(path));
    return {};
  }
  if (!state.whole)
    return fail("what lay at " + text::quote(path) +
                " is not known whole, and cannot be put there");
  std::string made = temporary_name(path);
  remove_leftovers(path);
  Status done = make_at(made, state);
  if (done) done = set_facts(made, state);
  if (done && rename(made.c_str(), path.c_str()) < 0)
    done = fail_errno("cannot replace " + text::quote(path));
  if (!done) unlink(made.c_str());
  return done;
}

Result<std::vector<std::string>> make_folders(const std::string& folder, mode_t mode) {
  std::vector<std::string> missing;
  for (std::string at = folder; !file::exists(at) && at != "/"; at = path::parent(at))
    missing.insert(missing.begin(), at);
  for (const std::string& one : missing) {
    if (mkdir(one.c_str(), mode) < 0 && errno != EEXIST)
      return fail_errno("cannot make " + text::quote(one));
  }
  return missing;
}

}  // namespace ringwall::install
