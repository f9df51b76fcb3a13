#include "cli/load_policy.h"

#include "base/path.h"
#include "cli/output.h"
#include "prepare/grants.h"

namespace ringwall::cli {

namespace {

Result<prepare::PolicyLayers> read_layers(const std::string& policy_file, const PolicyFlags& flags,
                                          prepare::RunRequest& run) {
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  TRY_ASSIGN(run.caller, state::read_caller());
  run.places = state::find_places(run.caller, getenv("XDG_RUNTIME_DIR"));
  prepare::LayerRequest request{
      .caller = run.caller, .places = run.places, .working_folder = folder};
  if (!policy_file.empty()) request.policy_file = path::absolute(policy_file, folder);
  if (!run.command.empty()) request.program = run.command[0];
  TRY_ASSIGN(request.flags, flags.settings(folder, run.caller.home));
  return prepare::load_layers(request);
}

}  // namespace

Status load_policy(const std::string& policy_file, const PolicyFlags& flags, bool json,
                   prepare::RunRequest& request, prepare::PolicyLayers* layers_read) {
  TRY_ASSIGN(prepare::PolicyLayers layers, read_layers(policy_file, flags, request));
  const auto& mistakes = layers.diagnostics;
  if (mistakes.size() == 1)
    return fail(mistakes[0].place + ": " + mistakes[0].what, mistakes[0].hint);
  for (const policy::Diagnostic& d : mistakes)
    tell(events::Refused{"", d.place + ": " + d.what, d.hint}, json);
  if (!mistakes.empty())
    return fail("the policy has " + std::to_string(mistakes.size()) + " mistakes");
  request.policy = std::move(*layers.policy);
  request.policy_files = std::move(layers.files);
  for (const policy::PolicyText& text : layers.texts) {
    for (const policy::Lock& lock : text.locks) {
      if (lock.field->key == "network.allow") request.network_lock = lock.origin.text();
    }
  }
  request.profiles.clear();
  for (const policy::Profile* profile : layers.profiles)
    request.profiles.emplace_back(profile->name);
  if (layers_read != nullptr) *layers_read = std::move(layers);
  return {};
}

}  // namespace ringwall::cli
