#include "git/reference.h"

#include <vector>

#include "base/git_keys.h"
#include "base/text.h"
#include "git/config_rules.h"
#include "git/preferences.h"

namespace ringwall::git {
namespace {

constexpr std::string_view kIntroduction =
    "# Git settings\n\n"
    "Made by `make docs` from `src/git/config_rules.cc`, `src/git/preferences.cc` and "
    "`src/base/git_keys.cc`, by which the program decides as well; change those, not this page.\n\n"
    "Git runs what its settings name, also when a prompt, an editor or an agent outside calls it. "
    "So `GIT/config` is a [protected file](protected-files.md). Git inside still writes it in its "
    "own way, by `config.lock`: each such write is read, compared with what is there, and let "
    "through key by key.\n\n"
    "`*` is any name in the middle of a key, or at its end all of a section.\n\n";

constexpr std::string_view kComesIn =
    "## What comes in\n\nOf your own settings (`~/.gitconfig`, `~/.config/git/config`) these are "
    "known inside, none of which names a program, a file or another machine: ";

constexpr std::string_view kMayChange =
    "\n\n## What may change during a run\n\nA closed list. *Yours* says whether what you have "
    "there "
    "already may be changed or taken away; in a repository that was made during the run all of it "
    "is the run's.\n\n"
    "| setting | its value must be | where | yours | who writes it, and why it can stay |\n"
    "| --- | --- | --- | --- | --- |\n";

constexpr std::string_view kRefused =
    "\n## What is refused\n\nEverything else, known or not. The refusal says what the well-known "
    "ones would do; where one stands in the list above as well, only other values than those are "
    "refused.\n\n"
    "What the settings in force already name in a granted folder is protected like the files of "
    "[protected-files.md](protected-files.md), because git outside runs or obeys it: the last "
    "column. [`ringwall audit`](audit.md) tells of settings of a repository that run something "
    "(RW241) or lead elsewhere (RW254).\n\n"
    "| setting | it … | the attack | protected |\n| --- | --- | --- | --- |\n";

std::string code(std::string_view key) { return "`" + std::string(key) + "`"; }

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells)
    line += " " + cell + " |";
  return line + "\n";
}

std::string_view place_of(GitConfigRule::Where where) {
  switch (where) {
    case GitConfigRule::Where::update:
      return "your repository";
    case GitConfigRule::Where::fresh:
      return "one made during the run";
    case GitConfigRule::Where::both:
      return "both";
  }
  return "";
}

std::string_view protected_by(git::Effect effect) {
  switch (effect) {
    case git::Effect::runs:
    case git::Effect::may_run:
      return "files that its words name";
    case git::Effect::hooks:
      return "the folder";
    case git::Effect::includes:
      return "the file, and what that names";
    case git::Effect::redirects:
    case git::Effect::changes:
      return "";
  }
  return "";
}

}  // namespace

std::string git_settings_page() {
  std::string page = std::string(kIntroduction) + std::string(kComesIn);
  std::vector<std::string> preferences;
  for (std::string_view key : git_preferences())
    preferences.push_back(code(key));
  page += text::join(preferences, ", ") + "." + std::string(kMayChange);
  for (const GitConfigRule& rule : git_config_rules())
    page += row({code(rule.pattern), std::string(rule.values), std::string(place_of(rule.where)),
                 rule.may_change ? "yes" : "no", std::string(rule.reason)});
  page += kRefused;
  for (const git::KnownKey& known : git::known_keys())
    page += row({code(known.pattern), std::string(known.does), std::string(known.attack),
                 std::string(protected_by(known.effect))});
  return page;
}

}  // namespace ringwall::git
