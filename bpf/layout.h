// What the kernel's side of the guard and its daemon tell each other: read by both compilers.
#pragma once

#ifdef __cplusplus
#include <linux/types.h>
#endif

// One state of a file's content. Its owner can set a modification time, but not the change time.
struct rw_file_key {
  __u64 inode;
  __u64 changed_seconds;
  __u64 changed_nanoseconds;
  __u64 size;
  __u32 device;
  __u32 generation;
};

// What the file behind a mapping of the daemon's own is: the one that pages come from, which is
// another than the opened one on stacked filesystems.
struct rw_mapped_file {
  __u64 address;  // asked for
  struct rw_file_key key;
  __u64 filesystem;  // its magic number
  __s32 writers;     // less than 0: writing is forbidden just now
  __u32 found;
  __u32 is_mapped_elsewhere;
  __u32 unused;
};

// Rules of a scope that the kernel's side knows; the digests are the daemon's business.
enum {
  RW_ANONYMOUS_ALLOWED = 1,  // memory that belongs to no file may be executed
};

// A task's; inherited and never lost.
struct rw_scope {
  __u32 id;
  __u32 flags;
  __u32 own_flags;  // the scope's, whichever program runs
};

// What a verdict lets a file be.
enum {
  RW_PROGRAM = 1,   // executed
  RW_LIBRARY = 2,   // mapped to be executed, also by the kernel as a program's loader
  RW_COMPILER = 4,  // as a program it may execute memory that belongs to no file
};

// A verdict of the LSM's kind, in the inode's own storage.
struct rw_digest {
  __u8 bytes[32];
};
struct rw_vetted {
  struct rw_digest digest;
  struct rw_file_key key;
  __u64 generation;
};

enum rw_how {
  RW_EXEC = 1,
  RW_LOADER = 2,   // what the kernel starts a program by
  RW_MAP = 3,      // code of a file mapped: a library, or a program by its loader
  RW_PROTECT = 4,  // memory made executable
  RW_SHARED_MEMORY = 5,
  RW_PERSONALITY = 6,
  RW_WRITE = 7,  // to a library that is in use
  RW_READ = 8,   // what is denied is not opened either
};

enum rw_why {
  RW_UNKNOWN = 1,    // nobody has looked at it, or it has changed since
  RW_WRITTEN = 2,    // somebody has it open for writing
  RW_REFUSED = 3,    // its content, by a rule
  RW_ANONYMOUS = 4,  // memory that belongs to no file
  RW_CHANGED = 5,    // pages of a file that were written to in memory
  RW_FOREIGN = 6,    // by the system calls of another architecture
  RW_IN_USE = 8,     // as code, so it cannot be written to
  RW_UNSURE = 7,     // could not be looked at: the process stands still until the daemon has
  RW_UNSEEN = 9,     // the same, and it goes on meanwhile
};

struct rw_refusal {
  __u32 scope;
  __u32 how;
  __u32 why;
  __s32 pid;  // of the process, in the first namespace
  __s32 parent;
  __u32 unused;
  struct rw_file_key key;
  struct rw_digest digest;  // zeros: not known here
  char program[16];
  char parent_program[16];
  char path[200];  // as the caller named it, or the file's last name
};
