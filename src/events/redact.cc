#include "events/redact.h"

#include <algorithm>
#include <optional>

#include "base/secret_shape.h"
#include "base/text.h"

namespace ringwall::events {
namespace {

using secret::Place;

bool is_name_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '-' || c == '.';
}
bool is_base64(char c) { return is_name_char(c) || c == '+' || c == '/' || c == '='; }
bool is_upper_or_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); }

template <class Is>
size_t run_length(std::string_view text, size_t from, Is is) {
  size_t at = from;
  while (at < text.size() && is(text[at]))
    at++;
  return at - from;
}

// header.payload.signature, each base64: "eyJ" is how every JSON object begins.
std::optional<Place> find_web_token(std::string_view text, size_t from) {
  constexpr size_t kShortest = 40;
  for (size_t at = from; (at = text.find("eyJ", at)) != std::string_view::npos; at += 3) {
    size_t length = run_length(text, at, is_base64);
    std::string_view token = text.substr(at, length);
    if (length >= kShortest && std::count(token.begin(), token.end(), '.') >= 2)
      return Place{at, length};
  }
  return std::nullopt;
}

// Tokens that stand in commands and addresses more often than in files. What is no token is rarely
// so long, and has a digit.
std::optional<Place> find_other_token(std::string_view text, size_t from) {
  static constexpr struct {
    std::string_view start;
    size_t length;  // behind that, at least
  } kForms[] = {
      {"sk-", 32},
      {"AIza", 30},
      {"ya29.", 20},
      {"dop_v1_", 40},
      {"SG.", 40},
      {"shpat_", 30},
      {"AGE-SECRET-KEY-", 40},
      {"hvs.", 20},
      {"atlasv1.", 20},
      {"xai-", 40},
      {"gsk_", 30},
      {"lin_api_", 30},
      {"ntn_", 30},
      {"secret_", 40},
      {"dp.pt.", 30},
      {"fm2_", 30},
      {"xoxa-", 20},
      {"xapp-", 20},
      {"vercel_blob_rw_", 20},
      {"key-", 32},
      {"/services/T", 30},  // of a web hook
  };
  constexpr size_t kShortest = 24;
  auto belongs = [](char c) { return is_name_char(c) || c == '/'; };
  // Most texts have no such long word, and are not looked through for each form.
  bool has_long_word = false;
  for (size_t at = from; at + kShortest <= text.size() && !has_long_word; at++) {
    size_t length = run_length(text, at, belongs);
    has_long_word = length >= kShortest;
    at += length;
  }
  if (!has_long_word) return std::nullopt;
  for (const auto& form : kForms) {
    for (size_t at = from; (at = text.find(form.start, at)) != std::string_view::npos; at++) {
      bool is_within = at > 0 && form.start[0] != '/' && is_name_char(text[at - 1]);
      size_t length = run_length(text, at + form.start.size(), belongs);
      std::string_view rest = text.substr(at + form.start.size(), length);
      bool has_digit = rest.find_first_of("0123456789") != std::string_view::npos;
      if (!is_within && has_digit && length >= form.length)
        return Place{at, form.start.size() + length};
    }
  }
  return std::nullopt;
}

// A chat program's bot: bot1234567890:35 letters.
std::optional<Place> find_bot_token(std::string_view text, size_t from) {
  constexpr size_t kNumber = 8, kRest = 30;
  auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (size_t at = from; (at = text.find(':', at)) != std::string_view::npos; at++) {
    size_t start = at;
    while (start > from && is_digit(text[start - 1]))
      start--;
    size_t length = run_length(text, at + 1, is_name_char);
    if (at - start >= kNumber && length >= kRest) return Place{start, at + 1 + length - start};
  }
  return std::nullopt;
}

// AKIA…, ASIA…: the public half of a pair, which says whose the other half is.
std::optional<Place> find_cloud_key(std::string_view text, size_t from) {
  constexpr size_t kLength = 20;
  for (std::string_view start : {"AKIA", "ASIA"}) {
    for (size_t at = from; (at = text.find(start, at)) != std::string_view::npos; at += 4) {
      if (run_length(text, at, is_upper_or_digit) == kLength) return Place{at, kLength};
    }
  }
  return std::nullopt;
}

std::optional<Place> find_private_key(std::string_view text, size_t from) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  size_t at = text.find(kBegin, from);
  if (at == std::string_view::npos) return std::nullopt;
  size_t label_end = text.find("-----", at + kBegin.size());
  std::string_view label = text.substr(at, label_end - at);
  if (label.find("PRIVATE KEY") == std::string_view::npos) return std::nullopt;
  size_t end = text.find("-----END", at);
  return Place{at, std::min(end, text.size()) - at};
}

// Beyond what makes a file one to hide: in a command line more names mean a secret.
bool names_a_secret(std::string_view name) {
  static constexpr std::string_view kEnds[] = {
      "pass",    "pwd", "pw",  "creds",     "auth",        "cookie",     "jwt",      "bearer",
      "session", "pin", "sig", "signature", "credentials", "accountkey", "accesskey"};
  if (secret::is_named(name)) return true;
  std::string folded = text::in_small_letters(name);
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return folded.ends_with(end); });
}

// https://TOKEN@host
std::optional<Place> find_url_token(std::string_view text, size_t from) {
  constexpr size_t kShortest = 8;
  for (size_t at = from; (at = text.find("://", at)) != std::string_view::npos;) {
    at += 3;
    size_t end = std::min(text.find_first_of(" \t\r\n\"'/<>`", at), text.size());
    size_t sign = text.substr(at, end - at).rfind('@');
    if (sign == std::string_view::npos || sign < kShortest) continue;
    std::string_view user = text.substr(at, sign);
    if (user.find(':') == std::string_view::npos && user != kRedacted) return Place{at, sign};
  }
  return std::nullopt;
}

// "--password VALUE" within one word, as in sh -c '…'.
std::optional<Place> find_flag_value(std::string_view text, size_t from) {
  for (size_t at = from; (at = text.find("--", at)) != std::string_view::npos; at += 2) {
    size_t length = run_length(text, at + 2, is_name_char);
    size_t value = at + 2 + length;
    if (length == 0 || value >= text.size() || text[value] != ' ') continue;
    if (!names_a_secret(text.substr(at + 2, length))) continue;
    value = std::min(text.find_first_not_of(" '\"", value), text.size());
    size_t end = std::min(text.find_first_of(" \t\r\n'\";|&", value), text.size());
    std::string_view found = text.substr(value, end - value);
    if (!found.empty() && !found.starts_with('-') && found != kRedacted)
      return Place{value, end - value};
  }
  return std::nullopt;
}

std::optional<Place> find_authorization(std::string_view text, size_t from) {
  std::string folded = text::in_small_letters(text.substr(from));
  for (std::string_view name : {"authorization:", "bearer ", "x-api-key:", "cookie:"}) {
    size_t at = folded.find(name);
    if (at == std::string::npos) continue;
    size_t value = folded.find_first_not_of(' ', at + name.size());
    if (value == std::string::npos) continue;
    // "Authorization: Bearer TOKEN": to the end of what a header can be.
    size_t end = std::min(folded.find_first_of("\"'\r\n", value), folded.size());
    return Place{from + value, end - value};
  }
  return std::nullopt;
}

// NAME=VALUE, name: VALUE, "name":"VALUE", --name=VALUE, wherever it stands in the text.
std::optional<Place> find_named_value(std::string_view text, size_t from) {
  for (size_t at = from; (at = text.find_first_of("=:", at)) != std::string_view::npos; at++) {
    size_t name_end = at;
    while (name_end > 0 && text[name_end - 1] == ' ')
      name_end--;
    if (name_end > 0 && (text[name_end - 1] == '"' || text[name_end - 1] == '\'')) name_end--;
    size_t name = name_end;
    while (name > 0 && is_name_char(text[name - 1]))
      name--;
    if (name == name_end || !names_a_secret(text.substr(name, name_end - name))) continue;
    size_t value = at + 1;
    while (value < text.size() && text[value] == ' ')
      value++;
    if (value >= text.size()) return std::nullopt;
    char quote = text[value] == '"' || text[value] == '\'' ? text[value] : '\0';
    if (quote != '\0') value++;
    size_t end = quote != '\0' ? text.find(quote, value) : text.find_first_of(" \t\r\n&;,", value);
    end = std::min(end, text.size());
    std::string_view found = text.substr(value, end - value);
    if (!found.empty() && found != kRedacted && found[0] != '$') return Place{value, end - value};
  }
  return std::nullopt;
}

using Find = std::optional<Place> (*)(std::string_view, size_t);
// Whole stretches before the parts of them.
constexpr Find kFinds[] = {find_private_key, find_authorization,        find_web_token,
                           find_cloud_key,   secret::find_token,        find_other_token,
                           find_bot_token,   secret::find_url_password, find_url_token,
                           find_flag_value,  find_named_value};

// "--password", "--api-key", "-p" of nobody knows which program: the long ones only.
bool asks_for_secret(std::string_view word) {
  return word.starts_with("--") && word.find('=') == std::string_view::npos &&
         names_a_secret(word.substr(2));
}

// curl -u NAME:PASSWORD
bool asks_for_login(std::string_view word) {
  return word == "-u" || word == "--user" || word == "--proxy-user";
}

}  // namespace

size_t count_secrets(std::string_view text, size_t most) {
  size_t count = 0;
  for (Find find : {find_private_key, find_web_token, find_cloud_key, secret::find_token,
                    find_other_token, secret::find_url_password}) {
    size_t from = 0;
    while (count < most) {
      auto found = find(text, from);
      if (!found) break;
      count++;
      from = found->at + std::max<size_t>(found->length, 1);
    }
  }
  return count;
}

std::string redact(std::string_view text) {
  // Most texts are short names, and hold nothing that any of the forms begins with.
  std::string out(text);
  for (Find find : kFinds) {
    for (size_t from = 0;;) {
      auto place = find(out, from);
      if (!place) break;
      out.replace(place->at, place->length, kRedacted);
      from = place->at + kRedacted.size();
    }
  }
  return out;
}

std::string redact_value(std::string_view name, std::string_view value) {
  if (secret::is_named(name) && !value.empty()) return std::string(kRedacted);
  return redact(value);
}

std::vector<std::string> redact_words(std::span<const std::string> words) {
  std::vector<std::string> out;
  std::string_view before;
  for (const std::string& word : words) {
    bool is_secret = asks_for_secret(before) || (before == "-p" && words[0].ends_with("sshpass"));
    size_t colon = asks_for_login(before) ? word.find(':') : std::string::npos;
    if (is_secret && !word.starts_with('-')) {
      out.emplace_back(kRedacted);
    } else if (colon != std::string::npos) {
      out.push_back(word.substr(0, colon + 1) + std::string(kRedacted));
    } else {
      out.push_back(redact(word));
    }
    before = word;
  }
  return out;
}

}  // namespace ringwall::events
