#include "policy/policy_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::policy {
namespace {

// Who could have written what is read here.
struct Writers {
  std::string file;
  unsigned caller;

  Status check(const struct stat& facts) const {
    std::string quoted = text::quote(file);
    if (facts.st_uid != caller && facts.st_uid != 0)
      return fail("policy " + quoted + " belongs to another user", "copy it to a file of your own");
    if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
      return fail("policy " + quoted + " can be written by others", "chmod go-w " + quoted);
    return {};
  }

  Status check_folder(const struct stat& facts) const {
    std::string folder = text::quote(path::parent(file));
    if (facts.st_uid != caller && facts.st_uid != 0) {
      return fail("policy " + text::quote(file) + " lies in a folder of another user",
                  "copy it to a folder of your own");
    }
    // In a folder like /tmp nobody can replace what is not theirs.
    bool others = (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0;
    if (others && (facts.st_mode & S_ISVTX) == 0) {
      return fail("policy " + text::quote(file) + " lies in a folder that others can write",
                  "chmod go-w " + folder);
    }
    return {};
  }
};

Status check_kind(const struct stat& facts, const std::string& file) {
  if (!S_ISREG(facts.st_mode)) return fail(text::quote(file) + " is not a file");
  if (facts.st_size > static_cast<off_t>(kLargestPolicyFile)) {
    return fail("policy " + text::quote(file) + " has " + std::to_string(facts.st_size) +
                    " bytes, and 1 MB is the most",
                "a policy names files and folders; it holds none");
  }
  return {};
}

std::unexpected<Error> cannot_open(const std::string& file, int err) {
  std::string quoted = text::quote(file);
  if (err == ELOOP) {
    return fail("policy " + quoted + " is a symbolic link, which may lead elsewhere tomorrow",
                "look where it leads: ls -l " + quoted +
                    "; then remove it, or write a file of your own in its place");
  }
  if (err == ENXIO) return fail(quoted + " is not a file");  // a socket
  errno = err;
  return fail_errno("cannot open " + quoted);
}

Result<std::string> read_text(int fd, const std::string& file) {
  auto text = file::read_all(fd, kLargestPolicyFile);
  if (!text) text.error().what = text::quote(file) + ": " + text.error().what;
  return text;
}

constexpr int kOpenFlags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC;

}  // namespace

Result<std::optional<std::string>> read_policy_file(const std::string& file, unsigned caller_uid) {
  // Mostly there is no such folder: one failed call.
  Fd folder(open(path::parent(file).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder && errno == ENOENT) return std::nullopt;
  if (!folder) return cannot_open(path::parent(file), errno);
  Fd fd(openat(folder.get(), std::string(path::basename(file)).c_str(), kOpenFlags));
  if (!fd && errno == ENOENT) return std::nullopt;
  if (!fd) return cannot_open(file, errno);
  struct stat facts, around;
  if (fstat(fd.get(), &facts) < 0 || fstat(folder.get(), &around) < 0)
    return fail_errno("cannot look at " + text::quote(file));
  TRY(check_kind(facts, file));
  Writers writers{file, caller_uid};
  TRY(writers.check(facts));
  TRY(writers.check_folder(around));
  return read_text(fd.get(), file);
}

Status check_policy_folder(int fd, const std::string& folder, unsigned caller_uid) {
  struct stat facts;
  if (fstat(fd, &facts) < 0) return fail_errno("cannot look at " + text::quote(folder));
  return Writers{path::join(folder, "policy.toml"), caller_uid}.check_folder(facts);
}

Result<std::optional<WorkspaceText>> read_workspace_file(int folder, const std::string& named) {
  // One name and no link: nothing but what lies in the folder itself can be opened.
  Fd fd(openat(folder, kWorkspaceFile, kOpenFlags));
  if (!fd && errno == ENOENT) return std::nullopt;
  if (!fd) return cannot_open(named, errno);
  struct stat facts;
  if (fstat(fd.get(), &facts) < 0) return fail_errno("cannot look at " + text::quote(named));
  TRY(check_kind(facts, named));
  TRY_ASSIGN(std::string text, read_text(fd.get(), named));
  return WorkspaceText{std::move(text), facts.st_uid};
}

}  // namespace ringwall::policy
