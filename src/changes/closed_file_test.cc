#include "changes/closed_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "changes/changes_testing.h"
#include "changes/entry.h"

namespace ringwall::changes {
namespace {

// As an ordinary user also when root runs the tests, who may read everything.
template <class Check>
bool holds_for_user(const std::string& folder, Check check) {
  constexpr uid_t kSomebody = 12345;
  bool is_root = geteuid() == 0;
  uid_t owner = is_root ? kSomebody : geteuid();
  if (is_root && chown(folder.c_str(), owner, owner) < 0) return false;
  pid_t child = fork();
  if (child == 0) {
    // Who has changed its user may not write its own maps until it says that it is harmless.
    bool is_user =
        !is_root || (setgid(owner) == 0 && setuid(owner) == 0 && prctl(PR_SET_DUMPABLE, 1) == 0);
    _exit(is_user && check() ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0;
}

TEST(ClosedFile, IsReadByItsOwnerAndStaysAsItIs) {
  TemporaryFolder top;
  std::string path = top.path() + "/closed";
  EXPECT_TRUE(holds_for_user(top.path(), [&] {
    write_text(path, "precious");
    chmod(path.c_str(), 0);
    Fd place(open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat before, after;
    bool is_closed = open(path.c_str(), O_RDONLY) < 0 && errno == EACCES;
    fstat(place.get(), &before);
    auto opened = open_to_read(place.get());
    fstat(place.get(), &after);
    return is_closed && opened && *file::read_all(opened->get()) == "precious" &&
           facts_of(before) == facts_of(after);
  }));
}

TEST(ClosedFile, IsKeptWithItsAttributes) {
  TemporaryFolder top;
  std::string path = top.path() + "/closed";
  EXPECT_TRUE(holds_for_user(top.path(), [&] {
    write_text(path, "precious");
    std::string value("a\0b", 3);
    setxattr(path.c_str(), "user.one", value.data(), value.size(), 0);
    setxattr(path.c_str(), "user.two", "", 0, 0);
    chmod(path.c_str(), 0);
    Fd place(open(path.c_str(), O_PATH | O_CLOEXEC));
    auto found = open_to_keep(place.get());
    return found && *file::read_all(found->content.get()) == "precious" &&
           found->attributes == Attributes{{"user.one", value}, {"user.two", ""}};
  }));
}

TEST(ClosedFile, OfSomebodyElseStaysClosed) {
  if (geteuid() != 0) GTEST_SKIP() << "needs a file of another user";
  TemporaryFolder top;
  std::string path = top.path() + "/closed";
  write_text(path, "precious", 0600);
  EXPECT_TRUE(holds_for_user(top.path(), [&] {
    Fd place(open(path.c_str(), O_PATH | O_CLOEXEC));
    return place && !open_to_read(place.get());
  }));
}

TEST(ClosedFile, OnlyOrdinaryFilesAreOpened) {
  TemporaryFolder top;
  Fd place(open(top.path().c_str(), O_PATH | O_CLOEXEC));
  EXPECT_FALSE(open_to_read(place.get()));
}

}  // namespace
}  // namespace ringwall::changes
