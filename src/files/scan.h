// Looks through a granted tree for what must be guarded: protected paths that exist, hidden files,
// unix sockets, git folders, links (in packages there are too many, and nobody works there), and
// what is mounted in it. Works by descriptor and follows no link;
// an Index makes it cost a stat for each folder that did not change.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/result.h"
#include "files/hidden.h"
#include "files/index.h"
#include "files/protected.h"

namespace ringwall::files {

struct Found {
  enum class Kind { protected_path, hidden, socket, git_folder, mount, leads_away };
  Kind kind;
  std::string path;        // relative to the tree; empty: the tree itself
  bool is_folder = false;  // not for a link to one
  bool is_link = false;    // nothing can be mounted on a link: it leads away
  // More than 1: the file has other names too, by which it can be read and written. For the files
  // in a protected folder this is the one thing that is reported.
  uint32_t links = 1;
  std::string why;

  // Nothing of the kind may be made by the inside.
  bool is_guarded() const { return kind == Kind::protected_path || kind == Kind::git_folder; }

  // Looked at if it was not there at the start.
  bool may_be_planted() const { return is_guarded() || kind == Kind::leads_away; }

  bool operator==(const Found&) const = default;
};

struct ScanResult {
  std::vector<Found> found;  // sorted by path, then by kind
  size_t folders = 0;
  size_t read_again = 0;  // listings of folders that the index did not know
  size_t looked_at = 0;   // files whose content was read
  // ctime of the folder that changed last, in nanoseconds: no name has come or gone since. The end
  // of all time where ctimes do not tell of every change.
  int64_t newest = 0;
};

struct ScanBounds {
  // Folders of longer paths are passed over, with all that lies in them.
  size_t longest_path = std::numeric_limits<size_t>::max();
  // Asked at each folder; false: the scan ends with an error, and the index can be used again.
  std::function<bool()> goes_on = {};
};

// `tree` is a folder, by any kind of descriptor. The index comes out filled, also when it was of
// other rules; its visit_folders() tells every folder of the tree. Folders of other people that are
// closed to us are passed over: the inside has the same id.
Result<ScanResult> scan(int tree, const ProtectedNames& protected_names,
                        const HiddenNames& hidden_names, Index& index,
                        const ScanBounds& bounds = {});

}  // namespace ringwall::files
