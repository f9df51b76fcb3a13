// Where a link leads decides who writes or obeys what by its name: a program outside follows it
// with the person's rights, to places that no sandbox sees. Judged by its text and by the links of
// the granted trees that it leads through; nothing outside them is looked at, since what became of
// a link would tell the agent what lies there, and looking could ask a host that it named.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "files/watched_tree.h"

namespace ringwall::files {

struct LinkRules {
  std::vector<std::string> homes;    // the person's, as it is and as it is named
  std::vector<std::string> own;      // Ringwall's folders: no link may lead there
  std::vector<std::string> granted;  // may be read inside, absolute
  // Links of the granted trees at the start, absolute, and where they led: the person's own. Those
  // of other kinds in git folders lead to "".
  std::map<std::string, std::string> known = {};
};

struct LinkVerdict {
  enum class Kind {
    fine,
    culprit,    // has to go
    leads_out,  // of the trees: told
    renames,    // gives what lies in packages a name at which it is obeyed
  };
  Kind kind = Kind::fine;
  std::string rule;  // of a culprit
  std::string why;
  size_t tree = 0;  // renames: what, in which tree
  std::string end;  // renames: relative to that; else absolute, as far as it is known
};

// Links that git itself makes: HEAD, and refs that stand for others, by their text, which git reads
// and does not follow; and one of no use by which `git init` learns whether there are links at all.
bool is_made_by_git(std::string_view path, std::string_view target);

// Of a link in a git folder; empty: it may stay.
std::string judge_link_in_git(std::string_view path, std::string_view target);

// Of a link at `path` below `tree`, in no git folder.
LinkVerdict judge_link(const std::vector<WatchedTree>& trees, const LinkRules& rules, size_t tree,
                       const std::string& path, const std::string& target);

// The part of it that looks at nothing: for a link whose way is known to end at `end`, absolute.
LinkVerdict judge_link_end(const std::vector<std::string>& trees, const LinkRules& rules,
                           std::string_view path, const std::string& end);

}  // namespace ringwall::files
