#include "cli/review_names.h"

#include <algorithm>

#include "base/text.h"
#include "prepare/policy_layers.h"

namespace ringwall::cli {
namespace {

std::vector<std::string> values_of(const std::vector<policy::Text>& texts) {
  std::vector<std::string> values;
  for (const policy::Text& text : texts)
    values.push_back(text.value);
  return values;
}

std::vector<std::string> both(std::vector<std::string> now, const std::vector<std::string>& then) {
  for (const std::string& pattern : then) {
    if (std::ranges::find(now, pattern) == now.end()) now.push_back(pattern);
  }
  return now;
}

}  // namespace

Result<files::ProtectedNames> protected_names_of(const review::Review& review) {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  prepare::LayerRequest request{
      .caller = caller, .places = places, .working_folder = review.workspace};
  if (!review.command.empty()) request.program = review.command.front();
  TRY_ASSIGN(prepare::PolicyLayers layers, prepare::load_layers(request));
  if (!layers.policy) {
    std::string first = layers.diagnostics.empty() ? "" : ": " + layers.diagnostics.front().what;
    return fail("the policy of " + text::quote(review.workspace) + " has mistakes" + first,
                "see: ringwall policy check");
  }
  const policy::Policy::Files& files = layers.policy->files;
  return files::ProtectedNames::compile(both(values_of(files.protect), review.protect),
                                        both(values_of(files.unprotect), review.unprotect));
}

}  // namespace ringwall::cli
