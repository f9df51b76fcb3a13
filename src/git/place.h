// Where a file of git's lies, and which places on this machine the addresses in it may lead to.
//
// Git that pushes to a path runs the hooks of the repository there, outside. So a new address may
// lead only to where nobody inside can have put one: into the trees that are watched, or that can
// only be read.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::git {

bool is_link(const std::string& path);

// Folders of git's own that hold too much to be watched, and nothing that git writes by its name.
bool holds_only_data(std::string_view path);

// The folder lies below .git/modules: git submodule takes it for that of a submodule.
bool is_of_submodule(std::string_view folder);

// Paths are absolute and normalized. A folder that has its own home outside of `trees`, which the
// run may write, is not one that it can have made.
struct GitPlace {
  std::string folder;                                            // where the judged file lies
  std::span<const std::string> trees = {};                       // granted for writing
  std::span<const std::string> only_read = {};                   // granted for reading
  std::function<bool(const std::string&)> leads_away = is_link;  // a link lies there
};

// Every folder that git passes on the way of a local address, and the names it tries in the end.
// Nothing: it may not lead there, by itself or by a link on the way. A relative one must be
// fit from the top of the working tree and from git's own folder.
std::optional<std::vector<std::string>> ways_of_address(std::string_view url,
                                                        const GitPlace& place);
// The same, whatever lies there.
std::optional<std::vector<std::string>> ways_by_name(std::string_view url, const GitPlace& place);

}  // namespace ringwall::git
