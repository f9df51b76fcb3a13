// Where a cgroup can be had: looks at this process's own and at the ones above it, changes nothing.
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "limits/cgroup.h"
#include "limits/user_manager.h"

namespace ringwall::limits {
namespace {

std::string read_word_list(const std::string& folder, const char* name) {
  return std::string(text::trim(file::read(path::join(folder, name)).value_or("")));
}

bool has_word(const std::string& list, const std::string& word) {
  return (" " + list + " ").find(" " + word + " ") != std::string::npos;
}

// The first controller that is not in the list; empty: all are.
std::string missing_in(const std::string& list, const Controllers& wanted) {
  std::vector<std::string> all = {"memory", "pids"};
  if (wanted.cpu) all.emplace_back("cpu");
  if (wanted.io) all.emplace_back("io");
  for (const std::string& controller : all) {
    if (!has_word(list, controller)) return controller;
  }
  return "";
}

bool has_all(const std::string& list, const Controllers& wanted) {
  return missing_in(list, wanted).empty();
}

// Where version 2 is mounted; empty: nowhere.
std::string find_mount() {
  auto mounts = file::read("/proc/self/mountinfo", 16 << 20);
  for (const std::string& line : text::split(mounts.value_or(""), '\n')) {
    if (line.find(" - cgroup2 ") == std::string::npos) continue;
    std::vector<std::string> fields = text::split(line, ' ');
    if (fields.size() > 4) return fields[4];
  }
  return "";
}

bool is_marked(const std::string& folder) {
  for (const char* name : {"user.delegate", "trusted.delegate"}) {
    char value = 0;
    if (getxattr(folder.c_str(), name, &value, sizeof value) == 1 && value == '1') return true;
  }
  return false;
}

// This process and the ones that wait for it: front end, shell, terminal.
std::set<pid_t> read_ancestors() {
  constexpr int kMost = 32;
  std::set<pid_t> ancestors;
  pid_t pid = getpid();
  for (int i = 0; i < kMost && pid > 1; i++) {
    ancestors.insert(pid);
    auto stat = file::read("/proc/" + std::to_string(pid) + "/stat");
    // "pid (name) state parent …", where the name may hold anything.
    size_t name_end = stat.value_or("").rfind(')');
    if (!stat || name_end == std::string::npos || stat->size() < name_end + 4) break;
    pid = atoi(stat->c_str() + name_end + 4);
  }
  return ancestors;
}

bool holds_others(const std::string& folder) {
  std::set<pid_t> ancestors = read_ancestors();
  auto processes = file::read(path::join(folder, "cgroup.procs"));
  for (const std::string& process : text::split(text::trim(processes.value_or("0")), '\n')) {
    if (!ancestors.contains(atoi(process.c_str()))) return true;
  }
  return false;
}

CgroupLevel look_at(const std::string& folder) {
  bool writable = access(folder.c_str(), W_OK) == 0 &&
                  access(path::join(folder, "cgroup.procs").c_str(), W_OK) == 0;
  return {.path = folder,
          .writable = writable,
          .delegated = is_marked(folder),
          .others = holds_others(folder),
          .controllers = read_word_list(folder, "cgroup.controllers"),
          .handed_on = read_word_list(folder, "cgroup.subtree_control")};
}

bool is_managers(const std::string& folder) { return path::basename(folder).starts_with("user@"); }

// The levels that the caller may use as he likes: up to the one that was given to him. Where
// systemd runs, everything else is its own, also below the user's own instance.
size_t count_own_levels(const CgroupFacts& facts) {
  size_t writable = 0;
  while (writable < facts.levels.size() && facts.levels[writable].writable)
    writable++;
  if (!facts.systemd) return writable;
  for (size_t i = 0; i < writable; i++) {
    if (!facts.levels[i].delegated) continue;
    return is_managers(facts.levels[i].path) ? 0 : i + 1;
  }
  return 0;
}

CgroupPlan none(std::string why_not, std::string mend) {
  return {CgroupPlan::Way::none, "", std::move(why_not), std::move(mend)};
}

std::string delegation_mend(bool systemd) {
  std::string uid = std::to_string(getuid());
  if (systemd) return "sudo loginctl enable-linger " + uid;
  return "sudo sh -c 'cd /sys/fs/cgroup && echo +memory +pids +cpu +io >cgroup.subtree_control && "
         "mkdir -p ringwall/shell && echo +memory +pids +cpu +io >ringwall/cgroup.subtree_control "
         "&& "
         "chown -R " +
         uid + " ringwall && echo '$$' >ringwall/shell/cgroup.procs'";
}

// By default systemd hands the users' managers memory, pids and, of late, cpu.
std::string managers_mend() {
  return "sudo mkdir -p /etc/systemd/system/user@.service.d && printf '[Service]\\nDelegate=cpu io "
         "memory pids\\n' | sudo tee /etc/systemd/system/user@.service.d/delegate.conf && sudo "
         "systemctl daemon-reload, and log in anew";
}

// What the service manager of the user may hand on; root's is the host's own.
std::string read_managers_controllers(const std::string& mount) {
  std::string uid = std::to_string(getuid());
  std::string below =
      getuid() == 0 ? "" : "/user.slice/user-" + uid + ".slice/user@" + uid + ".service";
  return read_word_list(mount + below, "cgroup.controllers");
}

}  // namespace

std::string read_cgroup_folder(pid_t process) {
  auto own = file::read("/proc/" + std::to_string(process) + "/cgroup");
  for (const std::string& line : text::split(own.value_or(""), '\n')) {
    if (!line.starts_with("0::")) continue;
    std::string relative = line.substr(3);
    std::string mount = find_mount();
    if (mount.empty() || relative.find("/..") != std::string::npos) return "";
    return relative == "/" ? mount : mount + relative;
  }
  return "";
}

CgroupFacts read_cgroup_facts() {
  CgroupFacts facts;
  facts.systemd = file::exists("/run/systemd/system");
  facts.manager = find_user_manager(getuid(), getenv("XDG_RUNTIME_DIR"));
  std::string mount = find_mount();
  std::string folder = read_cgroup_folder(getpid());
  while (!folder.empty() && path::is_beneath(folder, mount)) {
    facts.levels.push_back(look_at(folder));
    if (is_managers(folder)) facts.managers = facts.levels.back().controllers;
    folder = path::parent(folder);
  }
  if (facts.managers.empty() && !mount.empty()) facts.managers = read_managers_controllers(mount);
  return facts;
}

CgroupPlan plan_cgroup(const CgroupFacts& facts, const Controllers& wanted) {
  constexpr const char* kUnified =
      "echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX systemd.unified_cgroup_hierarchy=1\"' | sudo "
      "tee /etc/default/grub.d/cgroup.cfg && sudo update-grub && sudo reboot";
  if (facts.levels.empty()) return none("cgroup version 2 is not mounted", kUnified);
  if (!has_word(facts.levels.back().controllers, "memory")) {
    return none("cgroup version 2 has no memory controller here (version 1 holds it)", kUnified);
  }
  size_t own = count_own_levels(facts);
  for (size_t i = 0; i < own; i++) {
    const CgroupLevel& level = facts.levels[i];
    if (has_all(level.handed_on, wanted)) return {CgroupPlan::Way::below, level.path, "", ""};
  }
  const CgroupLevel& first = facts.levels.front();
  if (own > 0 && !first.others && has_all(first.controllers, wanted))
    return {CgroupPlan::Way::aside, first.path, "", ""};
  if (!facts.manager.empty()) {
    std::string missing = facts.managers.empty() ? "" : missing_in(facts.managers, wanted);
    if (missing.empty()) return {CgroupPlan::Way::scope, facts.manager, "", ""};
    return none("the user's service manager was not given the controller " + missing,
                managers_mend());
  }
  return none("no cgroup was given to this user, and no service manager of the user's runs",
              delegation_mend(facts.systemd));
}

}  // namespace ringwall::limits
