// P38. One run plants what shells, git, agents and sessions would run by themselves; a second run
// with the same private home looks for it. What is meant to persist must still be there.
#include <algorithm>
#include <charconv>
#include <optional>

#include "base/file.h"
#include "verify/checks.h"
#include "verify/own_run.h"

namespace ringwall::verify {
namespace {

constexpr const char* kMarker = "left-by-an-earlier-run";
constexpr const char* kEnd = "end";
constexpr const char* kKept = ".cache/ringwall-verify/kept";

constexpr const char* kPlanted[] = {
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".config/fish/config.fish",
    ".local/bin/git",
    "bin/git",
    ".claude/settings.json",
    ".claude/hooks/start",
    ".claude.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".aider.conf.yml",
    ".gitconfig",
    ".config/git/config",
    ".config/systemd/user/verify.service",
    ".config/autostart/verify.desktop",
    ".npmrc",
    ".cargo/config.toml",
    ".ssh/rc",
    ".vimrc",
};

// $0 is the marker, $1 the canary of the real home, the rest are files below the home. Where the
// walls are broken and the canary is in sight, nothing is planted: it would be the person's home.
// A file that is there already is never touched.
constexpr const char* kPlant =
    "[ -e \"$1\" ] && echo real && exit\n"
    "shift; n=0\n"
    "for f; do\n"
    "  mkdir -p \"$HOME/$f\" && rmdir \"$HOME/$f\" && echo \"$0\" >\"$HOME/$f\" && n=$((n + 1))\n"
    "done\n"
    "echo $n\n";
constexpr const char* kLook =
    "shift\n"
    "for f; do\n"
    "  [ -e \"$HOME/$f\" ] && read -r line <\"$HOME/$f\" && [ \"$line\" = \"$0\" ] && echo \"$f\"\n"
    "done\n"
    "echo end\n";
constexpr const char* kRealHome = "real";

OwnRunRequest request_for(const CheckInputs& inputs, const char* script) {
  OwnRunRequest request{.arguments = {"-w", inputs.folder, "--home", inputs.home_name, "--",
                                      "/bin/sh", "-c", script, kMarker, inputs.canary_file, kKept}};
  request.arguments.insert(request.arguments.end(), std::begin(kPlanted), std::end(kPlanted));
  return request;
}

// How many files were planted; null if the real home is in sight.
Result<std::optional<size_t>> plant(const CheckInputs& inputs) {
  TRY_ASSIGN(OwnRun run, OwnRun::start(request_for(inputs, kPlant)));
  TRY_ASSIGN(std::string line, run.read_line(seconds_from_now(kPatience)));
  TRY(run.wait(seconds_from_now(kPatience)));
  if (line == kRealHome) return std::optional<size_t>();
  size_t planted = 0;
  std::from_chars(line.data(), line.data() + line.size(), planted);
  return std::optional(planted);
}

}  // namespace

Result<Verdict> check_leftovers(const CheckInputs& inputs) {
  TRY(file::make_dirs(inputs.folder));
  TRY_ASSIGN(auto planted, plant(inputs));
  if (!planted) return Verdict{Finding::breached, "the real home is there: nothing was planted"};
  TRY_ASSIGN(OwnRun second, OwnRun::start(request_for(inputs, kLook)));
  bool kept = false;
  while (true) {
    TRY_ASSIGN(std::string line, second.read_line(seconds_from_now(kPatience)));
    if (line == kEnd) break;
    kept |= line == kKept;
    auto left = std::find(std::begin(kPlanted), std::end(kPlanted), line);
    if (left != std::end(kPlanted))
      return Verdict{Finding::breached, "~/" + line + " of an earlier run is there"};
  }
  TRY(second.wait(seconds_from_now(kPatience)));
  // The kept file is one of those that were planted.
  if (*planted < 2) return Verdict{Finding::cannot_tell, "nothing could be planted"};
  if (!kept) return Verdict{Finding::breached, "~/.cache does not persist"};
  return Verdict{Finding::held, std::to_string(*planted - 1) + " planted, none left"};
}

}  // namespace ringwall::verify
