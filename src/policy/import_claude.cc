#include "policy/import_claude.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "policy/import_sandbox.h"

namespace ringwall::policy {
namespace {

using Access = ImportPaths::Access;

enum class Wish { allow, ask, deny };

constexpr const char* kTool =
    "Kept by the gate, which parses commands: sh -c, a full path or another option do not pass a "
    "rule by. A guard rail still: the programs that a command starts are stopped by the walls "
    "alone.";

// "Read(./.env)": the tool, and what stands in its brackets.
struct Rule {
  std::string tool;
  std::string what;
  bool has_what = false;
};

Rule read_rule(std::string_view text) {
  size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return {std::string(text), "", false};
  std::string_view what = text.substr(open + 1, text.size() - open - 2);
  return {std::string(text.substr(0, open)), std::string(what), what != "*" && what != "**"};
}

class ClaudeImport {
 public:
  ClaudeImport(SettingsFile& file, const ImportSource& source)
      : file_(file), draft_("claude", source), paths_(draft_, source) {
    rules_.home = source.home;
    find_scope(source);
  }

  std::string run() {
    Section top(file_);
    take_permissions(top.section("permissions"));
    take_sandbox(top.section("sandbox"));
    take_variables(top.section("env"));
    take_others(top);
    paths_.finish();
    return draft_.toml();
  }

 private:
  void find_scope(const ImportSource& source);
  FoundPath find_rule_path(const std::string& what, Wish wish) const;
  void take_permissions(Section permissions);
  void take_rule(Wish wish, const std::string& text, const std::string& from);
  void take_path_rule(Wish wish, const Rule& rule, const std::string& from);
  void take_asked(const Rule& rule, const FoundPath& found, const std::string& from);
  void keep_as_rule(Wish wish, const Rule& rule, const std::string& from);
  void take_sandbox(Section sandbox);
  void take_variables(Section variables);
  void take_others(Section& top);

  SettingsFile& file_;
  ImportDraft draft_;
  ImportPaths paths_;
  PathRules rules_;        // of sandbox settings
  std::string rule_base_;  // what "/x" in a permission rule begins with; empty: the workspace
  bool denies_web_ = false;
};

// Of a project's .claude/settings.json the workspace is the project; those of the person and of the
// organisation hold for every workspace.
void ClaudeImport::find_scope(const ImportSource& source) {
  std::string folder = path::parent(source.file);
  bool is_in_claude = path::basename(folder) == ".claude";
  if (is_in_claude && path::parent(folder) != source.home) {
    rules_.workspace = path::parent(folder);
    return;
  }
  rule_base_ = folder;
  if (is_in_claude) rules_.base = folder;
}

// In rules "//x" is the system's root, "/x" begins at the settings' own place, and the rest is a
// line of .gitignore in the current folder.
FoundPath ClaudeImport::find_rule_path(const std::string& what, Wish wish) const {
  PathRules rules{rules_.workspace, "", rules_.home};
  if (what.starts_with("//") || what.starts_with('~')) return find_path(what, rules);
  if (what.starts_with('/') && !rule_base_.empty())
    return find_path(path::join(rule_base_, what.substr(1)), rules);
  std::string relative = what.starts_with('/') ? "." + what : what;
  if (relative.find("..") != std::string::npos || relative.starts_with("./"))
    return find_path(relative, rules);
  FoundPath found;
  found.is_understood = found.is_in_workspace = true;
  found.has_glob = true;
  // Of a single folder, a denial means those of any depth.
  bool is_single = relative.ends_with("/**") && relative.find('/') == relative.size() - 3;
  found.pattern = (is_single && wish != Wish::allow ? "**/" : "") + relative;
  return found;
}

void ClaudeImport::take_permissions(Section permissions) {
  for (const auto& [key, wish] : {std::pair{"deny", Wish::deny}, std::pair{"ask", Wish::ask},
                                  std::pair{"allow", Wish::allow}}) {
    for (const std::string& rule : permissions.texts(key))
      take_rule(wish, rule, permissions.name_of(key) + " " + rule);
  }
  for (const std::string& folder : permissions.texts("additionalDirectories")) {
    PathRules rules{rules_.workspace, "", rules_.home};
    paths_.grant(Access::write, find_path(folder, rules),
                 permissions.name_of("additionalDirectories") + " " + folder);
  }
  for (const char* key :
       {"defaultMode", "disableBypassPermissionsMode", "disableAutoMode",
        "blockReadsOutsideWorkingDirectories", "blockWritesOutsideWorkingDirectories",
        "denyInsteadOfPrompting", "blockReadsExemptPaths", "workingDirectoriesAsGiven"}) {
    if (permissions.has(key)) {
      draft_.remark("No equivalent: it decides when the agent asks. The walls here do not ask:",
                    permissions.name_of(key));
    }
  }
  remark_rest(permissions, draft_);
}

void ClaudeImport::take_rule(Wish wish, const std::string& text, const std::string& from) {
  Rule rule = read_rule(text);
  if (rule.tool == "Read" || rule.tool == "Edit") return take_path_rule(wish, rule, from);
  if (rule.tool == "WebFetch" && rule.what.starts_with("domain:")) {
    std::string host = rule.what.substr(7);
    if (wish == Wish::ask) {
      draft_.remark(
          "Asked about as before; but the host is not granted. To grant it: network.allow", from);
      return keep_as_rule(wish, rule, from);
    }
    if (wish == Wish::allow && denies_web_)
      return draft_.remark("Left out, since WebFetch is denied as a whole, which wins:", from);
    return import_host(wish == Wish::allow ? "network.allow" : "network.deny", host, from, draft_);
  }
  // Denials come first.
  if (rule.tool == "WebFetch" && !rule.has_what && wish == Wish::deny) denies_web_ = true;
  bool is_ignored = rule.has_what && (rule.tool == "Write" || rule.tool == "NotebookEdit" ||
                                      rule.tool == "Glob" || rule.tool == "MultiEdit");
  if (is_ignored) {
    return draft_.remark("Ignored by Claude Code, which knows paths in Read(…) and Edit(…) alone:",
                         from);
  }
  draft_.remark(kTool, from);
  keep_as_rule(wish, rule, from);
}

// In [tools]. A path that begins at the settings' own place is written out: the policy lies
// elsewhere.
void ClaudeImport::keep_as_rule(Wish wish, const Rule& rule, const std::string& from) {
  std::string what = rule.what;
  const std::string& base = rule_base_.empty() ? rules_.workspace : rule_base_;
  bool is_path = rule.tool == "Read" || rule.tool == "Edit";
  if (is_path && what.starts_with('/') && !what.starts_with("//"))
    what = "/" + path::join(base, what.substr(1));
  const char* key = wish == Wish::deny  ? "tools.deny"
                    : wish == Wish::ask ? "tools.ask"
                                        : "tools.allow";
  draft_.add(key, rule.has_what ? rule.tool + "(" + what + ")" : rule.tool, from);
}

void ClaudeImport::take_path_rule(Wish wish, const Rule& rule, const std::string& from) {
  Access access = rule.tool == "Read" ? Access::read : Access::write;
  if (!rule.has_what) {
    if (wish == Wish::deny)
      draft_.remark(
          "Kept by the gate alone: the workspace as a whole can be read and changed here.", from);
    return keep_as_rule(wish, rule, from);
  }
  FoundPath found = find_rule_path(rule.what, wish);
  if (wish == Wish::allow) return paths_.grant(access, found, from);
  if (wish == Wish::ask) return take_asked(rule, found, from);
  draft_.remark(
      "Weaker than it looked: a rule on Read or Edit binds the agent's own tools and the commands "
      "that it recognises, not the programs that those start. Here it binds them all:",
      from);
  paths_.deny(access, found, from, true);
}

void ClaudeImport::take_asked(const Rule& rule, const FoundPath& found, const std::string& from) {
  if (!found.is_in_workspace)
    return draft_.remark("Asked for by the agent; here it is not granted:", from);
  draft_.remark("Asked about by the gate, for the agent's own tools and commands. To forbid it: " +
                    std::string(rule.tool == "Read" ? "files.hide" : "files.protect"),
                from);
  keep_as_rule(Wish::ask, rule, from);
}

void ClaudeImport::take_sandbox(Section sandbox) {
  if (!sandbox.flag("enabled").value_or(false)) {
    draft_.remark("Claude Code's sandbox is off in this file: commands ran without any wall.",
                  "sandbox.enabled");
  }
  if (sandbox.flag("allowUnsandboxedCommands").value_or(true)) {
    draft_.remark(
        "Weaker than it looked: without allowUnsandboxedCommands: false the model may run a "
        "command "
        "outside of the sandbox. Here nothing inside can switch a wall off.",
        "sandbox.allowUnsandboxedCommands");
  }
  if (!sandbox.flag("failIfUnavailable").value_or(false)) {
    draft_.remark(
        "Weaker than it looked: without failIfUnavailable: true commands run unsandboxed where the "
        "sandbox cannot be built. Here that stops the run.",
        "sandbox.failIfUnavailable");
  }
  draft_.remark(
      "Claude Code's sandbox is around shell commands alone, and lets everything be read but for "
      "denyRead. Here the whole agent is inside, and the home is not there: what a program misses "
      "of it goes into files.read.",
      "sandbox.filesystem.denyRead");
  for (const std::string& command : sandbox.texts("excludedCommands")) {
    draft_.remark("Ran outside of the sandbox; here it runs inside like everything else:",
                  sandbox.name_of("excludedCommands") + " " + command);
  }
  if (sandbox.flag("autoAllowBashIfSandboxed")) {
    draft_.remark("No equivalent: it decides when the agent asks. The walls here do not ask:",
                  sandbox.name_of("autoAllowBashIfSandboxed"));
  }
  import_filesystem(sandbox.section("filesystem"), rules_, draft_, paths_);
  import_network(sandbox.section("network"), draft_);
  import_credentials(sandbox.section("credentials"), rules_, draft_, paths_);
  import_switches(sandbox, draft_);
  remark_rest(sandbox, draft_);
}

// A secret does not belong into a second file.
bool is_secret_name(std::string_view name) {
  constexpr std::string_view kEnds[] = {"_KEY",     "_TOKEN", "_SECRET", "_PASSWORD",
                                        "_HEADERS", "_PAT",   "_PASSWD", "_CREDENTIALS"};
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](std::string_view end) { return name.ends_with(end); });
}

void ClaudeImport::take_variables(Section variables) {
  for (const std::string& name : variables.keys()) {
    auto value = variables.text(name);
    if (!value) continue;
    if (is_secret_name(name)) {
      draft_.add("environment.pass", name,
                 "env " + name + ": the value is not copied, set it outside");
    } else {
      draft_.add("environment.set", name + "=" + *value, "env " + name);
    }
  }
}

void ClaudeImport::take_others(Section& top) {
  for (const char* key : {"hooks", "statusLine", "apiKeyHelper", "awsAuthRefresh",
                          "awsCredentialExport", "otelHeadersHelper", "enabledPlugins"}) {
    if (top.has(key)) {
      draft_.remark("Runs inside with the agent, behind the same walls; nothing to take over:",
                    top.name_of(key));
    }
  }
  if (top.flag("enableAllProjectMcpServers").value_or(false)) {
    draft_.remark(
        "Weaker than it looked: the repository names programs that start. Here they start "
        "inside:",
        "enableAllProjectMcpServers");
  }
  for (const char* key : {"$schema", "model", "cleanupPeriodDays", "includeCoAuthoredBy",
                          "outputStyle", "theme", "language", "alwaysThinkingEnabled"})
    (void)top.has(key);  // says nothing about what is allowed
  remark_rest(top, draft_);
}

}  // namespace

Imported import_claude(std::string_view json, const ImportSource& source) {
  SettingsFile file(json, source.file);
  if (file.has_mistakes()) return {"", file.mistakes()};
  std::string toml = ClaudeImport(file, source).run();
  if (file.has_mistakes()) return {"", file.mistakes()};
  return {std::move(toml), {}};
}

}  // namespace ringwall::policy
