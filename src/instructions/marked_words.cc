#include "instructions/marked_words.h"

#include "instructions/code_points.h"
#include "instructions/word_classes.h"

namespace ringwall::instructions {
namespace {

constexpr size_t kLongestWord = 32;   // of those in the tables, with room
constexpr size_t kSpacedAtLeast = 8;  // letters in a row that stand alone
constexpr size_t kSpacedAtMost = 4096;

bool takes_no_room(uint32_t code) {
  return is_zero_width(code) || is_joiner(code) || is_tag(code) || is_variation_selector(code) ||
         turns_text(code) || is_mark_of_direction(code) || (code >= 0x300 && code <= 0x36f);
}

// Digits and signs that stand for letters; 0: none.
char as_letter(char c) {
  constexpr std::string_view kSigns = "0134578@$!";
  constexpr std::string_view kLetters = "oieastbasi";
  size_t found = kSigns.find(c);
  return found == std::string_view::npos ? c : kLetters[found];
}

class Marker {
 public:
  explicit Marker(std::string_view text) : text_(text) {}

  MarkedText mark() {
    for (size_t at = 0; at < text_.size();) {
      CodePoint point = code_point_at(text_, at);
      take(point.code, at);
      at += point.size;
    }
    end_word('\n', text_.size());
    end_spaced();
    return std::move(marked_);
  }

 private:
  void take(uint32_t code, size_t at) {
    if (takes_no_room(code)) {
      disguised_ = disguised_ || (in_word_ && code != 0xad && (code < 0x300 || code > 0x36f));
      return;
    }
    // "don't" is one word.
    if (in_word_ && (code == '\'' || code == 0x2019)) return;
    bool is_sign = in_word_ && (code == '@' || code == '$');
    if (is_letter_or_digit(code) || code == '_' || is_sign) return add(code, at);
    end_word(code < 0x80 ? static_cast<char>(code) : '.', at);
    // Not the dot of a name: ".env", "example.com".
    bool is_end = at + 1 >= text_.size() ||
                  std::string_view(" \t\r\n\"'*_)<").find(text_[at + 1]) != std::string_view::npos;
    bool ends_sentence = (code == '.' && is_end) || code == '!' || code == '?' || code == 0x3002;
    // A new line inside a paragraph ends nothing; an empty one does.
    if (code == '\n') {
      if (line_is_empty_) sentence_++;
      line_is_empty_ = true;
    } else if (code != ' ' && code != '\t' && code != '\r') {
      line_is_empty_ = false;
    }
    if (ends_sentence) sentence_++;
  }

  void add(uint32_t code, size_t at) {
    if (!in_word_) {
      in_word_ = true;
      word_at_ = at;
      starts_line_ = line_is_empty_;
      line_is_empty_ = false;
    }
    if (letters_++ > kLongestWord) return;
    char letter =
        code == '_' || code == '@' || code == '$' ? static_cast<char>(code) : look_alike(code);
    folds_ = folds_ && letter != 0;
    if (letter != 0) folded_ += letter;
    foreign_ = foreign_ || is_disguise(code);
    if (code >= 0x80) {
      append_code_point(raw_, in_small(code));
    } else if (letter != 0) {
      raw_ += letter;
    }
  }

  // Most words are ASCII, and of no class.
  uint64_t classify() {
    uint64_t classes = folds_ ? classes_of(folded_) : 0;
    if (classes != 0) {
      disguised_ = disguised_ || foreign_;
      return classes;
    }
    disguised_ = false;
    if (foreign_) return classes_of(raw_);
    if (!folds_ || folded_.size() < 4) return 0;
    std::string plain;
    for (char c : folded_)
      plain += as_letter(c);
    if (plain == folded_) return 0;
    classes = classes_of(plain);
    disguised_ = classes != 0;
    return classes;
  }

  void end_word(char behind, size_t at) {
    if (!in_word_) return;
    note_spaced();
    uint64_t classes = letters_ <= kLongestWord ? classify() : 0;
    // A part of an address says nothing of the text around it.
    if (word_at_ > 0 &&
        std::string_view(".@/-").find(text_[word_at_ - 1]) != std::string_view::npos)
      classes &= ~kAbout;
    if (classes != 0) {
      marked_.words.push_back({classes, static_cast<uint32_t>(word_at_), static_cast<uint32_t>(at),
                               number_, sentence_, starts_line_, disguised_, behind});
    }
    number_++;
    in_word_ = disguised_ = foreign_ = false;
    folds_ = true;
    letters_ = 0;
    folded_.clear();
    raw_.clear();
  }

  void note_spaced() {
    // "i_g_n_o_r_e" is one word with every second letter missing.
    bool alternates = folded_.size() > 2 * kSpacedAtLeast && folded_[1] == '_' && folded_[3] == '_';
    if (letters_ == 1 && folded_.size() == 1) {
      if (spaced_.empty()) spaced_at_ = word_at_;
      if (spaced_.size() < kSpacedAtMost) spaced_ += folded_;
      return;
    }
    end_spaced();
    if (!alternates) return;
    spaced_at_ = word_at_;
    for (char c : folded_)
      if (c != '_') spaced_ += c;
    end_spaced();
  }
  void end_spaced() {
    if (spaced_.size() >= kSpacedAtLeast)
      marked_.spaced.emplace_back(static_cast<uint32_t>(spaced_at_), spaced_);
    spaced_.clear();
  }

  std::string_view text_;
  MarkedText marked_;
  bool in_word_ = false, disguised_ = false, foreign_ = false, folds_ = true;
  bool line_is_empty_ = true, starts_line_ = false;
  size_t word_at_ = 0, letters_ = 0, spaced_at_ = 0;
  uint32_t number_ = 0, sentence_ = 0;
  std::string folded_, raw_, spaced_;
};

}  // namespace

MarkedText mark_words(std::string_view text) { return Marker(text).mark(); }

}  // namespace ringwall::instructions
