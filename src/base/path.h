// Paths as text: no system call here. Every path in a policy or a plan is absolute and normalized.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringwall::path {

// Removes doubled slashes, "." and "..", and a trailing slash. Takes an absolute path.
std::string normalize(std::string_view path);

// `path` if it is absolute, else below `base`; normalized.
std::string absolute(std::string_view path, std::string_view base);

// True for /a beneath /a and for /a/b beneath /a, false for /ab beneath /a.
bool is_beneath(std::string_view path, std::string_view ancestor);

std::string join(std::string_view directory, std::string_view name);
std::string parent(std::string_view path);
std::string_view basename(std::string_view path);

// "/a/b/c" -> {"a", "b", "c"}
std::vector<std::string> components(std::string_view path);

}  // namespace ringwall::path
