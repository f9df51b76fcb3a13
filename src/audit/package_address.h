// Addresses that packages are taken from, and what they say of the package.
#pragma once

#include <string>
#include <string_view>

namespace ringwall::audit {

// A registry that everybody uses, or a forge that gives out archives.
bool is_known_registry(const std::string& host);

enum class AddressKind {
  none,       // no address of the web: a version, a folder
  known,      // of a registry or forge that everybody uses
  elsewhere,  // of another host
  unsafe,     // without encryption, or written so that it leads elsewhere than it seems to
};
AddressKind kind_of_address(std::string_view url);

// It names the code of a repository: "git+ssh://…", "github:…".
bool is_git_address(std::string_view address);
// "^4.17", "npm:lodash@4", "latest": what a registry is asked for by a version alone.
bool is_version_wish(std::string_view wish);

// The package that npm's registry gives out at an address: "https://HOST/NAME/-/FILE". Empty: none.
std::string npm_package_at(std::string_view url);
// False: the file is one of Python's registry, and of another package than `name`.
bool may_be_python_package(std::string_view url, std::string_view name);

}  // namespace ringwall::audit
