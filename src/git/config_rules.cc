#include "git/config_rules.h"

#include <algorithm>
#include <initializer_list>

namespace ringwall::git {
namespace {

using Where = GitConfigRule::Where;
constexpr size_t kLongestValue = 4096;

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
bool has_controls(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}
bool one_of(const GitValue& value, std::initializer_list<std::string_view> words) {
  return value && std::find(words.begin(), words.end(), *value) != words.end();
}
bool only_of(std::string_view text, std::string_view more) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return is_alnum(c) || contains(more, {&c, 1});
  });
}

bool is_host(std::string_view host) {
  return !host.empty() && host[0] != '-' && only_of(host, ".-_");
}

// user[:password]@host[:port] or the same with [address]; a percent sign in the host is git's to
// decode and a dash in front would be an option of ssh (CVE-2017-1000117).
bool is_authority(std::string_view text) {
  size_t at = text.rfind('@');
  if (at != std::string_view::npos) {
    std::string_view user = text.substr(0, at);
    if (user.starts_with('-') || !only_of(user, "._-~%:+!=")) return false;
    text.remove_prefix(at + 1);
  }
  if (text.starts_with('[')) {
    size_t end = text.find(']');
    return end != std::string_view::npos && only_of(text.substr(1, end - 1), ":.") &&
           only_of(text.substr(end + 1), ":");
  }
  size_t colon = std::min(text.find(':'), text.size());
  return is_host(text.substr(0, colon)) && only_of(text.substr(colon), ":");
}

// An encoded line break ends up in what git says to a credential helper (CVE-2020-5260).
bool has_encoded_controls(std::string_view url) {
  for (size_t at = url.find('%'); at < url.size(); at = url.find('%', at + 1)) {
    std::string_view code = url.substr(at + 1, 2);
    if (code.starts_with('0') || code.starts_with('1') || code == "7f" || code == "7F") return true;
  }
  return false;
}

bool is_scp_like(std::string_view url) {
  size_t colon = url.find(':');
  std::string_view host = url.substr(0, colon), path = url.substr(colon + 1);
  size_t at = host.find('@');
  if (at != std::string_view::npos) {
    if (host.starts_with('-') || !only_of(host.substr(0, at), "._-+")) return false;
    host.remove_prefix(at + 1);
  }
  return is_host(host) && !path.empty() && path[0] != '-';
}

std::string_view scheme_of(std::string_view url) {
  size_t end = url.find("://");
  return end != std::string_view::npos && only_of(url.substr(0, end), "+.-") ? url.substr(0, end)
                                                                             : std::string_view();
}

// The checks of the table.

bool is_switch(const git::Key& /*key*/, const GitValue& value) {
  return !value || one_of(value, {"true", "false", "yes", "no", "on", "off", "1", "0"});
}
bool is_true(const git::Key& /*key*/, const GitValue& value) { return one_of(value, {"true"}); }
bool is_false(const git::Key& /*key*/, const GitValue& value) { return one_of(value, {"false"}); }
bool is_zero(const git::Key& /*key*/, const GitValue& value) { return one_of(value, {"0"}); }
bool is_version(const git::Key& /*key*/, const GitValue& value) {
  return one_of(value, {"0", "1"});
}
bool is_nothing(const git::Key& /*key*/, const GitValue& /*value*/) { return false; }
bool is_ref_log(const git::Key& key, const GitValue& value) {
  return is_switch(key, value) || one_of(value, {"always"});
}
bool is_shared(const git::Key& key, const GitValue& value) {
  bool mode = value && value->size() == 4 && (*value)[0] == '0' && only_of(*value, "") &&
              value->find_first_not_of("01234567") == std::string::npos;
  return mode || is_switch(key, value) || one_of(value, {"2", "group", "umask", "all", "world"});
}
bool is_pull_rebase(const git::Key& /*key*/, const GitValue& value) {
  return one_of(value, {"true", "false", "merges"});
}
bool is_fast_forward(const git::Key& /*key*/, const GitValue& value) {
  return one_of(value, {"true", "false", "only"});
}
bool is_colour(const git::Key& key, const GitValue& value) {
  return is_switch(key, value) || one_of(value, {"auto", "always", "never"});
}
bool is_line_end(const git::Key& key, const GitValue& value) {
  return is_switch(key, value) || one_of(value, {"input"});
}
bool is_push_default(const git::Key& /*key*/, const GitValue& value) {
  return one_of(value, {"nothing", "current", "upstream", "simple"});
}
bool is_number(const git::Key& /*key*/, const GitValue& value) {
  return value && !value->empty() && value->size() <= 9 &&
         value->find_first_not_of("0123456789") == std::string::npos;
}
bool is_tag_option(const git::Key& /*key*/, const GitValue& value) {
  return one_of(value, {"--tags", "--no-tags"});
}
bool is_mirror(const git::Key& key, const GitValue& value) {
  return is_switch(key, value) || one_of(value, {"fetch", "push"});
}
bool is_object_format(const git::Key& /*key*/, const GitValue& value) {
  return one_of(value, {"sha1", "sha256"});
}
bool is_ref_storage(const git::Key& /*key*/, const GitValue& value) {
  return one_of(value, {"files", "reftable"});
}
bool is_filter(const git::Key& /*key*/, const GitValue& value) {
  return value && !value->empty() && value->size() < 256 && only_of(*value, ":=+._-/");
}
// Its place is the caller's to judge.
bool is_way_up(const git::Key& /*key*/, const GitValue& value) {
  return value && value->starts_with("../") && !has_controls(*value);
}

// A remote is a folder of refs, and is named on command lines.
bool is_remote_name(std::string_view name) {
  return is_ref_name(name) && only_of(name, "._-/+") && !contains(name, "-/") &&
         !contains(name, "/-");
}
bool is_remote_url(const git::Key& key, const GitValue& value) {
  return is_remote_name(*key.subsection) && value && is_plain_url(*value);
}

// SOURCE:DESTINATION of a fetch, or ^SOURCE for what is left out.
bool is_fetch(std::string_view spec, std::string_view& source, std::string_view& destination) {
  if (spec.starts_with('+') || spec.starts_with('^')) spec.remove_prefix(1);
  size_t colon = spec.find(':');
  source = spec.substr(0, colon);
  destination = colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
  auto plain = [](std::string_view name) {
    std::string one(name);
    std::replace(one.begin(), one.end(), '*', 'x');
    return name.starts_with("refs/") && is_ref_name(one) &&
           std::count(name.begin(), name.end(), '*') <= 1;
  };
  return plain(source) && (colon == std::string_view::npos || plain(destination));
}
bool is_any_fetch(const git::Key& /*key*/, const GitValue& value) {
  std::string_view source, destination;
  return value && is_fetch(*value, source, destination);
}
bool is_own_fetch(const git::Key& key, const GitValue& value) {
  std::string_view source, destination;
  if (!is_remote_name(*key.subsection) || !value || !is_fetch(*value, source, destination))
    return false;
  bool left_out = value->starts_with('^') && destination.empty();
  bool tags = source == destination && source.starts_with("refs/tags/");
  return left_out || tags ||
         destination.starts_with("refs/remotes/" + std::string(*key.subsection) + "/");
}

bool is_branch_remote(const git::Key& key, const GitValue& value) {
  return is_ref_name(*key.subsection) && value && (*value == "." || is_remote_name(*value));
}
bool is_branch_merge(const git::Key& key, const GitValue& value) {
  return is_ref_name(*key.subsection) && value && value->starts_with("refs/") &&
         is_ref_name(*value);
}
bool is_branch_rebase(const git::Key& key, const GitValue& value) {
  return is_ref_name(*key.subsection) && is_pull_rebase(key, value);
}
bool is_description(const git::Key& key, const GitValue& value) {
  std::string plain = value.value_or("\x01");
  std::erase(plain, '\n');
  std::erase(plain, '\t');
  return is_ref_name(*key.subsection) && plain.size() <= kLongestValue && !has_controls(plain);
}

// The name of a submodule is a path below .git/modules (CVE-2018-11235).
bool is_submodule_name(std::string_view name) {
  if (name.empty() || name[0] == '-' || name[0] == '/' || has_controls(name)) return false;
  std::string path = "/" + std::string(name) + "/";
  std::replace(path.begin(), path.end(), '\\', '/');
  return !contains(path, "/../") && !contains(path, "/./") && !contains(path, "//");
}
bool is_submodule_url(const git::Key& key, const GitValue& value) {
  return is_submodule_name(*key.subsection) && value && is_plain_url(*value);
}
bool is_submodule_active(const git::Key& key, const GitValue& value) {
  return is_submodule_name(*key.subsection) && is_switch(key, value);
}
bool is_submodule_update(const git::Key& key, const GitValue& value) {
  return is_submodule_name(*key.subsection) &&
         one_of(value, {"checkout", "merge", "rebase", "none"});
}
bool is_path_pattern(const git::Key& /*key*/, const GitValue& value) {
  return value && !value->empty() && (*value)[0] != '-' && value->size() <= kLongestValue &&
         !has_controls(*value);
}

// Tools have put it into a shell's command line unquoted (CVE-2025-59041).
bool is_identity(const git::Key& /*key*/, const GitValue& value) {
  return value && value->size() < 256 && !value->starts_with('-') &&
         std::all_of(value->begin(), value->end(), [](char c) {
           return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80 ||
                  contains(" .,'-_@+()", {&c, 1});
         });
}

constexpr auto kUpdate = Where::update, kFresh = Where::fresh, kBoth = Where::both;
constexpr std::string_view kSwitch = "true or false";
constexpr std::string_view kUrl =
    "an https, http, ssh or git address, or a path into the granted folders";
constexpr std::string_view kInit = "git init and clone write it after looking at the file system";

constexpr GitConfigRule kRules[] = {
    {"core.repositoryformatversion", "0", "git init writes it", kUpdate, false, is_zero},
    {"core.repositoryformatversion", "0 or 1", "git init writes it", kFresh, false, is_version},
    {"core.filemode", kSwitch, kInit, kBoth, true, is_switch},
    {"core.symlinks", kSwitch, kInit, kBoth, true, is_switch},
    {"core.ignorecase", kSwitch, kInit, kBoth, true, is_switch},
    {"core.precomposeunicode", kSwitch, kInit, kBoth, true, is_switch},
    {"core.bare", "false", "git init writes it", kUpdate, false, is_false},
    {"core.bare", kSwitch, "git init writes it", kFresh, false, is_switch},
    {"core.logAllRefUpdates", "true, false or always", "git init writes it; it only keeps a log",
     kBoth, true, is_ref_log},
    {"core.sharedRepository", "a mode or one of its names", "git init --shared writes it", kFresh,
     false, is_shared},
    {"core.worktree", "what it was", "git submodule deinit takes it away and init brings it back",
     kUpdate, true, is_nothing},
    {"core.worktree", "a way up and down again within the workspace",
     "a submodule's repository knows its folder by it", kFresh, false, is_way_up},
    {"core.sparseCheckout", kSwitch, "git sparse-checkout; it leaves files out", kBoth, true,
     is_switch},
    {"core.sparseCheckoutCone", kSwitch, "git sparse-checkout; it leaves files out", kBoth, true,
     is_switch},
    {"index.sparse", kSwitch, "git sparse-checkout; a smaller index", kBoth, true, is_switch},
    {"extensions.worktreeConfig", "true",
     "git sparse-checkout; git then reads config.worktree, which holds no more than is listed here "
     "of core, index and user",
     kBoth, false, is_true},
    {"extensions.objectFormat", "sha1 or sha256", "git init --object-format writes it", kFresh,
     false, is_object_format},
    {"extensions.refStorage", "files or reftable", "git init --ref-format writes it", kFresh, false,
     is_ref_storage},
    {"receive.denyNonFastForwards", kSwitch, "git init --shared writes it", kFresh, false,
     is_switch},
    {"remote.*.url", kUrl,
     "git remote add: a new place, which nothing but git fetch --all uses before it is named; told "
     "in a line",
     kBoth, false, is_remote_url},
    {"remote.*.pushurl", kUrl, "git remote set-url --push of a remote of this run", kBoth, false,
     is_remote_url},
    {"remote.*.fetch", "a refspec into refs/remotes/ of that remote, or of tags",
     "git remote add and set-branches; no other branch can be overwritten by it", kUpdate, true,
     is_own_fetch},
    {"remote.*.fetch", "a refspec", "git clone, also --mirror; all refs there are the run's",
     kFresh, false, is_any_fetch},
    {"remote.*.tagOpt", "--tags or --no-tags", "git remote add --no-tags", kBoth, true,
     is_tag_option},
    {"remote.*.prune", kSwitch, "removes what is gone there from refs/remotes/ of that remote",
     kBoth, true, is_switch},
    {"remote.*.skipFetchAll", kSwitch, "leaves a remote out of git fetch --all", kBoth, true,
     is_switch},
    {"remote.*.mirror", "true, false, fetch or push", "git clone --mirror writes it", kFresh, false,
     is_mirror},
    {"remote.*.promisor", kSwitch, "git clone --filter, from an address that is not a path", kFresh,
     false, is_switch},
    {"remote.*.partialCloneFilter", "a filter such as blob:none", "git clone --filter", kFresh,
     false, is_filter},
    {"branch.*.remote", "a remote that is there, or .",
     "push -u and checkout --track; a branch that the person has may not lead to a place of this "
     "run",
     kBoth, true, is_branch_remote},
    {"branch.*.merge", "the name of a ref", "push -u and checkout --track", kBoth, true,
     is_branch_merge},
    {"branch.*.rebase", "true, false or merges", "checkout --track with branch.autoSetupRebase",
     kBoth, true, is_branch_rebase},
    {"branch.*.description", "text", "git branch --edit-description; only shown", kBoth, true,
     is_description},
    {"submodule.*.url", kUrl, "git submodule init and add", kBoth, false, is_submodule_url},
    {"submodule.*.active", kSwitch, "git submodule init and add", kBoth, true, is_submodule_active},
    {"submodule.*.update", "checkout, merge, rebase or none",
     "git submodule init; with ! before it would be a command", kBoth, true, is_submodule_update},
    {"submodule.active", "a path pattern", "git clone --recurse-submodules", kBoth, true,
     is_path_pattern},
    {"user.name", "a name without signs that a shell obeys", "who commits", kBoth, true,
     is_identity},
    {"user.email", "an address without signs that a shell obeys", "who commits", kBoth, true,
     is_identity},
    {"pull.rebase", "true, false or merges", "git asks for it when branches diverge", kBoth, true,
     is_pull_rebase},
    {"pull.ff", "true, false or only", "git asks for it when branches diverge", kBoth, true,
     is_fast_forward},
    {"push.default", "nothing, current, upstream or simple",
     "which branch git push means; in a repository of the person's it would lead elsewhere than "
     "before",
     kFresh, false, is_push_default},
    {"push.autoSetupRemote", kSwitch, "git push does as with -u; as before", kFresh, false,
     is_switch},
    {"fetch.prune", kSwitch, "removes what is gone there from refs/remotes/", kBoth, true,
     is_switch},
    {"color.ui", "true, false, auto, always or never", "only shown", kBoth, true, is_colour},
    {"core.abbrev", "a number", "how long a commit's name is shown", kBoth, true, is_number},
    {"advice.*", kSwitch, "which advice git shows", kBoth, true, is_switch},
    {"gc.auto", "a number", "when git packs by itself", kBoth, true, is_number},
    {"core.autocrlf", "true, false or input", "line ends of files that are all the run's", kFresh,
     false, is_line_end},
    {"commit.gpgSign", "false", "scripts that make a repository for tests switch it off", kFresh,
     false, is_false},
    {"tag.gpgSign", "false", "scripts that make a repository for tests switch it off", kFresh,
     false, is_false},
    {"lfs.repositoryformatversion", "0", "git lfs writes it", kBoth, true, is_zero},
};

}  // namespace

bool is_plain_url(std::string_view url) {
  // A dash makes an option, and elsewhere in git's settings an exclamation mark makes a command.
  if (url.empty() || url[0] == '-' || url[0] == '!' || url.size() > kLongestValue) return false;
  if (has_controls(url) || has_encoded_controls(url)) return false;
  std::string_view scheme = scheme_of(url);
  if (!scheme.empty()) {
    std::string_view rest = url.substr(scheme.size() + 3);
    std::string_view authority = rest.substr(0, rest.find('/'));
    if (contains(rest.substr(authority.size()), "::")) return false;
    if (scheme == "file") return authority.empty() && rest.size() > 1;
    return one_of(std::string(scheme), {"https", "http", "ssh", "git"}) && is_authority(authority);
  }
  // HELPER::ADDRESS runs git-remote-HELPER, and ext:: any command.
  if (contains(url, "::") || contains(url, "://")) return false;
  return is_local_url(url) || is_scp_like(url);
}

bool is_local_url(std::string_view url) {
  std::string_view scheme = scheme_of(url);
  if (!scheme.empty()) return scheme == "file";
  return url.find(':') == std::string_view::npos || url.find('/') < url.find(':');
}

bool is_address(const git::Key& key) {
  return key.subsection &&
         ((key.section == "remote" && (key.variable == "url" || key.variable == "pushurl")) ||
          (key.section == "submodule" && key.variable == "url"));
}

bool names_remote(const git::Key& key) {
  if (key.section == "remote") return !key.subsection && key.variable == "pushdefault";
  return key.section == "branch" && key.subsection &&
         (key.variable == "remote" || key.variable == "pushremote");
}

bool is_ref_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestValue || name[0] == '-' || name == "@") return false;
  if (has_controls(name) || name.find_first_of(" ~^:?*[\\") != std::string_view::npos) return false;
  std::string path = "/" + std::string(name) + "/";
  return !contains(path, "//") && !contains(path, "/.") && !contains(path, "..") &&
         !contains(path, "./") && !contains(path, ".lock/") && !contains(path, "@{");
}

std::span<const GitConfigRule> git_config_rules() { return kRules; }

const GitConfigRule* rule_for(const git::Key& key, Where where) {
  for (const GitConfigRule& rule : kRules) {
    bool here = rule.where == Where::both || rule.where == where;
    if (here && git::matches_key(rule.pattern, key)) return &rule;
  }
  return nullptr;
}

}  // namespace ringwall::git
