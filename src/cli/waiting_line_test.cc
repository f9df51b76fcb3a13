#include "cli/waiting_line.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"

namespace ringwall::cli {
namespace {

using std::chrono::milliseconds;

// What comes to the terminal until `end` is among it.
std::string read_until(int terminal, const std::string& end) {
  std::string seen;
  pollfd ready{terminal, POLLIN, 0};
  while (seen.find(end) == std::string::npos && poll(&ready, 1, 60'000) == 1) {
    char bytes[256];
    ssize_t got = read(terminal, bytes, sizeof bytes);
    if (got <= 0) break;
    seen.append(bytes, static_cast<size_t>(got));
  }
  return seen;
}

TEST(WaitingLine, CountsAndIsGoneAtTheEnd) {
  Fd terminal(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(terminal && grantpt(terminal.get()) == 0 && unlockpt(terminal.get()) == 0);
  Fd side(open(ptsname(terminal.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(side);
  {
    WaitingLine line("taking over 3 changes", side.get(), milliseconds(1));
    EXPECT_EQ(read_until(terminal.get(), " s"), "\rtaking over 3 changes …  0 s");
  }
  EXPECT_NE(read_until(terminal.get(), "\x1b[K").find("\r\x1b[K"), std::string::npos);
}

TEST(WaitingLine, ElsewhereThanOnATerminalThereIsNone) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  Fd out(ends[0]), in(ends[1]);
  { WaitingLine line("taking over 3 changes", in.get(), milliseconds(0)); }
  char byte;
  EXPECT_LT(read(out.get(), &byte, 1), 0);
}

}  // namespace
}  // namespace ringwall::cli
