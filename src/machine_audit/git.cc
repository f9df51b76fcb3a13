// git's settings: the person's, root's, and those of the repository here.
#include <algorithm>

#include "base/git_keys.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

using Entry = git::GitConfig::Entry;

bool is_off(std::string_view value) {
  std::string small = text::in_small_letters(value);
  return small == "false" || small == "no" || small == "off" || small == "0";
}
bool is_switch(std::string_view value) {
  std::string small = text::in_small_letters(value);
  return is_off(small) || small == "true" || small == "yes" || small == "on" || small == "1" ||
         small.empty();
}
bool is_among(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

struct Parts {
  std::string section, variable;
};
Parts parts_of(const Entry& entry) {
  git::Key key = git::split_key(entry.key);
  return {text::in_small_letters(key.section), text::in_small_letters(key.variable)};
}

bool is_unchecked_ssh(std::string_view value) {
  std::string small = text::in_small_letters(value);
  std::erase(small, ' ');
  return small.find("stricthostkeychecking=no") != small.npos ||
         small.find("userknownhostsfile=/dev/null") != small.npos;
}

// A setting of the repository that runs a program other than those that everybody has there.
bool runs_a_program(const Parts& key, std::string_view value) {
  if (value.empty()) return false;
  if (key.section == "core") {
    if (key.variable == "fsmonitor") return !is_switch(value);
    if (key.variable == "sshcommand") return value != "ssh" && !value.starts_with("ssh ");
    return is_among(key.variable, {"gitproxy", "askpass", "alternaterefscommand"});
  }
  if (key.section == "filter" && is_among(key.variable, {"clean", "smudge", "process"}))
    return value.find("git-lfs") == value.npos && value.find("git lfs") == value.npos &&
           value.find("git-crypt") == value.npos && value.find("nbstripout") == value.npos;
  if (key.section == "diff" && is_among(key.variable, {"textconv", "command", "external"}))
    return true;
  if (key.section == "merge" && key.variable == "driver") return true;
  if (key.section == "gpg" && key.variable == "program") return true;
  if (key.section == "alias" || key.section == "credential") return value.starts_with('!');
  if (key.section == "remote") return is_among(key.variable, {"uploadpack", "receivepack", "vcs"});
  return key.section == "uploadpack" && key.variable == "packobjectshook";
}

// What is weak wherever it stands, with its number.
std::string_view number_of(const Entry& entry, const Parts& key, std::string_view value,
                           FileScope scope) {
  if (key.section == "http" && key.variable == "sslverify" && entry.value && is_off(value))
    return "RW168";
  if (key.section == "safe" && key.variable == "directory" && value == "*") return "RW169";
  if (entry.key == "protocol.ext.allow" && value == "always") return "RW170";
  if (entry.key == "protocol.allow" && value == "always") return "RW170";
  if (entry.key == "core.hookspath" && !value.empty()) {
    bool is_relative = value[0] != '/' && value[0] != '~';
    if (lies_in_the_open(value) || (is_relative && scope != FileScope::project)) return "RW171";
  }
  if (key.section == "credential" && key.variable == "helper" &&
      (value == "store" || value.starts_with("store ")))
    return "RW173";
  if (key.section == "url" && is_among(key.variable, {"insteadof", "pushinsteadof"})) {
    std::string_view base = git::split_key(entry.key).subsection.value_or("");
    if (is_plain_address(base) || base.starts_with("git://")) return "RW174";
  }
  if (entry.key == "core.sshcommand" && is_unchecked_ssh(value)) return "RW175";
  if (scope == FileScope::project && runs_a_program(key, value)) return "RW172";
  return {};
}

bool is_one_line(const MachineFile& document, const Entry& entry) {
  std::string_view bytes =
      std::string_view(document.text).substr(entry.begin, entry.end - entry.begin);
  size_t newline = bytes.find('\n');
  bool ends_there = newline == bytes.npos || newline + 1 == bytes.size();
  // A section may begin on the line of its first key.
  size_t start = entry.begin == 0 ? 0 : document.text.rfind('\n', entry.begin - 1) + 1;
  std::string_view before = std::string_view(document.text).substr(start, entry.begin - start);
  return ends_there && text::trim(before).empty();
}

void look(const MachineFile& document, MachineDesk& desk) {
  for (const Entry& entry : document.git.entries) {
    Parts key = parts_of(entry);
    std::string value = entry.value.value_or("");
    std::string_view number = number_of(entry, key, value, document.scope);
    if (number.empty()) continue;
    Edit edit = no_edit();
    if (is_among(number, {"RW168", "RW169", "RW170"}))
      edit = is_one_line(document, entry) ? remove_line(document, entry.line)
                                          : no_edit("it does not stand alone on its line");
    std::string fix;
    if (number == "RW172") fix = "git config --local --unset-all " + text::shell_word(entry.key);
    desk.add(number, document, entry.line, entry.key + " = " + value, fix, edit);
  }
}

}  // namespace

void look_at_git(const Scene& scene, MachineDesk& desk) {
  const MachineFile* own = scene.own(Topic::git);
  bool is_explicit = false;
  for (const MachineFile& document : scene.documents) {
    if (document.topic != Topic::git) continue;
    look(document, desk);
    if (document.scope == FileScope::project) continue;
    for (const Entry& entry : document.git.entries)
      is_explicit =
          is_explicit || (entry.key == "safe.barerepository" && entry.value == "explicit");
  }
  if (own != nullptr && !is_explicit)
    desk.add("RW176", *own, 0, "safe.bareRepository is not explicit");
}

}  // namespace ringwall::machine_audit
