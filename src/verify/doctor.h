// What this host can and cannot do: every wall and every part of later ones, tried for real, with
// the command that mends each gap.
#pragma once

#include <string>
#include <vector>

#include "host/surroundings.h"

namespace ringwall::verify {

enum class Part {
  place,    // what surrounds Ringwall
  wall,     // of the table in sandbox/wall.h
  feature,  // used by single features
};

struct HostRow {
  Part part;
  std::string name;
  bool required = false;
  bool there = false;
  std::string seen;
  std::string mend;  // empty if there is nothing to do, or nothing can be done
};

struct Examination {
  std::string kernel;
  std::string user;
  std::vector<HostRow> rows;

  int missing_required() const;
};

Examination examine_host();

// The parts of it.
std::vector<HostRow> examine_place(const host::Surroundings& host);
std::vector<HostRow> examine_walls(const host::Surroundings& host);
std::vector<HostRow> examine_features(const host::Surroundings& host);
// Which of the three ways to enforce rules over programs are to be had, and what each does not
// stop.
std::vector<HostRow> examine_exec_kinds();

}  // namespace ringwall::verify
