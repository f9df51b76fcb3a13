#include "policy/origin.h"

#include "base/text.h"

namespace ringwall::policy {

std::string_view name_of(Layer layer) {
  switch (layer) {
    case Layer::defaults:
      return "defaults";
    case Layer::organisation:
      return "organisation";
    case Layer::profile:
      return "profile";
    case Layer::person:
      return "person";
    case Layer::workspace:
      return "workspace";
    case Layer::command_line:
      return "command line";
  }
  return "";
}

std::string Origin::text() const {
  if (is_default()) return "default";
  std::string_view kind = layer == Layer::profile ? "profile " : "";
  return std::string(kind) + text::quote(place) + (line == 0 ? "" : ":" + std::to_string(line));
}

}  // namespace ringwall::policy
