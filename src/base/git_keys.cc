#include "base/git_keys.h"

#include <strings.h>

namespace ringwall::git {
namespace {

using enum Effect;

constexpr std::string_view kPlanted = "planted git settings that ran on the host";
constexpr std::string_view kRedirect = "the next push or fetch goes to another place";
constexpr std::string_view kInterception = "interception of fetches and tokens";
constexpr std::string_view kFilter = "names a program that git runs at every add and checkout";
constexpr std::string_view kFilters = "git-lfs style filters that run a planted program";
constexpr std::string_view kSigner = "names the program that signs and verifies";
constexpr std::string_view kLogin = "names a program that git asks for passwords and tells them";
constexpr std::string_view kHelpers = "theft of tokens by a credential helper";
constexpr std::string_view kMail = "names a program that git send-email runs";
constexpr std::string_view kPage = "names a program that git opens pages with";

constexpr KnownKey kKnown[] = {
    {"core.hooksPath", hooks,
     "names the folder whose programs git runs at commit, push and checkout",
     "CVE-2024-32002 and planted hooks"},
    {"core.fsmonitor", runs, "names a program that git status runs",
     "GitSpawn, CVE-2026-55607: fsmonitor planted by an agent"},
    {"core.sshCommand", runs, "names the program that every fetch and push over ssh runs",
     kPlanted},
    {"core.gitProxy", runs, "names a program that git runs to connect", kPlanted},
    {"core.editor", runs, "names the program that git commit runs", kPlanted},
    {"sequence.editor", runs, "names the program that git rebase -i runs", kPlanted},
    {"core.pager", runs, "names the program that shows what git prints", kPlanted},
    {"pager.*", runs, "names the program that shows what a git command prints", kPlanted},
    {"core.askPass", runs, "names the program that asks for passwords", "theft of passwords"},
    {"core.alternateRefsCommand", runs, "names a program that git receive-pack runs", kPlanted},
    {"core.attributesFile", changes, "can switch on filters and merge drivers for any file",
     kPlanted},
    {"core.worktree", changes, "moves git's working tree elsewhere",
     "checkout then overwrites files outside the workspace"},
    {"core.bare", changes, "changes where git looks for files",
     "bare repository layouts, CVE-2026-45033"},
    {"core.repositoryformatversion", changes, "decides which extensions of the config git obeys",
     ""},
    {"extensions.worktreeConfig", changes, "makes git read config.worktree, a second config",
     kPlanted},
    {"extensions.*", changes, "changes how git reads the repository", ""},
    {"alias.*", runs, "gives a git command another meaning, a program with ! before it", kPlanted},
    {"hook.*.command", runs, "names a program that git runs as a hook", kPlanted},
    {"hook.*", may_run, "names programs that git runs as hooks", kPlanted},
    {"filter.*.clean", runs, kFilter, kFilters},
    {"filter.*.smudge", runs, kFilter, kFilters},
    {"filter.*.process", runs, kFilter, kFilters},
    {"filter.*", may_run, "belongs to programs that git runs at every add and checkout", kFilters},
    {"diff.external", runs, "names a program that git diff and log -p run", kPlanted},
    {"diff.*.command", runs, "names a program that git diff and log -p run", kPlanted},
    {"diff.*.textconv", runs, "names a program that git diff and log -p run", kPlanted},
    {"diff.*", may_run, "can name a program that git diff and log -p run", kPlanted},
    {"difftool.*.cmd", runs, "names a program that git difftool runs", kPlanted},
    {"difftool.*.path", runs, "names a program that git difftool runs", kPlanted},
    {"difftool.*", may_run, "can name a program that git difftool runs", kPlanted},
    {"merge.*.driver", runs, "names a program that git merge runs", kPlanted},
    {"merge.*", may_run, "can name a program that git merge runs", kPlanted},
    {"mergetool.*.cmd", runs, "names a program that git mergetool runs", kPlanted},
    {"mergetool.*.path", runs, "names a program that git mergetool runs", kPlanted},
    {"mergetool.*", may_run, "can name a program that git mergetool runs", kPlanted},
    {"interactive.diffFilter", runs, "names a program that git add -p runs", kPlanted},
    {"trailer.*.command", runs, "names a program that git commit runs", kPlanted},
    {"trailer.*.cmd", runs, "names a program that git commit runs", kPlanted},
    {"trailer.*", may_run, "can name a program that git commit runs", kPlanted},
    {"tar.*.command", runs, "names a program that git archive runs", kPlanted},
    {"gpg.program", runs, kSigner, "GitSpawn: gpg.program"},
    {"gpg.*.program", runs, kSigner, "GitSpawn: gpg.program"},
    {"gpg.*.defaultKeyCommand", runs, "names the program that chooses the key to sign with",
     "GitSpawn: gpg.program"},
    {"gpg.*", may_run, "can name the program that signs and verifies", "GitSpawn: gpg.program"},
    {"user.signingKey", changes, "chooses the key that the person signs with", ""},
    {"user.useConfigOnly", changes, "is a preference of the person", ""},
    {"commit.gpgSign", changes,
     "decides whether the person's commits are signed; inside it is off already", ""},
    {"tag.gpgSign", changes,
     "decides whether the person's tags are signed; inside it is off already", ""},
    {"credential.helper", runs, kLogin, kHelpers},
    {"credential.*.helper", runs, kLogin, kHelpers},
    {"credential.*", may_run, "can name a program that git asks for passwords and tells them",
     kHelpers},
    {"include.path", includes, "makes git read another file as config", kPlanted},
    {"includeIf.*.path", includes, "makes git read another file as config", kPlanted},
    {"include.*", changes, "makes git read another file as config", kPlanted},
    {"includeIf.*", changes, "makes git read another file as config", kPlanted},
    {"url.*.insteadOf", redirects, "replaces addresses by others", kRedirect},
    {"url.*.pushInsteadOf", redirects, "replaces addresses by others", kRedirect},
    {"url.*", changes, "replaces addresses by others", kRedirect},
    {"http.proxy", redirects, "sends git's traffic through a proxy", kInterception},
    {"http.*.proxy", redirects, "sends git's traffic through a proxy", kInterception},
    {"http.sslVerify", redirects, "can switch off the check of who answers", kInterception},
    {"http.*.sslVerify", redirects, "can switch off the check of who answers", kInterception},
    {"http.*", changes, "can send git's traffic through a proxy or switch off its checks",
     kInterception},
    {"https.proxy", redirects, "sends git's traffic through a proxy", kInterception},
    {"https.*", changes, "can send git's traffic through a proxy", kInterception},
    {"protocol.*", changes, "allows transports that run programs", "ext:: addresses"},
    {"remote.*.uploadpack", runs, "names the program that a fetch runs", kPlanted},
    {"remote.*.receivepack", runs, "names the program that a push runs", kPlanted},
    {"remote.*.vcs", runs, "names a helper program that fetch and push run", kPlanted},
    {"remote.*.proxy", redirects, "sends the remote's traffic through a proxy", kInterception},
    {"remote.*.push", changes, "changes which branches a push writes", kRedirect},
    {"remote.*.mirror", changes, "makes a push delete what is not here, a fetch overwrite branches",
     ""},
    {"remote.*.promisor", changes, "makes git fetch missing objects by itself", "CVE-2024-32004"},
    {"remote.*.url", changes, "leads elsewhere", kRedirect},
    {"remote.*.pushurl", changes, "leads elsewhere", kRedirect},
    {"remote.*.fetch", changes, "can overwrite branches and the refs of other remotes", ""},
    {"remote.pushDefault", changes, "decides where git push goes", kRedirect},
    {"branch.*.pushRemote", changes, "decides where git push goes from that branch", kRedirect},
    {"branch.*.mergeOptions", changes, "adds options to every merge into that branch", ""},
    {"push.*", changes, "decides what git push writes, and where", kRedirect},
    {"submodule.*.update", runs, "can be a command that git submodule update runs",
     "CVE-2019-19604: submodule update = !command"},
    {"submodule.*.url", changes, "leads elsewhere", kRedirect},
    {"uploadpack.packObjectsHook", runs, "names a program that serves fetches", "CVE-2024-32465"},
    {"uploadpack.*", may_run, "can name a program that serves fetches", "CVE-2024-32465"},
    {"receive.*", changes, "changes what a push into this repository may do", ""},
    {"gc.recentObjectsHook", runs, "names a program that git gc runs", kPlanted},
    {"init.templateDir", hooks, "names a folder whose hooks come into new repositories", kPlanted},
    {"sendemail.smtpServer", runs, kMail, kPlanted},
    {"sendemail.*.smtpServer", runs, kMail, kPlanted},
    {"sendemail.sendmailCmd", runs, kMail, kPlanted},
    {"sendemail.*.sendmailCmd", runs, kMail, kPlanted},
    {"sendemail.toCmd", runs, kMail, kPlanted},
    {"sendemail.*.toCmd", runs, kMail, kPlanted},
    {"sendemail.ccCmd", runs, kMail, kPlanted},
    {"sendemail.*.ccCmd", runs, kMail, kPlanted},
    {"sendemail.headerCmd", runs, kMail, kPlanted},
    {"sendemail.*.headerCmd", runs, kMail, kPlanted},
    {"sendemail.*", may_run, "can name programs that git send-email runs", kPlanted},
    {"imap.tunnel", runs, "names a program that git imap-send runs", kPlanted},
    {"imap.*", may_run, "can name a program that git imap-send runs", kPlanted},
    {"web.browser", runs, kPage, kPlanted},
    {"help.browser", runs, kPage, kPlanted},
    {"browser.*.cmd", runs, kPage, kPlanted},
    {"browser.*.path", runs, kPage, kPlanted},
    {"browser.*", may_run, "can name a program that git opens pages with", kPlanted},
    {"man.*.cmd", runs, "names a program that git help runs", kPlanted},
    {"man.*.path", runs, "names a program that git help runs", kPlanted},
    {"man.*", may_run, "can name a program that git help runs", kPlanted},
    {"guitool.*.cmd", runs, "names a program that git gui runs", kPlanted},
    {"guitool.*", may_run, "can name a program that git gui runs", kPlanted},
    {"instaweb.httpd", runs, "names a program that git instaweb runs", kPlanted},
    {"instaweb.browser", runs, "names a program that git instaweb runs", kPlanted},
    {"instaweb.*", may_run, "can name a program that git instaweb runs", kPlanted},
    {"safe.*", changes, "decides which repositories git trusts", "CVE-2022-24765"},
    {"lfs.customtransfer.*.path", runs, "names a program that git lfs runs", kPlanted},
    {"lfs.extension.*.clean", runs, "names a program that git lfs runs", kPlanted},
    {"lfs.extension.*.smudge", runs, "names a program that git lfs runs", kPlanted},
    {"lfs.*", changes, "can name programs and addresses of git lfs", kPlanted},
    {"ssh.*", changes, "changes how git calls ssh", ""},
    {"trace2.*", changes, "makes git write what it does to a file or socket", ""},
    {"user.name", changes, "has gone unquoted into command lines", "CVE-2025-59041"},
    {"user.email", changes, "has gone unquoted into command lines", "CVE-2025-59041"},
};

bool equal(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

// A star stands at the end alone: "customtransfer.*".
bool matches_subsection(std::string_view pattern, std::string_view subsection) {
  if (!pattern.ends_with('*')) return equal(pattern, subsection);
  pattern.remove_suffix(1);
  return equal(pattern, subsection.substr(0, pattern.size()));
}

}  // namespace

Key split_key(std::string_view key) {
  size_t first = key.find('.'), last = key.rfind('.');
  Key parts;
  parts.section = key.substr(0, first);
  if (last == std::string_view::npos) return parts;
  parts.variable = key.substr(last + 1);
  if (first != last) parts.subsection = key.substr(first + 1, last - first - 1);
  return parts;
}

bool matches_key(std::string_view pattern, const Key& key) {
  Key parts = split_key(pattern);
  if (!equal(parts.section, key.section)) return false;
  if (parts.variable == "*") return true;
  if (parts.subsection.has_value() != key.subsection.has_value()) return false;
  return equal(parts.variable, key.variable) &&
         (!parts.subsection || matches_subsection(*parts.subsection, *key.subsection));
}

std::span<const KnownKey> known_keys() { return kKnown; }

const KnownKey* find_known(const Key& key) {
  for (const KnownKey& known : kKnown) {
    if (matches_key(known.pattern, key)) return &known;
  }
  return nullptr;
}

}  // namespace ringwall::git
