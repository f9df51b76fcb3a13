#include "git/branches.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"

namespace ringwall::git {
namespace {

constexpr size_t kMostBranches = 100'000;
constexpr size_t kMostPacked = 64 << 20;
constexpr int kDeepest = 32;
constexpr std::string_view kHeads = "refs/heads/";

bool add_loose(int folder, const std::string& before, int depth, Branches& out) {
  auto entries = file::list(folder);
  if (!entries || depth > kDeepest) return false;
  for (const file::Entry& entry : *entries) {
    std::string name = before + entry.name;
    if (entry.type != DT_DIR) {
      out.insert(std::move(name));
      continue;
    }
    auto below = file::open_beneath(folder, entry.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!below || !add_loose(below->get(), name + "/", depth + 1, out)) return false;
  }
  return out.size() <= kMostBranches;
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
  auto heads = file::open_beneath(git_folder, "refs/heads", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!heads || !add_loose(heads->get(), "", 0, all) || !add_packed(git_folder, all))
    return std::nullopt;
  return all;
}

}  // namespace ringwall::git
