#include "git/worktree_settings.h"

#include <fcntl.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "base/path.h"
#include "git/config_update.h"
#include "git/vet.h"

namespace ringwall::git {
namespace {

constexpr size_t kMostWorktrees = 1000;  // more are not looked at, and so refused

GitRefusal refuse_waking(std::string_view what) {
  return {std::string(kReadsWorktreeConfig),
          "it makes git read " + std::string(kWorktreeConfig) + ", and " + std::string(what),
          "planted git settings that ran on the host"};
}

std::optional<GitRefusal> judge_one(int folder, const std::string& relative,
                                    const GitPlace& place) {
  auto file = file::open_beneath(folder, relative, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (!file && file.error().err == ENOENT) return std::nullopt;
  auto text = file ? read_wanted_config(file->get()) : std::unexpected(file.error());
  if (!text) return refuse_waking("one that lies there cannot be read: " + text.error().text());
  std::string whole = path::join(place.folder, relative);
  auto judged = judge_worktree_config(*text, {path::parent(whole), place.trees, place.only_read});
  if (judged) return std::nullopt;
  return refuse_waking("one that lies there says " + judged.error().text());
}

}  // namespace

std::optional<GitRefusal> judge_worktree_key(std::string_view key) {
  std::string_view section = git::split_key(key).section;
  if (section == "core" || section == "index" || section == "user") return std::nullopt;
  return refuse_key(
      key,
      "of a worktree alone git itself sets what is in it and who commits; remotes and branches "
      "are those of the repository");
}

std::optional<GitRefusal> judge_sleeping_settings(const GitPlace& place) {
  auto folder = file::open(place.folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!folder) return refuse_waking("where that lies cannot be looked at");
  std::string name(kWorktreeConfig);
  if (auto refused = judge_one(folder->get(), name, place)) return refused;
  auto worktrees =
      file::open_beneath(folder->get(), "worktrees", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!worktrees && worktrees.error().err == ENOENT) return std::nullopt;
  auto entries = worktrees ? file::list(worktrees->get()) : std::unexpected(worktrees.error());
  if (!entries || entries->size() > kMostWorktrees)
    return refuse_waking("not all worktrees can be looked at");
  for (const file::Entry& entry : *entries) {
    auto refused = judge_one(folder->get(), "worktrees/" + entry.name + "/" + name, place);
    if (refused) return refused;
  }
  return std::nullopt;
}

}  // namespace ringwall::git
