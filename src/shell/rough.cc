#include "shell/rough.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>

#include "shell/pieces.h"
#include "shell/skeleton.h"
#include "shell/value.h"

namespace ringwall::shell {
namespace {

constexpr size_t kMostCommands = 2000;
constexpr size_t kLongestWord = 4096;

constexpr std::array<bool, 256> kEnds = [] {
  std::array<bool, 256> ends{};
  for (char c : std::string_view(";&|()`\n"))
    ends[static_cast<unsigned char>(c)] = true;
  return ends;
}();

bool ends_command(std::string_view text, size_t at) {
  bool goes_on = text[at] == '\n' && at > 0 && text[at - 1] == '\\';
  return kEnds[static_cast<unsigned char>(text[at])] && !goes_on;
}

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_reserved_word(std::string_view word) {
  constexpr std::string_view kReserved[] = {"{",  "}",    "if",    "then",  "else", "elif", "fi",
                                            "do", "done", "while", "until", "esac", "!",    "time"};
  return std::ranges::find(kReserved, word) != std::end(kReserved);
}

// The words of one command.
class Cutter {
 public:
  explicit Cutter(std::vector<std::vector<Word>>& commands) : commands_(commands) {}

  void cut(std::string_view text) {
    for (size_t i = 0; i < text.size() && is_whole_; i++)
      take(text[i]);
    end_word();
    for (const Quote& quote : {single_, double_})
      add_quoted(quote);
    if (!words_.empty()) commands_.push_back(std::move(words_));
  }

  bool is_whole() const { return is_whole_; }

 private:
  // Behind the last quote of a kind. Whether it opens or ends is not told: with escapes, quotes
  // stand in quotes of the same kind.
  struct Quote {
    bool is_there = false;
    size_t word = 0;
    size_t letter = 0;
  };

  void take(char c) {
    if (c == '\\' || c == '\n') return;  // what is escaped may be anything: it is taken as it is
    in_name_ = in_name_ && (is_of_name(c) || c == '{');
    if (in_name_) return;
    if (c == '\'' || c == '"') {
      turn(c == '"' ? double_ : single_);
    } else if (c == ' ' || c == '\t' || c == '<' || c == '>') {
      end_word();
    } else if (c == '$') {
      begun_ = in_name_ = true;
      add_gap(word_, Word::Gap::Kind::text);
    } else if (c == '*' || c == '?') {
      begun_ = true;
      add_gap(word_, Word::Gap::Kind::name);
    } else {
      begun_ = true;
      if (word_.text.size() < kLongestWord) word_.text += c;
    }
  }

  void turn(Quote& quote) {
    begun_ = true;
    add_quoted(quote);
    quote = {true, words_.size(), word_.text.size()};
  }

  // sh -c 'rm x': what stands in the quotes is a command too.
  void add_quoted(const Quote& quote) {
    bool is_all = quote.word == 0 && quote.letter == 0;
    if (!quote.is_there || is_all) return;
    std::vector<Word> words;
    for (size_t i = quote.word; i < words_.size(); i++)
      words.push_back(i == quote.word ? part_of(words_[i], quote.letter) : words_[i]);
    if (begun_) words.push_back(words.empty() ? part_of(word_, quote.letter) : word_);
    std::erase_if(words, [](const Word& word) { return word.text.empty() && word.gaps.empty(); });
    if (words.empty()) return;
    is_whole_ &= commands_.size() < kMostCommands * 2;
    if (is_whole_) commands_.push_back(std::move(words));
  }

  void end_word() {
    bool is_reserved = words_.empty() && word_.gaps.empty() && is_reserved_word(word_.text);
    if (words_.size() >= kMostWords) {
      is_whole_ = false;
    } else if (begun_ && !is_reserved) {
      add_word();
    }
    word_ = {};
    begun_ = false;
  }

  void add_word() {
    if (!word_.gaps.empty() || word_.text.find('{') == std::string::npos) {
      words_.push_back(std::move(word_));
      return;
    }
    std::vector<Pieces> expanded;
    expand_braces({Piece{.text = word_.text}}, expanded);
    for (const Pieces& pieces : expanded)
      words_.push_back(literal_word(pieces.empty() ? "" : pieces[0].text));
  }

  std::vector<std::vector<Word>>& commands_;
  std::vector<Word> words_;
  Word word_;
  bool begun_ = false;
  bool in_name_ = false;  // of a variable
  bool is_whole_ = true;
  Quote single_, double_;
};

}  // namespace

RoughLook rough_commands(std::string_view text) {
  RoughLook look;
  std::unordered_set<std::string_view> seen;
  for (size_t from = 0; from < text.size();) {
    size_t to = from;
    while (to < text.size() && !ends_command(text, to))
      to++;
    std::string_view one = text.substr(from, to - from);
    one.remove_prefix(std::min(one.find_first_not_of(" \t\r"), one.size()));
    from = to + 1;
    if (one.empty() || !seen.insert(one).second) continue;
    Cutter cutter(look.commands);
    cutter.cut(one);
    look.is_whole = cutter.is_whole() && seen.size() <= kMostCommands;
    if (!look.is_whole) return look;
  }
  return look;
}

}  // namespace ringwall::shell
