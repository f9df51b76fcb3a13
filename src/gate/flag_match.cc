#include "gate/flag_match.h"

#include <algorithm>

#include "base/text.h"
#include "gate/keyed_paths.h"

namespace ringwall::gate {
namespace {

using shell::Word;

// Options that take no value in any of the programs whose rows have exclusions: what follows one
// of them is an option of its own.
constexpr std::string_view kBare =
    "-v|-vv|-vvv|-y|-A|-K|--build|--skip-existing|--no-interaction|--ci|--force|--verbose|--quiet|-"
    "-yes|--set-upstream|--tags|--all|--follow-tags|"
    "--atomic|--progress|--porcelain|--no-verify|--force-with-lease|--force-if-includes|"
    "--allow-dirty|--no-git-checks|--provenance|--json|--locked|--offline|--recursive|--delete|"
    "--debug|--wait|--install|--create-namespace|--diff|--become|--ask-become-pass|"
    "--all-namespaces|--global|--local|--system|--workspaces|--ignore-scripts|--no-build|--clean|"
    "--draft|--prune|--null|--name-only|--show-scope|--show-origin";

// Letters that take no value in git's push, clean, prune, restore and config.
constexpr std::string_view kBareOfGit = "fdxXvqunSzl";

bool takes_no_value(const Operands& operands, std::string_view option) {
  bool has_own = option.starts_with("--") && option.find('=') != option.npos;
  if (has_own || is_listed(kBare, option)) return true;
  return operands.program == "git" && !option.starts_with("--") &&
         option.substr(1).find_first_not_of(kBareOfGit) == option.npos;
}

bool is_off(std::string_view value) {
  return is_listed("false|none|no|off|0|null", text::in_small_letters(value));
}

// "--no-dry-run", also shortened.
bool takes_back(std::string_view word, std::string_view wanted) {
  if (!word.starts_with("--no-") || word.size() < 6) return false;
  return wanted.substr(2).starts_with(word.substr(5));
}

// What git joins to its -n: "-fdn". Behind a letter that takes a value it is that value.
bool is_in_cluster(const Operands& operands, std::string_view word, char letter) {
  bool is_cluster = word.starts_with('-') && !word.starts_with("--");
  if (operands.program != "git" || !is_cluster) return false;
  size_t at = word.find(letter, 1);
  return at != word.npos && word.substr(1, at - 1).find_first_not_of(kBareOfGit) == word.npos;
}

// A test of find that leaves something out.
bool is_test(const Operands& operands, size_t at) {
  auto text_at = [&](size_t i) -> std::string_view {
    return i < operands.all.size() ? std::string_view(operands.all[i]->text) : "";
  };
  bool is_negated = at > 0 && (text_at(at - 1) == "!" || text_at(at - 1) == "-not");
  std::string_view test = text_at(at);
  bool has_pattern = is_listed("-name|-iname|-path|-ipath|-wholename|-regex|-iregex", test);
  bool fits_all =
      has_pattern && text_at(at + 1).find_first_not_of("*?./") == std::string_view::npos;
  return !is_negated && !fits_all;
}

// "find . -name x -o -delete" deletes all but x.
bool has_loose_act(const Operands& operands) {
  for (size_t i = 1; i < operands.all.size(); i++) {
    std::string_view before = operands.all[i - 1]->text;
    bool acts = is_listed("-delete|-exec|-execdir|-ok|-okdir", operands.all[i]->text);
    if (acts && is_listed("-o|-or|,", before)) return true;
  }
  return false;
}

bool is_here(const Operands& operands, size_t at, std::string_view wanted) {
  const Word& word = *operands.all[at];
  if (!word.gaps.empty()) return false;
  if (operands.program == "find") return word.text == wanted && is_test(operands, at);
  bool is_behind_option = at > 0 && operands.all[at - 1]->text.starts_with('-');
  if (is_behind_option && !takes_no_value(operands, operands.all[at - 1]->text)) return false;
  std::string_view text = word.text;
  size_t equals = text.find('=');
  if (equals != text.npos)
    return text.substr(0, equals) == wanted && !is_off(text.substr(equals + 1));
  return text == wanted || (wanted.size() == 2 && is_in_cluster(operands, text, wanted[1]));
}

}  // namespace

bool is_listed(std::string_view list, std::string_view name) {
  return any_part(list, '|', [&](std::string_view entry) { return entry == name; });
}

bool is_flag(std::string_view word, std::string_view wanted) {
  bool is_long = word.starts_with("--");
  if (wanted.size() == 2 && wanted[0] == '-')
    return !is_long && word.find(wanted[1], 1) != word.npos;
  std::string_view name = word.substr(0, word.find('='));
  if (wanted.starts_with("--")) return is_long && name.size() >= 3 && wanted.starts_with(name);
  return name == wanted || (is_long && name.substr(1) == wanted);
}

bool is_flag_with(const Operands& operands, size_t at, std::string_view name,
                  std::string_view value) {
  auto is_value = [&](std::string_view text) {
    return text.size() == value.size() &&
           text::in_small_letters(text) == text::in_small_letters(value);
  };
  std::string_view word = operands.all[at]->text;
  if (word == name && at + 1 < operands.all.size() && is_value(operands.all[at + 1]->text))
    return true;
  if (!name.starts_with("--")) return word.starts_with(name) && is_value(word.substr(name.size()));
  size_t equals = word.find('=');
  return equals != word.npos && is_value(word.substr(equals + 1)) &&
         is_flag(word.substr(0, equals), name);
}

bool is_in_force(const Operands& operands, std::string_view choices) {
  if (operands.program == "find" && has_loose_act(operands)) return false;
  bool is_taken_back = any_part(choices, '|', [&](std::string_view wanted) {
    if (!wanted.starts_with("--")) return false;
    return std::any_of(operands.all.begin(), operands.all.end(), [&](const Word* word) {
      std::string_view text = word->text;
      bool is_switched_off = text.starts_with(wanted) &&
                             text.substr(wanted.size()).starts_with('=') &&
                             is_off(text.substr(wanted.size() + 1));
      return is_switched_off || takes_back(text, wanted);
    });
  });
  if (is_taken_back) return false;
  for (size_t i = 0; i < operands.all.size(); i++) {
    if (operands.all[i]->text == "--") return false;
    bool is_one = any_part(choices, '|',
                           [&](std::string_view wanted) { return is_here(operands, i, wanted); });
    if (is_one) return true;
  }
  return false;
}

}  // namespace ringwall::gate
