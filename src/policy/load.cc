#include "policy/load.h"

#include <fcntl.h>
#include <sys/stat.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/fields.h"
#include "policy/numbers.h"
#include "policy/values.h"

namespace ringwall::policy {
namespace {

class Loader {
 public:
  Loader(Policy& policy, const std::string& file, const std::string& home)
      : policy_(policy), file_(file), home_(home) {}

  void load_section(std::string_view section, const toml::table& table) {
    for (const auto& [key, node] : table) {
      std::string name = std::string(section) + "." + std::string(key.str());
      if (const Field* field = field_by_key(name)) {
        load_field(*field, node);
      } else {
        report(key.source().begin, "unknown key " + text::quote(name), suggestion(name));
      }
    }
  }

  void load_top(const toml::table& table) {
    for (const auto& [key, node] : table) {
      std::string name(key.str());
      if (!is_section(name)) {
        report(key.source().begin, "unknown section " + text::quote(name), suggestion(name));
      } else if (const toml::table* section = node.as_table()) {
        load_section(name, *section);
      } else {
        report(key.source().begin, text::quote(name) + " is a section", "write [" + name + "]");
      }
    }
  }

  void report(toml::source_position at, std::string what, std::string hint = {}) {
    diagnostics.push_back({place(at), std::move(what), std::move(hint)});
  }

  std::vector<Diagnostic> diagnostics;

 private:
  std::string place(toml::source_position at) const {
    return text::quote(file_) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  }

  static bool is_section(const std::string& name) {
    for (const Field& field : fields()) {
      if (field.key.substr(0, field.key.find('.')) == name) return true;
    }
    return false;
  }

  static std::string suggestion(const std::string& name) {
    std::vector<std::string> known;
    for (const Field& field : fields()) {
      known.emplace_back(field.key);
      known.emplace_back(field.key.substr(0, field.key.find('.')));
    }
    std::string nearest = text::nearest(name, known);
    return nearest.empty() ? "" : "did you mean " + nearest + "?";
  }

  // A number may stand with quotes or without; empty: it is neither.
  static std::string number_text(const toml::node& node) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
    if (const auto* broken = node.as_floating_point()) {
      char text[32];
      snprintf(text, sizeof text, "%.6g", broken->get());
      return text;
    }
    return {};
  }

  void load_field(const Field& field, const toml::node& node) {
    Source source{text::quote(file_) + ":" + std::to_string(node.source().begin.line),
                  path::parent(file_), home_};
    if (std::holds_alternative<SwitchOf>(field.member)) {
      if (const auto* value = node.as_boolean())
        return take(node, put_switch(policy_, field, value->get(), source));
      return report(node.source().begin, std::string(field.key) + " must be true or false");
    }
    if (std::holds_alternative<NumberOf>(field.member)) {
      std::string value = number_text(node);
      if (!value.empty()) return take(node, put_text(policy_, field, value, source));
      return report(node.source().begin, std::string(field.key) + " must be " +
                                             std::string(description_of(field.shape)));
    }
    if (std::holds_alternative<TextOf>(field.member)) {
      if (const auto* value = node.as_string())
        return take(node, put_text(policy_, field, value->get(), source));
      return report(node.source().begin, std::string(field.key) + " must be a text in quotes");
    }
    const toml::array* list = node.as_array();
    if (list == nullptr)
      return report(node.source().begin, std::string(field.key) + " must be a list of texts");
    for (const toml::node& entry : *list) {
      source.origin = text::quote(file_) + ":" + std::to_string(entry.source().begin.line);
      if (const auto* value = entry.as_string()) {
        take(entry, put_text(policy_, field, value->get(), source));
      } else {
        report(entry.source().begin, std::string(field.key) + " must be a list of texts");
      }
    }
  }

  void take(const toml::node& node, const Status& status) {
    if (status) return;
    // The message starts with the origin, which the place already tells.
    std::string what = status.error().what;
    if (size_t colon = what.find(": "); colon != std::string::npos) what = what.substr(colon + 2);
    report(node.source().begin, what, status.error().hint);
  }

  Policy& policy_;
  const std::string& file_;
  const std::string& home_;
};

}  // namespace

std::vector<Diagnostic> load_text(Policy& policy, std::string_view toml, const std::string& file,
                                  const std::string& home) {
  Loader loader(policy, file, home);
  toml::parse_result parsed = toml::parse(toml, file);
  if (!parsed) {
    loader.report(parsed.error().source().begin, std::string(parsed.error().description()));
  } else {
    loader.load_top(parsed.table());
  }
  return std::move(loader.diagnostics);
}

Result<std::string> read_policy_file(const std::string& file, unsigned caller_uid) {
  TRY_ASSIGN(Fd fd, file::open(file, O_RDONLY | O_NONBLOCK));
  struct stat facts;
  if (fstat(fd.get(), &facts) < 0) return fail_errno("cannot look at " + text::quote(file));
  if (!S_ISREG(facts.st_mode)) return fail(text::quote(file) + " is not a file");
  if (facts.st_uid != caller_uid && facts.st_uid != 0) {
    return fail("policy " + text::quote(file) + " belongs to another user",
                "copy it to a file of your own");
  }
  if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return fail("policy " + text::quote(file) + " can be written by others",
                "chmod go-w " + text::quote(file));
  }
  return file::read_all(fd.get());
}

}  // namespace ringwall::policy
