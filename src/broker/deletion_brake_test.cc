#include "broker/deletion_brake.h"

#include <gtest/gtest.h>

namespace ringwall::broker {
namespace {

TEST(EmptiedFreely, AreFoldersOfPackagesBuildsAndGit) {
  for (const char* folder :
       {"node_modules", "a/node_modules/b", "target", "build", "a/dist/b", "x/__pycache__",
        ".venv/lib", ".git", "sub/.git/objects", "bare.git", "cmake-build-debug"}) {
    EXPECT_TRUE(is_emptied_freely(folder)) << folder;
  }
  for (const char* folder : {"", "src", "builds", "targets/a", "git", "my-build", "a/b"})
    EXPECT_FALSE(is_emptied_freely(folder)) << folder;
}

}  // namespace
}  // namespace ringwall::broker
