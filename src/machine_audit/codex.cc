// Codex: config.toml with its profiles and permissions, and the rules of its exec policy.
#include <algorithm>

#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

constexpr std::string_view kInterpreters[] = {
    "\"sh\"",  "\"bash\"", "\"zsh\"",  "\"python\"", "\"python3\"", "\"node\"",   "\"perl\"",
    "\"env\"", "\"sudo\"", "\"ruby\"", "\"npx\"",    "\"curl\"",    "\"docker\"", "\"xargs\"",
};

void look_at_profiles(const MachineFile& document, MachineDesk& desk) {
  const Setting* profiles = document.root.find("profiles");
  if (profiles == nullptr) return;
  for (const auto& [name, profile] : profiles->members) {
    const Setting* mode = profile.find("sandbox_mode");
    if (mode != nullptr && mode->text == "danger-full-access") {
      desk.add("RW121", document, mode->line, "profiles." + name + ".sandbox_mode = " + mode->text,
               {}, set_value(document, *mode, "sandbox_mode", "\"workspace-write\""));
    }
    const Setting* asks = profile.find("approval_policy");
    if (asks != nullptr && asks->text == "never") {
      desk.add("RW122", document, asks->line, "profiles." + name + ".approval_policy = never", {},
               set_value(document, *asks, "approval_policy", "\"on-request\""));
    }
  }
}

void look_at_roots(const Scene& scene, const MachineFile& document, MachineDesk& desk) {
  const Setting* roots = document.root.find_way("sandbox_workspace_write.writable_roots");
  if (roots == nullptr || !roots->is_list()) return;
  for (const auto& [name, root] : roots->members) {
    if (root.is_text() && scene.is_wide(root.text))
      desk.add("RW124", document, root.line, "writable_roots: " + root.text);
  }
}

// A list of hosts looks like a wall, and is none without the proxy.
void look_at_hosts(const MachineFile& document, MachineDesk& desk) {
  const Setting* proxy = document.root.find_way("features.network_proxy");
  if (proxy != nullptr && (proxy->is_true() || proxy->is_object())) return;
  const Setting* permissions = document.root.find("permissions");
  if (permissions == nullptr) return;
  for (const auto& [name, permission] : permissions->members) {
    const Setting* network = permission.find("network");
    const Setting* enabled = network != nullptr ? network->find("enabled") : nullptr;
    if (enabled != nullptr && enabled->is_true())
      desk.add("RW125", document, enabled->line,
               "permissions." + name + ".network.enabled without features.network_proxy");
  }
}

constexpr size_t kLongestRule = 4096;
constexpr size_t kMostRules = 2000;

// The program of a rule that is allowed whatever follows it; empty if the rule says something else.
std::string program_allowed(std::string_view rule) {
  std::string tight(rule);
  std::erase_if(tight, [](char c) { return c == ' ' || c == '\n' || c == '\t'; });
  size_t pattern = tight.find("pattern=[");
  if (tight.find("decision=\"allow\"") == tight.npos || pattern == tight.npos) return {};
  std::string_view first = std::string_view(tight).substr(pattern + 9);
  // The first place, which may be a choice of words; one word alone is all of that program.
  bool is_choice = first.starts_with('[');
  std::string_view words = first.substr(0, is_choice ? first.find(']') : first.find_first_of(",]"));
  first.remove_prefix(std::min(words.size() + (is_choice ? 1 : 0), first.size()));
  bool is_whole = first.starts_with(']') || first.starts_with(",]");
  bool is_any = std::any_of(std::begin(kInterpreters), std::end(kInterpreters),
                            [&](std::string_view word) { return words.find(word) != words.npos; });
  return is_whole && is_any ? std::string(words) : std::string();
}

// One rule at a time: from its name to the next one.
void look_at_rule_file(const MachineFile& document, MachineDesk& desk) {
  std::string_view text = document.text;
  constexpr std::string_view kRule = "prefix_rule(";
  size_t line = 1, counted = 0;
  size_t at = text.find(kRule);
  for (size_t rules = 0; at != text.npos && rules < kMostRules; rules++) {
    line += static_cast<size_t>(std::count(text.begin() + static_cast<ptrdiff_t>(counted),
                                           text.begin() + static_cast<ptrdiff_t>(at), '\n'));
    counted = at;
    size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    bool is_comment = text.substr(begin, at - begin).find('#') != text.npos;
    size_t next = text.find(kRule, at + 1);
    std::string program = program_allowed(text.substr(at, std::min(next - at, kLongestRule)));
    if (!is_comment && !program.empty()) desk.add("RW128", document, line, program);
    at = next;
  }
}

}  // namespace

void look_at_codex(const Scene& scene, MachineDesk& desk) {
  for (const MachineFile& document : scene.documents) {
    if (document.topic == Topic::codex_rules) look_at_rule_file(document, desk);
    if (document.topic != Topic::codex) continue;
    look_at_profiles(document, desk);
    look_at_roots(scene, document, desk);
    look_at_hosts(document, desk);
  }
}

}  // namespace ringwall::machine_audit
