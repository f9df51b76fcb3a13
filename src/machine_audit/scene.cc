#include "machine_audit/scene.h"

#include <algorithm>
#include <charconv>

#include "base/path.h"
#include "base/text.h"
#include "policy/toml_text.h"

namespace ringwall::machine_audit {
namespace {

using MachineLook = void (*)(const Scene& scene, MachineDesk& desk);

constexpr MachineLook kLooks[] = {
    look_at_mistakes,      look_at_rules,  look_at_claude,   look_at_claude_lists, look_at_codex,
    look_at_gemini,        look_at_cursor, look_at_opencode, look_at_trust,        look_at_editors,
    look_at_servers,       look_at_hooks,  look_at_git,      look_at_shells,       look_at_packages,
    look_at_devcontainers, look_at_reach,
};

// "line 12: what" of a reader's error.
void note_mistake(MachineFile& document, const Error& error) {
  document.mistake = error.what;
  constexpr std::string_view kLine = "line ";
  if (size_t at = error.what.find(kLine); at != std::string::npos) {
    const char* digits = error.what.data() + at + kLine.size();
    std::from_chars(digits, error.what.data() + error.what.size(), document.mistake_line);
  }
}

void take(MachineFile& document, Result<Setting> read) {
  if (!read) return note_mistake(document, read.error());
  document.root = std::move(*read);
  bool is_settings = document.root.is_object() || document.topic == Topic::tasks;
  if (!is_settings) note_mistake(document, Error{"line 1: it is no object, { … }", 0, {}});
}

}  // namespace

MachineDesk look_at_machine(const Scene& scene) {
  MachineDesk desk;
  for (MachineLook look : kLooks)
    look(scene, desk);
  return desk;
}

void read_document(MachineFile& document) {
  switch (document.format) {
    case FileFormat::json:
      // Agents take an empty file for one that is not there.
      if (text::trim(document.text).empty()) {
        document.root.kind = Setting::Kind::object;
        return;
      }
      return take(document, audit::read_json_settings(document.text));
    case FileFormat::toml:
      return take(document, audit::read_toml_settings(document.text));
    case FileFormat::git_config:
      if (auto git = git::parse_git_config(document.text)) {
        document.git = std::move(*git);
      } else {
        note_mistake(document, git.error());
      }
      return;
    case FileFormat::lines:
      document.root = read_line_settings(document.text);
      break;
    case FileFormat::text:
      break;
  }
  if (document.text.find('\0') != std::string::npos || !policy::is_utf8(document.text))
    note_mistake(document, Error{"it is not text in UTF-8", 0, {}});
}

Scene::Said Scene::first(Topic topic, std::string_view way) const {
  for (const MachineFile& document : documents) {
    if (document.topic != topic) continue;
    if (const Setting* value = document.root.find_way(way)) return {&document, value};
  }
  return {};
}

bool Scene::uses(Topic topic) const {
  return in_use.contains(topic) ||
         std::any_of(documents.begin(), documents.end(), [&](const MachineFile& document) {
           return document.topic == topic && document.scope == FileScope::person;
         });
}

const MachineFile* Scene::own(Topic topic) const {
  for (const MachineFile& document : documents) {
    if (document.topic == topic && document.scope == FileScope::person) return &document;
  }
  return nullptr;
}

std::string Scene::resolve(std::string_view path) const {
  for (std::string_view sign : {"${HOME}", "$HOME", "~"}) {
    bool is_home = path == sign || (path.starts_with(sign) && path.substr(sign.size(), 1) == "/");
    if (is_home) return path::normalize(home + std::string(path.substr(sign.size())));
  }
  if (path.starts_with("//")) path.remove_prefix(1);
  return path::absolute(path, project.empty() ? home : project);
}

bool Scene::is_wide(std::string_view path) const {
  while (path.ends_with("/**") || path.ends_with("/*"))
    path.remove_suffix(path.ends_with("/**") ? 3 : 2);
  if (path.empty()) path = "/";
  return path::is_beneath(home, resolve(path));
}

void MachineDesk::add(std::string_view number, const MachineFile& document, size_t line,
                      std::string_view seen, std::string_view fix, const Edit& edit) {
  Entry entry{audit::make_finding(number, document.path, line, seen, fix), &document, {}, {}};
  // Those of a project are its authors' to change.
  if (document.scope == FileScope::managed && edit) entry.why_not = "it is a managed file, root's";
  if (document.scope == FileScope::person && edit) entry.edit = *edit;
  if (document.scope == FileScope::person && !edit) entry.why_not = edit.error();
  entries_.push_back(std::move(entry));
}

void MachineDesk::add_at(std::string_view number, const std::string& path, std::string_view seen,
                         std::string_view fix) {
  entries_.push_back({audit::make_finding(number, path, 0, seen, fix), nullptr, {}, {}});
}

void look_at_mistakes(const Scene& scene, MachineDesk& desk) {
  for (const MachineFile& document : scene.documents) {
    if (!document.mistake.empty())
      desk.add("RW129", document, document.mistake_line, document.mistake);
  }
}

}  // namespace ringwall::machine_audit
