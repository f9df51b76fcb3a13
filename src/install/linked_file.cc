#include "install/linked_file.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/path.h"
#include "base/text.h"

namespace ringwall::install {
namespace {

constexpr std::string_view kForDotfiles[] = {".dotfiles", ".dots"};
// Below ~/.config: of shells, and of those who keep such files there.
constexpr std::string_view kInConfig[] = {"bash", "zsh", "fish", "shell", "sh", "dotfiles"};

bool is_hidden(std::string_view name) { return name.starts_with('.'); }

template <class List>
bool has(const List& list, std::string_view name) {
  return std::ranges::find(list, name) != std::end(list);
}

// ~/.ssh/authorized_keys, ~/.netrc, ~/.docker/config.json are nobody's settings of an agent.
bool is_in_others_folder(const std::string& home, const std::string& named,
                         const std::string& real) {
  std::vector<std::string> own = path::components(named.substr(home.size()));
  std::vector<std::string> parts = path::components(real.substr(home.size()));
  for (size_t i = 0; i < parts.size(); i++) {
    if (!is_hidden(parts[i]) || has(own, parts[i]) || has(kForDotfiles, parts[i])) continue;
    bool is_config = i == 0 && parts[i] == ".config" && parts.size() > 2;
    if (!is_config || !has(kInConfig, parts[1])) return true;
  }
  return false;
}

// A group that has the account's own name has no other members, as distributions make them.
bool is_own_group(gid_t group, uid_t uid) {
  const passwd* account = getpwuid(uid);
  return account != nullptr && account->pw_gid == group;
}

Status check_folder(const Scope& scope, const std::string& folder) {
  struct stat facts;
  if (stat(folder.c_str(), &facts) < 0) return fail_errno("cannot look at " + text::quote(folder));
  uid_t owner = scope.system ? 0 : scope.uid;
  bool is_shared = (facts.st_mode & 0002) != 0 ||
                   ((facts.st_mode & 0020) != 0 && !is_own_group(facts.st_gid, owner));
  if (is_shared || (facts.st_uid != owner && facts.st_uid != 0))
    return fail("others can change what lies in " + text::quote(folder));
  return {};
}

}  // namespace

Status check_linked_file(const Scope& scope, const std::string& named, const std::string& real) {
  if (named == real) return {};
  std::string hint = "make it a plain file, or let it lead to a folder of yours for such files";
  std::string what =
      text::quote(named) + " leads to " + text::quote(real) + ", which is not edited";
  if (!scope.system) {
    if (!path::is_beneath(real, scope.home)) return fail(what + ": it is not in your home", hint);
    bool is_named_in_home = path::is_beneath(named, scope.home);
    if (is_in_others_folder(scope.home, is_named_in_home ? named : scope.home, real))
      return fail(what + ": that folder is for something else", hint);
  }
  if (Status safe = check_folder(scope, path::parent(real)); !safe)
    return fail(what + ": " + safe.error().what, hint);
  return {};
}

}  // namespace ringwall::install
