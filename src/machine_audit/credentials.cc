// Credentials in the home folder: that they are there, who may read them, and whether what lies
// there can be used by whoever takes it. Their bytes are compared with signs, never taken apart.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "machine_audit/machine.h"

namespace ringwall::machine_audit {
namespace {

constexpr size_t kLookedAt = 64 << 10;

struct Credential {
  std::string_view path;     // below the home
  std::string_view sign;     // what it holds if it holds a secret; empty: it always does
  std::string_view hide;     // what a sandbox should not show; empty: the agent needs it itself
  std::string_view lasting;  // how to do without, if it is plain text that never ends
};
constexpr Credential kCredentials[] = {
    {".aws/credentials", "aws_secret_access_key", ".aws", "aws configure sso"},
    {".netrc", "password", ".netrc", "keep the login in a keyring"},
    {".git-credentials", "://", ".git-credentials", "git config credential.helper libsecret"},
    {".config/git/credentials", "://", ".config/git/credentials",
     "git config credential.helper libsecret"},
    {".npmrc", "_authToken=", ".npmrc", "npm login gives tokens that end; use ${NPM_TOKEN}"},
    {".pypirc", "password", ".pypirc", "use trusted publishing, or keyring"},
    {".docker/config.json", "\"auth\":", ".docker/config.json", "set a credsStore"},
    {".config/gh/hosts.yml", "oauth_token:", ".config/gh", "gh auth login, with a keyring"},
    {".kube/config", "client-key-data:", ".kube", "use an exec login that ends by itself"},
    {".kube/config", "token:", ".kube", "use an exec login that ends by itself"},
    {".vault-token", "", ".vault-token", ""},
    {".cargo/credentials.toml", "token", ".cargo/credentials.toml", "cargo:token-from-stdout"},
    {".config/gcloud/application_default_credentials.json", "", ".config/gcloud", ""},
    {".azure/msal_token_cache.json", "", ".azure", ""},
    {".terraform.d/credentials.tfrc.json", "token", ".terraform.d", "terraform login again"},
    {".pgpass", "", ".pgpass", ""},
    {".gem/credentials", "", ".gem/credentials", ""},
    {".claude/.credentials.json", "", "", ""},
    {".codex/auth.json", "", "", ""},
    {".gemini/oauth_creds.json", "", "", ""},
    {".local/share/opencode/auth.json", "", "", ""},
    {".config/github-copilot/apps.json", "", "", ""},
};

std::string beginning_of(const std::string& path) {
  auto fd = file::open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  struct stat facts;
  if (!fd || fstat(fd->get(), &facts) < 0 || !S_ISREG(facts.st_mode)) return {};
  std::string bytes(kLookedAt, '\0');
  ssize_t got = pread(fd->get(), bytes.data(), bytes.size(), 0);
  bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return bytes;
}

// Of the forms that ssh-keygen and openssl write.
bool has_no_passphrase(std::string_view key) {
  if (!key.starts_with("-----BEGIN ") || key.find("PRIVATE KEY-----") == key.npos) return false;
  if (key.starts_with("-----BEGIN ENCRYPTED")) return false;
  if (!key.starts_with("-----BEGIN OPENSSH")) return key.find("ENCRYPTED") == key.npos;
  // "openssh-key-v1", then the name of the cipher, in base64: "none".
  return key.find("b3BlbnNzaC1rZXktdjEAAAAABG5vbmU") != key.npos;
}

void look_at_readers(const std::string& path, const struct stat& facts,
                     const MachineRequest& request, std::vector<Finding>& findings) {
  if (is_read_by_others(facts, request))
    findings.push_back(audit::make_finding("RW197", path, 0, "others may read it",
                                           "chmod go= " + text::shell_word(path)));
}

void look_at_keys(const MachineRequest& request, MachineFiles& files,
                  std::vector<std::string>& there) {
  std::string folder = path::join(request.home, ".ssh");
  auto fd = file::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (!fd) return;
  auto names = file::list(fd->get());
  if (!names) return;
  std::sort(names->begin(), names->end(), [](auto& a, auto& b) { return a.name < b.name; });
  bool has_key = false;
  for (const file::Entry& entry : *names) {
    if (entry.name.ends_with(".pub") || entry.name.starts_with("known_hosts")) continue;
    std::string path = path::join(folder, entry.name);
    struct stat facts;
    if (stat(path.c_str(), &facts) < 0 || !S_ISREG(facts.st_mode)) continue;
    std::string key = beginning_of(path);
    if (!key.starts_with("-----BEGIN ") || key.find("PRIVATE KEY") == key.npos) continue;
    has_key = true;
    look_at_readers(path, facts, request, files.findings);
    if (has_no_passphrase(key))
      files.findings.push_back(audit::make_finding("RW196", path, 0, "a private key as it is",
                                                   "ssh-keygen -p -f " + text::shell_word(path)));
  }
  if (!has_key) return;
  files.credentials.emplace_back(".ssh");
  there.emplace_back("~/.ssh");
}

}  // namespace

void look_at_credentials(const MachineRequest& request, MachineFiles& files) {
  std::vector<std::string> there;
  look_at_keys(request, files, there);
  for (const Credential& known : kCredentials) {
    std::string path = path::join(request.home, known.path);
    struct stat facts;
    if (stat(path.c_str(), &facts) < 0 || !S_ISREG(facts.st_mode)) continue;
    std::string bytes = beginning_of(path);
    if (!known.sign.empty() && bytes.find(known.sign) == bytes.npos) continue;
    bool comes_elsewhere = known.path == ".npmrc" && bytes.find("_authToken=${") != bytes.npos;
    bool ends_itself =
        known.path == ".aws/credentials" && bytes.find("aws_session_token") != bytes.npos;
    if (comes_elsewhere) continue;
    look_at_readers(path, facts, request, files.findings);
    if (!known.lasting.empty() && !ends_itself)
      files.findings.push_back(audit::make_finding("RW198", path, 0, known.path, known.lasting));
    std::string hide(known.hide);
    bool is_new = std::find(files.credentials.begin(), files.credentials.end(), hide) ==
                  files.credentials.end();
    if (!hide.empty() && is_new) files.credentials.push_back(hide);
    std::string name = "~/" + std::string(known.path);
    if (there.empty() || there.back() != name) there.push_back(name);
  }
  if (!there.empty())
    files.findings.push_back(
        audit::make_finding("RW199", request.home, 0, text::join(there, ", ")));
}

}  // namespace ringwall::machine_audit
