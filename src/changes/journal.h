// What a transaction writes down, so that it can be resumed: the plan before the first change of
// the tree, the report after the last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "changes/entry.h"
#include "changes/transaction.h"

namespace ringwall::changes {

struct PlannedStep {
  std::string path;
  EntryType wanted = EntryType::none;
  uint32_t mode = 0;
  int64_t modified = 0;
  // Of a folder that is only opened for the work in it: neither time nor attributes are set.
  bool is_passage = false;
  // Inode in staged/: of what is to be put there, and of a folder that carries the attributes for
  // one that stays. 0: none.
  uint64_t staged = 0;
  EntryFacts expected;

  bool stays_folder() const {
    return wanted == EntryType::folder && expected.type == EntryType::folder;
  }
  bool operator==(const PlannedStep&) const = default;
};

struct Plan {
  uint64_t device = 0, inode = 0;  // of the tree's top
  std::string staging;             // name of the folder at the tree's top; empty: in the journal
  bool keeps_replaced = true;
  bool leaves_out_conflicts = false;
  std::vector<PlannedStep> steps;  // sorted by path

  bool operator==(const Plan&) const = default;
};

std::string encode(const Plan& plan);
Result<Plan> parse_plan(std::string_view text);
std::string encode(const Report& report);
Result<Report> parse_report(std::string_view text);

// Each is there whole or not at all, and on the disk when the call returns.
Status write_plan(int journal, const Plan& plan);
Result<std::optional<Plan>> read_plan(int journal);
Status write_report(int journal, const Report& report);
Result<std::optional<Report>> find_report(int journal);
Status remove_plan(int journal);

// The name of a staging folder at the tree's top is written before that is made.
Status write_staging_name(int journal, const std::string& name);
Result<std::string> read_staging_name(int journal);  // empty: none

}  // namespace ringwall::changes
