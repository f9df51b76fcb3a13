// ringwall policy: the merged policy with each value's origin, mistakes in policy files, and the
// schema for editors.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/load_policy.h"
#include "cli/output.h"
#include "cli/policy_show.h"
#include "policy/policy_file.h"
#include "policy/reference.h"
#include "prepare/grants.h"
#include "sandbox/toolchain.h"
#include "state/trust.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  ringwall policy show                  what holds here, and who said so
  ringwall policy show --cache npm      with flags of run
  ringwall policy show -- claude        with the profile of a program
  ringwall policy check .ringwall.toml  what a run would refuse; exit status 1 if there is something
  ringwall policy check - < draft.toml
  ringwall policy schema > policy.schema.json)";

struct PolicyOptions {
  std::string action;
  std::vector<std::string> files;
  std::string layer;
  std::string policy_file;
  std::vector<std::string> command;
  bool json = false;
};

int refuse(const Error& error, bool json) {
  tell(events::Refused{"", error.text(), error.hint}, json);
  return kUsageStatus;
}

constexpr policy::Layer kLayersOfFiles[] = {policy::Layer::organisation, policy::Layer::profile,
                                            policy::Layer::person, policy::Layer::workspace};

// By where it lies, unless it was said.
Result<policy::Layer> layer_of(const std::string& file, const std::string& said) {
  std::vector<std::string> known;
  for (policy::Layer layer : kLayersOfFiles) {
    if (said == policy::name_of(layer)) return layer;
    known.emplace_back(policy::name_of(layer));
  }
  if (!said.empty())
    return fail("no layer is called " + text::quote(said), "known are: " + text::join(known, ", "));
  if (path::basename(file) == policy::kWorkspaceFile) return policy::Layer::workspace;
  bool etc = path::is_beneath(file, prepare::kOrganisationFolder);
  return etc ? policy::Layer::organisation : policy::Layer::person;
}

// Only looked at, not obeyed: whose it is does not matter.
Result<std::string> read_draft(const std::string& file) {
  if (file == "-") return file::read_all(STDIN_FILENO, policy::kLargestPolicyFile);
  return file::read(file, policy::kLargestPolicyFile);
}

// Whether a run would take what it widens: a person has agreed to exactly this.
Result<bool> is_trusted(const std::string& file, std::string_view text) {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  std::string folder = sandbox::follow_links(path::parent(file)).end;
  return state::is_trusted(places, path::join(folder, path::basename(file)), text);
}

// Alone, against the defaults: what is wrong with it, and what a person would have to trust.
Result<CheckedFile> check_file(const std::string& typed, const std::string& folder,
                               const std::string& said_layer) {
  const char* home = getenv("HOME");
  TRY_ASSIGN(std::string text, read_draft(typed));
  std::string path = path::absolute(typed, folder);
  TRY_ASSIGN(policy::Layer layer, layer_of(path, said_layer));
  policy::LoadedText loaded =
      policy::load_text(text, layer, typed == "-" ? "stdin" : typed, home == nullptr ? "" : home);
  if (loaded.text.only_narrows && typed != "-") {
    TRY_ASSIGN(bool trusted, is_trusted(path, text));
    loaded.text.only_narrows = !trusted;
  }
  CheckedFile file{typed, text, loaded.diagnostics, {}};
  policy::Merged merged = policy::merge({&loaded.text, 1});
  for (policy::Refusal& refusal : merged.refusals) {
    bool wider = refusal.why == policy::Refusal::Why::widens;
    (wider ? file.needs_trust : file.mistakes).push_back(std::move(refusal.diagnostic));
  }
  return file;
}

int check(const PolicyOptions& options) {
  if (options.files.empty())
    return refuse({"which file?", 0, "try: ringwall policy check FILE"}, options.json);
  auto folder = prepare::read_working_folder();
  if (!folder) return refuse(folder.error(), options.json);
  std::vector<CheckedFile> checked;
  for (const std::string& typed : options.files) {
    auto file = check_file(typed, *folder, options.layer);
    if (!file) return refuse(file.error(), options.json);
    checked.push_back(std::move(*file));
  }
  return print_checked(checked, options.json) ? 0 : 1;
}

int show(const PolicyOptions& options, const PolicyFlags& flags) {
  prepare::RunRequest request;
  request.command = options.command;
  prepare::PolicyLayers layers;
  Status loaded = load_policy(options.policy_file, flags, options.json, request, &layers);
  if (!loaded) return refuse(loaded.error(), options.json);
  print_policy(request.policy, layers.texts, options.json);
  // Beside what is printed, which stays a list of values.
  for (const policy::Refusal& refusal : layers.left_out)
    tell(events::Withheld{refusal.diagnostic.place + ": left out: " + refusal.diagnostic.what, ""},
         options.json);
  return 0;
}

}  // namespace

int cmd_policy(const Invocation& invocation) {
  CommandLine line("Shows and checks policies.", "policy",
                   "ringwall policy show | check FILE… | schema");
  line.footer(kExamples);
  PolicyOptions options;
  line.add_option("ACTION", options.action, "show, check or schema");
  line.add_option("FILE", options.files, "policies to check; -: standard input");
  line.add_option("--layer", options.layer,
                  "check as: organisation, profile, person or workspace; default: by its place")
      .type_name("LAYER");
  line.add_option("--policy", options.policy_file, "a policy file, as for run").type_name("FILE");
  line.add_flag("--json", options.json, "as JSON");
  PolicyFlags flags = PolicyFlags::of_run(line);
  auto end = std::find(invocation.arguments.begin(), invocation.arguments.end(), "--");
  std::vector<std::string> own(invocation.arguments.begin(), end);
  if (end != invocation.arguments.end())
    options.command.assign(end + 1, invocation.arguments.end());
  if (auto status = line.parse(own)) return *status;
  if (options.action == "schema") {
    fputs(policy::json_schema().c_str(), stdout);
    return 0;
  }
  if (options.action == "check") return check(options);
  if (options.action == "show" && options.files.empty()) return show(options, flags);
  return refuse({"policy what?", 0, "known are: show, check FILE, schema"}, options.json);
}

}  // namespace ringwall::cli
