// ringwall-guard: root's daemon, which `ringwall guard` becomes.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/file.h"
#include "guard/guard_server.h"
#include "guard/pins.h"

namespace ringwall::guard {
namespace {

constexpr int kRefusedStatus = 125;

int complain(const Error& error) {
  fprintf(stderr, "ringwall guard: %s\n", error.text().c_str());
  if (!error.hint.empty()) fprintf(stderr, "                → %s\n", error.hint.c_str());
  return kRefusedStatus;
}

// What systemd waits for, if it has started us.
void say_ready() {
  const char* path = getenv("NOTIFY_SOCKET");
  if (path == nullptr || strlen(path) >= sizeof sockaddr_un{}.sun_path) return;
  Fd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, path, strlen(path));
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + strlen(path));
  constexpr char kReady[] = "READY=1";
  (void)sendto(socket.get(), kReady, sizeof kReady - 1, MSG_NOSIGNAL,
               reinterpret_cast<sockaddr*>(&address), size);
}

Result<Fd> take_signals() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGIO, SIG_IGN);  // somebody waits for the end of a lease
  sigset_t set;
  sigemptyset(&set);
  for (int number : {SIGTERM, SIGINT, SIGHUP})
    sigaddset(&set, number);
  if (sigprocmask(SIG_BLOCK, &set, nullptr) < 0) return fail_errno("cannot block signals");
  Fd signals(signalfd(-1, &set, SFD_CLOEXEC));
  if (!signals) return fail_errno("cannot take signals");
  return signals;
}

// One guard at a time.
Result<Fd> lock_folder(const std::string& folder) {
  TRY(file::make_dirs(folder, 0755));
  if (chmod(folder.c_str(), 0755) < 0) return fail_errno("cannot open up " + folder);
  TRY_ASSIGN(Fd lock, file::open(folder + "/guard.lock", O_RDWR | O_CREAT, 0600));
  if (flock(lock.get(), LOCK_EX | LOCK_NB) < 0)
    return fail("another guard is at work here", "end it first: systemctl stop ringwall-guard");
  return lock;
}

Status serve(Kind most) {
  std::string socket_path = kSocketPath;
  std::string folder = socket_path.substr(0, socket_path.rfind('/'));
  std::string root = folder + "/bpf";
  TRY_ASSIGN(Fd lock, lock_folder(folder));
  TRY_ASSIGN(Fd stop, take_signals());
  TRY_ASSIGN(std::string pins, make_pins(root));
  std::string why_not;
  auto gate = KernelGate::load(pins, most, why_not);
  if (!gate) {
    remove_pins(pins);
    return std::unexpected(gate.error());
  }
  (*gate)->make_spare_table();
  TRY_ASSIGN(Fd listener, listen_at(socket_path));
  fprintf(stderr, "ringwall guard: enforces by %s, listens at %s\n",
          std::string(name_of((*gate)->kind())).c_str(), socket_path.c_str());
  if (!why_not.empty()) fprintf(stderr, "ringwall guard: not by more: %s\n", why_not.c_str());
  say_ready();
  GuardServer(**gate, std::move(listener), root, pins, why_not).run(stop.get());
  unlink(socket_path.c_str());
  remove_pins(pins);
  return {};
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], kDoNothing) == 0) return 0;
  Kind most = Kind::lsm;
  bool has_kind = argc == 3 && strcmp(argv[1], "--kind") == 0;
  bool is_known =
      has_kind && (argv[2] == name_of(Kind::tracepoints) || argv[2] == name_of(Kind::lsm));
  if (is_known) {
    most = argv[2] == name_of(Kind::lsm) ? Kind::lsm : Kind::tracepoints;
  } else if (argc != 1) {
    fprintf(stderr, "ringwall guard: usage: ringwall guard [--kind tracepoints|lsm]\n");
    return kRefusedStatus;
  }
  if (geteuid() != 0)
    return complain({"only root can load programs into the kernel", 0, "sudo ringwall guard"});
  umask(022);
  Status served = serve(most);
  return served ? 0 : complain(served.error());
}

}  // namespace
}  // namespace ringwall::guard

int main(int argc, char** argv) { return ringwall::guard::main(argc, argv); }
