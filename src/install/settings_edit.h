// Keys that are put into a person's JSON settings, and taken out again without touching what the
// person has changed since.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ringwall::install {

// One value at a place in the file: set there, or added to the list there.
struct SettingsEdit {
  std::vector<std::string> place;  // {"permissions", "disableBypassPermissionsMode"}
  boost::json::value value = nullptr;
  bool adds = false;                              // to the list at that place
  std::optional<boost::json::value> before = {};  // what stood there; of no use where it adds
  size_t made = 0;  // how many of the objects and lists on the way, from the inside, were missing
};

// The settings with all of them in it. Fills `before` and `made`, and drops edits that change
// nothing. An error if something on the way is no object, or no list.
Result<boost::json::object> put_in(boost::json::object settings, std::vector<SettingsEdit>& edits);

// The settings without them: what the person has set to something else since stays as it is.
boost::json::object take_out(boost::json::object settings, const std::vector<SettingsEdit>& edits);

// True where every one of them is in force.
bool holds_all(const boost::json::object& settings, const std::vector<SettingsEdit>& edits);

boost::json::value to_json(const SettingsEdit& edit);
Result<SettingsEdit> settings_edit_of(const boost::json::value& value);

}  // namespace ringwall::install
