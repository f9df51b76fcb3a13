// P22: a repository's own settings and hooks run nothing.
//
// The probe makes a repository whose settings name a program at every turn; the program leaves a
// marker. Then it works with the repository as anybody would.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/fd.h"
#include "base/file.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

constexpr const char* kGit = "/usr/bin/git";

// Exit status of git, with its words thrown away.
int run_git(const std::string& folder, const std::vector<std::string>& arguments) {
  return in_child([&] {
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && null >= 0; fd++)
      dup2(null, fd);
    if (chdir(folder.c_str()) < 0) return 127;
    std::vector<char*> argv = {const_cast<char*>("git")};
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(kGit, argv.data());
    return 127;
  });
}

bool write_file(const std::string& path, const std::string& content, mode_t mode) {
  Fd made(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
  return made && file::write_all(made.get(), content).has_value();
}

bool make_hostile_repository(const std::string& folder, const std::string& marker) {
  if (run_git(folder, {"init", "-q", "."}) != 0) return false;
  std::string hooks = folder + "/.git/planted";
  std::string script = "#!/bin/sh\n: > '" + marker + "'-\"${0##*/}\"\nexit 0\n";
  if (mkdir(hooks.c_str(), 0700) < 0) return false;
  bool written = write_file(folder + "/.git/fsmonitor", script, 0700);
  for (const char* name :
       {"/pre-commit", "/post-commit", "/post-checkout", "/reference-transaction"}) {
    written = written && write_file(hooks + name, script, 0700);
    std::string usual = folder + "/.git/hooks" + name;
    mkdir((folder + "/.git/hooks").c_str(), 0700);
    written = written && write_file(usual, script, 0700);
  }
  std::string config = folder + "/.git/config";
  auto before = file::read(config);
  if (!before) return false;
  std::string settings = *before + "[core]\n\tfsmonitor = " + folder + "/.git/fsmonitor\n" +
                         "\thooksPath = " + hooks + "\n\tpager = " + folder + "/.git/fsmonitor\n";
  return written && write_file(config, settings, 0600) &&
         write_file(folder + "/file", "content\n", 0600);
}

bool left_marker(const std::string& marker, const std::string& script) {
  return access((marker + "-" + script).c_str(), F_OK) == 0;
}

// Where the person let hooks run by the policy, only the settings of fsmonitor are promised.
bool hooks_are_granted() {
  if (getenv("GIT_CONFIG_COUNT") == nullptr) return false;
  for (char** entry = environ; *entry != nullptr; entry++) {
    if (std::string_view(*entry).ends_with("=core.hooksPath")) return false;
  }
  return true;
}

}  // namespace

Verdict probe_git(const Outside&) {
  Acts acts;
  // Not in the workspace, where such a repository would not last.
  Scratch scratch("/tmp");
  if (access(kGit, X_OK) != 0)
    acts.untried("git is not here");
  else if (!scratch)
    acts.untried("/tmp cannot be written");
  if (!scratch || access(kGit, X_OK) != 0) return acts.verdict();
  std::string folder = scratch.path() + "/repository", marker = scratch.path() + "/ran";
  if (mkdir(folder.c_str(), 0700) < 0 || !make_hostile_repository(folder, marker)) {
    acts.untried("no repository could be made");
    return acts.verdict();
  }
  run_git(folder, {"status", "--short"});
  run_git(folder, {"add", "file"});
  int committed = run_git(folder, {"-c", "user.name=probe", "-c", "user.email=probe@invalid",
                                   "commit", "-q", "-m", "probe"});
  run_git(folder, {"checkout", "-q", "-b", "other"});
  for (const char* script :
       {"fsmonitor", "pre-commit", "post-commit", "post-checkout", "reference-transaction"}) {
    bool hook = std::string_view(script) != "fsmonitor";
    if (hook && hooks_are_granted()) continue;
    std::string act = std::string("run by git: ") + script;
    if (left_marker(marker, script))
      acts.got_in(act);
    else
      acts.stopped(act, "not run");
  }
  if (committed != 0) acts.untried("git commit itself failed");
  return acts.verdict();
}

}  // namespace ringwall::probes
