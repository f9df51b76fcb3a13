// The guard where LSM programs cannot be loaded: looks at what was executed, or mapped to be
// executed, right after the kernel has done it, and kills before the first instruction. A file is
// known by a verdict that the daemon has left for its state; what has none does not run.
#include "scope.h"

#define SIGKILL 9
#define SIGSTOP 19
#define EBUSY 16

#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define VM_WRITE 2
#define VM_EXEC 4
#define MAP_ANONYMOUS 0x20
#define READ_IMPLIES_EXEC 0x0400000
#define SHM_EXEC 0100000
#define TS_COMPAT 2

#define SYS_mmap 9
#define SYS_mprotect 10
#define SYS_shmat 30
#define SYS_personality 135
#define SYS_pkey_mprotect 329
#define X32_CALL 0x40000000

#define MOST_TRIES 200
#define MOST_MAPPINGS 64

struct verdicts_of_one {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 1);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, struct rw_file_key);
  __type(value, __u32);
};

// By scope. Of one that is gone nothing is known, so nothing more runs.
struct {
  __uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
  __uint(max_entries, MOST_SCOPES);
  __type(key, __u32);
  __array(values, struct verdicts_of_one);
} verdicts SEC(".maps");

// What a walk over the mappings of a stretch of memory knows.
struct walk {
  struct rw_scope scope;
  __u64 address, end;  // what is left
  __u32 how;
  __u32 why;  // the first refusal
  __u32 verdict;
  __u32 tries;  // in vain
  // Of the mapping at `address`.
  __u32 has_file;
  struct rw_file_key key;
  unsigned char name[64];
};

// 0: it may be executed.
static __always_inline __u32 judge_file(struct walk* walk, struct inode* inode) {
  if (BPF_CORE_READ(inode, i_writecount.counter) > 0) return RW_WRITTEN;
  if (daemon_gone) return RW_UNKNOWN;
  void* known = bpf_map_lookup_elem(&verdicts, &walk->scope.id);
  __u32* verdict = known ? bpf_map_lookup_elem(known, &walk->key) : 0;
  if (!verdict) return RW_UNKNOWN;
  walk->verdict = *verdict;
  __u32 wanted = walk->how == RW_EXEC ? RW_PROGRAM : RW_LIBRARY;
  return (*verdict & wanted) ? 0 : RW_REFUSED;
}

// Where the kernel starts a program there must be a file's code.
static __always_inline bool_t begins_there(struct walk* walk) {
  return walk->how == RW_EXEC || walk->how == RW_LOADER;
}

static long look_at_mapping(struct task_struct* task, struct vm_area_struct* mapping,
                            struct walk* walk) {
  __u64 flags = BPF_CORE_READ(mapping, vm_flags);
  struct file* file = BPF_CORE_READ(mapping, vm_file);
  int may_be_anonymous = walk->scope.flags & RW_ANONYMOUS_ALLOWED;
  bool_t begins = begins_there(walk);
  walk->address = BPF_CORE_READ(mapping, vm_end);
  if (!(flags & VM_EXEC)) {
    if (begins) walk->why = RW_UNKNOWN;
    return 0;
  }
  if (walk->how == RW_SHARED_MEMORY) {
    walk->why = RW_ANONYMOUS;
    return 0;
  }
  if (!file) {
    if (begins || !may_be_anonymous) walk->why = RW_ANONYMOUS;
    return 0;
  }
  walk->has_file = 1;
  struct inode* inode = BPF_CORE_READ(file, f_inode);
  read_key(inode, &walk->key);
  const unsigned char* name = BPF_CORE_READ(file, f_path.dentry, d_name.name);
  bpf_probe_read_kernel_str(walk->name, sizeof walk->name, name);
  bool_t has_own_pages = walk->how == RW_PROTECT && BPF_CORE_READ(mapping, anon_vma) != 0;
  if (has_own_pages || ((flags & VM_WRITE) && !may_be_anonymous)) {
    walk->why = RW_CHANGED;
  } else {
    walk->why = judge_file(walk, inode);
  }
  return 0;
}

// 1: there is no more to be done.
static long step(__u32 number, struct walk* walk) {
  walk->has_file = 0;
  long failed = bpf_find_vma(bpf_get_current_task_btf(), walk->address, look_at_mapping, walk, 0);
  if (failed == -EBUSY) {
    // Another thread changes the mappings: that takes it microseconds.
    if (++walk->tries < MOST_TRIES) return 0;
    // Programs that compile change mappings all the time, and whoever may execute memory of its own
    // gains nothing by the moment until the daemon has looked.
    bool_t may_go_on = !begins_there(walk) && (walk->scope.flags & RW_ANONYMOUS_ALLOWED);
    walk->why = may_go_on ? RW_UNSEEN : RW_UNSURE;
    return 1;
  }
  // Elsewhere another thread may have taken the mapping away.
  if (failed && begins_there(walk)) walk->why = RW_UNKNOWN;
  return failed || walk->why || walk->address >= walk->end;
}

static __always_inline void refuse(struct rw_scope* scope, __u32 how, __u32 why, struct walk* walk,
                                   const char* path) {
  // Whoever waits for the daemon and never hears of it stands still for good.
  if (why != RW_UNSEEN) bpf_send_signal(why == RW_UNSURE ? SIGSTOP : SIGKILL);
  struct rw_refusal* refusal = begin_refusal(scope->id, how, why);
  if (!refusal) return;
  if (walk && walk->has_file) {
    refusal->key = walk->key;
    __builtin_memcpy(refusal->path, walk->name, sizeof walk->name);
  }
  if (path) bpf_probe_read_kernel_str(refusal->path, sizeof refusal->path, path);
  bpf_ringbuf_submit(refusal, 0);
}

// Its verdict if all of it may be executed, 0 if not. `path` is for the refusal.
static __always_inline __u32 check(struct rw_scope* scope, __u64 address, __u64 length, __u32 how,
                                   const char* path) {
  struct walk walk = {.scope = *scope, .address = address, .end = address + length, .how = how};
  long steps = bpf_loop(MOST_TRIES + MOST_MAPPINGS, step, &walk, 0);
  if (!walk.why && steps >= MOST_TRIES + MOST_MAPPINGS) walk.why = RW_UNSURE;
  if (!walk.why) return walk.verdict;
  refuse(scope, how, walk.why, &walk, path);
  return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct* parent, struct task_struct* child) {
  inherit_scope(parent, child);
  return 0;
}

// The program's code and, where it has one, its loader's: the kernel maps both by itself.
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct* task, int old_pid, struct linux_binprm* program) {
  struct rw_scope* scope = scope_of(task);
  if (!scope) return 0;
  __u64 code = BPF_CORE_READ(task, mm, start_code);
  __u32 verdict = check(scope, code, 1, RW_EXEC, program->filename);
  if (!verdict) return 0;
  begin_program(task, verdict);
  struct pt_regs* registers = (struct pt_regs*)bpf_task_pt_regs(task);
  check(scope, registers->ip, 1, RW_LOADER, 0);
  return 0;
}

// Calls that can make memory executable, and those of 32 bits under their other numbers. Nearly all
// calls of the host end here, so it is nothing but a few comparisons.
static __always_inline bool_t is_of_interest(unsigned long call) {
  switch (call) {
    case SYS_mmap:
    case SYS_mprotect:
    case SYS_shmat:
    case SYS_personality:
    case SYS_pkey_mprotect:
    case 90:   // mmap
    case 117:  // ipc
    case 125:  // mprotect
    case 136:  // personality
    case 192:  // mmap2
    case 380:  // pkey_mprotect
    case 397:  // shmat
      return 1;
    default:
      // The return from a signal handler leaves -1 there.
      return (long)call >= X32_CALL;
  }
}

// Walls refuse all calls of another architecture anyway.
static __always_inline bool_t is_foreign(struct task_struct* task, unsigned long call) {
  return call >= X32_CALL || (task->thread_info.status & TS_COMPAT);
}

static __always_inline int makes_executable(struct task_struct* task, __u64 protection) {
  if (protection & PROT_EXEC) return 1;
  return (protection & PROT_READ) && (BPF_CORE_READ(task, personality) & READ_IMPLIES_EXEC);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_call, struct pt_regs* registers, long result) {
  unsigned long call = registers->orig_ax;
  if (!is_of_interest(call)) return 0;
  struct task_struct* task = bpf_get_current_task_btf();
  struct rw_scope* scope = scope_of(task);
  if (!scope) return 0;
  if (is_foreign(task, call)) {
    refuse(scope, RW_MAP, RW_FOREIGN, 0, 0);
    return 0;
  }
  bool_t is_other = call != SYS_mmap && call != SYS_mprotect && call != SYS_pkey_mprotect &&
                    call != SYS_shmat && call != SYS_personality;
  if (is_other || (result < 0 && result > -4096)) return 0;
  int may_be_anonymous = scope->flags & RW_ANONYMOUS_ALLOWED;
  if (call == SYS_personality) {
    // The heap and the stack would become executable without a call of their own.
    if (!may_be_anonymous && (BPF_CORE_READ(task, personality) & READ_IMPLIES_EXEC))
      refuse(scope, RW_PERSONALITY, RW_ANONYMOUS, 0, 0);
    return 0;
  }
  if (call == SYS_shmat) {
    if (registers->dx & SHM_EXEC) check(scope, result, 1, RW_SHARED_MEMORY, 0);
    return 0;
  }
  if (!makes_executable(task, registers->dx)) return 0;
  if (call == SYS_mmap) {
    // What JITs do, where they may.
    if ((registers->r10 & MAP_ANONYMOUS) && may_be_anonymous) return 0;
    check(scope, result, registers->si, RW_MAP, 0);
    return 0;
  }
  check(scope, registers->di, registers->si, RW_PROTECT, 0);
  return 0;
}
