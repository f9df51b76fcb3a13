// Hostile settings files for `ringwall import`: whatever the bytes are, there is a policy that
// loads, or a mistake with its place.
#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "policy/import_claude.h"
#include "policy/import_srt.h"
#include "policy/load.h"
#include "policy/merge.h"

using namespace ringwall::policy;
namespace json = boost::json;

namespace {

// The lines of the text as entries of every list there is.
std::string settings_of(std::string_view text) {
  json::array lines;
  for (const std::string& line : ringwall::text::split(text, '\n'))
    lines.emplace_back(line);
  json::object filesystem, network, permissions, variables;
  for (const char* key : {"allowRead", "allowWrite", "denyRead", "denyWrite"})
    filesystem[key] = lines;
  for (const char* key : {"allowedDomains", "deniedDomains"})
    network[key] = lines;
  for (const char* key : {"allow", "ask", "deny", "additionalDirectories"})
    permissions[key] = lines;
  variables[text.substr(0, text.find('='))] = text.substr(std::min(text.find('='), text.size()));
  json::object sandbox{{"filesystem", filesystem}, {"network", network}};
  return json::serialize(json::object{{"filesystem", filesystem},
                                      {"network", network},
                                      {"permissions", permissions},
                                      {"env", variables},
                                      {"sandbox", sandbox}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  std::string json = data[1] % 2 == 0 ? std::string(text) : settings_of(text);
  const ImportSource project{"/home/u/p/.claude/settings.json", "/home/u"};
  const ImportSource person{"/home/u/.claude/settings.json", "/home/u"};
  Imported imported = data[0] % 3 == 0   ? import_srt(json, person)
                      : data[0] % 3 == 1 ? import_claude(json, person)
                                         : import_claude(json, project);
  if (imported.mistakes.empty() == imported.toml.empty()) abort();
  for (const Diagnostic& mistake : imported.mistakes) {
    if (mistake.place.empty() || mistake.what.empty()) abort();
  }
  LoadedText loaded = load_text(imported.toml, Layer::person, "/p/policy.toml", "/home/u");
  if (!loaded.diagnostics.empty() || !merge({&loaded.text, 1}).refusals.empty()) abort();
  return 0;
}
