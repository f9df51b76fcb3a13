#include "install/find_copies.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::install {
namespace {

// Below the home. `*` stands for one component.
constexpr std::string_view kInHome[] = {
    ".nvm/versions/node/*/bin",
    ".config/nvm/versions/node/*/bin",
    ".local/share/fnm/node-versions/*/installation/bin",
    ".fnm/node-versions/*/installation/bin",
    ".asdf/installs/nodejs/*/bin",
    ".local/share/mise/installs/node/*/bin",
    ".nodenv/versions/*/bin",
    ".local/bin",
    "bin",
    ".claude/local",
    ".npm-global/bin",
    ".npm-packages/bin",
    ".npm/bin",
    ".local/share/pnpm",
    ".yarn/bin",
    ".config/yarn/global/node_modules/.bin",
    ".bun/bin",
    ".volta/bin",
    ".opencode/bin",
    ".linuxbrew/bin",
    "n/bin",
    "miniconda3/bin",
    "miniforge3/bin",
    ".cargo/bin",
};

constexpr std::string_view kElsewhere[] = {
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/snap/bin",
    "/opt/*/bin",
    "/usr/local/lib/nodejs/*/bin",
};

// Folders whose programs are one program that looks at the name it was started by.
constexpr std::string_view kByName[] = {"/.volta/bin/", "/.asdf/shims/", "/mise/shims/",
                                        "/.nodenv/shims/"};

constexpr std::string_view kOfAProject = "/node_modules/.bin/";
constexpr std::string_view kNoProject = "/yarn/global/";

// Variables that name a folder, and what is searched below it.
struct Named {
  const char* variable;
  const char* below;
};
constexpr Named kNamed[] = {
    {"NVM_DIR", "/versions/node/*/bin"},
    {"NPM_CONFIG_PREFIX", "/bin"},
    {"npm_config_prefix", "/bin"},
    {"PNPM_HOME", ""},
    {"BUN_INSTALL", "/bin"},
    {"VOLTA_HOME", "/bin"},
    {"N_PREFIX", "/bin"},
    {"HOMEBREW_PREFIX", "/bin"},
};

constexpr std::string_view kBundled[] = {
    ".vscode/extensions/*/resources/native-binary",
    ".vscode-server/extensions/*/resources/native-binary",
    ".vscode-insiders/extensions/*/resources/native-binary",
    ".vscode-oss/extensions/*/resources/native-binary",
    ".cursor/extensions/*/resources/native-binary",
    ".windsurf/extensions/*/resources/native-binary",
    ".npm/_npx/*/node_modules/.bin",
};

// "prefix = ~/.npm-packages" of ~/.npmrc.
std::string prefix_of_npmrc(const std::string& home) {
  std::string text = file::read(path::join(home, ".npmrc")).value_or("");
  for (const std::string& line : text::split(text, '\n')) {
    size_t equals = line.find('=');
    if (equals == line.npos || text::trim(std::string_view(line).substr(0, equals)) != "prefix")
      continue;
    std::string value(text::trim(std::string_view(line).substr(equals + 1)));
    for (std::string_view start : {"~", "${HOME}", "$HOME"}) {
      if (value.starts_with(start)) value = home + value.substr(start.size());
    }
    if (value.starts_with('/')) return path::normalize(value);
  }
  return "";
}

class Search {
 public:
  explicit Search(const SearchRequest& request) : request_(request) {}

  std::vector<Copy> run() {
    for (const std::string& folder : text::split(request_.search_path, ':')) {
      if (folder.starts_with('/')) look_in(path::normalize(folder), true);
    }
    if (!request_.home.empty()) {
      for (std::string_view folder : kInHome)
        look_below(path::join(request_.home, folder));
      if (std::string prefix = prefix_of_npmrc(request_.home); !prefix.empty())
        look_below(path::join(prefix, "bin"));
      for (const Named& named : kNamed) {
        std::string value = request_.variable != nullptr ? request_.variable(named.variable) : "";
        if (value.starts_with('/')) look_below(path::normalize(value + named.below));
      }
    }
    for (std::string_view folder : kElsewhere)
      look_below(std::string(folder));
    return std::move(found_);
  }

  std::vector<Copy> run_bundled() {
    if (request_.home.empty()) return {};
    for (std::string_view folder : kBundled)
      look_below(path::join(request_.home, folder));
    for (Copy& copy : found_)
      copy.bundled = true;
    return std::move(found_);
  }

 private:
  void look_below(const std::string& pattern) {
    for (const std::string& folder : expand_folders(pattern))
      look_in(folder, false);
  }

  void look_in(const std::string& named, bool on_path) {
    char* real = realpath(named.c_str(), nullptr);
    if (real == nullptr) return;
    std::string folder = real;
    free(real);
    std::string path = path::join(folder, request_.command);
    auto known = std::ranges::find(found_, path, &Copy::path);
    if (known != found_.end()) return;
    Copy copy{.path = path};
    auto state = look_at(path, kMostShimBytes);
    if (!state || state->is_absent() || state->kind == FileState::Kind::other) return;
    if (access(path.c_str(), X_OK) != 0) return;
    copy.state = std::move(*state);
    copy.shim = shim_at(path);
    copy.on_path = on_path;
    copy.first = on_path && std::ranges::none_of(found_, &Copy::first);
    copy.persons_own = is_persons_own(folder);
    copy.goes_by_name = std::ranges::any_of(
        kByName, [&](std::string_view part) { return path.find(part) != path.npos; });
    copy.of_a_project = path.find(kOfAProject) != path.npos && path.find(kNoProject) == path.npos;
    found_.push_back(std::move(copy));
  }

  bool is_persons_own(const std::string& folder) const {
    if (request_.home.empty() || access(folder.c_str(), W_OK) != 0) return false;
    if (path::is_beneath(folder, request_.home)) return true;
    struct stat facts;
    return request_.uid != 0 && stat(folder.c_str(), &facts) == 0 && facts.st_uid == request_.uid;
  }

  const SearchRequest& request_;
  std::vector<Copy> found_;
};

}  // namespace

std::vector<std::string> expand_folders(const std::string& pattern) {
  size_t star = pattern.find("/*");
  if (star == pattern.npos) return {pattern};
  std::vector<std::string> out;
  std::string above = star == 0 ? "/" : pattern.substr(0, star);
  auto folder = file::open(above, O_RDONLY | O_DIRECTORY);
  if (!folder) return out;
  auto entries = file::list(folder->get());
  if (!entries) return out;
  std::ranges::sort(*entries, {}, &file::Entry::name);
  for (const file::Entry& entry : *entries) {
    for (std::string& one :
         expand_folders(path::join(above, entry.name) + pattern.substr(star + 2)))
      out.push_back(std::move(one));
  }
  return out;
}

std::optional<Shim> shim_at(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  if (real == nullptr) return std::nullopt;
  auto state = look_at(real, kMostShimBytes);
  free(real);
  if (!state || !state->is_file() || !state->whole) return std::nullopt;
  return read_shim(state->content);
}

std::vector<Copy> find_copies(const SearchRequest& request) { return Search(request).run(); }

std::vector<Copy> find_bundled_copies(const SearchRequest& request) {
  return Search(request).run_bundled();
}

}  // namespace ringwall::install
