#include "policy/advisor.h"

#include <algorithm>

#include "base/http_url.h"

namespace ringwall::policy {
namespace {

constexpr size_t kLongestModel = 200;

bool is_variable_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

Result<std::string> check_advisor_url(std::string_view url) {
  TRY_ASSIGN(http_url::Url parsed, http_url::parse(url));
  std::string_view path = std::string_view(parsed.target).substr(0, parsed.target.find('?'));
  if (!path.ends_with("/messages") && !path.ends_with("/chat/completions"))
    return fail("is of no API that is known",
                "it ends with /v1/messages (Anthropic's) or /v1/chat/completions (OpenAI's)");
  return std::string(url);
}

Result<std::string> check_model_name(std::string_view name) {
  bool is_plain = std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7f; });
  if (!is_plain || name.size() > kLongestModel) return fail("is not the name of a model");
  return std::string(name);
}

Result<KeyPlace> parse_key_place(std::string_view place, const std::string& home) {
  auto wrong = [] {
    return fail("must say where the key is, not what it is", "write env:NAME or file:PATH");
  };
  if (place.starts_with("env:")) {
    std::string_view name = place.substr(4);
    if (name.empty() || !std::ranges::all_of(name, is_variable_letter)) return wrong();
    return KeyPlace{KeyPlace::Kind::variable, std::string(name)};
  }
  if (!place.starts_with("file:")) return wrong();
  std::string path(place.substr(5));
  if (path.starts_with("~/") && !home.empty()) path = home + path.substr(1);
  if (!path.starts_with('/')) return wrong();
  return KeyPlace{KeyPlace::Kind::file, path};
}

}  // namespace ringwall::policy
