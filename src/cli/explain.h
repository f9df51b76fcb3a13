// --explain: the plan of a run, each part with its reason.
#pragma once

#include "prepare/prepare.h"

namespace ringwall::cli {

// `trouble` says why the program cannot be started; empty if it can be tried.
void print_explanation(const prepare::Preparation& prepared, const std::string& trouble, bool json);

}  // namespace ringwall::cli
