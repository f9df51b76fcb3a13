#include "files/link_judge.h"

#include <gtest/gtest.h>

namespace ringwall::files {
namespace {

using Kind = LinkVerdict::Kind;

const LinkRules kRules{
    {"/home/ann"}, {"/home/ann/.local/state/ringwall"}, {"/home/ann/.pyenv/versions/3.11"}};
const std::vector<std::string> kTrees = {"/home/ann/w", "/srv/shared"};

Kind end_of(const std::string& end, const std::string& link = "a/link") {
  return judge_link_end(kTrees, kRules, link, end).kind;
}

TEST(LinkJudge, LinksWithinTheTreesAreFine) {
  for (const char* end :
       {"/home/ann/w", "/home/ann/w/src/a.cc", "/srv/shared/lib", "/usr/bin/python3",
        "/nix/store/x", "/opt/tool", "/etc/ssl/certs", "/dev/null"})
    EXPECT_EQ(end_of(end), Kind::fine) << end;
  EXPECT_EQ(end_of("/home/ann/w/.git/annex/objects/a/b"), Kind::fine);
}

TEST(LinkJudge, WhatAProgramOutsideWouldWriteToHasToGo) {
  for (const char* end :
       {"/home/ann/.bashrc", "/home/ann/.ssh/id_x", "/home/ann/.config/git/config",
        "/home/ann/bin/tool", "/home/ann/.cargo/bin/cargo", "/home/ann", "/home", "/",
        "/proc/self/root/home/ann/.bashrc", "/home/ann/.local/state/ringwall/homes/w/state/x",
        "/home/ann/.local/share/systemd/user", "/home/ann/w/.git", "/home/ann/w/.git/config",
        "/home/ann/w/.git/lfs/f"})
    EXPECT_EQ(end_of(end), Kind::culprit) << end;
}

TEST(LinkJudge, OtherWaysOutAreTold) {
  for (const char* end : {"/home/ann/other/Makefile", "/tmp/x", "/home/ann/.cache/bazel/x",
                          "/home/ann/.local/share/uv/python", "/mnt/data", "/dev/shm/x"})
    EXPECT_EQ(end_of(end), Kind::leads_out) << end;
  EXPECT_EQ(end_of("/home/ann/.pyenv/versions/3.11/bin/python3.11"), Kind::fine);
}

TEST(LinkJudge, PackagesAreJudgedByTheNameOfALinkToThem) {
  EXPECT_EQ(end_of("/home/ann/w/node_modules/f"), Kind::renames);
  EXPECT_EQ(end_of("/home/ann/w/node_modules/f", "sub/node_modules"), Kind::fine);
  EXPECT_EQ(end_of("/home/ann/w/node_modules/.pnpm/f", "node_modules/f"), Kind::fine);
  EXPECT_EQ(end_of("/home/ann/w/packages/f", "node_modules/f"), Kind::fine);
}

TEST(LinkJudge, GitItselfMakesRefsThatStandForOthers) {
  EXPECT_EQ(judge_link_in_git(".git/HEAD", "refs/heads/main"), "");
  EXPECT_EQ(judge_link_in_git(".git/refs/remotes/origin/HEAD", "refs/remotes/origin/main"), "");
  EXPECT_EQ(judge_link_in_git(".git/tXa3b9Z", "testing"), "");
  EXPECT_NE(judge_link_in_git(".git/index", "testing"), "");
  EXPECT_NE(judge_link_in_git(".git/HEAD", "refs/../config"), "");
  EXPECT_NE(judge_link_in_git(".git/HEAD", "/home/ann/.bashrc"), "");
  EXPECT_NE(judge_link_in_git(".git/COMMIT_EDITMSG", "config"), "");
  EXPECT_NE(judge_link_in_git(".git/logs/HEAD", "../config"), "");
}

}  // namespace
}  // namespace ringwall::files
