// The policy that an import writes: values that Ringwall's own loader takes, and comments on
// whatever has no equivalent. A value that the loader would refuse becomes a comment with its
// reason.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "policy/load.h"
#include "policy/policy.h"

namespace ringwall::policy {

struct ImportSource {
  std::string file;  // absolute; for messages, and for what relative paths in it mean
  std::string home;
  // A run stops at a grant that is not there. Without it everything is taken to be.
  bool (*exists)(const std::string& path) = nullptr;
  // Why a path opens more than its name says; empty: nothing is known against it.
  std::function<std::string(const std::string& path, bool writes)> why_sensitive;
};

// What an import comes to: a policy, or mistakes of the settings file.
struct Imported {
  std::string toml;
  std::vector<Diagnostic> mistakes;
};

class ImportDraft {
 public:
  ImportDraft(std::string tool, const ImportSource& source);

  // One more value of the list `key`; `from` says what it stood as.
  void add(std::string_view key, const std::string& value, const std::string& from);
  // `what` of the settings file has no equivalent, or another meaning here.
  void remark(const std::string& text, const std::string& what);

  std::string toml() const;

 private:
  struct Value {
    std::string text;
    std::string from;
  };
  struct Remark {
    std::string text;
    std::vector<std::string> about;
  };
  std::string comments() const;
  std::string list(std::string_view key) const;

  std::string tool_;
  ImportSource source_;
  std::map<std::string, std::vector<Value>, std::less<>> values_;
  std::vector<Remark> remarks_;
};

}  // namespace ringwall::policy
