#include "shell/file_uses.h"

#include <algorithm>

#include "shell/file_table.h"
#include "shell/global_options.h"
#include "shell/value.h"
#include "shell/wrappers.h"

namespace ringwall::shell {
namespace {

constexpr size_t kNone = std::string_view::npos;

using Kind = FileUse::Kind;

class Uses {
 public:
  void add(const Word& path, Kind kind, bool certain = true) {
    if (path.text.empty() && path.gaps.empty()) return;
    if (path.text == "-" && path.literal()) return;  // standard input
    all_.push_back({path, kind, certain});
  }

  std::vector<FileUse> take() { return std::move(all_); }

 private:
  std::vector<FileUse> all_;
};

// Options may stand between the operands.
template <typename OnOption>
std::vector<Word> read_operands(const std::vector<Word>& words, OptionShape shape,
                                OnOption on_option) {
  std::vector<Word> operands;
  size_t at = 1;
  while (at < words.size()) {
    OptionReader reader(words, at, shape);
    for (Option option; reader.next(option);)
      on_option(option);
    at = reader.at();
    if (reader.had_dashes()) {
      operands.insert(operands.end(), words.begin() + static_cast<long>(at), words.end());
      break;
    }
    if (at < words.size()) operands.push_back(words[at++]);
  }
  return operands;
}

// host:path of scp and rsync
bool is_remote(const Word& word) {
  size_t colon = word.text.find(':'), slash = word.text.find('/');
  return colon != kNone && (slash == kNone || colon < slash);
}

void add_copy(const std::vector<Word>& operands, size_t first, Kind sources, bool has_target,
              Uses& uses) {
  for (size_t i = first; i < operands.size(); i++) {
    bool is_target = !has_target && i + 1 == operands.size() && i > first;
    if (!is_remote(operands[i])) uses.add(operands[i], is_target ? Kind::write : sources);
    // ln -s x and cp with one operand put something here.
    if (!has_target && operands.size() == first + 1) uses.add(literal_word("."), Kind::write);
  }
}

void add_operands(const FileRow& row, const std::vector<Word>& operands, size_t first,
                  bool has_target, Uses& uses) {
  auto add_all = [&](Kind kind) {
    for (size_t i = first; i < operands.size(); i++)
      uses.add(operands[i], kind);
  };
  switch (row.operands) {
    case Operands::none:
      return;
    case Operands::read:
      return add_all(Kind::read);
    case Operands::write:
      return add_all(Kind::write);
    case Operands::remove:
      return add_all(Kind::remove);
    case Operands::change:
      return add_all(Kind::change);
    case Operands::first_read:
      if (first < operands.size()) uses.add(operands[first], Kind::read);
      return;
    case Operands::copy:
      return add_copy(operands, first, Kind::read, has_target, uses);
    case Operands::move:
      return add_copy(operands, first, Kind::remove, has_target, uses);
    case Operands::in_then_out:
    case Operands::out_then_in:
      for (size_t i = first; i < operands.size(); i++) {
        bool is_first = i == first;
        bool writes = row.operands == Operands::in_then_out ? !is_first : is_first;
        uses.add(operands[i], writes ? Kind::write : Kind::read);
      }
      return;
  }
}

void add_by_row(const FileRow& row, const std::vector<Word>& words, Uses& uses) {
  int skips = row.skips;
  bool has_target = false, changes = false, has_code = false;
  std::vector<Word> operands = read_operands(words, row.shape, [&](const Option& option) {
    if (lists(row.skip_options, option.name)) skips = 0;
    has_code |=
        option.name == "-c" || option.name == "-e" || option.name == "-m" || option.name == "-s";
    changes |= lists(row.change_options, option.name);
    if (!option.has_value) return;
    if (lists(row.read_options, option.name)) uses.add(option.value, Kind::read);
    if (lists(row.write_options, option.name)) uses.add(option.value, Kind::write);
    if (lists(row.target_options, option.name)) {
      has_target = true;
      uses.add(option.value, Kind::write);
    }
  });
  auto first = std::min(static_cast<size_t>(skips), operands.size());
  if (changes) {
    for (size_t i = first; i < operands.size(); i++)
      uses.add(operands[i], Kind::change);
  } else if (row.operands != Operands::first_read || !has_code) {
    add_operands(row, operands, first, has_target, uses);
  }
}

// dd if=… of=…
void add_dd(const std::vector<Word>& words, Uses& uses) {
  for (const Word& word : words) {
    if (known_start(word).starts_with("if=")) uses.add(part_of(word, 3), Kind::read);
    if (known_start(word).starts_with("of=")) uses.add(part_of(word, 3), Kind::write);
  }
}

void add_find(const std::vector<Word>& words, Uses& uses) {
  auto is_delete = [](const Word& word) { return word.text == "-delete"; };
  Kind kind = std::ranges::any_of(words, is_delete) ? Kind::remove : Kind::read;
  size_t i = 1;
  for (; i < words.size() && !words[i].text.starts_with('-') && words[i].text != "(" &&
         words[i].text != "!";
       i++)
    uses.add(words[i], kind);
  if (i == 1) uses.add(literal_word("."), kind);
  for (; i + 1 < words.size(); i++) {
    if (words[i].text.starts_with("-fprint") || words[i].text == "-fls")
      uses.add(words[i + 1], Kind::write);
  }
}

// tar xf A, tar -czf A FILES
void add_tar(const std::vector<Word>& words, Uses& uses) {
  if (words.size() < 2) return;
  std::vector<Word> dashed = words;
  bool is_bare = dashed[1].literal() && !dashed[1].text.empty() && dashed[1].text[0] != '-';
  if (is_bare) dashed[1].text.insert(0, "-");
  bool makes = false;
  Word archive, folder;
  constexpr OptionShape kShape = {
      "fCTXIFbgKLNV",
      "file directory files-from exclude exclude-from use-compress-program "
      "transform strip-components owner group mode mtime to-command"};
  std::vector<Word> operands = read_operands(dashed, kShape, [&](const Option& option) {
    std::string_view name = option.name;
    makes |=
        name == "-c" || name == "-r" || name == "-u" || name == "--create" || name == "--append";
    if (name == "-f" || name == "--file") archive = option.value;
    if (name == "-C" || name == "--directory") folder = option.value;
    if (name == "-T" || name == "-X" || name == "--files-from") uses.add(option.value, Kind::read);
  });
  uses.add(archive, makes ? Kind::write : Kind::read);
  uses.add(folder, makes ? Kind::read : Kind::write);
  for (const Word& operand : operands) {
    if (makes) uses.add(operand, Kind::read);
  }
}

// @file in what curl sends
void add_sent(const Word& value, Uses& uses) {
  std::string_view start = known_start(value);
  size_t at = start.find_first_of("@<");
  bool is_first = at == 0 || (at != kNone && start[at - 1] == '=');
  if (!is_first) return;
  size_t end = value.text.find(';', at);
  uses.add(part_of(value, at + 1, end == kNone ? end : end - at - 1), Kind::read);
}

void add_curl(const std::vector<Word>& words, Uses& uses) {
  constexpr OptionShape kShape = {
      "oTdFKcbDEHuAeXxmrUwYyzCtQP",
      "output upload-file data data-binary data-ascii data-raw data-urlencode json form "
      "form-string "
      "config cookie-jar cookie dump-header cert key cacert capath header user user-agent referer "
      "request "
      "proxy max-time range write-out url netrc-file trace trace-ascii stderr etag-save "
      "etag-compare "
      "output-dir connect-timeout retry resolve interface unix-socket pinnedpubkey"};
  constexpr std::string_view kReads =
      "-T --upload-file -K --config -E --cert --key --cacert --capath --netrc-file --etag-compare";
  constexpr std::string_view kWrites =
      "-o --output -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --etag-save "
      "--output-dir";
  constexpr std::string_view kSends =
      "-d --data --data-binary --data-ascii --data-urlencode --json -F --form -H --header -w "
      "--write-out";
  std::vector<Word> operands = read_operands(words, kShape, [&](const Option& option) {
    if (option.name == "-O" || option.name == "--remote-name")
      uses.add(literal_word("."), Kind::write);
    if (!option.has_value) return;
    if (lists(kReads, option.name)) uses.add(option.value, Kind::read);
    if (lists(kWrites, option.name)) uses.add(option.value, Kind::write);
    if (lists(kSends, option.name)) add_sent(option.value, uses);
    bool cookie_file =
        (option.name == "-b" || option.name == "--cookie") && option.value.text.find('=') == kNone;
    if (cookie_file) uses.add(option.value, Kind::read);
  });
  for (const Word& operand : operands) {
    if (known_start(operand).starts_with("file://")) uses.add(part_of(operand, 7), Kind::read);
  }
}

void add_git(const std::vector<Word>& words, Uses& uses) {
  std::vector<Word> rest = without_global_options(words);
  if (rest.size() < 2) return;
  rest.erase(rest.begin());
  std::string_view name = rest[0].text;
  bool removes = name == "rm" || name == "clean", writes = name == "checkout" || name == "restore";
  bool reads =
      name == "add" || name == "apply" || name == "am" || name == "stage" || name == "hash-object";
  bool compares = name == "diff" && std::ranges::any_of(rest, [](const Word& word) {
                    return word.text == "--no-index";
                  });
  if (!removes && !writes && !reads && !compares && name != "mv") return;
  bool behind_dashes = false;
  size_t count = 0;
  for (size_t i = 1; i < rest.size(); i++) {
    std::string_view word = known_start(rest[i]);
    if (word == "--" || word.starts_with('-')) {
      behind_dashes |= word == "--";
      bool takes_value =
          word == "-s" || word == "--source" || word == "-b" || word == "-B" || word == "-e";
      if (takes_value) i++;
      continue;
    }
    if (name == "checkout" && !behind_dashes) continue;  // a branch
    count++;
    uses.add(rest[i], removes ? Kind::remove : (reads || compares ? Kind::read : Kind::write));
  }
  if (name == "clean" && count == 0) uses.add(literal_word("."), Kind::remove);
}

bool looks_like_path(std::string_view text) {
  return text.find('/') != kNone || text.starts_with('.') || text.starts_with('~');
}

// Nobody knows what it does with them.
void add_guesses(const std::vector<Word>& words, Uses& uses) {
  for (size_t i = 1; i < words.size(); i++) {
    size_t equals = known_start(words[i]).find('=');
    if (equals == kNone && !words[i].text.starts_with('@') && !looks_like_path(words[i].text))
      continue;
    Word value = equals == kNone ? words[i] : part_of(words[i], equals + 1);
    if (value.text.starts_with('@')) value = part_of(value, 1);
    if (value.text.find("://") == kNone && looks_like_path(value.text))
      uses.add(value, Kind::read, false);
  }
}

void add_redirections(const Act& act, Uses& uses) {
  for (const Redirection& redirection : act.redirections) {
    switch (redirection.kind) {
      case Redirection::Kind::read:
        uses.add(redirection.target, Kind::read);
        break;
      case Redirection::Kind::write:
      case Redirection::Kind::append:
        uses.add(redirection.target, Kind::write);
        break;
      case Redirection::Kind::read_write:
        uses.add(redirection.target, Kind::change);
        break;
      case Redirection::Kind::text:
        break;
    }
  }
}

}  // namespace

std::vector<FileUse> files_of(const Act& act) {
  Uses uses;
  add_redirections(act, uses);
  if (act.elsewhere || act.words.empty()) return uses.take();
  std::string_view name = program_name(act.words[0]);
  if (name == "dd") {
    add_dd(act.words, uses);
  } else if (name == "find" || name == "gfind") {
    add_find(act.words, uses);
  } else if (name == "tar" || name == "gtar" || name == "bsdtar") {
    add_tar(act.words, uses);
  } else if (name == "curl") {
    add_curl(act.words, uses);
  } else if (name == "git") {
    add_git(act.words, uses);
  } else if (const FileRow* row = file_row_of(name)) {
    add_by_row(*row, act.words, uses);
  } else {
    add_guesses(act.words, uses);
  }
  return uses.take();
}

}  // namespace ringwall::shell
