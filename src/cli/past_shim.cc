#include "cli/past_shim.h"

#include "install/find_copies.h"
#include "prepare/grants.h"
#include "prepare/profile_choice.h"
#include "sandbox/toolchain.h"

namespace ringwall::cli {
namespace {

// Of one that is first on PATH: what the next shim behind it stands for, or the next program.
std::string next_on_path(const std::string& agent) {
  for (const install::Copy& copy :
       install::find_copies({.command = agent, .search_path = prepare::callers_search_path()})) {
    if (copy.shim && copy.shim->real.empty()) continue;
    return copy.shim ? copy.shim->real : copy.path;
  }
  return "";
}

}  // namespace

std::optional<std::vector<std::string>> past_shim(const std::vector<std::string>& arguments,
                                                  const std::vector<std::string>& command) {
  auto folder = prepare::read_working_folder();
  if (!folder || command.empty()) return std::nullopt;
  std::string found = sandbox::locate_program(command[0], prepare::callers_search_path(), *folder);
  auto shim = found.empty() ? std::nullopt : install::shim_at(found);
  if (!shim) return std::nullopt;
  bool is_recorded = !shim->real.empty();
  std::string real = is_recorded ? shim->real : next_on_path(shim->agent);
  if (real.empty() || install::shim_at(real)) return std::nullopt;
  std::vector<std::string> out(arguments.begin(),
                               arguments.end() - static_cast<ptrdiff_t>(command.size()));
  if (!out.empty() && out.back() == "--") out.pop_back();
  if (is_recorded) out.insert(out.end(), {"--profile", shim->agent});
  out.insert(out.end(), {"--", real});
  out.insert(out.end(), command.begin() + 1, command.end());
  return out;
}

}  // namespace ringwall::cli
