// For tests: a real tree and a layer over it that the kernel's own overlayfs writes, as in a run.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "base/file.h"
#include "base/tree.h"

namespace ringwall::review {

// Path to a line that says all of what lies there that a change can be of.
using Snapshot = std::map<std::string, std::string>;

inline std::string read_text(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

inline Snapshot snapshot_of(const std::string& top) {
  Snapshot found;
  for (auto& entry : std::filesystem::recursive_directory_iterator(top)) {
    struct stat seen;
    if (lstat(entry.path().c_str(), &seen) < 0) continue;
    std::ostringstream words;
    words << std::oct << seen.st_mode << ' ';
    if (S_ISREG(seen.st_mode)) words << read_text(entry.path());
    if (S_ISLNK(seen.st_mode)) words << std::filesystem::read_symlink(entry.path()).string();
    found[entry.path().string().substr(top.size() + 1)] = words.str();
  }
  return found;
}

class OverlayLab {
 public:
  OverlayLab() {
    char name[] = "/tmp/ringwall-unit-overlay-XXXXXX";
    if (mkdtemp(name) == nullptr) abort();
    top_ = name;
    for (const char* folder : {"real", "upper", "view"})
      mkdir((top_ + "/" + folder).c_str(), 0755);
  }
  ~OverlayLab() {
    Fd tmp(::open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    (void)tree::remove_at(tmp.get(), top_.substr(5));
  }

  std::string real(const std::string& path = "") const { return top_ + "/real/" + path; }
  std::string upper(const std::string& path = "") const { return top_ + "/upper/" + path; }
  std::string top() const { return top_; }
  Fd open(const char* folder) const {
    return *file::open(top_ + "/" + folder, O_RDONLY | O_DIRECTORY);
  }

  // Runs `act` with the view as its current folder, in a process and namespaces of its own. False
  // if that fails or `act` returns false.
  bool work(const std::function<bool()>& act) const {
    pid_t child = fork();
    if (child == 0) {
      bool done = enter() && act();
      _exit(done ? 0 : 1);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
  }

 private:
  bool enter() const {
    std::string uid = std::to_string(geteuid()), gid = std::to_string(getegid());
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0) return false;
    bool is_mapped =
        file::write_existing("/proc/self/setgroups", "deny").has_value() &&
        file::write_existing("/proc/self/uid_map", uid + " " + uid + " 1").has_value() &&
        file::write_existing("/proc/self/gid_map", gid + " " + gid + " 1").has_value();
    // As in a run: the end waits for no disk, and a folder that such a mount has used is not taken
    // for the next.
    std::string work = top_ + "/work-XXXXXX", view = top_ + "/view";
    if (mkdtemp(work.data()) == nullptr) return false;
    std::string options = "lowerdir=" + top_ + "/real,upperdir=" + top_ + "/upper,workdir=" + work +
                          ",userxattr,volatile";
    umask(022);
    return is_mapped && mount("overlay", view.c_str(), "overlay", 0, options.c_str()) == 0 &&
           chdir(view.c_str()) == 0;
  }

  std::string top_;
};

}  // namespace ringwall::review
