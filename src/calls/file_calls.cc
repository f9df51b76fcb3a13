#include "calls/file_calls.h"

#include <stddef.h>
#include <sys/syscall.h>

namespace ringwall::calls {
namespace {

using Want = FileCall::Want;

constexpr int kNone = -1;
constexpr int kFaccessat2 = 439;

struct Row {
  int number;
  Want want;
  int name;            // which argument is the name's address
  int folder = kNone;  // which is the folder's descriptor
  int open = kNone;    // which holds the flags of open(2): they say what is wanted
  int at = kNone;      // which holds AT_* flags: with AT_EMPTY_PATH there is no name
};

// The most frequent first. Left out are calls that follow another of the same file (a change of
// mode, of times), and openat2, which the system-call wall refuses.
constexpr Row kRows[] = {
    {SYS_newfstatat, Want::look, 1, 0, kNone, 3},
    {SYS_openat, Want::read, 1, 0, 2},
    {SYS_statx, Want::look, 1, 0, kNone, 2},
    {SYS_access, Want::look, 0},
    {SYS_stat, Want::look, 0},
    {SYS_lstat, Want::look, 0},
    {SYS_open, Want::read, 0, kNone, 1},
    {SYS_readlink, Want::look, 0},
    {SYS_readlinkat, Want::look, 1, 0},
    {SYS_faccessat, Want::look, 1, 0},
    {kFaccessat2, Want::look, 1, 0, kNone, 3},
    {SYS_execve, Want::execute, 0},
    {SYS_execveat, Want::execute, 1, 0, kNone, 4},
    {SYS_chdir, Want::look, 0},
    {SYS_creat, Want::write, 0},
    {SYS_truncate, Want::write, 0},
    {SYS_mkdir, Want::make, 0},
    {SYS_mkdirat, Want::make, 1, 0},
    {SYS_mknod, Want::make, 0},
    {SYS_mknodat, Want::make, 1, 0},
    {SYS_link, Want::make, 1},
    {SYS_linkat, Want::make, 3, 2},
    {SYS_symlink, Want::make, 1},
    {SYS_symlinkat, Want::make, 2, 1},
    {SYS_unlink, Want::remove, 0},
    {SYS_unlinkat, Want::remove, 1, 0},
    {SYS_rmdir, Want::remove, 0},
    {SYS_connect, Want::connect, 1},
    // Caught in any case: see rename_listener.h.
    {SYS_rename, Want::write, 1},
    {SYS_renameat, Want::write, 3, 2},
    {SYS_renameat2, Want::write, 3, 2},
};

Want wanted_by_open(uint64_t flags) {
  bool changes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  if (changes) return Want::write;
  return (flags & O_PATH) != 0 ? Want::look : Want::read;
}

sock_filter statement(int code, uint32_t value) {
  return {static_cast<uint16_t>(code), 0, 0, value};
}
sock_filter jump(int test, uint32_t value, uint8_t yes, uint8_t no) {
  return {static_cast<uint16_t>(BPF_JMP | test | BPF_K), yes, no, value};
}
sock_filter load_argument(int index) {
  size_t offset = offsetof(seccomp_data, args) + static_cast<size_t>(index) * sizeof(uint64_t);
  return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
}

}  // namespace

std::optional<FileCall> decode_file_call(const seccomp_data& call) {
  for (const Row& row : kRows) {
    if (row.number != call.nr) continue;
    FileCall found{row.want};
    if (row.folder != kNone) found.folder = static_cast<int>(call.args[row.folder]);
    found.name = call.args[row.name];
    if (row.open != kNone) found.want = wanted_by_open(call.args[row.open]);
    if (row.want == Want::connect) found.length = call.args[2];
    bool nameless = row.at != kNone && (call.args[row.at] & AT_EMPTY_PATH) != 0;
    return nameless ? std::nullopt : std::optional(found);
  }
  return std::nullopt;
}

std::vector<sock_filter> file_calls_filter() {
  const sock_filter ask = statement(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  const sock_filter allow = statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  std::vector<sock_filter> code;
  for (const Row& row : kRows) {
    auto number = static_cast<uint32_t>(row.number);
    if (row.at == kNone) {
      code.push_back(jump(BPF_JEQ, number, 0, 1));
    } else {
      // fstat(2) is one of these, and most calls are that: they would wait for nothing.
      code.push_back(jump(BPF_JEQ, number, 0, 4));
      code.push_back(load_argument(row.at));
      code.push_back(jump(BPF_JSET, AT_EMPTY_PATH, 0, 1));
      code.push_back(allow);
    }
    code.push_back(ask);
  }
  return code;
}

}  // namespace ringwall::calls
