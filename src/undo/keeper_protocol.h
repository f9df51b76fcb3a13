// Between the supervisor and the keeper: whole messages of fixed layout.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace ringwall::undo {

struct KeeperOrder {
  enum class Type : uint32_t {
    stamp = 1,  // the clock of a tree, just before the command starts
    started,    // after the stamps: from here on the trees are not those of the start
    over,       // nothing inside lives any more: what is not kept by now needs not be
    finish,     // and nobody takes anything away any more: say what was done, and end
    try_acts,   // try what the walls forbid
    opener,     // its channel comes along, if it could be started (session/closed_files.h)
  };
  Type type;
  uint32_t tree = 0;
  int64_t clock = 0;
};

struct KeeperNotice {
  enum class Type : uint32_t {
    ready = 1,  // everything is kept that can be: the command may start
    kept,       // files, bytes, unkept, kept earlier; text: why; value: 1 if some are not known
    failed,     // text: why nothing can be put back
    changed,    // added, changed, deleted, renamed, bytes
    finished,   // the last
    act,        // text, value: errno
    acts_done,
    closed,  // files are met that need the opener
  };
  Type type;
  int32_t value = 0;
  uint64_t numbers[5] = {};
  char text[256] = {};
};

Result<KeeperOrder> parse_keeper_order(std::string_view bytes);
Result<KeeperNotice> parse_keeper_notice(std::string_view bytes);

}  // namespace ringwall::undo
