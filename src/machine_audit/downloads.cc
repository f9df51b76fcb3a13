// Commands that fetch a program and run it, by what they plainly say: piped into a shell, handed to
// one as text, or kept as a file that runs a little later.
#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

constexpr std::string_view kShells[] = {"sh",      "bash", "zsh",  "dash", "ksh",  "fish", "python",
                                        "python3", "node", "perl", "ruby", "deno", "bun",  "php"};
// What may stand before a program, and changes nothing of what it does.
constexpr std::string_view kBefore[] = {"sudo", "env", "exec", "command", "nohup", "time", "then",
                                        "do",   "if",  "else", "!",       "{",     "-E",   "-n"};

template <class List>
bool is_among(std::string_view word, const List& list) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool holds_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// Words of simple commands. Quotes count as blanks: what a shell is given as text is looked at too.
using Words = std::vector<std::string_view>;

Words words_of_command(std::string_view text) {
  Words words;
  constexpr std::string_view kBlanks = " \t\r\"'`";
  size_t at = text.find_first_not_of(kBlanks);
  while (at != text.npos) {
    size_t end =
        text[at] == '>' ? at + 1 : std::min(text.find_first_of(" \t\r\"'`>", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  auto is_program = [](std::string_view word) {
    return !is_among(path::basename(word), kBefore) && word.find('=') == word.npos;
  };
  words.erase(words.begin(), std::find_if(words.begin(), words.end(), is_program));
  return words;
}

// Of `sh -c '…'` what it is given.
Words without_shell(Words words) {
  if (words.size() > 2 && is_among(path::basename(words[0]), kShells) && words[1] == "-c")
    words.erase(words.begin(), words.begin() + 2);
  return words;
}

std::vector<Words> commands_in(std::string_view text) {
  std::vector<Words> commands;
  while (!text.empty()) {
    size_t end = std::min(text.find_first_of(";&|\n()"), text.size());
    if (Words words = without_shell(words_of_command(text.substr(0, end))); !words.empty())
      commands.push_back(std::move(words));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return commands;
}

std::string_view without_dot(std::string_view path) {
  if (path.starts_with("./")) path.remove_prefix(2);
  return path;
}

bool is_option_of(std::string_view word, char letter) {
  return word.size() > 1 && word[0] == '-' && word[1] != '-' && word.find(letter) != word.npos;
}

// The file that a fetch leaves; empty if it leaves none.
std::string_view fetched_by(const Words& words) {
  std::string_view program = path::basename(words[0]);
  bool is_wget = program == "wget";
  if (!is_wget && program != "curl") return {};
  std::string_view address, file;
  bool keeps_name = is_wget;
  for (size_t i = 1; i < words.size(); i++) {
    std::string_view word = words[i];
    char names = is_wget ? 'O' : 'o';
    bool is_named = word == ">" || word == "--output" || word == "--output-document" ||
                    (is_option_of(word, names) && word.back() == names);
    if (is_named && i + 1 < words.size()) {
      file = words[++i];
    } else if (word.starts_with("--output=") || word.starts_with("--output-document=")) {
      file = word.substr(word.find('=') + 1);
    } else if (!is_wget && (is_option_of(word, 'O') || word == "--remote-name")) {
      keeps_name = true;
    } else if (word.find("://") != word.npos) {
      address = word.substr(0, word.find_first_of("?#"));
    }
  }
  if (file.empty() && keeps_name) file = path::basename(address);
  bool is_kept = file != "-" && !file.starts_with("/dev/");
  return is_kept ? without_dot(file) : std::string_view();
}

bool runs_file(const Words& words, std::string_view file) {
  if (without_dot(words[0]) == file) return true;
  bool is_run =
      is_among(path::basename(words[0]), kShells) || words[0] == "." || words[0] == "source";
  return is_run && std::any_of(words.begin() + 1, words.end(),
                               [&](std::string_view word) { return without_dot(word) == file; });
}

// "| sh", "|sudo bash -s": a pipe into a shell or an interpreter.
bool pipes_into_shell(std::string_view text) {
  for (size_t at = text.find('|'); at != text.npos; at = text.find('|', at + 1)) {
    size_t word = text.find_first_not_of(" \t|&", at);
    if (word == text.npos) return false;
    size_t end = std::min(text.find_first_of(";&|\n()", word), text.size());
    Words words = words_of_command(text.substr(word, end - word));
    if (!words.empty() && is_among(path::basename(words[0]), kShells)) return true;
  }
  return false;
}

// exec(urlopen("…").read()), eval(await fetch(…)): code of another host, in one expression.
bool runs_fetched_code(std::string_view text) {
  return holds_any(text, {"exec(", "eval(", "eval "}) &&
         holds_any(text, {"urlopen(", "urlretrieve(", "requests.get(", "http.client", "fetch(",
                          "URI.open(", "LWP::Simple"});
}

}  // namespace

bool FetchedFiles::runs_one(std::string_view text) {
  for (const Words& words : commands_in(text)) {
    for (const std::string& file : files_) {
      if (runs_file(words, file)) return true;
    }
    std::string_view file = fetched_by(words);
    if (!file.empty() && files_.size() < kMost) files_.emplace_back(file);
  }
  return false;
}

bool runs_a_download(std::string_view command) {
  bool fetches = holds_any(command, {"curl ", "wget ", "/dev/tcp/"});
  bool decodes = holds_any(command, {"base64 -d", "base64 --decode", "xxd -r"});
  if ((fetches || decodes) && pipes_into_shell(command)) return true;
  if (runs_fetched_code(command)) return true;
  if (!fetches) return false;
  return holds_any(command, {"eval \"$(", "eval $(", "sh -c \"$(", "bash -c \"$(", "sh <(",
                             "source <(", ". <(", "bash <(", "zsh <("}) ||
         FetchedFiles().runs_one(command);
}

}  // namespace ringwall::machine_audit
