// ringwall replay: plays a recorded terminal.
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <optional>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "terminal/player.h"

namespace ringwall::cli {
namespace {

struct Bounds {
  double least, most;
  const char* in_words;
};
constexpr Bounds kSpeed{0.01, 1000, "a number from 0.01 to 1000"};
constexpr Bounds kIdle{0, 1e9, "a number of seconds, 0 or more"};

Result<double> read_number(const std::string& flag, const std::string& text, const Bounds& bounds) {
  double number = 0;
  const char* end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  bool fits =
      read.ec == std::errc() && read.ptr == end && number >= bounds.least && number <= bounds.most;
  if (!fits) return fail(flag + " must be " + bounds.in_words + ", not " + text::quote(text));
  return number;
}

Result<terminal::CastReader> open_cast(const std::string& path) {
  if (path == "-") {
    Fd input(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
    if (!input) return fail_errno("cannot read standard input");
    return terminal::CastReader(std::move(input), "standard input");
  }
  TRY_ASSIGN(Fd file, file::open(path, O_RDONLY));
  return terminal::CastReader(std::move(file), path);
}

// A recording that needs more room than there is looks broken; that is not its fault.
void warn_if_too_small(terminal::Size wanted) {
  auto own = terminal::OwnTerminal::find();
  terminal::Size there = own ? terminal::usable(own->size()) : wanted;
  if (there.columns >= wanted.columns && there.rows >= wanted.rows) return;
  auto in_words = [](terminal::Size size) {
    return std::to_string(size.columns) + "x" + std::to_string(size.rows);
  };
  complain("the recording is " + in_words(wanted) + " characters large, this terminal " +
               in_words(there),
           "enlarge the window, or try: --size");
}

using Given = std::optional<std::string>;

Result<int> replay(const std::string& path, const Given& speed, const Given& idle,
                   terminal::PlayOptions options) {
  if (speed) {
    TRY_ASSIGN(options.speed, read_number("--speed", *speed, kSpeed));
  }
  if (idle) {
    TRY_ASSIGN(options.idle, read_number("--idle", *idle, kIdle));
  }
  TRY_ASSIGN(terminal::CastReader reader, open_cast(path));
  TRY_ASSIGN(terminal::CastHeader header, reader.read_header());
  if (isatty(STDOUT_FILENO) == 0) {
    TRY(terminal::play_at_once(reader, STDOUT_FILENO));
    return 0;
  }
  if (!options.resize_window) warn_if_too_small(header.size);
  TRY_ASSIGN(int signal, terminal::Player(reader, header, options).play());
  return signal == 0 ? 0 : 128 + signal;
}

}  // namespace

int cmd_replay(const Invocation& invocation) {
  CommandLine line("Plays a recording of a terminal, made by --cast or by asciinema.", "replay",
                   "ringwall replay FILE [--speed X] [--idle SECONDS] [--size]");
  line.footer(
      "Space pauses and goes on, q or Ctrl-C stops. What a run may not send to your\n"
      "terminal, a recording may not either. Into a pipe or a file it is played at once.\n\n"
      "Examples:\n"
      "  ringwall run --cast ~/demo.cast -- npm test\n"
      "  ringwall replay ~/demo.cast\n"
      "  ringwall replay ~/demo.cast --speed 2 --idle 1\n"
      "  ringwall replay ~/demo.cast | less -R");
  std::string path;
  Given speed, idle;
  terminal::PlayOptions options;
  line.add_option("FILE", path, "the recording: asciicast version 2; - is standard input");
  line.add_option("--speed", speed, "how many times as fast; normally 1").type_name("X");
  line.add_option("--idle", idle, "no pause is longer than this").type_name("SECONDS");
  line.add_flag("--size", options.resize_window,
                "ask the terminal to take the size of the recording");
  if (auto status = line.parse(invocation.arguments)) return *status;
  if (path.empty()) {
    complain("no recording given", "try: ringwall replay FILE");
    return kUsageStatus;
  }
  auto status = replay(path, speed, idle, options);
  if (status) return *status;
  complain(status.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
