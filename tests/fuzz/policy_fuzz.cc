// Fuzz target: the loader of policies and the merge. Whatever the text, each mistake has its line,
// and a text that only narrows gives nothing.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "policy/hosts.h"
#include "policy/merge.h"

using namespace ringwall::policy;

namespace {

constexpr Layer kLayers[] = {Layer::organisation, Layer::profile, Layer::person, Layer::workspace};

void check(bool holds) {
  if (!holds) abort();
}

// Nothing that a workspace's file said may be a value that widens.
void check_narrow(Policy& policy) {
  for (const Field& field : fields()) {
    if (!field.widens) continue;
    if (const auto* single = std::get_if<TextOf>(&field.member)) {
      check((*single)(policy).value.empty());
    } else if (const auto* list = std::get_if<ListOf>(&field.member)) {
      check((*list)(policy).empty());
    } else if (const auto* on = std::get_if<SwitchOf>(&field.member)) {
      check(!(*on)(policy).on);
    }
  }
}

// A pattern is written in one way; a name that a program may ask for is a pattern of itself.
void check_host(const std::string& text) {
  for (NoPort no_port : {NoPort::https, NoPort::any}) {
    auto host = parse_host_pattern(text, no_port);
    if (!host) continue;
    auto again = parse_host_pattern(host->text(), no_port);
    check(again && again->text() == host->text() && again->covers(*host) && host->covers(*again));
  }
  if (auto name = parse_host_name(text)) {
    auto itself = parse_host_pattern(*name);
    check(itself && itself->matches(text, 443) && !itself->matches(text, 80));
    check(parse_host_name(*name).value_or("") == *name);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  Layer layer = kLayers[data[0] % std::size(kLayers)];
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  check_host(text);
  LoadedText loaded = load_text(text, layer, "/p/policy.toml", "/home/u");
  for (const Diagnostic& diagnostic : loaded.diagnostics)
    check(diagnostic.line > 0 && !diagnostic.what.empty());
  for (const Setting& setting : loaded.text.settings)
    check(setting.origin.line > 0 && !show_value(*setting.field, setting.value).empty());
  check(loaded.text.locks.empty() || layer == Layer::organisation);
  if (!loaded.diagnostics.empty()) return 0;
  Merged merged = merge({&loaded.text, 1});
  check(merged.refusals.empty() || layer == Layer::workspace);
  if (layer == Layer::workspace && merged.refusals.empty()) check_narrow(merged.policy);
  return 0;
}
