// The list of what lay in a run's trees at its start, kept on disk for as long as nobody has looked
// at what the run left behind. One that outlives its run tells the next start of a run that was
// killed: whatever is protected and not on it may have been planted.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::broker {

struct GuardList {
  std::string run;
  std::vector<std::string> trees;                 // granted for writing, absolute
  std::set<std::string> kept;                     // protected at the start, absolute
  std::map<std::string, std::string> links = {};  // at the start, and where they led
  bool knows_links = true;                        // false: of a version that did not note them
};

// `name` is that of its file.
std::string encode_guard_list(const GuardList& list, std::string_view name);
// Paths of any bytes but NUL. Nothing in it: it was not written to its end, or is that of another
// file.
Result<GuardList> decode_guard_list(std::string_view bytes, std::string_view name);

class UnsweptList {
 public:
  UnsweptList() = default;
  static Result<UnsweptList> write(int folder, const GuardList& list);

  void remove();  // everything was looked at; the file waits for the next run

 private:
  Fd folder_;
  Fd lock_;  // the file itself: as long as it is locked, its run goes on
  std::string name_;
};

// Every list that nobody holds a lock on and whose run does not go on, as far as `goes_on` knows:
// another start may look into another registry, and some filesystems know no locks. One that
// `sweep` has dealt with is removed; its first error is returned, and that list stays.
Status for_each_unswept(const std::string& folder,
                        const std::function<bool(const std::string& run)>& goes_on,
                        const std::function<Status(const GuardList&)>& sweep);

}  // namespace ringwall::broker
