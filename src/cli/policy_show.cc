#include "cli/policy_show.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>

#include "base/layout.h"
#include "base/text.h"
#include "cli/output.h"
#include "events/redact.h"

namespace ringwall::cli {
namespace {

namespace json = boost::json;
using policy::Diagnostic;
using policy::Field;

constexpr size_t kLongestSnippet = 100;

// The line, and a caret under the column. Long lines are cut around it.
void print_snippet(const std::string& text, const Diagnostic& diagnostic) {
  auto lines = text::split(text, '\n');
  if (diagnostic.line == 0 || diagnostic.line > lines.size()) return;
  std::string line = lines[diagnostic.line - 1];
  std::replace(line.begin(), line.end(), '\t', ' ');
  if (line.ends_with('\r')) line.pop_back();
  size_t column = std::min<size_t>(diagnostic.column == 0 ? 0 : diagnostic.column - 1, line.size());
  size_t start = column > kLongestSnippet / 2 ? column - kLongestSnippet / 2 : 0;
  std::string before = text::escape(line.substr(start, column - start));
  std::string after = text::escape(line.substr(column, kLongestSnippet - (column - start)));
  std::string number = std::to_string(diagnostic.line);
  printf("  %s | %s%s\n", number.c_str(), before.c_str(), after.c_str());
  printf("  %s | %s^\n", std::string(number.size(), ' ').c_str(),
         std::string(layout::columns(before), ' ').c_str());
}

void print_diagnostic(const CheckedFile& file, const Diagnostic& diagnostic, const char* kind) {
  Style style = style_for(stdout);
  printf("%s%s%s: %s%s\n", std::string(style.bold).c_str(), diagnostic.place.c_str(),
         std::string(style.plain).c_str(), kind, diagnostic.what.c_str());
  print_snippet(file.text, diagnostic);
  if (!diagnostic.hint.empty()) printf("  → %s\n", diagnostic.hint.c_str());
}

json::object to_json(const CheckedFile& file, const Diagnostic& diagnostic, bool mistake) {
  return {{"file", file.name},  {"line", diagnostic.line}, {"column", diagnostic.column},
          {"mistake", mistake}, {"what", diagnostic.what}, {"hint", diagnostic.hint}};
}

// One value of the policy, or one entry of a list, without secrets: people pass this on.
struct Shown {
  std::string value;
  policy::Origin origin;
};

std::vector<Shown> values_of(policy::Policy& policy, const Field& field) {
  if (const auto* on = std::get_if<policy::SwitchOf>(&field.member))
    return {{(*on)(policy).on ? "true" : "false", (*on)(policy).origin}};
  if (const auto* number = std::get_if<policy::NumberOf>(&field.member)) {
    const policy::Number& now = number->of(policy);
    return {{now.value ? policy::show_value(field, *now.value) : "", now.origin}};
  }
  if (const auto* single = std::get_if<policy::TextOf>(&field.member))
    return {{events::redact((*single)(policy).value), (*single)(policy).origin}};
  std::vector<Shown> all;
  for (const policy::Text& entry : std::get<policy::ListOf>(field.member)(policy))
    all.push_back({events::redact(entry.value), entry.origin});
  return all;
}

// What holds while nobody has said anything, as the help of the field has it.
std::string default_in_words(const Field& field) {
  constexpr std::string_view kMark = "default: ";
  size_t at = field.help.rfind(kMark);
  if (at == std::string_view::npos) return "decided when a run starts";
  return std::string(field.help.substr(at + kMark.size()));
}

const policy::Lock* lock_on(const Field& field, std::span<const policy::PolicyText> texts) {
  for (const policy::PolicyText& text : texts) {
    for (const policy::Lock& lock : text.locks) {
      if (lock.field == &field || lock.field->key == field.undoes) return &lock;
    }
  }
  return nullptr;
}

void print_policy_json(policy::Policy& policy, std::span<const policy::PolicyText> texts) {
  json::array out;
  for (const Field& field : policy::fields()) {
    const policy::Lock* lock = lock_on(field, texts);
    for (const Shown& shown : values_of(policy, field)) {
      out.push_back({{"key", field.key},
                     {"value", shown.value},
                     {"by_default", shown.value.empty() ? default_in_words(field) : ""},
                     {"layer", policy::name_of(shown.origin.layer)},
                     {"place", shown.origin.place},
                     {"line", shown.origin.line},
                     {"locked_by", lock == nullptr ? "" : lock->origin.text()}});
    }
  }
  printf("%s\n", text::harmless_json(json::serialize(out)).c_str());
}

}  // namespace

bool print_checked(std::span<const CheckedFile> files, bool json) {
  size_t mistakes = 0;
  size_t untrusted = 0;
  json::array out;
  for (const CheckedFile& file : files) {
    mistakes += file.mistakes.size();
    untrusted += file.needs_trust.size();
    for (const Diagnostic& diagnostic : file.mistakes) {
      if (json) out.push_back(to_json(file, diagnostic, true));
      if (!json) print_diagnostic(file, diagnostic, "");
    }
    for (const Diagnostic& diagnostic : file.needs_trust) {
      if (json) out.push_back(to_json(file, diagnostic, false));
      if (!json) print_diagnostic(file, diagnostic, "needs trust: ");
    }
    if (!json && file.mistakes.empty() && file.needs_trust.empty())
      printf("%s: no mistakes\n", text::quote(file.name).c_str());
  }
  if (json) printf("%s\n", text::harmless_json(json::serialize(out)).c_str());
  if (!json && mistakes > 0) printf("%zu %s\n", mistakes, mistakes == 1 ? "mistake" : "mistakes");
  if (!json && mistakes == 0 && untrusted > 0)
    printf("a run refuses this until you trust it: ringwall trust FILE\n");
  return mistakes == 0 && untrusted == 0;
}

void print_policy(policy::Policy policy, std::span<const policy::PolicyText> texts, bool as_json) {
  if (as_json) return print_policy_json(policy, texts);
  Style style = style_for(stdout);
  for (const Field& field : policy::fields()) {
    const policy::Lock* lock = lock_on(field, texts);
    std::string locked = lock == nullptr ? "" : "; locked by " + lock->origin.text();
    for (const Shown& shown : values_of(policy, field)) {
      std::string left = std::string(field.key) + " = ";
      left += shown.value.empty() ? "(" + default_in_words(field) + ")" : text::quote(shown.value);
      std::string layer =
          shown.origin.is_default() ? "default"
          : shown.origin.layer == policy::Layer::profile
              ? shown.origin.text()
              : std::string(policy::name_of(shown.origin.layer)) + ", " + shown.origin.text();
      printf("%s%s%s%s%s\n", layout::pad(left + "  ", 40).c_str(), std::string(style.dim).c_str(),
             layer.c_str(), locked.c_str(), std::string(style.plain).c_str());
    }
    bool empty = values_of(policy, field).empty();
    if (empty && lock != nullptr)
      printf("%s%s\n", layout::pad(std::string(field.key) + " = (nothing)  ", 40).c_str(),
             locked.substr(2).c_str());
  }
}

}  // namespace ringwall::cli
