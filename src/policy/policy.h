// What is wanted: one immutable value, made by the loader from defaults, a file and the command
// line. Every value remembers where it came from, for --explain and for messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringwall::policy {

struct Text {
  std::string value;
  std::string origin = "default";
};

struct Switch {
  bool on = false;
  std::string origin = "default";
};

// A count, or a quantity in the smallest unit of its kind: bytes, milliseconds, thousandths of a
// processor.
struct Number {
  std::optional<uint64_t> value = std::nullopt;  // not there: the host decides
  std::string origin = "default";
};
inline constexpr uint64_t kNoLimit = UINT64_MAX;  // what "none" means

struct Policy {
  struct Run {
    Text name;
  } run;

  struct Files {
    Text workspace;
    std::vector<Text> read;
    std::vector<Text> write;
    std::vector<Text> protect;
    std::vector<Text> unprotect;
    std::vector<Text> hide;
    std::vector<Text> show;
  } files;

  struct Home {
    Text name;
    Switch fresh;
    std::vector<Text> keep;
    std::vector<Text> caches;
  } home;

  struct Environment {
    std::vector<Text> pass;
    std::vector<Text> set;
  } environment;

  struct Git {
    Switch hooks;
  } git;

  struct Terminal {
    Switch clipboard;
    Text detach_keys;
  } terminal;

  // Far above what builds, package managers and browsers need, far below what a host can bear.
  struct Limits {
    Number processes{4096};
    Number open_files{65536};
    Number file_size{kNoLimit};
    Number tmp_size;
    Number tmp_files;
    Number home_size;
    Number workspace_size;
    Number time{kNoLimit};
    Number cpu{kNoLimit};
    Number memory;
    Number recording{1ull << 30};
    Number io{kNoLimit};
  } limits;
};

}  // namespace ringwall::policy
