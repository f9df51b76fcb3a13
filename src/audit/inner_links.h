// Links of a repository that stay in it: what they lead to is obeyed under the link's name. They
// are followed by hand, part by part, since the scanner may open files only in the plainest way.
#pragma once

#include <optional>
#include <string>

namespace ringwall::audit {

struct LinkEnd {
  bool leads_out = false;
  std::string path;  // relative to the top, without links; empty: the top itself
};

// Where `path`, relative to the folder `top`, leads. Nothing: to nowhere, or around in a circle.
std::optional<LinkEnd> follow_link(int top, const std::string& path);

}  // namespace ringwall::audit
