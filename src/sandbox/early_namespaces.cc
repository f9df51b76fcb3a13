#include "sandbox/early_namespaces.h"

#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/fd.h"
#include "base/sanitized.h"
#include "base/syscalls.h"
#include "sandbox/keyring.h"
#include "sandbox/other_processor.h"
#include "sandbox/wall.h"

namespace ringwall::sandbox {
namespace {

constexpr size_t kStackSize = 1 << 20;  // pid 1 stays on it
constexpr size_t kGuardSize = 1 << 16;

class Stack {
 public:
  Stack()
      : start_(mmap(nullptr, kStackSize, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0)) {
    if (*this && mprotect(start_, kGuardSize, PROT_NONE) < 0) {
      munmap(start_, kStackSize);
      start_ = MAP_FAILED;
    }
  }
  ~Stack() {
    if (*this) munmap(start_, kStackSize);
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  explicit operator bool() const { return start_ != MAP_FAILED; }
  void* top() const { return static_cast<char*>(start_) + kStackSize; }

 private:
  void* start_;
};

// What depends on no plan. The cgroup's is not among them: it begins where pid 1 is put.
struct {
  Wall wall;
  uint64_t flag;
} constexpr kEarlyWalls[] = {
    {Wall::user_namespace, CLONE_NEWUSER}, {Wall::network_namespace, CLONE_NEWNET},
    {Wall::mount_namespace, CLONE_NEWNS},  {Wall::ipc_namespace, CLONE_NEWIPC},
    {Wall::uts_namespace, CLONE_NEWUTS},
};

// The helper shares the supervisor's memory and runs beside it: libc would write to its errno.
long raw_syscall(long number, uint64_t first, uint64_t second = 0, const void* third = nullptr) {
  long result = number;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(first), "S"(second), "d"(third)
               : "rcx", "r11", "memory");
  return result;
}

// The kernel takes its time for this as well. Pid 1 does it again, and hears if it cannot be done.
void raise_loopback_early() {
  long socket = raw_syscall(SYS_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC);
  if (socket < 0) return;
  ifreq request{};
  request.ifr_name[0] = 'l';
  request.ifr_name[1] = 'o';
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  raw_syscall(SYS_ioctl, static_cast<uint64_t>(socket), SIOCSIFFLAGS, &request);
  raw_syscall(SYS_close, static_cast<uint64_t>(socket));
}

}  // namespace

// What the two tell each other, in the memory that they share.
struct EarlyNamespaces::Order {
  Stack stack;
  Fd bell;
  Fd answer;
  Fd helper;  // readable when it has ended
  pid_t supervisor = -1;
  OtherProcessor processor;
  bool is_made = false;  // as the supervisor has heard it
  clone_args* arguments = nullptr;
  const std::function<void()>* body = nullptr;
  bool tried = false;  // what became of it stands in `child`, if the answer came
  pid_t child = -1;

  static int serve(void* order);
  bool hears_answer() const;
};

// Up to the bell the supervisor goes on beside us: the heap and errno are its own, so nothing here
// may take memory, or fail and live on. Behind the bell it waits for our answer.
int EarlyNamespaces::Order::serve(void* argument) {
  Order& order = *static_cast<Order*>(argument);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != order.supervisor) _exit(1);  // it died before the call
  if (raw_syscall(SYS_unshare, flags()) != 0) _exit(1);
  raise_loopback_early();
  uint64_t rings = 1;
  auto bytes = reinterpret_cast<uint64_t>(&rings);
  raw_syscall(SYS_write, static_cast<uint64_t>(order.answer.get()), bytes,
              reinterpret_cast<const void*>(sizeof rings));
  if (read(order.bell.get(), &rings, sizeof rings) != static_cast<ssize_t>(sizeof rings)) _exit(1);
  if (!order.processor.free_own_process()) _exit(1);
  order.tried = true;
  pid_t child = sys::clone3(order.arguments);
  if (child == 0) (*order.body)();
  order.child = child;
  _exit(write(order.answer.get(), &rings, sizeof rings) < 0 ? 1 : 0);
}

// Its end alone means that it could not do what it should.
bool EarlyNamespaces::Order::hears_answer() const {
  pollfd waits[] = {{answer.get(), POLLIN, 0}, {helper.get(), POLLIN, 0}};
  while (poll(waits, 2, -1) < 0 && errno == EINTR) {
  }
  uint64_t answers = 0;
  return (waits[0].revents & POLLIN) != 0 &&
         read(answer.get(), &answers, sizeof answers) == static_cast<ssize_t>(sizeof answers);
}

uint64_t EarlyNamespaces::flags() {
  uint64_t flags = 0;
  for (const auto& early : kEarlyWalls)
    flags |= early.flag;
  return flags;
}

EarlyNamespaces::EarlyNamespaces() = default;

EarlyNamespaces EarlyNamespaces::start() {
  EarlyNamespaces early;
  if (kIsSanitized) return early;  // a sanitizer knows one stack of each process
  for (const auto& early_wall : kEarlyWalls) {
    if (is_taken_away(early_wall.wall)) return early;
  }
  auto order = std::make_unique<Order>();
  order->bell = Fd(eventfd(0, EFD_CLOEXEC));
  order->answer = Fd(eventfd(0, EFD_CLOEXEC));
  order->supervisor = getpid();
  if (!order->stack || !order->bell || !order->answer || !leave_callers_keyring()) return early;
  // It makes the namespaces itself: clone would make them before it returns to us.
  constexpr int kFlags = CLONE_VM | CLONE_FILES | CLONE_PIDFD | SIGCHLD;
  int pidfd = -1;
  sigset_t all, before;
  sigfillset(&all);
  // What ends the supervisor ends it too; nothing else shall.
  if (sigprocmask(SIG_SETMASK, &all, &before) < 0) return early;
  early.helper_ = clone(Order::serve, order->stack.top(), kFlags, order.get(), &pidfd);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (!early.are_there()) return early;
  order->processor.move(early.helper_);
  order->helper = Fd(pidfd);
  early.order_ = std::move(order);
  return early;
}

EarlyNamespaces::EarlyNamespaces(EarlyNamespaces&& other) noexcept
    : helper_(std::exchange(other.helper_, -1)), order_(std::move(other.order_)) {}

EarlyNamespaces& EarlyNamespaces::operator=(EarlyNamespaces&& other) noexcept {
  if (this == &other) return *this;
  end();
  helper_ = std::exchange(other.helper_, -1);
  order_ = std::move(other.order_);
  return *this;
}

EarlyNamespaces::~EarlyNamespaces() { end(); }

void EarlyNamespaces::end() {
  if (!are_there()) return;
  kill(helper_, SIGKILL);
  waitpid(std::exchange(helper_, -1), nullptr, 0);
  order_.reset();
}

pid_t EarlyNamespaces::wait_until_made() {
  if (!are_there()) return -1;
  if (!order_->is_made) order_->is_made = order_->hears_answer();
  return order_->is_made ? helper_ : -1;
}

pid_t EarlyNamespaces::start_child(clone_args& arguments, const std::function<void()>& body) {
  if (!are_there()) return -1;
  if (wait_until_made() < 0) return -1;
  // Its parent is then the supervisor, and so is who hears of its end.
  arguments.flags = (arguments.flags & ~flags()) | CLONE_PARENT;
  arguments.exit_signal = 0;
  order_->arguments = &arguments;
  order_->body = &body;
  uint64_t ring = 1;
  if (write(order_->bell.get(), &ring, sizeof ring) != static_cast<ssize_t>(sizeof ring)) return -1;
  bool is_answered = order_->hears_answer();
  bool was_killed = order_->tried && !is_answered;
  return was_killed ? 0 : order_->child;
}

}  // namespace ringwall::sandbox
