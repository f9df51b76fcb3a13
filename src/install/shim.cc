#include "install/shim.h"

#include "base/byte_text.h"
#include "base/text.h"

namespace ringwall::install {
namespace {

constexpr std::string_view kMark = "# ringwall-shim ";

}  // namespace

// shell_word() would write what only newer shells read.
std::string for_any_shell(std::string_view word) {
  std::string out = "'";
  for (char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string shim_text(const Shim& shim) {
  // Inside a run the person's program may be missing, and the gate's is there. Outside, only root
  // can put something below /run.
  std::string rest = " start " + shim.agent + " \"$0\" " + for_any_shell(shim.real) + " \"$@\"\n";
  return "#!/bin/sh\n"
         "# Ringwall's: this name runs behind the walls. What it stands for: ringwall installed\n" +
         std::string(kMark) + shim.agent + " " + text_of_bytes(shim.program) + " " +
         text_of_bytes(shim.real) + "\n" + "[ ! -x /run/ringwall/ringwall ] || exec " +
         "/run/ringwall/ringwall" + rest + "exec " + for_any_shell(shim.program) + rest;
}

std::optional<Shim> read_shim(std::string_view text) {
  size_t at = text.find(kMark);
  if (at == text.npos || text.size() > kMostShimBytes) return std::nullopt;
  std::string_view line = text.substr(at + kMark.size());
  line = line.substr(0, line.find('\n'));
  std::vector<std::string> words = text::split(line, ' ');
  if (words.size() != 3) return std::nullopt;
  auto program = bytes_of_text(words[1]), real = bytes_of_text(words[2]);
  if (!program || !real) return std::nullopt;
  Shim shim{words[0], *program, *real};
  if (shim_text(shim) != text) return std::nullopt;
  return shim;
}

}  // namespace ringwall::install
