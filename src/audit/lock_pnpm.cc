// pnpm-lock.yaml: packages by name and version, and where they come from if not from the registry.
#include "audit/lock_entries.h"
#include "audit/package_address.h"

namespace ringwall::audit {
namespace {

struct Key {
  std::string name;
  bool is_version = false;  // the registry is asked for it
};

// "lodash@4.17.21", "/lodash@4.17.21", "/lodash/4.17.21", "lodash@https://…", with what it was
// built against in brackets behind.
Key read_key(std::string_view key) {
  key = key.substr(0, key.find('('));
  if (key.starts_with('/')) key.remove_prefix(1);
  size_t at = key.find('@', 1);
  bool is_old = at == std::string_view::npos;
  if (is_old)
    at = key.find('/', key.starts_with('@') ? std::min(key.find('/'), key.size()) + 1 : 0);
  if (at == std::string_view::npos) return {};
  std::string_view version = key.substr(at + 1);
  bool is_version = !version.empty() && version[0] >= '0' && version[0] <= '9' &&
                    !version.contains('/') && !version.contains(':');
  return {std::string(key.substr(0, at)), is_version};
}

}  // namespace

bool read_pnpm_lock(const RepositoryFile& file, LockEntries& entries) {
  auto lock = read_yaml_settings(file.content, kLockLimits);
  if (!lock || !lock->is_object()) return false;
  lock->each("packages", [&](const Setting& packages) {
    for (const auto& [name, package] : packages.members) {
      const Setting* resolution = package.find("resolution");
      if (resolution == nullptr) continue;
      Key key = read_key(name);
      for (std::string_view part : {"tarball", "repo", "registry"}) {
        const Setting* from = resolution->find(part);
        if (from == nullptr || !from->is_text()) continue;
        LockEntry entry{key.is_version ? key.name : "", from->text, from->line};
        bool is_code = part == "repo" || is_git_address(from->text);
        if (key.is_version && is_code) {
          entries.tell(entry);
        } else {
          entries.add(entry);
        }
      }
    }
  });
  return true;
}

}  // namespace ringwall::audit
