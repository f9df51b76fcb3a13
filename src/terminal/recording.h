// Writes down what a terminal shows, with its times, as an asciicast (version 2) that asciinema and
// `ringwall replay` play: a line with a header, then one line of JSON for each piece of output.
//
// It runs where nothing can be opened: the file is given, and only written to. A recording holds no
// control byte as such, so looking at the file with `cat` does nothing to a terminal.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "terminal/size.h"
#include "terminal/utf8.h"

namespace ringwall::terminal {

struct RecordingHeader {
  Size size;
  std::string title;
  std::string command;
  std::string term;       // TERM and
  std::string shell;      // SHELL of the one who records
  int64_t timestamp = 0;  // seconds since 1970; 0: now
};

// The error of a recording that has reached its limit.
inline constexpr int kRecordingIsFull = EFBIG;

// The first failure is returned by the call that meets it; from then on nothing is written, and
// every call succeeds.
class Recording {
 public:
  // It grows to `most` bytes, which end with a whole line.
  Recording(Fd file, const RecordingHeader& header, uint64_t most = UINT64_MAX);
  Recording(Recording&&) = default;
  Recording& operator=(Recording&&) = delete;
  ~Recording();

  // `seconds` since the start; the time does not run backwards.
  Status output(std::string_view bytes, double seconds);
  Status resize(Size size, double seconds);

  // Writes what is kept back for larger writes. It happens by itself once a second of recorded
  // time.
  Status flush();
  // Ends the recording; a character that was cut at the end becomes U+FFFD.
  Status finish();

 private:
  void begin_event(char kind);
  void end_event();
  void add(std::string_view& bytes, size_t most);
  Status written();

  Fd file_;
  uint64_t room_;  // bytes that may still be written
  std::string buffer_;
  Utf8Decoder decoder_;
  uint64_t microseconds_ = 0;
  uint64_t flushed_at_ = 0;
};

}  // namespace ringwall::terminal
