// P13: sockets of the host, by path and by abstract name.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

constexpr const char* kUsualPlaces[] = {
    "/run/docker.sock",
    "/var/run/docker.sock",
    "/run/podman/podman.sock",
    "/run/containerd/containerd.sock",
    "/run/dbus/system_bus_socket",
    "/run/systemd/private",
    "/run/systemd/notify",
    "/run/systemd/journal/socket",
    "/run/snapd.socket",
    "/run/pcscd/pcscd.comm",
    "/run/acpid.socket",
    "/run/nscd/socket",
    "/tmp/.X11-unix/X0",
    "/tmp/.X11-unix/X1",
    "/tmp/.ICE-unix/1",
    "/dev/log",
};

constexpr const char* kInRuntimeFolder[] = {
    "bus",           "gnupg/S.gpg-agent", "gnupg/S.gpg-agent.ssh",
    "keyring/ssh",   "keyring/control",   "ssh-agent.socket",
    "openssh_agent", "wayland-0",         "wayland-1",
    "pulse/native",  "pipewire-0",        "podman/podman.sock",
    "docker.sock",   "systemd/private",   "systemd/notify",
    "gcr/ssh",
};

constexpr useconds_t kBetweenLooks = 2'000;  // microseconds
constexpr int kMostLooks = 1'000;
constexpr int kLooksUntilCaught = 500;

constexpr const char* kAbstract[] = {"/tmp/.X11-unix/X0", "/tmp/.ICE-unix/1"};

void try_names(Acts& acts, const std::string& folder, const std::string& prefix,
               const std::string& below) {
  for (const std::string& name : names_in(folder)) {
    if (!name.starts_with(prefix)) continue;
    std::string path = folder + "/" + name;
    if (below.empty()) {
      acts.tried("connect to " + path, try_connect(path));
      continue;
    }
    for (const std::string& inner : names_in(path)) {
      if (inner.starts_with(below))
        acts.tried("connect to " + path + "/" + inner, try_connect(path + "/" + inner));
    }
  }
}

// Until it lies there, or does not any more.
bool wait_for(const std::string& path, bool is_there) {
  for (int i = 0; i < kMostLooks; i++) {
    if ((access(path.c_str(), F_OK) == 0) == is_there) return true;
    usleep(kBetweenLooks);
  }
  return false;
}

// A mask is no socket. Whoever connects before it is there loses the run, so we only look.
void wait_for_mask(const std::string& path) {
  struct stat facts;
  for (int i = 0; i < kLooksUntilCaught; i++) {
    if (lstat(path.c_str(), &facts) == 0 && !S_ISSOCK(facts.st_mode)) return;
    usleep(kBetweenLooks);
  }
}

// What may be connected to for a moment must be out of reach after it.
void try_late_socket(Acts& acts, const std::string& path) {
  std::string wanted = path + ".wanted";
  int made = open(wanted.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (made < 0) return;
  close(made);
  if (wait_for(path, true)) {
    wait_for_mask(path);
    acts.tried("connect to a socket that is made later", try_connect(path));
  }
  unlink(wanted.c_str());
  wait_for(path, false);
}

}  // namespace

Verdict probe_sockets(const Outside& outside) {
  Acts acts;
  if (!outside.canary_socket.empty())
    acts.tried("connect to a socket outside", try_connect(outside.canary_socket));
  if (!outside.workspace_socket.empty())
    acts.tried("connect to a socket in the workspace", try_connect(outside.workspace_socket));
  if (!outside.late_socket.empty()) try_late_socket(acts, outside.late_socket);
  if (!outside.abstract_socket.empty())
    acts.tried("connect to an abstract socket", try_connect(outside.abstract_socket, true));
  for (const char* path : kUsualPlaces)
    acts.tried(std::string("connect to ") + path, try_connect(path));
  std::string runtime = "/run/user/" + std::to_string(getuid()) + "/";
  for (const char* name : kInRuntimeFolder)
    acts.tried("connect to " + runtime + name, try_connect(runtime + name));
  for (const char* name : kAbstract)
    acts.tried(std::string("connect to abstract ") + name, try_connect(name, true));
  // Folders of agents and editors have random names.
  try_names(acts, "/tmp", "ssh-", "agent.");
  try_names(acts, "/run/user/" + std::to_string(getuid()), "vscode-", "");
  try_names(acts, outside.home + "/.gnupg", "S.", "");
  return acts.verdict();
}

}  // namespace ringwall::probes
