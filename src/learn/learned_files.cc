#include "learn/learned_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "explain/explain.h"
#include "policy/caches.h"
#include "prepare/grants.h"
#include "state/homes.h"

namespace ringwall::learn {
namespace {

using hand::Wanted;
using policy::Wish;
using sandbox::Access;
using Verdict = explain::Answer::Verdict;

constexpr int kMostLinks = 40;  // as the kernel has it

// Places that mount something when they are only looked at: a name below /net is a question to
// whatever host it names.
std::vector<std::string> find_automounters() {
  std::vector<std::string> places;
  auto table = file::read("/proc/self/mountinfo", 8 << 20);
  if (!table) return {"/"};
  for (const std::string& line : text::split(*table, '\n')) {
    size_t kind = line.find(" - ");
    if (kind == std::string::npos ||
        !std::string_view(line).substr(kind + 3).starts_with("autofs "))
      continue;
    std::vector<std::string> words = text::split(line, ' ');
    if (words.size() > 4) places.push_back(words[4]);
  }
  return places;
}

// Settings of the whole machine that libraries ask for at every start and do without, and what
// Python would like to keep beside its sources.
bool is_never_missed(const std::string& real) {
  constexpr std::string_view kSettings[] = {
      "/etc/locale.alias", "/etc/host.conf",   "/etc/python3*",
      "/etc/profile",      "/etc/bash.bashrc", "/etc/inputrc",
      "/etc/terminfo",     "/etc/gitconfig",   "/etc/ld.so.preload"};
  return real.find("/__pycache__") != std::string::npos ||
         std::ranges::any_of(
             kSettings, [&](std::string_view setting) { return text::matches(real, setting); });
}

// What the host has at a path.
struct Outside {
  std::string real;
  std::vector<std::string> links;  // that were followed
  bool exists = false;
  bool is_folder = false;
};

std::optional<Outside> find_outside(const std::string& path,
                                    const std::vector<std::string>& automounters) {
  std::deque<std::string> left;
  for (std::string& part : path::components(path))
    left.push_back(std::move(part));
  Outside found{"/", {}, true, true};
  while (!left.empty()) {
    std::string part = std::move(left.front());
    left.pop_front();
    if (part == ".") continue;
    std::string next = part == ".." ? path::parent(found.real) : path::join(found.real, part);
    for (const std::string& place : automounters) {
      if (next != place && path::is_beneath(next, place)) return std::nullopt;
    }
    struct stat facts;
    bool there = found.exists && lstat(next.c_str(), &facts) == 0;
    if (there && S_ISLNK(facts.st_mode)) {
      auto target = file::read_link(next);
      found.links.push_back(next);
      if (!target || found.links.size() > kMostLinks) return std::nullopt;
      if (target->starts_with('/')) found.real = "/";
      auto parts = path::components(*target);
      left.insert(left.begin(), parts.begin(), parts.end());
      continue;
    }
    found.real = next;
    found.exists = there;
    found.is_folder = there && S_ISDIR(facts.st_mode);
  }
  return found;
}

// An installation of which a program is wanted is wanted with all that belongs to it.
std::vector<std::string> trees_of_program(const std::string& program, const std::string& home) {
  if (path::is_beneath(program, home) && program != home) {
    std::vector<std::string> parts = path::components(program.substr(home.size()));
    for (const sandbox::InstallRoot& root : sandbox::install_roots()) {
      std::vector<std::string> pattern = path::components(root.pattern);
      if (parts.size() < pattern.size()) continue;
      bool fits = std::equal(pattern.begin(), pattern.end(), parts.begin(),
                             [](const auto& p, const auto& part) { return p == "*" || p == part; });
      if (!fits) continue;
      std::vector<std::string> trees;
      for (const std::string& tree : text::split(root.grants, ' ')) {
        if (!tree.empty()) trees.push_back(path::join(home, tree));
      }
      if (!trees.empty()) return trees;
      std::vector<std::string> matched(parts.begin(),
                                       parts.begin() + static_cast<ptrdiff_t>(pattern.size()));
      return {path::join(home, text::join(matched, "/"))};
    }
  }
  std::string folder = path::parent(program);
  bool in_bin = path::basename(folder) == "bin" || path::basename(folder) == "sbin";
  return {in_bin ? path::parent(folder) : program};
}

// Never proposed, whoever asks for them.
constexpr std::string_view kBroadInHome[] = {
    ".config",    ".local", ".local/share", ".cache",  ".local/state",
    ".local/bin", ".var",   "Documents",    "Desktop", "Downloads"};

std::string why_not(const std::string& path, bool writes, const prepare::Preparation& run,
                    const SensitivePlaces& sensitive) {
  std::string why = sensitive.why(path, writes);
  if (!why.empty()) return why;
  Status fine =
      prepare::check_grant(path, writes ? Access::write : Access::read, run.caller, run.places);
  return fine ? std::string() : fine.error().what;
}

class Judge {
 public:
  Judge(const prepare::Preparation& run, const SensitivePlaces& sensitive)
      : run_(run), sensitive_(sensitive), automounters_(find_automounters()) {}

  void judge(const hand::WantedPath& wanted, std::vector<Wish>& wishes) {
    auto outside = find_outside(wanted.path, automounters_);
    if (!outside || is_never_missed(outside->real)) return;
    bool writes = wanted.wanted == Wanted::write;
    Wish wish{wanted.wanted == Wanted::look ? Wish::Kind::look
              : writes                      ? Wish::Kind::write
                                            : Wish::Kind::read,
              name_for(wanted.path, *outside), outside->is_folder, wanted.times};
    wish.programs.insert(wanted.program);
    if (writes ? !may_be_written(*outside) : !may_be_read(*outside)) return;
    explain::Answer answer = writes ? explain::explain_write(run_, wanted.path)
                                    : explain::explain_read(run_, wanted.path);
    if (answer.verdict == Verdict::yes) return;
    if (answer.verdict == Verdict::hidden || answer.verdict == Verdict::protected_file) {
      wish.left_out = answer.why;
      wishes.push_back(std::move(wish));
      return;
    }
    if (writes && !outside->exists) {
      // A grant needs something that is there.
      wish.what = path::parent(outside->real);
      wish.is_folder = true;
    }
    if (is_program(wanted.wanted, *outside)) return add_program(wish, outside->real, wishes);
    add(std::move(wish), wishes);
  }

 private:
  // As it was asked for, so that the name works inside; unless the agent could make it another.
  std::string name_for(const std::string& asked, const Outside& outside) const {
    std::vector<std::string> parts = path::components(asked);
    bool turns_back = std::ranges::find(parts, "..") != parts.end();
    bool by_agent = std::ranges::any_of(outside.links, [&](const std::string& link) {
      // Of this run, or of an earlier one.
      return state::was_in_reach(link, run_.places) ||
             std::ranges::any_of(run_.granted.grants, [&](const sandbox::Grant& grant) {
               return grant.access == Access::write && path::is_beneath(link, grant.path);
             });
    });
    return turns_back || by_agent ? outside.real : path::normalize(asked);
  }

  static bool may_be_read(const Outside& outside) {
    return outside.exists &&
           access(outside.real.c_str(), outside.is_folder ? R_OK | X_OK : R_OK) == 0;
  }

  static bool may_be_written(const Outside& outside) {
    if (outside.exists) return access(outside.real.c_str(), R_OK | W_OK) == 0;
    std::string folder = path::parent(outside.real);
    struct stat facts;
    return stat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
           access(folder.c_str(), R_OK | W_OK | X_OK) == 0;
  }

  // A shell asks along PATH before it runs anything.
  static bool is_program(Wanted wanted, const Outside& outside) {
    bool looks = wanted == Wanted::look && !outside.is_folder &&
                 path::basename(path::parent(outside.real)) == "bin" &&
                 access(outside.real.c_str(), X_OK) == 0;
    return looks || wanted == Wanted::execute;
  }

  void add_program(const Wish& wish, const std::string& real, std::vector<Wish>& wishes) const {
    // By a link that stands elsewhere.
    if (wish.what != real) add(wish, wishes);
    for (const std::string& tree : trees_of_program(real, run_.caller.home)) {
      struct stat facts;
      if (stat(tree.c_str(), &facts) < 0) continue;
      bool too_much = tree != real && !why_not_the_folder(tree, false, run_, sensitive_).empty();
      Wish whole = wish;
      whole.kind = Wish::Kind::read;
      whole.what = too_much ? real : tree;
      whole.is_folder = !too_much && S_ISDIR(facts.st_mode);
      add(std::move(whole), wishes);
    }
  }

  void add(Wish wish, std::vector<Wish>& wishes) const {
    bool writes = wish.kind == Wish::Kind::write;
    if (take_cache(wish, wishes)) return;
    wish.left_out = wish.is_folder ? why_not_the_folder(wish.what, writes, run_, sensitive_)
                                   : why_not(wish.what, writes, run_, sensitive_);
    // Whether there is such a folder is asked by everyone.
    bool harmless = wish.kind == Wish::Kind::look && wish.is_folder && !wish.left_out.empty();
    if (!harmless) wishes.push_back(std::move(wish));
  }

  // What a package manager has is better offered as its cache: changes stay inside.
  bool take_cache(const Wish& wish, std::vector<Wish>& wishes) const {
    for (const policy::Cache& cache : policy::caches()) {
      for (const std::string& folder : text::split(cache.folders, ' ')) {
        if (!path::is_beneath(wish.what, path::join(run_.caller.home, folder))) continue;
        wishes.push_back(
            {Wish::Kind::cache, std::string(cache.name), false, wish.times, wish.programs});
        return true;
      }
    }
    return false;
  }

  const prepare::Preparation& run_;
  const SensitivePlaces& sensitive_;
  std::vector<std::string> automounters_;
};

}  // namespace

std::string why_not_the_folder(const std::string& folder, bool writes,
                               const prepare::Preparation& prepared,
                               const SensitivePlaces& sensitive) {
  std::string why = why_not(folder, writes, prepared, sensitive);
  if (!why.empty()) return why;
  if (path::components(folder).size() < 2) return "it holds too much";
  for (std::string_view broad : kBroadInHome) {
    if (folder == path::join(prepared.caller.home, broad)) return "it holds files of every program";
  }
  return {};
}

std::vector<policy::Wish> wishes_for_files(const hand::WantedPaths& wanted,
                                           const prepare::Preparation& prepared,
                                           const SensitivePlaces& sensitive) {
  std::vector<Wish> wishes;
  Judge judge(prepared, sensitive);
  for (const hand::WantedPath& path : wanted.paths) {
    if (path.wanted != Wanted::reach) judge.judge(path, wishes);
  }
  return wishes;
}

}  // namespace ringwall::learn
