// ringwall trust: lets the file of a workspace give a run more, by its exact content; and the
// toolchains that a workspace is made for.
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdio>
#include <set>

#include "base/path.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/load_policy.h"
#include "cli/output.h"
#include "cli/toolchain_question.h"
#include "policy/policy_file.h"
#include "prepare/grants.h"
#include "sandbox/toolchain.h"
#include "state/trust.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  ringwall trust .ringwall.toml    show what it would widen, and ask
  ringwall trust --workspace .     network and caches of the toolchains it is made for
  ringwall trust --list
  ringwall trust --revoke .ringwall.toml
  ringwall trust --revoke .        of the file, and of the toolchains

Any change of the file ends the trust. Locks of the organisation hold all the same.)";

struct TrustOptions {
  std::string file;
  std::string workspace;
  std::string revoke;
  bool list = false;
  bool yes = false;
  bool json = false;
};

// No wall depends on this: inside, the real folder of trust is not there.
Status refuse_inside() {
  if (getenv("RINGWALL_RUN") == nullptr) return {};
  return fail("trust is given by a person, outside of every run", "ask the person who started it");
}

// Only the name decides which file a run will read: it is the workspace's top.
Result<std::string> workspace_of(const std::string& typed) {
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  std::string file = path::absolute(typed, folder);
  struct stat facts;
  if (stat(file.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode)) return file;
  if (path::basename(file) != policy::kWorkspaceFile) {
    return fail(
        text::quote(typed) + " is not the file of a workspace",
        std::string("name a ") + policy::kWorkspaceFile + "; your own policies need no trust");
  }
  return path::parent(file);
}

Status check_owner(const prepare::WorkspaceFile& found, uid_t caller) {
  if (found.owner == caller) return {};
  return fail(text::quote(found.file) + " belongs to another user, who can change it at any time",
              "copy the repository to a folder of your own");
}

// What of the file a run would refuse, were it not trusted.
Result<std::vector<policy::Refusal>> find_widenings(prepare::WorkspaceFile& found,
                                                    prepare::LayerRequest& request) {
  TRY_ASSIGN(prepare::PolicyLayers layers, prepare::load_own_layers(request));
  if (!layers.policy) {
    return fail(layers.diagnostics[0].place + ": " + layers.diagnostics[0].what,
                layers.diagnostics[0].hint);
  }
  found.loaded.text.only_narrows = true;
  layers.texts.push_back(found.loaded.text);
  return policy::merge(layers.texts).refusals;
}

void print_widening(const policy::Refusal& refusal) {
  const policy::Setting& setting = refusal.setting;
  printf("  %s: %s %s\n", setting.origin.text().c_str(), std::string(setting.field->key).c_str(),
         policy::show_value(*setting.field, setting.value).c_str());
}

Result<bool> ask(bool yes) {
  if (yes) return true;
  if (isatty(STDIN_FILENO) == 0)
    return fail("there is no terminal to ask on", "if you mean it: ringwall trust --yes FILE");
  printf("Trust this exact content? [y/N] ");
  fflush(stdout);
  char answer[16] = {};
  if (fgets(answer, sizeof answer, stdin) == nullptr) return false;
  return answer[0] == 'y' || answer[0] == 'Y';
}

Result<int> trust_file(const TrustOptions& options, const state::Caller& caller,
                       const state::Places& places) {
  TRY_ASSIGN(std::string workspace, workspace_of(options.file));
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  prepare::LayerRequest request{.caller = caller, .places = places, .working_folder = folder};
  TRY_ASSIGN(auto found, prepare::read_workspace_file(workspace, request));
  if (!found)
    return fail("there is no " + text::quote(path::join(workspace, policy::kWorkspaceFile)));
  TRY(check_owner(*found, caller.uid));
  if (!found->loaded.diagnostics.empty()) {
    const policy::Diagnostic& first = found->loaded.diagnostics[0];
    return fail(first.place + ": " + first.what,
                "see every mistake: ringwall policy check " + text::quote(found->file));
  }
  TRY_ASSIGN(auto widenings, find_widenings(*found, request));
  for (const policy::Refusal& refusal : widenings) {
    if (refusal.why != policy::Refusal::Why::widens)
      return fail(refusal.diagnostic.place + ": " + refusal.diagnostic.what,
                  refusal.diagnostic.hint);
  }
  if (widenings.empty()) {
    printf("%s only narrows; it needs no trust.\n", text::quote(found->file).c_str());
    return 0;
  }
  printf("%s would give every run in this workspace:\n", text::quote(found->file).c_str());
  for (const policy::Refusal& refusal : widenings)
    print_widening(refusal);
  TRY_ASSIGN(bool agreed, ask(options.yes));
  if (!agreed) {
    printf("Nothing is trusted.\n");
    return 1;
  }
  TRY(state::trust(places, found->file, found->content));
  printf("Trusted, as long as it stays as it is. Take it back: ringwall trust --revoke %s\n",
         text::quote(found->file).c_str());
  return 0;
}

Result<int> list(const state::Places& places, bool json) {
  TRY_ASSIGN(auto trusted, state::list_trusted(places));
  TRY_ASSIGN(auto agreements, state::list_agreements(places));
  boost::json::array rows;
  for (const state::TrustedFile& row : trusted) {
    if (json) {
      rows.push_back({{"file", row.file}, {"sha256", row.digest}, {"since", row.since}});
    } else {
      printf("%s  %.12s…\n", text::quote(row.file).c_str(), row.digest.c_str());
    }
  }
  for (const state::Agreement& row : agreements) {
    boost::json::object said;
    for (const auto& [profile, one] : row.said) {
      if (one.answer == state::Said::Answer::hinted) continue;
      said[profile] = state::name_of(one.answer);
      if (!json)
        printf("%s  %s: %s\n", text::quote(row.workspace).c_str(), text::quote(profile).c_str(),
               std::string(state::name_of(one.answer)).c_str());
    }
    rows.push_back({{"workspace", row.workspace}, {"toolchains", said}, {"since", row.since}});
  }
  if (json) printf("%s\n", text::harmless_json(boost::json::serialize(rows)).c_str());
  return 0;
}

// Named by its file: of the file alone.
Status revoke_workspace(const std::string& workspace, bool only_file, const state::Places& places) {
  std::string file = path::join(workspace, policy::kWorkspaceFile);
  TRY_ASSIGN(bool trusted, state::revoke_trust(places, file));
  bool agreed = false;
  if (!only_file) {
    TRY_ASSIGN(agreed, state::revoke_agreement(places, workspace));
  }
  if (!trusted && !agreed)
    return fail(text::quote(only_file ? file : workspace) + " is not trusted",
                "see: ringwall trust --list");
  if (trusted) printf("%s is no longer trusted.\n", text::quote(file).c_str());
  if (agreed)
    printf("What was said to the toolchains of %s is forgotten.\n", text::quote(workspace).c_str());
  return {};
}

Result<int> revoke(const std::string& typed, const state::Places& places) {
  std::set<std::string> workspaces;
  if (typed == "all") {
    TRY_ASSIGN(auto trusted, state::list_trusted(places));
    for (const state::TrustedFile& row : trusted)
      workspaces.insert(path::parent(row.file));
    TRY_ASSIGN(auto agreements, state::list_agreements(places));
    for (const state::Agreement& row : agreements)
      workspaces.insert(row.workspace);
  } else {
    TRY_ASSIGN(std::string workspace, workspace_of(typed));
    workspaces.insert(sandbox::follow_links(workspace).end);
  }
  for (const std::string& workspace : workspaces)
    TRY(revoke_workspace(workspace, path::basename(typed) == policy::kWorkspaceFile, places));
  return 0;
}

Result<int> act(const TrustOptions& options) {
  TRY(refuse_inside());
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  if (options.list) return list(places, options.json);
  if (!options.revoke.empty()) return revoke(options.revoke, places);
  if (!options.workspace.empty())
    return agree_to_workspace(options.workspace, options.yes, caller, places);
  if (options.file.empty())
    return fail("which file?", "try: ringwall trust .ringwall.toml, or: ringwall trust --help");
  return trust_file(options, caller, places);
}

}  // namespace

int cmd_trust(const Invocation& invocation) {
  CommandLine line(
      "Lets the .ringwall.toml of a workspace give runs more than your own policy does.", "trust",
      "ringwall trust FILE | --workspace DIR | --list [--json] | --revoke FILE|DIR|all");
  line.footer(kExamples);
  TrustOptions options;
  line.add_option("FILE", options.file, "a .ringwall.toml, or the folder that holds it");
  line.add_option("--workspace", options.workspace,
                  "agree to what the toolchains of this folder bring")
      .type_name("DIR");
  line.add_flag("--yes", options.yes, "do not ask");
  line.add_flag("--list", options.list, "what is trusted");
  line.add_option("--revoke", options.revoke,
                  "take it back, of the file and of toolchains; all: of each")
      .type_name("FILE|DIR");
  line.add_flag("--json", options.json, "with --list: as JSON");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto status = act(options);
  if (status) return *status;
  complain(status.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
