#include "policy/fields.h"

namespace ringwall::policy {
namespace {

constexpr uint64_t kMega = 1 << 20;
constexpr uint64_t kMostBytes = 1ull << 50;
constexpr uint64_t kMostCount = 1 << 22;  // the kernel's own bound of processes

// clang-format off
const Field kFields[] = {
    {"run.name", "--name", "NAME", Shape::name,
     "name of the run; default: the workspace's name and a number",
     TextOf([](Policy& p) -> Text& { return p.run.name; }), false},
    {"files.workspace", "-w,--workspace", "DIR", Shape::path,
     "folder the agent may change; default: the nearest folder upward that holds .git, else the current one",
     TextOf([](Policy& p) -> Text& { return p.files.workspace; }), true},
    {"files.read", "--ro", "PATH", Shape::path,
     "a file or folder to show read-only; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.files.read; }), true},
    {"files.write", "--rw", "PATH", Shape::path,
     "a file or folder that may be changed too; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.files.write; }), true},
    {"files.protect", "--protect", "PATTERN", Shape::pattern,
     "files that may not be made or changed, such as .tool/ or *.rc, besides those of docs/protected-files.md; "
     "may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.files.protect; }), false},
    {"files.unprotect", "--unprotect", "PATTERN", Shape::pattern,
     "files that may be made and changed although a table protects them; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.files.unprotect; }), true},
    {"files.hide", "--hide", "PATTERN", Shape::pattern,
     "files that cannot be read, such as notes/ or *.sql, besides those of docs/hidden-files.md; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.files.hide; }), false},
    {"files.show", "--show", "PATTERN", Shape::pattern,
     "files that can be read although they look like secrets, such as tests/; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.files.show; }), true},
    {"home.name", "--home", "NAME", Shape::name,
     "which private home to use; default: one per workspace",
     TextOf([](Policy& p) -> Text& { return p.home.name; }), false},
    {"home.fresh", "--fresh", "", Shape::on_off,
     "start with an empty home and keep nothing of it",
     SwitchOf([](Policy& p) -> Switch& { return p.home.fresh; }), false},
    {"home.keep", "--keep", "PATH", Shape::home_path,
     "a folder below the private home that persists too, e.g. .claude/projects; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.home.keep; }), true},
    {"home.caches", "--cache", "NAME", Shape::cache,
     "offer a cache of the real home, changes kept apart: npm, cargo, maven, pip, go; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.home.caches; }), true},
    {"environment.pass", "--env", "NAME", Shape::variable,
     "a variable to pass on from the caller; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.environment.pass; }), true},
    {"environment.set", "--set", "NAME=VALUE", Shape::assignment,
     "a variable to set inside; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.environment.set; }), true},
    {"git.hooks", "--git-hooks", "", Shape::on_off,
     "let the repository's git hooks run inside",
     SwitchOf([](Policy& p) -> Switch& { return p.git.hooks; }), true},
    {"terminal.clipboard", "--clipboard", "", Shape::on_off,
     "let it write your clipboard through the terminal (OSC 52); reading it is never passed on",
     SwitchOf([](Policy& p) -> Switch& { return p.terminal.clipboard; }), true},
    {"terminal.detach_keys", "--detach-keys", "KEYS", Shape::keys,
     "keys that leave a run which then goes on, like \"ctrl-a d\", or none; default: ctrl-\\ ctrl-\\",
     TextOf([](Policy& p) -> Text& { return p.terminal.detach_keys; }), false},
    {"limits.processes", "--processes", "COUNT", Shape::count,
     "most processes and threads at once; default 4096",
     NumberOf{[](Policy& p) -> Number& { return p.limits.processes; }, 8, kMostCount, false}, false},
    {"limits.open_files", "--open-files", "COUNT", Shape::count,
     "most files that one process may have open; default 65536",
     NumberOf{[](Policy& p) -> Number& { return p.limits.open_files; }, 32, kMostCount, false}, false},
    {"limits.file_size", "--file-size", "SIZE", Shape::size,
     "most bytes of one file, such as 2G; default none",
     NumberOf{[](Policy& p) -> Number& { return p.limits.file_size; }, kMega, kMostBytes, true}, false},
    {"limits.tmp_size", "--tmp-size", "SIZE", Shape::size,
     "most bytes in each folder that lies in memory: /tmp, /dev/shm, the home's part that does not persist; "
     "default: a quarter of the memory",
     NumberOf{[](Policy& p) -> Number& { return p.limits.tmp_size; }, kMega, kMostBytes, false}, false},
    {"limits.tmp_files", "--tmp-files", "COUNT", Shape::count,
     "most files in each of those folders; default: one for 4K of its size, at most 1048576",
     NumberOf{[](Policy& p) -> Number& { return p.limits.tmp_files; }, 64, kMostCount, false}, false},
    {"limits.home_size", "--home-size", "SIZE", Shape::size,
     "most bytes that the run may add to the home's part that persists, and files: one for 4K of it, at least 65536; "
     "watched: the run is paused; "
     "default: three quarters of what is free at the start",
     NumberOf{[](Policy& p) -> Number& { return p.limits.home_size; }, kMega, kMostBytes, true}, false},
    {"limits.workspace_size", "--workspace-size", "SIZE", Shape::size,
     "most bytes that the run may add to the workspace and to --rw folders, and files: one for 4K of it, at least "
     "65536; watched: the run is paused; "
     "default: three quarters of what is free at the start",
     NumberOf{[](Policy& p) -> Number& { return p.limits.workspace_size; }, kMega, kMostBytes, true}, false},
    {"limits.time", "--timeout", "TIME", Shape::duration,
     "end the run after this time, such as 90s, 30m or 2h; default none",
     NumberOf{[](Policy& p) -> Number& { return p.limits.time; }, 100, 366ull * 86'400'000, true}, false},
    {"limits.cpu", "--cpu", "NUMBER", Shape::processors,
     "most processors' worth of time, such as 1.5; needs a cgroup (see: ringwall doctor); default none",
     NumberOf{[](Policy& p) -> Number& { return p.limits.cpu; }, 10, 4'096'000, true}, false},
    {"limits.memory", "--memory", "SIZE", Shape::size,
     "most memory of all processes together, such as 4G; kept by a cgroup where one can be had, else watched: "
     "the run is paused; default: seven eighths of the memory, watched",
     NumberOf{[](Policy& p) -> Number& { return p.limits.memory; }, 16 * kMega, kMostBytes, true}, false},
    {"limits.io", "--io", "SIZE", Shape::size,
     "most bytes a second that are read from the workspace's disk, and as many that are written to it, such as 50M; "
     "needs a cgroup (see: ringwall doctor); default none",
     NumberOf{[](Policy& p) -> Number& { return p.limits.io; }, kMega, kMostBytes, true}, false},
    {"limits.recording", "--cast-size", "SIZE", Shape::size,
     "most bytes of a recording made by --cast, which ends there; default 1G",
     NumberOf{[](Policy& p) -> Number& { return p.limits.recording; }, 64 << 10, kMostBytes, true}, false},
};
// clang-format on

}  // namespace

std::span<const Field> fields() { return kFields; }

const Field* field_by_key(std::string_view key) {
  for (const Field& field : kFields) {
    if (field.key == key) return &field;
  }
  return nullptr;
}

}  // namespace ringwall::policy
