#include "shell/carried_git.h"

#include <array>
#include <string_view>

#include "base/git_keys.h"
#include "base/text.h"
#include "shell/global_options.h"
#include "shell/options.h"
#include "shell/value.h"

namespace ringwall::shell {
namespace {

constexpr size_t kNone = std::string_view::npos;

bool names_command(std::string_view key) {
  const git::KnownKey* known = git::find_known(git::split_key(key));
  return known != nullptr && known->effect == git::Effect::runs;
}

void add_code(std::string name, Word code, std::vector<Carried>& all, bool certain = true) {
  if (code.text.empty() && code.gaps.empty()) return;
  all.push_back(
      {.name = std::move(name), .words = {}, .code = std::move(code), .certain = certain});
}

// key=value, as git -c and clone -c take it.
void add_setting(const Word& setting, const std::vector<Word>& rest, std::vector<Carried>& all) {
  size_t equals = known_start(setting).find('=');
  if (equals == kNone) return;
  std::string key = text::in_small_letters(std::string_view(setting.text).substr(0, equals));
  Word value = part_of(setting, equals + 1);
  bool runs_shell = known_start(value).starts_with('!');
  if (key.starts_with("alias.")) {
    // An alias is used by its name, with what stands behind it.
    bool is_used = !rest.empty() && text::in_small_letters(rest[0].text) == key.substr(6);
    Word code = runs_shell ? part_of(value, 1) : literal_word("git ");
    if (!runs_shell) append(code, value);
    for (size_t i = 1; is_used && i < rest.size(); i++) {
      code.text += ' ';
      append(code, rest[i].literal() ? literal_word(quoted_for_shell(rest[i].text)) : rest[i]);
    }
    add_code("git alias", std::move(code), all, is_used);
  } else if (names_command(key) || runs_shell) {
    if (key == "core.fsmonitor" && (value.text == "true" || value.text == "false")) return;
    bool switches_pager =
        key.starts_with("pager.") && (value.text == "true" || value.text == "false");
    if (switches_pager) return;
    add_code("git " + key, runs_shell ? part_of(value, 1) : value, all);
  }
}

struct CodeOption {
  std::string_view subcommands, options;
};

constexpr auto kCodeOptions = std::to_array<CodeOption>({
    {"rebase", "-x --exec"},
    {"difftool", "-x --extcmd"},
    {"clone fetch pull ls-remote fetch-pack", "-u --upload-pack"},
    {"push send-pack", "--receive-pack --exec"},
    {"archive", "--exec"},
    {"grep", "-O --open-files-in-pager"},
    {"filter-branch",
     "--tree-filter --index-filter --env-filter --msg-filter --commit-filter --parent-filter "
     "--tag-name-filter --setup"},
    {"send-email", "--smtp-server --to-cmd --cc-cmd --header-cmd --sendmail-cmd"},
    {"svn", "--authors-prog"},
    {"bisect", ""},
});

void add_subcommand_options(const std::vector<Word>& rest, std::vector<Carried>& all) {
  for (const CodeOption& row : kCodeOptions) {
    if (!lists(row.subcommands, rest[0].text)) continue;
    for (size_t i = 1; i < rest.size(); i++) {
      std::string_view word = known_start(rest[i]);
      size_t equals = word.find('=');
      std::string name = "git " + rest[0].text + " " + std::string(word.substr(0, equals));
      if (names_option(row.options, word) && rest[i].literal()) {
        if (i + 1 < rest.size()) add_code(name, rest[i + 1], all);
      } else if (equals != kNone && names_option(row.options, word.substr(0, equals))) {
        add_code(name, part_of(rest[i], equals + 1), all);
      } else if (word.size() > 2 && word[0] == '-' && word[1] != '-' &&
                 lists(row.options, word.substr(0, 2))) {
        add_code("git " + rest[0].text + " " + std::string(word.substr(0, 2)), part_of(rest[i], 2),
                 all);
      }
    }
  }
}

// git bisect run COMMAND, git submodule foreach COMMAND
void add_subcommand_words(const std::vector<Word>& rest, std::vector<Carried>& all) {
  bool bisects = rest[0].text == "bisect", foreach = rest[0].text == "submodule";
  if (!bisects && !foreach) return;
  for (size_t i = 1; i + 1 < rest.size(); i++) {
    if (rest[i].text != (bisects ? "run" : "foreach")) continue;
    size_t first = i + 1;
    while (foreach && first < rest.size() && rest[first].text.starts_with("--"))
      first++;
    if (first == rest.size()) return;
    std::string name = "git " + rest[0].text + " " + rest[i].text;
    if (foreach && first + 1 == rest.size()) return add_code(name, rest[first], all);
    Carried carried{.name = name};
    carried.words.assign(rest.begin() + static_cast<long>(first), rest.end());
    all.push_back(std::move(carried));
    return;
  }
}

}  // namespace

void add_git_commands(const std::vector<Word>& words, std::vector<Carried>& all) {
  std::vector<Word> rest = without_global_options(words);
  rest.erase(rest.begin());
  OptionReader reader(words, 1, *global_options_of("git"));
  for (Option option; reader.next(option);) {
    if (option.name == "-c" && option.has_value) add_setting(option.value, rest, all);
  }
  if (rest.empty()) return;
  add_subcommand_options(rest, all);
  add_subcommand_words(rest, all);
  for (size_t i = 1; i < rest.size(); i++) {
    bool follows_config = rest[i - 1].text == "-c" || rest[i - 1].text == "--config";
    if (rest[0].text == "clone" && follows_config) add_setting(rest[i], {}, all);
    // git config KEY VALUE is run by a later git.
    if (rest[0].text == "config" && i + 1 < rest.size() && rest[i].literal()) {
      Word setting = literal_word(rest[i].text + "=");
      append(setting, rest[i + 1]);
      size_t before = all.size();
      add_setting(setting, {}, all);
      for (size_t k = before; k < all.size(); k++)
        all[k].certain = false;
    }
    if (known_start(rest[i]).starts_with("ext::")) add_code("git ext::", part_of(rest[i], 5), all);
  }
}

}  // namespace ringwall::shell
