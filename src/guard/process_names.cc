#include "guard/process_names.h"

#include <cstdlib>

#include "base/file.h"
#include "base/text.h"

namespace ringwall::guard {
namespace {

std::string comm_of(pid_t pid) {
  auto name = file::read("/proc/" + std::to_string(pid) + "/comm");
  return name ? std::string(text::trim(*name)) : "";
}

}  // namespace

ProcessNames names_of(pid_t pid) {
  ProcessNames names{comm_of(pid), {}};
  auto status = file::read("/proc/" + std::to_string(pid) + "/status");
  if (!status) return names;
  for (std::string_view line : text::split_in_place(*status, '\n')) {
    if (!line.starts_with("PPid:\t")) continue;
    names.parent = comm_of(atoi(std::string(line.substr(6)).c_str()));
  }
  return names;
}

}  // namespace ringwall::guard
