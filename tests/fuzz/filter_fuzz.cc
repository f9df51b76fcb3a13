// Fuzz target of the terminal filter. However the bytes come, and in whatever pieces:
//   the output is the same as for one piece, holds nothing that must not pass (by the judgement of
//   output_checker.h), and passes a second filter unchanged; what is held back is bounded; and what
//   is sent to bring a terminal back to normal really does. Without the keyboard nothing of it
//   changes.
//
// The first byte chooses the options, the second how the rest is split.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "output_checker.h"
#include "terminal/filter.h"

namespace ringwall::fuzz {
namespace {

using terminal::Filter;
using terminal::FilterOptions;

void expect(bool holds, const char* what, std::string_view output) {
  if (holds) return;
  fprintf(stderr, "the filter breaks a promise: %s\n", what);
  for (unsigned char c : output)
    fprintf(stderr, c >= 0x20 && c < 0x7f ? "%c" : "\\x%02x", c);
  fputc('\n', stderr);
  abort();
}

std::string pass_in_pieces(Filter& filter, std::string_view bytes, uint32_t seed) {
  std::string out;
  while (!bytes.empty()) {
    seed = seed * 1664525 + 1013904223;
    size_t length =
        std::min<size_t>(1 + (seed >> 24) % ((seed >> 8) % 2 == 0 ? 3 : 40), bytes.size());
    // Memory of its own, so that the sanitizer sees a look beyond the end.
    auto piece = std::make_unique<char[]>(length);
    bytes.copy(piece.get(), length);
    out += filter.pass({piece.get(), length});
    expect(filter.held() <= terminal::kLongestClipboard, "bounded memory", out);
    bytes.remove_prefix(length);
  }
  return out;
}

void try_one(std::string_view bytes, FilterOptions options, uint32_t seed) {
  Filter whole(options), pieces(options), again(options);
  std::string out(whole.pass(bytes));
  std::string other = pass_in_pieces(pieces, bytes, seed);
  expect(out == other, "splitting changes nothing", out + " <> " + other);
  expect(whole.queries() == pieces.queries() && whole.dropped() == pieces.dropped(),
         "splitting changes no count", out);
  const char* complaint = complaint_about(out, options.utf8, options.clipboard_write);
  expect(complaint == nullptr, complaint, out);
  expect(again.pass(out) == out && again.dropped() == 0 && again.at_rest(),
         "what came out passes again", out);
  std::string leave = sequences_to_leave(again.modes());
  std::string enter = sequences_to_enter(again.modes());
  expect(leave == sequences_to_leave(pieces.modes()), "splitting changes no mode", leave);
  expect(complaint_about(enter, true, false) == nullptr, "nothing bad to enter", enter);
  expect(again.pass(leave) == leave, "leaving is allowed", leave);
  Filter in_the_back(options), its_terminal(options);
  in_the_back.have_keyboard(false);
  std::string seen(in_the_back.pass(bytes));
  (void)its_terminal.pass(seen);
  expect(its_terminal.queries() == 0, "who has no keyboard asks nothing", seen);
  expect(sequences_to_enter(its_terminal.modes(), terminal::Part::keyboard).empty(),
         "who has no keyboard changes none", seen);
  // What only may be on, after a reset that the terminal may not obey, is left again and again.
  expect(sequences_to_enter(again.modes()).empty(), "leaving leaves nothing on", leave);
}

}  // namespace
}  // namespace ringwall::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  ringwall::fuzz::try_one(
      bytes, {.utf8 = (data[0] & 1) == 0, .clipboard_write = (data[0] & 2) != 0}, data[1]);
  return 0;
}
