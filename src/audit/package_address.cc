#include "audit/package_address.h"

#include <algorithm>

#include "audit/checks.h"
#include "base/text.h"
#include "files/name_pattern.h"

namespace ringwall::audit {
namespace {

// Registries that everybody uses, and where the big forges give out archives.
constexpr std::string_view kRegistries[] = {
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "npm.pkg.github.com",
    "registry.npmmirror.com",
    "files.pythonhosted.org",
    "pypi.org",
    "pypi.python.org",
    "download.pytorch.org",
    "crates.io",
    "index.crates.io",
    "static.crates.io",
    "github.com",
    "codeload.github.com",
    "gitlab.com",
    "bitbucket.org",
    "rubygems.org",
    "repo.packagist.org",
    "api.github.com",
    "repo1.maven.org",
    "repo.maven.apache.org",
    "services.gradle.org",
    "downloads.gradle.org",
    "proxy.golang.org",
    "jsr.io",
    "npm.jsr.io",
    "plugins.gradle.org",
    "conda.anaconda.org",
    "raw.githubusercontent.com",
    "cdn.jsdelivr.net",
    "esm.sh",
    "deno.land",
    "hex.pm",
    "repo.hex.pm",
};

// "https://registry.npmjs.org:8443/…" is not the registry.
bool has_odd_port(std::string_view url) {
  size_t start = url.find("://");
  std::string_view rest = url.substr(std::min(start + 3, url.size()));
  rest = rest.substr(0, rest.find_first_of("/?#"));
  rest = rest.substr(rest.rfind('@') + 1);
  size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos || rest.starts_with('[')) return false;
  std::string_view port = rest.substr(colon + 1);
  return url.starts_with("https://") && !port.empty() && port != "443";
}

bool has_steps_up(std::string_view url) {
  std::string small = text::in_small_letters(url.substr(0, url.find_first_of("?#")));
  return small.contains("/../") || small.contains("%2e%2e") || small.contains('\\') ||
         small.contains("/.%2e") || small.contains("/%2e.");
}

// As Python's registry compares names: small letters, one sign between words.
std::string python_name(std::string_view name) {
  std::string out;
  for (char c : text::in_small_letters(name)) {
    bool is_sign = c == '-' || c == '_' || c == '.';
    if (!is_sign) {
      out += c;
    } else if (!out.ends_with('-')) {
      out += '-';
    }
  }
  return out;
}

std::string_view without_prefix(std::string_view url) {
  for (std::string_view prefix : {"git+", "registry+", "sparse+"}) {
    if (url.starts_with(prefix)) url.remove_prefix(prefix.size());
  }
  return url;
}

}  // namespace

bool is_known_registry(const std::string& host) {
  return std::ranges::find(kRegistries, host) != std::end(kRegistries);
}

AddressKind kind_of_address(std::string_view url) {
  url = without_prefix(url);
  std::string scheme = text::in_small_letters(url.substr(0, std::min(url.find("://"), url.size())));
  std::string host = host_of(url);
  if (host == "localhost" || host == "127.0.0.1") return AddressKind::none;
  if (host.empty()) return AddressKind::none;
  if (scheme == "http" || scheme == "git" || scheme == "ftp") return AddressKind::unsafe;
  if (scheme != "https" && scheme != "ssh") return AddressKind::none;
  if (!is_known_registry(host)) return AddressKind::elsewhere;
  return has_odd_port(url) || has_steps_up(url) ? AddressKind::unsafe : AddressKind::known;
}

bool is_git_address(std::string_view address) {
  for (std::string_view start : {"git+", "git:", "git@", "ssh://", "github:", "gitlab:",
                                 "bitbucket:", "https://codeload.github.com/"}) {
    if (address.starts_with(start)) return true;
  }
  return false;
}

bool is_version_wish(std::string_view wish) {
  for (std::string_view start : {"npm:", "workspace:", "catalog:", "patch:"}) {
    if (wish.starts_with(start)) return true;
  }
  return !wish.contains('/') && !wish.contains(':');
}

std::string npm_package_at(std::string_view url) {
  std::string host = host_of(url);
  if (host != "registry.npmjs.org" && host != "registry.yarnpkg.com") return "";
  size_t start = url.find('/', url.find("://") + 3);
  size_t end = url.find("/-/");
  if (start == std::string_view::npos || end == std::string_view::npos || end <= start) return "";
  std::string name(url.substr(start + 1, end - start - 1));
  for (std::string_view slash : {"%2f", "%2F"}) {
    if (size_t at = name.find(slash); at != std::string::npos) name.replace(at, 3, "/");
  }
  return name;
}

bool may_be_python_package(std::string_view url, std::string_view name) {
  if (host_of(url) != "files.pythonhosted.org") return true;
  std::string_view raw = files::last_name(url.substr(0, url.find_first_of("?#")));
  // In the name of a wheel, no dash stands before the version.
  if (raw.ends_with(".whl")) return python_name(raw.substr(0, raw.find('-'))) == python_name(name);
  std::string file = python_name(raw), start = python_name(name) + "-";
  if (!file.starts_with(start)) return false;
  std::string_view rest = std::string_view(file).substr(start.size());
  for (std::string_view ending : {"tar-", "zip", "v"}) {
    if (rest.starts_with(ending)) return true;
  }
  return !rest.empty() && rest[0] >= '0' && rest[0] <= '9';
}

}  // namespace ringwall::audit
