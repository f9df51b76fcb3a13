#include "shell/rough.h"

#include <algorithm>
#include <string>

#include "shell/pieces.h"
#include "shell/value.h"

namespace ringwall::shell {
namespace {

constexpr size_t kMostCommands = 2000;
constexpr size_t kMostWords = 64;  // of one command
constexpr size_t kLongestWord = 4096;

bool ends_command(char c) {
  return c == ';' || c == '&' || c == '|' || c == '(' || c == ')' || c == '`' || c == '\n';
}

bool is_reserved_word(std::string_view word) {
  constexpr std::string_view kReserved[] = {"{",  "}",    "if",    "then",  "else", "elif", "fi",
                                            "do", "done", "while", "until", "esac", "!",    "time"};
  return std::ranges::find(kReserved, word) != std::end(kReserved);
}

class Cutter {
 public:
  explicit Cutter(std::string_view text) : text_(text) {}

  std::vector<std::vector<Word>> cut() {
    for (; at_ < text_.size() && commands_.size() < kMostCommands; at_++)
      take(text_[at_]);
    end_command();
    return std::move(commands_);
  }

 private:
  void take(char c) {
    if (c == '\\' && at_ + 1 < text_.size()) {
      char escaped = text_[++at_];
      if (escaped != '\n') add(escaped);
    } else if (c == '\'' || c == '"') {
      begun_ = true;  // what is quoted is a word like any other, and may be a command too
    } else if (ends_command(c)) {
      end_command();
    } else if (c == ' ' || c == '\t' || c == '<' || c == '>') {
      end_word();
    } else if (c == '$') {
      begun_ = true;
      add_gap(word_, Word::Gap::Kind::text);
    } else if (c == '*' || c == '?') {
      begun_ = true;
      add_gap(word_, Word::Gap::Kind::name);
    } else {
      add(c);
    }
  }

  void add(char c) {
    begun_ = true;
    if (word_.text.size() < kLongestWord) word_.text += c;
  }

  void end_word() {
    bool is_reserved = command_.empty() && word_.gaps.empty() && is_reserved_word(word_.text);
    if (begun_ && !is_reserved && command_.size() < kMostWords) add_word();
    word_ = {};
    begun_ = false;
  }

  void add_word() {
    if (!word_.gaps.empty() || word_.text.find('{') == std::string::npos) {
      command_.push_back(std::move(word_));
      return;
    }
    std::vector<Pieces> expanded;
    expand_braces({Piece{.text = word_.text}}, expanded);
    for (const Pieces& pieces : expanded)
      command_.push_back(literal_word(pieces.empty() ? "" : pieces[0].text));
  }

  void end_command() {
    end_word();
    if (!command_.empty()) commands_.push_back(std::move(command_));
    command_.clear();
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<std::vector<Word>> commands_;
  std::vector<Word> command_;
  Word word_;
  bool begun_ = false;
};

}  // namespace

std::vector<std::vector<Word>> rough_commands(std::string_view text) { return Cutter(text).cut(); }

}  // namespace ringwall::shell
