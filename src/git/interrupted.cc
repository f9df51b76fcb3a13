#include "git/interrupted.h"

#include <algorithm>
#include <string>

#include "git/config.h"

namespace ringwall::git {
namespace {

using Refused = std::optional<GitRefusal>;

constexpr size_t kMostTodoBytes = 1 << 20;
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kNoProgram = "a program that git rebase --continue runs on the host";

template <typename List>
bool is_in(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool only_of(std::string_view text, std::string_view signs) {
  return !text.empty() && text.find_first_not_of(signs) == text.npos;
}

std::string_view without_line_end(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

Refused refuse(std::string_view what, std::string_view reason, std::string_view attack) {
  return GitRefusal{std::string(what.substr(0, 200)), std::string(reason), attack};
}

// p, r, e, s and f stop or ask at most with the person's own editor; label, reset, merge and
// update-ref move refs. Each short form is a command of its own.
constexpr std::string_view kTodoCommands[] = {
    "pick",  "p", "reword", "r",    "edit",       "e", "squash", "s",
    "fixup", "f", "break",  "b",    "label",      "l", "t",      "reset",
    "merge", "m", "d",      "drop", "update-ref", "u", "noop",   "revert"};

// Whichever of these core.commentChar (also "auto") chooses, the others begin no command.
constexpr std::string_view kCommentMarks = "#;@!$%^&|:";

// No line of it runs a program other than the person's own editor. Refused are exec and whatever
// this list of commands does not know.
Refused judge_todo(std::string_view text) {
  constexpr std::string_view kAttack = "an exec line that git rebase --continue runs on the host";
  if (text.size() > kMostTodoBytes)
    return refuse("git-rebase-todo", "it is larger than 1 MB", kAttack);
  if (text.find('\0') != text.npos)
    return refuse("git-rebase-todo", "there is a zero byte", kAttack);
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
    if (word.empty() || kCommentMarks.find(word[0]) != std::string_view::npos) continue;
    if (word == "exec" || word == "x")
      return refuse(line,
                    "git rebase --continue would run it outside as well; put break in its place, "
                    "and run it yourself wherever the rebase stops",
                    kAttack);
    if (!is_in(kTodoCommands, word))
      return refuse(line, "it is no command of a rebase that is known here", kAttack);
  }
  return std::nullopt;
}

// A strategy that is not git's own is a program of the name git-merge-STRATEGY, also one in the
// tree.
constexpr std::string_view kStrategies[] = {"ort",     "recursive", "resolve",
                                            "octopus", "ours",      "subtree"};

Refused judge_strategy_name(std::string_view name) {
  if (is_in(kStrategies, name)) return std::nullopt;
  return refuse(name, "it is no merge strategy of git's own", kNoProgram);
}

Refused judge_strategy(std::string_view text) {
  return judge_strategy_name(without_line_end(text));
}

// Some of git's strategies are shell scripts: an option that is empty, or holds a sign of the
// shell, is a command there, and --index-output names a file to be written.
constexpr std::string_view kStrategyOptions[] = {"ours",
                                                 "theirs",
                                                 "patience",
                                                 "histogram",
                                                 "minimal",
                                                 "ignore-space-change",
                                                 "ignore-all-space",
                                                 "ignore-space-at-eol",
                                                 "ignore-cr-at-eol",
                                                 "renormalize",
                                                 "no-renormalize",
                                                 "no-renames",
                                                 "find-renames",
                                                 "subtree",
                                                 "diff-algorithm=patience",
                                                 "diff-algorithm=minimal",
                                                 "diff-algorithm=histogram",
                                                 "diff-algorithm=myers",
                                                 "diff-algorithm=default"};
constexpr std::string_view kNumberedOptions[] = {"find-renames=", "rename-threshold="};

Refused judge_strategy_option(std::string_view option) {
  std::string_view number = option.ends_with('%') ? option.substr(0, option.size() - 1) : option;
  bool is_numbered = std::ranges::any_of(kNumberedOptions, [&](std::string_view name) {
    return option.starts_with(name) && only_of(number.substr(name.size()), kDigits);
  });
  if (is_numbered || is_in(kStrategyOptions, option)) return std::nullopt;
  return refuse(option.empty() ? "an empty option" : option,
                "it is no option of a merge that is known here", kNoProgram);
}

// " --ours --find-renames=50", and each between quotes since git 2.41.
Refused judge_strategy_options(std::string_view text) {
  text = without_line_end(text);
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word.empty()) continue;
    bool is_quoted = word.size() > 1 && word.front() == word.back() &&
                     (word.front() == '\'' || word.front() == '"');
    std::string_view option = is_quoted ? word.substr(1, word.size() - 2) : word;
    if (!option.starts_with("--"))
      return refuse(word, "it is no option of a merge that is known here", kNoProgram);
    if (auto refused = judge_strategy_option(option.substr(2))) return refused;
  }
  return std::nullopt;
}

// The name of a key is an argument of the program that signs, which takes a path for a file.
Refused judge_key(std::string_view key) {
  bool is_plain = std::ranges::all_of(key, [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view(" @.<>_+").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain) return std::nullopt;
  return refuse(key, "it is no name of a key", "an argument of the person's signing program");
}

Refused judge_signing(std::string_view text) {
  text = without_line_end(text);
  if (!text.starts_with("-S"))
    return refuse(text, "it is no option that signs", "an option of git commit");
  return judge_key(text.substr(2));
}

Refused judge_sequencer_options(std::string_view text) {
  auto config = parse_git_config(text);
  if (!config) return GitRefusal{"sequencer/opts", config.error().text(), ""};
  for (const GitConfig::Entry& entry : config->entries) {
    std::string_view value = entry.value ? std::string_view(*entry.value) : std::string_view();
    Refused refused = entry.key == "options.strategy"          ? judge_strategy_name(value)
                      : entry.key == "options.strategy-option" ? judge_strategy_option(value)
                      : entry.key == "options.gpg-sign"        ? judge_key(value)
                                                               : std::nullopt;
    if (refused) return refused;
  }
  return std::nullopt;
}

// Prompts show how far it is, and some have the shell expand what they show.
Refused judge_number(std::string_view text) {
  if (only_of(without_line_end(text), kDigits)) return std::nullopt;
  return refuse(text, "it is no number", "a command that git's own prompt runs in a folder");
}

// " '-3' '--directory=src'": of git am, for git apply.
constexpr std::string_view kApplyOptions[] = {"-3",
                                              "--3way",
                                              "--reject",
                                              "--ignore-space-change",
                                              "--ignore-whitespace",
                                              "--whitespace=nowarn",
                                              "--whitespace=warn",
                                              "--whitespace=fix",
                                              "--whitespace=strip",
                                              "--whitespace=error",
                                              "--whitespace=error-all",
                                              "--allow-overlap",
                                              "--recount"};
// Which files of the patch, and below which folder of the tree.
constexpr std::string_view kApplyPlaces[] = {"--directory=", "--include=", "--exclude="};

bool is_apply_option(std::string_view option) {
  bool counts = option.size() > 2 && (option.starts_with("-p") || option.starts_with("-C")) &&
                only_of(option.substr(2), kDigits);
  bool is_place = std::ranges::any_of(
      kApplyPlaces, [&](std::string_view name) { return option.starts_with(name); });
  return counts || is_place || is_in(kApplyOptions, option);
}

Refused judge_apply_options(std::string_view text) {
  constexpr std::string_view kAttack = "git am --continue writes any file that an option names";
  text = without_line_end(text);
  while (!text.empty()) {
    if (text.front() == ' ') {
      text.remove_prefix(1);
      continue;
    }
    size_t end = text.front() == '\'' ? text.find('\'', 1) : text.npos;
    bool is_one = end != text.npos && (end + 1 == text.size() || text[end + 1] == ' ');
    if (!is_one) return refuse(text, "it is no list of options as git writes it", kAttack);
    std::string_view option = text.substr(1, end - 1);
    if (!is_apply_option(option))
      return refuse(option, "it is no option of git am that is known here", kAttack);
    text.remove_prefix(end + 1);
  }
  return std::nullopt;
}

constexpr struct {
  std::string_view name;
  TextJudge judge;
} kJudges[] = {
    {"rebase-merge/git-rebase-todo", judge_todo},
    {"rebase-merge/strategy", judge_strategy},
    {"rebase-merge/strategy_opts", judge_strategy_options},
    {"rebase-merge/gpg_sign_opt", judge_signing},
    {"rebase-merge/msgnum", judge_number},
    {"rebase-merge/end", judge_number},
    {"rebase-apply/next", judge_number},
    {"rebase-apply/last", judge_number},
    {"rebase-apply/apply-opt", judge_apply_options},
    {"sequencer/opts", judge_sequencer_options},
};

}  // namespace

TextJudge judge_of_interrupted(std::string_view name) {
  for (const auto& one : kJudges) {
    if (one.name == name) return one.judge;
  }
  return nullptr;
}

}  // namespace ringwall::git
