#include "shell/wrappers.h"

#include <algorithm>
#include <array>

#include "base/path.h"
#include "shell/global_options.h"
#include "shell/options.h"
#include "shell/value.h"
#include "shell/wrapper_table.h"

namespace ringwall::shell {
namespace {

constexpr std::array<std::string_view, 11> kShells = {"sh",  "bash", "dash", "zsh",  "ksh",  "mksh",
                                                      "ash", "fish", "csh",  "tcsh", "rbash"};

// Options of shells that take a value.
constexpr OptionShape kShellShape = {"oO", "rcfile init-file"};

bool is_assignment(const Word& word) {
  std::string_view start = known_start(word);
  size_t equals = start.find('=');
  return equals != start.npos && equals > 0 && start[0] != '-';
}

Assignment to_assignment(const Word& word) {
  size_t equals = word.text.find('=');
  return {word.text.substr(0, equals), part_of(word, equals + 1)};
}

std::vector<Word> words_from(const std::vector<Word>& words, size_t first) {
  if (first >= words.size()) return {};
  return {words.begin() + static_cast<long>(first), words.end()};
}

// {} and the like become a gap: they stand for what comes in later.
Word with_gap_for(const Word& word, std::string_view mark) {
  if (mark.empty() || word.text.find(mark) == std::string::npos) return word;
  std::string code = to_code(word);
  for (size_t at = 0; (at = code.find(mark, at)) != std::string::npos; at++)
    code.replace(at, mark.size(), 1, kTextGapByte);
  return from_code(code);
}

class Unwrapper {
 public:
  Unwrapper(const std::vector<Word>& words, const Wrapper& wrapper, size_t first)
      : words_(words), wrapper_(wrapper), reader_(words, first, wrapper.shape) {
    inner_.name = wrapper.name;
    if (!wrapper.subcommand.empty()) inner_.name += " " + std::string(wrapper.subcommand);
    inner_.elsewhere = wrapper.has(Wrapper::elsewhere);
  }

  std::optional<Unwrapped> unwrap() {
    if (!read_options()) return std::nullopt;
    inner_.certain &= reader_.certain();
    if (inner_.code) return std::move(inner_);
    size_t at = read_operands(reader_.at());
    if (inner_.code) return std::move(inner_);
    inner_.words = words_from(words_, at);
    if (wrapper_.has(Wrapper::drops_dashes)) drop_dashes();
    if (inner_.words.empty()) return std::nullopt;
    if (!replace_.empty()) {
      for (Word& word : inner_.words)
        word = with_gap_for(word, replace_);
    } else if (wrapper_.has(Wrapper::adds_arguments)) {
      inner_.words.push_back(unknown_word(true));
    }
    if (wrapper_.has(Wrapper::joins) && !keeps_words_) {
      inner_.code = joined(inner_.words);
      inner_.words.clear();
    }
    return std::move(inner_);
  }

 private:
  // kubectl exec POD -c BOX -- COMMAND
  void drop_dashes() {
    std::vector<Word>& words = inner_.words;
    if (words.empty() || !words[0].text.starts_with('-')) return;
    auto is_dashes = [](const Word& word) { return word.text == "--" && word.literal(); };
    auto dashes = std::ranges::find_if(words, is_dashes);
    if (dashes != words.end()) words.erase(words.begin(), dashes + 1);
  }

  // False if with these options nothing else is run.
  bool read_options() {
    Option option;
    while (reader_.next(option)) {
      std::string_view name = option.name;
      if (names_option(wrapper_.code_options, name)) {
        inner_.code = option.value;
        std::vector<Word> rest = words_from(words_, reader_.at());
        inner_.code_arguments = std::move(rest);
      } else if (names_option(wrapper_.folder_options, name)) {
        inner_.folder = option.value;
      } else if (names_option(wrapper_.replace_options, name)) {
        replace_ = option.has_value && !option.value.text.empty() ? option.value.text : "{}";
      } else if (lists(wrapper_.word_options, name)) {
        keeps_words_ = true;
      } else if (lists(wrapper_.idle_options, name)) {
        return false;
      } else if (names_option(wrapper_.split_options, name)) {
        inner_.code = option.value;  // a line of words; a shell reads them in the same way
        for (const Word& word : words_from(words_, reader_.at())) {
          inner_.code->text += ' ';
          append(*inner_.code, word.literal() ? literal_word(quoted_for_shell(word.text)) : word);
        }
        inner_.name += " -S";
        return true;
      }
    }
    return true;
  }

  size_t read_operands(size_t at) {
    if (wrapper_.has(Wrapper::assigns)) {
      bool clears = at < words_.size() && words_[at].text == "-" && words_[at].literal();
      if (clears) at++;
      for (; at < words_.size() && is_assignment(words_[at]); at++)
        inner_.assignments.push_back(to_assignment(words_[at]));
    }
    for (int i = 0; i < wrapper_.operands && at < words_.size(); i++) {
      if (words_[at].splits) inner_.certain = false;
      at++;
    }
    if (wrapper_.operands == 0) return at;
    if (wrapper_.has(Wrapper::options_behind)) {
      OptionReader reader(words_, at, wrapper_.shape);
      for (Option option; reader.next(option);) {
      }
      return reader.at();
    }
    // Options may stand behind the operands too: flock FILE -c CODE, docker exec BOX …
    if (!wrapper_.code_options.empty() && at + 1 < words_.size() &&
        lists(wrapper_.code_options, words_[at].text))
      inner_.code = words_[at + 1];
    return at;
  }

  const std::vector<Word>& words_;
  const Wrapper& wrapper_;
  OptionReader reader_;
  Unwrapped inner_;
  std::string replace_;
  bool keeps_words_ = false;
};

// What the options of a shell say; +e takes back what -e gives.
struct ShellOptions {
  bool has_code = false;
  bool reads_input = false;
  bool certain = true;
  size_t at = 1;  // the first operand
};

ShellOptions read_shell_options(const std::vector<Word>& words) {
  ShellOptions read;
  for (bool goes_on = true; goes_on;) {
    OptionReader reader(words, read.at, kShellShape);
    for (Option option; reader.next(option);) {
      read.has_code |= option.name == "-c" || option.name == "--command";
      read.reads_input |= option.name == "-s";
    }
    read.certain &= reader.certain();
    read.at = reader.at();
    goes_on = !reader.had_dashes() && read.at < words.size() &&
              words[read.at].text.starts_with('+') && words[read.at].text.size() > 1;
    if (!goes_on) break;
    bool takes_next = words[read.at].text.ends_with('o') || words[read.at].text.ends_with('O');
    read.at = std::min(read.at + (takes_next ? 2 : 1), words.size());
  }
  return read;
}

std::optional<Unwrapped> unwrap_shell(const std::vector<Word>& words, std::string_view name) {
  ShellOptions options = read_shell_options(words);
  if (!options.has_code || options.at >= words.size()) return std::nullopt;
  Unwrapped inner{.name = std::string(name) + " -c", .words = {}, .code = words[options.at]};
  inner.code_arguments = words_from(words, options.at + 1);
  inner.certain = options.certain;
  return inner;
}

// parallel's command is a template, and what comes behind ::: fills it, or is the commands
// themselves.
std::optional<Unwrapped> unwrap_parallel(const std::vector<Word>& words) {
  constexpr OptionShape kShape = {
      "jPaINnLdESCXm",
      "jobs arg-file max-args delay timeout retries joblog results "
      "colsep sshlogin sshloginfile workdir tmpdir halt load memfree nice "
      "delimiter max-procs replace max-lines block recend recstart"};
  OptionReader reader(words, 1, kShape);
  Unwrapped inner{.name = "parallel"};
  for (Option option; reader.next(option);)
    inner.elsewhere |= option.name == "-S" || option.name.starts_with("--sshlogin");
  std::vector<Word> pattern;
  size_t at = reader.at();
  for (; at < words.size() && !words[at].text.starts_with(":::"); at++)
    pattern.push_back(words[at]);
  inner.certain = false;
  Word code;
  if (!pattern.empty()) {
    code = joined(pattern);
    bool has_mark = code.text.find('{') != std::string::npos;
    for (std::string_view mark : {"{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}", "{#}"})
      code = with_gap_for(code, mark);
    if (!has_mark) code.text += ' ', append(code, unknown_word(true));
  } else {
    for (at++; at < words.size(); at++) {
      if (words[at].text.starts_with(":::")) continue;
      if (!code.text.empty()) code.text += '\n';
      append(code, words[at]);
    }
    if (code.text.empty() && code.gaps.empty()) return std::nullopt;
  }
  inner.code = std::move(code);
  return inner;
}

}  // namespace

std::string_view program_name(const Word& word) {
  size_t slash = word.text.rfind('/');
  size_t start = slash == std::string::npos ? 0 : slash + 1;
  for (const Word::Gap& gap : word.gaps) {
    if (gap.at >= start) return {};
  }
  return std::string_view(word.text).substr(start);
}

bool is_shell(std::string_view name) { return std::ranges::find(kShells, name) != kShells.end(); }

std::optional<Unwrapped> unwrap(const std::vector<Word>& words) {
  if (words.size() < 2) return std::nullopt;
  std::string_view name = program_name(words[0]);
  if (is_shell(name)) return unwrap_shell(words, name);
  if (name == "parallel" || name == "sem") return unwrap_parallel(words);
  const std::vector<Word>* read = &words;
  std::vector<Word> shorter;
  if (global_options_of(name)) {
    shorter = without_global_options(words);
    read = &shorter;
  }
  for (const Wrapper& wrapper : wrappers_named(name)) {
    size_t first = 1;
    if (!wrapper.subcommand.empty()) {
      first = behind_subcommand(*read, wrapper.subcommand);
      if (first == 0) continue;
    }
    return Unwrapper(*read, wrapper, first).unwrap();
  }
  return std::nullopt;
}

std::optional<ShellInput> shell_input(const std::vector<Word>& words) {
  if (words.empty()) return std::nullopt;
  std::string_view name = program_name(words[0]);
  // Without a command of their own they have been asked about by `unwrap`.
  if (name == "ssh" || name == "parallel") return ShellInput{.reads_input = true, .file = {}};
  if (!is_shell(name)) return std::nullopt;
  ShellOptions options = read_shell_options(words);
  ShellInput input;
  bool has_operand = options.at < words.size() && words[options.at].text != "-";
  input.reads_input = options.reads_input || !has_operand;
  if (!input.reads_input) input.file = words[options.at];
  return input;
}

}  // namespace ringwall::shell
