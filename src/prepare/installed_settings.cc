#include "prepare/installed_settings.h"

#include <fcntl.h>

#include "base/file.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"

namespace ringwall::prepare {
namespace {

// The folder of /etc that a path lies in: "/etc/claude-code".
std::string folder_of(const std::string& path) {
  std::vector<std::string> parts = path::components(path);
  return parts.size() < 3 || parts[0] != "etc" ? "" : "/etc/" + parts[1];
}

bool is_alone(const std::string& folder) {
  auto opened = file::open(folder, O_RDONLY | O_DIRECTORY);
  if (!opened) return false;
  auto entries = file::list(opened->get());
  return entries && entries->size() == 1;
}

// Nothing else from the folder of /etc down to it.
bool holds_only(const std::string& root, const std::string& folder, const std::string& path) {
  for (std::string at = path::parent(path);; at = path::parent(at)) {
    if (!is_alone(root + at)) return false;
    if (at == folder) return true;
  }
}

}  // namespace

void leave_out_installed(sandbox::HostFacts& host, std::string_view listed,
                         const std::string& root) {
  for (const std::string& line : text::split(listed, '\n')) {
    size_t blank = line.find(' ');
    if (blank == line.npos) continue;
    std::string path = line.substr(blank + 1);
    std::string folder = folder_of(path);
    if (folder.empty() || path::normalize(path) != path || !holds_only(root, folder, path))
      continue;
    auto content = file::read(root + path);
    if (content && sha256(*content) == line.substr(0, blank)) host.places.erase(folder);
  }
}

void leave_out_installed(sandbox::HostFacts& host) {
  auto listed = file::read(kInstalledSettings);
  if (listed) leave_out_installed(host, *listed);
}

}  // namespace ringwall::prepare
