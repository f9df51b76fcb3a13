#include "policy/import_paths.h"

#include <algorithm>
#include <span>

#include "base/path.h"
#include "base/text.h"

namespace ringwall::policy {
namespace {

constexpr std::string_view kGlob = "*?[{";
constexpr size_t kMostPatterns = 100;  // that one with braces stands for
constexpr std::string_view kPrivate[] = {"/tmp", "/var/tmp", "/dev/shm", "/private/tmp"};
constexpr std::string_view kMade[] = {"/dev", "/proc"};
constexpr std::string_view kSystem[] = {"/usr", "/etc", "/bin", "/sbin", "/lib", "/lib64", "/opt"};

constexpr const char* kNeedless =
    "Needless here: nothing outside of the workspace is there that was not granted.";
constexpr const char* kPerhaps =
    "Needless here, unless it lies in the workspace: nothing else is there that was not granted. "
    "What "
    "lies in it is to be named in files.hide or files.protect, relative to it:";
constexpr const char* kOfSystem =
    "NOT KEPT where it is a part of the system: its programs, and what they need of /etc, can be "
    "read by everything inside.";
constexpr const char* kInWorkspace = "Needless here: the workspace can be read and changed.";

bool has_glob(std::string_view text) { return text.find_first_of(kGlob) != std::string_view::npos; }

// Characters that patterns use stand for themselves.
std::string as_pattern(std::string_view literal) {
  std::string pattern;
  for (char c : literal) {
    if (std::string_view("*?[]{}\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// "a/b" of "a/b/*.c"
std::string before_glob(const std::string& path) {
  size_t glob = path.find_first_of(kGlob);
  if (glob == std::string::npos) return path;
  size_t slash = path.rfind('/', glob);
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

std::string_view without_tree(std::string_view text) {
  while (text.ends_with("/**") || text.ends_with('/'))
    text.remove_suffix(text.ends_with('/') ? 1 : 3);
  return text;
}

bool lies_in(std::string_view path, std::span<const std::string_view> folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](std::string_view folder) { return path::is_beneath(path, folder); });
}

bool climbs(std::string_view text) {
  std::vector<std::string> parts = path::components(text);
  return std::find(parts.begin(), parts.end(), "..") != parts.end();
}

// "*.pem" and "*.key" of "*.{pem,key}": patterns here know no braces.
void expand_braces(const std::string& pattern, std::vector<std::string>& patterns) {
  size_t open = pattern.find('{'), close = pattern.find('}', open);
  bool is_plain = open == std::string::npos || close == std::string::npos ||
                  (open > 0 && pattern[open - 1] == '\\') || patterns.size() >= kMostPatterns;
  if (is_plain) return patterns.push_back(pattern);
  for (const std::string& part : text::split(pattern.substr(open + 1, close - open - 1), ','))
    expand_braces(pattern.substr(0, open) + part + pattern.substr(close + 1), patterns);
}

FoundPath in_workspace(std::string_view relative, bool is_literal) {
  FoundPath found;
  found.is_understood = found.is_in_workspace = true;
  found.has_glob = !is_literal && has_glob(relative);
  std::string plain = text::join(path::components(relative), "/");
  if (plain == "." || plain.empty()) return found;
  if (plain.starts_with("./")) plain.erase(0, 2);
  found.pattern =
      is_literal ? "/" + as_pattern(plain) : (plain.starts_with("**/") ? "" : "/") + plain;
  return found;
}

}  // namespace

std::string show_path(const std::string& path, const std::string& home) {
  if (home.size() < 2 || !path::is_beneath(path, home)) return path;
  return path == home ? "~" : "~" + path.substr(home.size());
}

FoundPath find_path(std::string_view text, const PathRules& rules, bool is_literal) {
  if (text.empty() || text.find('\0') != std::string_view::npos || text.starts_with('$')) return {};
  if (!is_literal && text.size() > 1) {
    std::string_view folder = without_tree(text);
    text = folder.empty() ? "/" : folder;
  }
  std::string absolute;
  if (text.starts_with('~') && text.size() > 1 && text[1] != '/') return {};
  if (text == "~" || text.starts_with("~/")) {
    if (rules.home.empty()) return {};
    absolute = path::absolute(text.size() > 2 ? text.substr(2) : ".", rules.home);
  } else if (text.starts_with('/')) {
    absolute = path::normalize(text);
  } else if (!rules.base.empty()) {
    absolute = path::absolute(text, rules.base);
  } else if (!climbs(text)) {
    return in_workspace(text, is_literal);
  } else if (!rules.workspace.empty()) {
    absolute = path::absolute(text, rules.workspace);
  } else {
    return {};
  }
  if (!rules.workspace.empty() && path::is_beneath(absolute, rules.workspace)) {
    std::string_view relative = absolute;
    relative.remove_prefix(std::min(relative.size(), rules.workspace.size() + 1));
    return in_workspace(relative, is_literal);
  }
  FoundPath found;
  found.is_understood = true;
  found.is_certain = !rules.workspace.empty();
  found.has_glob = !is_literal && has_glob(absolute);
  found.path = found.has_glob ? before_glob(absolute) : absolute;
  return found;
}

void ImportPaths::grant(Access access, const FoundPath& found, const std::string& from) {
  if (!found.is_understood)
    return draft_.remark("Not taken over: where this path leads is not known here.", from);
  if (found.is_in_workspace) return draft_.remark(kInWorkspace, from);
  if (found.has_glob) {
    return draft_.remark(
        "Not taken over: a grant names a folder or a file. The other sandbox skips patterns for "
        "writing on Linux, too.",
        from);
  }
  if (found.path == "/" || path::is_beneath(source_.home, found.path)) {
    return draft_.remark(
        "Not taken over: it would give the whole home or the whole system. Name what is needed.",
        from);
  }
  if (access == Access::write && path::is_beneath(found.path, path::join(source_.home, ".claude")))
    return draft_.remark("Not taken over: the agent could change its own settings outside.", from);
  bool is_private =
      std::find(std::begin(kPrivate), std::end(kPrivate), found.path) != std::end(kPrivate) ||
      lies_in(found.path, kMade);
  if (is_private)
    return draft_.remark("Needless here: a private /tmp, /dev and /proc are there.", from);
  if (source_.exists != nullptr && !source_.exists(found.path))
    return draft_.remark("Left out, since it is not there on this host: a run would stop.", from);
  grants_.push_back({access, found.path, from});
}

void ImportPaths::deny(Access access, const FoundPath& found, const std::string& from, bool wins) {
  if (!found.is_understood)
    return draft_.remark("NOT KEPT: where this path leads is not known here.", from);
  if (!found.is_in_workspace) {
    denials_.push_back({access, found.path, from, found.has_glob, wins});
    bool is_shown = access == Access::read &&
                    (lies_in(found.path, kSystem) || (found.has_glob && found.path == "/"));
    return draft_.remark(is_shown ? kOfSystem : found.is_certain ? kNeedless : kPerhaps, from);
  }
  if (found.pattern.empty()) {
    return draft_.remark("NOT KEPT: the workspace as a whole can be read and changed here.", from);
  }
  std::vector<std::string> patterns;
  expand_braces(found.pattern, patterns);
  for (const std::string& pattern : patterns)
    draft_.add(access == Access::read ? "files.hide" : "files.protect", pattern, from);
}

bool ImportPaths::is_reopened(const std::string& path) const {
  return std::any_of(grants_.begin(), grants_.end(), [&](const Grant& grant) {
    return grant.access == Access::read && path::is_beneath(path, grant.path);
  });
}

const ImportPaths::Denial* ImportPaths::conflict_of(const Grant& grant) const {
  for (const Denial& denial : denials_) {
    if (denial.access == Access::write && grant.access == Access::read) continue;
    bool lies_in_grant = path::is_beneath(denial.path, grant.path);
    bool holds_grant = path::is_beneath(grant.path, denial.path);
    bool same_kind = denial.access == grant.access;
    if (holds_grant && lies_in_grant && same_kind && !denial.wins)
      continue;  // the grant reopens it
    bool is_unreadable = holds_grant && !same_kind && !is_reopened(grant.path);
    if (lies_in_grant || is_unreadable || (holds_grant && (denial.wins || denial.has_glob)))
      return &denial;
  }
  return nullptr;
}

void ImportPaths::finish() {
  for (const Grant& grant : grants_) {
    if (const Denial* denial = conflict_of(grant)) {
      draft_.remark(
          "Left out, since something is denied in it, which a policy cannot say of what it grants. "
          "Grant what is needed of it by name.",
          grant.from + ", denied by " + denial->from);
      continue;
    }
    bool writes = grant.access == Access::write;
    std::string why = source_.why_sensitive ? source_.why_sensitive(grant.path, writes) : "";
    if (!why.empty()) {
      draft_.remark("Left out, since it opens more than its name says. If it is meant, add it:",
                    grant.from + ": " + why);
      continue;
    }
    draft_.add(grant.access == Access::read ? "files.read" : "files.write",
               show_path(grant.path, source_.home), grant.from);
  }
}

}  // namespace ringwall::policy
