#include "base/secret_shape.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace ringwall::secret {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alnum(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

struct Form {
  std::string_view start;
  size_t length;    // of what follows, at least
  bool only_alnum;  // else also '-' and '_'
};

constexpr Form kForms[] = {
    {"ghp_", 30, true},         {"gho_", 30, true},      {"ghs_", 30, true},
    {"ghu_", 30, true},         {"npm_", 30, true},      {"hf_", 30, true},
    {"github_pat_", 30, false}, {"glpat-", 20, false},   {"pypi-AgE", 50, false},
    {"sk-ant-", 30, false},     {"sk-proj-", 30, false}, {"sk_live_", 20, true},
    {"rk_live_", 20, true},     {"xoxb-", 20, false},    {"xoxp-", 20, false},
    {"dckr_pat_", 20, false},
};

// How much of the text from `at` on is this token; 0 if none is.
size_t length_of_token(std::string_view text, const Form& form) {
  constexpr size_t kLongest = 256;
  std::string_view rest = text.substr(form.start.size(), kLongest);
  auto ends = std::find_if_not(rest.begin(), rest.end(), [&](char c) {
    return is_alnum(c) || (!form.only_alnum && (c == '-' || c == '_'));
  });
  auto length = static_cast<size_t>(ends - rest.begin());
  bool is_token = length >= form.length && std::any_of(rest.begin(), ends, is_digit);
  return is_token ? form.start.size() + length : 0;
}

}  // namespace

bool is_named(std::string_view name) {
  static constexpr std::string_view kWords[] = {
      "password", "passwd",     "passphrase",  "secret",     "token",       "apikey",    "api_key",
      "api-key",  "privatekey", "private_key", "credential", "account_key", "authident", "_auth"};
  // About a secret, but not itself one.
  static constexpr std::string_view kEnds[] = {
      "url",    "uri",    "file",    "path",    "name",       "id",     "header",
      "type",   "ttl",    "expiry",  "expires", "expiration", "length", "size",
      "prefix", "policy", "enabled", "timeout", "algorithm",  "tokens"};
  std::string folded = text::in_small_letters(name);
  auto inside = [&](std::string_view word) { return contains(folded, word); };
  auto at_end = [&](std::string_view end) { return folded.ends_with(end); };
  return std::any_of(std::begin(kWords), std::end(kWords), inside) &&
         !std::any_of(std::begin(kEnds), std::end(kEnds), at_end) && !contains(folded, "public");
}

bool is_real(std::string_view value) {
  constexpr size_t kShortest = 4;
  if (value.size() < kShortest) return false;
  if (std::string_view("$%<{[*|>/").find(value[0]) != std::string_view::npos) return false;
  std::string folded = text::in_small_letters(value);
  // A value that begins with one of these, or is one.
  static constexpr std::string_view kStarts[] = {
      "your",    "my-",    "my_",   "xxx",    "change",  "replace",  "insert",
      "example", "sample", "dummy", "fake",   "todo",    "fixme",    "placeholder",
      "http://", "./",     "~/",    "!vault", "!secret", "https://", "enc[",
      "op://",   "env:",   "file:", "arn:"};
  static constexpr std::string_view kWords[] = {
      "null",   "none",      "true", "false",   "password", "passwd",   "secret", "token",
      "string", "undefined", "test", "default", "redacted", "postgres", "root"};
  auto starts = [&](std::string_view start) { return folded.starts_with(start); };
  if (std::any_of(std::begin(kStarts), std::end(kStarts), starts)) return false;
  if (std::find(std::begin(kWords), std::end(kWords), folded) != std::end(kWords)) return false;
  if (contains(folded, "placeholder") || contains(value, "${") || contains(value, "{{"))
    return false;
  // "xxxx", "****", "....": one character again and again.
  return folded.find_first_not_of(folded[0]) != std::string::npos;
}

std::optional<Place> find_token(std::string_view text, size_t from) {
  std::optional<Place> first;
  for (const Form& form : kForms) {
    for (size_t at = from; (at = text.find(form.start, at)) != std::string_view::npos; at++) {
      if (first && at > first->at) break;
      size_t length = length_of_token(text.substr(at), form);
      if (length == 0) continue;
      first = Place{at, length};
      break;
    }
  }
  return first;
}

std::optional<Place> find_url_password(std::string_view text, size_t from) {
  for (size_t at = from; (at = text.find("://", at)) != std::string_view::npos;) {
    at += 3;
    size_t end = std::min(text.find_first_of(" \t\r\n\"'/<>`", at), text.size());
    std::string_view authority = text.substr(at, end - at);
    size_t sign = authority.rfind('@');
    size_t colon = authority.find(':');
    if (sign == std::string_view::npos || colon >= sign) continue;
    std::string_view password = authority.substr(colon + 1, sign - colon - 1);
    if (is_real(password) && password != authority.substr(0, colon))
      return Place{at + colon + 1, password.size()};
  }
  return std::nullopt;
}

}  // namespace ringwall::secret
