#include "cli/choose_review.h"

#include <cstdlib>

#include "base/text.h"
#include "prepare/grants.h"
#include "sandbox/toolchain.h"
#include "state/places.h"
#include "state/registry.h"

namespace ringwall::cli {
namespace {

Result<state::Places> find_places() {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  return state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
}

}  // namespace

Result<review::Review> choose_review(const std::string& name) {
  TRY_ASSIGN(state::Places places, find_places());
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  // Which may be one by the name of a link.
  return review::choose_review(state::reviews_folder(places), name,
                               sandbox::follow_links(folder).end);
}

Status refuse_going_on(const review::Review& review) {
  TRY_ASSIGN(state::Places places, find_places());
  if (!state::is_run_going_on(places, review.name)) return {};
  std::string name = text::quote(review.name);
  return fail("the run " + name + " is going on", "wait for it, or end it: ringwall stop " + name);
}

}  // namespace ringwall::cli
