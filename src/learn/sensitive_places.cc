#include "learn/sensitive_places.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/profiles.h"
#include "sandbox/toolchain.h"

namespace ringwall::learn {
namespace {

// Besides the tables of hidden files and of profiles, which know single files and agents.
constexpr KnownPlaces kInHome[] = {
    {".ssh", "keys of ssh, and the hosts they open"},
    {".gnupg .pki .local/share/keyrings .password-store .local/share/kwalletd",
     "keys and passwords"},
    {".aws .azure .config/gcloud .oci .kube .docker .config/containers .terraform.d .config/doctl "
     ".config/hcloud .fly .config/rclone .config/op .config/Bitwarden .vault-token",
     "logins of clouds and registries"},
    {".config/gh .config/glab-cli .config/hub .netrc .git-credentials .config/git/credentials "
     ".npmrc .pypirc .gem/credentials .cargo/credentials .cargo/credentials.toml "
     ".m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .config/pip",
     "logins of forges and package registries"},
    {".mozilla .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge "
     ".thunderbird .config/Signal .config/Slack .config/discord .local/share/TelegramDesktop",
     "sessions of browsers and messengers"},
    {".bitcoin .ethereum .electrum .config/solana", "wallets"},
    {".bash_history .zsh_history .histfile .local/share/fish/fish_history .python_history "
     ".node_repl_history .psql_history .mysql_history .lesshst .viminfo",
     "a history of what was typed"},
    {".bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin "
     ".config/fish .config/environment.d .xprofile .xsessionrc",
     "start files of shells, where tokens are kept and which run outside"},
    {".gitconfig .config/git",
     "git's settings: those that name no program, file or machine come in by themselves"},
    {".Xauthority .ICEauthority .dbus .config/systemd .config/autostart .local/share/systemd",
     "the desktop session, or what starts with it"},
};

constexpr KnownPlaces kElsewhere[] = {
    {"/run /var/run", "what daemons talk through"},
    {"/proc /sys /dev", "the kernel's own"},
    {"/etc/ssl/private /etc/ssh /etc/shadow /etc/gshadow /etc/sudoers /etc/sudoers.d "
     "/var/spool/cron",
     "keys, passwords or rights of the system"},
    {"/var/lib/docker /var/lib/containerd /var/lib/libvirt", "files of other machines"},
};

constexpr std::string_view kSystem[] = {"/usr", "/etc", "/bin",  "/sbin",
                                        "/lib", "/var", "/boot", "/lib64"};
constexpr size_t kMostLookedAt = 2000;  // files whose content decides

std::string beginning_of(const std::string& path) {
  auto fd = file::open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
  std::string bytes(files::kMostLookedAt, '\0');
  ssize_t got = fd ? pread(fd->get(), bytes.data(), bytes.size(), 0) : -1;
  bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return bytes;
}

// Either holds the other.
std::string compare(const std::string& path, const std::string& place, std::string_view what) {
  if (path::is_beneath(path, place)) return std::string(what);
  if (path::is_beneath(place, path))
    return "holds " + text::quote(place) + ": " + std::string(what);
  return {};
}

}  // namespace

std::span<const KnownPlaces> sensitive_in_home() { return kInHome; }
std::span<const KnownPlaces> sensitive_elsewhere() { return kElsewhere; }

Result<SensitivePlaces> SensitivePlaces::collect(const state::Caller& caller,
                                                 const state::Places& places) {
  TRY_ASSIGN(files::HiddenNames hidden, files::HiddenNames::compile({}, {}));
  TRY_ASSIGN(files::ProtectedNames names, files::ProtectedNames::compile({}, {}));
  SensitivePlaces all(caller, places, std::move(hidden), std::move(names));
  for (const KnownPlaces& known : kInHome) {
    for (const std::string& path : text::split(known.paths, ' '))
      all.in_home_.push_back({path, std::string(known.what)});
  }
  for (const policy::Profile& profile : policy::profiles()) {
    policy::LoadedText loaded = policy::load_profile(profile, caller.home);
    for (const policy::Setting& setting : loaded.text.settings) {
      const auto* value = std::get_if<std::string>(&setting.value);
      bool is_store = setting.field->key == "home.login";
      if (value == nullptr || (!is_store && setting.field->key != "home.credentials")) continue;
      std::string path = is_store ? value->substr(value->find(':') + 1) : *value;
      all.in_home_.push_back({path, "the login of " + std::string(profile.description())});
    }
  }
  return all;
}

std::string SensitivePlaces::why(const std::string& path, bool writes) const {
  std::string named = why_at(path, writes);
  if (!named.empty()) return named;
  std::string real = sandbox::follow_links(path).end;
  return real == path ? std::string() : why_at(real, writes);
}

std::string SensitivePlaces::why_at(const std::string& path, bool writes) const {
  struct stat facts;
  bool is_there = lstat(path.c_str(), &facts) == 0;
  bool is_folder = is_there && S_ISDIR(facts.st_mode);
  if (is_there && S_ISSOCK(facts.st_mode)) return "a socket: whoever answers acts with your rights";
  if (is_there && !is_folder && !S_ISREG(facts.st_mode) && !S_ISLNK(facts.st_mode))
    return "neither a file nor a folder";
  for (const std::string& own :
       {places_.state, places_.runs, places_.config, places_.usual_config}) {
    if (path::is_beneath(path, own)) return "Ringwall's own files";
  }
  bool in_home = path::is_beneath(path, caller_.home);
  bool as_named = path::is_beneath(path, caller_.home_as_named);
  std::string found;
  if (in_home || as_named) {
    const std::string& home = in_home ? caller_.home : caller_.home_as_named;
    found = path == home ? "it is your home folder" : why_in_home(path.substr(home.size() + 1));
  } else {
    found = why_outside_home(path);
    // For root above all, who may read everything.
    if (found.empty() && is_there && !S_ISLNK(facts.st_mode) && (facts.st_mode & S_IROTH) == 0)
      found = "others on this machine may not read it";
  }
  if (found.empty() && !is_folder) found = why_by_name(path);
  if (found.empty() && writes) found = why_protected(path, is_folder);
  return found;
}

std::string SensitivePlaces::why_in_home(const std::string& relative) const {
  for (const InHome& place : in_home_) {
    if (path::is_beneath(relative, place.path)) return place.what;
    if (path::is_beneath(place.path, relative)) return "holds ~/" + place.path + ": " + place.what;
  }
  return {};
}

std::string SensitivePlaces::why_outside_home(const std::string& path) const {
  for (const KnownPlaces& known : kElsewhere) {
    for (const std::string& place : text::split(known.paths, ' ')) {
      std::string found = compare(path, place, known.what);
      if (!found.empty()) return found;
    }
  }
  if (path::is_beneath(caller_.home, path)) return "it holds your home folder";
  bool of_another = path::is_beneath(path, "/home") || path::is_beneath(path, "/root");
  // Homebrew is everybody's.
  if (of_another && !path::is_beneath(path, "/home/linuxbrew/.linuxbrew"))
    return "another person's home folder";
  return {};
}

// By the table of hidden files: a name, or what stands in it.
std::string SensitivePlaces::why_by_name(const std::string& path) const {
  using Verdict = files::HiddenNames::Verdict;
  std::string relative = path.substr(1);
  if (path::is_beneath(path, caller_.home) && path != caller_.home)
    relative = path.substr(caller_.home.size() + 1);
  Verdict verdict = hidden_.judge_name(relative);
  if (verdict == Verdict::no) return {};
  if (verdict == Verdict::hide) return std::string(hidden_.name_reason(relative));
  if (looked_at_++ >= kMostLookedAt) return "it has the name of a secret";
  return std::string(hidden_.judge_content(relative, beginning_of(path)).value_or(""));
}

std::string SensitivePlaces::why_protected(const std::string& path, bool is_folder) const {
  for (std::string_view tree : kSystem) {
    if (path::is_beneath(path, tree)) return "part of the system";
  }
  std::string relative = path.substr(1);
  for (size_t end = relative.find('/');; end = relative.find('/', end + 1)) {
    bool whole = end == std::string::npos;
    auto pattern = protected_.match(relative.substr(0, end), whole ? is_folder : true);
    if (pattern)
      return "protected (" + std::string(*pattern) +
             "): " + files::ProtectedNames::reason_for(*pattern);
    if (whole) return {};
  }
}

}  // namespace ringwall::learn
