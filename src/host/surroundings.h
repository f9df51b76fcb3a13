// Where this process runs: kernel switches, containers, chroots and other sandboxes around it. Read
// once and handed on as a value, so that the words about it can be tested without such a host.
#pragma once

#include <map>
#include <string>

namespace ringwall::host {

struct Surroundings {
  bool caller_is_root = false;
  bool ids_are_mapped = false;   // in a user namespace that does not map every id
  bool lacks_admin = false;      // no CAP_SYS_ADMIN, as root of a container
  bool in_chroot = false;        // the kernel makes no user namespace there
  bool inside_ringwall = false;  // pid 1 is Ringwall's
  bool filtered = false;         // a system-call filter is on this process already
  bool proc_mounted = true;
  std::string masked_proc;                      // first mount below /proc; empty: none
  std::string hidepid;                          // option of the /proc mount; empty: off
  std::string container;                        // "docker", "podman" … ; empty: none seen
  std::string apparmor_profile;                 // empty: unconfined, or no AppArmor
  std::string kernel;                           // release
  std::map<std::string, std::string> switches;  // sysctl name and value; absent ones are not there

  std::string value_of(const std::string& name) const {
    auto found = switches.find(name);
    return found == switches.end() ? "" : found->second;
  }
};

Surroundings read_surroundings();

}  // namespace ringwall::host
