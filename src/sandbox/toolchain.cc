#include "sandbox/toolchain.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/file.h"
#include "base/path.h"
#include "base/syscalls.h"
#include "base/text.h"

namespace ringwall::sandbox {
namespace {

constexpr InstallRoot kInstallRoots[] = {
    {".nvm/versions/node/*", "", "Node by nvm"},
    {".local/share/fnm", "", "Node by fnm"},
    {".local/state/fnm_multishells", "", "Node by fnm"},
    {".volta", ".volta/bin .volta/tools .volta/hooks.json", "Node by Volta"},
    {".npm-global", ".npm-global/bin .npm-global/lib", "global packages of npm"},
    {".local/share/pnpm", "", "global packages of pnpm"},
    {".bun", ".bun/bin .bun/install/global", "Bun"},
    {".deno", ".deno/bin", "Deno"},
    {".pyenv", "", "Python by pyenv"},
    {".local/share/uv/tools/*", "", "a tool installed by uv"},
    {".local/share/uv/python", "", "Python by uv"},
    {".local/share/pipx/venvs/*", "", "a tool installed by pipx"},
    {".local/pipx/venvs/*", "", "a tool installed by pipx"},
    {"miniconda3", "", "conda"},
    {"miniforge3", "", "conda"},
    {"anaconda3", "", "conda"},
    // Not ~/.cargo itself: credentials.toml lies there.
    // rustup does not start without update-hashes, which holds digests alone.
    {".cargo/bin", ".cargo/bin .rustup/toolchains .rustup/settings.toml .rustup/update-hashes",
     "Rust by rustup"},
    {".rustup/toolchains/*", ".rustup/toolchains .rustup/settings.toml .rustup/update-hashes",
     "Rust by rustup"},
    {"go/bin", "", "programs installed by Go"},
    {"sdk/*", "", "Go by its own download"},
    {".sdkman/candidates", "", "Java by SDKMAN"},
    {".asdf", "", "asdf"},
    {".local/share/mise", ".local/share/mise/installs .local/share/mise/shims", "mise"},
    {".ghcup", ".ghcup/bin .ghcup/ghc .ghcup/cabal", "Haskell by ghcup"},
    {".opencode/bin", "", "opencode"},
    {".local/share/claude/versions/*", "", "Claude Code"},
    {".claude/local", "", "Claude Code"},
};

// The same outside the home. /opt is not shown as a whole: databases there keep their sockets
// beside their programs.
constexpr InstallRoot kInstallRootsElsewhere[] = {
    {"/opt/*", "", "a program installed apart"},
    {"/home/linuxbrew/.linuxbrew", "", "Homebrew"},
};

constexpr std::string_view kSystemTrees[] = {"/usr", "/bin",   "/sbin",
                                             "/lib", "/lib64", "/nix/store"};
constexpr std::string_view kDefaultPath[] = {"/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
                                             "/usr/bin",        "/sbin",          "/bin"};
constexpr int kMostLinks = 40;     // as the kernel
constexpr int kMostPrograms = 64;  // of interpreters that need interpreters, and of ~/.local/bin

// The part of `path` that `pattern` matches, or empty.
std::string match_prefix(const std::vector<std::string>& path, std::string_view pattern) {
  std::vector<std::string> wanted = path::components(pattern);
  if (path.size() < wanted.size()) return {};
  std::vector<std::string> matched;
  for (size_t i = 0; i < wanted.size(); i++) {
    if (wanted[i] != "*" && wanted[i] != path[i]) return {};
    matched.push_back(path[i]);
  }
  return text::join(matched, "/");
}

class Search {
 public:
  explicit Search(const ToolchainRequest& request) : request_(request) {}

  Toolchain run() {
    find_program();
    grant_path_folders();
    found_.search_path = inside_path();
    return std::move(found_);
  }

 private:
  void find_program() {
    std::string path = locate(request_.program);
    if (path.empty()) return;
    found_.program = path;
    found_.executable = access(path.c_str(), X_OK) == 0;
    visit(path, "the program to run");
  }

  std::string locate(const std::string& name) const {
    return locate_program(name, request_.search_path, request_.working_folder);
  }

  bool is_writable_inside(const std::string& path) const {
    return std::any_of(request_.writable.begin(), request_.writable.end(),
                       [&](const std::string& tree) { return path::is_beneath(path, tree); });
  }

  static bool is_system(const std::string& path) {
    return std::any_of(std::begin(kSystemTrees), std::end(kSystemTrees),
                       [&](std::string_view tree) { return path::is_beneath(path, tree); });
  }

  bool is_visible(const std::string& path) const {
    auto holds = [&](std::string_view tree) { return path::is_beneath(path, tree); };
    return is_system(path) ||
           std::any_of(request_.readable.begin(), request_.readable.end(), holds) ||
           std::any_of(found_.grants.begin(), found_.grants.end(),
                       [&](const Grant& grant) { return holds(grant.path); }) ||
           is_writable_inside(path);
  }

  // Follows one program of the person's to everything it needs.
  void visit(const std::string& program, std::string_view reason = "an interpreter") {
    if (!visited_.insert(program).second || visited_.size() > kMostPrograms) return;
    if (is_writable_inside(program)) return;
    Way way = follow_links(program);
    if (leads_by_others_links(way)) return;
    for (const LinkOnTheWay& link : way.links) {
      grant_install_root(link.path);
      found_.links.push_back(link);
    }
    if (is_writable_inside(way.end) || !is_program(way.end)) return;
    if (!grant_install_root(way.end)) grant_exactly(way.end, reason);
    if (is_the_persons(way.end)) follow_first_line(way.end);
  }

  // No agent of an earlier run could write it.
  bool is_the_persons(const std::string& path) const {
    return is_system(path) || !request_.was_writable(path);
  }

  // A link that an agent could make may lead to anything.
  bool leads_by_others_links(const Way& way) const {
    return std::ranges::any_of(way.links, [&](const LinkOnTheWay& link) {
      return is_writable_inside(link.path) || !is_the_persons(link.path);
    });
  }

  static bool is_program(const std::string& path) {
    struct stat facts;
    return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
           access(path.c_str(), X_OK) == 0;
  }

  // A script may lie where an agent wrote it in an earlier run, and then its first line is the
  // agent's. A name in it means what PATH says; a path in it leads only to where programs are.
  void follow_first_line(const std::string& script) {
    for (const std::string& name : programs_of_first_line(script)) {
      bool by_path = name.find('/') != std::string::npos;
      std::string interpreter = by_path ? path::absolute(name, "/") : locate(name);
      if (interpreter.empty()) continue;
      if (!by_path || is_visible(interpreter) || is_installed(interpreter)) visit(interpreter);
    }
  }

  bool is_installed(const std::string& path) const {
    std::vector<std::string> below_home = path::components(
        path::is_beneath(path, request_.home) ? path.substr(request_.home.size()) : "");
    std::vector<std::string> parts = path::components(path);
    auto holds = [](std::span<const InstallRoot> roots, const std::vector<std::string>& place) {
      return std::any_of(roots.begin(), roots.end(), [&](const InstallRoot& root) {
        return !match_prefix(place, root.pattern).empty();
      });
    };
    return holds(kInstallRoots, below_home) || holds(kInstallRootsElsewhere, parts);
  }

  // Grants the installation that holds `path`, if it is of a known kind.
  bool grant_install_root(const std::string& path) {
    if (path::is_beneath(path, request_.home)) {
      return grant_matching(kInstallRoots, request_.home, path.substr(request_.home.size()));
    }
    return grant_matching(kInstallRootsElsewhere, "/", path);
  }

  bool grant_matching(std::span<const InstallRoot> roots, const std::string& base,
                      const std::string& path) {
    std::vector<std::string> parts = path::components(path);
    for (const InstallRoot& root : roots) {
      std::string matched = match_prefix(parts, root.pattern);
      if (matched.empty()) continue;
      if (root.grants.empty()) {
        add_grant(path::join(base, matched), root.reason);
      } else {
        for (const std::string& name : text::split(root.grants, ' ')) {
          add_grant(path::join(base, name), root.reason);
        }
      }
      return true;
    }
    return false;
  }

  void grant_exactly(const std::string& file, std::string_view reason) {
    if (is_visible(file)) return;
    // What lies around it may be there only to be granted.
    if (!is_the_persons(file)) return add_grant(file, reason);
    // A package of Node: its own folder, which holds what it needs.
    if (size_t at = file.rfind("/node_modules/"); at != std::string::npos) {
      size_t end = file.find('/', at + 14);
      if (end != std::string::npos && file[at + 14] == '@') end = file.find('/', end + 1);
      if (end != std::string::npos) return add_grant(file.substr(0, end), "a package of Node");
    }
    std::string environment = path::parent(path::parent(file));
    if (file::exists(environment + "/pyvenv.cfg"))
      return add_grant(environment, "a virtual environment");
    add_grant(file, reason);
  }

  void add_grant(const std::string& wanted, std::string_view reason) {
    Way way = follow_links(wanted);  // the home may lie behind a link
    if (is_visible(way.end) || !file::exists(way.end) || way.end == request_.home) return;
    if (leads_by_others_links(way)) return;
    found_.grants.push_back({way.end, Access::read, std::string(reason)});
    found_.links.insert(found_.links.end(), way.links.begin(), way.links.end());
  }

  // A folder on PATH tells which toolchains the person works with.
  void grant_path_folders() {
    for (const std::string& folder : text::split(request_.search_path, ':')) {
      if (!folder.starts_with('/') || is_visible(folder)) continue;
      if (is_writable_inside(folder) || !file::exists(folder)) continue;
      Way way = follow_links(folder);
      if (leads_by_others_links(way)) continue;
      if (folder == path::join(request_.home, ".local/bin")) {
        grant_local_bin(folder);
      } else if (!grant_install_root(way.end)) {
        grant_environment_on_path(path::parent(way.end));
      }
    }
  }

  void grant_environment_on_path(const std::string& folder) {
    std::string sign = folder + "/pyvenv.cfg";
    if (file::exists(sign) && is_the_persons(sign))
      add_grant(folder, "a virtual environment on PATH");
  }

  // Programs of many origins, mostly links: each is followed like the one that was asked for.
  void grant_local_bin(const std::string& folder) {
    auto dir = file::open(folder, O_RDONLY | O_DIRECTORY);
    if (!dir) return;
    auto entries = file::list(dir->get());
    if (!entries) return;
    for (const file::Entry& entry : *entries) {
      std::string path = path::join(folder, entry.name);
      visit(path, "a program of ~/.local/bin");
    }
  }

  std::string inside_path() const {
    std::vector<std::string> kept;
    auto keep = [&](std::string_view folder) {
      std::string path = path::normalize(folder);
      if (std::find(kept.begin(), kept.end(), path) == kept.end()) kept.push_back(path);
    };
    for (const std::string& folder : text::split(request_.search_path, ':')) {
      if (!folder.starts_with('/')) continue;
      bool holds_a_grant =
          std::any_of(found_.grants.begin(), found_.grants.end(),
                      [&](const Grant& grant) { return path::parent(grant.path) == folder; });
      bool holds_a_link =
          std::any_of(found_.links.begin(), found_.links.end(),
                      [&](const LinkOnTheWay& link) { return path::parent(link.path) == folder; });
      if (holds_a_grant || holds_a_link || is_visible(follow_links(folder).end)) keep(folder);
    }
    for (std::string_view folder : kDefaultPath)
      keep(folder);
    return text::join(kept, ":");
  }

  const ToolchainRequest& request_;
  Toolchain found_;
  std::set<std::string> visited_;
};

// Nearly always so, and one look at the whole path tells it.
bool has_no_links(const std::string& path) {
  if (path != path::normalize(path)) return false;
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS;
  return static_cast<bool>(Fd(sys::openat2(AT_FDCWD, path.c_str(), how)));
}

}  // namespace

std::vector<std::string> programs_of_first_line(const std::string& file) {
  Fd fd(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  char line[256];
  ssize_t length = fd ? read(fd.get(), line, sizeof line) : -1;
  std::string_view first(line, length > 0 ? static_cast<size_t>(length) : 0);
  if (!first.starts_with("#!")) return {};
  first = text::trim(first.substr(2, first.find('\n') - 2));
  std::vector<std::string> words = text::split(first, ' ');
  std::vector<std::string> programs = {words[0]};
  if (path::basename(words[0]) == "env") {
    for (size_t i = 1; i < words.size(); i++) {
      if (words[i].empty() || words[i].starts_with('-') || words[i].find('=') != std::string::npos)
        continue;
      programs.push_back(words[i]);
      break;
    }
  }
  return programs;
}

std::span<const InstallRoot> install_roots() { return kInstallRoots; }

Way follow_links(const std::string& path) {
  if (has_no_links(path)) return {{}, path};
  Way way{{}, "/"};
  std::vector<std::string> rest = path::components(path);
  std::reverse(rest.begin(), rest.end());
  while (!rest.empty()) {
    std::string next = rest.back();
    rest.pop_back();
    if (next == ".") continue;
    if (next == "..") {
      way.end = path::parent(way.end);
      continue;
    }
    std::string candidate = path::join(way.end, next);
    char buffer[PATH_MAX];
    ssize_t length = readlink(candidate.c_str(), buffer, sizeof buffer);
    if (length < 0 || way.links.size() >= kMostLinks) {
      way.end = candidate;
      continue;
    }
    std::string target(buffer, static_cast<size_t>(length));
    if (target.starts_with('/')) way.end = "/";
    std::vector<std::string> more = path::components(target);
    way.links.push_back({candidate, std::move(target)});
    rest.insert(rest.end(), more.rbegin(), more.rend());
  }
  return way;
}

std::string locate_program(const std::string& name, const std::string& search_path,
                           const std::string& working_folder) {
  if (name.find('/') != std::string::npos) {
    std::string path = path::absolute(name, working_folder);
    return file::exists(path) ? path : "";
  }
  std::string not_executable;
  for (const std::string& folder : text::split(search_path, ':')) {
    if (!folder.starts_with('/')) continue;  // "." in PATH would run what a repository planted
    std::string path = path::join(path::normalize(folder), name);
    struct stat facts;
    if (stat(path.c_str(), &facts) < 0 || S_ISDIR(facts.st_mode)) continue;
    if (access(path.c_str(), X_OK) == 0) return path;
    not_executable = path;
  }
  return not_executable;
}

Toolchain collect_toolchain(const ToolchainRequest& request) { return Search(request).run(); }

}  // namespace ringwall::sandbox
