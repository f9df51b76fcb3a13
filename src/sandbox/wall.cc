#include "sandbox/wall.h"

#include <cstdlib>

#ifdef RINGWALL_MUTATIONS
#include <algorithm>

#include "base/text.h"
#endif

namespace ringwall::sandbox {
namespace {

constexpr WallFacts kWalls[] = {
    {Wall::user_namespace, "user-namespace", Need::required, "clone3 CLONE_NEWUSER",
     "every other wall that is built without root"},
    {Wall::mount_namespace, "mount-namespace", Need::required, "clone3 CLONE_NEWNS",
     "a view of files of its own"},
    {Wall::pid_namespace, "pid-namespace", Need::required, "clone3 CLONE_NEWPID, own init",
     "host processes out of sight and reach; everything ends with pid 1"},
    {Wall::network_namespace, "network-namespace", Need::required,
     "clone3 CLONE_NEWNET, loopback only",
     "no way to any network, abstract sockets of the host out of reach"},
    {Wall::network_redirect, "network-redirect", Need::required,
     "nftables in the own network namespace, where something may be reached",
     "every connection is taken to where somebody decides"},
    {Wall::network_names, "network-names", Need::required,
     "a resolver of its own; the names in the first bytes are compared",
     "hosts that were not granted, by the name or the address of one that was"},
    {Wall::network_addresses, "network-addresses", Need::required,
     "every address that a name leads to is judged before it is dialled",
     "the host's own services and networks, by a name that leads there"},
    {Wall::ipc_namespace, "ipc-namespace", Need::required, "clone3 CLONE_NEWIPC",
     "shared memory and queues of the host out of reach"},
    {Wall::uts_namespace, "uts-namespace", Need::required, "clone3 CLONE_NEWUTS",
     "the host's name"},
    {Wall::cgroup_namespace, "cgroup-namespace", Need::required, "clone3 CLONE_NEWCGROUP",
     "the host's cgroup paths"},
    {Wall::own_identity, "own-identity", Need::required,
     "an id map of one ordinary id, and of one that owns managed settings that must be root's; for "
     "root an idmapped mount on top",
     "no process inside is the host's root, nor anyone but the agent"},
    {Wall::keyring, "keyring", Need::required, "keyctl JOIN_SESSION_KEYRING",
     "keys of the caller's session"},
    {Wall::new_root, "new-root", Need::required,
     "open_tree, move_mount, pivot_root on an empty tmpfs",
     "files that were not granted are not there"},
    {Wall::read_only, "read-only", Need::required, "mount_setattr MOUNT_ATTR_RDONLY",
     "system folders and everything granted for reading only"},
    {Wall::fresh_proc, "fresh-proc", Need::required,
     "proc of the own pid namespace, /proc/sys read-only", "host processes and kernel settings"},
    {Wall::private_dev, "private-dev", Need::required,
     "six device files, devpts and shm of its own", "disks, terminals and other devices"},
    {Wall::private_home, "private-home", Need::required,
     "tmpfs at the home's path, named state below",
     "the real home folder; what one run leaves for the next"},
    {Wall::socket_masks, "socket-masks", Need::required,
     "an unreadable file mounted over each socket", "connect() works through read-only mounts"},
    {Wall::later_sockets, "later-sockets", Need::optional,
     "the kernel's list of unix sockets (unix_diag), and such a file over each of the host's",
     "sockets that programs outside make in the workspace while the run goes on"},
    {Wall::protected_files, "protected-files", Need::required,
     "a read-only mount over each, the folders above it pinned",
     "files that something outside runs later"},
    {Wall::hidden_files, "hidden-files", Need::required, "an unreadable file mounted over each",
     "secrets that lie in the workspace"},
    {Wall::denied_programs, "denied-programs", Need::required,
     "an overlay in which their names are missing; an unreadable file over each that lies in a "
     "writable folder",
     "programs of this host that the policy denies, by any name"},
    {Wall::plant_watch, "plant-watch", Need::required, "inotify on every folder, a quarantine",
     "protected files that appear while the run goes on"},
    {Wall::review_layer, "review-layer", Need::required,
     "with --review, an overlay over each folder that may be changed",
     "the real files, until a person has looked at the changes"},
    {Wall::environment, "environment", Need::required, "a list of variables, never the caller's",
     "keys and settings in variables"},
    {Wall::git_settings, "git-settings", Need::required, "GIT_CONFIG_* variables",
     "a repository's settings that run programs"},
    {Wall::descriptors, "descriptors", Need::required, "close_range, 0 to 2 judged one by one",
     "files and sockets that the caller had open"},
    {Wall::capabilities, "capabilities", Need::required,
     "five empty capability sets, locked securebits", "rights over the own namespaces"},
    {Wall::no_new_privileges, "no-new-privileges", Need::required, "prctl PR_SET_NO_NEW_PRIVS",
     "setuid programs and file capabilities"},
    {Wall::landlock, "landlock", Need::optional, "Landlock, ABI 2 or newer",
     "a second wall over the same plan of files"},
    {Wall::system_calls, "system-calls", Need::required, "a seccomp list of allowed calls",
     "the kernel's dangerous calls"},
    {Wall::noexec_writable, "noexec-writable", Need::required,
     "MOUNT_ATTR_NOEXEC on every writable mount, in allow mode",
     "programs that the agent wrote or brought in"},
    {Wall::exec_calls, "exec-calls", Need::required,
     "a second seccomp list, where programs are judged",
     "code in memory files; processes that leave the exec stop; mappings that nobody judges"},
    {Wall::exec_stop, "exec-stop", Need::required,
     "ptrace of every process, PTRACE_O_EXITKILL, where the policy asks for it",
     "programs that appear while the run goes on"},
    {Wall::own_terminal, "own-terminal", Need::required,
     "a pty of the sandbox's own devpts, relayed", "typing into the caller's terminal"},
    {Wall::terminal_filter, "terminal-filter", Need::required, "a list of allowed escape sequences",
     "the caller's clipboard, printer and shell"},
    {Wall::helper_walls, "helper-walls", Need::required, "a short seccomp list around each helper",
     "the caller's files, through a helper that was taken over"},
    {Wall::limits, "limits", Need::required,
     "rlimits, sizes of tmpfs, quotas of the own user namespace",
     "the host's processes, files, watches and memory for others"},
    {Wall::record, "record", Need::required,
     "a file outside, each line with the SHA-256 of the one before, the last one's kept apart",
     "what was refused and allowed is known afterwards"},
    {Wall::lifeline, "lifeline", Need::required, "PR_SET_PDEATHSIG, a channel, death of pid 1",
     "nothing outlives its supervisor"},
};

}  // namespace

std::span<const WallFacts> walls() { return kWalls; }

const WallFacts& facts_of(Wall wall) { return kWalls[static_cast<size_t>(wall)]; }

std::optional<Wall> wall_by_name(std::string_view name) {
  for (const WallFacts& facts : kWalls) {
    if (facts.name == name) return facts.wall;
  }
  return std::nullopt;
}

#ifdef RINGWALL_MUTATIONS
bool is_taken_away(Wall wall) {
  // Copied once: the child wipes its environment half-way through its steps.
  static const std::vector<std::string> kNames = [] {
    const char* list = getenv("RINGWALL_TAKE_AWAY");
    return text::split(list == nullptr ? "" : list, ',');
  }();
  return std::find(kNames.begin(), kNames.end(), facts_of(wall).name) != kNames.end();
}
#endif

}  // namespace ringwall::sandbox
