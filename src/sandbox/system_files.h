// What of the host's system every sandbox sees: a list of places, each with its reason. /etc is a
// list of files, not the folder: it also holds passwords, keys and the names of everything that is
// installed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limits/limits.h"
#include "sandbox/host_facts.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

struct SystemPlace {
  std::string_view path;
  std::string_view reason;
  bool copied = false;  // a small file: copying it costs a third of a mount
};

std::span<const SystemPlace> system_places();

// What plan_system_files needs to know of the host.
HostQuestions system_questions();

// /usr and its links, /opt, the list of /etc, /proc, /dev, /tmp and the empty folders.
std::vector<Mount> plan_system_files(const HostFacts& host, const Identity& identity,
                                     const std::string& home, const std::string& shell,
                                     const limits::FolderInMemory& in_memory, bool has_resolver);

}  // namespace ringwall::sandbox
