#include "prepare/managed_files.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "gate/gate_channel.h"
#include "prepare/prepare.h"
#include "sandbox/id_map.h"
#include "sandbox/managed_settings.h"

namespace ringwall::prepare {
namespace {

// The organisation's own folder on the way to `file`, which is shown in its place; empty: none.
std::string hosts_own(const sandbox::HostFacts& host, const std::string& file) {
  for (std::string at = file; at != "/"; at = path::parent(at)) {
    if (host.place(at).kind != sandbox::HostFacts::Kind::absent) return at;
  }
  return "";
}

void own_by_root(Preparation& run, const sandbox::HostFacts& host,
                 const std::vector<sandbox::MadeFile>& made) {
  auto first = std::ranges::find_if(made, &sandbox::MadeFile::roots_own);
  if (first == made.end()) return;
  if (std::string own = hosts_own(host, first->target); !own.empty()) {
    run.unmanaged = {"this host's own " + text::quote(own) +
                         " is shown in its place, and the agent obeys it only if it is root's, "
                         "which it does not seem to be inside",
                     0,
                     {}};
    return;
  }
  auto id = sandbox::find_id_to_show_as_root(run.plan.identity);
  if (id)
    run.plan.identity.shown_as_root = *id;
  else
    run.unmanaged = id.error();
}

}  // namespace

void plan_managed_files(Preparation& run, const sandbox::HostFacts& host,
                        sandbox::FileGrants& files) {
  for (sandbox::MadeFile& made :
       sandbox::managed_settings(run.request.profiles, run.request.policy, run.gate.hooks))
    files.made.push_back(std::move(made));
  if (run.gate.on) {
    files.gate_socket = gate::kGateSocket;
    files.gate_program = gate::kGateProgram;
    files.made.insert(files.made.end(), run.gate.files.begin(), run.gate.files.end());
  }
  own_by_root(run, host, files.made);
}

}  // namespace ringwall::prepare
