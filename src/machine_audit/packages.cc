// Settings of package managers: whom they believe, and what they run.
#include <algorithm>

#include "base/path.h"
#include "base/secret_shape.h"
#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

struct Weak {
  std::string_view key;
  std::string_view value;  // empty: any
  std::string_view number;
};
constexpr Weak kWeak[] = {
    {"strict-ssl", "false", "RW186"},     {"enableStrictSsl", "false", "RW186"},
    {"trusted-host", "", "RW186"},        {"allow-insecure-host", "", "RW186"},
    {"ssl_verify", "false", "RW186"},     {":ssl_verify_mode", "0", "RW186"},
    {"unsafeHttpWhitelist", "", "RW186"}, {"extra-index-url", "", "RW188"},
    {"unsafe-perm", "true", "RW190"},     {"dangerously-allow-all-builds", "true", "RW190"},
    {"script-shell", "", "RW190"},        {"node-options", "", "RW190"},
    {"yarn-path", "", "RW190"},           {"yarnPath", "", "RW190"},
};

constexpr std::string_view kAddresses[] = {"registry", "index-url",       "npmRegistryServer",
                                           "index",    "extra-index-url", "default"};

std::string_view last_of(std::string_view key) {
  // "global.trusted-host", "@scope:registry", "//host/:_authToken"
  if (size_t colon = key.rfind(':'); colon != key.npos && colon > 0) return key.substr(colon + 1);
  return key.substr(key.rfind('.') + 1);
}

// What a project of yarn's own brings, as everybody's does.
bool is_usual(std::string_view key, std::string_view value, FileScope scope) {
  bool is_yarn = key == "yarnPath" || key == "yarn-path";
  if (is_yarn) return value.starts_with(".yarn/releases/") || scope != FileScope::project;
  bool is_program = key == "script-shell" || key == "node-options";
  return is_program && scope != FileScope::project && !lies_in_the_open(value);
}

void look_at_entry(const MachineFile& document, const std::string& name, const Setting& value,
                   MachineDesk& desk) {
  std::string_view key = last_of(name);
  for (const Weak& weak : kWeak) {
    bool fits =
        key == weak.key && (weak.value.empty() ? !value.text.empty()
                                               : text::in_small_letters(value.text) == weak.value);
    if (!fits || is_usual(key, value.text, document.scope)) continue;
    bool is_fixed = weak.number == "RW186" && !weak.value.empty();
    desk.add(weak.number, document, value.line, name + " = " + value.text, {},
             is_fixed ? remove_line(document, value.line) : no_edit());
  }
  bool is_address =
      std::find(std::begin(kAddresses), std::end(kAddresses), key) != std::end(kAddresses);
  if (is_address && is_plain_address(value.text))
    desk.add("RW187", document, value.line, name + " = " + value.text);
  bool is_login = key == "_authToken" || key == "_password" || key == "_auth" ||
                  key == "npmAuthToken" || key == "npmAuthIdent";
  if (is_login && document.scope == FileScope::project && secret::is_real(value.text))
    desk.add("RW198", document, value.line, name, "use ${NPM_TOKEN}, and set it outside");
}

}  // namespace

void look_at_packages(const Scene& scene, MachineDesk& desk) {
  for (const MachineFile& document : scene.documents) {
    if (document.topic != Topic::packages) continue;
    bool is_careful = false;
    for (const auto& [name, value] : document.root.members) {
      look_at_entry(document, name, value, desk);
      is_careful = is_careful || (name == "ignore-scripts" && value.text == "true");
    }
    bool is_own_npm = document.scope == FileScope::person && document.path.ends_with("/.npmrc");
    if (is_own_npm && !is_careful) desk.add("RW189", document, 0, "ignore-scripts is not set");
  }
}

}  // namespace ringwall::machine_audit
