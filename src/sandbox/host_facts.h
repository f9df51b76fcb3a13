// What this host offers, read once and handed to the planners as a value. Tests write it by hand.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ringwall::sandbox {

struct HostFacts {
  int landlock_abi = 0;
  uint64_t memory_bytes = 0;
  // Of the paths that the plan asks for: what is there.
  enum class Kind { absent, file, folder, symlink };
  struct Place {
    Kind kind = Kind::absent;
    std::string link;     // a symlink's text
    std::string content;  // of files whose content was asked for
  };
  std::map<std::string, Place> places;

  Place place(const std::string& path) const {
    auto found = places.find(path);
    return found == places.end() ? Place{} : found->second;
  }
};

struct HostQuestions {
  std::vector<std::string> kinds;     // what is at these paths?
  std::vector<std::string> contents;  // what do these small files hold?
};

HostFacts read_host_facts(const HostQuestions& questions);

}  // namespace ringwall::sandbox
