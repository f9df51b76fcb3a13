#include "files/link_judge.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "files/protected.h"

namespace ringwall::files {
namespace {

using Verdict = LinkVerdict::Kind;

constexpr size_t kMostLinks = 40;  // as the kernel
constexpr std::string_view kRule = "links";

// Below the home, what tools fill and links of builds and environments lead to.
constexpr std::string_view kToolPlaces[] = {
    ".cache",
    ".npm",
    ".nvm",
    ".pyenv",
    ".rbenv",
    ".rustup",
    ".asdf",
    ".sdkman",
    ".volta",
    ".bun",
    ".deno",
    ".ghcup",
    ".opam",
    ".stack",
    ".conda",
    ".conan",
    ".conan2",
    ".gem",
    ".nuget",
    ".dotnet",
    ".ivy2",
    ".pnpm-store",
    ".yarn",
    ".nix-profile",
    ".nix-defexpr",
    ".cargo/registry",
    ".cargo/git",
    ".gradle/caches",
    ".gradle/wrapper",
    ".gradle/jdks",
    ".m2/repository",
    ".local/lib",
    ".local/pipx",
    ".local/share/uv",
    ".local/share/mise",
    ".local/share/pnpm",
    ".local/share/fnm",
    ".local/share/pipx",
    ".local/share/virtualenv",
    ".local/share/virtualenvs",
    ".local/share/hatch",
    ".local/share/JetBrains",
    ".local/share/bazel",
    ".local/share/containers",
};

// Programs and settings of the machine, which the person cannot write; root's work reads them too.
constexpr std::string_view kSystem[] = {"/usr",  "/lib",  "/lib32", "/lib64", "/libx32",
                                        "/bin",  "/sbin", "/opt",   "/nix",   "/gnu",
                                        "/snap", "/etc",  "/dev",   "/sys",   "/proc"};

// Among these, and everybody's to write; those inside are others.
constexpr std::string_view kShared[] = {"/dev/shm", "/dev/mqueue"};

template <typename List>
bool lies_in_one(std::string_view path, const List& folders) {
  return std::any_of(std::begin(folders), std::end(folders),
                     [&](std::string_view folder) { return path::is_beneath(path, folder); });
}

bool has_part(std::string_view path, std::string_view wanted) {
  std::vector<std::string_view> parts = text::split_in_place(path, '/');
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

// /proc/self/root and its like lead anywhere.
bool leads_on_in_proc(std::string_view end) {
  constexpr std::string_view kOn[] = {"root", "cwd", "fd", "map_files", "task", "thread-self"};
  return path::is_beneath(end, "/proc") &&
         std::any_of(std::begin(kOn), std::end(kOn),
                     [&](std::string_view part) { return has_part(end, part); });
}

LinkVerdict culprit(std::string why, const std::string& end) {
  return {Verdict::culprit, std::string(kRule), std::move(why), 0, end};
}

LinkVerdict judge_in_home(const LinkRules& rules, const std::string& home, const std::string& end) {
  std::string_view below = std::string_view(end).substr(home.size() + 1);
  if (lies_in_one(below, kToolPlaces)) {
    bool is_seen = lies_in_one(end, rules.granted);
    return {is_seen ? Verdict::fine : Verdict::leads_out, {}, {}, 0, end};
  }
  if (below.starts_with('.') || path::is_beneath(below, "bin"))
    return culprit("leads to " + end + ": who writes by this name outside writes there", end);
  return {Verdict::leads_out, {}, {}, 0, end};
}

// The way of a path as the kernel goes it, as long as it stays in the trees; from where it leaves
// them on by its text alone.
class Way {
 public:
  explicit Way(const std::vector<WatchedTree>& trees) : trees_(trees) {}

  std::string follow(const std::string& from, const std::string& target) {
    at_ = from;
    push(target);
    while (!rest_.empty()) {
      std::string next = std::move(rest_.back());
      rest_.pop_back();
      if (next == "..") {
        at_ = path::parent(at_);
        continue;
      }
      at_ = path::join(at_, next);
      auto link = links_++ < kMostLinks ? read() : std::nullopt;
      if (!link) continue;
      at_ = path::parent(at_);
      push(*link);
    }
    return at_;
  }

 private:
  void push(const std::string& target) {
    if (target.starts_with('/')) at_ = "/";
    std::vector<std::string> parts = path::components(target);
    std::erase(parts, ".");
    rest_.insert(rest_.end(), parts.rbegin(), parts.rend());
  }

  std::optional<std::string> read() const {
    for (const WatchedTree& tree : trees_) {
      if (at_ == tree.path || !path::is_beneath(at_, tree.path)) continue;
      auto parent = open_parent(tree, tree.relative(at_));
      char target[PATH_MAX];
      std::string name(path::basename(at_));
      ssize_t length = parent ? readlinkat(parent->get(), name.c_str(), target, sizeof target) : -1;
      if (length >= 0) return std::string(target, static_cast<size_t>(length));
      return std::nullopt;
    }
    return std::nullopt;
  }

  const std::vector<WatchedTree>& trees_;
  std::string at_;
  std::vector<std::string> rest_;  // the next one last
  size_t links_ = 0;
};

bool is_file(const WatchedTree& tree, const std::string& path) {
  auto parent = open_parent(tree, path);
  std::string name(path::basename(path));
  struct stat facts;
  return parent && fstatat(parent->get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(facts.st_mode);
}

}  // namespace

bool is_made_by_git(std::string_view path, std::string_view target) {
  std::string_view name = path::basename(path);
  if (name.size() == 7 && name.starts_with('t') && target == "testing") return true;
  if (!target.starts_with("refs/") || has_part(target, "..")) return false;
  return name == "HEAD" || has_part(path, "refs");
}

std::string judge_link_in_git(std::string_view path, std::string_view target) {
  if (is_made_by_git(path, target)) return {};
  return "git writes and reads through it, to " + std::string(target);
}

LinkVerdict judge_link_end(const std::vector<std::string>& trees, const LinkRules& rules,
                           std::string_view path, const std::string& end) {
  if (lies_in_one(end, rules.own))
    return culprit("leads to Ringwall's own files, where the run keeps what nobody judges", end);
  for (size_t i = 0; i < trees.size(); i++) {
    if (!path::is_beneath(end, trees[i])) continue;
    std::string below = end == trees[i] ? "" : end.substr(trees[i].size() + 1);
    // Not what git-annex keeps there, which is judged as elsewhere.
    if (lies_in_git_folder(below)) return culprit("leads into a git folder", end);
    // What has the name of a package folder itself gives nothing there another name.
    if (lies_in_packages(std::string(path) + "/x") || !lies_in_packages(below + "/x")) return {};
    return {Verdict::renames, {}, {}, i, below};
  }
  for (const std::string& home : rules.homes) {
    if (path::is_beneath(home, end))
      return culprit("leads to " + end + ", and so to all of the home folder", end);
  }
  if (leads_on_in_proc(end)) return culprit("leads anywhere, by " + end, end);
  for (const std::string& home : rules.homes) {
    if (path::is_beneath(end, home)) return judge_in_home(rules, home, end);
  }
  bool is_systems = lies_in_one(end, kSystem) && !lies_in_one(end, kShared);
  bool is_seen = is_systems || lies_in_one(end, rules.granted);
  return {is_seen ? Verdict::fine : Verdict::leads_out, {}, {}, 0, end};
}

LinkVerdict judge_link(const std::vector<WatchedTree>& trees, const LinkRules& rules, size_t tree,
                       const std::string& path, const std::string& target) {
  std::vector<std::string> paths;
  for (const WatchedTree& each : trees)
    paths.push_back(each.path);
  std::string end = Way(trees).follow(path::parent(trees[tree].whole(path)), target);
  LinkVerdict verdict = judge_link_end(paths, rules, path, end);
  // Names are obeyed in folders; one that is not there yet may become one.
  if (verdict.kind == Verdict::renames && is_file(trees[verdict.tree], verdict.end)) return {};
  return verdict;
}

}  // namespace ringwall::files
