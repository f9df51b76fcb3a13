#include "git/config_judge.h"
#include "base/git_keys.h"
#include "git/config_rules.h"
#include "git/worktree_settings.h"

#include <algorithm>
#include <optional>
#include <set>

namespace ringwall::git {
namespace {

using Values = std::vector<GitValue>;
using Refused = std::optional<GitRefusal>;

// More sections than a person renames at once; bounds the search for where one came from.
constexpr size_t kMostMovedSections = 64;

// A config as its keys and its sections.
struct State {
  explicit State(const GitConfig& config) : keys(keys_of(config)) {
    for (const auto& [key, values] : keys)
      stems.emplace(stem_of(key));
  }

  const Values& values(std::string_view key) const {
    static const Values kNone;
    auto found = keys.find(key);
    return found == keys.end() ? kNone : found->second;
  }
  // The one that counts: the last.
  GitValue value(std::string_view key) const {
    const Values& all = values(key);
    return all.empty() ? std::nullopt : all.back();
  }
  bool has_section(std::string_view stem) const { return stems.contains(stem); }
  bool has_remote(const std::string& name) const { return has_section("remote." + name); }

  GitKeys keys;
  std::set<std::string, std::less<>> stems;
};

bool may_vanish(const git::Key& key) {
  return key.subsection &&
         (key.section == "remote" || key.section == "branch" || key.section == "submodule");
}

bool same_places(const State& a, const std::string& stem_a, const State& b,
                 const std::string& stem_b) {
  return a.values(stem_a + ".url") == b.values(stem_b + ".url") &&
         a.values(stem_a + ".pushurl") == b.values(stem_b + ".pushurl");
}

constexpr std::string_view kRemote = "remote.";

// Else the next run could give its name to another address.
constexpr std::string_view kRemoteStays =
    "a remote of the person may not be removed or renamed during a run";

class Judgement {
 public:
  Judgement(const GitConfig& person, const GitConfig& last, const GitConfig& wanted,
            const GitScene& scene)
      : person_(person), last_(last), wanted_(wanted), scene_(scene) {
    for (const std::string& stem : last_.stems) {
      if (!wanted_.has_section(stem)) gone_.push_back(stem);
    }
    note_changes(last, wanted);
    note_named_remotes();
  }

  Refused judge() const {
    for (const std::string& key : changed_) {
      if (Refused refused = judge_key(key)) return refused;
    }
    for (const std::string& stem : gone_) {
      if (stem.starts_with("remote.") && person_.has_section(stem))
        return refuse_key(stem + ".url", kRemoteStays);
    }
    for (const std::string& stem : wanted_.stems) {
      Refused refused = stem.starts_with("branch.")   ? judge_branch(stem)
                        : stem.starts_with("remote.") ? judge_remote(stem)
                                                      : std::nullopt;
      if (refused) return refused;
    }
    return std::nullopt;
  }

  const std::vector<std::string>& changed() const { return changed_; }

  std::vector<AddedRemote> added() const {
    std::vector<AddedRemote> all;
    for (const std::string& key : changed_) {
      git::Key parts = git::split_key(key);
      if (!is_address(parts)) continue;
      for (const GitValue& value : wanted_.values(key)) {
        const Values& before = last_.values(key);
        bool is_known = value && parts.section == "submodule" && scene_.listed.contains(*value);
        if (value && !is_known && std::ranges::find(before, value) == before.end())
          all.push_back({std::string(*parts.subsection), *value, parts.section == "submodule"});
      }
    }
    return all;
  }

 private:
  bool is_changed(std::string_view key) const { return last_.values(key) != wanted_.values(key); }

  // In the order of the files, so that the first refused key is the first that was written.
  void note_changes(const GitConfig& last, const GitConfig& wanted) {
    std::set<std::string> seen;
    for (const GitConfig* config : {&wanted, &last}) {
      for (const GitConfig::Entry& entry : config->entries) {
        if (is_changed(entry.key) && seen.insert(entry.key).second) changed_.push_back(entry.key);
      }
    }
  }

  // Remotes that the person's settings name but do not hold: they are defined elsewhere, are
  // addresses and paths, or not there at all. A section of that name would take their place.
  void note_named_remotes() {
    for (const auto& [key, values] : person_.keys) {
      git::Key parts = git::split_key(key);
      for (const GitValue& value : values) {
        if (value && names_remote(parts)) named_remotes_.insert(*value);
      }
    }
    named_remotes_.insert(scene_.named_elsewhere.begin(), scene_.named_elsewhere.end());
    // Where none is named git takes this one, and where there is one alone, that.
    bool has_others = std::ranges::any_of(person_.stems, [&](const std::string& stem) {
      return stem.starts_with(kRemote) && is_persons(stem.substr(kRemote.size()));
    });
    if (has_others) named_remotes_.insert("origin");
    std::erase_if(named_remotes_,
                  [&](const std::string& name) { return person_.has_remote(name); });
  }

  Refused judge_key(const std::string& key) const {
    git::Key parts = git::split_key(key);
    const Values& now = wanted_.values(key);
    const Values& persons = person_.values(key);
    if (now == persons) return std::nullopt;  // as the person has it
    if (scene_.is_of_worktree) {
      if (Refused refused = judge_worktree_key(key)) return refused;
    }
    // What moves there is core.worktree, of which the text alone does not tell whose it was.
    if (key == kReadsWorktreeConfig && is_of_submodule(scene_.place.folder))
      return refuse_key(key, "a submodule's would then say where its working tree lies");
    const GitConfigRule* rule = rule_for(parts, GitConfigRule::Where::update);
    if (now.empty()) {
      bool whole = may_vanish(parts) && !wanted_.has_section(stem_of(key));
      if (whole || (rule != nullptr && rule->may_change)) return std::nullopt;
      return refuse_key(key, "it may not be taken away during a run");
    }
    if (rule == nullptr) {
      if (is_moved(key, parts)) return std::nullopt;
      return refuse_unlisted(key);
    }
    if (!rule->may_change && !persons.empty())
      return refuse_key(key, "what the person has there may not be changed during a run");
    for (const GitValue& value : now) {
      bool there = std::ranges::find(last_.values(key), value) != last_.values(key).end();
      if (!there && !rule->fits(parts, value) && !is_moved(key, parts))
        return refuse_value(key, *rule);
      if (!there && is_address(parts) && leads_to_hooks(*value))
        return refuse_key(key, kNoLocalPlace);
    }
    return std::nullopt;
  }

  // A path at which the inside could have put a repository with hooks, unless the person has it
  // too.
  bool leads_to_hooks(const std::string& url) const {
    if (!is_local_url(url) || ways_of_address(url, scene_.place)) return false;
    return std::ranges::none_of(person_.keys, [&](const auto& key) {
      return is_address(git::split_key(key.first)) &&
             std::ranges::find(key.second, GitValue(url)) != key.second.end();
    });
  }

  bool is_persons(const std::string& remote) const {
    return person_.has_remote(remote) && !scene_.of_runs.contains(remote);
  }

  // A renamed section takes with it what the person wrote there: branch -m, remote rename.
  bool is_moved(const std::string& key, const git::Key& parts) const {
    std::string stem(stem_of(key));
    if (!may_vanish(parts) || last_.has_section(stem) || gone_.size() > kMostMovedSections)
      return false;
    std::string section = std::string(parts.section) + ".";
    return std::ranges::any_of(gone_, [&](const std::string& from) {
      return from.starts_with(section) &&
             last_.values(from + "." + std::string(parts.variable)) == wanted_.values(key) &&
             (parts.section == "branch" || same_places(last_, from, wanted_, stem));
    });
  }

  // Where a remote of the person leads stays, even if it was away in between.
  Refused judge_remote(const std::string& stem) const {
    if (same_places(last_, stem, wanted_, stem)) return std::nullopt;
    std::string url = stem + (is_changed(stem + ".url") ? ".url" : ".pushurl");
    if (person_.has_section(stem) && !same_places(person_, stem, wanted_, stem))
      return refuse_key(url, "where a remote of the person leads may not be changed during a run");
    if (named_remotes_.contains(stem.substr(kRemote.size())))
      return refuse_key(url,
                        "the person's settings name this remote as one of another place, or git "
                        "would take it where none is named");
    return std::nullopt;
  }

  // A branch that was there at the start, or is set to track something, may only track a remote of
  // the person's own, or the same one under another name.
  Refused judge_branch(const std::string& stem) const {
    std::string key = stem + ".remote";
    GitValue now = wanted_.value(key);
    if (!now || *now == ".") return std::nullopt;
    std::string remote = "remote." + *now;
    if (!is_changed(key) && same_places(last_, remote, wanted_, remote)) return std::nullopt;
    if (is_changed(key) && wanted_.values(remote + ".url").empty())
      return refuse_key(key, "it names no remote that has an address");
    GitValue before = person_.value(key);
    bool is_new =
        !before && scene_.branches && !scene_.branches->contains(stem.substr(strlen("branch.")));
    if (is_new || before == now || is_persons(*now)) return std::nullopt;
    std::string old_remote = "remote." + before.value_or("");
    bool renamed =
        person_.has_section(old_remote) && same_places(person_, old_remote, wanted_, remote);
    if (renamed) return std::nullopt;
    return refuse_key(key, "a branch of the person may not lead to a remote that a run has added");
  }

  State person_, last_, wanted_;
  const GitScene& scene_;
  std::vector<std::string> gone_;     // sections of the last state that are not wanted any more
  std::vector<std::string> changed_;  // keys
  std::set<std::string> named_remotes_;
};

}  // namespace

std::expected<GitConfigUpdate, GitRefusal> judge_git_config(const GitConfig& person,
                                                            const GitConfig& last,
                                                            const GitConfig& wanted,
                                                            const GitScene& scene) {
  Judgement judgement(person, last, wanted, scene);
  if (Refused refused = judgement.judge()) return std::unexpected(std::move(*refused));
  auto text = edit_git_config(last, wanted);
  if (!text) return std::unexpected(GitRefusal{"config", text.error().what, ""});
  return GitConfigUpdate{std::move(*text), judgement.changed(), judgement.added()};
}

std::vector<std::string> ways_of_remotes(const GitConfig& config, const GitPlace& place) {
  std::vector<std::string> all;
  for (const GitConfig::Entry& entry : config.entries) {
    bool is_local =
        entry.value && is_address(git::split_key(entry.key)) && is_local_url(*entry.value);
    auto ways = is_local ? ways_by_name(*entry.value, place) : std::nullopt;
    if (ways) all.insert(all.end(), ways->begin(), ways->end());
  }
  return all;
}

}  // namespace ringwall::git
