#include "cli/choose_review.h"

#include <cstdlib>

#include "base/text.h"
#include "session/grants.h"
#include "session/places.h"
#include "session/registry.h"

namespace ringwall::cli {
namespace {

Result<session::Places> find_places() {
  TRY_ASSIGN(session::Caller caller, session::read_caller());
  return session::find_places(caller, getenv("XDG_RUNTIME_DIR"));
}

}  // namespace

Result<review::Review> choose_review(const std::string& name) {
  TRY_ASSIGN(session::Places places, find_places());
  TRY_ASSIGN(std::string folder, session::read_working_folder());
  return review::choose_review(session::reviews_folder(places), name, folder);
}

Status refuse_going_on(const review::Review& review) {
  TRY_ASSIGN(session::Places places, find_places());
  if (!session::open_run(places.runs, review.name)) return {};
  std::string name = text::quote(review.name);
  return fail("the run " + name + " is going on", "wait for it, or end it: ringwall stop " + name);
}

}  // namespace ringwall::cli
