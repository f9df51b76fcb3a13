#include "files/hidden_content.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/secret_shape.h"
#include "base/text.h"

namespace ringwall::files {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alnum(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_base64(char c) {
  return is_alnum(c) || c == '+' || c == '/' || c == '=' || c == '-' || c == '_';
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Calls visit(line) for each line, until it returns true.
template <class Visit>
bool any_line(std::string_view bytes, Visit visit) {
  while (!bytes.empty()) {
    size_t end = std::min(bytes.find('\n'), bytes.size());
    if (visit(text::trim(bytes.substr(0, end)))) return true;
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return false;
}

// What a machine made: long, without spaces, with a digit.
bool is_token(std::string_view value) {
  constexpr size_t kShortest = 16;
  return value.size() >= kShortest && secret::is_real(value) &&
         value.find_first_of(" \t\n") == std::string_view::npos &&
         std::any_of(value.begin(), value.end(), is_digit);
}

std::string_view without_quotes(std::string_view value) {
  if (value.empty()) return value;
  char quote = value[0];
  if (quote == '"' || quote == '\'') {
    value.remove_prefix(1);
    return value.substr(0, value.find(quote));
  }
  // What follows an unquoted value is a comment.
  size_t comment = value.find(" #");
  return text::trim(value.substr(0, comment));
}

// The next `"name": "value"` of a JSON text at or after `at`, which is moved behind it.
std::optional<std::string_view> json_member(std::string_view json, std::string_view name,
                                            size_t& at) {
  std::string quoted = "\"" + std::string(name) + "\"";
  while ((at = json.find(quoted, at)) != std::string_view::npos) {
    at += quoted.size();
    size_t colon = json.find_first_not_of(" \t\r\n", at);
    if (colon == std::string_view::npos || json[colon] != ':') continue;
    size_t open = json.find_first_not_of(" \t\r\n", colon + 1);
    if (open == std::string_view::npos || json[open] != '"') continue;
    size_t end = open + 1;
    while (end < json.size() && json[end] != '"')
      end += json[end] == '\\' ? 2 : 1;
    at = std::min(end, json.size());
    return json.substr(open + 1, at - open - 1);
  }
  at = json.size();
  return std::nullopt;
}

template <class Accept>
bool any_member(std::string_view json, std::string_view name, Accept accept) {
  size_t at = 0;
  while (auto value = json_member(json, name, at)) {
    if (accept(*value)) return true;
  }
  return false;
}

bool is_der_private_key(std::string_view bytes) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (bytes.size() < 32 || byte(0) != 0x30) return false;
  size_t body = byte(1) < 0x80 ? 2 : 2u + (byte(1) & 0x7f);  // behind the outer length
  if (body > 6) return false;
  bool version = byte(body) == 2 && byte(body + 1) == 1 && byte(body + 2) <= 1;
  unsigned char next = byte(body + 3);
  return version && (next == 0x02 || next == 0x30 || next == 0x04);  // PKCS#1, PKCS#8, SEC 1
}

// The lines behind a BEGIN line: a key has a long one of base64, a text about keys has not.
bool has_key_body(std::string_view behind) {
  constexpr size_t kShortestLine = 40;
  constexpr size_t kFarthest = 1024;
  behind = behind.substr(0, kFarthest);
  behind = behind.substr(0, behind.find("-----END"));
  return any_line(behind, [](std::string_view line) {
    return line.size() >= kShortestLine && std::all_of(line.begin(), line.end(), is_base64);
  });
}

bool starts_line(std::string_view bytes, size_t at) {
  while (at > 0 && (bytes[at - 1] == ' ' || bytes[at - 1] == '\t'))
    at--;
  return at == 0 || bytes[at - 1] == '\n' || (at == 3 && bytes.starts_with("\xef\xbb\xbf"));
}

bool holds_armored_key(std::string_view bytes) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr size_t kLongestLabel = 64;
  for (size_t at = 0; (at = bytes.find(kBegin, at)) != std::string_view::npos;) {
    bool in_place = starts_line(bytes, at);
    at += kBegin.size();
    std::string_view label = bytes.substr(at, kLongestLabel);
    label = label.substr(0, label.find("-----"));
    bool is_key = label.ends_with("PRIVATE KEY") || label == "PGP PRIVATE KEY BLOCK";
    if (in_place && is_key && has_key_body(bytes.substr(at + label.size()))) return true;
  }
  return false;
}

struct Setting {
  std::string_view name;
  std::string_view value;
};

// "export NAME=value", "name: value", "//host/:_authToken=value", `"name" = "value"`
std::optional<Setting> setting_of(std::string_view line) {
  if (line.empty() || line[0] == '#' || line[0] == ';') return std::nullopt;
  if (line.starts_with("export ")) line.remove_prefix(7);
  // A key of npm begins with the address of its registry, which has a colon itself.
  size_t separator = line.starts_with("//")
                         ? line.find('=')
                         : line.find_first_of("=:", line.starts_with(':') ? 1 : 0);
  if (separator == std::string_view::npos) return std::nullopt;
  std::string_view name = text::trim(line.substr(0, separator));
  if (name.starts_with("- ")) name = text::trim(name.substr(2));
  if (name.size() >= 2 && (name[0] == '"' || name[0] == '\''))
    name = name.substr(1, name.size() - 2);
  // A sentence that ends with a colon is no setting.
  if (name.find(' ') != std::string_view::npos) return std::nullopt;
  return Setting{name, without_quotes(text::trim(line.substr(separator + 1)))};
}

}  // namespace

bool holds_private_key(std::string_view bytes) {
  return bytes.starts_with("PuTTY-User-Key-File-") ||
         bytes.starts_with("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----") ||
         any_line(bytes,
                  [](std::string_view line) {
                    return line.size() > 60 && line.starts_with("AGE-SECRET-KEY-1");
                  }) ||
         holds_armored_key(bytes) || is_der_private_key(bytes);
}

bool holds_bare_key(std::string_view bytes) {
  std::string_view key = text::trim(bytes);
  constexpr size_t kShortest = 32;
  constexpr size_t kLongest = 256;
  return key.size() >= kShortest && key.size() <= kLongest &&
         std::all_of(key.begin(), key.end(), is_base64) && is_token(key);
}

bool holds_secret_setting(std::string_view bytes) {
  bool named = any_line(bytes, [](std::string_view line) {
    auto setting = setting_of(line);
    if (!setting || !secret::is_named(setting->name) || !secret::is_real(setting->value))
      return false;
    bool is_count = std::all_of(setting->value.begin(), setting->value.end(), is_digit);
    return !is_count || contains(text::in_small_letters(setting->name), "pass");
  });
  return named || secret::find_token(bytes) || secret::find_url_password(bytes) ||
         holds_armored_key(bytes);
}

bool holds_netrc_password(std::string_view bytes) {
  bool after_password = false;
  return any_line(bytes, [&](std::string_view line) {
    for (size_t at = 0; at < line.size();) {
      size_t end = std::min(line.find_first_of(" \t", at), line.size());
      std::string_view word = line.substr(at, end - at);
      if (word.starts_with('#')) return false;
      if (after_password && !word.empty() && word[0] != '$' && word[0] != '<') return true;
      if (!word.empty()) after_password = word == "password" || word == "passwd";
      at = end + 1;
    }
    return false;
  });
}

bool holds_json_credentials(std::string_view bytes) {
  static constexpr std::string_view kTokens[] = {
      "refresh_token",         "refreshToken", "access_token",    "accessToken",
      "client_secret",         "clientSecret", "SecretAccessKey", "secretAccessKey",
      "aws_secret_access_key", "api_token",    "OPENAI_API_KEY",  "auth_token"};
  auto is_key = [](std::string_view value) {
    return contains(value, "-----BEGIN") && contains(value, "PRIVATE KEY-----") &&
           value.size() > 100;
  };
  if (any_member(bytes, "private_key", is_key) || any_member(bytes, "privateKey", is_key))
    return true;
  for (std::string_view name : kTokens) {
    if (any_member(bytes, name, is_token)) return true;
  }
  // An Azure service principal, and Composer's logins.
  bool has_logins = contains(bytes, "\"http-basic\"") ||
                    (contains(bytes, "\"appId\"") && contains(bytes, "\"tenant\""));
  return (has_logins && any_member(bytes, "password", secret::is_real)) ||
         secret::find_token(bytes);
}

bool holds_docker_login(std::string_view bytes) {
  for (std::string_view name : {"auth", "identitytoken", "registrytoken", "password"}) {
    if (any_member(bytes, name, secret::is_real)) return true;
  }
  return false;
}

bool holds_xml_password(std::string_view bytes) {
  constexpr size_t kLongestTag = 1024;
  for (std::string_view opening : {"<password>", "<passphrase>", "<master>"}) {
    for (size_t at = 0; (at = bytes.find(opening, at)) != std::string_view::npos;) {
      at += opening.size();
      size_t end = bytes.find('<', at);
      if (end != std::string_view::npos && secret::is_real(text::trim(bytes.substr(at, end - at))))
        return true;
    }
  }
  // NuGet: <add key="ClearTextPassword" value="…" />
  for (std::string_view key : {"key=\"ClearTextPassword\"", "key=\"Password\""}) {
    for (size_t at = 0; (at = bytes.find(key, at)) != std::string_view::npos;) {
      at += key.size();
      std::string_view tag = bytes.substr(at, kLongestTag);
      tag = tag.substr(0, tag.find('>'));
      size_t value = tag.find("value=\"");
      if (value == std::string_view::npos) continue;
      tag.remove_prefix(value + 7);
      if (secret::is_real(tag.substr(0, tag.find('"')))) return true;
    }
  }
  return false;
}

bool holds_kubernetes_login(std::string_view bytes) {
  static constexpr std::string_view kNames[] = {"client-key-data", "token", "password", "id-token",
                                                "refresh-token"};
  if (!contains(bytes, "clusters")) return false;
  auto is_login = [](std::string_view name) {
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
  };
  bool in_yaml = any_line(bytes, [&](std::string_view line) {
    auto setting = setting_of(line);
    return setting && is_login(setting->name) && secret::is_real(setting->value);
  });
  return in_yaml || std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view name) {
           return any_member(bytes, name, secret::is_real);
         });
}

bool holds_private_jwk(std::string_view bytes) {
  return contains(bytes, "\"kty\"") &&
         (any_member(bytes, "d", is_token) || any_member(bytes, "k", is_token));
}

}  // namespace ringwall::files
