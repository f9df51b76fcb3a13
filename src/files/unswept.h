// The list of what lay in a run's trees at its start, kept on disk for as long as nobody has looked
// at what the run left behind. One that outlives its run tells the next start of a run that was
// killed: whatever is protected and not on it may have been planted.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::files {

struct GuardList {
  std::string run;
  std::vector<std::string> trees;  // granted for writing, absolute
  std::set<std::string> kept;      // protected at the start, absolute
};

std::string encode_guard_list(const GuardList& list);
// Paths of any bytes but NUL.
Result<GuardList> decode_guard_list(std::string_view bytes);

class UnsweptList {
 public:
  UnsweptList() = default;
  static Result<UnsweptList> write(int folder, const GuardList& list);

  void remove();  // everything was looked at

 private:
  Fd folder_;
  std::string name_;
};

// Every list whose run does not go on. One that `sweep` has dealt with is removed; its first error
// is returned, and that list stays.
Status for_each_unswept(const std::string& folder,
                        const std::function<bool(const std::string& run)>& goes_on,
                        const std::function<Status(const GuardList&)>& sweep);

}  // namespace ringwall::files
