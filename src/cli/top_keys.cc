#include "cli/top_keys.h"

#include <utility>

namespace ringwall::cli {
namespace {

constexpr char kEscape = 0x1b;
constexpr size_t kLongestSequence = 64;  // of those that a key sends

void add_arrow(char letter, std::vector<Key>& keys) {
  if (letter == 'A') keys.push_back(Key::up);
  if (letter == 'B') keys.push_back(Key::down);
}

bool is_final(char c) { return c >= 0x40 && c <= 0x7e; }

}  // namespace

std::vector<Key> TopKeys::take(std::string_view bytes) {
  std::vector<Key> keys;
  std::string all = std::exchange(rest_, {}) + std::string(bytes);
  for (size_t at = 0; at < all.size();) {
    if (all[at] != kEscape) {
      bool is_key = static_cast<unsigned char>(all[at]) < 0x7f && !is_pasted_;
      if (is_key) keys.push_back(static_cast<Key>(all[at]));
      at++;
      continue;
    }
    size_t length = take_sequence(std::string_view(all).substr(at), keys);
    if (length == 0) {
      rest_ = all.substr(at);
      break;
    }
    at += length;
  }
  return keys;
}

size_t TopKeys::take_sequence(std::string_view bytes, std::vector<Key>& keys) {
  if (bytes.size() < 2) return 0;
  bool is_pasted = is_pasted_;
  if (bytes[1] == 'O') {  // what some terminals send before the letter of an arrow
    if (bytes.size() < 3) return 0;
    if (!is_pasted) add_arrow(bytes[2], keys);
    return 3;
  }
  if (bytes[1] != '[') return bytes[1] == kEscape ? 1 : 2;  // with Alt
  size_t end = 2;
  while (end < bytes.size() && end < kLongestSequence && !is_final(bytes[end]))
    end++;
  if (end == kLongestSequence) return end;
  if (end == bytes.size()) return 0;
  std::string_view parameters = bytes.substr(2, end - 2);
  if (bytes[end] == '~' && parameters == "200") is_pasted_ = true;
  if (bytes[end] == '~' && parameters == "201") is_pasted_ = false;
  if (!is_pasted) add_arrow(bytes[end], keys);
  return end + 1;
}

}  // namespace ringwall::cli
