// What of the person's own git settings comes inside: who they are, and how they like things. A
// closed list: nothing on it names a program, a file or another machine.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringwall::git {

std::span<const std::string_view> git_preferences();

// Of a settings file of the person's, in the order of the list; one that git could not read gives
// none.
std::vector<std::pair<std::string, std::string>> take_git_preferences(std::string_view config);

// The same as the text of a settings file.
std::string render_git_settings(
    const std::vector<std::pair<std::string, std::string>>& preferences);

// A line of an ignore file that means this path from the top of the repository, and no other.
std::string ignore_line(std::string_view path);

}  // namespace ringwall::git
