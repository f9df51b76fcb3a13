// What an installation has changed, with all that was there before: written before anything is
// changed, so that what a power cut interrupts can be undone too.
#pragma once

#include <string>
#include <vector>

#include "install/file_state.h"
#include "install/settings_edit.h"

namespace ringwall::install {

struct Change {
  enum class Kind : uint8_t {
    shim,      // at a program's name
    settings,  // keys in a JSON file
    lines,     // marked ones in a text file
  };
  Kind kind = Kind::shim;
  std::string agent = {};  // empty: of all
  std::string path = {};
  FileState before = {};
  FileState after = {};
  std::string moved_to = {};  // where the program itself lies now; empty: it did not have to move
  bool diverted = false;      // by dpkg-divert, since a package owns it
  std::vector<SettingsEdit> edits = {};
  std::vector<std::string> folders = {};  // made for it, outermost first
};

struct Manifest {
  std::string program;  // ringwall, as shims and hooks start it
  std::vector<Change> changes;

  const Change* find(const std::string& path) const;
  bool is_installed(std::string_view agent) const;
  std::vector<std::string> agents() const;
};

std::string manifest_text(const Manifest& manifest);
Result<Manifest> parse_manifest(std::string_view text);

}  // namespace ringwall::install
