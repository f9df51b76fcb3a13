#include "sandbox/system_files.h"

#include "sandbox/wall.h"

namespace ringwall::sandbox {
namespace {

constexpr SystemPlace kPlaces[] = {
    {"/usr", "programs and libraries"},
    {"/bin", "programs"},
    {"/sbin", "programs"},
    {"/lib", "libraries"},
    {"/lib32", "libraries"},
    {"/lib64", "the dynamic loader"},
    {"/libx32", "libraries"},
    {"/nix/store", "programs of Nix"},
    {"/etc/ld.so.cache", "where libraries are"},
    // A linker looks there for what libraries need themselves.
    {"/etc/ld.so.conf", "where libraries are", true},
    {"/etc/ld.so.conf.d", "where libraries are"},
    {"/etc/alternatives", "which of several programs a name means"},
    {"/etc/localtime", "time zone"},
    {"/etc/timezone", "time zone", true},
    {"/etc/os-release", "name of the system"},
    {"/etc/debian_version", "name of the system", true},
    {"/etc/lsb-release", "name of the system", true},
    {"/etc/ssl/certs", "whom TLS trusts"},
    {"/etc/ssl/openssl.cnf", "settings of OpenSSL", true},
    {"/etc/pki", "whom TLS trusts"},
    {"/etc/services", "names of ports", true},
    {"/etc/protocols", "names of protocols", true},
    {"/etc/inputrc", "keys of command lines", true},
    {"/etc/bash.bashrc", "prompt and completion of shells", true},
    {"/etc/manpath.config", "where pages of the manual are", true},
    {"/etc/groff", "how they are set"},
    {"/etc/mime.types", "kinds of files by their names"},
    {"/etc/fonts", "fonts"},
    {"/etc/java-11-openjdk", "the Java runtime's own files"},
    {"/etc/java-17-openjdk", "the Java runtime's own files"},
    {"/etc/java-21-openjdk", "the Java runtime's own files"},
    {"/etc/maven", "Maven's own files"},
    {"/etc/chromium.d", "how the browser is started"},
    {"/etc/php/8.1/cli", "which parts PHP has"},
    {"/etc/php/8.1/mods-available", "which parts PHP has"},
    {"/etc/php/8.2/cli", "which parts PHP has"},
    {"/etc/php/8.2/mods-available", "which parts PHP has"},
    {"/etc/php/8.3/cli", "which parts PHP has"},
    {"/etc/php/8.3/mods-available", "which parts PHP has"},
    {"/etc/php/8.4/cli", "which parts PHP has"},
    {"/etc/php/8.4/mods-available", "which parts PHP has"},
    {"/etc/R/ldpaths", "R's own files", true},
    {"/etc/R/Makeconf", "R's own files", true},
    {"/etc/R/Renviron", "R's own files", true},
    {"/etc/R/Rprofile.site", "R's own files", true},
    {"/etc/R/repositories", "R's own files", true},
    {"/etc/claude-code", "the organisation's rules for Claude Code"},
    {"/etc/codex", "the organisation's rules for Codex"},
    {"/etc/gemini-cli", "the organisation's rules for Gemini CLI"},
    {"/etc/opencode", "the organisation's rules for opencode"},
    {"/etc/github-copilot", "the organisation's rules for Copilot"},
};

constexpr std::string_view kDevices[] = {"null", "zero", "full", "random", "urandom", "tty"};

// Kernel settings and switches below /proc. Uid 0 of the host would still own them, and a hole in
// the other walls would end here (core_pattern, release_agent, sysrq).
constexpr std::string_view kReadOnlyProc[] = {"sys"};

// Lists the keys of everyone with the same id, whatever keyring they are in.
constexpr std::string_view kMaskedProc[] = {"keys"};

Mount folder(std::string target, std::string reason, unsigned mode = 0755) {
  return {.kind = Mount::Kind::folder,
          .target = std::move(target),
          .reason = std::move(reason),
          .mode = mode};
}

Mount file(std::string target, std::string content, std::string reason) {
  return {.kind = Mount::Kind::file,
          .target = std::move(target),
          .access = Access::read,
          .reason = std::move(reason),
          .content = std::move(content),
          .mode = 0644};
}

Mount link(std::string target, std::string to, std::string reason) {
  return {.kind = Mount::Kind::symlink,
          .target = std::move(target),
          .source = std::move(to),
          .reason = std::move(reason)};
}

void add_places(std::vector<Mount>& mounts, const HostFacts& host) {
  for (const SystemPlace& row : kPlaces) {
    std::string path(row.path);
    HostFacts::Place place = host.place(path);
    if (place.kind == HostFacts::Kind::absent) continue;
    if (place.kind == HostFacts::Kind::symlink) {
      mounts.push_back(link(path, place.link, std::string(row.reason)));
      continue;
    }
    if (row.copied) {
      mounts.push_back(file(path, place.content, std::string(row.reason)));
      continue;
    }
    mounts.push_back({.kind = Mount::Kind::bind,
                      .target = path,
                      .source = path,
                      .access = Access::read,
                      .reason = std::string(row.reason)});
  }
}

void add_made_files(std::vector<Mount>& mounts, const Identity& who, const std::string& home,
                    const std::string& shell, bool has_resolver) {
  std::string uid = std::to_string(who.uid), gid = std::to_string(who.gid);
  // Only the ids that exist inside; the host's list of people is nobody's business here.
  mounts.push_back(file("/etc/passwd",
                        "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\n" + who.user +
                            ":x:" + uid + ":" + gid + "::" + home + ":" + shell +
                            "\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
                        "the ids that exist inside"));
  mounts.push_back(file("/etc/group",
                        "root:x:0:\n" + who.group + ":x:" + gid + ":\nnogroup:x:65534:\n",
                        "the ids that exist inside"));
  mounts.push_back(
      file("/etc/nsswitch.conf",
           "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n",
           "names come from these files"));
  mounts.push_back(file("/etc/hosts", "127.0.0.1 localhost ringwall\n::1 localhost ip6-localhost\n",
                        "loopback is the only network"));
  mounts.push_back(file("/etc/hostname", "ringwall\n", "the sandbox's name"));
  mounts.push_back(
      has_resolver
          ? file("/etc/resolv.conf", "nameserver 127.0.0.1\n", "the wall's own resolver")
          : file("/etc/resolv.conf", "# there is no network in this sandbox\n", "no resolver"));
}

void add_proc(std::vector<Mount>& mounts) {
  mounts.push_back({.kind = Mount::Kind::proc,
                    .target = "/proc",
                    .access = Access::proc,
                    .reason = "its own processes"});
  for (std::string_view part : kReadOnlyProc) {
    mounts.push_back({.kind = Mount::Kind::read_only,
                      .target = "/proc/" + std::string(part),
                      .reason = "kernel settings"});
  }
  for (std::string_view part : kMaskedProc) {
    mounts.push_back({.kind = Mount::Kind::mask,
                      .target = "/proc/" + std::string(part),
                      .reason = "names of the host's keys"});
  }
}

void add_dev(std::vector<Mount>& mounts) {
  if (is_taken_away(Wall::private_dev)) {
    mounts.push_back({.kind = Mount::Kind::bind,
                      .target = "/dev",
                      .source = "/dev",
                      .access = Access::device,
                      .reason = "a test without this wall"});
    return;
  }
  for (std::string_view name : kDevices) {
    std::string path = "/dev/" + std::string(name);
    mounts.push_back({.kind = Mount::Kind::bind,
                      .target = path,
                      .source = path,
                      .access = Access::device,
                      .reason = "harmless device"});
  }
  mounts.push_back({.kind = Mount::Kind::devpts,
                    .target = "/dev/pts",
                    .access = Access::terminals,
                    .reason = "terminals of its own"});
  // Landlock looks for a rule on the way to a queue, which has none without a mount of its own.
  if (!is_taken_away(Wall::ipc_namespace)) {
    mounts.push_back({.kind = Mount::Kind::mqueue,
                      .target = "/dev/mqueue",
                      .access = Access::write_data,
                      .reason = "message queues of its own"});
  }
  mounts.push_back(link("/dev/ptmx", "pts/ptmx", "terminals of its own"));
  mounts.push_back(link("/dev/fd", "/proc/self/fd", "expected by shells"));
  mounts.push_back(link("/dev/stdin", "/proc/self/fd/0", "expected by shells"));
  mounts.push_back(link("/dev/stdout", "/proc/self/fd/1", "expected by shells"));
  mounts.push_back(link("/dev/stderr", "/proc/self/fd/2", "expected by shells"));
}

Mount memory(std::string target, Access access, const limits::FolderInMemory& bounds, unsigned mode,
             std::string reason) {
  return {.kind = Mount::Kind::tmpfs,
          .target = std::move(target),
          .access = access,
          .reason = std::move(reason),
          .bytes = bounds.bytes,
          .inodes = bounds.files,
          .mode = mode};
}

}  // namespace

std::span<const SystemPlace> system_places() { return kPlaces; }

HostQuestions system_questions() {
  HostQuestions questions;
  for (const SystemPlace& row : kPlaces) {
    (row.copied ? questions.contents : questions.kinds).emplace_back(row.path);
  }
  return questions;
}

std::vector<Mount> plan_system_files(const HostFacts& host, const Identity& identity,
                                     const std::string& home, const std::string& shell,
                                     const limits::FolderInMemory& in_memory, bool has_resolver) {
  std::vector<Mount> mounts;
  mounts.reserve(96);  // about as many as a run has
  add_places(mounts, host);
  add_made_files(mounts, identity, home, shell, has_resolver);
  add_proc(mounts);
  add_dev(mounts);
  limits::FolderInMemory bounds = limits::plan_folder_in_memory(in_memory, host.memory_bytes);
  if (is_taken_away(Wall::limits)) bounds = {0, 0};  // to a tmpfs: as much as there is
  mounts.push_back(
      memory("/dev/shm", Access::write_data, bounds, 01777, "shared memory of its own"));
  mounts.push_back(memory("/tmp", Access::write, bounds, 01777, "temporary files of this run"));
  if (is_taken_away(Wall::private_home)) {
    mounts.push_back({.kind = Mount::Kind::bind,
                      .target = home,
                      .source = home,
                      .reason = "a test without this wall",
                      .callers_own = true});
  } else {
    mounts.push_back(
        memory(home, Access::write, bounds, 0700, "private home, empty at each start"));
  }
  mounts.push_back(folder("/run", "runtime folders of the host stay out"));
  mounts.push_back(folder("/var", "expected by programs"));
  mounts.push_back(link("/var/tmp", "/tmp", "temporary files of this run"));
  mounts.push_back(link("/var/run", "/run", "expected by programs"));
  return mounts;
}

}  // namespace ringwall::sandbox
