#include "verify/promises.h"

#include "base/text.h"

namespace ringwall::verify {
namespace {

using sandbox::Need;
using sandbox::Wall;
using enum Keeper;
using enum ShownFrom;

constexpr std::string_view kEntry = "Entry and privilege";
constexpr std::string_view kFiles = "Files";
constexpr std::string_view kEnvironment = "Environment and terminal";
constexpr std::string_view kNetwork = "Network";
constexpr std::string_view kPrograms = "Programs";
constexpr std::string_view kLife = "Life and control";

std::vector<Wall> required_walls() {
  std::vector<Wall> required;
  for (const sandbox::WallFacts& facts : sandbox::walls()) {
    if (facts.need == Need::required) required.push_back(facts.wall);
  }
  return required;
}

// clang-format off
const std::vector<Promise>& table() {
  static const std::vector<Promise> kPromises = {
    {"P01", "it really runs inside", "it really runs inside",
     "its user, mount, pid, net, ipc, uts and cgroup namespaces all differ from the ones recorded outside",
     kEntry, {kernel},
     {Wall::user_namespace, Wall::mount_namespace, Wall::pid_namespace, Wall::network_namespace,
      Wall::ipc_namespace, Wall::uts_namespace, Wall::cgroup_namespace},
     inside},
    {"P02", "setuid gives nothing", "setuid gives nothing",
     "no_new_privs is set; a setuid-root program runs without gaining anything; no file in the workspace is "
     "made setuid or setgid by chmod, open, creat or mknod in any form",
     kEntry, {kernel}, {Wall::no_new_privileges, Wall::user_namespace, Wall::system_calls}, inside},
    {"P03", "no capability, and never host root", "no capability, no host root",
     "all five capability sets are empty; started by root, no process inside has host uid 0; no process becomes "
     "another id, though one may show as uid 0 that owns managed settings; /proc/sys refuses",
     kEntry, {kernel}, {Wall::capabilities, Wall::own_identity, Wall::fresh_proc}, inside},
    {"P04", "the system-call wall stands", "the system-call wall stands",
     "each denied call is tried: io_uring, bpf, the mount family, keyctl, perf_event_open, userfaultfd, "
     "kexec, open_by_handle_at, the 32-bit and x32 entries and others",
     kEntry, {kernel}, {Wall::system_calls}, inside},
    {"P05", "no new namespace", "no new namespace",
     "unshare, clone and clone3 for every namespace type",
     kEntry, {kernel}, {Wall::system_calls, Wall::limits}, inside},
    {"P06", "nothing outside can be seen, signalled, traced or read", "host processes out of reach",
     "/proc lists only its own; kill, ptrace, process_vm_readv, /proc/1/mem",
     kEntry, {kernel}, {Wall::pid_namespace, Wall::fresh_proc}, inside},
    {"P07", "the home folder is not there", "the home folder is not there",
     "a canary in the real home, by its path, by /proc/self/root, /proc/1/root, `..`, symlink, hard link, "
     "/proc/*/fd, a rename of an ancestor",
     kFiles, {kernel}, {Wall::new_root, Wall::landlock, Wall::private_home}, inside},
    {"P08", "credentials are not there", "credentials are not there",
     "the usual places of ssh, cloud, package-manager, browser and agent credentials",
     kFiles, {kernel}, {Wall::new_root, Wall::landlock, Wall::private_home}, inside},
    {"P09", "only granted places are writable", "only grants are writable",
     "writes to system folders, /etc, /proc/sys, /sys, device nodes; remount attempts",
     kFiles, {kernel}, {Wall::read_only, Wall::landlock, Wall::new_root, Wall::fresh_proc},
     inside},
    {"P10", "files that run outside later cannot be planted", "no planted files",
     ".git/hooks, .git/config, agent, editor, direnv and Ringwall files: those of the start are written, "
     "removed, renamed, and their folders renamed; absent ones are made as files, links and folders, and by "
     "renaming a folder into place; all of it once more under review, where nothing real may change",
     kFiles, {kernel, caught}, {Wall::protected_files, Wall::plant_watch, Wall::review_layer},
     outside},
    {"P11", "hidden files stay hidden", "hidden files stay hidden",
     ".env and private keys of the start cannot be read, renamed, linked or removed",
     kFiles, {kernel}, {Wall::hidden_files}, outside},
    {"P12", "the host tree is untouched", "the host tree is untouched",
     "listing of the workspace and home, with content, before, during and after: identical but for what was "
     "granted; also after SIGKILL",
     kFiles, {kernel}, {Wall::mount_namespace, Wall::new_root}, outside},
    {"P13", "host sockets are out of reach", "host sockets out of reach",
     "ssh-agent, gpg-agent, D-Bus, X11, Wayland, VS Code IPC, docker.sock, in their usual places and in "
     "granted trees at the start, abstract ones, and one that is made in the workspace while the run goes on "
     "(caught within 100 ms, on an emulated host within a second; not tried where the kernel does not list unix sockets)",
     kFiles, {kernel, caught}, {Wall::new_root, Wall::socket_masks, Wall::network_namespace, Wall::plant_watch,
      Wall::later_sockets}, inside},
    {"P14", "runtime and secret folders are masked", "runtime folders are masked",
     "/run/user, /run/secrets, /run",
     kFiles, {kernel}, {Wall::new_root, Wall::landlock}, inside},
    {"P15", "no descriptor leaks", "no descriptor leaks",
     "descriptors 3 and up are closed, whatever the caller had open; 0 to 2 lead nowhere",
     kFiles, {kernel}, {Wall::descriptors}, inside},
    {"P16", "only harmless devices", "only harmless devices",
     "/dev holds null, zero, full, random, urandom, tty, ptmx, pts, shm and fd links",
     kFiles, {kernel}, {Wall::private_dev, Wall::new_root, Wall::landlock}, inside},
    {"P17", "the caller's keyrings are out of reach", "keyrings are out of reach",
     "a key in the caller's session and user keyrings",
     kFiles, {kernel}, {Wall::system_calls, Wall::keyring}, inside},
    {"P18", "System V and POSIX IPC are separate", "System V, POSIX IPC apart",
     "a segment and a queue made outside",
     kFiles, {kernel}, {Wall::ipc_namespace}, inside},
    {"P19", "the environment is built, not inherited", "the environment is built",
     "canary variables; LD_*, BASH_ENV, NODE_OPTIONS, PYTHON*, GIT_*, *_PROXY",
     kEnvironment, {kernel}, {Wall::environment}, inside},
    {"P20", "no typing into the caller's terminal", "no typing into the terminal",
     "TIOCSTI, TIOCLINUX, opening the caller's tty, a tty left on one of 0 to 2 while another is a pipe",
     kEnvironment, {kernel}, {Wall::own_terminal, Wall::private_dev, Wall::system_calls}, outside},
    {"P21", "no hostile escape sequence reaches the caller's terminal", "no hostile escape sequence",
     "clipboard (OSC 52), device control strings, answer-back and title reports, from the agent and from "
     "names that Ringwall itself prints; terminal queries that full-screen programs need still work",
     kEnvironment, {caught}, {Wall::terminal_filter, Wall::own_terminal}, outside},
    {"P22", "git runs with curated settings", "git has curated settings",
     "hooks path, fsmonitor, system and global files; identity still there",
     kEnvironment, {kernel}, {Wall::git_settings}, inside},
    {"P23", "nothing is reachable that was not granted", "no ungranted address",
     "TCP to addresses of all kinds, IPv4 and IPv6, at granted ports and others; to the host's loopback; a "
     "granted name at a port that another one was granted at",
     kNetwork, {kernel},
     {Wall::network_namespace, Wall::network_redirect, Wall::network_names, Wall::network_addresses},
     inside},
    {"P24", "no name outside a grant leaves by DNS", "no name leaves by DNS",
     "questions of every type, by UDP and TCP; long labels; straight to an address; to a server of the host's. "
     "Below a wildcard, names leave only with a connection, and are counted and limited",
     kNetwork, {kernel}, {Wall::network_names, Wall::network_namespace, Wall::network_redirect}, inside},
    {"P25", "private, link-local, metadata, CGNAT and host-loopback addresses are refused",
     "no private address",
     "by address, and by a granted name that resolves to one (rebinding)",
     kNetwork, {kernel},
     {Wall::network_addresses, Wall::network_namespace, Wall::network_redirect}, inside},
    {"P26", "a granted name works without proxy variables", "grants work without a proxy",
     "granted names are found; servers that speak first or last, HTTP and long streams are reached at granted "
     "ports, with no proxy variable set",
     kNetwork, {kernel}, {Wall::network_redirect}, inside},
    {"P27", "the name in the clear is the granted one", "the name shown is granted",
     "ClientHello and Host that differ from it, are missing or doubled, on every request of a plaintext connection; "
     "not what is inside TLS, and not a ClientHello that is encrypted behind the granted name",
     kNetwork, {kernel}, {Wall::network_names}, inside},
    {"P28", "no datagram leaves, no other family exists", "no datagram, no other family",
     "UDP to any address, to groups and to everybody, with and without the network wall; ICMP, raw, packet, vsock, "
     "and every other socket family",
     kNetwork, {kernel}, {Wall::network_namespace, Wall::network_redirect, Wall::system_calls}, inside},
    {"P29", "secrets given to the supervisor never come inside", "secrets stay outside",
     "the login of an upstream proxy: looked for in the environment, in the memory, environment and arguments of "
     "every process in sight, and in files",
     kNetwork, {kernel},
     {Wall::environment, Wall::new_root, Wall::landlock, Wall::private_home, Wall::pid_namespace},
     outside},
    {"P30", "a denied program of this host does not run, by any road", "denied programs do not run",
     "direct, renamed, copied, linked, ld.so, memfd, /proc/self/root, script, preload, dlopen",
     kPrograms, {kernel}, {Wall::denied_programs}, outside},
    {"P31", "in allow mode, no unknown file is executed or mapped", "unknown files do not run",
     "a program that was brought in, or copied and padded: in the workspace, /tmp and the home, by ld.so, as an "
     "interpreter, preloaded; all noexec, and where vetted programs of the workspace run",
     kPrograms, {kernel}, {Wall::noexec_writable, Wall::exec_calls, Wall::exec_stop}, outside},
    {"P32", "it ends with its supervisor", "it ends with its supervisor",
     "SIGKILL, SIGHUP, SIGTERM of the supervisor; SIGKILL of front end, relay and pid 1; the end of the "
     "terminal; every process gone within a second, also stopped, traced, forking and signal-ignoring ones",
     kLife, {kernel}, {Wall::lifeline, Wall::pid_namespace}, outside},
    {"P33", "bombs stay inside", "bombs stay inside",
     "too many processes, open files, files in memory and inotify instances, larger pipes, filling of /tmp, "
     "/dev/shm and home (*kernel*); filling of the workspace (*caught*: paused within a second); a memory bomb "
     "(*with cgroup*, otherwise *caught*: paused within a second, and first in line for the OOM killer)",
     kLife, {kernel, caught, with_cgroup}, {Wall::limits, Wall::system_calls}, outside},
    {"P34", "there is no off switch inside", "no off switch inside",
     "policy files, control socket, own binary, variables, second start of ringwall",
     kLife, {kernel}, {Wall::new_root, Wall::system_calls, Wall::environment}, inside},
    {"P35", "it refuses rather than degrades", "it refuses, never degrades",
     "each required wall made impossible in turn",
     kLife, {kernel}, required_walls(), outside},
    {"P36", "every refusal that a Ringwall process makes is recorded with its rule",
     "refusals are recorded",
     "a protected name that is planted, a name that nobody granted; the record is looked for inside, and every line "
     "of it changed and removed outside",
     kLife, {kernel}, {Wall::record, Wall::new_root}, outside},
    {"P37", "the kill switch kills", "the kill switch kills",
     "ringwall kill, on runs whose processes ignore signals, are stopped, traced, forking or left their session; "
     "everything is gone within a second; inside nobody reaches the control socket (P34)",
     kLife, {kernel}, {Wall::pid_namespace}, outside},
    {"P38", "what one run leaves behind does not run by itself in the next", "no run plants in the next",
     "rc files, bin folders, agent hooks and settings planted in the private home",
     kLife, {kernel}, {Wall::private_home, Wall::new_root}, outside},
    {"P39", "Ringwall's own helpers are walled", "own helpers are walled",
     "the relays of terminal and network open no file, make no socket, start and signal nothing; the resolver "
     "starts and signals nothing and sees no file but the system's; shown from outside by the filter, privileges, "
     "identity and descriptors of each",
     kLife, {kernel}, {Wall::helper_walls, Wall::landlock}, outside},
  };
  return kPromises;
}
// clang-format on

std::string keepers_text(const Promise& promise) {
  std::vector<std::string> names;
  for (Keeper keeper : promise.kept_by)
    names.emplace_back(name_of(keeper));
  return text::join(names, ", ");
}

std::string walls_text(const Promise& promise) {
  if (promise.walls == required_walls()) return "every required wall";
  std::vector<std::string> names;
  for (Wall wall : promise.walls)
    names.emplace_back(sandbox::facts_of(wall).name);
  return text::join(names, ", ");
}

// Where other pages can link to: the number in small letters.
std::string anchor_of(const Promise& promise) {
  return "<a id=\"p" + std::string(promise.number.substr(1)) + "\"></a>";
}

}  // namespace

std::span<const Promise> promises() { return table(); }

std::string_view name_of(Keeper keeper) {
  switch (keeper) {
    case kernel:
      return "kernel";
    case caught:
      return "caught";
    case with_root:
      return "with root";
    case with_cgroup:
      return "with cgroup";
  }
  return "";
}

std::string promises_page() {
  std::string page =
      "# What Ringwall promises\n\n"
      "Each promise says what keeps it: *kernel* (it cannot happen), *caught* (undone within a "
      "stated time, and before\nthe run returns), *with root*, *with cgroup*. `ringwall verify` "
      "tries each one in a real sandbox, and prints\nwhich walls kept it on this host. The tests "
      "behind each are in [promise-tests.md](promise-tests.md). This page is made\nfrom the table "
      "in `src/verify/promises.cc`.\n";
  std::string_view group;
  for (const Promise& promise : promises()) {
    if (promise.group != group) {
      group = promise.group;
      page += "\n## " + std::string(group) +
              "\n\n| no. | promise | what is tried | kept by | walls behind it |\n"
              "| --- | --- | --- | --- | --- |\n";
    }
    page += "| " + anchor_of(promise) + std::string(promise.number) + " | " +
            std::string(promise.promise) + " | " + std::string(promise.tries) + " | " +
            keepers_text(promise) + " | " + walls_text(promise) + " |\n";
  }
  return page;
}

}  // namespace ringwall::verify
