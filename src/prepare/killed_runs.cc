#include "prepare/killed_runs.h"

#include <fcntl.h>

#include "base/file.h"
#include "broker/unswept.h"
#include "git/config_update.h"
#include "prepare/guarded_files.h"
#include "prepare/prepare.h"
#include "state/places.h"
#include "state/registry.h"

namespace ringwall::prepare {
namespace {

bool goes_on(const Preparation& run, std::string_view name) {
  return state::is_run_going_on(run.places, std::string(name));
}

}  // namespace

Status mend_configs(Preparation& run) {
  if (!run.request.register_it) return {};
  auto journals =
      file::open(state::journals_folder(run.places), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!journals) return {};  // there never was one
  return git::mend_from_journals(journals->get(),
                                 [&](std::string_view name) { return goes_on(run, name); });
}

Status sweep_leftovers(Preparation& run) {
  if (!run.request.register_it) return {};
  return broker::for_each_unswept(
      state::unswept_folder(run.places),
      [&](const std::string& name) { return goes_on(run, name); },
      [&](const broker::GuardList& list) -> Status {
        TRY_ASSIGN(auto left,
                   sweep_after_killed_run(list, run.request.policy, run.places, run.caller));
        run.swept.insert(run.swept.end(), left.swept.begin(), left.swept.end());
        run.left_remotes.insert(run.left_remotes.end(), left.remotes.begin(), left.remotes.end());
        return {};
      });
}

}  // namespace ringwall::prepare
