#include "identity/exec_judge.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "base/file.h"
#include "base/path.h"
#include "identity/hash_file.h"

#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x00001000U
#endif

namespace ringwall::identity {
namespace {

// A file that the agent makes anew all the time does not make us grow.
constexpr size_t kMostRemembered = 16384;

// Two changes within one tick of an older kernel's clock leave the same ctime.
constexpr int64_t kYoung = 20'000'000;  // nanoseconds

bool is_young(const FileKey& key) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec - key.ctime < kYoung;
}

// The names under which every system has its loader, in folders that are the system's alone. Any
// other is looked at where it is mapped: a name says nothing of where it leads.
bool is_usual_loader(std::string_view path) {
  return path == "/lib64/ld-linux-x86-64.so.2" || path == "/lib/ld-musl-x86_64.so.1";
}

// Of the ELF file: true also for one that we cannot read, which is then looked at more closely.
bool names_other_loader(int fd) {
  Elf64_Ehdr head;
  ssize_t got = pread(fd, &head, sizeof head, 0);
  if (got < SELFMAG || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (got != sizeof head || head.e_ident[EI_CLASS] != ELFCLASS64) return true;
  for (unsigned i = 0; i < head.e_phnum; i++) {
    Elf64_Phdr part;
    off_t at = static_cast<off_t>(head.e_phoff + i * size_t{head.e_phentsize});
    if (pread(fd, &part, sizeof part, at) != sizeof part) return true;
    if (part.p_type != PT_INTERP) continue;
    std::array<char, 256> path{};
    ssize_t length = pread(fd, path.data(), path.size() - 1, static_cast<off_t>(part.p_offset));
    return length <= 0 || !is_usual_loader(path.data());
  }
  return false;
}

// By the field that the kernel goes by; it ignores the one that says 32 or 64 bits.
bool is_for_other_machine(int fd) {
  Elf64_Ehdr head;
  ssize_t got = pread(fd, &head, sizeof head, 0);
  bool is_elf = got >= static_cast<ssize_t>(offsetof(Elf64_Ehdr, e_version)) &&
                memcmp(head.e_ident, ELFMAG, SELFMAG) == 0;
  return is_elf && head.e_machine != EM_X86_64;
}

// READ_IMPLIES_EXEC: its mappings do not ask for the right to execute, and have it. The program's
// header decides that, so it is the same each time. `exe` is "PID/exe".
bool reads_as_code(int processes, const std::string& exe) {
  std::string path = exe.substr(0, exe.find('/')) + "/personality";
  Fd fd(openat(processes, path.c_str(), O_RDONLY | O_CLOEXEC));
  auto text = fd ? file::read_all(fd.get()) : fail("gone");
  return !text || (strtoul(text->c_str(), nullptr, 16) & READ_IMPLIES_EXEC) != 0;
}

bool agent_may_write(const struct stat& info) {
  if (info.st_uid == getuid()) return true;
  return (info.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

}  // namespace

bool is_out_of_reach(int fd) {
  struct statvfs mount;
  struct stat info;
  if (fstatvfs(fd, &mount) != 0 || fstat(fd, &info) != 0) return false;
  if ((mount.f_flag & ST_RDONLY) == 0) return false;
  return info.st_nlink == 1 || !agent_may_write(info);
}

bool ExecJudge::is_systems(int fd) const {
  if (!is_out_of_reach(fd)) return false;
  std::string link = std::to_string(getpid()) + "/fd/" + std::to_string(fd);
  std::array<char, PATH_MAX> target{};
  ssize_t length = readlinkat(processes_, link.c_str(), target.data(), target.size());
  std::string_view path(target.data(), length > 0 ? static_cast<size_t>(length) : 0);
  const StopPlace* innermost = nullptr;
  for (const StopPlace& place : rules_.places) {
    bool is_inner = innermost == nullptr || place.path.size() > innermost->path.size();
    if (is_inner && path::is_beneath(path, place.path)) innermost = &place;
  }
  return innermost != nullptr && !innermost->writable;
}

Judgement ExecJudge::program(int folder, const std::string& path) {
  Judgement unreadable{.why = "cannot be read, so nobody knows what it is"};
  struct statx facts;
  if (statx(folder, path.c_str(), 0, STATX_BASIC_STATS | STATX_MNT_ID, &facts) != 0)
    return unreadable;
  FileKey file{makedev(facts.stx_dev_major, facts.stx_dev_minor), facts.stx_ino,
               facts.stx_ctime.tv_sec * 1'000'000'000 + facts.stx_ctime.tv_nsec, facts.stx_size};
  Key key{file, facts.stx_mnt_id};
  if (auto known = programs_.find(key); known != programs_.end()) return known->second;
  Fd fd(openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd) return unreadable;
  Judgement judged = judge(fd.get(), key, true);
  if (judged.may_run && rules_.judges_mappings && reads_as_code(folder, path)) {
    judged.may_run = false;
    judged.why = "makes everything that it can read executable";
  }
  if (judged.digest && rules_.judges_mappings) judged.brings_loader = names_other_loader(fd.get());
  judge_age(judged);
  // The linker's work may be vouched for later.
  if (judged.digest && judged.may_run && !is_young(file)) {
    if (programs_.size() >= kMostRemembered) programs_.clear();
    programs_.emplace(key, judged);
  }
  judged.is_first = true;
  return judged;
}

void ExecJudge::judge_age(Judgement& judged) {
  if (!judged.may_run || !judged.digest) return;
  if (only_known_ && !ran_.contains(*judged.digest)) {
    judged.may_run = false;
    judged.is_too_new = true;
    judged.why = "did not run before the run was restricted by its risk";
  } else if (ran_.size() < kMostRemembered) {
    ran_.insert(*judged.digest);
  }
}

Judgement ExecJudge::mapping(int fd) {
  struct statx facts;
  if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_MNT_ID, &facts) != 0)
    return {.why = "cannot be looked at"};
  FileKey file{makedev(facts.stx_dev_major, facts.stx_dev_minor), facts.stx_ino,
               facts.stx_ctime.tv_sec * 1'000'000'000 + facts.stx_ctime.tv_nsec, facts.stx_size};
  Key key{file, facts.stx_mnt_id};
  if (auto known = mappings_.find(key); known != mappings_.end()) return known->second;
  Judgement judged = judge(fd, key, false);
  if (judged.digest && judged.may_run && !is_young(file)) {
    if (mappings_.size() >= kMostRemembered) mappings_.clear();
    mappings_.emplace(key, judged);
  }
  judged.is_first = true;
  return judged;
}

Judgement ExecJudge::judge(int fd, const Key& key, bool is_program) {
  Judgement judged;
  judged.is_systems = is_systems(fd);
  if (!is_trustworthy_filesystem(fd)) {
    judged.why = "lies on a filesystem that can show other bytes at each reading";
    return judged;
  }
  if (rules_.judges_mappings && !judged.is_systems && is_overlay(fd)) {
    judged.why = "can be written and lies on an overlay, where nobody sees who writes it";
    return judged;
  }
  if (is_program && rules_.judges_mappings && is_for_other_machine(fd)) {
    judged.why = "is for another architecture, whose mappings nobody can judge";
    return judged;
  }
  if (key.file.size > kLargestProgram) {
    judged.why = "is larger than 4 GiB";
    return judged;
  }
  auto hashed = hash_file(fd);
  if (!hashed || hashed->key != key.file) {
    judged.why = "changed while it was read";
    return judged;
  }
  judged.digest = hashed->digest;
  judge_content(judged, is_program);
  return judged;
}

void ExecJudge::judge_content(Judgement& judged, bool is_program) const {
  const Digest& digest = *judged.digest;
  Verdict verdict = rules_.rules.verdict_of(digest);
  judged.rule = verdict.rule;
  judged.may_run = verdict.may_run;
  bool is_denied = !verdict.may_run && !verdict.rule.empty();
  judged.why = is_denied ? "is denied" : "is not among what may run";
  if (is_denied) return;
  if (is_program && rules_.loaders.contains(digest)) {
    judged.may_run = false;
    judged.why = "runs any file that it is given, so it may not be run itself";
  }
  if (judged.may_run || rules_.rules.mode != Mode::allow) return;
  bool is_systems = judged.is_systems && (rules_.system_runs || !is_program);
  if (is_systems) judged.rule = "system";
  bool is_built = rules_.rules.built_here && built_here_.contains(digest);
  if (is_built) judged.rule = "built-here";
  judged.may_run = is_systems || is_built;
  judged.is_unknown = !judged.may_run;
}

}  // namespace ringwall::identity
