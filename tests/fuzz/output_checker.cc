#include "output_checker.h"

#include <set>
#include <string>
#include <vector>

namespace ringwall::fuzz {
namespace {

constexpr size_t kLongestCommand = 4096 + 16, kLongestClipboard = 128 * 1024 + 16;

class Reader {
 public:
  Reader(std::string_view output, bool utf8, bool clipboard)
      : rest_(output), utf8_(utf8), clipboard_(clipboard) {}

  const char* read() {
    while (!rest_.empty()) {
      const char* complaint = read_one();
      if (complaint != nullptr) return complaint;
    }
    return nullptr;
  }

 private:
  int take() {
    if (rest_.empty()) return -1;
    auto c = static_cast<unsigned char>(rest_[0]);
    rest_.remove_prefix(1);
    return c;
  }

  const char* read_one() {
    int c = take();
    if (c == 0x1b) return read_escape();
    if (c == 0x7f) return "DEL";
    if (c < 0x20) return c >= 0x07 && c <= 0x0f ? nullptr : "a control";
    if (c < 0x80) return nullptr;
    if (!utf8_) return c < 0xa0 ? "a C1 control" : nullptr;
    return read_character(c);
  }

  const char* read_character(int first) {
    int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : -1;
    if (more < 0 || first > 0xf7) return "a broken character";
    long code = first & (0x3f >> more);
    for (int i = 0; i < more; i++) {
      int next = take();
      if (next < 0x80 || next > 0xbf) return "an unfinished character";
      code = code * 64 + (next & 0x3f);
    }
    if (code < (more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000)) return "an overlong character";
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "no character";
    return code < 0xa0 ? "a C1 control in UTF-8" : nullptr;
  }

  const char* read_escape() {
    int c = take();
    if (c == '[') return read_csi();
    if (c == ']') return read_command();
    if (std::string_view("()*+-./#").find(static_cast<char>(c)) != std::string_view::npos) {
      int final = take();
      if (final < '0' || final > '~') return "a designation without a set";
      return c == '#' && final == '7' ? "printing of the screen" : nullptr;
    }
    bool known = c > 0 && std::string_view("6789=>DEHMc").find(static_cast<char>(c)) !=
                              std::string_view::npos;
    return known ? nullptr : "an escape sequence that must not pass";
  }

  const char* read_csi() {
    std::string body;
    int c = take();
    for (; c >= 0x20 && c < 0x40; c = take())
      body += static_cast<char>(c);
    if (c < 0x40 || c > 0x7e) return "an unfinished control sequence";
    std::vector<int> numbers(1);
    for (char digit : body) {
      if (digit == ';' || digit == ':') numbers.push_back(0);
      if (digit >= '0' && digit <= '9') numbers.back() = numbers.back() * 10 + (digit - '0');
      if (numbers.back() > 65535) return "a number that overflows";
    }
    char marker = body.empty() || body[0] < '<' ? '\0' : body[0];
    char last = body.empty() || body.back() >= '0' ? '\0' : body.back();
    if (c == 'i') return "printing";
    if (c == 'y' || c == 'w' || c == 'x') return last == '$' && c == 'x' ? nullptr : "a report";
    if (c == 'p' && last == '"') return "a change of conformance";
    if (c == 'c' && marker == '=') return "the number of the unit";
    if (c == 't' && last == 0) return judge_window(marker, numbers[0]);
    if (c == 'T' && numbers.size() > 1) return "highlight tracking";
    if (c == 'h' || c == 'l') return judge_modes(marker, numbers);
    return nullptr;
  }

  const char* judge_window(char marker, int number) {
    const std::set<int> allowed = {14, 16, 18, 22, 23};
    return marker == 0 && allowed.contains(number) ? nullptr : "a window command";
  }

  const char* judge_modes(char marker, const std::vector<int>& numbers) {
    const std::set<int> bad = {2, 3, 10, 18, 19, 38, 40, 42, 46, 1001, 1046, 9001};
    const std::set<int> bad_unmarked = {2, 3, 12};
    for (int number : numbers) {
      if ((marker == '?' ? bad : bad_unmarked).contains(number)) return "a mode that must not pass";
    }
    return nullptr;
  }

  const char* read_command() {
    std::string body;
    int c = take();
    for (; c >= 0x20 && c != 0x7f; c = take()) {
      body += static_cast<char>(c);
      if (body.size() > (clipboard_ ? kLongestClipboard : kLongestCommand)) return "a long command";
    }
    if (c != 0x07 && !(c == 0x1b && take() == '\\')) return "an unfinished command";
    if (const char* complaint = Reader(body, utf8_, clipboard_).read()) return complaint;
    size_t end = std::min(body.find(';'), body.size());
    return judge_command(body.substr(0, end), end < body.size() ? body.substr(end + 1) : "");
  }

  const char* judge_command(const std::string& number, const std::string& text) {
    const std::set<std::string> allowed = {"0",  "1",   "2",   "4",   "8",   "9",   "10",  "11",
                                           "12", "104", "110", "111", "112", "133", "777", "99"};
    if (number == "52") {
      if (!clipboard_) return "the clipboard";
      return text.find('?') == std::string::npos ? nullptr : "reading the clipboard";
    }
    if (!allowed.contains(number)) return "a command that must not pass";
    if (number == "8") {
      std::string address = text.substr(text.find(';') + 1);
      if (!address.empty() && (address[0] | 32) != 'h') return "a link elsewhere";
    }
    if (number == "9") {
      size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
      bool command = digits > 0 && (digits == text.size() || text[digits] == ';');
      if (command && !text.starts_with("4;")) return "a command of ConEmu";
    }
    return nullptr;
  }

  std::string_view rest_;
  bool utf8_;
  bool clipboard_;
};

}  // namespace

const char* complaint_about(std::string_view output, bool utf8, bool clipboard_granted) {
  return Reader(output, utf8, clipboard_granted).read();
}

}  // namespace ringwall::fuzz
