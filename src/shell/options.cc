#include "shell/options.h"

#include "shell/value.h"

namespace ringwall::shell {

bool OptionReader::next(Option& option) {
  option = {};
  if (letter_ > 0) {
    read_letter(option);
    return true;
  }
  if (at_ >= words_.size()) return false;
  const Word& word = words_[at_];
  std::string_view start = known_start(word);
  if (!word.literal()) certain_ = false;
  if (start == "--" && word.literal()) {
    at_++;
    had_dashes_ = true;
    return false;
  }
  if (start.size() < 2 || start[0] != '-') return false;
  if (start[1] == '-' || shape_.single_dash) {
    read_long(option);
  } else {
    letter_ = 1;
    read_letter(option);
  }
  return true;
}

void OptionReader::read_long(Option& option) {
  const Word& word = words_[at_++];
  size_t equals = word.text.find('=');
  option.name = word.text.substr(0, equals);
  if (equals != std::string::npos) {
    option.value = part_of(word, equals + 1);
    option.has_value = true;
    return;
  }
  size_t dashes = option.name.starts_with("--") ? 2 : 1;
  if (lists(shape_.long_values, std::string_view(option.name).substr(dashes), true))
    take_value(option);
}

void OptionReader::read_letter(Option& option) {
  const Word& word = words_[at_];
  char letter = word.text[letter_];
  option.name = std::string("-") + letter;
  letter_++;
  bool takes_value = shape_.short_values.find(letter) != std::string_view::npos;
  bool is_last = letter_ >= word.text.size();
  if (takes_value && (!is_last || !word.gaps.empty())) {
    option.value = part_of(word, letter_);
    option.has_value = true;
    is_last = true;
    at_++;
  } else if (is_last) {
    at_++;
    if (takes_value) take_value(option);
  }
  if (is_last) letter_ = 0;
}

void OptionReader::take_value(Option& option) {
  if (at_ >= words_.size()) return;
  option.value = words_[at_++];
  option.has_value = true;
}

bool names_option(std::string_view options, std::string_view written) {
  constexpr size_t kShortest = 4;  // --ex
  bool may_be_short = written.starts_with("--") && written.size() >= kShortest;
  return lists(options, written, may_be_short);
}

bool lists(std::string_view names, std::string_view name, bool abbreviated) {
  if (name.empty()) return false;
  for (size_t at = names.find(name); at != names.npos; at = names.find(name, at + 1)) {
    size_t end = at + name.size();
    bool starts = at == 0 || names[at - 1] == ' ';
    if (starts && (abbreviated || end == names.size() || names[end] == ' ')) return true;
  }
  return false;
}

}  // namespace ringwall::shell
