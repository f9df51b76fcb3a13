#include "sandbox/managed_settings.h"

#include <boost/json.hpp>

namespace ringwall::sandbox {
namespace {

namespace json = boost::json;

// The variables of the agent's own profile once more: a settings file of the repository could
// otherwise give them other values.
json::object variables_of(const std::string& profile, const policy::Policy& policy) {
  json::object out;
  for (const policy::Text& entry : policy.environment.set) {
    if (entry.origin.layer != policy::Layer::profile || entry.origin.place != profile) continue;
    size_t equals = entry.value.find('=');
    out[entry.value.substr(0, equals)] = entry.value.substr(equals + 1);
  }
  // What the person or the command line says comes after the profile.
  for (const policy::Text& entry : policy.environment.set) {
    size_t equals = entry.value.find('=');
    auto known = out.find(entry.value.substr(0, equals));
    if (known != out.end()) known->value() = entry.value.substr(equals + 1);
  }
  return out;
}

// Its own sandbox cannot nest in this one.
std::string for_claude(const policy::Policy& policy, const json::object& hooks) {
  json::object out{{"env", variables_of("claude", policy)},
                   {"sandbox", json::object{{"enabled", false}}}};
  if (!hooks.empty()) out["hooks"] = hooks;
  return json::serialize(out) + "\n";
}

std::string for_codex(const policy::Policy&, const json::object&) {
  return "check_for_update_on_startup = false\n"
         "sandbox_mode = \"danger-full-access\"\n\n"
         "[analytics]\nenabled = false\n";
}

std::string for_opencode(const policy::Policy&, const json::object&) {
  return json::serialize(json::object{{"autoupdate", false}, {"share", "disabled"}}) + "\n";
}

struct Managed {
  const char* profile;
  const char* file;
  std::string (*make)(const policy::Policy&,
                      const json::object& claude_hooks);  // null: it would not be obeyed
};

const Managed kManaged[] = {
    {"claude", "/etc/claude-code/managed-settings.json", for_claude},
    {"codex", "/etc/codex/managed_config.toml", for_codex},
    {"opencode", "/etc/opencode/opencode.json", for_opencode},
    {"gemini", "/etc/gemini-cli/settings.json", nullptr},
    {"copilot", "/etc/github-copilot/managed-settings.json", nullptr},
};

}  // namespace

std::vector<MadeFile> managed_settings(const std::vector<std::string>& profiles,
                                       const policy::Policy& policy,
                                       const json::object& claude_hooks) {
  std::vector<MadeFile> files;
  for (const std::string& profile : profiles) {
    for (const Managed& row : kManaged) {
      if (row.profile != profile || row.make == nullptr) continue;
      files.push_back({.target = row.file,
                       .content = row.make(policy, claude_hooks),
                       .mode = 0444,
                       .reason = "settings that " + profile + " obeys first"});
    }
  }
  return files;
}

std::vector<std::string> unmanaged_agents() {
  std::vector<std::string> names;
  for (const Managed& row : kManaged) {
    if (row.make == nullptr) names.emplace_back(row.profile);
  }
  return names;
}

}  // namespace ringwall::sandbox
