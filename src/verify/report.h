// What a person reads: one row per promise, in order, and a closing line.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "verify/answers.h"
#include "verify/promises.h"

namespace ringwall::verify {

enum class RowResult { pass, fail, skip };

struct Row {
  const Promise* promise = nullptr;
  RowResult result = RowResult::fail;
  std::string evidence;
};

struct Counts {
  int kept = 0;
  int failed = 0;
  int skipped = 0;
};

using MissingWalls = std::set<sandbox::Wall>;

struct Report {
  std::string subject;   // "a sandbox started for this check", "the run NAME"
  MissingWalls missing;  // optional ones that this host does not have
  std::vector<Row> rows;
  std::string trouble;  // what kept the answers from being read to the end
};

// What an answer says on this host. `host_lacks` holds, by promise, what this host does not have:
// a probe that cannot tell for that reason has not failed.
using HostLacks = std::map<std::string, std::string, std::less<>>;
std::vector<Row> plan_rows(const Answers& answers, const HostLacks& host_lacks);

Counts count(const std::vector<Row>& rows);

// As an exit status: the number of failures, at most 100.
int exit_status(const Counts& counts);

struct Paint {
  std::string_view bold, dim, red, green, yellow, plain;
};
// `width` columns, at least 100.
std::string as_text(const Report& report, size_t width, const Paint& paint);
std::string as_json(const Report& report);

// "kernel: new-root, landlock", within `most` columns.
std::string kept_by_text(const Promise& promise, const MissingWalls& missing, size_t most);

}  // namespace ringwall::verify
