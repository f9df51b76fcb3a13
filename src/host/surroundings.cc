#include "host/surroundings.h"

#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/file.h"
#include "base/file_id.h"
#include "base/text.h"

namespace ringwall::host {
namespace {

constexpr const char* kSwitches[] = {
    "user.max_user_namespaces",
    "user.max_mnt_namespaces",
    "user.max_pid_namespaces",
    "user.max_net_namespaces",
    "user.max_ipc_namespaces",
    "user.max_uts_namespaces",
    "user.max_cgroup_namespaces",
    "kernel.unprivileged_userns_clone",
    "kernel.apparmor_restrict_unprivileged_userns",
    "kernel.keys.maxkeys",
};

std::string read_line(const std::string& path) {
  auto value = file::read(path);
  return value ? std::string(text::trim(*value)) : "";
}

std::map<std::string, std::string> read_switches() {
  std::map<std::string, std::string> values;
  for (const char* name : kSwitches) {
    std::string path = name;
    std::replace(path.begin(), path.end(), '.', '/');
    std::string value = read_line("/proc/sys/" + path);
    if (!value.empty()) values[name] = value;
  }
  return values;
}

struct MountLine {
  std::string point;
  std::string options;  // of the filesystem
};

std::vector<MountLine> read_mounts() {
  std::vector<MountLine> mounts;
  auto lines = file::read("/proc/self/mountinfo", 16 << 20);
  if (!lines) return mounts;
  for (const std::string& line : text::split(*lines, '\n')) {
    std::vector<std::string> fields = text::split(line, ' ');
    if (fields.size() > 6) mounts.push_back({fields[4], fields.back()});
  }
  return mounts;
}

void look_at_proc(const std::vector<MountLine>& mounts, Surroundings& out) {
  struct stat facts;
  out.proc_mounted = stat("/proc/self/status", &facts) == 0;
  for (const MountLine& mount : mounts) {
    // A mount for binary formats hides nothing; the kernel lets it pass.
    if (mount.point == "/proc/sys/fs/binfmt_misc") continue;
    if (mount.point.starts_with("/proc/") && out.masked_proc.empty()) out.masked_proc = mount.point;
    if (mount.point != "/proc") continue;
    for (const std::string& option : text::split(mount.options, ',')) {
      if (option.starts_with("hidepid=")) out.hidepid = option.substr(8);
    }
    if (out.hidepid == "off" || out.hidepid == "0") out.hidepid.clear();
  }
}

bool is_in_chroot(const std::vector<MountLine>& mounts, bool proc_mounted) {
  if (!proc_mounted) return false;  // nothing is known then
  struct stat own, init;
  if (stat("/", &own) == 0 && stat("/proc/1/root/.", &init) == 0) {
    return !file::is_same(own, init);
  }
  // An ordinary user may not look through pid 1. A root that is no mount is a chroot.
  return std::none_of(mounts.begin(), mounts.end(),
                      [](const MountLine& mount) { return mount.point == "/"; });
}

std::string find_container() {
  if (file::exists("/run/.containerenv")) return "podman";
  if (file::exists("/.dockerenv")) return "docker";
  if (getenv("KUBERNETES_SERVICE_HOST") != nullptr) return "kubernetes";
  std::string told = read_line("/run/systemd/container");
  if (!told.empty()) return told;
  const char* variable = getenv("container");
  return variable == nullptr ? "" : variable;
}

std::string read_apparmor_profile() {
  std::string profile = read_line("/proc/self/attr/apparmor/current");
  if (profile == "unconfined") return "";
  return profile.substr(0, profile.find(" ("));
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

bool has_admin(const std::string& status) {
  constexpr unsigned kSysAdmin = 21;
  size_t at = status.find("\nCapEff:\t");
  if (at == std::string::npos) return true;  // nothing is known then
  return (strtoull(status.c_str() + at + 9, nullptr, 16) >> kSysAdmin & 1) != 0;
}

bool are_ids_mapped() {
  std::vector<std::string> words;
  for (const std::string& word : text::split(read_line("/proc/self/uid_map"), ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  return !words.empty() && words != std::vector<std::string>{"0", "0", "4294967295"};
}

}  // namespace

Surroundings read_surroundings() {
  Surroundings out;
  std::vector<MountLine> mounts = read_mounts();
  look_at_proc(mounts, out);
  out.caller_is_root = getuid() == 0;
  out.ids_are_mapped = are_ids_mapped();
  out.in_chroot = is_in_chroot(mounts, out.proc_mounted);
  out.inside_ringwall = read_line("/proc/1/cmdline").starts_with("ringwall-init");
  std::string status = file::read("/proc/self/status").value_or("");
  out.filtered = has_line(status, "Seccomp:\t2");
  out.lacks_admin = !has_admin(status);
  out.container = find_container();
  out.apparmor_profile = read_apparmor_profile();
  out.switches = read_switches();
  utsname name;
  if (uname(&name) == 0) out.kernel = name.release;
  return out;
}

}  // namespace ringwall::host
