#include "cli/empty_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/tree.h"

namespace ringwall::cli {
namespace {

constexpr const char* kFolder = ".cache/ringwall/no-project";
constexpr int kMost = 64;  // starts at once

// The first has no number: mostly there is one start, whose private home is kept by this name.
std::string folder_name(const std::string& home, int number) {
  std::string name = path::join(home, kFolder);
  return number == 1 ? name : name + "-" + std::to_string(number);
}

Status remove_what_is_in(int folder) {
  TRY_ASSIGN(auto entries, file::list(folder));
  for (const file::Entry& entry : entries)
    TRY(tree::remove_at(folder, entry.name));
  return {};
}

}  // namespace

Result<EmptyFolder> take_empty_folder(const std::string& home) {
  for (int number = 1; number <= kMost; number++) {
    std::string name = folder_name(home, number);
    TRY_ASSIGN(Fd folder, file::make_dirs(name));
    if (flock(folder.get(), LOCK_EX | LOCK_NB) < 0) {
      if (errno == EWOULDBLOCK) continue;
      return fail_errno("cannot lock " + text::quote(name));
    }
    TRY(remove_what_is_in(folder.get()));
    return EmptyFolder{name, std::move(folder)};
  }
  return fail("too many agents were started in your home at once", "start them in a project");
}

void remove_empty_folders(const std::string& home) {
  for (int number = 1; number <= kMost; number++) {
    std::string name = folder_name(home, number);
    auto folder = file::open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!folder) continue;
    if (flock(folder->get(), LOCK_EX | LOCK_NB) < 0) continue;
    if (remove_what_is_in(folder->get())) rmdir(name.c_str());
  }
  rmdir(path::parent(path::join(home, kFolder)).c_str());
}

}  // namespace ringwall::cli
