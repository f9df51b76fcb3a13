// Which texts --fix would write, for files that were read already. Pure: each edit is tried on the
// text, and taken back if the file then reads otherwise than it should.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "audit/finding.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {

struct PlannedFile {
  std::string path;                  // below the home
  std::vector<std::string> numbers;  // of the findings that go
  std::string before, after;         // the whole text; both empty if it stays
  std::optional<mode_t> mode;        // that it gets
};

// A finding that --fix mends elsewhere, and not here.
struct LeftFinding {
  std::string path;
  size_t line = 0;  // 0: it has none
  std::string number;
  std::string why;

  auto operator<=>(const LeftFinding&) const = default;
};

struct EditPlan {
  std::vector<PlannedFile> files;
  std::vector<LeftFinding> left;
};

// Only findings that the report has, and only in files of the person.
EditPlan plan_edits(Scene scene, const audit::Report& report);

}  // namespace ringwall::machine_audit
