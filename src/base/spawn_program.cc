#include "base/spawn_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "base/text.h"

namespace ringwall::process {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

class SpawnOrder {
 public:
  explicit SpawnOrder(const ProgramStart& start) {
    posix_spawn_file_actions_init(&files_);
    for (int i = 0; i < 3; i++) {
      int fd = start.stdio[static_cast<size_t>(i)];
      if (fd == ProgramStart::kNowhere)
        posix_spawn_file_actions_addopen(&files_, i, "/dev/null", i == 0 ? O_RDONLY : O_WRONLY, 0);
      else
        posix_spawn_file_actions_adddup2(&files_, fd, i);
    }
    if (!start.folder.empty()) posix_spawn_file_actions_addchdir_np(&files_, start.folder.c_str());
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnOrder() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnOrder(const SpawnOrder&) = delete;
  SpawnOrder& operator=(const SpawnOrder&) = delete;

  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

}  // namespace

Result<pid_t> spawn_program(ProgramStart start) {
  SpawnOrder order(start);
  std::vector<char*> arguments = pointers_to(start.words);
  std::vector<char*> variables;
  if (start.variables) variables = pointers_to(*start.variables);
  pid_t pid = -1;
  int err = posix_spawn(&pid, start.file.c_str(), order.files(), order.attributes(),
                        arguments.data(), start.variables ? variables.data() : environ);
  if (err != 0) return std::unexpected(Error{"cannot start " + text::quote(start.file), err, {}});
  return pid;
}

}  // namespace ringwall::process
