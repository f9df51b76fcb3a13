#include "calls/rename_listener.h"

#include <linux/audit.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "calls/file_calls.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
#ifndef SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif

namespace ringwall::calls {
namespace {

constexpr uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr uint16_t kEquals = BPF_JMP | BPF_JEQ | BPF_K;
constexpr uint16_t kGive = BPF_RET | BPF_K;

constexpr unsigned long kListenerFlags =
    SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;

constexpr sock_filter kAllow = {kGive, 0, 0, SECCOMP_RET_ALLOW};

// Calls of another architecture are the other filter's business.
constexpr sock_filter kBeginning[] = {
    {kLoad, 0, 0, offsetof(seccomp_data, arch)},
    {kEquals, 1, 0, AUDIT_ARCH_X86_64},
    kAllow,
    {kLoad, 0, 0, offsetof(seccomp_data, nr)},
};

constexpr sock_filter kRenames[] = {
    {kEquals, 2, 0, SYS_rename},
    {kEquals, 1, 0, SYS_renameat},
    {kEquals, 0, 1, SYS_renameat2},
    {kGive, 0, 0, SECCOMP_RET_USER_NOTIF},
};

}  // namespace

std::vector<sock_filter> rename_filter(bool learns) {
  std::vector<sock_filter> code(std::begin(kBeginning), std::end(kBeginning));
  std::vector<sock_filter> caught(std::begin(kRenames), std::end(kRenames));
  if (learns) caught = file_calls_filter();
  code.insert(code.end(), caught.begin(), caught.end());
  code.push_back(kAllow);
  return code;
}

// Flags are looked at before the program, which is not there.
bool can_listen_for_calls() {
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, kListenerFlags, nullptr) < 0 &&
         errno == EFAULT;
}

Result<Fd> listen_for_renames(bool learns) {
  std::vector<sock_filter> code = rename_filter(learns);
  sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, kListenerFlags, &program);
  if (listener >= 0) return Fd(static_cast<int>(listener));
  if (errno == EINVAL) return Fd();
  return fail_errno("cannot listen for renames");
}

RenameListener::RenameListener(Fd listener) : fd_(std::move(listener)) {
  if (!fd_) return;
  // Who asks and who answers take turns: waking the other on the same processor halves the time.
  // Kernels before 6.6 do not know it.
  ioctl(fd_.get(), SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
}

const seccomp_notif* RenameListener::receive() {
  notice_.fill(0);
  if (ioctl(fd_.get(), SECCOMP_IOCTL_NOTIF_RECV, notice_.data()) < 0) return nullptr;
  return reinterpret_cast<const seccomp_notif*>(notice_.data());
}

bool RenameListener::still_waits(uint64_t id) const {
  return ioctl(fd_.get(), SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

void RenameListener::let_go_on(uint64_t id) { send(id, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE); }

void RenameListener::answer(uint64_t id, int err) { send(id, -err, 0); }

void RenameListener::send(uint64_t id, int err, uint32_t flags) {
  response_.fill(0);
  auto* response = reinterpret_cast<seccomp_notif_resp*>(response_.data());
  response->id = id;
  response->error = err;
  response->flags = flags;
  // A caller that was killed meanwhile needs no answer.
  ioctl(fd_.get(), SECCOMP_IOCTL_NOTIF_SEND, response);
}

}  // namespace ringwall::calls
