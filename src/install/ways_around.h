// Ways by which an installed agent can still be started without walls: found in what lies on this
// machine. Looks, and changes nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "install/agents.h"
#include "install/find_copies.h"
#include "install/scope.h"

namespace ringwall::install {

struct WayAround {
  enum class Kind : uint8_t {
    unwalled,  // a copy at a name that should be walled: an update, a new Node version
    copy,      // one that this installation does not cover
    shadowed,  // another file comes first on PATH
    alias,     // in a file that a shell reads
    path,      // an absolute path in settings of an editor, of CI, of a service
    npx,       // fetched and started anew
    bundled,   // an editor brings it along
    settings,  // the agent's settings do not refuse any more
  };
  Kind kind;
  std::string where;  // a path, with :LINE for a line
  std::string what;   // in words
  std::string mend;   // what to do about it
};
std::string_view name_of(WayAround::Kind kind);

// A line of a text file in which the agent is started by another way.
struct FoundLine {
  WayAround::Kind kind;
  size_t line = 0;
  std::string text = {};  // what was found: a path, the alias
};
// Aliases and functions count only in files that shells read. `programs`: what shims stand for, in
// every way in which it may be written.
std::vector<FoundLine> find_in_text(std::string_view text, const Agent& agent, bool is_shell_file,
                                    const std::vector<std::string>& programs = {});

// What a shell file reads besides, as ". ~/.aliases" says it; by its absolute path.
std::vector<std::string> sourced_files(std::string_view text, const std::string& home);

// `working_folder`: its own settings, scripts and CI files are looked at too.
std::vector<WayAround> find_ways_around(const Scope& scope, const Agent& agent,
                                        const Manifest& manifest,
                                        const std::string& working_folder);

}  // namespace ringwall::install
