#include "cli/review_names.h"

#include "base/text.h"
#include "session/policy_layers.h"

namespace ringwall::cli {
namespace {

std::vector<std::string> values_of(const std::vector<policy::Text>& texts) {
  std::vector<std::string> values;
  for (const policy::Text& text : texts)
    values.push_back(text.value);
  return values;
}

}  // namespace

Result<files::ProtectedNames> protected_names_of(const review::Review& review) {
  TRY_ASSIGN(session::Caller caller, session::read_caller());
  session::Places places = session::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  session::LayerRequest request{
      .caller = caller, .places = places, .working_folder = review.workspace};
  if (!review.command.empty()) request.program = review.command.front();
  TRY_ASSIGN(session::PolicyLayers layers, session::load_layers(request));
  if (!layers.policy) {
    std::string first = layers.diagnostics.empty() ? "" : ": " + layers.diagnostics.front().what;
    return fail("the policy of " + text::quote(review.workspace) + " has mistakes" + first,
                "see: ringwall policy check");
  }
  return files::ProtectedNames::compile(values_of(layers.policy->files.protect),
                                        values_of(layers.policy->files.unprotect));
}

}  // namespace ringwall::cli
