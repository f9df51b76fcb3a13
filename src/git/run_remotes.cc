#include "git/run_remotes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/git_keys.h"
#include "git/config_rules.h"
#include "git/config_update.h"

namespace ringwall::git {
namespace {

std::vector<GitValue> addresses(const GitKeys& keys, const std::string& name) {
  std::vector<GitValue> all;
  for (const char* variable : {".url", ".pushurl"}) {
    auto found = keys.find("remote." + name + variable);
    if (found == keys.end()) continue;
    all.emplace_back(variable);
    all.insert(all.end(), found->second.begin(), found->second.end());
  }
  return all;
}

}  // namespace

RemoteNames remotes_of(const GitConfig& config) {
  RemoteNames names;
  for (const GitConfig::Entry& entry : config.entries) {
    git::Key key = git::split_key(entry.key);
    if (key.section == "remote" && key.subsection) names.emplace(*key.subsection);
  }
  return names;
}

RemoteNames RunRemotes::find_in(const GitConfig& config) const {
  if (folder_ < 0) return {};
  RemoteNames names = remotes_of(config);
  auto kept = file::open_beneath(folder_, name_, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!kept) return kept.error().err == ENOENT ? RemoteNames() : names;
  auto text = file::read_all(kept->get(), 2 * kMostGitConfigBytes);
  auto known = text ? parse_git_config(*text) : std::unexpected(text.error());
  if (!known) return names;
  GitKeys then = keys_of(*known), now = keys_of(config);
  std::erase_if(names, [&](const std::string& name) {
    std::vector<GitValue> was = addresses(then, name);
    return was.empty() || was != addresses(now, name);
  });
  return names;
}

Status RunRemotes::keep(const GitConfig& config, const RemoteNames& names) {
  if (folder_ < 0) return {};
  std::vector<std::pair<std::string, GitValue>> kept;
  for (const GitConfig::Entry& entry : config.entries) {
    git::Key key = git::split_key(entry.key);
    if (key.section == "remote" && is_address(key) && names.contains(*key.subsection))
      kept.emplace_back(entry.key, entry.value);
  }
  if (!kept.empty()) return keep_bytes({folder_, name_}, render_git_config(kept));
  if (unlinkat(folder_, name_.c_str(), 0) < 0 && errno != ENOENT)
    return fail_errno("cannot forget the remotes of runs");
  return {};
}

}  // namespace ringwall::git
