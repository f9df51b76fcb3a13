// P17 and P18: the caller's keys, and shared memory and queues outside.
#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/file.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

long keyctl(int operation, long a = 0, long b = 0, long c = 0) {
  return syscall(SYS_keyctl, operation, a, b, c, 0);
}

int read_key(long key) {
  char bytes[64];
  return keyctl(KEYCTL_READ, key, reinterpret_cast<long>(bytes), sizeof bytes) >= 0 ? 0 : errno;
}

int describe_key(long key) { return keyctl(KEYCTL_DESCRIBE, key, 0, 0) >= 0 ? 0 : errno; }

// Possession of a key comes with any keyring that holds it.
int link_key(long key) {
  return keyctl(KEYCTL_LINK, key, KEY_SPEC_PROCESS_KEYRING) >= 0 ? 0 : errno;
}

// The kernel lists the keys that a process may look at.
int list_keys(long key) {
  auto keys = file::read("/proc/keys");
  if (!keys) return keys.error().err;
  char serial[16];
  snprintf(serial, sizeof serial, "%08lx ", static_cast<unsigned long>(key));
  return keys->find(serial) != std::string::npos ? 0 : ENOENT;
}

void try_key(Acts& acts, const std::string& which, long key) {
  if (key == 0) return acts.untried("no " + which + " could be made");
  acts.tried("read the " + which, read_key(key));
  acts.tried("describe the " + which, describe_key(key));
  acts.tried("link the " + which, in_child([&] { return link_key(key); }));
  acts.tried("list the " + which, list_keys(key));
}

int attach_memory(int key) {
  int segment = shmget(key, 0, 0);
  if (segment < 0) return errno;
  void* memory = shmat(segment, nullptr, SHM_RDONLY);
  if (memory == reinterpret_cast<void*>(-1)) return errno;
  shmdt(memory);
  return 0;
}

int open_queue(const std::string& name) {
  mqd_t queue = mq_open(name.c_str(), O_RDONLY | O_NONBLOCK);
  if (queue < 0) return errno;
  mq_close(queue);
  return 0;
}

// "/proc/sysvipc/shm" lists every segment of the namespace by key.
int list_memory(int key) {
  auto list = file::read("/proc/sysvipc/shm");
  if (!list) return list.error().err;
  char line[32];
  snprintf(line, sizeof line, "\n%10d ", key);
  return list->find(line) != std::string::npos ? 0 : ENOENT;
}

}  // namespace

Verdict probe_keyrings(const Outside& outside) {
  Acts acts;
  try_key(acts, "session key", outside.canary_key);
  if (outside.canary_user_key != 0) try_key(acts, "user key", outside.canary_user_key);
  return acts.verdict();
}

Verdict probe_ipc(const Outside& outside) {
  Acts acts;
  if (outside.shared_memory_key != 0) {
    acts.tried("attach shared memory", attach_memory(outside.shared_memory_key));
    acts.tried("list shared memory", list_memory(outside.shared_memory_key));
  } else {
    acts.untried("no segment could be made");
  }
  if (!outside.message_queue.empty()) {
    acts.tried("open a message queue", open_queue(outside.message_queue));
    acts.tried("open a message queue by file",
               try_open("/dev/mqueue" + outside.message_queue, O_RDONLY));
  } else {
    acts.untried("no queue could be made");
  }
  return acts.verdict();
}

}  // namespace ringwall::probes
