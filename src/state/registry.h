// The runs that are going on: one folder each, locked by its supervisor, holding the control socket
// and what the run may change (state/tree_work.h). A folder whose lock is free is a leftover of a
// run that was killed; whoever comes next removes it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "state/places.h"

namespace ringwall::state {

class Registration {
 public:
  Registration() = default;
  Registration(Registration&&) = default;
  Registration& operator=(Registration&& other) noexcept;
  ~Registration();

  const std::string& name() const { return name_; }
  int folder() const { return folder_.get(); }
  // The run goes on in another process, which holds the entry from here on.
  void hand_over();

 private:
  friend Result<Registration> register_run(const std::string&, const std::string&,
                                           const std::string&,
                                           const std::function<bool(const std::string&)>&);
  void remove();

  std::string name_;
  std::string runs_path_;
  Fd runs_;
  Fd folder_;
};

Error name_is_taken(const std::string& name);

// Where runs of this person are registered: first where a start from here would be, then where
// others were that had another XDG_RUNTIME_DIR, or none. They are noted in the state folder.
std::vector<std::string> find_registries(const Places& places);
Status note_registry(const Places& places);

// Takes `wanted` as the run's name, or makes one of `workspace`'s name and a number that is not
// `reserved`.
Result<Registration> register_run(
    const std::string& runs, const std::string& wanted, const std::string& workspace,
    const std::function<bool(const std::string&)>& reserved = nullptr);

// Names of the runs that are going on; leftovers are removed on the way.
Result<std::vector<std::string>> list_runs(const std::string& runs);

// Looks at this one alone: a host with many runs asks it for each of them.
bool is_run_going_on(const std::string& runs, const std::string& name);

// The folder of a run that is going on.
Result<Fd> open_run(const std::string& runs, const std::string& name);

// The same in all registries.
Result<std::vector<std::string>> list_runs(const Places& places);
bool is_run_going_on(const Places& places, const std::string& name);
Result<Fd> open_run(const Places& places, const std::string& name);

}  // namespace ringwall::state
