// Fuzz target of everything that reads git's files. The text is split at its first 0x1e byte: what
// the person has, and what is asked for inside. Whatever they hold:
//   what was read and written reads back the same; an update that is let through has the keys asked
//   for and no more; a key that runs something is never among those that came in; a line that would
//   run a program never passes as a rebase list.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/git_keys.h"
#include "git/config.h"
#include "git/config_judge.h"
#include "git/config_rules.h"
#include "git/interrupted.h"
#include "git/vet.h"

namespace ringwall::fuzz {
namespace {

using namespace ringwall::git;

void expect(bool holds, const char* what, std::string_view text) {
  if (holds) return;
  fprintf(stderr, "a promise is broken: %s\n%.*s\n", what, static_cast<int>(text.size()),
          text.data());
  abort();
}

// A second opinion, by the names alone.
bool runs_something(const std::string& key, const std::vector<GitValue>& values) {
  for (const char* part : {"hookspath", "fsmonitor", "command", "editor", "pager", "helper",
                           "insteadof", "program", "driver", "textconv", "include", "alias.",
                           "uploadpack", "receivepack", ".vcs", "pushremote"}) {
    if (git::split_key(key).variable.find(part) != std::string_view::npos || key.starts_with(part))
      return true;
  }
  for (const GitValue& value : values) {
    if (value && (value->starts_with('!') || value->starts_with("ext::"))) return true;
  }
  return false;
}

void try_update(const GitConfig& person, const GitConfig& wanted) {
  auto update = judge_git_config(person, person, wanted, {});
  if (!update) {
    expect(!update.error().text().empty(), "a refusal has words", wanted.text);
    return;
  }
  auto written = parse_git_config(update->text);
  expect(written.has_value(), "what is written can be read", update->text);
  GitKeys before = keys_of(person), after = keys_of(*written);
  expect(after == keys_of(wanted), "what is written is what was asked for", update->text);
  for (const auto& [key, values] : after) {
    auto old = before.find(key);
    bool same = old != before.end() && old->second == values;
    bool moved = key.starts_with("branch.") || key.starts_with("remote.");
    if (!same && !moved) expect(!runs_something(key, values), "nothing runs", key);
    if (old != before.end() && (key.ends_with(".url") || key.ends_with(".pushurl")))
      expect(same, "no address of the person changes", key);
  }
}

// Of a worktree alone: what is in it, and who commits.
void try_worktree_update(const GitConfig& person, const GitConfig& wanted) {
  GitScene scene;
  scene.is_of_worktree = true;
  if (!judge_git_config(person, person, wanted, scene)) return;
  GitKeys before = keys_of(person);
  for (const auto& [key, values] : keys_of(wanted)) {
    auto old = before.find(key);
    if (old != before.end() && old->second == values) continue;
    expect(key.starts_with("core.") || key.starts_with("index.") || key.starts_with("user."),
           "a worktree alone leads nowhere", key);
    expect(!runs_something(key, values), "nothing runs in a worktree alone", key);
  }
}

void try_one(std::string_view text) {
  size_t split = text.find('\x1e');
  std::string_view second = split < text.size() ? text.substr(split + 1) : text;
  auto person = parse_git_config(text.substr(0, split)), wanted = parse_git_config(second);
  if (wanted) {
    std::vector<std::pair<std::string, GitValue>> pairs;
    for (const GitConfig::Entry& entry : wanted->entries)
      pairs.emplace_back(entry.key, entry.value);
    auto again = parse_git_config(render_git_config(pairs));
    expect(again && keys_of(*again) == keys_of(*wanted), "rendering reads back", second);
  }
  if (person && wanted) {
    expect(edit_git_config(*person, *wanted).has_value(), "every edit can be made", text);
    try_update(*person, *wanted);
    try_worktree_update(*person, *wanted);
  }

  const std::string tree = "/ws";
  GitPlace place{"/ws/.git/modules/m", {&tree, 1}};
  if (auto judged = judge_new_config(second, place)) {
    for (const auto& [key, values] : keys_of(*wanted))
      expect(!runs_something(key, values), "nothing new runs", key);
    bool inside = judged->worktree.empty() || judged->worktree.starts_with("/ws/");
    expect(inside, "a working tree stays inside", judged->worktree);
    for (const auto& [key, values] : keys_of(*wanted)) {
      for (const GitValue& value : values) {
        bool is_remote = key.starts_with("remote.") && is_address(git::split_key(key));
        bool is_told = std::ranges::any_of(judged->remotes, [&](const AddedRemote& remote) {
          return value == remote.address && key.starts_with("remote." + remote.name + ".");
        });
        expect(!is_remote || is_local_url(*value) || is_told, "no remote goes unheard", key);
      }
    }
  }
  if (auto target = judge_git_file(second, place))
    expect(target->starts_with("/ws/"), "a git file leads inside", *target);
  if (auto target = judge_worktree_gitdir(second, place))
    expect(target->starts_with("/ws/"), "a worktree lies inside", *target);
  if (!judge_of_interrupted("rebase-merge/git-rebase-todo")(second)) {
    std::string lines = "\n" + std::string(second);
    expect(lines.find("\nexec ") == std::string::npos && lines.find("\nx ") == std::string::npos,
           "a rebase runs nothing", second);
  }
  for (const char* name : {"rebase-merge/strategy_opts", "rebase-merge/msgnum"}) {
    if (judge_of_interrupted(name)(second)) continue;
    expect(second.find_first_of("$`;&|<>(){}\\") == second.npos, "no sign of the shell", second);
  }
  bool names_places =
      second.find("clude=") != second.npos || second.find("directory=") != second.npos;
  if (!names_places && !judge_of_interrupted("rebase-apply/apply-opt")(second))
    expect(second.find_first_of("/$`") == second.npos, "no option names a file to be written",
           second);
}

}  // namespace
}  // namespace ringwall::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;  // the first two bytes are for targets that have options
  ringwall::fuzz::try_one({reinterpret_cast<const char*>(data) + 2, size - 2});
  return 0;
}
