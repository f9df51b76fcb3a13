#include "prepare/installed_settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/sha256.h"

namespace ringwall::prepare {
namespace {

namespace fs = std::filesystem;
using Kind = sandbox::HostFacts::Kind;

class InstalledSettings : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/installed-settings-XXXXXX";
    root_ = mkdtemp(name);
    write("/etc/claude-code/managed-settings.json", "ours");
    write("/etc/github-copilot/policy.d/ringwall.json", "hooks");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }

  bool is_left_out(const std::string& folder) {
    sandbox::HostFacts host;
    host.places[folder].kind = Kind::folder;
    std::string listed = sha256("ours") + " /etc/claude-code/managed-settings.json\n" +
                         sha256("hooks") + " /etc/github-copilot/policy.d/ringwall.json\nx\n";
    leave_out_installed(host, listed, root_);
    return host.place(folder).kind == Kind::absent;
  }

  std::string root_;
};

TEST_F(InstalledSettings, that_are_ours_alone_are_left_out) {
  EXPECT_TRUE(is_left_out("/etc/claude-code"));
  EXPECT_TRUE(is_left_out("/etc/github-copilot"));
  EXPECT_FALSE(is_left_out("/etc/codex")) << "nothing is listed there";
}

TEST_F(InstalledSettings, what_somebody_else_has_put_there_stays) {
  write("/etc/claude-code/managed-mcp.json", "{}");
  write("/etc/github-copilot/policy.d/more.json", "{}");
  EXPECT_FALSE(is_left_out("/etc/claude-code"));
  EXPECT_FALSE(is_left_out("/etc/github-copilot"));
}

TEST_F(InstalledSettings, that_were_changed_since_stay) {
  write("/etc/claude-code/managed-settings.json", "ours and theirs");
  EXPECT_FALSE(is_left_out("/etc/claude-code"));
}

}  // namespace
}  // namespace ringwall::prepare
