// Settings in /etc that `ringwall install --system` has made, for agents outside of runs. Inside
// they would stand in the way of the run's own; what an organisation has there stays.
#pragma once

#include <string>
#include <string_view>

#include "sandbox/host_facts.h"

namespace ringwall::prepare {

// A line each: the digest of a file that holds nothing but what Ringwall put there, and its path.
inline constexpr const char* kInstalledSettings = "/var/lib/ringwall/install/own-settings";

// Folders of /etc that hold such a file, unchanged, and nothing else are taken for absent. `root`
// is put before every path that is looked at.
void leave_out_installed(sandbox::HostFacts& host, std::string_view listed,
                         const std::string& root = "");
// The same by this host's list; mostly there is none.
void leave_out_installed(sandbox::HostFacts& host);

}  // namespace ringwall::prepare
