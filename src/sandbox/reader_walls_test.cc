#include "sandbox/reader_walls.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace ringwall::sandbox {
namespace {

// What a process says that does this behind the walls: 0 if it worked.
int behind_walls(const std::function<bool()>& act) {
  pid_t child = fork();
  if (child == 0) {
    if (!enter_reader_walls(1u << 30, 5)) _exit(99);
    _exit(act() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

}  // namespace

TEST(ReaderWalls, FilesCanBeLookedAt) {
  EXPECT_EQ(behind_walls([] { return open("/etc/passwd", O_RDONLY) >= 0; }), 0);
  EXPECT_EQ(behind_walls([] {
              char link[100];
              return readlink("/proc/self/exe", link, sizeof link) > 0;
            }),
            0);
  EXPECT_EQ(behind_walls([] { return access("/etc", R_OK) == 0; }), 0);
}

TEST(ReaderWalls, NothingElseCanBeDone) {
  EXPECT_EQ(behind_walls([] { return open("/dev/null", O_WRONLY) >= 0; }), 1);
  EXPECT_EQ(behind_walls([] { return open("/dev/null", O_RDWR) >= 0; }), 1);
  EXPECT_EQ(behind_walls([] { return open("/tmp", O_TMPFILE | O_WRONLY, 0600) >= 0; }), 1);
  EXPECT_EQ(behind_walls([] { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }), 1);
  EXPECT_EQ(behind_walls([] { return fork() >= 0; }), 1);
  EXPECT_EQ(behind_walls([] { return kill(getppid(), 0) == 0; }), 1);
  EXPECT_EQ(behind_walls([] { return unlink("/tmp/no-such-file") == 0 || errno != EPERM; }), 1);
  EXPECT_EQ(behind_walls([] {
              return mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                          0) != MAP_FAILED;
            }),
            1);
  EXPECT_EQ(behind_walls([] {
              char name[] = "/bin/true";
              char* words[] = {name, nullptr};
              return execv(name, words) == 0;
            }),
            1);
}

}  // namespace ringwall::sandbox
