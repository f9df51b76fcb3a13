#include "verify/outside.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/tree.h"
#include "events/record_store.h"
#include "probes/planted_servers.h"
#include "undo/kept_run.h"

namespace ringwall::verify {
namespace {

constexpr const char* kNamespaces[] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};

// Possessor and owner may do everything: then only walls can keep the key from the inside.
constexpr unsigned kOpenToOwner = 0x3f3f0000;
constexpr unsigned kMostKeySeconds = 120;

Result<std::string> make_secret() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    return fail_errno("cannot get random bytes");
  std::string secret = "canary-";
  for (unsigned char byte : bytes) {
    char hex[3];
    snprintf(hex, sizeof hex, "%02x", byte);
    secret += hex;
  }
  return secret;
}

// `path` with a leading zero byte: an abstract name.
Result<Fd> listen_unix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return fail("a socket's path is too long");
  memcpy(address.sun_path, path.data(), path.size());
  auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket || bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) < 0 ||
      listen(socket.get(), 16) < 0) {
    return fail_errno("cannot plant a socket");
  }
  return socket;
}

// Bound to a port of the kernel's choice.
Result<Fd> bind_datagrams(unsigned long& port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  Fd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket || bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) < 0 ||
      getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) < 0) {
    return fail_errno("cannot use the loopback address");
  }
  port = ntohs(address.sin_port);
  return socket;
}

// Field 22 of /proc/PID/stat, counted behind the name, which may hold anything.
unsigned long read_start_time(pid_t pid) {
  auto stat = file::read("/proc/" + std::to_string(pid) + "/stat");
  size_t after_name = stat ? stat->rfind(") ") : std::string::npos;
  if (after_name == std::string::npos) return 0;
  std::vector<std::string> fields = text::split(stat->substr(after_name + 2), ' ');
  constexpr size_t kStartTime = 22 - 3;
  return fields.size() > kStartTime ? strtoul(fields[kStartTime].c_str(), nullptr, 10) : 0;
}

// 0 if this kernel or this user cannot have one.
long add_key(const std::string& name, const std::string& secret, int keyring) {
  long key = syscall(SYS_add_key, "user", name.c_str(), secret.data(), secret.size(), keyring);
  if (key < 0) return 0;
  // If nobody comes to remove it, the kernel does.
  if (syscall(SYS_keyctl, KEYCTL_SETPERM, key, kOpenToOwner) == 0 &&
      syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, kMostKeySeconds) == 0) {
    return key;
  }
  syscall(SYS_keyctl, KEYCTL_UNLINK, key, keyring);
  return 0;
}

std::vector<std::string> read_addresses() {
  std::vector<std::string> addresses;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) < 0) return addresses;
  for (ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
    if (at->ifa_addr == nullptr) continue;
    char text[INET6_ADDRSTRLEN] = "";
    if (at->ifa_addr->sa_family == AF_INET) {
      const auto* v4 = reinterpret_cast<const sockaddr_in*>(at->ifa_addr);
      bool loopback = (ntohl(v4->sin_addr.s_addr) >> 24) == 127;
      if (!loopback) inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
    } else if (at->ifa_addr->sa_family == AF_INET6) {
      const auto* v6 = reinterpret_cast<const sockaddr_in6*>(at->ifa_addr);
      if (!IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr))
        inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
    }
    if (text[0] != '\0') addresses.emplace_back(text);
  }
  freeifaddrs(list);
  return addresses;
}

// Makes the socket while somebody wants it.
void serve_late_socket(const std::string& path) {
  constexpr timespec kBetweenLooks{0, 5'000'000};
  std::string wanted = path + ".wanted";
  Fd socket;
  while (true) {
    bool is_wanted = file::exists(wanted);
    if (is_wanted && !socket) socket = listen_unix(path).value_or(Fd());
    if (!is_wanted && socket) {
      unlink(path.c_str());
      socket.close();
    }
    nanosleep(&kBetweenLooks, nullptr);
  }
}

void remove_tree(const std::string& path) {
  auto parent = file::open(path::parent(path), O_RDONLY | O_DIRECTORY);
  // What cannot be removed stays, as any temporary folder would; there is nobody to ask.
  if (parent) (void)tree::remove_at(parent->get(), std::string(path::basename(path)));
}

}  // namespace

Status Planted::plant(const state::Caller& caller, const state::Places& places) {
  name_ = "verify-" + std::to_string(getpid());
  facts_.home = caller.home;
  facts_.runs_folder = places.runs;
  facts_.state_folder = places.state;
  started_ = clock::wall_seconds();
  facts_.caller_is_root = caller.uid == 0;
  homes_ = path::join(places.state, "homes");
  TRY_ASSIGN(facts_.canary_secret, make_secret());
  facts_.canary_variable = "VERIFY_CANARY_" + std::to_string(getpid());
  TRY(make_room());
  TRY(plant_file());
  TRY(plant_sockets());
  plant_keys();
  plant_ipc();
  start_bystander();
  record_host();
  return start_servers();
}

Status Planted::make_room() {
  char room[] = "/tmp/ringwall-verify-XXXXXX";
  if (mkdtemp(room) == nullptr) return fail_errno("cannot make a folder in /tmp");
  room_ = room;
  facts_.workspace = path::join(room_, "workspace");
  TRY(file::make_dirs(facts_.workspace));
  return {};
}

// Below Ringwall's own state: in the real home, where nothing else of the person's is touched.
Status Planted::plant_file() {
  std::string folder = path::join(facts_.state_folder, name_);
  TRY_ASSIGN(Fd made, file::make_dirs(folder));
  facts_.canary_file = path::join(folder, "canary");
  return file::replace_at(made.get(), "canary", facts_.canary_secret + "\n");
}

Status Planted::plant_sockets() {
  facts_.canary_socket = path::join(room_, "socket");
  facts_.workspace_socket = path::join(facts_.workspace, "socket");
  facts_.late_socket = path::join(facts_.workspace, "late");
  facts_.abstract_socket = "ringwall-" + name_;
  for (const std::string& name : {facts_.canary_socket, facts_.workspace_socket,
                                  std::string(1, '\0') + facts_.abstract_socket}) {
    TRY_ASSIGN(Fd socket, listen_unix(name));
    listening_.push_back(std::move(socket));
  }
  TRY_ASSIGN(Fd datagram, bind_datagrams(facts_.udp_port));
  listening_.push_back(std::move(datagram));
  return {};
}

// The session keyring is this process's own: it ends with the process, and its key with it. The
// user's keyring is shared, so its key is unlinked at the end.
void Planted::plant_keys() {
  if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) < 0) return;
  // Only what can be reached from the session keyring is ours to change.
  syscall(SYS_keyctl, KEYCTL_LINK, KEY_SPEC_USER_KEYRING, KEY_SPEC_SESSION_KEYRING);
  facts_.canary_key = add_key(name_, facts_.canary_secret, KEY_SPEC_SESSION_KEYRING);
  facts_.canary_user_key = add_key(name_, facts_.canary_secret, KEY_SPEC_USER_KEYRING);
}

void Planted::plant_ipc() {
  int key = 0x52570000 | (getpid() & 0xffff);
  segment_ = shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0600);
  if (segment_ >= 0) {
    facts_.shared_memory_key = key;
    void* memory = shmat(segment_, nullptr, 0);
    if (memory != reinterpret_cast<void*>(-1)) {
      snprintf(static_cast<char*>(memory), 4096, "%s", facts_.canary_secret.c_str());
      shmdt(memory);
    }
  }
  std::string queue = "/ringwall-" + name_;
  mq_attr attributes{};
  attributes.mq_maxmsg = 1;
  attributes.mq_msgsize = 64;
  mqd_t made = mq_open(queue.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600, &attributes);
  if (made < 0) return;
  facts_.message_queue = queue;
  mq_send(made, facts_.canary_secret.data(), facts_.canary_secret.size(), 0);
  mq_close(made);
}

// A process on the host for the probes to aim at.
void Planted::start_bystander() {
  pid_t parent = getpid();
  bystander_ = fork();
  if (bystander_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent) _exit(1);
    serve_late_socket(facts_.late_socket);
  }
  if (bystander_ < 0) return;
  facts_.outside_pid = bystander_;
  facts_.outside_pid_start = read_start_time(bystander_);
}

Status Planted::start_servers() {
  TRY_ASSIGN(probes::PlantedServers servers, probes::PlantedServers::open(facts_));
  pid_t parent = getpid();
  servers_ = fork();
  if (servers_ < 0) return fail_errno("cannot start a server");
  if (servers_ > 0) return {};
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(1);
  servers.serve(facts_.canary_secret);
}

void Planted::record_host() {
  facts_.host_addresses = read_addresses();
  facts_.credentials = probes::find_credentials(facts_.home);
  for (const char* name : kNamespaces) {
    auto link = file::read_link(std::string("/proc/self/ns/") + name);
    if (link) facts_.namespaces.push_back(*link);
  }
  if (auto own = file::read_link("/proc/self/exe")) facts_.own_binary = *own;
}

void Planted::dismiss_processes() {
  for (pid_t* process : {&bystander_, &servers_}) {
    if (*process <= 0) continue;
    kill(*process, SIGKILL);
    waitpid(std::exchange(*process, -1), nullptr, 0);
  }
}

// Those of the runs that the check has started: nobody wants to read them.
void Planted::remove_records() const {
  auto records = events::list_records(facts_.state_folder);
  for (size_t i = 0; records && i < records->size(); i++) {
    const events::RecordEntry& entry = (*records)[i];
    if (entry.started < started_) continue;
    auto start = events::read_start(facts_.state_folder, entry.id);
    if (start && path::is_beneath(start->workspace, room_))
      (void)events::remove_record(facts_.state_folder, entry.id);  // a further line in a list
  }
  undo::remove_kept_runs_below(path::join(facts_.state_folder, "undo"), room_);
}

Planted::~Planted() {
  if (!room_.empty()) remove_records();
  dismiss_processes();
  if (facts_.canary_user_key != 0)
    syscall(SYS_keyctl, KEYCTL_UNLINK, facts_.canary_user_key, KEY_SPEC_USER_KEYRING);
  if (segment_ >= 0) shmctl(segment_, IPC_RMID, nullptr);
  if (!facts_.message_queue.empty()) mq_unlink(facts_.message_queue.c_str());
  if (!room_.empty()) remove_tree(room_);
  if (!facts_.canary_file.empty()) remove_tree(path::parent(facts_.canary_file));
  auto homes = file::open(homes_, O_RDONLY | O_DIRECTORY);
  if (!homes) return;
  auto entries = file::list(homes->get());
  if (!entries) return;
  for (const file::Entry& entry : *entries) {
    bool ours = entry.name == name_ || entry.name.starts_with(name_ + "-");
    if (ours) (void)tree::remove_at(homes->get(), entry.name);  // as above
  }
}

}  // namespace ringwall::verify
