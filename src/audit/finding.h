// One thing that an audit found, and the report that all of them make. Findings about a repository
// come from a scanner that has read hostile text: they travel as lines of JSON, and nothing in such
// a line is believed beyond its bounds.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "audit/catalogue.h"
#include "base/result.h"

namespace ringwall::audit {

inline constexpr size_t kLongestPath = 4096;  // bytes
inline constexpr size_t kLongestSeen = 300;
inline constexpr size_t kLongestFix = 600;
inline constexpr size_t kLongestLine = 16384;  // of a finding as it travels
inline constexpr size_t kMostFindings = 5000;
// Who fills a repository with one kind of finding must not hide another kind by it.
inline constexpr size_t kMostOfOneKind = 50;

struct Finding {
  const Check* check = nullptr;  // never null
  std::string path;              // as it is named, any bytes; escaped only where it is shown
  size_t line = 0;               // from 1; 0: it has none
  // Any bytes as well, without what looks like a secret. Of `fix` the check's own words where a
  // finding says nothing nearer.
  std::string seen;
  std::string fix;

  bool operator==(const Finding&) const = default;
};

// `number` must be one of the catalogue. What was seen is cut and redacted here.
Finding make_finding(std::string_view number, std::string path, size_t line, std::string_view seen,
                     std::string_view fix = {});

// A line of JSON without its end, and back. An error: it is none that to_line() writes.
std::string to_line(const Finding& finding);
Result<Finding> from_line(std::string_view line);

struct Report {
  std::string subject;  // the folder, or "this machine"
  std::vector<Finding> findings;
  uint64_t files = 0;  // that were looked at
  bool is_whole = true;
  std::string incomplete;  // why it is not; escaped
};

// Gravest first, then by path and line; what is told twice is told once.
void put_in_order(Report& report);

// 0: nothing above info, 1: something.
int exit_status(const Report& report);

size_t count(const Report& report, Severity severity);

}  // namespace ringwall::audit
