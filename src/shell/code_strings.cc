// Strings in code of other languages that a shell would get. Not a parser of those languages: it
// looks for names of functions that run commands, and reads the literals behind them.
#include <algorithm>
#include <array>

#include "shell/inline_code.h"
#include "shell/value.h"

namespace ringwall::shell {
namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr size_t kMostCommands = 16;
constexpr size_t kLongestCode = 64 * 1024;

constexpr auto kCallers = std::to_array<std::string_view>({"system",
                                                           "popen",
                                                           "popen2",
                                                           "popen3",
                                                           "exec",
                                                           "execSync",
                                                           "execFile",
                                                           "execFileSync",
                                                           "spawn",
                                                           "spawnSync",
                                                           "fork",
                                                           "run",
                                                           "call",
                                                           "check_call",
                                                           "check_output",
                                                           "Popen",
                                                           "getoutput",
                                                           "getstatusoutput",
                                                           "shell_exec",
                                                           "passthru",
                                                           "proc_open",
                                                           "execute",
                                                           "execv",
                                                           "execve",
                                                           "execvp",
                                                           "execvpe",
                                                           "execl",
                                                           "execlp",
                                                           "execle",
                                                           "spawnl",
                                                           "spawnlp",
                                                           "spawnv",
                                                           "spawnvp",
                                                           "cmd",
                                                           "capture2",
                                                           "capture2e",
                                                           "capture3",
                                                           "pipeline",
                                                           "system2",
                                                           "shell",
                                                           "sh",
                                                           "start_process",
                                                           "create_subprocess_shell",
                                                           "create_subprocess_exec",
                                                           "shell-command",
                                                           "shell-command-to-string",
                                                           "call-process",
                                                           "start-process",
                                                           "pcntl_exec",
                                                           "ProcessBuilder"});

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

class Hunter {
 public:
  Hunter(std::string_view code, std::string_view language) : code_(code), language_(language) {}

  std::vector<std::string> hunt() {
    bool has_ticks =
        language_ == "perl" || language_ == "ruby" || language_ == "php" || language_ == "julia";
    while (at_ < code_.size() && found_.size() < kMostCommands) {
      char c = code_[at_];
      if (c == '`' && has_ticks) {
        take_ticks();
      } else if (is_letter(c)) {
        read_name();
      } else if (c == '%' && code_.substr(at_, 2) == "%x" && language_ == "ruby") {
        at_ += 2;
        take_delimited();
      } else if (c == '"' && language_ == "awk") {
        take_awk_string();
      } else {
        at_++;
      }
    }
    return std::move(found_);
  }

 private:
  void skip_blanks() {
    while (at_ < code_.size() && (code_[at_] == ' ' || code_[at_] == '\t' || code_[at_] == '\n'))
      at_++;
  }

  void read_name() {
    size_t start = at_;
    while (at_ < code_.size() && is_letter(code_[at_]))
      at_++;
    std::string_view name = code_.substr(start, at_ - start);
    if (name == "qx" && language_ == "perl") return take_delimited();
    if (language_ == "applescript" && name == "script")
      return take_arguments();  // do shell script "…"
    if (std::ranges::find(kCallers, name) != kCallers.end()) take_arguments();
  }

  void take_ticks() {
    size_t end = code_.find('`', at_ + 1);
    if (end != kNone) found_.emplace_back(code_.substr(at_ + 1, end - at_ - 1));
    at_ = end == kNone ? code_.size() : end + 1;
  }

  // qx{…}, %x(…), qx/…/
  void take_delimited() {
    if (at_ >= code_.size() || is_letter(code_[at_])) return;
    constexpr std::string_view kOpen = "({[<", kClose = ")}]>";
    size_t kind = kOpen.find(code_[at_]);
    char close = kind == kNone ? code_[at_] : kClose[kind];
    size_t end = code_.find(close, at_ + 1);
    if (end == kNone) return;
    found_.emplace_back(code_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
  }

  // "cmd" | getline, print | "cmd"
  void take_awk_string() {
    size_t before = code_.substr(0, at_).find_last_not_of(" \t");
    bool is_fed = before != kNone && code_[before] == '|';
    std::string text;
    if (!read_string(text)) return;
    skip_blanks();
    if (is_fed || (at_ < code_.size() && code_[at_] == '|')) found_.push_back(std::move(text));
  }

  // The literals behind a call: one is code, several are words.
  void take_arguments() {
    skip_blanks();
    while (at_ < code_.size() && (code_[at_] == '(' || code_[at_] == '{')) {
      at_++;
      skip_blanks();
    }
    std::vector<std::string> words;
    bool is_list = false;
    constexpr size_t kMostWords = 64;
    while (at_ < code_.size() && words.size() < kMostWords) {
      skip_blanks();
      char c = at_ < code_.size() ? code_[at_] : '\0';
      std::string text;
      if (c == '[' || c == '(') {
        is_list = true;
        at_++;
      } else if (c == ',') {
        at_++;
      } else if (is_string_start() && read_string(text)) {
        words.push_back(with_what_is_added(std::move(text)));
      } else {
        break;
      }
    }
    if (words.empty()) return;
    if (words.size() == 1 && !is_list) {
      found_.push_back(words[0]);
      return;
    }
    std::string line;
    for (const std::string& word : words)
      line += (line.empty() ? "" : " ") + quoted_for_shell(word);
    found_.push_back(std::move(line));
  }

  bool is_string_start() const {
    char c = code_[at_];
    if (c == '"' || c == '\'' || c == '`') return true;
    bool prefixed = (c == 'f' || c == 'r' || c == 'b' || c == 'u' || c == 'F' || c == 'R') &&
                    at_ + 1 < code_.size();
    return prefixed && (code_[at_ + 1] == '"' || code_[at_ + 1] == '\'');
  }

  // "rm " + x and "rm " . $x end with something unknown.
  std::string with_what_is_added(std::string text) {
    skip_blanks();
    bool adds = at_ < code_.size() && (code_[at_] == '+' || code_[at_] == '.' || code_[at_] == '%');
    if (adds) text += kTextGapByte;
    return text;
  }

  bool read_string(std::string& text) {
    bool fills = code_[at_] == 'f' || code_[at_] == 'F' || code_[at_] == '`';
    if (is_letter(code_[at_])) at_++;
    char quote = code_[at_];
    std::string_view triple = code_.substr(at_, 3);
    bool is_triple = triple.size() == 3 && triple[1] == quote && triple[2] == quote;
    at_ += is_triple ? 3 : 1;
    for (; at_ < code_.size(); at_++) {
      char c = code_[at_];
      if (c == '\\' && at_ + 1 < code_.size()) {
        char next = code_[++at_];
        text += next == 'n' ? '\n' : (next == 't' ? '\t' : next);
      } else if (c == quote && (!is_triple || code_.substr(at_, 3) == triple)) {
        at_ += is_triple ? 3 : 1;
        return true;
      } else if (fills && c == '{') {
        if (text.ends_with('$')) text.pop_back();
        at_ = std::min(code_.find('}', at_), code_.size() - 1);
        text += kTextGapByte;
      } else {
        text += c;
      }
    }
    return false;
  }

  std::string_view code_, language_;
  size_t at_ = 0;
  std::vector<std::string> found_;
};

// s/…/command/e, and lines with e command.
void hunt_in_sed(std::string_view code, std::vector<std::string>& found) {
  for (size_t at = 0; at < code.size() && found.size() < kMostCommands;) {
    size_t end = std::min(code.find_first_of(";\n", at), code.size());
    std::string_view line = code.substr(at, end - at);
    line.remove_prefix(std::min(line.find_first_not_of(" \t0123456789,$!{"), line.size()));
    if (line.starts_with('/') && line.find('/', 1) != kNone)
      line.remove_prefix(line.find('/', 1) + 1);
    if (line.starts_with("e ") && line.size() > 2) found.emplace_back(line.substr(2));
    if (line.size() > 3 && line[0] == 's') {
      char mark = line[1];
      size_t last = line.rfind(mark), middle = last == 1 ? kNone : line.rfind(mark, last - 1);
      bool runs = last != kNone && line.substr(last).find('e') != kNone;
      if (runs && middle != kNone && middle > 1)
        found.emplace_back(line.substr(middle + 1, last - middle - 1));
    }
    at = end + 1;
  }
}

// Lines that a database's client takes as commands: \! command, .shell command, system command.
void hunt_in_sql(std::string_view code, std::vector<std::string>& found) {
  for (std::string_view mark :
       {"\\!", ".shell ", ".system ", "system ", "PROGRAM '", "program '"}) {
    for (size_t at = code.find(mark); at != kNone && found.size() < kMostCommands;
         at = code.find(mark, at + 1)) {
      std::string_view rest = code.substr(at + mark.size());
      found.emplace_back(rest.substr(0, rest.find_first_of(mark.ends_with('\'') ? "'" : "\n;")));
    }
  }
}

}  // namespace

std::vector<std::string> shell_commands_in(const InlineCode& code) {
  std::string text = to_code(code.code);
  text.resize(std::min(text.size(), kLongestCode));
  std::vector<std::string> found;
  if (code.language == "sed") {
    hunt_in_sed(text, found);
  } else if (code.language == "sql") {
    hunt_in_sql(text, found);
  } else {
    found = Hunter(text, code.language).hunt();
  }
  return found;
}

}  // namespace ringwall::shell
