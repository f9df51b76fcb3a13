#include <charconv>

#include "audit/settings.h"
#include "instructions/code_points.h"
#include "policy/toml_text.h"

namespace ringwall::audit {
namespace {

class JsonReader {
 public:
  JsonReader(std::string_view text, size_t most_values) : text_(text), most_values_(most_values) {}

  Result<Setting> read() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    TRY_ASSIGN(Setting top, read_value(0));
    TRY(skip_blanks());
    if (at_ < text_.size()) return wrong("something stands behind its end");
    return top;
  }

 private:
  std::unexpected<Error> wrong(const std::string& what) const {
    return fail("line " + std::to_string(line_) + ": " + what);
  }
  bool has(char c) const { return at_ < text_.size() && text_[at_] == c; }

  // Blanks and comments.
  Status skip_blanks() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '\n') line_++;
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        at_++;
      } else if (text_.substr(at_, 2) == "//" || c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return wrong("a comment does not end");
        for (char inside : text_.substr(at_, end - at_))
          line_ += inside == '\n' ? 1 : 0;
        at_ = end + 2;
      } else {
        break;
      }
    }
    return {};
  }

  Result<Setting> read_value(size_t depth) {
    TRY(skip_blanks());
    if (depth > kMostSettingsDepth) return wrong("it is nested too deeply");
    if (++values_ > most_values_) return wrong("it holds too many values");
    Setting value;
    value.line = line_;
    size_t begin = at_;
    if (has('{') || has('[')) {
      TRY(read_members(value, depth));
    } else if (has('"')) {
      value.kind = Setting::Kind::text;
      TRY_ASSIGN(value.text, read_text());
    } else {
      TRY_ASSIGN(value, read_word());
    }
    value.begin = begin;
    value.end = at_;
    return value;
  }

  Status read_members(Setting& value, size_t depth) {
    bool is_object = text_[at_++] == '{';
    value.kind = is_object ? Setting::Kind::object : Setting::Kind::list;
    char end = is_object ? '}' : ']';
    while (true) {
      TRY(skip_blanks());
      if (has(end)) break;
      std::string name;
      size_t line = line_;
      if (is_object) {
        if (!has('"')) return wrong("a name in quotes is missing");
        TRY_ASSIGN(name, read_text());
        TRY(skip_blanks());
        if (!has(':')) return wrong("a colon is missing");
        at_++;
      }
      TRY_ASSIGN(Setting member, read_value(depth + 1));
      if (is_object) member.line = line;
      value.members.emplace_back(std::move(name), std::move(member));
      TRY(skip_blanks());
      if (has(',')) {
        at_++;
      } else if (!has(end)) {
        return wrong("a comma or the end of a list or object is missing");
      }
    }
    at_++;
    return {};
  }

  Result<Setting> read_word() {
    size_t end = std::min(text_.find_first_of(" \t\r\n,]}:\"/#", at_), text_.size());
    Setting value;
    value.line = line_;
    value.text = text_.substr(at_, end - at_);
    if (value.text == "true" || value.text == "false") {
      value.kind = Setting::Kind::boolean;
    } else if (!value.text.empty() && std::string_view("-+.0123456789").contains(value.text[0])) {
      value.kind = Setting::Kind::number;
    } else if (value.text != "null") {
      return wrong("neither a text, a number, a list nor an object");
    }
    at_ = end;
    return value;
  }

  Result<std::string> read_text() {
    std::string out;
    at_++;
    while (!has('"')) {
      if (at_ >= text_.size() || text_[at_] == '\n') return wrong("a text does not end");
      char c = text_[at_++];
      if (c != '\\') {
        out += c;
        continue;
      }
      if (at_ >= text_.size()) return wrong("a text does not end");
      TRY(read_escape(text_[at_++], out));
    }
    at_++;
    return out;
  }

  Status read_escape(char c, std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    if (size_t known = kNames.find(c); known != std::string_view::npos) {
      out += kMeanings[known];
      return {};
    }
    if (c != 'u') return wrong("an escape that JSON does not know");
    TRY_ASSIGN(uint32_t code, read_hex());
    if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      TRY_ASSIGN(uint32_t second, read_hex());
      if (second < 0xdc00 || second > 0xdfff) return wrong("half a character");
      code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
    }
    instructions::append_code_point(out, code);
    return {};
  }

  Result<uint32_t> read_hex() {
    uint32_t code = 0;
    std::string_view digits = text_.substr(at_, 4);
    auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() < 4 || read.ptr != digits.data() + 4) return wrong("a broken \\u escape");
    at_ += 4;
    return code;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
  size_t values_ = 0;
  size_t most_values_;
};

}  // namespace

Result<Setting> read_json_settings(std::string_view text) { return read_json_settings(text, {}); }

Result<Setting> read_json_settings(std::string_view text, SettingsLimits limits) {
  if (text.size() > limits.bytes) return fail("it is too big to be settings");
  if (!policy::is_utf8(text)) return fail("it is not UTF-8");
  return JsonReader(text, limits.values).read();
}

}  // namespace ringwall::audit
