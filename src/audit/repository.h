// What in a repository would run or steer something: looks at names, links and the content of the
// files that matter. Runs in the scanner.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/scanner.h"
#include "base/result.h"

namespace ringwall::audit {

// Where the scanner finds the repository.
inline constexpr const char* kRepositoryInside = "/repository";

// The audit of the folder at `path`, in a sandbox.
Result<Report> audit_repository(const std::string& path, std::span<char> start_area);

// What is asked for a scan of `real`, a real path; `only` names parts of it.
ScanRequest ask_for_repository(std::string real, std::vector<std::string> only,
                               std::span<char> start_area);

// Names at the top of a repository that steer agents and are no protected files.
std::span<const std::string_view> steering_names();

// In the scanner; the arguments name what alone is looked at, relative to the top; none: all.
Status scan_repository(const std::vector<std::string>& only, Reporter& reporter);

}  // namespace ringwall::audit
