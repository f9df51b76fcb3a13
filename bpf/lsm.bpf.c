// The guard by LSM programs: decides before the kernel executes, or maps to be executed. What a
// file's content is lies in the inode's own storage, written by the daemon through a descriptor;
// it holds only while nobody has opened the file for writing since.
#include "scope.h"

#define EPERM 1
#define ENOMEM 12
#define ETXTBSY 26

#define PROT_WRITE 2
#define PROT_EXEC 4
#define VM_EXEC 4
#define FMODE_WRITE 2

struct {
  __uint(type, BPF_MAP_TYPE_INODE_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, struct rw_vetted);
} vetted_files SEC(".maps");

// Counts who opened a file for writing.
struct {
  __uint(type, BPF_MAP_TYPE_INODE_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, __u64);
} generations SEC(".maps");

struct verdicts_of_one {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 1);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, struct rw_digest);
  __type(value, __u32);
};

// By scope. Of one that is gone nothing is known, so nothing more runs.
struct {
  __uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
  __uint(max_entries, MOST_SCOPES);
  __type(key, __u32);
  __array(values, struct verdicts_of_one);
} verdicts SEC(".maps");

static __always_inline struct rw_scope* own_scope(void) {
  return scope_of(bpf_get_current_task_btf());
}

static __always_inline int refuse(struct rw_scope* scope, __u32 how, __u32 why, struct file* file,
                                  struct rw_vetted* vetted) {
  struct rw_refusal* refusal = begin_refusal(scope->id, how, why);
  if (refusal) {
    if (file) {
      read_key(BPF_CORE_READ(file, f_inode), &refusal->key);
      name_file(refusal, file);
    }
    if (vetted) refusal->digest = vetted->digest;
    bpf_ringbuf_submit(refusal, 0);
  }
  return why == RW_WRITTEN ? -ETXTBSY : -EPERM;
}

static __always_inline bool_t is_same(const struct rw_file_key* a, const struct rw_file_key* b) {
  return a->inode == b->inode && a->changed_seconds == b->changed_seconds &&
         a->changed_nanoseconds == b->changed_nanoseconds && a->size == b->size &&
         a->device == b->device && a->generation == b->generation;
}

// Is its content known, as it is now, and may it be that?
static __always_inline int check(struct rw_scope* scope, struct file* file, __u32 how) {
  struct inode* inode = file->f_inode;
  struct rw_vetted* vetted = bpf_inode_storage_get(&vetted_files, inode, 0, 0);
  __u64* generation = bpf_inode_storage_get(&generations, inode, 0, 0);
  // Never looked at: a file of memory, of a mount that is not watched, of a filesystem that lies.
  if (!vetted || !generation) return refuse(scope, how, RW_UNKNOWN, file, 0);
  if (BPF_CORE_READ(inode, i_writecount.counter) > 0)
    return refuse(scope, how, RW_WRITTEN, file, vetted);
  struct rw_file_key now = {};
  read_key(inode, &now);
  if (vetted->generation != *generation || !is_same(&vetted->key, &now))
    return refuse(scope, how, RW_UNKNOWN, file, 0);
  void* known = bpf_map_lookup_elem(&verdicts, &scope->id);
  __u32* verdict = known ? bpf_map_lookup_elem(known, &vetted->digest) : 0;
  __u32 wanted = how == RW_EXEC ? RW_PROGRAM : RW_LIBRARY;
  if (!verdict || !(*verdict & wanted)) return refuse(scope, how, RW_REFUSED, file, vetted);
  return 0;
}

// Also for those who only ask whether they might (AT_EXECVE_CHECK).
SEC("lsm/bprm_creds_for_exec")
int BPF_PROG(on_credentials, struct linux_binprm* program, int before) {
  if (before) return before;
  struct rw_scope* scope = own_scope();
  return scope ? check(scope, program->file, RW_EXEC) : 0;
}

// A script, then its interpreter.
SEC("lsm/bprm_check_security")
int BPF_PROG(on_program, struct linux_binprm* program, int before) {
  if (before) return before;
  struct rw_scope* scope = own_scope();
  return scope ? check(scope, program->file, RW_EXEC) : 0;
}

// From here on it is that program.
SEC("lsm/bprm_committed_creds")
int BPF_PROG(on_committed, struct linux_binprm* program) {
  struct rw_scope* scope = own_scope();
  if (!scope) return 0;
  struct rw_vetted* vetted = bpf_inode_storage_get(&vetted_files, program->file->f_inode, 0, 0);
  void* known = vetted ? bpf_map_lookup_elem(&verdicts, &scope->id) : 0;
  __u32* verdict = known ? bpf_map_lookup_elem(known, &vetted->digest) : 0;
  begin_program(bpf_get_current_task_btf(), verdict ? *verdict : 0);
  return 0;
}

// `protection` and not what was asked for: an old personality turns reading into executing.
SEC("lsm/mmap_file")
int BPF_PROG(on_mapping, struct file* file, unsigned long asked, unsigned long protection,
             unsigned long flags, int before) {
  if (before || !(protection & PROT_EXEC)) return before;
  struct rw_scope* scope = own_scope();
  if (!scope) return 0;
  bool_t may_be_anonymous = scope->flags & RW_ANONYMOUS_ALLOWED;
  // Memory without a file has none here. Kernels up to 6.18 tell the verifier that there always is
  // one, and it would take the plain test away as needless: so the argument is read as a number.
  unsigned long has_file = 0;
  bpf_probe_read_kernel(&has_file, sizeof has_file, (void*)ctx);
  if (!has_file) return may_be_anonymous ? 0 : refuse(scope, RW_MAP, RW_ANONYMOUS, 0, 0);
  if (!file) return -EPERM;  // later kernels want it tested
  if ((protection & PROT_WRITE) && !may_be_anonymous)
    return refuse(scope, RW_MAP, RW_CHANGED, file, 0);
  return check(scope, file, RW_MAP);
}

// The file of a mapping cannot be looked up from here, so a file's pages may only become executable
// again if they are just now.
SEC("lsm/file_mprotect")
int BPF_PROG(on_protection, struct vm_area_struct* mapping, unsigned long asked,
             unsigned long protection, int before) {
  if (before || !(protection & PROT_EXEC)) return before;
  struct rw_scope* scope = own_scope();
  if (!scope) return 0;
  bool_t may_be_anonymous = scope->flags & RW_ANONYMOUS_ALLOWED;
  struct file* file = BPF_CORE_READ(mapping, vm_file);
  if (!file) return may_be_anonymous ? 0 : refuse(scope, RW_PROTECT, RW_ANONYMOUS, 0, 0);
  bool_t has_own_pages = BPF_CORE_READ(mapping, anon_vma) != 0;
  if (!(BPF_CORE_READ(mapping, vm_flags) & VM_EXEC))
    return refuse(scope, RW_PROTECT, has_own_pages ? RW_CHANGED : RW_UNKNOWN, file, 0);
  if (((protection & PROT_WRITE) || has_own_pages) && !may_be_anonymous)
    return refuse(scope, RW_PROTECT, RW_CHANGED, file, 0);
  return 0;
}

// Whoever opens it for writing, in a scope or not, takes its verdict away. A program that runs
// cannot be written to; here a library that is in use cannot either.
SEC("lsm/file_open")
int BPF_PROG(on_open, struct file* file, int before) {
  if (before || !(file->f_mode & FMODE_WRITE)) return before;
  struct inode* inode = file->f_inode;
  __u64* generation = bpf_inode_storage_get(&generations, inode, 0, 0);
  if (!generation) return 0;
  struct rw_scope* scope = own_scope();
  struct rw_vetted* vetted = bpf_inode_storage_get(&vetted_files, inode, 0, 0);
  bool_t is_mapped = BPF_CORE_READ(inode, i_mapping, i_mmap.rb_root.rb_node) != 0;
  if (scope && vetted && is_mapped) {
    refuse(scope, RW_WRITE, RW_IN_USE, file, vetted);
    return -ETXTBSY;
  }
  __sync_fetch_and_add(generation, 1);
  return 0;
}

SEC("lsm/task_alloc")
int BPF_PROG(on_fork, struct task_struct* child, unsigned long flags, int before) {
  if (before) return before;
  struct rw_scope* scope = own_scope();
  if (!scope) return 0;
  struct rw_scope copy = *scope;
  void* kept = bpf_task_storage_get(&tasks, child, &copy, BPF_LOCAL_STORAGE_GET_F_CREATE);
  return kept ? 0 : -ENOMEM;
}
