// What the relay says to the supervisor, and what it says to front ends. Fixed layouts; whoever
// reads checks length and range. A relay that was taken over can say any of it: nothing here can do
// more than show or hide output.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/channel.h"
#include "base/result.h"
#include "terminal/size.h"

namespace ringwall::terminal {

// From the supervisor to the relay.
struct RelayOrder {
  enum class Type : uint32_t {
    add_terminal = 1,  // descriptors: its near side, and a file to record to if `records`
    add_viewer,        // descriptors: its socket, where its output goes
    drop_viewer,       // it leaves with its terminal in order
    end_terminal,      // nothing more will be written to it from inside
    try_acts,          // say what this process can do beyond its duty
  } type;
  uint32_t terminal = 0;
  uint32_t viewer = 0;
  Size size{};
  bool interactive = false;    // add_viewer: types, and holds the inside back when it is slow
  bool awaits_viewer = false;  // add_terminal: one follows, who sees it from the first byte on
  bool utf8 = true;            // add_terminal: how to filter; add_viewer: what its terminal reads
  bool filtered = true;        // false only in the build for tests
  bool clipboard_write = false;
  bool records = false;
  // Of the recording.
  uint64_t most_recorded = UINT64_MAX;  // bytes
  char title[128] = {};
  char term[64] = {};
  char shell[128] = {};
};

// From the relay to the supervisor.
struct RelayNotice {
  enum class Type : uint32_t {
    ready = 1,    // its walls stand
    viewer_gone,  // by itself
    drained,      // a terminal's last byte was shown
    act,          // one forbidden act: its name, and the error that it gave
    acts_done,
    recording_failed,  // value: errno
  } type;
  uint32_t terminal = 0;
  uint32_t viewer = 0;
  int32_t value = 0;
  char text[64] = {};
};

// Between a front end and the relay; bytes may follow the head.
struct ViewerHead {
  enum class Type : uint32_t {
    // to the relay
    input = 1,  // bytes: keys
    resize,
    hold,     // the terminal in order and no output until `release`; answered by `held`
    release,  // value: 1 in the foreground, where the terminal gets the program's modes back
    listen,   // value: 0 if what its terminal answers goes to somebody else
    settle,   // answered by `settled` when all was shown that there is
    leave,    // the last output and the terminal in order, then `left`
    // from the relay
    held,
    settled,
    left,
  } type;
  // held, left: answers of the terminal may still be on their way; value: how often it was asked
  // for its status (CSI 5 n) so far
  uint32_t expects_answers = 0;
  int32_t value = 0;
  Size size{};
};

inline constexpr size_t kMostInput = 4096;  // bytes of keys in one message

Result<RelayOrder> parse_order(std::string_view bytes);
Result<RelayNotice> parse_notice(std::string_view bytes);

struct ViewerMessage {
  ViewerHead head;
  std::string_view bytes;  // of the message it was parsed from
};
Result<ViewerMessage> parse_viewer_message(std::string_view bytes);
Status send_to_viewer(int socket, const ViewerHead& head, std::string_view bytes = {},
                      int flags = 0);

}  // namespace ringwall::terminal
