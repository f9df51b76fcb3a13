#include "audit/known_hooks.h"

#include <algorithm>
#include <span>
#include <string>

#include "base/text.h"

namespace ringwall::audit {
namespace {

// How a line may begin; what follows must be plain words, or "$@".
constexpr std::string_view kLfs[] = {"git lfs "};
constexpr std::string_view kLfsMissing = "command -v git-lfs >/dev/null || exit 2";
constexpr std::string_view kPreCommit[] = {
    "INSTALL_PYTHON=/",
    "INSTALL_PYTHON=''",
    "ARGS=(hook-impl --config=",
    "HERE=\"$(cd \"$(dirname \"$0\")\" && pwd)\"",
    "ARGS+=(--hook-dir \"$HERE\" -- \"$@\")",
    "if [ -x \"$INSTALL_PYTHON\" ]; then",
    "exec \"$INSTALL_PYTHON\" -mpre_commit \"${ARGS[@]}\"",
    "elif command -v pre-commit > /dev/null; then",
    "exec pre-commit \"${ARGS[@]}\"",
    "exec pre-commit run",
    "else",
    "echo '`pre-commit` not found.  Did you forget to activate your virtualenv?' 1>&2",
    "exit 1",
    "fi",
};
constexpr std::string_view kLefthook[] = {
    "if [ \"$LEFTHOOK_VERBOSE\" = \"1\" -o \"$LEFTHOOK_VERBOSE\" = \"true\" ]; then",
    "set -x",
    "if [ \"$LEFTHOOK\" = \"0\" ]; then",
    "exit 0",
    "call_lefthook()",
    "{",
    "}",
    "then",
    "else",
    "fi",
    "if test -n \"$LEFTHOOK_BIN\"",
    "\"$LEFTHOOK_BIN\"",
    "dir=\"$(git rev-parse --show-toplevel)\"",
    "osArch=$(uname | tr '[:upper:]' '[:lower:]')",
    "cpuArch=$(uname -m | sed 's/aarch64/arm64/;s/x86_64/x64/')",
    "if test -f \"$dir/node_modules/lefthook",
    "elif test -f \"$dir/node_modules/lefthook",
    "elif test -f \"$dir/node_modules/@evilmartians/lefthook",
    "\"$dir/node_modules/lefthook",
    "\"$dir/node_modules/@evilmartians/lefthook",
    "lefthook -h",
    "elif lefthook -h",
    "lefthook",
    "elif bundle exec lefthook",
    "bundle exec lefthook",
    "elif yarn lefthook",
    "yarn lefthook",
    "elif pnpm lefthook",
    "pnpm lefthook",
    "elif swift package lefthook",
    "swift package lefthook",
    "elif swift package plugin lefthook",
    "swift package plugin lefthook",
    "elif swift package --disable-sandbox lefthook",
    "swift package --disable-sandbox lefthook",
    "elif command -v mint",
    "mint run csjones/lefthook-plugin",
    "elif uv run lefthook",
    "uv run lefthook",
    "elif mise exec -- lefthook",
    "mise exec -- lefthook",
    "elif devbox run lefthook",
    "devbox run lefthook",
    "elif go tool lefthook",
    "go tool lefthook",
    "echo \"Can't find lefthook in PATH\"",
    "call_lefthook run",
};

// Names of this tool's own, options, and the hook's arguments: nothing that a shell obeys.
bool is_plain(std::string_view rest) {
  std::string text(rest);
  for (std::string_view harmless :
       {"\"$@\"", ">/dev/null 2>&1", "${osArch}", "${cpuArch}", "${osArch}-${cpuArch}"}) {
    for (size_t at = text.find(harmless); at != std::string::npos; at = text.find(harmless))
      text.erase(at, harmless.size());
  }
  return text.find_first_of(";|&$`<>(){}\\#") == std::string::npos;
}

bool is_line_of(std::string_view line, std::span<const std::string_view> starts) {
  return std::ranges::any_of(starts, [&](std::string_view start) {
    if (!line.starts_with(start)) return false;
    std::string_view rest = line.substr(start.size());
    bool is_open_list = start.starts_with("ARGS=(") && rest.ends_with(')');
    if (is_open_list) rest.remove_suffix(1);
    return is_plain(rest);
  });
}

// "… || { printf >&2 "\n%s\n\n" "…"; exit 2; }": only the words between the quotes differ.
bool is_word_about_lfs(std::string_view line) {
  constexpr std::string_view kEnd = "\"; exit 2; }";
  for (std::string_view start : {"command -v git-lfs >/dev/null 2>&1 || { echo >&2 \"",
                                 "command -v git-lfs >/dev/null 2>&1 || { printf >&2 "
                                 "\"\\n%s\\n\\n\" \""}) {
    if (!line.starts_with(start) || !line.ends_with(kEnd)) continue;
    line.remove_prefix(start.size());
    if (line.size() < kEnd.size()) return false;
    std::string words(line.substr(0, line.size() - kEnd.size()));
    for (size_t at = words.find("\\n"); at != std::string::npos; at = words.find("\\n"))
      words.erase(at, 2);
    return words.find_first_of("\"$`\\") == std::string::npos;
  }
  return false;
}

bool is_lfs_line(std::string_view line) {
  return is_line_of(line, kLfs) || line == kLfsMissing || is_word_about_lfs(line);
}

}  // namespace

bool is_hook_of_tool(std::string_view hook) {
  bool is_lfs = true, is_pre_commit = true, is_lefthook = true;
  bool is_first = true, does_something = false;
  for (std::string_view line : text::split_in_place(hook, '\n')) {
    line = text::trim(line);
    bool is_shell = line == "#!/bin/sh" || line == "#!/usr/bin/env bash" || line == "#!/bin/bash" ||
                    line == "#!/usr/bin/env sh";
    if (is_first && !is_shell) return false;
    is_first = false;
    if (line.empty() || line.starts_with('#')) continue;
    does_something = true;
    is_lfs = is_lfs && is_lfs_line(line);
    is_pre_commit = is_pre_commit && is_line_of(line, kPreCommit);
    is_lefthook = is_lefthook && is_line_of(line, kLefthook);
  }
  return does_something && (is_lfs || is_pre_commit || is_lefthook);
}

}  // namespace ringwall::audit
