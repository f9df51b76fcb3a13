// What may be done with bytes that a client inside has sent and that were not passed on yet. The
// judges of TLS and HTTP answer with it; the relay obeys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"

namespace ringwall::net {

struct Judgement {
  enum class Kind {
    wait,      // more bytes are needed first
    pass,      // the first `length` bytes may go on, then the judge is asked again
    pass_all,  // these bytes and all that follow
    refuse,    // nothing more may go on; `why`
  };
  Kind kind = Kind::wait;
  uint64_t length = 0;  // of `pass`, never 0; can be more than are there: a body
  std::string why;      // of `refuse`: part of a sentence for a person
  // Of `pass`: where bytes stand that the server must not be able to read, and how many.
  std::vector<std::pair<size_t, size_t>> crossed_out = {};

  static Judgement wait() { return {Kind::wait, 0, {}}; }
  static Judgement pass(uint64_t length) { return {Kind::pass, length, {}}; }
  static Judgement pass_all() { return {Kind::pass_all, 0, {}}; }
  static Judgement refuse(std::string why) { return {Kind::refuse, 0, std::move(why)}; }

  // In the bytes that were judged.
  void cross_out(std::string& bytes) const {
    for (const auto& [at, count] : crossed_out)
      bytes.replace(at, count, count, 'X');
  }
};

// A name that the client chose, as a person is told of it: it may be of any length and bytes.
inline std::string told(std::string_view name) {
  constexpr size_t kMost = 253;  // as long as a name can be: what differs is told apart
  return text::quote(name.substr(0, kMost)) + (name.size() > kMost ? "…" : "");
}

}  // namespace ringwall::net
