#include "policy/policy_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/fd.h"

namespace ringwall::policy {
namespace {

class PolicyFile : public testing::Test {
 protected:
  PolicyFile() {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::ofstream(file) << "[files]\n";
    chmod(file.c_str(), 0644);
    chmod(folder.c_str(), 0755);
  }
  ~PolicyFile() override { std::filesystem::remove_all(folder); }

  // Why the file is refused; empty if it is read.
  std::string refusal(const std::string& path) {
    auto text = read_policy_file(path, getuid());
    return text ? "" : text.error().text() + " → " + text.error().hint;
  }

  std::string workspace_refusal() {
    Fd dir(open(folder.c_str(), O_PATH | O_DIRECTORY));
    auto text = read_workspace_file(dir.get(), folder + "/.ringwall.toml");
    return text ? "" : text.error().text() + " → " + text.error().hint;
  }

  std::string folder = testing::TempDir() + "/policy-" + std::to_string(getpid());
  std::string file = folder + "/policy.toml";
};

TEST_F(PolicyFile, IsReadOrIsNotThere) {
  auto text = read_policy_file(file, getuid());
  ASSERT_TRUE(text && *text);
  EXPECT_EQ(**text, "[files]\n");
  auto missing = read_policy_file(folder + "/none.toml", getuid());
  ASSERT_TRUE(missing);
  EXPECT_FALSE(*missing);
  EXPECT_FALSE(*read_policy_file(folder + "/none/policy.toml", getuid()));
}

TEST_F(PolicyFile, ThatOthersCanWriteIsRefused) {
  for (mode_t mode : {0664, 0646, 0666}) {
    chmod(file.c_str(), mode);
    EXPECT_NE(refusal(file).find("written by others → chmod go-w"), std::string::npos);
  }
  chmod(file.c_str(), 0600);
  EXPECT_EQ(refusal(file), "");
}

TEST_F(PolicyFile, InAFolderThatOthersCanWriteIsRefused) {
  for (mode_t mode : {0775, 0757, 0777}) {
    chmod(folder.c_str(), mode);
    EXPECT_NE(refusal(file).find("folder that others can write → chmod go-w"), std::string::npos);
  }
  chmod(folder.c_str(), 01777);  // as /tmp: nobody can replace it there
  EXPECT_EQ(refusal(file), "");
}

TEST_F(PolicyFile, AFolderOfPoliciesIsNobodyElses) {
  Fd dir(open(folder.c_str(), O_PATH | O_DIRECTORY));
  EXPECT_TRUE(check_policy_folder(dir.get(), folder, getuid()));
  chmod(folder.c_str(), 0777);
  EXPECT_FALSE(check_policy_folder(dir.get(), folder, getuid()));
}

TEST_F(PolicyFile, ThatIsNoFileIsRefused) {
  EXPECT_NE(refusal(folder).find("is not a file"), std::string::npos);
  std::string fifo = folder + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_NE(refusal(fifo).find("is not a file"), std::string::npos);
  std::string link = folder + "/link.toml";
  std::filesystem::create_symlink(file, link);
  EXPECT_NE(refusal(link).find("symbolic link"), std::string::npos);
}

TEST_F(PolicyFile, ThatIsLargeIsRefusedUnread) {
  std::filesystem::resize_file(file, 10 << 20);  // sparse: reading it would show zeros
  EXPECT_NE(refusal(file).find("1 MB is the most"), std::string::npos);
  std::filesystem::resize_file(file, 1 << 20);
  EXPECT_EQ(refusal(file), "");
}

TEST_F(PolicyFile, OfAWorkspaceMayBeAnybodysButMustBeAFileOfIt) {
  std::string own = folder + "/.ringwall.toml";
  EXPECT_EQ(workspace_refusal(), "");
  std::filesystem::create_symlink(file, own);
  EXPECT_NE(workspace_refusal().find("symbolic link"), std::string::npos);
  // To copy what it leads to would bring any file of the host into a hostile repository.
  EXPECT_NE(workspace_refusal().find("remove it"), std::string::npos);
  EXPECT_EQ(workspace_refusal().find("cp "), std::string::npos);
  std::filesystem::remove(own);
  ASSERT_EQ(mkfifo(own.c_str(), 0600), 0);
  EXPECT_NE(workspace_refusal().find("is not a file"), std::string::npos);
  std::filesystem::remove(own);
  std::filesystem::create_directory(own);
  EXPECT_NE(workspace_refusal().find("is not a file"), std::string::npos);
  std::filesystem::remove(own);
  std::ofstream(own) << "x";
  chmod(own.c_str(), 0666);
  EXPECT_EQ(workspace_refusal(), "");
  std::filesystem::resize_file(own, 10 << 20);
  EXPECT_NE(workspace_refusal().find("1 MB"), std::string::npos);
}

}  // namespace
}  // namespace ringwall::policy
