// What is planted outside before a sandbox is checked: canaries that must not be reachable from
// inside, and facts to compare with. Everything is taken away again at the end.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "probes/probe.h"
#include "state/places.h"

namespace ringwall::verify {

class Planted {
 public:
  Planted() = default;
  Planted(const Planted&) = delete;
  Planted& operator=(const Planted&) = delete;
  ~Planted();

  // What cannot be made on this host (keys, queues) stays empty; a missing folder is an error.
  Status plant(const state::Caller& caller, const state::Places& places);

  const probes::Outside& facts() const { return facts_; }
  probes::Outside& facts() { return facts_; }

  // A folder of this check's own below /tmp, for workspaces.
  const std::string& room() const { return room_; }
  // Names of private homes that belong to this check begin so.
  const std::string& home_prefix() const { return name_; }

  // Ends the processes that the probes aimed at.
  void dismiss_processes();

 private:
  Status make_room();
  Status plant_file();
  Status plant_sockets();
  void plant_keys();
  void plant_ipc();
  Status start_servers();
  void start_bystander();
  void record_host();
  void remove_records() const;

  probes::Outside facts_;
  std::string name_;  // "verify-PID"
  std::string room_;
  std::string homes_;  // folder of all private homes
  std::vector<Fd> listening_;
  int segment_ = -1;
  pid_t bystander_ = -1;
  pid_t servers_ = -1;
  int64_t started_ = 0;  // seconds since 1970
};

}  // namespace ringwall::verify
