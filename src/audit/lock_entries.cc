#include "audit/lock_entries.h"

#include <map>

#include "audit/package_address.h"
#include "files/name_pattern.h"

namespace ringwall::audit {
namespace {

// A host that gives so many packages, and most of all, is a registry: it is told once.
constexpr size_t kFewestOfCompany = 5;

struct LockForm {
  std::string_view name;
  bool (*read)(const RepositoryFile& file, LockEntries& entries);
};

constexpr LockForm kForms[] = {
    {"package-lock.json", read_npm_lock}, {"npm-shrinkwrap.json", read_npm_lock},
    {"bun.lock", read_bun_lock},          {"yarn.lock", read_yarn_lock},
    {"pnpm-lock.yaml", read_pnpm_lock},   {"poetry.lock", read_python_lock},
    {"uv.lock", read_python_lock},        {"pdm.lock", read_python_lock},
    {"Pipfile.lock", read_pipenv_lock},   {"Cargo.lock", read_cargo_lock},
    {"flake.lock", read_flake_lock},
};

}  // namespace

void LockEntries::add_hosts_in(std::string_view text) {
  for (size_t at = text.find("://"); at != std::string_view::npos; at = text.find("://", at + 3)) {
    std::string_view rest = text.substr(at, text.find_first_of("\"' \t\r\n,)", at) - at);
    named_.insert(host_of(rest));
  }
}

void LockEntries::read_named_hosts(std::initializer_list<std::string_view> names) {
  for (std::string_view name : names) {
    if (file_.beside) add_hosts_in(file_.beside(name));
  }
}

void LockEntries::add(LockEntry entry) {
  count_++;
  switch (kind_of_address(entry.address)) {
    case AddressKind::unsafe:
      return tell(entry);
    case AddressKind::elsewhere:
      elsewhere_.push_back(std::move(entry));
      return;
    case AddressKind::known: {
      std::string given = npm_package_at(entry.address);
      bool is_other = !given.empty() && !entry.name.empty() && given != entry.name;
      if (is_other || !may_be_python_package(entry.address, entry.name)) tell(entry);
      return;
    }
    case AddressKind::none:
      return;
  }
}

void LockEntries::tell(const LockEntry& entry) {
  std::string seen = entry.name.empty() ? entry.address : entry.name + " from " + entry.address;
  reporter_.add("RW262", file_.path, entry.line, seen);
}

void LockEntries::finish() {
  std::map<std::string, size_t> hosts;
  for (const LockEntry& entry : elsewhere_)
    hosts[host_of(entry.address)]++;
  std::set<std::string> told;
  for (const LockEntry& entry : elsewhere_) {
    std::string host = host_of(entry.address);
    bool is_company =
        named_.contains(host) || (hosts[host] >= kFewestOfCompany && hosts[host] * 2 > count_);
    if (!is_company) {
      tell(entry);
    } else if (told.insert(host).second) {
      reporter_.add("RW265", file_.path, entry.line,
                    std::to_string(hosts[host]) + " packages from " + host);
    }
  }
}

void check_lock_file(const RepositoryFile& file, Reporter& reporter) {
  LockEntries entries(file, reporter);
  entries.read_named_hosts({".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml", "pyproject.toml",
                            "uv.toml", "Pipfile", ".cargo/config.toml", "Cargo.toml",
                            "package.json"});
  auto read = read_other_lock;
  for (const LockForm& form : kForms) {
    if (files::same_name(files::last_name(file.path), form.name)) read = form.read;
  }
  if (!read(file, entries)) {
    reporter.add("RW269", file.path, 0, "");
    (void)read_other_lock(file, entries);
  }
  entries.finish();
}

}  // namespace ringwall::audit
