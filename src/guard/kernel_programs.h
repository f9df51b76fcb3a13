// The compiled programs of bpf/, which are part of this one.
#pragma once

#include <string_view>

namespace ringwall::guard {

std::string_view trace_programs();
std::string_view lsm_programs();

}  // namespace ringwall::guard
