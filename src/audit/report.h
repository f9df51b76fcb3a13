// A report in the forms that people and programs read. Whatever others chose (names, what was seen)
// is escaped for each of them.
#pragma once

#include <string>
#include <string_view>

#include "audit/finding.h"

namespace ringwall::audit {

// What was seen or is to be done, as people read it: on one line, and escaped here alone. A
// backslash stays one, also that of a command to copy.
std::string shown(std::string_view untrusted);

// Sequences of a terminal; empty where there is none.
struct Look {
  std::string_view bold, dim, red, yellow, plain;
};

std::string as_text(const Report& report, size_t width, const Look& look);
std::string as_json(const Report& report);   // one object
std::string as_sarif(const Report& report);  // SARIF 2.1.0
// One page that loads nothing: findings by severity, filters, fixes to copy.
std::string as_html(const Report& report);

// "2 critical, 1 high"; "nothing above info" if there is none.
std::string sum_up(const Report& report);

}  // namespace ringwall::audit
