// The paths of another sandbox's settings, told apart: what lies in the workspace becomes a pattern
// of files.hide or files.protect; what is granted outside of it becomes files.read or files.write;
// what is denied outside of it is needless, since nothing is there that was not granted. A grant in
// which something is denied is left out, because a policy cannot say that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/import_draft.h"

namespace ringwall::policy {

struct PathRules {
  std::string workspace;  // absolute; empty: the folder in which the tool is started
  std::string base;       // what relative paths begin with; empty: the workspace
  std::string home;
};

// A path of the other tool, made plain.
struct FoundPath {
  bool is_understood = false;
  bool is_in_workspace = false;
  std::string pattern;  // in the workspace; empty: all of it
  std::string path;     // outside: absolute, without what follows the first '*'
  bool has_glob = false;
  bool is_certain = false;  // the workspace is known, so that this is not in it
};

// Reads "~/x", "/x", "//x", "./x" and "x"; "/**" at the end is all that lies in the folder.
FoundPath find_path(std::string_view text, const PathRules& rules, bool is_literal = false);

// "~/x" for what lies in the home.
std::string show_path(const std::string& path, const std::string& home);

class ImportPaths {
 public:
  ImportPaths(ImportDraft& draft, const ImportSource& source) : draft_(draft), source_(source) {}

  enum class Access { read, write };
  void grant(Access access, const FoundPath& found, const std::string& from);
  // `wins`: over a grant that lies in it, too.
  void deny(Access access, const FoundPath& found, const std::string& from, bool wins);

  // Writes the grants in which nothing is denied.
  void finish();

 private:
  struct Grant {
    Access access;
    std::string path;
    std::string from;
  };
  struct Denial {
    Access access;
    std::string path;
    std::string from;
    bool has_glob;
    bool wins;
  };
  bool is_reopened(const std::string& path) const;
  const Denial* conflict_of(const Grant& grant) const;

  ImportDraft& draft_;
  ImportSource source_;
  std::vector<Grant> grants_;
  std::vector<Denial> denials_;
};

}  // namespace ringwall::policy
