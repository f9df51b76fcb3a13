#include "gate/operands.h"

#include <algorithm>

#include "base/path.h"
#include "gate/gap_match.h"
#include "shell/global_options.h"

namespace ringwall::gate {
namespace {

using shell::Word;

struct ClassName {
  std::string_view name;
  uint16_t bits;
};
constexpr ClassName kClasses[] = {{"root", operand::root},           {"system", operand::system},
                                  {"home", operand::home},           {"above", operand::above},
                                  {"workspace", operand::workspace}, {"git", operand::git},
                                  {"outside", operand::outside},     {"device", operand::device},
                                  {"unknown", operand::unknown},     {"agent", operand::agent}};

constexpr std::string_view kSystemFolders[] = {"bin",   "boot",  "dev",    "etc",    "lib",
                                               "lib32", "lib64", "libx32", "proc",   "sbin",
                                               "sys",   "usr",   "var",    "System", "Library"};
constexpr std::string_view kHarmlessDevices[] = {"null",    "zero",  "full",   "random",
                                                 "urandom", "stdin", "stdout", "stderr",
                                                 "tty",     "fd",    "pts",    "shm"};
constexpr std::string_view kTemporary[] = {"/tmp", "/var/tmp", "/dev/shm", "/private/tmp"};

constexpr std::string_view kAgentFolders[] = {".claude", ".codex", ".gemini", ".cursor",
                                              ".copilot"};
// Without these a repository is lost. Of the rest git makes new ones, or a stale lock.
constexpr std::string_view kGitCore[] = {"HEAD", "objects", "refs", "packed-refs", "logs"};

// Programs that git calls itself and that may be called by name.
constexpr std::string_view kGitPrograms[] = {
    "push",      "reset",         "clean",      "checkout",  "restore",        "config",
    "branch",    "switch",        "stash",      "reflog",    "prune",          "gc",
    "rm",        "remote",        "replace",    "send-pack", "http-push",      "worktree",
    "submodule", "filter-branch", "update-ref", "read-tree", "checkout-index", "credential"};

template <class List>
bool is_one_of(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

bool is_flag(const Word& word) { return word.text.size() > 1 && word.text[0] == '-'; }

bool begins_unknown(const Word& word) {
  return !word.gaps.empty() && word.gaps[0].at == 0 && word.gaps[0].kind == Word::Gap::Kind::text;
}

constexpr std::string_view kVersioned[] = {"python", "pip",  "ruby", "perl",
                                           "php",    "node", "lua",  "pypy"};
// As "g…" where another system has its own.
constexpr std::string_view kGnu[] = {"find",  "rm",    "mv",    "cp",       "ln",      "dd",  "tar",
                                     "chmod", "chown", "shred", "truncate", "install", "make"};

// "python3.11" is python, "gmake" make.
std::string_view without_version(std::string_view name) {
  for (std::string_view known : kVersioned) {
    if (name.starts_with(known) && name.find_first_not_of("0123456789.", known.size()) == name.npos)
      return known;
  }
  if (name.starts_with('g') && is_one_of(kGnu, name.substr(1))) return name.substr(1);
  return name;
}

uint16_t classify_device(std::string_view path) {
  std::string_view name = path.substr(5);
  name = name.substr(0, name.find('/'));
  bool harmless = std::find(std::begin(kHarmlessDevices), std::end(kHarmlessDevices), name) !=
                  std::end(kHarmlessDevices);
  return harmless ? 0 : operand::device | operand::system;
}

bool is_whole_home(std::string_view path, std::string_view home) {
  if (path == home || path == "/root") return true;
  std::string folder = path::parent(path);
  return folder == "/home" || folder == "/Users";
}

bool is_agent_folder(std::string_view path) {
  if (is_one_of(kAgentFolders, path::basename(path))) return true;
  return path == "/etc/ringwall" || path.ends_with("/.config/ringwall") ||
         path.ends_with("/.local/state/ringwall");
}

bool is_git_core(std::string_view path) {
  if (path::basename(path) == ".git") return true;
  size_t at = path.find("/.git/");
  if (at == path.npos || path.ends_with(".lock")) return false;
  std::string_view inner = path.substr(at + 6);
  // Of refs and logs whole folders count, a single one may be stale.
  std::string_view first = inner.substr(0, inner.find('/'));
  return is_one_of(kGitCore, inner) || first == "objects" || inner == "refs/heads";
}

// What lies at an absolute path without "..".
uint16_t classify_path(std::string_view path, const Surrounding& around) {
  if (path == "/") return operand::root;
  bool has_workspace = !around.workspace.empty();
  if (has_workspace && path == around.workspace)
    return static_cast<uint16_t>(operand::workspace |
                                 (is_whole_home(path, around.home) ? operand::home : 0));
  if (has_workspace && path::is_beneath(path, around.workspace))
    return is_git_core(path) ? operand::git : 0;
  uint16_t bits = has_workspace && path::is_beneath(around.workspace, path) ? operand::above : 0;
  if (is_whole_home(path, around.home))
    return static_cast<uint16_t>(bits | operand::home | operand::outside);
  for (std::string_view folder : kTemporary) {
    if (path::is_beneath(path, folder))
      return static_cast<uint16_t>(bits |
                                   (path == folder ? operand::outside | operand::temporary : 0));
  }
  if (path.starts_with("/dev/")) return static_cast<uint16_t>(bits | classify_device(path));
  std::string_view top = path.substr(1, path.find('/', 1) - 1);
  bool is_system = std::find(std::begin(kSystemFolders), std::end(kSystemFolders), top) !=
                   std::end(kSystemFolders);
  bool is_top = path.find('/', 1) == path.npos;
  if (!path::is_beneath(path, around.home) && (is_system || is_top)) bits |= operand::system;
  return static_cast<uint16_t>(bits | operand::outside);
}

// A gap that may be anything: what lies before it may be all there is.
std::string known_part(const Word& word, bool& is_unknown, bool& is_certain) {
  const Word::Gap& gap = word.gaps[0];
  std::string_view before = std::string_view(word.text).substr(0, gap.at);
  std::string_view after = std::string_view(word.text).substr(gap.at);
  if (gap.kind == Word::Gap::Kind::text) {
    is_certain = false;
    bool is_bare = after.empty() || after == "/" || after == "/." || after == "/*";
    is_unknown = before.empty() && (is_bare || word.gaps.size() > 1);
    if (before.empty()) return {};
    // "/tmp/x-" and something is a name of its own, and so is something and "-x"; "/" and something
    // may be nothing.
    bool is_named =
        after.empty() ? !before.ends_with('/') : before.ends_with('/') && after[0] != '/';
    return is_named ? std::string(before) + "x" : std::string(before);
  }
  bool is_all = (before.empty() || before.ends_with('/')) && after.empty();
  return is_all ? std::string(before.empty() ? "." : before) : std::string(before) + "x";
}

// ".g*" takes .git along: the hidden folders that a glob in the last part of a path may mean.
uint16_t classify_hidden(const Word& word, const Surrounding& around) {
  if (word.gaps.empty()) return 0;
  size_t begin = word.text.rfind('/') + 1;
  if (begin == word.text.size() || word.text[begin] != '.') return 0;
  Word name{word.text.substr(begin), {}};
  for (const Word::Gap& gap : word.gaps) {
    if (gap.kind != Word::Gap::Kind::name || gap.at <= begin) return 0;
    name.gaps.push_back({static_cast<uint32_t>(gap.at - begin), gap.kind});
  }
  uint16_t bits = 0;
  auto add = [&](std::string_view hidden) {
    if (may_fit(name, hidden))
      bits |= classify(Word{word.text.substr(0, begin) + std::string(hidden), {}}, around);
  };
  add(".git");
  for (std::string_view hidden : kAgentFolders)
    add(hidden);
  return bits;
}

// "docker compose -f x down" is "docker compose down".
void shorten_compose(std::vector<Word>& words) {
  std::string_view name = base_name(words[0].text);
  if (name != "docker" && name != "podman" && name != "nerdctl") return;
  size_t at = shell::first_behind_global_options(words);
  if (at + 1 >= words.size() || words[at].text != "compose") return;
  std::vector<Word> inner(words.begin() + static_cast<long>(at), words.end());
  inner[0].text = "docker-compose";
  inner = shell::without_global_options(inner);
  words.erase(words.begin() + static_cast<long>(at) + 1, words.end());
  words.insert(words.end(), inner.begin() + 1, inner.end());
}

// Without a place to begin, find begins here.
void add_start_of_find(std::vector<Word>& words) {
  if (words.empty() || (base_name(words[0].text) != "find" && base_name(words[0].text) != "gfind"))
    return;
  size_t at = 1;
  while (at < words.size() && words[at].gaps.empty() &&
         (words[at].text == "-L" || words[at].text == "-H" || words[at].text == "-P" ||
          words[at].text == "--" || words[at].text.starts_with("-O")))
    at++;
  bool has_none = at == words.size() ||
                  (words[at].gaps.empty() && (words[at].text.starts_with('-') ||
                                              words[at].text == "(" || words[at].text == "!"));
  if (has_none) words.insert(words.begin() + static_cast<long>(at), Word{".", {}});
}

}  // namespace

uint16_t operand_class(std::string_view name) {
  for (const ClassName& known : kClasses) {
    if (known.name == name) return known.bits;
  }
  return 0;
}

uint16_t classify(const Word& word, const Surrounding& around) {
  uint16_t hidden = classify_hidden(word, around);
  bool is_unknown = false;
  bool is_certain = true;
  std::string text = word.gaps.empty() ? word.text : known_part(word, is_unknown, is_certain);
  if (is_unknown) return operand::unknown;
  if (text.empty()) return hidden;
  // "of=~/x": bash reads it so.
  if (text == "~" || text.starts_with("~/")) text = std::string(around.home) + text.substr(1);
  if (text[0] != '/') {
    bool is_whole = text == "." || text == ".." || text.ends_with("/..") || text == "./";
    if (around.folder.empty()) return is_whole ? operand::unknown : 0;
    text = path::join(around.folder, text);
  }
  std::string plain = path::normalize(text);
  std::string target = around.resolver->resolve(text, around.folder);
  uint16_t bits = hidden | classify_path(plain, around);
  if (target != plain) bits |= classify_path(target, around);
  if (is_agent_folder(plain) || is_agent_folder(target)) bits |= operand::agent;
  return bits;
}

std::string_view base_name(std::string_view program) {
  size_t slash = program.rfind('/');
  return slash == program.npos ? program : program.substr(slash + 1);
}

bool is_git_program(const Word& word) {
  std::string_view name = base_name(word.text);
  return word.gaps.empty() && name.starts_with("git-") && is_one_of(kGitPrograms, name.substr(4));
}

bool split_git_program(std::vector<Word>& words) {
  if (words.empty() || !is_git_program(words[0])) return false;
  Word second{std::string(base_name(words[0].text).substr(4)), {}};
  words[0].text = "git";
  words.insert(words.begin() + 1, second);
  return true;
}

static bool is_rewritten(std::string_view name) {
  return name.starts_with("git-") || name == "docker" || name == "podman" || name == "nerdctl" ||
         name == "find" || name == "gfind";
}

Operands::Operands(const std::vector<Word>& command) {
  if (command.empty()) return;
  // Most commands are looked at where they stand.
  const std::vector<Word>* read = &command;
  if (is_rewritten(base_name(command[0].text))) {
    rewritten_ = command;
    split_git_program(rewritten_);
    shorten_compose(rewritten_);
    add_start_of_find(rewritten_);
    read = &rewritten_;
  }
  program = without_version(base_name((*read)[0].text));
  size_t first = shell::first_behind_global_options(*read);
  for (size_t i = 1; i < first; i++)
    before.push_back(&(*read)[i]);
  all.reserve(read->size());
  words.reserve(read->size());
  bool only_operands = false;
  for (size_t i = first; i < read->size(); i++) {
    const Word& word = (*read)[i];
    all.push_back(&word);
    if (word.splits && begins_unknown(word)) may_be_more = true;
    if (!only_operands && word.text == "--" && word.gaps.empty()) {
      only_operands = program != "find";  // its tests are no options
    } else if (!only_operands && is_flag(word) && (word.gaps.empty() || word.gaps[0].at > 0)) {
      flags.push_back(&word);
    } else {
      words.push_back(&word);
    }
  }
}

}  // namespace ringwall::gate
