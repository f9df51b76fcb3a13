#include "policy/import_sandbox.h"
#include "policy/hosts.h"

#include <algorithm>

namespace ringwall::policy {
namespace {

using Access = ImportPaths::Access;

constexpr const char* kNoEquivalent = "No equivalent, and none is needed:";
constexpr const char* kWeaker = "Weaker than it looked; no such switch exists here:";

// Keys that are understood and have no counterpart.
struct Noted {
  std::string_view key;
  const char* text;
};
constexpr Noted kSwitches[] = {
    {"ripgrep", kNoEquivalent},
    {"bwrapPath", kNoEquivalent},
    {"socatPath", kNoEquivalent},
    {"seccomp", kNoEquivalent},
    {"git", kNoEquivalent},
    {"javaAgentJarPath", kNoEquivalent},
    {"mandatoryDenySearchDepth",
     "The other sandbox looks for files to protect only so deep; here at every depth:"},
    {"ignoreViolations", "No equivalent: what is refused here is always told:"},
    {"allowAppleEvents", "For macOS alone:"},
    {"allowPty", "For macOS alone; a terminal of its own is always there:"},
    {"enableWeakerNetworkIsolation", "For macOS alone:"},
    {"windows", "For Windows alone:"},
};
constexpr std::string_view kWeakening[] = {"enableWeakerNestedSandbox",
                                           "allowNestedUserNamespaces"};

constexpr Noted kNetwork[] = {
    {"allowUnixSockets",
     "Ignored on Linux by the other sandbox; here no socket of the host is there:"},
    {"allowMachLookup", "For macOS alone:"},
    {"allowLocalBinding", "Ignored on Linux by the other sandbox; here loopback is always there:"},
    {"httpProxyPort", "No equivalent: the proxy is Ringwall's own:"},
    {"socksProxyPort", "No equivalent: the proxy is Ringwall's own:"},
    {"mitmProxy", "No equivalent: the proxy is Ringwall's own:"},
    {"parentProxy", "No equivalent:"},
    {"tlsTerminate", "No equivalent:"},
    {"deniedDomainReasons", "No equivalent:"},
    {"strictAllowlist", "No equivalent, and none is needed: what is not allowed is refused:"},
    {"allowManagedDomainsOnly",
     "No equivalent here: lock network.allow in the organisation's file:"},
};

// Letters that a host, an address or a port is made of.
bool looks_like_host(std::string_view host) {
  return !host.empty() && host.size() < 300 && std::all_of(host.begin(), host.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(".-*:[]").find(c) != std::string_view::npos;
  });
}

bool leaves_port_open(std::string_view host) {
  auto open = parse_host_pattern(host, NoPort::any), closed = parse_host_pattern(host);
  return open && closed && open->text() != closed->text();
}

}  // namespace

void remark_rest(const Section& section, ImportDraft& draft) {
  for (const std::string& name : section.rest())
    draft.remark("Not known to this version of Ringwall, and not taken over:", name);
}

void import_host(std::string_view key, const std::string& host, const std::string& from,
                 ImportDraft& draft) {
  bool is_allowed = key == "network.allow";
  if (host.starts_with("*") && !host.starts_with("*.")) {
    return draft.remark(is_allowed ? "Not taken over: name the hosts that are needed."
                                   : "NOT KEPT as it stands: what network.allow does not name is "
                                     "refused anyway; look at its entries.",
                        from);
  }
  if (!looks_like_host(host)) return draft.remark("Not taken over: this is no host.", from);
  auto pattern = parse_host_pattern(host);
  if (is_allowed && pattern && !check_grant(*pattern))
    return draft.remark(
        "Not taken over: it leads to no other host. For a server of this one: network.reach_host.",
        from);
  draft.add(key, host, from);
}

void import_network(Section network, ImportDraft& draft) {
  for (const auto& [key, policy_key] :
       {std::pair{"allowedDomains", "network.allow"}, std::pair{"deniedDomains", "network.deny"}}) {
    for (const std::string& host : network.texts(key)) {
      std::string from = network.name_of(key) + " " + host;
      import_host(policy_key, host, from, draft);
      if (policy_key == std::string_view("network.allow") && leaves_port_open(host)) {
        draft.remark("Reached at every port there, at 443 alone here; name others as HOST:PORT:",
                     from);
      }
    }
  }
  if (network.flag("allowAllUnixSockets").value_or(false))
    draft.remark(kWeaker, network.name_of("allowAllUnixSockets"));
  for (const Noted& noted : kNetwork) {
    if (network.has(noted.key)) draft.remark(noted.text, network.name_of(noted.key));
  }
  remark_rest(network, draft);
}

void import_filesystem(Section filesystem, const PathRules& rules, ImportDraft& draft,
                       ImportPaths& paths) {
  auto each = [&](const char* key, auto take) {
    for (const ListedPath& listed : filesystem.paths(key)) {
      std::string from = filesystem.name_of(key) + " " + listed.text;
      take(find_path(listed.text, rules, listed.is_literal), from);
    }
  };
  each("allowRead",
       [&](const FoundPath& found, auto& from) { paths.grant(Access::read, found, from); });
  each("allowWrite",
       [&](const FoundPath& found, auto& from) { paths.grant(Access::write, found, from); });
  // allowRead reopens what lies in denyRead; denyWrite wins.
  each("denyRead", [&](const FoundPath& found, auto& from) {
    if (found.is_in_workspace && found.pattern.starts_with("**/"))
      draft.remark("The other sandbox skips such a pattern on Linux; here it is kept:", from);
    paths.deny(Access::read, found, from, false);
  });
  each("denyWrite", [&](const FoundPath& found, auto& from) {
    if (found.is_in_workspace && found.has_glob)
      draft.remark("The other sandbox skips such a pattern on Linux; here it is kept:", from);
    paths.deny(Access::write, found, from, true);
  });
  if (filesystem.flag("disabled").value_or(false))
    draft.remark(kWeaker, filesystem.name_of("disabled"));
  if (filesystem.flag("allowGitConfig").value_or(false)) {
    draft.remark(
        "Not taken over: git's settings run programs. To allow it: files.unprotect = "
        "[\"GIT/config\"]",
        filesystem.name_of("allowGitConfig"));
  }
  if (filesystem.has("allowManagedReadPathsOnly")) {
    draft.remark("No equivalent here: lock files.read in the organisation's file:",
                 filesystem.name_of("allowManagedReadPathsOnly"));
  }
  remark_rest(filesystem, draft);
}

void import_credentials(Section credentials, const PathRules& rules, ImportDraft& draft,
                        ImportPaths& paths) {
  for (Section& file : credentials.sections("files")) {
    auto path = file.text("path");
    if (!path) continue;
    std::string from = credentials.name_of("files") + " " + *path;
    if (file.text("mode").value_or("deny") == "mask")
      draft.remark("Masked by the other sandbox; here it cannot be read at all:", from);
    paths.deny(Access::read, find_path(*path, rules), from, true);
  }
  for (Section& variable : credentials.sections("envVars")) {
    draft.remark("Needless here: no variable is passed on that was not named:",
                 credentials.name_of("envVars") + " " + variable.text("name").value_or(""));
  }
  for (const char* key : {"awsPairs", "sigv4", "allowPlaintextInject"}) {
    if (credentials.has(key)) draft.remark("No equivalent:", credentials.name_of(key));
  }
  remark_rest(credentials, draft);
}

void import_switches(Section& sandbox, ImportDraft& draft) {
  for (std::string_view key : kWeakening) {
    if (sandbox.flag(key).value_or(false)) draft.remark(kWeaker, sandbox.name_of(key));
  }
  for (const Noted& noted : kSwitches) {
    if (sandbox.has(noted.key)) draft.remark(noted.text, sandbox.name_of(noted.key));
  }
}

}  // namespace ringwall::policy
