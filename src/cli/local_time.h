// The record's times, as the clock on the wall says them here.
#pragma once

#include <cstdint>
#include <string>

namespace ringwall::cli {

// `time` is "2026-01-31T09:00:00.123Z"; what is none is given back as it is.
std::string local_time(const std::string& time, const char* format);

// Of seconds since 1970.
std::string local_time(int64_t seconds, const char* format);

// Now.
std::string local_time(const char* format);

}  // namespace ringwall::cli
