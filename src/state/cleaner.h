// The state of a cleaning, for the files that it is written in: clean.cc (registries and single
// files), clean_homes.cc (private homes and their layers) and clean_undo.cc (what is kept of runs).
#pragma once

#include <sys/stat.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "state/clean.h"

namespace ringwall::state {

class Cleaner {
 public:
  Cleaner(const CleanRequest& request, const CleanPlaces& places)
      : request_(request), places_(places) {}
  CleanReport run();

 private:
  // A run that is going on, and the private home that it uses.
  struct Living {
    std::string name;
    std::optional<std::string> home;  // null if it did not answer
  };

  // clean.cc
  void sweep_registry(const std::string& path);
  void sweep_entry(int registry, const std::string& path, const std::string& name);
  void sweep_files(int dir, const std::string& path);
  void sweep_verifications(int state);
  void sweep_rooms();
  void take(Leftover leftover, int dir, const std::string& name);
  void take(Leftover leftover, int dir, const std::string& name,
            const std::function<Status()>& remove);
  void complain(Error error);

  // clean_undo.cc
  void sweep_undo(int state);
  void sweep_unfinished(int undo, const std::string& path);
  void sweep_kept_runs(int undo, const std::string& path);

  // clean_homes.cc
  void sweep_homes(int state);
  void sweep_home(int homes, const std::string& name);
  void sweep_layers(int home, const std::string& path);
  void sweep_layer(int cache, const std::string& path);
  void remove_named_home(int homes, const std::string& name, const std::vector<std::string>& known);
  void remove_home(int homes, Leftover home, int folder);
  // Why a home cannot go, null if nothing holds it.
  std::optional<Error> find_user(const std::string& name, int folder, std::vector<Fd>& locks) const;

  const CleanRequest& request_;
  const CleanPlaces& places_;
  std::vector<Living> living_;
  CleanReport report_;
};

// The folder `name`, if it is one and ours; null else.
Fd open_own_folder(int dir, const std::string& name);

// The number behind `prefix` in a name that a process chose; null if there is none.
std::optional<pid_t> maker_of(std::string_view name, std::string_view prefix);
bool is_older_than(const struct stat& facts, int64_t seconds);

}  // namespace ringwall::state
