#include "sandbox/toolchain.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace ringwall::sandbox {
namespace {

namespace fs = std::filesystem;

// A made-up home with programs in it.
class ToolchainTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/homeXXXXXX";
    home_ = fs::canonical(mkdtemp(pattern.data()));
  }
  void TearDown() override { fs::remove_all(home_); }

  std::string program(const std::string& name, const std::string& text =
                                                   "\x7f"
                                                   "ELF") {
    fs::path path = fs::path(home_) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    chmod(path.c_str(), 0755);
    return path;
  }
  void link(const std::string& name, const std::string& target) {
    fs::path path = fs::path(home_) / name;
    fs::create_directories(path.parent_path());
    fs::create_symlink(target, path);
  }
  Toolchain find(const std::string& name, const std::vector<std::string>& folders,
                 const std::vector<std::string>& writable = {}) {
    std::string path;
    for (const std::string& folder : folders)
      path += home_ + "/" + folder + ":";
    return collect_toolchain({.program = name,
                              .search_path = path + "/usr/bin",
                              .home = home_,
                              .working_folder = home_,
                              .writable = writable});
  }
  std::vector<std::string> granted(const Toolchain& found) {
    std::vector<std::string> paths;
    for (const Grant& grant : found.grants)
      paths.push_back(grant.path.substr(home_.size() + 1));
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  std::string home_;
};

using Paths = std::vector<std::string>;

TEST_F(ToolchainTest, AVersionManagerIsGrantedForTheVersionInUse) {
  program(".nvm/versions/node/v20/bin/node");
  program(".nvm/versions/node/v18/bin/node");
  Toolchain found = find("node", {".nvm/versions/node/v20/bin"});
  EXPECT_EQ(granted(found), Paths{".nvm/versions/node/v20"});
  EXPECT_TRUE(found.search_path.starts_with(home_ + "/.nvm/versions/node/v20/bin:/usr/bin"));
}

TEST_F(ToolchainTest, CargoComesWithoutItsCredentials) {
  program(".cargo/bin/cargo");
  program(".cargo/credentials.toml", "token");
  program(".rustup/settings.toml", "");
  fs::create_directories(home_ + "/.rustup/toolchains/stable");
  EXPECT_EQ(granted(find("cargo", {".cargo/bin"})),
            (Paths{".cargo/bin", ".rustup/settings.toml", ".rustup/toolchains"}));
}

TEST_F(ToolchainTest, LinksOfLocalBinAreFollowed) {
  program(".local/share/claude/versions/2.1");
  link(".local/bin/claude", home_ + "/.local/share/claude/versions/2.1");
  Toolchain found = find("claude", {".local/bin"});
  EXPECT_EQ(granted(found), Paths{".local/share/claude/versions/2.1"});
  ASSERT_EQ(found.links.size(), 1u);
  EXPECT_EQ(found.links[0].path, home_ + "/.local/bin/claude");
  EXPECT_TRUE(found.search_path.starts_with(home_ + "/.local/bin:"));
}

TEST_F(ToolchainTest, FirstLinesLeadToInterpreters) {
  program(".nvm/versions/node/v20/bin/node");
  program("tools/lib/node_modules/@a/cli/bin/cli.js", "#!/usr/bin/env -S node --flag\n");
  link("tools/bin/cli", "../lib/node_modules/@a/cli/bin/cli.js");
  EXPECT_EQ(granted(find("cli", {"tools/bin", ".nvm/versions/node/v20/bin"})),
            (Paths{".nvm/versions/node/v20", "tools/lib/node_modules/@a/cli"}));
}

TEST_F(ToolchainTest, AnUnknownProgramIsGrantedExactly) {
  program("bin/tool");
  program("bin/other");
  EXPECT_EQ(granted(find("tool", {"bin"})), Paths{"bin/tool"});
}

TEST_F(ToolchainTest, VirtualEnvironmentsAreGrantedAsAWhole) {
  program("venvs/x/bin/tool", "#!" + home_ + "/venvs/x/bin/python\n");
  program("venvs/x/bin/python");
  program("venvs/x/pyvenv.cfg", "");
  EXPECT_EQ(granted(find("tool", {"venvs/x/bin"})), Paths{"venvs/x"});
}

TEST_F(ToolchainTest, NothingInAWritableTreeIsFollowed) {
  program(".ssh/id", "secret");
  link("work/bin/evil", home_ + "/.ssh/id");
  program("work/bin/script", "#!" + home_ + "/.ssh/id\n");
  for (const char* name : {"evil", "script"}) {
    EXPECT_TRUE(find(name, {"work/bin"}, {home_ + "/work"}).grants.empty()) << name;
  }
}

TEST_F(ToolchainTest, MissingAndUnusableProgramsAreTold) {
  EXPECT_EQ(find("nothing-of-this-name", {}).program, "");
  std::string path = program("bin/plain", "text");
  chmod(path.c_str(), 0644);
  Toolchain found = find("plain", {"bin"});
  EXPECT_EQ(found.program, path);
  EXPECT_FALSE(found.executable);
}

TEST_F(ToolchainTest, LoopsOfLinksEnd) {
  link("bin/a", "b");
  link("bin/b", "a");
  Way way = follow_links(home_ + "/bin/a");
  EXPECT_LE(way.links.size(), 40u);
}

}  // namespace
}  // namespace ringwall::sandbox
