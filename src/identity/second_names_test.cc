#include "identity/second_names.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

namespace ringwall::identity {
namespace {

namespace fs = std::filesystem;

// In a folder of an ordinary user: nothing is closed to root.
class SecondNamesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "second-names-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    top_ = name;
    fs::permissions(top_, fs::perms::all);
  }
  void TearDown() override {
    as_user([&] {
      for (const char* folder : {"tree/closed", "tree/passage"}) {
        std::error_code none;
        fs::permissions(top_ / folder, fs::perms::owner_all, none);
      }
      return true;
    });
    fs::remove_all(top_);
  }

  bool as_user(const std::function<bool()>& act) {
    pid_t child = fork();
    if (child == 0) {
      if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(2);
      _exit(act() ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) == 0;
  }

  void make_program(const fs::path& path) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "program";
  }
  bool look() { return has_second_names({top_ / "tree"}, {top_ / "work"}); }

  fs::path top_;
};

TEST_F(SecondNamesTest, OneNameEach) {
  EXPECT_FALSE(as_user([&] {
    make_program(top_ / "tree/program");
    return look();
  }));
}

TEST_F(SecondNamesTest, ALinkIntoTheWorkspace) {
  EXPECT_TRUE(as_user([&] {
    make_program(top_ / "tree/deep/program");
    fs::create_directories(top_ / "work");
    fs::create_hard_link(top_ / "tree/deep/program", top_ / "work/program");
    return look();
  }));
}

TEST_F(SecondNamesTest, AFolderThatCanOnlyBeEntered) {
  EXPECT_TRUE(as_user([&] {
    make_program(top_ / "tree/passage/program");
    fs::permissions(top_ / "tree/passage", fs::perms::owner_exec);
    return look();
  }));
}

TEST_F(SecondNamesTest, AFolderThatIsClosed) {
  EXPECT_FALSE(as_user([&] {
    make_program(top_ / "tree/closed/program");
    fs::permissions(top_ / "tree/closed", fs::perms::none);
    return look();
  }));
}

}  // namespace
}  // namespace ringwall::identity
