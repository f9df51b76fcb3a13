#include "prepare/exec_stop_plan.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/fd.h"
#include "base/path.h"
#include "base/text.h"
#include "identity/hash_file.h"
#include "identity/second_names.h"
#include "sandbox/wall.h"

namespace ringwall::prepare {
namespace {

using identity::Mode;

// A process has one tracer, and the exec stop is it.
constexpr std::array<std::string_view, 8> kTracers = {"gdb", "gdbserver", "lldb",   "lldb-server",
                                                      "rr",  "strace",    "ltrace", "uftrace"};

// Programs that run any file they are given, past a denial: where systems keep them.
constexpr std::array<const char*, 5> kLoaders = {
    "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux.so.2", "/lib/ld-linux-x86-64.so.2",
    "/lib/ld-musl-x86_64.so.1", "/lib/ld-musl-i386.so.1"};

std::unordered_set<Digest, DigestHash> hash_loaders() {
  std::unordered_set<Digest, DigestHash> loaders;
  for (const char* path : kLoaders) {
    Fd fd(open(path, O_RDONLY | O_CLOEXEC));
    auto hashed = fd ? identity::hash_file(fd.get()) : fail("not there");
    if (hashed) loaders.insert(hashed->digest);
  }
  return loaders;
}

// What is written to a file that the caller opened lies on the host's mount, which nobody made
// noexec.
bool has_file_among_stdio() {
  return std::ranges::any_of(std::array{0, 1, 2}, [](int fd) {
    struct stat facts;
    return fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
  });
}

// What is read-only under one name, and can be written under another, lies on a mount that nobody
// made noexec.
bool has_second_names(const ProgramsRequest& request) {
  std::vector<std::string> read_only, writable;
  for (const auto* grants : {&request.granted.grants, &request.toolchain}) {
    for (const sandbox::Grant& grant : *grants)
      (grant.access == sandbox::Access::write ? writable : read_only).push_back(grant.path);
  }
  return identity::has_second_names(read_only, writable);
}

Status refuse_overlay(const std::string& path, const std::string& name) {
  Fd folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder || !identity::is_overlay(folder.get())) return {};
  return fail(name + ": " + text::quote(path) +
                  " lies on an overlay, where nobody sees who writes what is executed",
              "take a folder of another filesystem, in a container a volume");
}

Result<std::string> judge_tree(const policy::Text& tree, const ProgramsRequest& request) {
  std::string name = "exec.trees " + text::quote(tree.value) + " (" + tree.origin.text() + ")";
  std::unique_ptr<char, decltype(&free)> real(realpath(tree.value.c_str(), nullptr), free);
  if (!real) return fail_errno(name + " cannot be found", "make it, or name another folder");
  std::string path(real.get());
  for (const sandbox::Grant& grant : request.granted.grants) {
    bool holds = path::is_beneath(path, grant.path) || path::is_beneath(grant.path, path);
    if (grant.access != sandbox::Access::write || !holds) continue;
    if (request.wanted.guard.value == "none") TRY(refuse_overlay(path, name));
    return path;
  }
  // Of what lies in memory, only the whole can be told apart.
  if (path == request.home || path == "/tmp" || path::is_beneath(path, request.home)) return path;
  return fail(name + " is no folder that can be written inside",
              "programs of read-only folders are named by exec.allow");
}

Status refuse_tracers(const std::string& command) {
  if (!is_tracer(command)) return {};
  return fail(text::quote(command) +
                  " traces other processes, and this policy has every process traced by the exec "
                  "stop, which stands alone",
              "run it without --deny-later, --exec-tree and --allow-program built-here");
}

}  // namespace

bool is_tracer(const std::string& program) {
  return std::ranges::find(kTracers, path::basename(program)) != kTracers.end();
}

Result<PlannedPrograms> plan_programs(ProgramsRequest request) {
  PlannedPrograms planned;
  planned.rules.rules = std::move(request.rules);
  const identity::ExecRules& rules = planned.rules.rules;
  if (rules.mode == Mode::any) return planned;
  const policy::Policy::Exec& wanted = request.wanted;
  calls::ExecPlan& exec = planned.exec;
  // Root's guard does in the kernel what the exec stop is for.
  bool has_guard = wanted.guard.value != "none";
  if (rules.mode == Mode::allow) {
    exec.only_known = true;
    exec.notes_built = rules.built_here && !has_guard;
    planned.rules.system_runs =
        wanted.allow.empty() || std::ranges::any_of(wanted.allow, [](const policy::Text& entry) {
          return entry.value == "system";
        });
    for (const policy::Text& tree : wanted.trees) {
      TRY_ASSIGN(std::string path, judge_tree(tree, request));
      planned.trees.push_back(std::move(path));
    }
    if (rules.built_here) {
      if (!has_guard) TRY(refuse_overlay(request.granted.workspace, "exec.allow \"built-here\""));
      planned.trees.push_back(request.granted.workspace);
    }
    exec.keeps_code = has_guard;
    exec.judges_mappings = !has_guard && (!planned.trees.empty() || has_file_among_stdio() ||
                                          has_second_names(request));
  } else {
    planned.rules.loaders = hash_loaders();
  }
  bool looks_later = wanted.deny_later.on && (!rules.denied.empty() || rules.mode == Mode::allow);
  exec.has_stop = exec.judges_mappings || (looks_later && !has_guard);
  if (exec.has_stop) TRY(refuse_tracers(request.command));
  planned.rules.judges_mappings = exec.judges_mappings;
  if (sandbox::is_taken_away(sandbox::Wall::exec_stop)) exec.has_stop = false;
  return planned;
}

}  // namespace ringwall::prepare
