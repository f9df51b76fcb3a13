// package-lock.json of npm (all versions), and bun.lock: JSON with the wishes that were asked for.
#include <set>

#include "audit/lock_entries.h"
#include "audit/package_address.h"
#include "files/name_pattern.h"

namespace ringwall::audit {
namespace {

constexpr std::string_view kWishes[] = {
    "dependencies",     "devDependencies", "optionalDependencies",
    "peerDependencies", "overrides",       "resolutions"};

// What packages wish for: by an address of their own, or under another name.
struct Wishes {
  bool are_known = false;                         // the lock file has them at all
  std::set<std::string, std::less<>> by_address;  // names
  std::set<std::string, std::less<>> aliases;     // the names that stand behind others
};

void take_wish(const std::string& name, const Setting& wish, Wishes& wishes) {
  for (const auto& [inner, value] : wish.members)  // overrides may be nested
    take_wish(inner, value, wishes);
  if (!wish.is_text()) return;
  std::string_view text = wish.text;
  if (!is_version_wish(text)) wishes.by_address.insert(name.substr(0, name.find('@', 1)));
  if (!text.starts_with("npm:")) return;
  text.remove_prefix(4);
  wishes.aliases.insert(std::string(text.substr(0, text.find('@', 1))));
}

void take_wishes(const Setting& package, Wishes& wishes) {
  for (std::string_view kind : kWishes) {
    package.each(kind, [&](const Setting& all) {
      for (const auto& [name, wish] : all.members)
        take_wish(name, wish, wishes);
    });
  }
}

// What package.json overrides stands in no lock file of npm.
void take_manifest(const RepositoryFile& file, Wishes& wishes) {
  if (!file.beside) return;
  auto manifest = read_json_settings(file.beside("package.json"));
  if (!manifest) return;
  take_wishes(*manifest, wishes);
  if (const Setting* pnpm = manifest->find("pnpm")) take_wishes(*pnpm, wishes);
}

std::string_view name_in_way(std::string_view way) {
  constexpr std::string_view kFolder = "node_modules/";
  size_t at = way.rfind(kFolder);
  return at == std::string_view::npos ? std::string_view() : way.substr(at + kFolder.size());
}

void add_package(const LockEntry& entry, const Wishes& wishes, LockEntries& entries) {
  bool is_unasked =
      wishes.are_known && is_git_address(entry.address) && !wishes.by_address.contains(entry.name);
  if (is_unasked) {
    entries.tell(entry);
  } else {
    entries.add(entry);
  }
}

// "packages" of version 2 and 3: by the folder that each lies in.
void read_packages(const Setting& packages, const Wishes& wishes, LockEntries& entries) {
  for (const auto& [way, package] : packages.members) {
    const Setting* resolved = package.find("resolved");
    if (resolved == nullptr || !resolved->is_text()) continue;
    LockEntry entry{std::string(name_in_way(way)), resolved->text, resolved->line};
    const Setting* own = package.find("name");
    bool has_own = own != nullptr && own->is_text() && !entry.name.empty();
    bool is_other = has_own && own->text != entry.name;
    if (is_other && wishes.are_known && !wishes.aliases.contains(own->text) &&
        !wishes.by_address.contains(entry.name)) {
      entries.tell(entry);
      continue;
    }
    if (has_own) entry.name = own->text;
    add_package(entry, wishes, entries);
  }
}

// "dependencies" of version 1: by name, each with its own below it.
void read_dependencies(const Setting& dependencies, LockEntries& entries) {
  for (const auto& [name, package] : dependencies.members) {
    std::string real = name;
    const Setting* version = package.find("version");
    bool has_version = version != nullptr && version->is_text();
    if (has_version && version->text.starts_with("npm:"))
      real = version->text.substr(4, version->text.find('@', 5) - 4);
    if (has_version && kind_of_address(version->text) != AddressKind::none)
      entries.add({real, version->text, version->line});
    const Setting* resolved = package.find("resolved");
    if (resolved != nullptr && resolved->is_text())
      entries.add({real, resolved->text, resolved->line});
    if (const Setting* below = package.find("dependencies")) read_dependencies(*below, entries);
  }
}

// "lodash@4.17.21" of a list: name and the rest.
std::pair<std::string, std::string> split_resolution(std::string_view text) {
  size_t at = text.find('@', 1);
  if (at == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

std::string last_package(std::string_view key) {
  size_t slash = key.rfind('/');
  if (slash == std::string_view::npos) return std::string(key);
  size_t scope = key.rfind('/', slash - 1);
  size_t start = scope == std::string_view::npos ? 0 : scope + 1;
  bool is_scoped = slash > 0 && key.substr(start).starts_with('@');
  return std::string(key.substr(is_scoped ? start : slash + 1));
}

void read_bun_package(const std::string& key, const Setting& package, const Wishes& wishes,
                      LockEntries& entries) {
  if (!package.is_list() || package.members.empty() || !package.members[0].second.is_text()) return;
  const Setting& first = package.members[0].second;
  auto [name, version] = split_resolution(first.text);
  std::string said = last_package(key);
  bool is_elsewhere = !is_version_wish(version) && kind_of_address(version) != AddressKind::none;
  bool is_code = is_elsewhere || is_git_address(version);
  LockEntry entry{said, is_code ? version : first.text, first.line};
  bool is_asked = wishes.by_address.contains(said);
  if (is_code && !is_asked) return entries.tell(entry);
  if (!is_code && name != said && !wishes.aliases.contains(name) && !is_asked)
    return entries.tell(entry);
  if (is_code) entries.add(entry);
  // Behind it: the registry, if it is not the usual one.
  if (package.members.size() > 1 && package.members[1].second.is_text()) {
    const Setting& registry = package.members[1].second;
    entries.add({name, registry.text, registry.line});
  }
}

}  // namespace

bool read_npm_lock(const RepositoryFile& file, LockEntries& entries) {
  auto lock = read_json_settings(file.content, kLockLimits);
  if (!lock || !lock->is_object()) return false;
  Wishes wishes;
  take_manifest(file, wishes);
  lock->each("packages", [&](const Setting& packages) {
    wishes.are_known = wishes.are_known || packages.find("") != nullptr;
    for (const auto& [way, package] : packages.members)
      take_wishes(package, wishes);
  });
  lock->each("packages", [&](const Setting& all) { read_packages(all, wishes, entries); });
  lock->each("dependencies", [&](const Setting& all) { read_dependencies(all, entries); });
  return true;
}

bool read_bun_lock(const RepositoryFile& file, LockEntries& entries) {
  auto lock = read_json_settings(file.content, kLockLimits);
  if (!lock || !lock->is_object()) return false;
  Wishes wishes{.are_known = true};
  take_manifest(file, wishes);
  take_wishes(*lock, wishes);  // its overrides
  lock->each("workspaces", [&](const Setting& all) {
    for (const auto& [name, workspace] : all.members)
      take_wishes(workspace, wishes);
  });
  lock->each("packages", [&](const Setting& all) {
    for (const auto& [name, package] : all.members) {
      for (const auto& [none, part] : package.members)
        take_wishes(part, wishes);
    }
  });
  lock->each("packages", [&](const Setting& all) {
    for (const auto& [name, package] : all.members)
      read_bun_package(name, package, wishes, entries);
  });
  return true;
}

}  // namespace ringwall::audit
