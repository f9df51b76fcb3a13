#include "guard/recheck.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/file.h"
#include "base/syscalls.h"
#include "base/text.h"
#include "identity/hash_file.h"

namespace ringwall::guard {
namespace {

constexpr size_t kMostMapBytes = 16 << 20;
constexpr int kMostLooks = 200;

// 'T' as soon as it stands, 'Z' or 0 when it has ended; anything else: it does neither.
char state_of(pid_t pid) {
  char state = 0;
  for (int i = 0; i < kMostLooks; i++) {
    auto status = file::read("/proc/" + std::to_string(pid) + "/stat");
    size_t end = status ? status->rfind(") ") : std::string::npos;
    if (end == std::string::npos || end + 2 >= status->size()) return 0;
    state = (*status)[end + 2];
    if (state == 'T' || state == 'Z') return state;
    usleep(1000);
  }
  return state;
}

// "start-end rwxp offset device inode path".
bool is_known(pid_t pid, bool stands, std::string_view line, const KernelGate& gate,
              const VerdictTable& table) {
  std::vector<std::string_view> words = text::split_in_place(line, ' ');
  if (words.size() < 5 || words[1].size() < 4) return false;
  if (words[1][2] != 'x' || line.ends_with("[vdso]") || line.ends_with("[vsyscall]")) return true;
  // Only programs that may execute memory of their own go on meanwhile.
  if (words[4] == "0") return !stands;
  // Named there without the zeros that fill up the column here.
  std::string range;
  for (std::string_view address : text::split_in_place(words[0], '-')) {
    address.remove_prefix(std::min(address.find_first_not_of('0'), address.size()));
    range += (range.empty() ? "" : "-") + std::string(address);
  }
  // Looked at before it is opened: a server might never answer.
  auto path = file::open("/proc/" + std::to_string(pid) + "/map_files/" + range, O_PATH);
  if (!path) return !stands && path.error().err == ENOENT;  // unmapped meanwhile
  if (!identity::is_trustworthy_filesystem(path->get())) return false;
  auto opened = file::open("/proc/self/fd/" + std::to_string(path->get()), O_RDONLY | O_NONBLOCK);
  if (!opened) return false;
  auto mapped = gate.describe(opened->get());
  return mapped && mapped->writers <= 0 && gate.is_known(table, mapped->key);
}

bool all_known(pid_t pid, bool stands, const KernelGate& gate, const VerdictTable& table) {
  auto maps = file::read("/proc/" + std::to_string(pid) + "/maps", kMostMapBytes);
  if (!maps) return false;
  for (std::string_view line : text::split_in_place(*maps, '\n')) {
    if (!line.empty() && !is_known(pid, stands, line, gate, table)) return false;
  }
  return true;
}

// Goes on if all that it may execute is known, is killed if not. True: it goes on.
bool let_go_on(pid_t pid, bool stands, const KernelGate& gate, const VerdictTable& table) {
  Fd process(sys::pidfd_open(pid, 0));
  char state = !process ? '\0' : stands ? state_of(pid) : 'T';
  if (state == 'Z' || state == '\0') return true;  // it ended by itself
  bool known = state == 'T' && all_known(pid, stands, gate, table);
  if (!known || stands)
    sys::pidfd_send_signal(process.get(), known ? SIGCONT : SIGKILL, nullptr, 0);
  return known;
}

}  // namespace

Recheck::Recheck(const KernelGate& gate, const VerdictTable& table,
                 std::function<void(const rw_refusal&)> refused)
    : gate_(gate), table_(table), refused_(std::move(refused)) {}

Recheck::~Recheck() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Recheck::add(const rw_refusal& refusal) {
  std::lock_guard lock(mutex_);
  rw_refusal& kept = waiting_[refusal.pid];
  if (kept.why != RW_UNSURE) kept = refusal;
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_one();
}

void Recheck::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return is_over_ || !waiting_.empty(); });
    if (is_over_) return;
    rw_refusal next = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    lock.unlock();
    if (!let_go_on(next.pid, next.why == RW_UNSURE, gate_, table_)) refused_(next);
    lock.lock();
  }
}

}  // namespace ringwall::guard
