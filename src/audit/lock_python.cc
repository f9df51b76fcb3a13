// poetry.lock, uv.lock and pdm.lock, which are TOML with a table for each package, and
// Pipfile.lock.
#include "audit/lock_entries.h"
#include "audit/package_address.h"

namespace ringwall::audit {
namespace {

std::string text_of(const Setting* value) {
  return value != nullptr && value->is_text() ? value->text : "";
}

// Where it says that the package comes from.
void add_source(const std::string& name, const Setting& source, LockEntries& entries) {
  for (const char* key : {"registry", "url", "git"}) {
    const Setting* from = source.find(key);
    if (from != nullptr && from->is_text()) entries.add({name, from->text, from->line});
  }
}

void add_file(const std::string& name, const Setting& file, LockEntries& entries) {
  std::string url = text_of(file.find("url"));
  if (!url.empty()) entries.add({name, url, file.line});
}

}  // namespace

bool read_python_lock(const RepositoryFile& file, LockEntries& entries) {
  auto lock = read_toml_settings(file.content, kLockLimits);
  if (!lock) return false;
  lock->each("package", [&](const Setting& packages) {
    for (const auto& [none, package] : packages.members) {
      std::string name = text_of(package.find("name"));
      if (const Setting* source = package.find("source")) add_source(name, *source, entries);
      add_source(name, package, entries);  // pdm has them here
      if (const Setting* sdist = package.find("sdist")) add_file(name, *sdist, entries);
      for (const char* key : {"wheels", "files"}) {
        const Setting* files = package.find(key);
        if (files == nullptr || !files->is_list()) continue;
        for (const auto& [empty, one] : files->members)
          add_file(name, one, entries);
      }
    }
  });
  return true;
}

bool read_pipenv_lock(const RepositoryFile& file, LockEntries& entries) {
  auto lock = read_json_settings(file.content, kLockLimits);
  if (!lock || !lock->is_object()) return false;
  if (const Setting* sources = lock->find_way("_meta.sources")) {
    for (const auto& [none, source] : sources->members)
      entries.add({"", text_of(source.find("url")), source.line});
  }
  for (const char* group : {"default", "develop"}) {
    lock->each(group, [&](const Setting& packages) {
      for (const auto& [name, package] : packages.members) {
        for (const char* key : {"file", "git"}) {
          const Setting* from = package.find(key);
          if (from != nullptr && from->is_text()) entries.add({name, from->text, from->line});
        }
      }
    });
  }
  return true;
}

}  // namespace ringwall::audit
