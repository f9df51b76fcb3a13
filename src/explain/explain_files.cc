// What explain says of files: the mounts of the plan are asked, and the names that are guarded.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/file.h"
#include "base/path.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "explain/explain.h"
#include "explain/plan_view.h"
#include "git/worktree_settings.h"

namespace ringwall::explain {
namespace {

using files::HiddenNames;
using sandbox::Access;
using sandbox::Mount;
using Verdict = Answer::Verdict;

// The granted tree that holds the path, or null.
const sandbox::Grant* tree_of(const prepare::Preparation& run, const std::string& path) {
  const sandbox::Grant* found = nullptr;
  for (const sandbox::Grant& grant : run.granted.grants) {
    bool deeper = found == nullptr || grant.path.size() > found->path.size();
    if (deeper && path::is_beneath(path, grant.path)) found = &grant;
  }
  return found;
}

// As a pattern names it: from the top of its tree on, and no character more than itself.
std::string pattern_for(const sandbox::Grant& tree, const std::string& path, bool folder) {
  std::string pattern;
  for (char c : path.substr(tree.path.size())) {
    if (std::string_view("*?[]{}\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  if (pattern.ends_with(' ')) pattern.insert(pattern.size() - 1, 1, '\\');
  return pattern + (folder ? "/" : "");
}

std::string relative_to(const sandbox::Grant& tree, const std::string& path) {
  return path == tree.path ? "" : path.substr(tree.path.size() + 1);
}

// Whether the kernel lets the agent: its files are the caller's, and root becomes an ordinary id.
bool may(const prepare::Preparation& run, const std::string& host, int want) {
  if (!run.plan.identity.caller_is_root) return access(host.c_str(), want) == 0;
  struct stat facts;
  if (stat(host.c_str(), &facts) < 0) return false;
  bool own = facts.st_uid == run.caller.uid;
  mode_t bits = own ? facts.st_mode >> 6 : facts.st_mode;
  return (bits & static_cast<mode_t>(want)) == static_cast<mode_t>(want);
}

Answer begin(const PlaceInside& place) { return {.subject = place.path}; }

policy::Rule hiding_rule(const prepare::Preparation& run, const std::string& relative) {
  for (const policy::Text& entry : run.request.policy.files.hide) {
    auto own = HiddenNames::compile(std::vector<std::string>{entry.value}, {});
    if (own && own->name_reason(relative) == files::kHiddenByPolicy)
      return {"files.hide", entry.origin};
  }
  return {};
}

// Empty if it cannot be read.
std::string beginning_of(const std::string& host) {
  auto fd = file::open(host, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
  std::string bytes(files::kMostLookedAt, '\0');
  ssize_t got = fd ? pread(fd->get(), bytes.data(), bytes.size(), 0) : -1;
  bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return bytes;
}

// Why it would be hidden if files.show did not name it; empty if it would not.
std::string reason_to_hide(const std::string& relative, const std::string& host) {
  auto table = HiddenNames::compile({}, {});
  if (!table) return {};
  switch (table->judge_name(relative)) {
    case HiddenNames::Verdict::no:
      return {};
    case HiddenNames::Verdict::hide:
      return std::string(table->name_reason(relative));
    case HiddenNames::Verdict::look:
      break;
  }
  return std::string(table->judge_content(relative, beginning_of(host)).value_or(""));
}

// The entry of files.show that lets a secret be read, if one does.
policy::Rule showing_rule(const prepare::Preparation& run, const std::string& relative) {
  for (const policy::Text& entry : run.request.policy.files.show) {
    auto shown = HiddenNames::compile({}, std::vector<std::string>{entry.value});
    if (shown && shown->judge_name(relative) == HiddenNames::Verdict::no)
      return {"files.show", entry.origin};
  }
  return {};
}

policy::Rule protecting_rule(const prepare::Preparation& run, const std::string& pattern) {
  for (const policy::Text& entry : run.request.policy.files.protect) {
    if (entry.value == pattern) return {"files.protect", entry.origin};
  }
  return {};
}

Answer explain_mask(const prepare::Preparation& run, const PlaceInside& place) {
  Answer answer = begin(place);
  answer.why = place.mask->reason;
  const sandbox::Grant* tree = tree_of(run, place.path);
  bool secret = answer.why.starts_with("hidden: ");
  if (!secret || tree == nullptr) return answer;
  answer.verdict = Verdict::hidden;
  answer.rule = hiding_rule(run, relative_to(*tree, place.path));
  std::string pattern = pattern_for(*tree, place.path, false);
  if (answer.rule.key.empty()) {
    answer.wishes = {{"files.show", pattern}};
    return answer;
  }
  // No files.show lifts it, and below it the table may hide the same file.
  answer.advice = removal_of(answer.rule.origin);
  if (!reason_to_hide(relative_to(*tree, place.path), place.host).empty())
    answer.advice += ", and then: ringwall run --show " + text::shell_word(pattern) + " …";
  return answer;
}

// Why nothing of that name is there, and how it could be.
Answer explain_absence(const PlaceInside& place, const std::string& asked, std::string_view key) {
  Answer answer = begin(place);
  bool outside = file::exists(asked);
  if (place.is_circular) {
    answer.why = "its links lead in a circle";
  } else if (!outside) {
    answer.why = "there is no such file, outside neither";
  } else if (place.mount != nullptr && place.mount->kind == Mount::Kind::bind) {
    answer.why = "it leads to what is not there inside";
    answer.wishes = {{key, asked}};
  } else {
    answer.why = "nothing grants it, and what is not granted is not there";
    answer.wishes = {{key, asked}};
  }
  return answer;
}

// What a person does to take back what is given.
void advise_taking_back(Answer& answer, const prepare::Preparation& run, const PlaceInside& place,
                        std::string_view deny) {
  const policy::Origin& origin = answer.rule.origin;
  if (!origin.is_default() && answer.rule.key != "files.workspace") {
    answer.advice = removal_of(origin);
    return;
  }
  const sandbox::Grant* tree = tree_of(run, place.path);
  if (tree != nullptr && tree->path != place.path && tree->access == Access::write)
    answer.wishes = {{deny, pattern_for(*tree, place.path, place.is_folder)}};
}

Answer given(const prepare::Preparation& run, const PlaceInside& place, std::string_view deny) {
  Answer answer = begin(place);
  answer.verdict = Verdict::yes;
  answer.why = place.mount == nullptr ? "part of the root" : place.mount->reason;
  if (place.mount != nullptr) answer.rule = place.mount->rule;
  advise_taking_back(answer, run, place, deny);
  return answer;
}

// A secret that can be read is there by files.show, not by the grant of its tree alone.
Answer given_to_read(const prepare::Preparation& run, const PlaceInside& place) {
  Answer answer = given(run, place, "files.hide");
  const sandbox::Grant* tree = tree_of(run, place.path);
  if (tree == nullptr || place.is_folder || run.request.policy.files.show.empty()) return answer;
  std::string relative = relative_to(*tree, place.path);
  policy::Rule rule = showing_rule(run, relative);
  std::string secret = rule.key.empty() ? "" : reason_to_hide(relative, place.host);
  if (secret.empty()) return answer;
  answer.why = "shown by files.show, although it is hidden otherwise: " + secret;
  answer.rule = rule;
  answer.wishes.clear();
  answer.advice = removal_of(rule.origin);
  return answer;
}

Answer refused(const PlaceInside& place, std::string why) {
  Answer answer = begin(place);
  answer.why = std::move(why);
  if (place.mount != nullptr) answer.rule = place.mount->rule;
  return answer;
}

bool is_writable(const Mount* mount) {
  return mount != nullptr &&
         (mount->access == Access::write || mount->access == Access::write_data ||
          mount->access == Access::device);
}

// The pattern by which a name in a writable tree is protected, there or not.
std::optional<std::string> protecting_pattern(const prepare::Preparation& run,
                                              const PlaceInside& place) {
  const sandbox::Grant* tree = tree_of(run, place.path);
  if (tree == nullptr || tree->access != Access::write) return std::nullopt;
  std::string relative = relative_to(*tree, place.path);
  const files::ProtectedNames& names = run.guarded->protected_names;
  for (size_t end = relative.find('/');; end = relative.find('/', end + 1)) {
    bool whole = end == std::string::npos;
    auto pattern = names.match(relative.substr(0, end), whole ? place.is_folder : true);
    // What ordinary work writes may be written, as long as nothing runs by what it says.
    if (pattern && !names.is_by_content(*pattern)) return std::string(*pattern);
    if (whole) return std::nullopt;
  }
}

Answer explain_protection(const prepare::Preparation& run, const PlaceInside& place,
                          const std::optional<std::string>& pattern) {
  Answer answer = begin(place);
  if (!pattern) {
    answer.why = place.read_only->reason;
    bool led_here = answer.why.starts_with("protected: ");  // by a protected link
    answer.verdict = led_here ? Verdict::protected_file : Verdict::no;
    return answer;
  }
  answer.verdict = Verdict::protected_file;
  std::string who = files::ProtectedNames::reason_for(*pattern);
  answer.why = "protected: " + text::quote(*pattern) + (who.empty() ? "" : ", " + who);
  const auto& configs = run.plan.git_configs;
  if (std::find(configs.begin(), configs.end(), place.path) != configs.end()) {
    bool is_of_worktree = path::basename(place.path) == git::kWorktreeConfig;
    answer.why += "; git inside can still change ";
    answer.why += is_of_worktree ? "which files are left out and who commits in it"
                                 : "remotes, tracking, submodule URLs and identity in it";
  }
  answer.rule = protecting_rule(run, *pattern);
  answer.wishes = {{"files.unprotect", *pattern}};
  if (const sandbox::Grant* tree = tree_of(run, place.path))
    answer.wishes.push_back({"files.unprotect", pattern_for(*tree, place.path, false)});
  return answer;
}

// The folder in which the first thing has to be made for the path to be there.
PlaceInside nearest_folder(const prepare::Preparation& run, const PlaceInside& place) {
  PlaceInside folder = place;
  while (!folder.exists && folder.path != "/")
    folder = find_inside(run.plan, path::parent(folder.path));
  return folder;
}

// Looking into a process wants more than the permissions of its files say.
bool wants_tracing(std::string_view name) {
  constexpr std::string_view kNames[] = {"auxv",
                                         "clear_refs",
                                         "cwd",
                                         "environ",
                                         "exe",
                                         "fd",
                                         "fdinfo",
                                         "io",
                                         "ksm_stat",
                                         "map_files",
                                         "maps",
                                         "mem",
                                         "ns",
                                         "mountstats",
                                         "numa_maps",
                                         "patch_state",
                                         "pagemap",
                                         "personality",
                                         "root",
                                         "smaps",
                                         "timers",
                                         "stack",
                                         "smaps_rollup",
                                         "syscall",
                                         "timerslack_ns",
                                         "ksm_merging_pages"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// What lies in /proc is the kernel's, and is asked anew inside.
Answer explain_proc(const prepare::Preparation& run, const PlaceInside& place) {
  std::vector<std::string> parts = path::components(place.path);
  if (parts.size() < 2) return given(run, place, "files.hide");
  if (parts[1] == "1") {
    bool of_thread = parts.size() > 4 && parts[2] == "task";
    std::string_view name = of_thread ? parts[4] : parts.back();
    if (parts.size() > 3 && !of_thread) name = parts[2];
    if (parts.size() > 2 && wants_tracing(name))
      return refused(place, "process 1 inside is Ringwall's own, and cannot be looked into");
  }
  bool of_process = parts[1].find_first_not_of("0123456789") == std::string::npos ||
                    parts[1] == "self" || parts[1] == "thread-self";
  if (of_process) return given(run, place, "files.hide");
  struct stat facts;
  if (stat(place.path.c_str(), &facts) < 0)
    return refused(place, "this kernel has no such file in /proc");
  if (facts.st_uid == 0 && (facts.st_mode & S_IROTH) == 0)
    return refused(place, "its permissions forbid it to all but root of the host");
  return given(run, place, "files.hide");
}

}  // namespace

Answer explain_read(const prepare::Preparation& run, const std::string& path) {
  if (auto taken = explain_taken(run, path)) return *taken;
  PlaceInside place = find_inside(run.plan, path);
  if (place.mask != nullptr) return explain_mask(run, place);
  if (place.mount != nullptr && place.mount->kind == Mount::Kind::proc)
    return explain_proc(run, place);
  if (!place.exists) return explain_absence(place, path, "files.read");
  if (!place.host.empty() && !may(run, place.host, R_OK))
    return refused(place, "its permissions forbid it, outside too");
  return given_to_read(run, place);
}

Answer explain_write(const prepare::Preparation& run, const std::string& path) {
  PlaceInside place = find_inside(run.plan, path);
  if (place.mask != nullptr) return explain_mask(run, place);
  auto pattern = protecting_pattern(run, place);
  if (pattern || place.read_only != nullptr) return explain_protection(run, place, pattern);
  if (place.is_circular) return explain_absence(place, path, "files.write");
  bool outside = file::exists(path);
  if (place.mount != nullptr && place.mount->kind == Mount::Kind::own_link)
    return given(run, place, "files.protect");
  if (!is_writable(place.mount)) {
    bool nowhere = !place.exists && !outside;
    bool granted = place.exists && place.mount != nullptr;
    if (!granted && !nowhere) return explain_absence(place, path, "files.write");
    Answer answer = refused(
        place, "read-only: " + (place.mount == nullptr ? "part of the root" : place.mount->reason));
    if (outside) answer.wishes = {{"files.write", path}};
    return answer;
  }
  PlaceInside folder = nearest_folder(run, place);
  // What the host has there is not meant by a new file of the same name.
  bool hides_another = !place.exists && folder.path != path::parent(place.path) &&
                       (outside || file::exists(path::parent(path)));
  if (hides_another) {
    Answer answer = refused(place, "its folder is not there inside");
    if (outside) answer.wishes = {{"files.write", path}};
    return answer;
  }
  if (!place.exists && !folder.is_folder) return refused(place, "there is no folder to make it in");
  bool may_be_made = folder.host.empty() ||  // in memory, the agent's own
                     may(run, folder.host, place.exists ? W_OK : W_OK | X_OK);
  if (!may_be_made) return refused(place, "its permissions forbid it, outside too");
  return given(run, place, "files.protect");
}

}  // namespace ringwall::explain
