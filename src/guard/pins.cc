#include "guard/pins.h"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/file.h"

namespace ringwall::guard {
namespace {

bool is_mounted(const std::string& root) {
  struct statfs filesystem;
  return statfs(root.c_str(), &filesystem) == 0 &&
         static_cast<unsigned long>(filesystem.f_type) == BPF_FS_MAGIC;
}

bool has_scopes(const std::string& folder) {
  Fd namespaces(bpf_obj_get((folder + "/namespaces").c_str()));
  if (!namespaces) return false;
  uint32_t first;
  return bpf_map_get_next_key(namespaces.get(), nullptr, &first) == 0;
}

}  // namespace

Result<std::string> make_pins(const std::string& root) {
  TRY(file::make_dirs(root));
  if (!is_mounted(root) &&
      mount("bpf", root.c_str(), "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=700") < 0)
    return fail_errno("cannot mount a bpf filesystem at " + root);
  std::string folder = root + "/" + std::to_string(getpid());
  remove_pins(folder);
  for (int i = 0; mkdir(folder.c_str(), 0700) < 0; i++) {
    // Of a guard that had our number, with sandboxes that still live.
    if (errno != EEXIST || i > 100) return fail_errno("cannot make " + folder);
    folder += "+";
  }
  return folder;
}

void remove_pins(const std::string& folder) {
  if (has_scopes(folder)) return;
  auto opened = file::open(folder, O_RDONLY | O_DIRECTORY);
  if (!opened) return;
  auto names = file::list(opened->get());
  if (!names) return;
  for (const file::Entry& entry : *names)
    unlinkat(opened->get(), entry.name.c_str(), 0);
  rmdir(folder.c_str());
}

bool remove_abandoned_pins(const std::string& root, const std::string& own) {
  auto opened = file::open(root, O_RDONLY | O_DIRECTORY);
  if (!opened) return false;
  auto names = file::list(opened->get());
  bool left = false;
  if (!names) return false;
  for (const file::Entry& entry : *names) {
    std::string folder = root + "/" + entry.name;
    if (folder == own) continue;
    remove_pins(folder);
    left = left || file::exists(folder);
  }
  return left;
}

}  // namespace ringwall::guard
