// P07 and P08: the real home folder, and the credentials that lie in it.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"
#include "base/path.h"
#include "base/syscalls.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

// More steps up than any path has: the kernel stops at the root.
std::string climb() {
  std::string dots;
  for (int i = 0; i < 40; i++)
    dots += "../";
  return dots;
}

int read_by_openat2(const Outside& outside, uint64_t resolve) {
  Fd root(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root) return errno;
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC;
  how.resolve = resolve;
  Fd file(sys::openat2(root.get(), outside.canary_file.substr(1).c_str(), how));
  if (!file) return errno;
  return read_secret("/proc/self/fd/" + std::to_string(file.get()), outside.canary_secret);
}

void read_by_links(Acts& acts, const Outside& outside) {
  Scratch scratch(outside.workspace);
  if (!scratch) return acts.untried("the workspace cannot be written");
  const std::string& canary = outside.canary_file;
  std::string soft = scratch.path() + "/soft", hard = scratch.path() + "/hard";
  int err = symlink(canary.c_str(), soft.c_str()) == 0 ? 0 : errno;
  acts.tried("read by a symlink", err != 0 ? err : read_secret(soft, outside.canary_secret));
  err = link(canary.c_str(), hard.c_str()) == 0 ? 0 : errno;
  acts.tried("read by a hard link", err != 0 ? err : read_secret(hard, outside.canary_secret));
  unlink(hard.c_str());
  int followed = linkat(AT_FDCWD, soft.c_str(), AT_FDCWD, hard.c_str(), AT_SYMLINK_FOLLOW);
  err = followed == 0 ? 0 : errno;
  acts.tried("read by a hard link through a symlink",
             err != 0 ? err : read_secret(hard, outside.canary_secret));
}

// A folder moved into the workspace would bring its content along. It is moved back at once.
void read_by_rename(Acts& acts, const Outside& outside) {
  std::string folder = path::parent(outside.canary_file);
  if (folder == outside.home) return;  // too much to move, even for a moment
  Scratch scratch(outside.workspace);
  if (!scratch) return;  // said already
  std::string moved = scratch.path() + "/moved";
  if (rename(folder.c_str(), moved.c_str()) < 0)
    return acts.stopped("read after renaming its folder", errno);
  int err = read_secret(moved + "/" + std::string(path::basename(outside.canary_file)),
                        outside.canary_secret);
  rename(moved.c_str(), folder.c_str());
  acts.tried("read after renaming its folder", err);
}

// Root, working folder and open folders of every process in sight are doors.
void read_by_processes(Acts& acts, const Outside& outside) {
  for (int pid : visible_pids()) {
    std::string folder = "/proc/" + std::to_string(pid);
    std::string who = pid == getpid() ? "own" : pid == 1 ? "pid 1's" : "another's";
    acts.tried("read by " + who + " root",
               read_secret(folder + "/root" + outside.canary_file, outside.canary_secret));
    acts.tried("read by " + who + " working folder",
               read_secret(folder + "/cwd/" + climb() + outside.canary_file.substr(1),
                           outside.canary_secret));
    for (const std::string& fd : names_in(folder + "/fd")) {
      std::string door = folder + "/fd/" + fd;
      struct stat facts;
      if (stat(door.c_str(), &facts) < 0 || !S_ISDIR(facts.st_mode)) continue;
      acts.tried(
          "read by " + who + " open folder",
          read_secret(door + "/" + climb() + outside.canary_file.substr(1), outside.canary_secret));
    }
  }
}

constexpr const char* kCredentials[] = {
    ".ssh/id_rsa",
    ".ssh/id_ed25519",
    ".ssh/id_ecdsa",
    ".ssh/config",
    ".ssh/known_hosts",
    ".gnupg/secring.gpg",
    ".gnupg/trustdb.gpg",
    ".gnupg/pubring.kbx",
    ".aws/credentials",
    ".aws/config",
    ".azure/accessTokens.json",
    ".azure/msal_token_cache.json",
    ".config/gcloud/credentials.db",
    ".config/gcloud/application_default_credentials.json",
    ".kube/config",
    ".docker/config.json",
    ".config/doctl/config.yaml",
    ".oci/config",
    ".terraform.d/credentials.tfrc.json",
    ".vault-token",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".config/pip/pip.conf",
    ".cargo/credentials.toml",
    ".cargo/credentials",
    ".gem/credentials",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".composer/auth.json",
    ".nuget/NuGet/NuGet.Config",
    ".netrc",
    ".git-credentials",
    ".config/git/credentials",
    ".config/gh/hosts.yml",
    ".config/glab-cli/config.yml",
    ".pgpass",
    ".my.cnf",
    ".mozilla/firefox/profiles.ini",
    ".config/google-chrome/Default/Login Data",
    ".config/google-chrome/Default/Cookies",
    ".config/chromium/Default/Login Data",
    ".local/share/keyrings/login.keyring",
    ".password-store/.gpg-id",
    ".claude/.credentials.json",
    ".claude.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".config/github-copilot/hosts.json",
    ".aider.conf.yml",
    ".local/share/opencode/auth.json",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".node_repl_history",
};

// Of the host itself; never granted, so whoever can open one has got out.
constexpr const char* kSystemCredentials[] = {
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/sudoers",
    "/etc/ssh/ssh_host_ed25519_key",
    "/etc/ssh/ssh_host_rsa_key",
    "/etc/krb5.keytab",
    "/etc/kubernetes/admin.conf",
    "/var/run/secrets/kubernetes.io/serviceaccount/token",
    "/root/.ssh/id_rsa",
    "/root/.aws/credentials",
    "/etc/ssl/private/ssl-cert-snakeoil.key",
};

long nanoseconds(const timespec& time) { return time.tv_sec * 1'000'000'000 + time.tv_nsec; }

// One of the same name may lie in the private home: it is another file.
int open_credential(const CredentialFile& wanted) {
  Fd file(open(wanted.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat facts;
  if (!file || fstat(file.get(), &facts) < 0) return errno;
  bool same = facts.st_ino == wanted.inode && facts.st_size == wanted.size &&
              nanoseconds(facts.st_mtim) == wanted.modified;
  return same ? 0 : ENODATA;
}

}  // namespace

std::vector<CredentialFile> find_credentials(const std::string& home) {
  std::vector<CredentialFile> found;
  for (const char* name : kCredentials) {
    std::string path = home + "/" + name;
    struct stat facts;
    if (stat(path.c_str(), &facts) < 0) continue;
    found.push_back({path, facts.st_ino, facts.st_size, nanoseconds(facts.st_mtim)});
  }
  return found;
}

Verdict probe_home(const Outside& outside) {
  Acts acts;
  if (outside.canary_file.empty() || outside.canary_secret.empty()) {
    acts.untried("no canary was planted");
    return acts.verdict();
  }
  const std::string& canary = outside.canary_file;
  acts.tried("read by its path", read_secret(canary, outside.canary_secret));
  acts.tried("read by ..", read_secret(climb() + canary.substr(1), outside.canary_secret));
  acts.tried("read from the workspace by ..",
             read_secret(outside.workspace + "/" + climb() + canary, outside.canary_secret));
  acts.tried("read by /proc/self/root",
             read_secret("/proc/self/root" + canary, outside.canary_secret));
  acts.tried("read by /proc/thread-self/root",
             read_secret("/proc/thread-self/root" + canary, outside.canary_secret));
  acts.tried("read by openat2", read_by_openat2(outside, 0));
  acts.tried("read by openat2 in a root", read_by_openat2(outside, RESOLVE_IN_ROOT));
  read_by_links(acts, outside);
  read_by_processes(acts, outside);
  read_by_rename(acts, outside);
  return acts.verdict();
}

Verdict probe_credentials(const Outside& outside) {
  Acts acts;
  for (const CredentialFile& file : outside.credentials)
    acts.tried("open " + file.path, open_credential(file));
  if (!outside.canary_file.empty())
    acts.tried("read the canary", read_secret(outside.canary_file, outside.canary_secret));
  for (const char* path : kSystemCredentials)
    acts.tried(std::string("open ") + path, try_open(path, O_RDONLY));
  return acts.verdict();
}

}  // namespace ringwall::probes
