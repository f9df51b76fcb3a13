#include "policy/values.h"

#include <algorithm>
#include <array>

#include "base/path.h"
#include "base/text.h"
#include "policy/caches.h"
#include "policy/numbers.h"
#include "policy/pattern.h"

namespace ringwall::policy {
namespace {

constexpr size_t kLongestName = 64;

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

bool is_variable(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return is_name_letter(c) && c != '.' && c != '-'; });
}

Result<std::string> check_path(std::string_view value, const Source& source) {
  if (value == "~" || value.starts_with("~/")) {
    if (source.home.empty()) return fail("no home folder is known", "set HOME");
    return path::absolute(value.size() > 2 ? value.substr(2) : ".", source.home);
  }
  return path::absolute(value, source.folder);
}

Result<std::string> check_home_path(std::string_view value) {
  if (value.starts_with("~/")) value.remove_prefix(2);
  std::vector<std::string> parts = path::components(value);
  bool is_home = value == "~";
  bool climbs = std::any_of(parts.begin(), parts.end(),
                            [](const std::string& p) { return p == ".." || p == "."; });
  if (value.starts_with('/') || parts.empty() || climbs || is_home) {
    return fail("must be a folder below the home, like .config/tool");
  }
  return text::join(parts, "/");
}

Result<std::string> check_name_pattern(const Field& field, std::string_view value) {
  TRY(check_pattern(value));
  // A widening may be that wide; a wall on everything would only break the run.
  if (fits_everything(value) && !field.widens)
    return fail("fits every file", "name those that are meant");
  return std::string(value);
}

Result<std::string> check_cache(std::string_view value) {
  std::vector<std::string> names;
  for (const Cache& cache : caches()) {
    if (cache.name == value) return std::string(value);
    names.emplace_back(cache.name);
  }
  return fail("is not a known cache", "known are: " + text::join(names, ", "));
}

Result<std::string> check_value(const Field& field, std::string_view value, const Source& source) {
  if (value.find('\0') != std::string_view::npos) return fail("holds a zero byte");
  if (value.empty()) return fail("is empty");
  switch (field.shape) {
    case Shape::name:
      // A name becomes a folder's name, a host name and part of messages.
      if (value.size() > kLongestName || value[0] == '.' || value[0] == '-' ||
          !std::all_of(value.begin(), value.end(), is_name_letter)) {
        return fail("must be 1 to 64 letters, digits, '.', '_' or '-'");
      }
      return std::string(value);
    case Shape::path:
      return check_path(value, source);
    case Shape::pattern:
      return check_name_pattern(field, value);
    case Shape::home_path:
      return check_home_path(value);
    case Shape::cache:
      return check_cache(value);
    case Shape::keys:
      if (!std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; }))
        return fail("must be keys like ctrl-a d");
      return std::string(value);
    case Shape::variable:
      if (!is_variable(value)) return fail("is not the name of a variable");
      return std::string(value);
    case Shape::assignment:
      if (!is_variable(value.substr(0, value.find('='))) ||
          value.find('=') == std::string_view::npos) {
        return fail("must have the form NAME=VALUE");
      }
      return std::string(value);
    default:
      break;
  }
  return fail("takes no value");
}

Result<uint64_t> check_number(Shape shape, const NumberOf& bounds, std::string_view value) {
  if (value == "none" && bounds.may_be_none) return kNoLimit;
  auto number = parse_number(shape, value);
  bool malformed = !number && number.error().what.starts_with("must be");
  if (malformed && bounds.may_be_none) number.error().what += ", or none";
  TRY(number);
  if (*number < bounds.least)
    return fail("is too little", "the least is " + show_number(shape, bounds.least));
  if (*number > bounds.most)
    return fail("is too much", "the most is " + show_number(shape, bounds.most));
  return number;
}

// "--memory: limits.memory 4X must be …"
std::unexpected<Error> misfit(Error error, const Field& field, std::string_view value,
                              const Source& source) {
  error.what =
      source.origin + ": " + std::string(field.key) + " " + text::quote(value) + " " + error.what;
  return std::unexpected(std::move(error));
}

}  // namespace

Status put_text(Policy& policy, const Field& field, std::string_view value, const Source& source) {
  if (const NumberOf* number = std::get_if<NumberOf>(&field.member)) {
    auto checked = check_number(field.shape, *number, value);
    if (!checked) return misfit(checked.error(), field, value, source);
    number->of(policy) = {*checked, source.origin};
    return {};
  }
  auto checked = check_value(field, value, source);
  if (!checked) return misfit(checked.error(), field, value, source);
  Text text{*checked, source.origin};
  if (const TextOf* single = std::get_if<TextOf>(&field.member)) {
    (*single)(policy) = text;
  } else if (const ListOf* list = std::get_if<ListOf>(&field.member)) {
    (*list)(policy).push_back(text);
  }
  return {};
}

Status put_switch(Policy& policy, const Field& field, bool on, const Source& source) {
  const SwitchOf* member = std::get_if<SwitchOf>(&field.member);
  if (member == nullptr)
    return fail(source.origin + ": " + std::string(field.key) + " is not true or false");
  (*member)(policy) = {on, source.origin};
  return {};
}

}  // namespace ringwall::policy
