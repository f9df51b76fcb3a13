#include "undo/originals.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "undo/put_back.h"
#include "undo/undo_testing.h"

namespace ringwall::undo {
namespace {

class Originals : public UndoPlace {
 protected:
  Status keep(int undo, const std::vector<std::string>& paths) {
    Fd tree = open_tree();
    OriginalsIn in{tree_, tree.get()};
    for (const std::string& path : paths)
      in.entries.push_back({path, *changes::look_at(tree.get(), path)});
    KeptRun as{"apply@1", "apply", KeptRun::Kind::apply, tree_, {}, 1};
    TRY_ASSIGN(Fd folder, make_kept_run(undo, as));
    return keep_originals(undo, folder.get(), {in});
  }
};

// In a mount namespace of its own, with a filesystem of a few kilobytes for the store.
bool is_small_place(const std::string& path) {
  std::string uid = std::to_string(geteuid()), gid = std::to_string(getegid());
  return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
         file::write_existing("/proc/self/setgroups", "deny") &&
         file::write_existing("/proc/self/uid_map", "0 " + uid + " 1") &&
         file::write_existing("/proc/self/gid_map", "0 " + gid + " 1") &&
         mount("none", path.c_str(), "tmpfs", 0, "size=256k") == 0;
}

TEST_F(Originals, AreInTheStoreBeforeAnythingIsTouched) {
  write("file", "precious");
  ASSERT_EQ(symlink("there", (tree_ + "/link").c_str()), 0);
  ASSERT_TRUE(keep(undo_.get(), {"file", "link"}));
  Fd folder = *open_kept_run(undo_.get(), "apply@1");
  Manifest manifest = *read_manifest(folder.get());
  const SavedEntry* file = find_entry(manifest.trees[0], "file");
  ASSERT_NE(file, nullptr);
  EXPECT_TRUE(Store::open(undo_.get())->open_content(file->digest, file->size));
  EXPECT_EQ(find_entry(manifest.trees[0], "link")->link, "there");
}

TEST_F(Originals, WithoutRoomForThemItIsAnError) {
  write("small", "x");
  write("large", std::string(1 << 20, 'x') + "y");
  pid_t child = fork();
  if (child == 0) {
    bool is_ready = is_small_place(top_ + "/undo");
    auto undo = file::open(top_ + "/undo", O_RDONLY | O_DIRECTORY);
    Status kept = is_ready && undo ? keep(undo->get(), {"large", "small"}) : Status{};
    _exit(!is_ready ? 2 : !kept && kept.error().err == ENOSPC ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
}

}  // namespace
}  // namespace ringwall::undo
