#include "git/place.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "base/path.h"
#include "base/text.h"

namespace ringwall::git {
namespace {

constexpr std::string_view kFileScheme = "file://";
// As git tries them one after the other.
constexpr std::string_view kTriedEndings[] = {".git", "/.git", ".git/.git"};

bool any_tree(const GitPlace& place, const std::function<bool(const std::string&)>& fits) {
  return std::ranges::any_of(place.trees, fits) || std::ranges::any_of(place.only_read, fits);
}

// What an address may mean: a relative one starts where git stands, at the top of the working tree
// or in its own folder.
std::vector<std::string> meanings_of(std::string_view url, const GitPlace& place) {
  if (url.starts_with('/')) return {std::string(url)};
  if (url.starts_with('~')) return {};  // somebody's home
  // From another working tree it leads elsewhere: never to a place such as ~/.local, where what
  // runs leave is kept.
  for (std::string_view part : text::split_in_place(url, '/')) {
    if (part.starts_with('.') && part != "." && part != "..") return {};
  }
  std::string top = path::parent(place.folder);
  return {path::join(top, url), path::join(place.folder, url)};
}

// Adds the way of one that is absolute. False: it may not lead there.
bool add_way(std::string_view url, const GitPlace& place, std::vector<std::string>& ways) {
  std::string at = "/";
  for (std::string_view part : text::split_in_place(url, '/')) {
    if (part.empty() || part == ".") continue;
    at = part == ".." ? path::parent(at) : path::join(at, part);
    // Outside of them a part could be a link into what is not watched, as in /proc.
    bool is_on_the_way = any_tree(place, [&](const std::string& tree) {
      return path::is_beneath(at, tree) || path::is_beneath(tree, at);
    });
    if (!is_on_the_way) return false;
    ways.push_back(at);
  }
  bool is_within =
      any_tree(place, [&](const std::string& tree) { return path::is_beneath(at, tree); });
  if (!is_within || holds_only_data(at)) return false;
  for (std::string_view ending : kTriedEndings)
    ways.push_back(at + std::string(ending));
  return true;
}

}  // namespace

bool holds_only_data(std::string_view path) {
  constexpr std::string_view kData[] = {"/.git/objects/", "/.git/lfs/"};
  std::string whole = "/" + std::string(path) + "/";
  return std::any_of(std::begin(kData), std::end(kData),
                     [&](std::string_view data) { return whole.find(data) != whole.npos; });
}

bool is_of_submodule(std::string_view folder) {
  std::string whole = std::string(folder) + "/";
  size_t git = whole.find("/.git/");
  return git != whole.npos && whole.find("/modules/", git + strlen("/.git")) != whole.npos;
}

bool is_link(const std::string& path) {
  struct stat facts;
  return lstat(path.c_str(), &facts) == 0 && S_ISLNK(facts.st_mode);
}

std::optional<std::vector<std::string>> ways_by_name(std::string_view url, const GitPlace& place) {
  if (url.starts_with(kFileScheme)) {
    url.remove_prefix(kFileScheme.size());
    // Git decodes it, or takes the first part for a host.
    if (url.find('%') != url.npos || !url.starts_with('/')) return std::nullopt;
  }
  std::vector<std::string> ways;
  for (const std::string& meaning : meanings_of(url, place)) {
    if (!add_way(meaning, place, ways)) return std::nullopt;
  }
  return ways.empty() ? std::nullopt : std::optional(ways);
}

std::optional<std::vector<std::string>> ways_of_address(std::string_view url,
                                                        const GitPlace& place) {
  auto ways = ways_by_name(url, place);
  if (ways && std::ranges::any_of(*ways, place.leads_away)) return std::nullopt;
  return ways;
}

}  // namespace ringwall::git
