#include "learn/sensitive_places.h"

#include <gtest/gtest.h>

namespace ringwall::learn {
namespace {

// Nothing of this is there: names alone decide.
class SensitivePlacesTest : public testing::Test {
 protected:
  std::string why(const std::string& path, bool writes = false) {
    return SensitivePlaces::collect(caller_, places_)->why(path, writes);
  }

  state::Caller caller_{.home = "/home/no-such-ann", .home_as_named = "/home/no-such-ann"};
  state::Places places_{.state = "/home/no-such-ann/.local/state/ringwall",
                        .runs = "/home/no-such-ann/.runs",
                        .config = "/home/no-such-ann/.config/ringwall",
                        .usual_config = "/home/no-such-ann/.config/ringwall"};
  std::string home_ = caller_.home + "/";
};

TEST_F(SensitivePlacesTest, OrdinaryFilesAreNot) {
  for (const char* path :
       {".tool/data/x", ".cargo/bin/cargo", "notes.txt", ".config/tool/settings"})
    EXPECT_EQ(why(home_ + path), "") << path;
  EXPECT_EQ(why("/srv/data/x"), "");
  EXPECT_EQ(why(home_ + "out/file", true), "");
}

TEST_F(SensitivePlacesTest, CredentialsAreByTheirPlaceOrTheirName) {
  for (const char* path :
       {".ssh/id_ed25519", ".ssh", ".aws/config", ".claude/.credentials.json", ".codex/auth.json",
        ".config/goose/x", "project/.env", "a/b/store.p12", ".bash_history", ".gitconfig",
        ".local/state/ringwall/homes/x", ".config/ringwall/policy.toml"})
    EXPECT_NE(why(home_ + path), "") << path;
}

TEST_F(SensitivePlacesTest, WhatHoldsThemIsToo) {
  for (const char* path : {".config", ".local", ".local/share", ".cargo", ".claude"})
    EXPECT_NE(why(home_ + path), "") << path;
  for (const char* path : {"/home/no-such-ann", "/home", "/", "/var", "/etc"})
    EXPECT_NE(why(path), "") << path;
}

TEST_F(SensitivePlacesTest, OutsideTheHome) {
  for (const char* path : {"/run/docker.sock", "/var/run/x", "/home/no-such-bob/x", "/root/x",
                           "/etc/ssh/ssh_host_rsa_key", "/proc/1/environ", "/dev/sda"})
    EXPECT_NE(why(path), "") << path;
}

TEST_F(SensitivePlacesTest, ForWritingMoreIs) {
  for (const std::string& path : {home_ + "p/.git/hooks/pre-commit", home_ + "p/.vscode/tasks.json",
                                  std::string("/usr/lib/x"), std::string("/etc/x")}) {
    EXPECT_NE(why(path, true), "") << path;
    EXPECT_EQ(why(path, false), "") << path;
  }
}

}  // namespace
}  // namespace ringwall::learn
