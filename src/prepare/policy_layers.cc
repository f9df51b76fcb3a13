#include "prepare/policy_layers.h"

#include <fcntl.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/policy_file.h"
#include "prepare/grants.h"
#include "prepare/profile_choice.h"
#include "sandbox/toolchain.h"
#include "state/trust.h"

namespace ringwall::prepare {
namespace {

using policy::Layer;
using policy::PolicyText;

class Collector {
 public:
  explicit Collector(const LayerRequest& request) : request_(request) {}

  // Nothing, if there is no such file.
  Status add_file(Layer layer, const std::string& file, bool must_be_there = false) {
    TRY_ASSIGN(auto text, policy::read_policy_file(file, writer_of(layer)));
    if (!text && must_be_there) {
      errno = ENOENT;
      return fail_errno("cannot open " + text::quote(file));
    }
    if (!text) return {};
    out.files.push_back(file);
    add(policy::load_text(*text, layer, file, request_.caller.home));
    return {};
  }

  // /etc/ringwall/policy.toml, then policy.d/*.toml in the order of their names.
  Status add_organisation() {
    const std::string& folder = request_.organisation;
    Fd there(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!there && errno == ENOENT) return {};
    if (!there) return fail_errno("cannot open " + text::quote(folder));
    TRY(policy::check_policy_folder(there.get(), folder, writer_of(Layer::organisation)));
    TRY(add_file(Layer::organisation, path::join(folder, "policy.toml")));
    std::string more = path::join(folder, "policy.d");
    auto parts = file::open(more, O_RDONLY | O_DIRECTORY);
    if (!parts && parts.error().err == ENOENT) return {};
    if (!parts) return std::unexpected(parts.error());
    TRY_ASSIGN(auto entries, file::list(parts->get()));
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    for (const file::Entry& entry : entries) {
      if (entry.name.ends_with(".toml") && !entry.name.starts_with('.'))
        TRY(add_file(Layer::organisation, path::join(more, entry.name)));
    }
    return {};
  }

  void add_flags() {
    out.texts.push_back({Layer::command_line, "the command line", request_.flags, {}, false});
  }

  Status add_workspace(const std::string& workspace) {
    TRY_ASSIGN(auto found, read_workspace_file(workspace, request_));
    if (!found) return {};
    found->loaded.text.only_narrows = !found->trusted;
    add(std::move(found->loaded));
    return {};
  }

  // Once, however often it is asked for.
  void add_profile(const policy::Profile& profile) {
    if (std::find(out.profiles.begin(), out.profiles.end(), &profile) != out.profiles.end()) return;
    out.profiles.push_back(&profile);
    add(policy::load_profile(profile, request_.caller.home));
  }

  // Those that the policy names.
  void add_named_profiles() {
    if (!out.policy || out.policy->run.profiles.empty()) return;
    for (const policy::Text& name : out.policy->run.profiles) {
      if (const policy::Profile* profile = policy::profile_by_name(name.value))
        add_profile(*profile);
    }
    merge();
  }

  // Those of the toolchains that the workspace is made for. What they bring beyond variables waits
  // for the person's word. Before the workspace's file, which cannot lift what they set.
  Status add_toolchains(const std::string& workspace) {
    out.workspace = sandbox::follow_links(workspace).end;
    if (out.policy->run.no_profile.on) return {};
    std::vector<const policy::Profile*> found = recognise_toolchains(out.workspace);
    if (found.empty()) return {};
    TRY_ASSIGN(state::Agreement agreement, state::read_agreement(request_.places, out.workspace));
    for (const policy::Profile* profile : found)
      add_toolchain(*profile, agreement);
    return {};
  }

  // That of the program, judged by what the whole policy lets the run change.
  void add_program_profile(const std::string& workspace) {
    if (!out.policy || request_.program.empty() || out.policy->run.no_profile.on) return;
    ProgramRequest program{.program = request_.program,
                           .search_path = callers_search_path(),
                           .working_folder = request_.working_folder,
                           .writable = {sandbox::follow_links(workspace).end},
                           .places = request_.places};
    for (const policy::Text& tree : out.policy->files.write)
      program.writable.push_back(sandbox::follow_links(tree.value).end);
    const policy::Profile* profile = profile_of_program(program);
    if (profile == nullptr) return;
    add_profile(*profile);
    merge();
  }

  // All or nothing: what was refused in one place leaves nothing of another.
  void merge() {
    out.policy.reset();
    if (!out.diagnostics.empty()) return;
    policy::Merged merged = policy::merge(out.texts);
    for (policy::Refusal& refusal : merged.refusals)
      out.diagnostics.push_back(std::move(refusal.diagnostic));
    out.left_out = std::move(merged.left_out);
    if (merged.refusals.empty()) out.policy = std::move(merged.policy);
  }

  PolicyLayers out;

 private:
  // The organisation's files are root's; whoever could write them could lift its locks.
  unsigned writer_of(Layer layer) const {
    return layer == Layer::organisation ? 0 : request_.caller.uid;
  }

  void add(policy::LoadedText loaded) {
    out.diagnostics.insert(out.diagnostics.end(), loaded.diagnostics.begin(),
                           loaded.diagnostics.end());
    out.texts.push_back(std::move(loaded.text));
  }

  std::vector<const policy::Field*> locked_fields() const {
    std::vector<const policy::Field*> locked;
    for (const PolicyText& text : out.texts) {
      for (const policy::Lock& lock : text.locks)
        locked.push_back(lock.field);
    }
    return locked;
  }

  void add_toolchain(const policy::Profile& profile, const state::Agreement& agreement) {
    // One that was asked for by its name is agreed to.
    if (std::find(out.profiles.begin(), out.profiles.end(), &profile) != out.profiles.end()) return;
    out.profiles.push_back(&profile);
    policy::LoadedText loaded = policy::load_profile(profile, request_.caller.home);
    Offer offer = take_offer(profile, loaded.text, locked_fields());
    offer.said = agreement.answer_to(offer.name(), offer.digest());
    if (offer.said == state::Said::Answer::yes) {
      auto& all = loaded.text.settings;
      all.insert(all.end(), offer.settings.begin(), offer.settings.end());
    } else if (brings_anything(offer, request_.caller.home)) {
      out.offers.push_back(std::move(offer));
    }
    add(std::move(loaded));
  }

  const LayerRequest& request_;
};

}  // namespace

Result<std::optional<WorkspaceFile>> read_workspace_file(const std::string& workspace,
                                                         const LayerRequest& request) {
  // By its real path: that is what the person trusts.
  std::string real = sandbox::follow_links(workspace).end;
  Fd folder(open(real.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return std::nullopt;  // who grants it says what is wrong
  WorkspaceFile found{.file = path::join(real, policy::kWorkspaceFile)};
  TRY_ASSIGN(auto content, policy::read_workspace_file(folder.get(), found.file));
  if (!content) return std::nullopt;
  found.content = std::move(content->text);
  found.owner = content->owner;
  found.loaded =
      policy::load_text(found.content, Layer::workspace, found.file, request.caller.home);
  found.trusted = state::is_trusted(request.places, found.file, found.content);
  return found;
}

namespace {

Status collect_own(Collector& collector, const LayerRequest& request) {
  TRY(collector.add_organisation());
  TRY(collector.add_file(Layer::person, path::join(request.places.config, "policy.toml")));
  if (!request.policy_file.empty())
    TRY(collector.add_file(Layer::person, request.policy_file, true));
  collector.add_flags();
  collector.merge();
  collector.add_named_profiles();
  return {};
}

}  // namespace

Result<PolicyLayers> load_own_layers(const LayerRequest& request) {
  Collector collector(request);
  TRY(collect_own(collector, request));
  return std::move(collector.out);
}

Result<PolicyLayers> load_layers(const LayerRequest& request) {
  Collector collector(request);
  TRY(collect_own(collector, request));
  if (!collector.out.policy) return std::move(collector.out);
  // Which workspace it is, is never said by a file that lies in it.
  TRY_ASSIGN(std::string workspace, choose_workspace(*collector.out.policy, request.working_folder,
                                                     request.caller, request.places));
  size_t before = collector.out.texts.size();
  TRY(collector.add_toolchains(workspace));
  TRY(collector.add_workspace(workspace));
  if (collector.out.texts.size() != before) collector.merge();
  collector.add_program_profile(workspace);
  return std::move(collector.out);
}

}  // namespace ringwall::prepare
