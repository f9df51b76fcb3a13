#include <algorithm>
#include <initializer_list>

#include "audit/checks.h"
#include "audit/known_hooks.h"
#include "base/git_keys.h"
#include "base/path.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "git/config.h"

namespace ringwall::audit {
namespace {

// They name no program, but switch one on or say how it is called.
constexpr std::string_view kTelling[] = {"core.attributesFile", "receive.procReceiveRefs",
                                         "ssh.variant"};

bool is_plain_true_or_false(std::string_view value) {
  std::string small = text::in_small_letters(value);
  return small == "true" || small == "false" || small == "1" || small == "0" || small.empty();
}

// An editor or pager that everybody knows, by its plain name, with options that run nothing.
bool is_plain_viewer(std::string_view value) {
  constexpr std::string_view kViewers[] = {"vi",   "vim", "nvim", "nano", "emacs", "code",  "hx",
                                           "subl", "cat", "less", "more", "delta", "micro", "bat"};
  constexpr std::string_view kOptions[] = {"--wait", "-w", "-F", "-R", "-X", "-FRX", "-FX", "-RFX"};
  auto words = text::split_in_place(value, ' ');
  bool is_known = std::ranges::find(kViewers, words[0]) != std::end(kViewers);
  for (size_t i = 1; i < words.size(); i++)
    is_known = is_known && std::ranges::find(kOptions, words[i]) != std::end(kOptions);
  return is_known;
}

// What people and well-known tools set, by value.
bool is_usual(std::string_view key, std::string_view value) {
  if (key == "core.fsmonitor") return is_plain_true_or_false(value);  // git's own daemon
  if (key == "core.hookspath") {
    for (std::string_view usual : {".husky", ".husky/_", ".githooks", ".git/hooks", "hooks"}) {
      if (value == usual) return true;
    }
    return false;
  }
  if (key == "core.editor" || key == "core.pager" || key == "sequence.editor" ||
      key.starts_with("pager."))
    return is_plain_true_or_false(value) || is_plain_viewer(value);
  if (key.starts_with("filter.lfs."))
    return value.starts_with("git-lfs ") && value.find_first_of(";|&$`<>") == std::string::npos;
  if (key.ends_with("helper")) {
    for (std::string_view usual :
         {"", "cache", "store", "osxkeychain", "libsecret", "manager", "manager-core",
          "!gh auth git-credential", "!/usr/bin/gh auth git-credential"}) {
      if (value == usual) return true;
    }
  }
  return false;
}

bool has_effect(const git::Key& key, std::initializer_list<git::Effect> wanted) {
  const git::KnownKey* known = git::find_known(key);
  return known != nullptr && std::ranges::find(wanted, known->effect) != wanted.end();
}

// Git hands the address to a program that it names.
bool is_helper_address(std::string_view url) {
  return url.starts_with('-') || url.starts_with("ext::") || url.starts_with("fd::");
}

bool runs_something(const git::Key& key, std::string_view value) {
  if (key.section == "alias") return value.starts_with('!');
  if (key.section == "submodule" && key.variable == "update") return value.starts_with('!');
  if (key.section == "url") return is_helper_address(key.subsection.value_or(""));
  if (key.section == "protocol" && key.variable == "allow")
    return key.subsection.value_or("ext") == "ext" && value == "always";
  if (key.section == "remote" && (key.variable == "url" || key.variable == "pushurl"))
    return is_helper_address(value);
  if (std::ranges::any_of(kTelling, [&](auto telling) { return git::matches_key(telling, key); }))
    return true;
  // Not what only may run something: most of those choose colours and formats, and stand in many a
  // clean project.
  return has_effect(key, {git::Effect::runs, git::Effect::hooks, git::Effect::includes});
}

// Another spelling of the same host, as people have it who use ssh instead of https.
bool leads_elsewhere(const git::Key& key, std::string_view value) {
  if (!has_effect(key, {git::Effect::redirects})) return false;
  std::string small = text::in_small_letters(value);
  if (key.variable == "sslverify") return small == "false" || small == "0" || small == "no";
  if (key.section != "url") return !value.empty();
  auto host = [](std::string_view url) {
    size_t at = url.find('@');
    bool is_short = !url.contains("://") && at != std::string_view::npos;  // git@github.com:
    if (is_short) return std::string(url.substr(at + 1, url.find(':', at) - at - 1));
    return host_of(url);
  };
  return host(key.subsection.value_or("")) != host(value);
}

bool is_git_path(std::string_view target, std::string_view folder) {
  return target.contains(std::string("/.git/") + std::string(folder) + "/") ||
         target.starts_with(std::string(".git/") + std::string(folder) + "/");
}

void check_key(const RepositoryFile& file, const git::GitConfig::Entry& entry, Reporter& reporter) {
  git::Key key = git::split_key(entry.key);
  std::string value = entry.value.value_or("true");
  std::string seen = entry.key + " = " + value;
  std::string unset = "git config --file " + text::shell_word(file.path) + " --unset-all " +
                      text::shell_word(entry.key);
  if (runs_something(key, value) && !is_usual(entry.key, value)) {
    reporter.add("RW241", file.path, entry.line, seen, unset);
  } else if (leads_elsewhere(key, value)) {
    reporter.add("RW254", file.path, entry.line, seen, unset);
  } else if (git::matches_key("core.worktree", key)) {
    // Those of submodules lead back to the submodule's folder.
    bool is_module = is_git_path(file.path, "modules") && value.starts_with("../");
    if (!is_module) reporter.add("RW243", file.path, entry.line, seen, unset);
  }
}

}  // namespace

void check_git_config(const RepositoryFile& file, Reporter& reporter) {
  auto config = git::parse_git_config(file.content);
  if (!config) {
    reporter.add("RW252", file.path, 0, config.error().what);
    return;
  }
  for (const git::GitConfig::Entry& entry : config->entries)
    check_key(file, entry, reporter);
}

void check_git_modules(const RepositoryFile& file, Reporter& reporter) {
  auto config = git::parse_git_config(file.content);
  if (!config) {
    reporter.add("RW246", file.path, 0, config.error().what);
    return;
  }
  for (const git::GitConfig::Entry& entry : config->entries) {
    git::Key key = git::split_key(entry.key);
    std::string value = entry.value.value_or("");
    std::string_view name = key.subsection.value_or("");
    bool is_bad_name = name.contains("..") || name.starts_with('-') || name.contains('\r');
    bool is_bad_url = key.variable == "url" &&
                      (is_helper_address(value) || value.contains("://-") || value.contains('\r') ||
                       value.contains('\n') || value.contains("%0a") || value.contains("%0A") ||
                       value.starts_with("file:") || value.starts_with('/'));
    bool is_bad_path = key.variable == "path" &&
                       (value.contains("..") || value.starts_with('-') || value.starts_with('/') ||
                        value.contains('\r') || value.contains('\n') || value == ".git" ||
                        text::in_small_letters(value).starts_with(".git/") ||
                        text::in_small_letters(value).contains("/.git/"));
    bool is_bad_update = key.variable == "update" && value.starts_with('!');
    if (is_bad_name || is_bad_url || is_bad_path || is_bad_update)
      reporter.add("RW246", file.path, entry.line, entry.key + " = " + value);
  }
}

// A .git that is a file: of a submodule or of a linked worktree it leads below a .git folder.
void check_git_file(const RepositoryFile& file, Reporter& reporter) {
  std::string_view line = text::trim(file.content);
  constexpr std::string_view kStart = "gitdir:";
  if (!line.starts_with(kStart)) return;
  std::string target(text::trim(line.substr(kStart.size())));
  bool is_usual = is_git_path("/" + target, "modules") || is_git_path("/" + target, "worktrees");
  if (!is_usual || target.contains('\n')) reporter.add("RW249", file.path, 1, line);
}

void check_git_hook(const RepositoryFile& file, Reporter& reporter) {
  if (is_hook_of_tool(file.content)) {
    reporter.add("RW245", file.path, 0, "");
  } else {
    reporter.add("RW244", file.path, 0, file.content.substr(0, 200));
  }
  check_command(file.path, 1, file.content, reporter);
}

void check_git_redirect(const RepositoryFile& file, Reporter& reporter) {
  std::string_view content = text::trim(file.content);
  if (content.empty()) return;
  if (file.path.ends_with("/alternates")) {
    reporter.add("RW253", file.path, 1, content);
    return;
  }
  // Of a linked worktree's folder it leads two up.
  bool is_usual = is_git_path(file.path, "worktrees") && content == "../..";
  if (!is_usual) reporter.add("RW243", file.path, 1, content);
}

}  // namespace ringwall::audit
