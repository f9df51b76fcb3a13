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
std::string for_claude(const policy::Policy& policy, const ManagedHooks& hooks) {
  json::object out{{"env", variables_of("claude", policy)},
                   {"sandbox", json::object{{"enabled", false}}}};
  if (!hooks.claude.empty()) out["hooks"] = hooks.claude;
  return json::serialize(out) + "\n";
}

std::string for_codex(const policy::Policy&, const ManagedHooks&) {
  return "check_for_update_on_startup = false\n"
         "sandbox_mode = \"danger-full-access\"\n\n"
         "[analytics]\nenabled = false\n";
}

std::string for_opencode(const policy::Policy&, const ManagedHooks&) {
  return json::serialize(json::object{{"autoupdate", false}, {"share", "disabled"}}) + "\n";
}

// Hooks have a switch of their own, which settings below must not turn.
std::string for_gemini(const policy::Policy&, const ManagedHooks& hooks) {
  json::object out{{"general", json::object{{"enableAutoUpdate", false},
                                            {"enableAutoUpdateNotification", false}}},
                   {"privacy", json::object{{"usageStatisticsEnabled", false}}}};
  if (!hooks.gemini.empty()) {
    out["hooksConfig"] = json::object{{"enabled", true}};
    out["hooks"] = hooks.gemini;
  }
  return json::serialize(out) + "\n";
}

struct Managed {
  const char* profile;
  const char* file;
  std::string (*make)(const policy::Policy&, const ManagedHooks&);
  bool roots_own = false;
};

const Managed kManaged[] = {
    {"claude", "/etc/claude-code/managed-settings.json", for_claude},
    {"codex", "/etc/codex/managed_config.toml", for_codex},
    {"opencode", "/etc/opencode/opencode.json", for_opencode},
    {"gemini", "/etc/gemini-cli/settings.json", for_gemini, true},
};

}  // namespace

std::vector<MadeFile> managed_settings(const std::vector<std::string>& profiles,
                                       const policy::Policy& policy, const ManagedHooks& hooks) {
  std::vector<MadeFile> files;
  for (const std::string& profile : profiles) {
    for (const Managed& row : kManaged) {
      if (row.profile != profile) continue;
      files.push_back({.target = row.file,
                       .content = row.make(policy, hooks),
                       .mode = 0444,
                       .reason = "settings that " + profile + " obeys first",
                       .roots_own = row.roots_own});
    }
  }
  return files;
}

// Copilot's are hooks alone, which the gate makes.
std::vector<std::string> agents_that_obey_root() { return {"gemini", "copilot"}; }

}  // namespace ringwall::sandbox
