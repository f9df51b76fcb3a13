// What the caller is allowed by being who they are: groups, sockets of daemons, variables.
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/file_id.h"
#include "base/secret_shape.h"
#include "base/text.h"
#include "machine_audit/machine.h"

namespace ringwall::machine_audit {
namespace {

constexpr std::string_view kAsRoot[] = {"docker", "lxd", "incus-admin", "disk", "shadow"};
constexpr const char* kSockets[] = {
    "/run/docker.sock",
    "/var/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/run/crio/crio.sock",
    "/var/snap/lxd/common/lxd/unix.socket",
    "/var/lib/incus/unix.socket",
    "/run/podman/podman.sock",
};
constexpr std::string_view kEnvironment = "the environment of this shell";

std::vector<std::string> own_groups() {
  std::vector<std::string> names;
  int count = getgroups(0, nullptr);
  std::vector<gid_t> groups(count > 0 ? static_cast<size_t>(count) : 0);
  count = getgroups(count, groups.data());
  for (int i = 0; i < count; i++) {
    if (const group* known = getgrgid(groups[static_cast<size_t>(i)]))
      names.emplace_back(known->gr_name);
  }
  return names;
}

}  // namespace

std::optional<gid_t> find_private_group(uid_t uid, gid_t gid) {
  const passwd* user = getpwuid(uid);
  std::string name = user != nullptr ? user->pw_name : "";
  const group* own = getgrgid(gid);
  if (own == nullptr || name != own->gr_name) return std::nullopt;
  for (char** member = own->gr_mem; *member != nullptr; member++) {
    if (name != *member) return std::nullopt;
  }
  return gid;
}

void look_at_groups(std::span<const std::string> groups, std::vector<Finding>& findings) {
  for (const std::string& group : groups) {
    if (std::find(std::begin(kAsRoot), std::end(kAsRoot), group) != std::end(kAsRoot))
      findings.push_back(audit::make_finding("RW194", "/etc/group", 0, group));
  }
}

void look_at_sockets(std::span<const std::string> sockets, std::vector<Finding>& findings) {
  std::vector<file::Id> seen;  // /var/run is /run
  for (const std::string& path : sockets) {
    struct stat facts;
    if (stat(path.c_str(), &facts) < 0 || !S_ISSOCK(facts.st_mode)) continue;
    file::Id id = file::id_of(facts);
    bool is_known = std::find(seen.begin(), seen.end(), id) != seen.end();
    seen.push_back(id);
    if (!is_known && access(path.c_str(), W_OK) == 0)
      findings.push_back(audit::make_finding("RW195", path, 0, "you may talk to it"));
  }
}

void look_at_environment(std::span<const char* const> variables, std::vector<Finding>& findings) {
  std::vector<std::string> secrets;
  for (std::string_view variable : variables) {
    size_t equals = variable.find('=');
    if (equals == variable.npos || equals == 0) continue;
    std::string_view name = variable.substr(0, equals), value = variable.substr(equals + 1);
    bool is_secret = (secret::is_named(name) && secret::is_real(value) && value.size() >= 8 &&
                      value[0] != '/') ||
                     secret::find_token(value).has_value();
    if (is_secret) secrets.emplace_back(name);
    bool is_open = name == "DOCKER_HOST" && value.starts_with("tcp://") &&
                   value.find("127.0.0.1") == value.npos && value.find("localhost") == value.npos;
    bool is_unchecked = name == "NODE_TLS_REJECT_UNAUTHORIZED" && value == "0";
    if (is_open || is_unchecked)
      findings.push_back(audit::make_finding("RW180", std::string(kEnvironment), 0, variable,
                                             "unset " + std::string(name)));
  }
  std::sort(secrets.begin(), secrets.end());
  if (!secrets.empty())
    findings.push_back(
        audit::make_finding("RW179", std::string(kEnvironment), 0, text::join(secrets, ", ")));
}

void look_at_host(const MachineRequest& request, std::vector<Finding>& findings) {
  size_t count = 0;
  while (environ[count] != nullptr)
    count++;
  look_at_environment({environ, count}, findings);
  // Root is what they would make of others.
  if (request.uid == 0) return;
  look_at_groups(own_groups(), findings);
  look_at_sockets(std::vector<std::string>(std::begin(kSockets), std::end(kSockets)), findings);
}

}  // namespace ringwall::machine_audit
