// How Ringwall talks: messages to stderr, results to stdout, colours only on a terminal.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "base/result.h"
#include "events/event.h"

namespace ringwall::cli {

// Ringwall itself could not or would not do it.
inline constexpr int kUsageStatus = 125;

// True if `stream` is a terminal and the person has not said NO_COLOR.
bool wants_colours(FILE* stream);

// "ringwall: WHAT", and on the next line what to do about it.
void complain(std::string_view what, std::string_view hint);
void complain(const Error& error);

// An event as a line for a person, or as JSON, on stderr.
void tell(const events::Event& event, bool json);
// The same, for whom stderr is not what the person sees: the line alone, or nothing.
std::string line_of(const events::Event& event, bool json, bool colours);

struct Style {
  std::string_view bold, dim, red, green, yellow, plain;
};
Style style_for(FILE* stream);

}  // namespace ringwall::cli
