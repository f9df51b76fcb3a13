#include "policy/values.h"

#include <algorithm>
#include <array>

#include "base/path.h"
#include "base/text.h"
#include "policy/advisor.h"
#include "policy/caches.h"
#include "policy/hosts.h"
#include "policy/numbers.h"
#include "policy/pattern.h"
#include "policy/ports.h"
#include "policy/profiles.h"
#include "policy/programs.h"
#include "policy/risk_acts.h"
#include "policy/tool_rules.h"
#include "policy/variables.h"

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
    return fail("must be a path below the folder that it is for, like .config/tool");
  }
  return text::join(parts, "/");
}

Result<std::string> check_home_place(std::string_view value) {
  TRY_ASSIGN(std::string path, check_home_path(value));
  return value.ends_with('/') ? path + "/" : path;
}

bool is_name(std::string_view value) {
  return !value.empty() && value.size() <= kLongestName && value[0] != '.' && value[0] != '-' &&
         std::all_of(value.begin(), value.end(), is_name_letter);
}

// Some commands take a run's name or leave it out: what else stands there must be no name.
Result<std::string> check_run_name(std::string_view value) {
  // A name becomes a folder's name, a host name and part of messages.
  if (!is_name(value)) return fail("must be 1 to 64 letters, digits, '.', '_' or '-'");
  std::string name(value);
  bool is_number = value.find_first_not_of("0123456789") == value.npos;
  bool is_time = value == "once" || value == "session" || value == "always" ||
                 parse_number(Shape::duration, value).has_value();
  bool is_host = value.find('.') != value.npos && parse_host_name(value).has_value();
  if (is_number || is_time)
    return fail("could be taken for what waits, or how long an answer holds (ringwall approve)",
                "add a word: run-" + name);
  if (is_host)
    return fail("could be taken for a host (ringwall allow)", "write '-' or '_' in place of '.'");
  return name;
}

Result<std::string> check_store(std::string_view value) {
  size_t colon = value.find(':');
  if (colon == value.npos || !is_name(value.substr(0, colon)))
    return fail("must have the form NAME:FOLDER, like claude:.claude");
  TRY_ASSIGN(std::string folder, check_home_path(value.substr(colon + 1)));
  return std::string(value.substr(0, colon + 1)) + folder;
}

// A profile does not know whose home it will be: "NAME=~/folder" is that of the person.
std::string expand_home(std::string_view assignment, const Source& source) {
  size_t tilde = assignment.find('=') + 1;
  bool expands = source.origin.layer == Layer::profile && !source.home.empty() &&
                 assignment.substr(tilde).starts_with("~/");
  if (!expands) return std::string(assignment);
  return std::string(assignment.substr(0, tilde)) + source.home +
         std::string(assignment.substr(tilde + 1));
}

// A path of the host would fit nothing: patterns begin at the workspace.
bool is_host_path(std::string_view pattern, const Source& source) {
  auto lies_in = [&](const std::string& folder) {
    return folder.size() > 1 && pattern.starts_with(folder) &&
           (pattern.size() == folder.size() || pattern[folder.size()] == '/');
  };
  // A workspace at /app may well hold a folder called app.
  bool is_deep = path::components(source.folder).size() > 1;
  return lies_in(source.home) || (is_deep && lies_in(source.folder));
}

Result<std::string> check_name_pattern(const Field& field, std::string_view value,
                                       const Source& source) {
  TRY(check_pattern(value));
  if (is_host_path(value, source)) {
    return fail("is a path of the host",
                "a leading '/' is the workspace's top; files.read and files.write take paths");
  }
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

Result<std::string> check_profile(std::string_view value) {
  if (profile_by_name(value) != nullptr) return std::string(value);
  std::vector<std::string> names;
  for (const Profile& profile : profiles())
    names.emplace_back(profile.name);
  std::string near = text::nearest(std::string(value), names);
  return fail("is not a known profile", near.empty() ? "known are: " + text::join(names, ", ")
                                                     : "did you mean " + near + "?");
}

// What injects code is refused however it is asked for; what leads elsewhere can only be set.
Status check_known_variable(std::string_view name, bool is_set) {
  const KnownVariable* known = known_variable(name);
  if (known == nullptr) return {};
  if (known->kind == VariableKind::injects) {
    return fail("is never given to a run: " + std::string(known->reason),
                "give it to the one program that needs it: ringwall run -- env " +
                    std::string(name) + "=VALUE COMMAND");
  }
  if (known->kind == VariableKind::steers && !is_set) {
    return fail("is never passed on: " + std::string(known->reason),
                "set it on purpose: --set " + std::string(name) + "=VALUE");
  }
  return {};
}

Result<std::string> check_variable(std::string_view value) {
  if (!is_variable(value)) {
    return fail("is not the name of a variable",
                value.find('=') == value.npos ? "" : "values are for environment.set");
  }
  TRY(check_known_variable(value, false));
  return std::string(value);
}

Result<std::string> check_assignment(std::string_view value) {
  std::string_view name = value.substr(0, value.find('='));
  if (!is_variable(name) || name.size() == value.size())
    return fail("must have the form NAME=VALUE");
  TRY(check_known_variable(name, true));
  return std::string(value);
}

Result<std::string> check_mcp_server(std::string_view value) {
  size_t equals = value.find('=');
  std::string_view name = value.substr(0, equals);
  bool is_name = !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
  if (equals == value.npos || !is_name || text::trim(value.substr(equals + 1)).empty())
    return fail("must have the form NAME=COMMAND, the name of letters, digits, - and _");
  return std::string(value);
}

Result<std::string> check_choice(std::string_view value, std::span<const std::string_view> among) {
  if (std::find(among.begin(), among.end(), value) != among.end()) return std::string(value);
  std::vector<std::string> choices(among.begin(), among.end());
  return fail("must be one of " + text::join(choices, ", "));
}

// What the gate is told, and whom it asks.
Result<std::string> check_tools_value(const Field& field, std::string_view value,
                                      const Source& source) {
  switch (field.shape) {
    case Shape::tool_rule:
      return check_tool_rule(value, field.widens, source.folder);
    case Shape::tool_pack:
      return check_choice(value, tool_packs());
    case Shape::risk_act:
      return check_choice(value, risk_acts());
    case Shape::mcp_server:
      return check_mcp_server(value);
    case Shape::advisor_url:
      return check_advisor_url(value);
    case Shape::model_name:
      return check_model_name(value);
    case Shape::key_place:
      TRY(parse_key_place(value, source.home));
      return std::string(value);
    default:
      return fail("takes no value");
  }
}

Result<std::string> check_value(const Field& field, std::string_view value, const Source& source) {
  if (value.find('\0') != std::string_view::npos) return fail("holds a zero byte");
  if (value.empty()) return fail("is empty");
  switch (field.shape) {
    case Shape::name:
      return check_run_name(value);
    case Shape::path:
      return check_path(value, source);
    case Shape::pattern:
      return check_name_pattern(field, value, source);
    case Shape::home_path:
      return check_home_path(value);
    case Shape::home_place:
      return check_home_place(value);
    case Shape::store:
      return check_store(value);
    case Shape::cache:
      return check_cache(value);
    case Shape::profile:
      return check_profile(value);
    case Shape::host: {
      NoPort no_port = field.widens ? NoPort::https : NoPort::any;
      TRY_ASSIGN(HostPattern host, parse_host_pattern(value, no_port));
      if (field.key == "network.allow") TRY(check_grant(host));
      return host.text();
    }
    case Shape::port: {
      TRY_ASSIGN(uint16_t port, parse_port(value));
      return std::to_string(port);
    }
    case Shape::published_port:
      TRY(parse_published_port(value));
      return std::string(value);
    case Shape::proxy:
      TRY(parse_proxy(value));
      return std::string(value);
    case Shape::program:
      TRY(parse_program_rule(value, source.home, field.widens));
      return std::string(value);
    case Shape::exec_mode:
      return check_choice(value, exec_modes());
    case Shape::guard_kind:
      return check_choice(value, guard_kinds());
    case Shape::keys:
      if (!std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; }))
        return fail("must be keys like ctrl-a d");
      return std::string(value);
    case Shape::variable:
      return check_variable(value);
    case Shape::assignment:
      TRY(check_assignment(value));
      return expand_home(value, source);
    default:
      return check_tools_value(field, value, source);
  }
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

// "limits.memory 4X must be …"
std::unexpected<Error> misfit(Error error, const Field& field, std::string_view value) {
  // What a variable is set to may be a secret.
  if (field.shape == Shape::assignment) value = value.substr(0, value.find('='));
  if (field.shape == Shape::proxy && value.find('@') != value.npos)
    value = value.substr(value.rfind('@') + 1);
  // It may be the key itself.
  if (field.shape == Shape::key_place) {
    error.what = std::string(field.key) + " " + error.what;
    return std::unexpected(std::move(error));
  }
  error.what = std::string(field.key) + " " + text::quote(value) + " " + error.what;
  return std::unexpected(std::move(error));
}

}  // namespace

Result<Setting> check_text(const Field& field, std::string_view value, const Source& source) {
  if (const NumberOf* number = std::get_if<NumberOf>(&field.member)) {
    auto checked = check_number(field.shape, *number, value);
    if (!checked) return misfit(checked.error(), field, value);
    return Setting{&field, *checked, source.origin};
  }
  auto checked = check_value(field, value, source);
  if (!checked) return misfit(checked.error(), field, value);
  return Setting{&field, std::move(*checked), source.origin};
}

Result<Setting> check_switch(const Field& field, bool on, const Source& source) {
  if (!std::holds_alternative<SwitchOf>(field.member))
    return fail(std::string(field.key) + " is not true or false");
  return Setting{&field, on, source.origin};
}

void put(Policy& policy, const Setting& setting) {
  const Field& field = *setting.field;
  if (const NumberOf* number = std::get_if<NumberOf>(&field.member)) {
    number->of(policy) = {std::get<uint64_t>(setting.value), setting.origin};
  } else if (const SwitchOf* member = std::get_if<SwitchOf>(&field.member)) {
    (*member)(policy) = {std::get<bool>(setting.value), setting.origin};
  } else if (const TextOf* single = std::get_if<TextOf>(&field.member)) {
    (*single)(policy) = {std::get<std::string>(setting.value), setting.origin};
  } else if (const ListOf* list = std::get_if<ListOf>(&field.member)) {
    (*list)(policy).push_back({std::get<std::string>(setting.value), setting.origin});
  }
}

std::string show_value(const Field& field, const Value& value) {
  if (const bool* on = std::get_if<bool>(&value)) return *on ? "true" : "false";
  if (const uint64_t* number = std::get_if<uint64_t>(&value))
    return show_number(field.shape, *number);
  return text::quote(std::get<std::string>(value));
}

}  // namespace ringwall::policy
