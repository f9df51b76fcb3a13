#include "git/config.h"

#include <algorithm>

namespace ringwall::git {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr int kEnd = -1;

// Git's own classes: ASCII only, and neither vertical tab nor form feed is a blank.
bool is_blank(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_key_byte(int c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; }
char lower(int c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

class Parser {
 public:
  explicit Parser(std::string_view text) { config_.text = text; }

  Result<GitConfig> parse() {
    TRY(check_bounds());
    skip_byte_order_mark();
    for (int c = next(); c != kEnd; c = next()) {
      if (is_blank(c)) continue;
      if (c == '#' || c == ';') {
        skip_line();
      } else if (c == '[') {
        TRY(read_header());
      } else if (is_letter(c)) {
        TRY(read_entry(c));
      } else {
        return wrong("a line begins neither with a section nor with a key");
      }
    }
    return std::move(config_);
  }

 private:
  std::unexpected<Error> wrong(std::string_view what) const {
    return fail("line " + std::to_string(line_) + ": " + std::string(what));
  }

  Status check_bounds() {
    std::string_view text = config_.text;
    if (text.size() > kMostGitConfigBytes) return fail("it is larger than 1 MB");
    size_t start = 0;
    for (size_t line = 1; start < text.size(); line++) {
      size_t end = std::min(text.find('\n', start), text.size());
      line_ = line;
      if (end - start > kLongestGitConfigLine) return wrong("the line is too long");
      // Git cuts a text off at such a byte, at some places and not at others.
      if (text.substr(start, end - start).find('\0') != std::string_view::npos)
        return wrong("there is a zero byte");
      start = end + 1;
    }
    line_ = 1;
    return {};
  }

  // A part of the mark is no mark; it is then an error like any other byte that begins no line.
  void skip_byte_order_mark() {
    if (config_.text.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  // CR LF is LF, as git has it everywhere, within quotes too.
  int next() {
    if (newline_passed_) line_++;
    newline_passed_ = false;
    if (at_ >= config_.text.size()) return kEnd;
    if (config_.text[at_] == '\r' && at_ + 1 < config_.text.size() && config_.text[at_ + 1] == '\n')
      at_++;
    int c = static_cast<unsigned char>(config_.text[at_++]);
    newline_passed_ = c == '\n';
    return c;
  }
  // The end of the file ends a line as well.
  int next_in_line() {
    int c = next();
    return c == kEnd ? '\n' : c;
  }

  void skip_line() {
    while (next_in_line() != '\n') {
    }
  }

  Status read_header() {
    size_t begin = at_ - 1;
    stem_.clear();
    for (int c = next_in_line(); c != ']'; c = next_in_line()) {
      if (is_blank(c)) {
        TRY(read_subsection(c));
        break;
      }
      if (!is_key_byte(c) && c != '.') return wrong("a section's name has a byte it cannot have");
      stem_ += lower(c);
    }
    if (stem_.empty()) return wrong("a section has no name");
    config_.headers.push_back({stem_, begin, at_});
    return {};
  }

  Status read_subsection(int c) {
    while (is_blank(c)) {
      if (c == '\n') return wrong("a section's header is not complete");
      c = next_in_line();
    }
    if (c != '"') return wrong("what follows a section's name must be quoted");
    stem_ += '.';
    for (c = next_in_line(); c != '"'; c = next_in_line()) {
      if (c == '\\') c = next_in_line();
      if (c == '\n') return wrong("a section's header is not complete");
      stem_ += static_cast<char>(c);
    }
    if (next_in_line() != ']') return wrong("a section's header does not end in ]");
    return {};
  }

  Status read_entry(int c) {
    // Git takes such a key for one without a section, which nothing of it can use.
    if (stem_.empty()) return wrong("a key stands before the first section");
    if (config_.entries.size() >= kMostGitConfigKeys) return wrong("there are too many keys");
    GitConfig::Entry entry{.key = stem_ + '.', .line = line_, .begin = at_ - 1};
    for (; is_key_byte(c); c = next_in_line())
      entry.key += lower(c);
    while (c == ' ' || c == '\t')
      c = next_in_line();
    if (c == '=') {
      TRY_ASSIGN(entry.value, read_value());
    } else if (c != '\n') {
      return wrong("a key is followed neither by = nor by the end of the line");
    }
    entry.end = at_;
    config_.entries.push_back(std::move(entry));
    return {};
  }

  // Blanks between words count as that many spaces, those at the ends not at all; what is quoted
  // stays. Newer git keeps a tab between words: so a value is never written without quotes there.
  Result<std::string> read_value() {
    std::string value;
    bool quoted = false;
    size_t blanks = 0;
    for (int c = next_in_line(); c != '\n'; c = next_in_line()) {
      if (!quoted && is_blank(c)) {
        if (!value.empty()) blanks++;
        continue;
      }
      if (!quoted && (c == '#' || c == ';')) {
        skip_line();
        return value;
      }
      value.append(std::exchange(blanks, 0), ' ');
      if (c == '"') {
        quoted = !quoted;
      } else if (c != '\\') {
        value += static_cast<char>(c);
      } else {
        TRY(read_escape(value));
      }
    }
    if (quoted) return wrong("a quote is not closed on its line");
    return value;
  }

  Status read_escape(std::string& value) {
    int c = next_in_line();
    if (c == '\n') return {};  // the value goes on in the next line
    constexpr std::string_view kNames = "ntb\"\\", kMeanings = "\n\t\b\"\\";
    size_t which = c < 0x80 ? kNames.find(static_cast<char>(c)) : std::string_view::npos;
    if (which == std::string_view::npos) return wrong("a backslash is followed by an unknown byte");
    value += kMeanings[which];
    return {};
  }

  GitConfig config_;
  std::string stem_;  // of the section that is read
  size_t at_ = 0;
  size_t line_ = 1;
  bool newline_passed_ = false;
};

}  // namespace

Result<GitConfig> parse_git_config(std::string_view text) { return Parser(text).parse(); }

std::string_view stem_of(std::string_view key) { return key.substr(0, key.rfind('.')); }

GitKeys keys_of(const GitConfig& config) {
  GitKeys keys;
  for (const GitConfig::Entry& entry : config.entries)
    keys[entry.key].push_back(entry.value);
  return keys;
}

}  // namespace ringwall::git
