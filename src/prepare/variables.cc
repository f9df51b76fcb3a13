#include "prepare/variables.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/variables.h"

namespace ringwall::prepare {
namespace {

using policy::KnownVariable;
using policy::VariableKind;

constexpr size_t kLargestBundle = 8 << 20;
constexpr size_t kMostCertificates = 4096;

std::string name_of(const policy::Text& assignment) {
  return assignment.value.substr(0, assignment.value.find('='));
}

class Certificates {
 public:
  Status add(const policy::Text& entry, std::string_view key, const std::string& name,
             const std::string& value) {
    const KnownVariable* known = policy::known_variable(name);
    bool folder = known != nullptr && known->kind == VariableKind::certificate_folder;
    if (known == nullptr || (known->kind != VariableKind::certificate && !folder)) return {};
    for (const std::string& path : text::split(value, ':')) {
      if (path.empty()) continue;
      std::string reason = name + " (" + entry.origin.text() + ")";
      if (Status fine = check(path, folder); !fine) {
        fine.error().what.insert(0, reason + ": ");
        return fine;
      }
      files.push_back({path::normalize(path), "named by " + reason, {key, entry.origin}});
    }
    return {};
  }

  std::vector<NamedFile> files;

 private:
  static Status check(const std::string& path, bool folder) {
    if (path[0] != '/')
      return fail(text::quote(path) + " is not an absolute path", "name the file from the root on");
    size_t seen = 0;
    return folder ? check_folder(path, seen) : check_file(AT_FDCWD, path, path, true);
  }

  // With what lies in folders below: all of it would be shown.
  static Status check_folder(const std::string& path, size_t& seen) {
    auto folder = file::open(path, O_RDONLY | O_DIRECTORY);
    if (!folder) return std::unexpected(folder.error());
    TRY_ASSIGN(auto entries, file::list(folder->get()));
    if ((seen += entries.size() + 1) > kMostCertificates)
      return fail(text::quote(path) + " holds too much for a folder of certificates");
    for (const file::Entry& entry : entries) {
      std::string below = path::join(path, entry.name);
      if (entry.type == DT_DIR) {
        TRY(check_folder(below, seen));
      } else {
        TRY(check_file(folder->get(), entry.name, below, false));
      }
    }
    return {};
  }

  // What lies beside certificates may be something else, but never a key.
  static Status check_file(int dir, const std::string& name, const std::string& shown,
                           bool must_hold_one) {
    Fd fd(openat(dir, name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!fd && !must_hold_one && errno == ENOENT) return {};  // a link that leads nowhere
    struct stat facts;
    if (!fd || fstat(fd.get(), &facts) < 0) return fail_errno("cannot open " + text::quote(shown));
    if (!S_ISREG(facts.st_mode)) return fail(text::quote(shown) + " is not a file");
    TRY_ASSIGN(std::string content, file::read_all(fd.get(), kLargestBundle));
    if (content.find("PRIVATE KEY") != std::string::npos)
      return fail(text::quote(shown) + " holds a private key",
                  "name a file that holds certificates alone");
    bool certificate = content.find("-----BEGIN CERTIFICATE-----") != std::string::npos ||
                       content.find("-----BEGIN TRUSTED CERTIFICATE-----") != std::string::npos;
    if (must_hold_one && !certificate)
      return fail(text::quote(shown) + " holds no certificate", "name a file in PEM form");
    return {};
  }
};

}  // namespace

Result<std::vector<NamedFile>> find_certificates(const policy::Policy::Environment& wanted) {
  Certificates certificates;
  auto is_set_later = [&](const std::string& name, size_t after) {
    for (size_t i = after; i < wanted.set.size(); i++) {
      if (name_of(wanted.set[i]) == name) return true;
    }
    return false;
  };
  for (const policy::Text& entry : wanted.pass) {
    const char* value = getenv(entry.value.c_str());
    if (value == nullptr || is_set_later(entry.value, 0)) continue;
    TRY(certificates.add(entry, "environment.pass", entry.value, value));
  }
  for (size_t i = 0; i < wanted.set.size(); i++) {
    const policy::Text& entry = wanted.set[i];
    std::string name = name_of(entry);
    if (is_set_later(name, i + 1)) continue;
    TRY(certificates.add(entry, "environment.set", name, entry.value.substr(name.size() + 1)));
  }
  return std::move(certificates.files);
}

}  // namespace ringwall::prepare
