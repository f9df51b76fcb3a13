// What `ringwall learn` found, for a person or as JSON.
#pragma once

#include <string>
#include <vector>

#include "policy/proposal.h"

namespace ringwall::cli {

struct LearnedView {
  std::string home;                  // shown as ~
  std::vector<std::string> own;      // our own words of the command line, without --write
  std::vector<std::string> command;  // that was run
  std::string written;               // the file that holds the fragment; empty: none
  bool colours = false;
};

// A table, the fragment, and the command that uses it.
std::string show_learned(const policy::Proposal& proposal, const LearnedView& view);

// One line of JSON without the newline.
std::string learned_json(const policy::Proposal& proposal, const LearnedView& view);

}  // namespace ringwall::cli
