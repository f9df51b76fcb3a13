#include "identity/second_names.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/fd.h"
#include "base/file.h"
#include "base/file_id.h"
#include "base/path.h"

namespace ringwall::identity {
namespace {

// Half a second's work; who has more is taken to have second names among them.
constexpr size_t kMostFiles = 200'000;

// Of a folder that cannot be opened: one that is gone holds nothing, nor does one that nobody of
// this id can enter. One that can be entered and not listed holds what somebody knows the name of.
bool may_hold_programs(const std::string& folder) {
  if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) return false;
  if (errno != EACCES) return true;
  return faccessat(AT_FDCWD, folder.c_str(), X_OK, AT_EACCESS) == 0 || errno != EACCES;
}

class SecondNames {
 public:
  explicit SecondNames(const std::vector<std::string>& writable) : writable_(writable) {}

  // False if there was too much of it, or a part that cannot be looked at and may hold something.
  bool look_through(const std::string& tree) {
    std::vector<std::string> folders = {tree};
    while (!folders.empty()) {
      std::string folder = std::move(folders.back());
      folders.pop_back();
      if (is_writable(folder)) continue;
      Fd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!fd && !may_hold_programs(folder)) continue;
      auto entries = fd ? file::list(fd.get()) : fail("no folder");
      if (!entries) return false;
      for (const file::Entry& entry : *entries) {
        if (++seen_ > kMostFiles) return false;
        if (entry.type == DT_REG || entry.type == DT_UNKNOWN) look_at(fd.get(), entry.name);
        if (entry.type == DT_DIR || entry.type == DT_UNKNOWN)
          folders.push_back(path::join(folder, entry.name));
      }
    }
    return true;
  }

  void look_at(int folder, const std::string& name) {
    struct stat facts;
    if (fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) return;
    bool may_write = facts.st_uid == getuid() || (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0;
    if (!S_ISREG(facts.st_mode) || facts.st_nlink < 2 || !may_write) return;
    auto [at, is_new] = missing_.try_emplace(file::id_of(facts), facts.st_nlink);
    at->second--;
  }

  bool are_there() const {
    return std::ranges::any_of(missing_, [](const auto& file) { return file.second != 0; });
  }

 private:
  bool is_writable(const std::string& folder) const {
    return std::ranges::any_of(
        writable_, [&](const std::string& tree) { return path::is_beneath(folder, tree); });
  }

  const std::vector<std::string>& writable_;
  size_t seen_ = 0;
  std::map<file::Id, nlink_t> missing_;  // names that were not met
};

}  // namespace

bool has_second_names(const std::vector<std::string>& trees,
                      const std::vector<std::string>& writable) {
  SecondNames names(writable);
  for (const std::string& tree : trees) {
    bool is_inside_another = std::ranges::any_of(trees, [&](const std::string& other) {
      return other != tree && path::is_beneath(tree, other);
    });
    if (is_inside_another) continue;  // else its names would count twice
    struct stat facts;
    bool is_folder = lstat(tree.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
    if (!is_folder) names.look_at(AT_FDCWD, tree);
    if (is_folder && !names.look_through(tree)) return true;
  }
  return names.are_there();
}

}  // namespace ringwall::identity
