// P14 and P16: runtime folders and devices.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/path.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

constexpr const char* kRuntimeFolders[] = {"/run",         "/var/run",  "/run/user",
                                           "/run/secrets", "/run/lock", "/run/systemd"};

constexpr std::string_view kHarmless[] = {"null", "zero",  "full",   "random", "urandom",
                                          "tty",  "ptmx",  "pts",    "shm",    "mqueue",
                                          "fd",   "stdin", "stdout", "stderr"};

// Opening these does nothing by itself. (A watchdog would start to count, a tape to wind.)
constexpr const char* kDevices[] = {
    "/dev/mem",
    "/dev/kmem",
    "/dev/port",
    "/dev/kmsg",
    "/dev/kvm",
    "/dev/fuse",
    "/dev/net/tun",
    "/dev/loop-control",
    "/dev/loop0",
    "/dev/vsock",
    "/dev/vhost-vsock",
    "/dev/userfaultfd",
    "/dev/sda",
    "/dev/vda",
    "/dev/nvme0n1",
    "/dev/dm-0",
    "/dev/mapper/control",
    "/dev/tty0",
    "/dev/tty1",
    "/dev/vcs",
    "/dev/vcsa",
    "/dev/input/event0",
    "/dev/uinput",
    "/dev/dri/card0",
    "/dev/video0",
    "/dev/snd/controlC0",
    "/dev/hidraw0",
    "/dev/console",
    "/dev/btrfs-control",
};

// Folders on the way to the workspace, should it be granted below /run.
bool leads_to_workspace(const std::string& path, const Outside& outside) {
  return path::is_beneath(outside.workspace, path);
}

// The folder of what Ringwall serves there, with nothing else in it.
bool is_served(const std::string& path, const Outside& outside) {
  const std::vector<std::string>& served = outside.served;
  auto is_one = [&](const std::string& name) {
    return std::find(served.begin(), served.end(), path + "/" + name) != served.end();
  };
  std::vector<std::string> names = names_in(path);
  return !names.empty() && std::all_of(names.begin(), names.end(), is_one);
}

void try_first_file(Acts& acts, const std::string& folder) {
  for (const std::string& name : names_in(folder)) {
    std::string path = folder + "/" + name;
    struct stat facts;
    if (stat(path.c_str(), &facts) < 0 || !S_ISREG(facts.st_mode)) continue;
    if (access(path.c_str(), R_OK) == 0) {
      return acts.tried("read a file in " + folder, try_open(path, O_RDONLY));
    }
  }
}

int make_node(const std::string& folder, mode_t type, dev_t device) {
  std::string path = folder + "/node";
  if (mknod(path.c_str(), type | 0600, device) < 0) return errno;
  int err = try_open(path, O_RDONLY);
  unlink(path.c_str());
  return err;
}

// Terminals of others: our own instance holds only those that were made inside.
void try_terminals(Acts& acts) {
  for (const std::string& name : names_in("/dev/pts")) {
    std::string path = "/dev/pts/" + name;
    struct stat facts;
    if (name == "ptmx" || stat(path.c_str(), &facts) < 0 || facts.st_uid == getuid()) continue;
    acts.tried("open another's terminal " + path, try_open(path, O_RDWR));
  }
}

}  // namespace

Verdict probe_runtime_folders(const Outside& outside) {
  Acts acts;
  for (const char* folder : kRuntimeFolders) {
    std::vector<std::string> names = names_in(folder);
    int err = errno;
    std::erase_if(names, [&](const std::string& name) {
      return leads_to_workspace(std::string(folder) + "/" + name, outside) ||
             is_served("/run/" + name, outside);
    });
    if (!names.empty())
      acts.got_in("list " + std::string(folder));
    else if (err == 0)
      acts.stopped(std::string("list ") + folder, "empty");
    else
      acts.stopped(std::string("list ") + folder, err);
    try_first_file(acts, folder);
  }
  std::string own = "/run/user/" + std::to_string(getuid());
  if (!leads_to_workspace(own, outside))
    acts.tried("enter " + own, try_open(own, O_RDONLY | O_DIRECTORY));
  return acts.verdict();
}

Verdict probe_devices(const Outside& outside) {
  Acts acts;
  for (const std::string& name : names_in("/dev")) {
    bool harmless =
        std::find(std::begin(kHarmless), std::end(kHarmless), name) != std::end(kHarmless);
    std::string path = "/dev/" + name;
    if (!harmless && !leads_to_workspace(path, outside)) acts.got_in("see " + path);
  }
  for (const char* path : kDevices)
    acts.tried(std::string("open ") + path, try_open(path, O_RDONLY));
  try_terminals(acts);
  if (Scratch scratch(outside.workspace); scratch) {
    acts.tried("make a memory device", make_node(scratch.path(), S_IFCHR, makedev(1, 1)));
    acts.tried("make a disk", make_node(scratch.path(), S_IFBLK, makedev(8, 0)));
  } else {
    acts.untried("the workspace cannot be written");
  }
  return acts.verdict();
}

}  // namespace ringwall::probes
