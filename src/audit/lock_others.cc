// Cargo.lock, flake.lock, and all other lock files by the keys that stand before addresses.
#include <algorithm>

#include "audit/lock_entries.h"
#include "audit/package_address.h"

namespace ringwall::audit {
namespace {

std::string text_of(const Setting* value) {
  return value != nullptr && value->is_text() ? value->text : "";
}

bool is_crates_io(std::string_view index) {
  while (index.ends_with('/'))
    index.remove_suffix(1);
  return index == "registry+https://github.com/rust-lang/crates.io-index" ||
         index == "registry+https://index.crates.io" ||
         index == "registry+sparse+https://index.crates.io" ||
         index == "sparse+https://index.crates.io";
}

// Keys before an address in the lock files of many package managers.
constexpr std::string_view kAddressKeys[] = {
    "\"resolved\":",    "resolved \"", "tarball: ",  "tarball:\"",
    "source = \"",      "url = \"",    "\"url\":",   "remote: ",
    "distributionUrl=", "wrapperUrl=", "registry: ", "resolution: {tarball: ",
};

std::string_view word_at(std::string_view text, size_t at) {
  at = std::min(text.find_first_not_of(" \t\"'", at), text.size());
  return text.substr(at, text.find_first_of(" \t\r\n\"',}", at) - at);
}

// What was asked for, and what was taken: they name the same repository.
void check_flake_input(const std::string& name, const Setting& node, LockEntries& entries) {
  const Setting* asked = node.find("original");
  const Setting* taken = node.find("locked");
  if (asked == nullptr || taken == nullptr) return;
  std::string address = text_of(taken->find("url"));
  std::string seen = text_of(taken->find("owner")) + "/" + text_of(taken->find("repo"));
  bool is_indirect = text_of(asked->find("type")) == "indirect";
  bool is_other = false;
  for (const char* key : {"type", "owner", "repo", "url", "host"}) {
    std::string before = text_of(asked->find(key)), after = text_of(taken->find(key));
    bool differs = before != after && !(std::string_view(key) == "url" && after.contains(before));
    is_other = is_other || (!is_indirect && differs);
  }
  bool is_nixpkgs = is_indirect && text_of(asked->find("id")) == "nixpkgs";
  is_other = is_other || (is_nixpkgs && seen != "NixOS/nixpkgs" && seen != "nixos/nixpkgs");
  LockEntry entry{name, address.empty() ? seen : address, taken->line};
  bool is_tarball = text_of(taken->find("type")) == "tarball";  // channels move on
  if (is_other && !is_tarball) return entries.tell(entry);
  if (kind_of_address(address) == AddressKind::unsafe) entries.add(entry);
}

}  // namespace

bool read_cargo_lock(const RepositoryFile& file, LockEntries& entries) {
  auto lock = read_toml_settings(file.content, kLockLimits);
  if (!lock) return false;
  lock->each("package", [&](const Setting& packages) {
    for (const auto& [none, package] : packages.members) {
      const Setting* source = package.find("source");
      if (source == nullptr || !source->is_text()) continue;
      LockEntry entry{text_of(package.find("name")), source->text, source->line};
      bool is_registry =
          source->text.starts_with("registry+") || source->text.starts_with("sparse+");
      // An index of others on a forge that everybody uses.
      bool is_others = is_registry && !is_crates_io(source->text) &&
                       kind_of_address(source->text) == AddressKind::known;
      if (is_others) {
        entries.tell(entry);
      } else {
        entries.add(entry);
      }
    }
  });
  return true;
}

bool read_flake_lock(const RepositoryFile& file, LockEntries& entries) {
  auto lock = read_json_settings(file.content, kLockLimits);
  if (!lock || !lock->is_object()) return false;
  lock->each("nodes", [&](const Setting& nodes) {
    for (const auto& [name, node] : nodes.members)
      check_flake_input(name, node, entries);
  });
  return true;
}

bool read_other_lock(const RepositoryFile& file, LockEntries& entries) {
  for (std::string_view key : kAddressKeys) {
    size_t line = 1, counted = 0;
    for (size_t at = file.content.find(key); at != std::string_view::npos;
         at = file.content.find(key, at + 1)) {
      std::string url(word_at(file.content, at + key.size()));
      // In .properties, colons of addresses are written with a backslash.
      std::erase(url, '\\');
      line += line_at(file.content.substr(counted, at - counted), at) - 1;
      counted = at;
      if (kind_of_address(url) != AddressKind::none) entries.add({"", url, line});
    }
  }
  return true;
}

}  // namespace ringwall::audit
