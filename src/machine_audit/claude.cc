// Claude Code: what holds after its files are laid over each other, by the checks of the published
// guides: sandbox, reads, deny rules, hooks.
#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

constexpr std::string_view kOwnFile = ".claude/settings.json";

// Calls `use` with every text of a list in every file that has it.
template <class Use>
void each_entry(const Scene& scene, std::string_view way, const Use& use) {
  for (const MachineFile& document : scene.documents) {
    if (document.topic != Topic::claude) continue;
    const Setting* list = document.root.find_way(way);
    if (list == nullptr || !list->is_list()) continue;
    for (size_t i = 0; i < list->members.size(); i++) {
      if (list->members[i].second.is_text()) use(document, *list, i, list->members[i].second);
    }
  }
}

// Puts a finding to what says it, or to the person's own file, which should.
void add_missing(const Scene& scene, MachineDesk& desk, std::string_view number,
                 std::string_view way, std::string_view safe) {
  auto said = scene.first(Topic::claude, way);
  std::string name(way.substr(way.rfind('.') + 1));
  std::string fix = "set " + std::string(way) + " to " + std::string(safe);
  if (said.value != nullptr) {
    desk.add(number, *said.document, said.value->line, std::string(way) + " = " + said.value->text,
             fix, set_value(*said.document, *said.value, name, safe));
    return;
  }
  std::string seen = std::string(way) + " is not set";
  const MachineFile* own = scene.own(Topic::claude);
  if (own == nullptr) return desk.add_at(number, path::join(scene.home, kOwnFile), seen, fix);
  const Setting* object = own->root.find_way(way.substr(0, way.rfind('.')));
  desk.add(number, *own, object != nullptr ? object->line : 0, seen, fix,
           object != nullptr ? add_member(*own, *object, name, safe) : no_edit());
}

bool is_hidden(const Scene& scene, const std::string& credential) {
  std::string place = path::join(scene.home, credential);
  bool is_there = false;
  auto covers = [&](std::string_view denied) {
    while (denied.ends_with("/**") || denied.ends_with("/*"))
      denied.remove_suffix(denied.ends_with("/**") ? 3 : 2);
    if (denied.empty()) denied = "/";
    is_there = is_there || path::is_beneath(place, scene.resolve(denied));
  };
  each_entry(scene, "sandbox.filesystem.denyRead",
             [&](auto&, auto&, size_t, const Setting& entry) { covers(entry.text); });
  for (const MachineFile& document : scene.documents) {
    const Setting* kept = document.root.find_way("sandbox.credentials.files");
    if (document.topic != Topic::claude || kept == nullptr || !kept->is_list()) continue;
    for (const auto& [name, file] : kept->members) {
      if (const Setting* path = file.find("path")) covers(path->text);
    }
  }
  // What is allowed again, and nearer, counts more.
  each_entry(scene, "sandbox.filesystem.allowRead",
             [&](auto&, auto&, size_t, const Setting& entry) {
               if (scene.resolve(entry.text) == place) is_there = false;
             });
  each_entry(scene, "permissions.deny", [&](auto&, auto&, size_t, const Setting& entry) {
    std::string_view rule = entry.text;
    if (rule.starts_with("Read(") && rule.ends_with(')')) covers(rule.substr(5, rule.size() - 6));
  });
  return is_there;
}

// As the first entries of the list, which is made if it is not there.
Edit add_entries(const MachineFile& document, std::string_view way, const std::string& entries) {
  const Setting* list = document.root.find_way(way);
  if (list != nullptr) {
    bool is_plain =
        list->is_list() && list->end > list->begin && document.format == FileFormat::json;
    if (!is_plain) return no_edit("it is no list, [ … ]");
    return TextEdit{list->begin + 1, list->begin + 1,
                    entries + (list->members.empty() ? "" : ", ")};
  }
  size_t dot = way.rfind('.');
  std::string literal = "[" + entries + "]";
  std::string_view name = way.substr(dot + 1);
  if (dot == std::string_view::npos) return add_member(document, document.root, name, literal);
  std::string_view outer = way.substr(0, dot);
  if (const Setting* object = document.root.find_way(outer))
    return add_member(document, *object, name, literal);
  // One level more, and no further.
  size_t before = outer.rfind('.');
  const Setting* holder = before == std::string_view::npos
                              ? &document.root
                              : document.root.find_way(outer.substr(0, before));
  if (holder == nullptr) return no_edit("the part of the settings that it belongs to is not there");
  return add_member(document, *holder, outer.substr(before == outer.npos ? 0 : before + 1),
                    "{\"" + std::string(name) + "\": " + literal + "}");
}

void look_at_reads(const Scene& scene, MachineDesk& desk) {
  std::vector<std::string> open;
  for (const std::string& credential : scene.credentials) {
    if (!is_hidden(scene, credential)) open.push_back("\"~/" + credential + "\"");
  }
  if (open.empty()) return;
  std::string entries = text::join(open, ", ");
  std::string seen = "not in sandbox.filesystem.denyRead: " + entries;
  std::string fix = "add to sandbox.filesystem.denyRead: " + entries;
  const MachineFile* own = scene.own(Topic::claude);
  if (own == nullptr) return desk.add_at("RW108", path::join(scene.home, kOwnFile), seen, fix);
  desk.add("RW108", *own, 0, seen, fix, add_entries(*own, "sandbox.filesystem.denyRead", entries));
}

void look_at_sandbox(const Scene& scene, MachineDesk& desk) {
  auto enabled = scene.first(Topic::claude, "sandbox.enabled");
  if (enabled.value == nullptr || !enabled.value->is_true()) {
    std::string fix =
        "set \"sandbox\": {\"enabled\": true, \"allowUnsandboxedCommands\": false}, "
        "or start it as `ringwall run claude`";
    if (enabled.value != nullptr)
      return desk.add("RW101", *enabled.document, enabled.value->line,
                      "sandbox.enabled = " + enabled.value->text, fix);
    return desk.add_at("RW101", path::join(scene.home, kOwnFile), "sandbox.enabled is not set",
                       fix);
  }
  auto loose = scene.first(Topic::claude, "sandbox.allowUnsandboxedCommands");
  if (loose.value == nullptr || !loose.value->is_false())
    add_missing(scene, desk, "RW102", "sandbox.allowUnsandboxedCommands", "false");
  auto strict = scene.first(Topic::claude, "sandbox.failIfUnavailable");
  if (strict.value == nullptr || !strict.value->is_true())
    add_missing(scene, desk, "RW103", "sandbox.failIfUnavailable", "true");
  look_at_reads(scene, desk);
}

void look_at_deny_rules(const Scene& scene, MachineDesk& desk) {
  bool has_rule = false;
  each_entry(scene, "permissions.deny", [&](auto&, auto&, size_t, const Setting& entry) {
    has_rule = has_rule || entry.text == "Read" || entry.text.starts_with("Read(");
  });
  if (has_rule) return;
  std::string seen = "permissions.deny has no Read(…) rule";
  const MachineFile* own = scene.own(Topic::claude);
  if (own == nullptr) return desk.add_at("RW109", path::join(scene.home, kOwnFile), seen);
  desk.add("RW109", *own, 0, seen, {},
           add_entries(*own, "permissions.deny",
                       R"x("Read(~/.ssh/**)", "Read(~/.aws/**)", "Read(**/.env)")x"));
}

void look_at_guards(const Scene& scene, MachineDesk& desk) {
  auto locked = scene.first(Topic::claude, "permissions.disableBypassPermissionsMode");
  if (locked.value == nullptr || locked.value->text != "disable")
    add_missing(scene, desk, "RW112", "permissions.disableBypassPermissionsMode", "\"disable\"");
  bool has_hook = scene.first(Topic::claude, "hooks.PreToolUse").value != nullptr;
  for (const MachineFile& document : scene.documents) {
    bool is_plugin =
        document.topic == Topic::hooks && document.path.find("/.claude/") != std::string::npos;
    has_hook = has_hook || (is_plugin && document.root.find_way("hooks.PreToolUse") != nullptr);
  }
  if (!has_hook) {
    const MachineFile* own = scene.own(Topic::claude);
    desk.add_at("RW118", own != nullptr ? own->path : path::join(scene.home, kOwnFile),
                "no PreToolUse hook in any settings");
  }
}

// Where an organisation has settings of its own, others should not be able to add to them.
void look_at_managed(const Scene& scene, MachineDesk& desk) {
  const MachineFile* managed = nullptr;
  std::vector<std::string> missing = {"allowManagedHooksOnly", "allowManagedPermissionRulesOnly",
                                      "allowManagedMcpServersOnly", "disableSideloadFlags"};
  auto sandbox = scene.first(Topic::claude, "sandbox.enabled");
  if (sandbox.value != nullptr && sandbox.value->is_true() &&
      sandbox.document->scope == FileScope::managed) {
    missing.emplace_back("sandbox.network.allowManagedDomainsOnly");
    missing.emplace_back("sandbox.filesystem.allowManagedReadPathsOnly");
  }
  for (const MachineFile& document : scene.documents) {
    if (document.topic != Topic::claude || document.scope != FileScope::managed) continue;
    if (managed == nullptr) managed = &document;
    std::erase_if(missing, [&](const std::string& key) {
      const Setting* value = document.root.find_way(key);
      return value != nullptr && value->is_true();
    });
  }
  if (managed != nullptr && !missing.empty())
    desk.add("RW100", *managed, 0, "not set: " + text::join(missing, ", "));
}

}  // namespace

void look_at_claude(const Scene& scene, MachineDesk& desk) {
  look_at_managed(scene, desk);
  if (!scene.uses(Topic::claude)) return;
  look_at_sandbox(scene, desk);
  look_at_deny_rules(scene, desk);
  look_at_guards(scene, desk);
}

}  // namespace ringwall::machine_audit
