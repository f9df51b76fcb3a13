// Where a value of the policy comes from: which layer, and the place in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ringwall::policy {

// In the order in which they are merged: a later one comes on top of an earlier one.
enum class Layer : uint8_t {
  defaults,      // built in
  organisation,  // /etc/ringwall; may lock fields
  profile,       // shipped with Ringwall, for an agent or a toolchain
  person,        // ~/.config/ringwall/policy.toml, then --policy
  workspace,     // .ringwall.toml, which comes with the repository: it can only narrow
  command_line,  // the person again
};
std::string_view name_of(Layer layer);

struct Origin {
  Layer layer = Layer::defaults;
  std::string place = {};  // a file, a flag, or a profile's name; empty for defaults
  uint32_t line = 0;       // of the file
  uint32_t column = 0;

  bool is_default() const { return layer == Layer::defaults; }

  // "default", "--ro", "profile claude:12", "/etc/ringwall/policy.toml:3"
  std::string text() const;
};

// What decided something: the field's key and where it was said. No key: built in.
struct Rule {
  std::string_view key = {};
  Origin origin = {};
};

}  // namespace ringwall::policy
