// The few structures and fields of the kernel that our programs read. Where each lies is looked up
// by its name in the running kernel's own description (BTF) when a program is loaded, so neither
// the order nor the sizes here matter, and the build needs no kernel.
#pragma once

#include <linux/bpf.h>

typedef __u8 bool_t;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
  int counter;
} atomic_t;

struct super_block {
  __u32 s_dev;
  unsigned long s_magic;
};

struct rb_node {
  struct rb_node* rb_left;
  struct rb_node* rb_right;
};
struct rb_root {
  struct rb_node* rb_node;
};
struct rb_root_cached {
  struct rb_root rb_root;
};
struct address_space {
  struct rb_root_cached i_mmap;
};

struct inode {
  struct super_block* i_sb;
  struct address_space* i_mapping;
  unsigned long i_ino;
  long long i_size;
  long long i_ctime_sec;
  __u32 i_ctime_nsec;
  __u32 i_generation;
  atomic_t i_writecount;
};

// Names of other kernels for the same: what follows ___ is ours alone. The change time was one
// field up to 6.5, __i_ctime up to 6.10, and is two since.
struct timespec64 {
  long long tv_sec;
  long tv_nsec;
};
struct inode___until_6_5 {
  struct timespec64 i_ctime;
};
struct inode___until_6_10 {
  struct timespec64 __i_ctime;
};

struct qstr {
  const unsigned char* name;
};
struct dentry {
  struct qstr d_name;
  struct inode* d_inode;
};
struct path {
  struct dentry* dentry;
};
struct file {
  unsigned int f_mode;
  struct inode* f_inode;
  struct path f_path;
};

struct anon_vma;
struct vm_area_struct {
  unsigned long vm_start;
  unsigned long vm_end;
  unsigned long vm_flags;
  struct anon_vma* anon_vma;
  struct file* vm_file;
  struct {
    struct rb_node rb;
  } shared;
};

struct mm_struct {
  unsigned long start_code;
};

struct ns_common {
  unsigned int inum;
};
struct pid_namespace {
  struct pid_namespace* parent;
  struct ns_common ns;
};
struct upid {
  int nr;
  struct pid_namespace* ns;
};
struct pid {
  unsigned int level;
  struct upid numbers[1];
};

struct fdtable {
  struct file** fd;
};
struct files_struct {
  struct fdtable* fdt;
};

struct thread_info {
  __u32 status;
};
struct task_struct {
  struct thread_info thread_info;
  struct mm_struct* mm;
  unsigned int personality;
  int pid;
  int tgid;
  struct task_struct* real_parent;
  struct task_struct* group_leader;
  struct pid* thread_pid;
  struct files_struct* files;
  char comm[16];
};

struct linux_binprm {
  struct file* file;
  const char* filename;
};

struct iattr {
  unsigned int ia_valid;
};

// x86-64.
struct pt_regs {
  unsigned long di;
  unsigned long si;
  unsigned long dx;
  unsigned long r10;
  unsigned long orig_ax;
  unsigned long ip;
};

#pragma clang attribute pop
