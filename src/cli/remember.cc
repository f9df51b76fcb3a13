#include "cli/remember.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/edit.h"
#include "policy/policy_file.h"
#include "state/places.h"

namespace ringwall::cli {

Result<std::string> write_down(const std::string& key, const std::string& value) {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  TRY_ASSIGN(Fd folder, file::make_dirs(places.config));
  // Two answers at once must not undo each other.
  if (flock(folder.get(), LOCK_EX) < 0) return fail_errno("cannot lock " + places.config);
  std::string path = path::join(places.config, "policy.toml");
  // As a run reads it: a link, or a file that others can write, is none of the person's.
  TRY_ASSIGN(auto there, policy::read_policy_file(path, getuid()));
  std::string before = there.value_or("");
  TRY_ASSIGN(std::string after, policy::add_to_list(before, key, value, path, caller.home));
  if (after == before) return std::string();
  struct stat facts;
  bool is_there = fstatat(folder.get(), "policy.toml", &facts, AT_SYMLINK_NOFOLLOW) == 0;
  TRY(file::replace_at(folder.get(), "policy.toml", after, is_there ? facts.st_mode & 0777 : 0644));
  return key + " in " + text::quote(path) + " now names " + text::quote(value);
}

Status remember(const std::string& key, const std::string& value) {
  TRY_ASSIGN(std::string said, write_down(key, value));
  if (!said.empty()) fprintf(stderr, "ringwall: %s\n", said.c_str());
  return {};
}

}  // namespace ringwall::cli
