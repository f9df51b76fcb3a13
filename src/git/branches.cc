#include "git/branches.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"

namespace ringwall::git {
namespace {

constexpr size_t kMostBranches = 100'000;
constexpr size_t kMostPacked = 64 << 20;
constexpr size_t kMostRef = 4096;  // bytes
constexpr int kDeepest = 32;
constexpr std::string_view kHeads = "refs/heads/";

// Calls use(folder, entry, branch) for each file; false: not all could be looked at.
template <typename Use>
bool visit_loose(int folder, const std::string& before, int depth, const Use& use) {
  auto entries = file::list(folder);
  if (!entries || depth > kDeepest) return false;
  bool is_whole = true;
  for (const file::Entry& entry : *entries) {
    std::string name = before + entry.name;
    if (entry.type != DT_DIR) {
      if (!use(folder, entry.name, name)) return false;
      continue;
    }
    auto below = file::open_beneath(folder, entry.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    // Whoever closes one folder hides no other.
    if (!below || !visit_loose(below->get(), name + "/", depth + 1, use)) is_whole = false;
  }
  return is_whole;
}

bool is_changed_since(const struct stat& facts, int64_t since) {
  return facts.st_ctim.tv_sec * 1'000'000'000 + facts.st_ctim.tv_nsec >= since;
}

Result<Fd> open_heads(int git_folder) {
  return file::open_beneath(git_folder, "refs/heads", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

// Empty: it holds a commit, or cannot be read.
std::string read_other_ref(int folder, const std::string& name) {
  constexpr std::string_view kBegin = "ref:";
  auto file = file::open_beneath(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  // Git takes away what blanks follow, however many.
  char begin[kMostRef];
  ssize_t count = file ? read(file->get(), begin, sizeof begin) : 0;
  std::string_view ref(begin, static_cast<size_t>(std::max<ssize_t>(count, 0)));
  if (!ref.starts_with(kBegin)) return "";
  ref.remove_prefix(kBegin.size());
  ref.remove_prefix(std::min(ref.find_first_not_of(" \t"), ref.size()));
  return std::string(ref.substr(0, ref.find_first_of(" \t\r\n")));
}

// "HASH refs/heads/NAME"; other lines are comments, other refs and what tags lead to.
bool add_packed(int git_folder, Branches& out) {
  auto packed = file::open_beneath(git_folder, "packed-refs", O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!packed) return packed.error().err == ENOENT;
  auto text = file::read_all(packed->get(), kMostPacked);
  if (!text) return false;
  for (std::string_view line : text::split_in_place(*text, '\n')) {
    size_t name = line.find(' ') + 1;
    if (name == 0 || !line.substr(name).starts_with(kHeads)) continue;
    out.emplace(line.substr(name + kHeads.size()));
  }
  return out.size() <= kMostBranches;
}

}  // namespace

std::optional<Branches> read_branches(int git_folder) {
  Branches all;
  auto add = [&](int, const std::string&, std::string& name) {
    all.insert(std::move(name));
    return all.size() <= kMostBranches;
  };
  auto heads = open_heads(git_folder);
  if (!heads || !visit_loose(heads->get(), "", 0, add) || !add_packed(git_folder, all))
    return std::nullopt;
  return all;
}

std::vector<std::string> find_replacements(int git_folder, int64_t since) {
  constexpr size_t kMostTold = 16;
  constexpr std::string_view kReplace = "refs/replace/";
  std::vector<std::string> found;
  struct stat facts;
  if (fstatat(git_folder, "info/grafts", &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
      is_changed_since(facts, since))
    found.emplace_back("info/grafts");
  auto look = [&](int folder, const std::string& entry, const std::string& name) {
    if (fstatat(folder, entry.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
        is_changed_since(facts, since))
      found.push_back(std::string(kReplace) + name);
    return found.size() < kMostTold;
  };
  auto loose = file::open_beneath(git_folder, "refs/replace", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (loose) (void)visit_loose(loose->get(), "", 0, look);
  if (fstatat(git_folder, "packed-refs", &facts, AT_SYMLINK_NOFOLLOW) < 0 ||
      !is_changed_since(facts, since))
    return found;
  auto packed = file::open_beneath(git_folder, "packed-refs", O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  auto text = packed ? file::read_all(packed->get(), kMostPacked) : std::unexpected(packed.error());
  if (!text) return found;
  for (std::string_view line : text::split_in_place(*text, '\n')) {
    size_t name = line.find(' ') + 1;
    if (name > 0 && found.size() < kMostTold && line.substr(name).starts_with(kReplace))
      found.emplace_back(line.substr(name));
  }
  return found;
}

std::vector<OtherName> find_other_names(int git_folder, const Branches& branches, int64_t since) {
  std::vector<OtherName> found;
  size_t met = 0;
  auto look = [&](int folder, const std::string& entry, const std::string& branch) {
    struct stat facts;
    if (++met > kMostBranches) return false;
    if (!branches.contains(branch) ||
        fstatat(folder, entry.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0 ||
        !S_ISREG(facts.st_mode) || !is_changed_since(facts, since))
      return true;
    std::string ref = read_other_ref(folder, entry);
    if (!ref.empty()) found.push_back({branch, std::move(ref)});
    return true;
  };
  if (auto heads = open_heads(git_folder)) (void)visit_loose(heads->get(), "", 0, look);
  return found;
}

}  // namespace ringwall::git
