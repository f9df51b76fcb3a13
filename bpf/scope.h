// Who is in which scope, for both kinds: a scope is one sandbox. It is kept with each task, and
// every child has it before its first instruction; the process namespace that it began in leads to
// it too, in case memory was short at a fork. Neither can be left.
#pragma once

#include "kernel.h"
#include "layout.h"
// After kernel.h, which has the types that they need.
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char licence_of_programs[] SEC("license") = "GPL";

#define MOST_SCOPES 4096
#define MOST_NESTED_NAMESPACES 8

struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, struct rw_scope);
} tasks SEC(".maps");

// By the number of the process namespace.
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, MOST_SCOPES);
  __type(key, __u32);
  __type(value, struct rw_scope);
} namespaces SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 1 << 19);
} refusals SEC(".maps");

__u64 lost_refusals = 0;

// The daemon's process, set before the programs are loaded, and whether it has ended.
const volatile int daemon_process SEC(".rodata.daemon") = 0;
int daemon_gone = 0;

// The task's number in its own process namespace, and which that is.
static __always_inline struct upid own_number(struct task_struct* task) {
  struct upid own = {};
  struct pid* pid = BPF_CORE_READ(task, thread_pid);
  if (!pid) return own;
  __u64 at = BPF_CORE_READ(pid, level) * bpf_core_type_size(struct upid);
  void* number = (void*)pid + bpf_core_field_offset(struct pid, numbers) + at;
  bpf_probe_read_kernel(&own.nr, sizeof own.nr, number + bpf_core_field_offset(struct upid, nr));
  bpf_probe_read_kernel(&own.ns, sizeof own.ns, number + bpf_core_field_offset(struct upid, ns));
  return own;
}

// By its namespace or one around that.
static __always_inline struct rw_scope* scope_by_namespace(struct task_struct* task) {
  struct pid_namespace* around = own_number(task).ns;
  for (int i = 0; i < MOST_NESTED_NAMESPACES && around; i++) {
    __u32 number = BPF_CORE_READ(around, ns.inum);
    struct rw_scope* found = bpf_map_lookup_elem(&namespaces, &number);
    if (found) return found;
    around = BPF_CORE_READ(around, parent);
  }
  return 0;
}

static __always_inline struct rw_scope* scope_of(struct task_struct* task) {
  struct rw_scope* scope = bpf_task_storage_get(&tasks, task, 0, 0);
  return scope ? scope : scope_by_namespace(task);
}

static __always_inline void inherit_scope(struct task_struct* parent, struct task_struct* child) {
  struct rw_scope* scope = bpf_task_storage_get(&tasks, parent, 0, 0);
  if (!scope) return;
  struct rw_scope copy = *scope;
  bpf_task_storage_get(&tasks, child, &copy, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

// What a program may do while it runs; by its verdict.
static __always_inline void begin_program(struct task_struct* task, __u32 verdict) {
  struct rw_scope* scope = bpf_task_storage_get(&tasks, task, 0, 0);
  if (!scope) return;
  __u32 more = (verdict & RW_COMPILER) ? RW_ANONYMOUS_ALLOWED : 0;
  scope->flags = scope->own_flags | more;
}

// The change time under the names of this kernel.
static __always_inline void read_key(struct inode* inode, struct rw_file_key* key) {
  key->inode = BPF_CORE_READ(inode, i_ino);
  key->device = BPF_CORE_READ(inode, i_sb, s_dev);
  key->size = BPF_CORE_READ(inode, i_size);
  key->generation = BPF_CORE_READ(inode, i_generation);
  if (bpf_core_field_exists(inode->i_ctime_sec)) {
    key->changed_seconds = BPF_CORE_READ(inode, i_ctime_sec);
    // The highest bits are the kernel's own notes.
    key->changed_nanoseconds = BPF_CORE_READ(inode, i_ctime_nsec) & 0x3fffffff;
    return;
  }
  struct inode___until_6_10* later = (void*)inode;
  if (bpf_core_field_exists(later->__i_ctime)) {
    key->changed_seconds = BPF_CORE_READ(later, __i_ctime.tv_sec);
    key->changed_nanoseconds = BPF_CORE_READ(later, __i_ctime.tv_nsec) & 0x3fffffff;
    return;
  }
  struct inode___until_6_5* early = (void*)inode;
  key->changed_seconds = BPF_CORE_READ(early, i_ctime.tv_sec);
  key->changed_nanoseconds = BPF_CORE_READ(early, i_ctime.tv_nsec) & 0x3fffffff;
}

// Null if there is no room: the refusal holds all the same, and is counted.
static __always_inline struct rw_refusal* begin_refusal(__u32 scope, __u32 how, __u32 why) {
  struct rw_refusal* refusal = bpf_ringbuf_reserve(&refusals, sizeof *refusal, 0);
  if (!refusal) {
    __sync_fetch_and_add(&lost_refusals, 1);
    return 0;
  }
  __builtin_memset(refusal, 0, sizeof *refusal);
  struct task_struct* task = bpf_get_current_task_btf();
  refusal->scope = scope;
  refusal->how = how;
  refusal->why = why;
  refusal->pid = task->tgid;
  refusal->parent = BPF_CORE_READ(task, real_parent, tgid);
  bpf_get_current_comm(refusal->program, sizeof refusal->program);
  struct task_struct* parent = BPF_CORE_READ(task, real_parent);
  bpf_core_read(refusal->parent_program, sizeof refusal->parent_program, &parent->comm);
  return refusal;
}

static __always_inline void name_file(struct rw_refusal* refusal, struct file* file) {
  const unsigned char* name = BPF_CORE_READ(file, f_path.dentry, d_name.name);
  bpf_probe_read_kernel_str(refusal->path, sizeof refusal->path, name);
}

static long take_mapped_file(struct task_struct* task, struct vm_area_struct* mapping,
                             struct rw_mapped_file* asked) {
  struct file* file = BPF_CORE_READ(mapping, vm_file);
  if (!file) return 0;
  struct inode* inode = BPF_CORE_READ(file, f_inode);
  read_key(inode, &asked->key);
  asked->filesystem = BPF_CORE_READ(inode, i_sb, s_magic);
  asked->writers = BPF_CORE_READ(inode, i_writecount.counter);
  asked->found = 1;
  // Alone in the tree of the file's mappings, ours is its root.
  struct rb_node* root = BPF_CORE_READ(inode, i_mapping, i_mmap.rb_root.rb_node);
  struct rb_node* own = (void*)mapping + bpf_core_field_offset(struct vm_area_struct, shared.rb);
  asked->is_mapped_elsewhere =
      root != own || BPF_CORE_READ(own, rb_left) || BPF_CORE_READ(own, rb_right);
  return 0;
}

// Run by the daemon, about a mapping of its own.
SEC("syscall")
int describe_mapping(struct rw_mapped_file* asked) {
  struct rw_mapped_file answer = {};
  bpf_find_vma(bpf_get_current_task_btf(), asked->address, take_mapped_file, &answer, 0);
  asked->key = answer.key;
  asked->filesystem = answer.filesystem;
  asked->writers = answer.writers;
  asked->found = answer.found;
  asked->is_mapped_elsewhere = answer.is_mapped_elsewhere;
  return 0;
}

// Run by the daemon, about a descriptor of its own (in `address`): the file that was opened, which
// an overlay shows in place of the real one.
SEC("syscall")
int describe_opened(struct rw_mapped_file* asked) {
  struct task_struct* task = bpf_get_current_task_btf();
  struct file** table = BPF_CORE_READ(task, files, fdt, fd);
  struct file* file = 0;
  bpf_probe_read_kernel(&file, sizeof file, table + (asked->address & 0xffffff));
  if (!file) return 0;
  struct rw_file_key key = {};
  read_key(BPF_CORE_READ(file, f_inode), &key);
  asked->key = key;
  asked->found = 1;
  return 0;
}

// The first process of a namespace takes all others with it, and its number may be given again.
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct* task) {
  if (task->pid == daemon_process) daemon_gone = 1;
  if (task->pid != task->tgid || !bpf_task_storage_get(&tasks, task, 0, 0)) return 0;
  struct upid own = own_number(task);
  if (own.nr != 1) return 0;
  __u32 key = BPF_CORE_READ(own.ns, ns.inum);
  bpf_map_delete_elem(&namespaces, &key);
  return 0;
}
