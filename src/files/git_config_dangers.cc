// The well-known keys that run or redirect something, for the words of a refusal. Nothing depends
// on this list being complete: what is not among the rules is refused with or without it.
#include <strings.h>

#include "base/text.h"
#include "files/git_config_rules.h"

namespace ringwall::files {
namespace {

constexpr std::string_view kPlanted = "planted git settings that ran on the host";
constexpr std::string_view kRedirect = "the next push or fetch goes to another place";

constexpr GitConfigDanger kDangers[] = {
    {"core.hooksPath", "names the folder whose programs git runs at commit, push and checkout",
     "CVE-2024-32002 and planted hooks"},
    {"core.fsmonitor", "names a program that git status runs",
     "GitSpawn, CVE-2026-55607: fsmonitor planted by an agent"},
    {"core.sshCommand", "names the program that every fetch and push over ssh runs", kPlanted},
    {"core.gitProxy", "names a program that git runs to connect", kPlanted},
    {"core.editor", "names the program that git commit runs", kPlanted},
    {"sequence.editor", "names the program that git rebase -i runs", kPlanted},
    {"core.pager", "names the program that shows what git prints", kPlanted},
    {"pager.*", "names the program that shows what a git command prints", kPlanted},
    {"core.askPass", "names the program that asks for passwords", "theft of passwords"},
    {"core.alternateRefsCommand", "names a program that git receive-pack runs", kPlanted},
    {"core.attributesFile", "can switch on filters and merge drivers for any file", kPlanted},
    {"core.worktree", "moves git's working tree elsewhere",
     "checkout then overwrites files outside the workspace"},
    {"core.bare", "changes where git looks for files", "bare repository layouts, CVE-2026-45033"},
    {"core.repositoryformatversion", "decides which extensions of the config git obeys", ""},
    {"extensions.worktreeConfig", "makes git read config.worktree, a second config", kPlanted},
    {"extensions.*", "changes how git reads the repository", ""},
    {"alias.*", "gives a git command another meaning, a program with ! before it", kPlanted},
    {"hook.*", "names programs that git runs as hooks", kPlanted},
    {"filter.*", "names programs that git runs at every add and checkout",
     "git-lfs style filters that run a planted program"},
    {"diff.*", "can name a program that git diff and log -p run", kPlanted},
    {"difftool.*", "names a program that git difftool runs", kPlanted},
    {"merge.*", "can name a program that git merge runs", kPlanted},
    {"mergetool.*", "names a program that git mergetool runs", kPlanted},
    {"interactive.diffFilter", "names a program that git add -p runs", kPlanted},
    {"trailer.*", "can name a program that git commit runs", kPlanted},
    {"gpg.*", "names the program that signs and verifies", "GitSpawn: gpg.program"},
    {"user.signingKey", "chooses the key that the person signs with", ""},
    {"user.useConfigOnly", "is a preference of the person", ""},
    {"commit.gpgSign", "decides whether the person's commits are signed; inside it is off already",
     ""},
    {"tag.gpgSign", "decides whether the person's tags are signed; inside it is off already", ""},
    {"credential.*", "names a program that git asks for passwords and tells them",
     "theft of tokens by a credential helper"},
    {"include.*", "makes git read another file as config", kPlanted},
    {"includeIf.*", "makes git read another file as config", kPlanted},
    {"url.*", "replaces addresses by others", kRedirect},
    {"http.*", "can send git's traffic through a proxy or switch off its checks",
     "interception of fetches and tokens"},
    {"https.*", "can send git's traffic through a proxy", "interception of fetches and tokens"},
    {"protocol.*", "allows transports that run programs", "ext:: addresses"},
    {"remote.*.uploadpack", "names the program that a fetch runs", kPlanted},
    {"remote.*.receivepack", "names the program that a push runs", kPlanted},
    {"remote.*.vcs", "names a helper program that fetch and push run", kPlanted},
    {"remote.*.proxy", "sends the remote's traffic through a proxy",
     "interception of fetches and tokens"},
    {"remote.*.push", "changes which branches a push writes", kRedirect},
    {"remote.*.mirror", "makes a push delete what is not here, a fetch overwrite branches", ""},
    {"remote.*.promisor", "makes git fetch missing objects by itself", "CVE-2024-32004"},
    {"remote.*.url", "leads elsewhere", kRedirect},
    {"remote.*.pushurl", "leads elsewhere", kRedirect},
    {"remote.*.fetch", "can overwrite branches and the refs of other remotes", ""},
    {"remote.pushDefault", "decides where git push goes", kRedirect},
    {"branch.*.pushRemote", "decides where git push goes from that branch", kRedirect},
    {"branch.*.mergeOptions", "adds options to every merge into that branch", ""},
    {"push.*", "decides what git push writes, and where", kRedirect},
    {"submodule.*.update", "can be a command that git submodule update runs",
     "CVE-2019-19604: submodule update = !command"},
    {"submodule.*.url", "leads elsewhere", kRedirect},
    {"uploadpack.*", "can name a program that serves fetches", "CVE-2024-32465"},
    {"receive.*", "changes what a push into this repository may do", ""},
    {"gc.recentObjectsHook", "names a program that git gc runs", kPlanted},
    {"init.templateDir", "names a folder whose hooks come into new repositories", kPlanted},
    {"sendemail.*", "can name programs that git send-email runs", kPlanted},
    {"imap.*", "can name a program that git imap-send runs", kPlanted},
    {"browser.*", "names a program that git opens pages with", kPlanted},
    {"man.*", "names a program that git help runs", kPlanted},
    {"guitool.*", "names a program that git gui runs", kPlanted},
    {"instaweb.*", "names a program that git instaweb runs", kPlanted},
    {"safe.*", "decides which repositories git trusts", "CVE-2022-24765"},
    {"lfs.*", "can name programs and addresses of git lfs", kPlanted},
    {"ssh.*", "changes how git calls ssh", ""},
    {"trace2.*", "makes git write what it does to a file or socket", ""},
    {"user.name", "has gone unquoted into command lines", "CVE-2025-59041"},
    {"user.email", "has gone unquoted into command lines", "CVE-2025-59041"},
};

}  // namespace

bool matches_git_key(std::string_view pattern, const GitKey& key) {
  GitKey parts = split_git_key(pattern);
  auto equal = [](std::string_view a, std::string_view b) {
    return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
  };
  if (!equal(parts.section, key.section)) return false;
  if (parts.variable == "*") return true;
  return parts.subsection.has_value() == key.subsection.has_value() &&
         equal(parts.variable, key.variable);
}

std::span<const GitConfigDanger> git_config_dangers() { return kDangers; }

const GitConfigDanger* danger_of(const GitKey& key) {
  for (const GitConfigDanger& danger : kDangers) {
    if (matches_git_key(danger.pattern, key)) return &danger;
  }
  return nullptr;
}

std::string GitRefusal::text() const {
  std::string out = text::quote(what) + ": " + reason;
  if (!attack.empty()) out += " (" + std::string(attack) + ")";
  return out;
}

GitRefusal refuse_key(std::string_view key, std::string_view reason) {
  const GitConfigDanger* danger = danger_of(split_git_key(key));
  return {std::string(key), std::string(reason), danger == nullptr ? "" : danger->attack};
}

GitRefusal refuse_unlisted(std::string_view key) {
  const GitConfigDanger* danger = danger_of(split_git_key(key));
  return refuse_key(key, danger == nullptr
                             ? "it is not among the settings that may change during a run"
                             : "it " + std::string(danger->does));
}

GitRefusal refuse_value(std::string_view key, const GitConfigRule& rule) {
  return refuse_key(key, "its value must be " + std::string(rule.values));
}

}  // namespace ringwall::files
