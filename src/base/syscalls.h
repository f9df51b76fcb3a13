// System calls that glibc 2.35 does not wrap, as raw calls: one binary must run on Ubuntu 22.04
// too. Each returns -1 and sets errno, as the libc wrappers do.
#pragma once

#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#ifndef MOVE_MOUNT_T_EMPTY_PATH
#define MOVE_MOUNT_T_EMPTY_PATH 0x00000040
#endif

namespace ringwall::sys {

inline pid_t clone3(clone_args* args) {
  return static_cast<pid_t>(syscall(SYS_clone3, args, sizeof *args));
}

inline int open_tree(int dir, const char* path, unsigned flags) {
  return static_cast<int>(syscall(SYS_open_tree, dir, path, flags));
}

inline int move_mount(int from_dir, const char* from, int to_dir, const char* to, unsigned flags) {
  return static_cast<int>(syscall(SYS_move_mount, from_dir, from, to_dir, to, flags));
}

inline int fsopen(const char* type, unsigned flags) {
  return static_cast<int>(syscall(SYS_fsopen, type, flags));
}

inline int fsconfig(int fd, unsigned command, const char* key, const char* value, int aux) {
  return static_cast<int>(syscall(SYS_fsconfig, fd, command, key, value, aux));
}

inline int fsmount(int fd, unsigned flags, unsigned attributes) {
  return static_cast<int>(syscall(SYS_fsmount, fd, flags, attributes));
}

inline int mount_setattr(int dir, const char* path, unsigned flags, mount_attr* attributes) {
  return static_cast<int>(
      syscall(SYS_mount_setattr, dir, path, flags, attributes, sizeof *attributes));
}

inline int pivot_root(const char* new_root, const char* put_old) {
  return static_cast<int>(syscall(SYS_pivot_root, new_root, put_old));
}

inline int openat2(int dir, const char* path, const open_how& how) {
  return static_cast<int>(syscall(SYS_openat2, dir, path, &how, sizeof how));
}

inline int pidfd_open(pid_t pid, unsigned flags) {
  return static_cast<int>(syscall(SYS_pidfd_open, pid, flags));
}

inline int pidfd_send_signal(int pidfd, int signal, siginfo_t* info, unsigned flags) {
  return static_cast<int>(syscall(SYS_pidfd_send_signal, pidfd, signal, info, flags));
}

}  // namespace ringwall::sys
