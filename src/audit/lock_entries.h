// What lock files say of packages, whatever their form: a name, and where the package comes from.
// Judged when all are known, since an entry alone says little: a registry of a company's own gives
// most of the packages, a planted address one.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "audit/checks.h"

namespace ringwall::audit {

struct LockEntry {
  std::string name;     // what it is called there
  std::string address;  // where it is taken from
  size_t line = 0;
};

class LockEntries {
 public:
  LockEntries(const RepositoryFile& file, Reporter& reporter) : file_(file), reporter_(reporter) {}

  // Files beside the lock file in which a registry of a company's own would be named.
  void read_named_hosts(std::initializer_list<std::string_view> names);

  // Judged by its address alone.
  void add(LockEntry entry);
  // The entry itself is wrong: the name says one package, what follows another.
  void tell(const LockEntry& entry);

  // Tells what was kept.
  void finish();

 private:
  void add_hosts_in(std::string_view text);

  const RepositoryFile& file_;
  Reporter& reporter_;
  std::set<std::string> named_;  // hosts
  std::vector<LockEntry> elsewhere_;
  size_t count_ = 0;
};

// One for each form. False: it cannot be read.
bool read_npm_lock(const RepositoryFile& file, LockEntries& entries);
bool read_bun_lock(const RepositoryFile& file, LockEntries& entries);
bool read_yarn_lock(const RepositoryFile& file, LockEntries& entries);
bool read_pnpm_lock(const RepositoryFile& file, LockEntries& entries);
bool read_python_lock(const RepositoryFile& file, LockEntries& entries);  // poetry, uv, pdm
bool read_pipenv_lock(const RepositoryFile& file, LockEntries& entries);
bool read_cargo_lock(const RepositoryFile& file, LockEntries& entries);
bool read_flake_lock(const RepositoryFile& file, LockEntries& entries);
// Any other: an address behind one of the usual keys.
bool read_other_lock(const RepositoryFile& file, LockEntries& entries);

}  // namespace ringwall::audit
