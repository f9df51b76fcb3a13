// Commands that change what the shell itself knows: its folder, variables, aliases, code to run
// later.
#include <limits.h>

#include <algorithm>
#include <array>

#include "base/path.h"
#include "shell/options.h"
#include "shell/value.h"
#include "shell/walk.h"

namespace ringwall::shell {
namespace {

constexpr std::array<std::string_view, 4> kReaders = {"read", "mapfile", "readarray", "getopts"};

// Their words may be a[…], and what stands there is evaluated.
constexpr std::array<std::string_view, 10> kSubscripted = {
    "let", "printf", "test", "[", "unset", "read", "mapfile", "readarray", "wait", "getopts"};

// The options of read and mapfile that take a value.
constexpr std::string_view kReaderValues = "adinNptuCcOs";

}  // namespace

bool Walk::run_builtin(Call& call) {
  std::string_view name = call.words[0].text;
  bool here = call.through.empty() || call.through == through_ ||
              call.through.back() == "builtin" || call.through.back() == "command";
  if (!here || !call.words[0].literal()) return false;
  if (std::ranges::find(kSubscripted, name) != kSubscripted.end()) {
    for (const Word& word : call.words)
      look_for_hidden_substitutions(word.text, call.place);
  }
  if (name == "cd" || name == "pushd" || name == "popd") {
    change_folder(call, name);
  } else if (name == "eval") {
    bool has_dashes = call.words.size() > 1 && call.words[1].text == "--";
    Word code = joined(call.words, has_dashes ? 2 : 1);
    if (!code.literal()) {
      Call shown = call;
      shown.fed_by.insert(shown.fed_by.end(), call.substituted.begin(), call.substituted.end());
      finish(std::move(shown));
    }
    walk_inner_code(code, call, "eval");
    return true;
  } else if (name == "trap" && call.words.size() > 2 && !call.words[1].text.empty() &&
             call.words[1].text != "-" && !call.words[1].text.starts_with("-l")) {
    bool has_dashes = call.words[1].text == "--";
    State before = state_;
    walk_inner_code(call.words[has_dashes ? 2 : 1], call, "trap");
    state_ = std::move(before);
    return true;
  } else if ((name == "source" || name == ".") && call.words.size() > 1 &&
             text_of_file(call, call.words[1])) {
    Word code = *text_of_file(call, call.words[1]);
    if (!call.fed_by.empty()) finish(call);
    walk_inner_code(code, call, "source");
    return true;
  } else if (name == "alias") {
    define_aliases(call);
  } else if (name == "hash" || name == "compgen" || name == "complete") {
    name == "hash" ? read_hash(call) : run_option_values(call, "-C -W -F");
  } else if (name == "set") {
    read_set(call);
  } else if (name == "shift") {
    state_.arguments.reset();
  } else if (name == "unset") {
    for (size_t i = 1; i < call.words.size(); i++) {
      state_.remove(call.words[i].text);
      state_.functions.erase(call.words[i].text);
    }
  } else if (name == "let") {
    for (size_t i = 1; i < call.words.size(); i++)
      forget_names_in(call.words[i].text);
  } else if (std::ranges::find(kReaders, name) != kReaders.end() || name == "printf") {
    if (name == "mapfile" || name == "readarray") run_option_values(call, "-C");
    forget_targets(call);
  } else {
    return false;
  }
  finish(std::move(call));
  return true;
}

void Walk::change_folder(const Call& call, std::string_view name) {
  std::optional<std::string> before = state_.folder;
  size_t first = 1;
  while (first < call.words.size() && call.words[first].text.size() > 1 &&
         call.words[first].text[0] == '-')
    first++;
  if (first == call.words.size()) {
    const Variable* home = state_.find("HOME");
    bool goes_home = name == "cd" && home != nullptr && home->may_be.size() == 1 &&
                     home->may_be[0].items.size() == 1 && home->may_be[0].items[0].literal();
    state_.folder = goes_home ? std::optional(home->may_be[0].items[0].text) : std::nullopt;
  } else if (const Word& to = call.words[first]; name == "popd" || !to.literal()) {
    state_.folder.reset();
  } else if (to.text == "-") {
    state_.folder = state_.folder_before;
  } else if (to.text.starts_with('/')) {
    state_.folder = path::normalize(to.text);
  } else if (state_.find("CDPATH") != nullptr || !state_.folder || to.text.starts_with('+')) {
    state_.folder.reset();
  } else {
    state_.folder = path::absolute(to.text, *state_.folder);
  }
  // No folder has a longer name.
  if (state_.folder && state_.folder->size() > PATH_MAX) state_.folder.reset();
  state_.folder_before = before;
}

// set -- a b c gives $1 …
void Walk::read_set(const Call& call) {
  for (size_t i = 1; i < call.words.size(); i++) {
    const std::string& word = call.words[i].text;
    if (call.words[i].literal() && word == "-a") state_.exports_all = true;
    bool is_option = word.starts_with('-') || word.starts_with('+');
    if (word != "--" && is_option) continue;
    size_t first = word == "--" ? i + 1 : i;
    auto splits = [](const Word& one) { return one.splits; };
    std::vector<Word> arguments(call.words.begin() + static_cast<long>(first), call.words.end());
    if (i > 1 && call.words[i - 1].text == "-o" && word != "--") return;
    if (std::ranges::any_of(arguments, splits)) {
      state_.arguments.reset();
    } else {
      state_.arguments = std::move(arguments);
    }
    return;
  }
}

// hash -p FILE NAME: NAME is that program from here on.
void Walk::read_hash(const Call& call) {
  for (size_t i = 1; i + 2 < call.words.size(); i++) {
    if (call.words[i].text == "-p") state_.aliases[call.words[i + 2].text] = call.words[i + 1];
  }
}

// Options of builtins whose value is code.
void Walk::run_option_values(const Call& call, std::string_view options) {
  for (size_t i = 1; i + 1 < call.words.size(); i++) {
    if (!lists(options, call.words[i].text)) continue;
    State before = state_;
    walk_inner_code(call.words[i + 1], call, call.words[0].text);
    state_ = std::move(before);
  }
}

void Walk::define_aliases(const Call& call) {
  for (size_t i = 1; i < call.words.size(); i++) {
    const Word& word = call.words[i];
    size_t equals = known_start(word).find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    state_.aliases[word.text.substr(0, equals)] = part_of(word, equals + 1);
  }
}

// The variables that read and its like fill.
void Walk::forget_targets(const Call& call) {
  bool prints = call.words[0].text == "printf";
  for (size_t i = 1; i < call.words.size(); i++) {
    const std::string& word = call.words[i].text;
    if (prints) {
      if (word == "-v" && i + 1 < call.words.size()) state_.forget(call.words[i + 1].text);
      return;
    }
    if (word.starts_with('-') && word.size() > 1) {
      bool takes_next = kReaderValues.find(word.back()) != std::string_view::npos;
      if (takes_next && i + 1 < call.words.size()) {
        if (word.back() == 'a' && is_name(call.words[i + 1].text))
          state_.set(call.words[i + 1].text, Value{{unknown_word(true)}, true});
        i++;
      }
    } else if (is_name(word)) {
      state_.set(word, Value{{unknown_word()}});
    }
  }
  if (!prints) state_.forget("REPLY");
  if (!prints) state_.set("MAPFILE", Value{{unknown_word(true)}, true});
}

}  // namespace ringwall::shell
