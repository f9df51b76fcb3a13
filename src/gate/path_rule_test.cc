#include "gate/path_rule.h"

#include <gtest/gtest.h>

namespace ringwall::gate {
namespace {

constexpr Anchors kAnchors{"/home/u", "/home/u/app", "/home/u/app/sub"};

NamedFile file(std::string path, std::string target = "") {
  NamedFile out;
  out.path.text = path;
  out.target = target.empty() ? path : target;
  return out;
}

bool denies(std::string_view rule, const std::string& path) {
  return PathRule::parse(rule, false).may_fit(file(path), kAnchors);
}
bool allows(std::string_view rule, const std::string& path) {
  return PathRule::parse(rule, true).surely_fits(file(path), kAnchors);
}

TEST(PathRule, AnchorsAreClaudes) {
  EXPECT_TRUE(denies("//etc/hosts", "/etc/hosts"));
  EXPECT_FALSE(denies("//etc/hosts", "/home/u/app/etc/hosts"));
  EXPECT_TRUE(denies("~/.ssh/**", "/home/u/.ssh/id_rsa"));
  EXPECT_FALSE(denies("~/.ssh/**", "/home/v/.ssh/id_rsa"));
  EXPECT_TRUE(denies("./.env", "/home/u/app/.env"));
  EXPECT_TRUE(denies("./.env", "/home/u/app/sub/.env"));  // where the agent stands
  EXPECT_FALSE(denies("./.env", "/home/u/app/other/.env"));
  EXPECT_TRUE(denies(".env", "/home/u/app/other/.env"));
  EXPECT_FALSE(denies(".env", "/home/u/.env"));
}

TEST(PathRule, PatternsAreGits) {
  EXPECT_TRUE(denies("secrets/", "/home/u/app/secrets/a/b"));
  EXPECT_TRUE(denies("*.pem", "/home/u/app/a/b.pem"));
  EXPECT_FALSE(denies("*.pem", "/home/u/app/a/b.pem.txt"));
  EXPECT_TRUE(denies("a/**/z", "/home/u/app/a/b/c/z"));
  EXPECT_TRUE(denies("a/**/z", "/home/u/app/a/z"));
  EXPECT_FALSE(denies("a/*/z", "/home/u/app/a/b/c/z"));
  EXPECT_TRUE(denies("file[0-9].txt", "/home/u/app/file7.txt"));
  EXPECT_TRUE(denies("fil?.txt", "/home/u/app/file.txt"));
  EXPECT_TRUE(denies("//dev/sd*", "/dev/sda"));
}

TEST(PathRule, AFolderToADenialIsOneOfAnyDepth) {
  EXPECT_TRUE(denies("src/**", "/home/u/app/lib/src/x"));
  EXPECT_FALSE(allows("src/**", "/home/u/app/lib/src/x"));
  EXPECT_TRUE(allows("src/**", "/home/u/app/src/x"));
  EXPECT_TRUE(denies("~/.ssh/**", "/home/u/.ssh"));
  EXPECT_FALSE(allows("src/**", "/home/u/app/src"));
}

TEST(PathRule, DenialsIgnoreCaseAllowsDoNot) {
  EXPECT_TRUE(denies("~/.ssh/**", "/home/u/.SSH/id_rsa"));
  EXPECT_FALSE(allows("src/**", "/home/u/app/SRC/x"));
}

TEST(PathRule, LinkOrTargetToDenyBothToAllow) {
  PathRule deny = PathRule::parse("~/.ssh/**", false);
  EXPECT_TRUE(deny.may_fit(file("/home/u/app/key", "/home/u/.ssh/id_rsa"), kAnchors));
  EXPECT_TRUE(deny.may_fit(file("/home/u/.ssh/link", "/home/u/app/x"), kAnchors));
  PathRule allow = PathRule::parse("src/**", true);
  EXPECT_FALSE(allow.surely_fits(file("/home/u/app/src/link", "/etc/passwd"), kAnchors));
  EXPECT_TRUE(allow.surely_fits(file("/home/u/app/src/link", "/home/u/app/src/x"), kAnchors));
}

TEST(PathRule, GapsMayBeWhatIsDenied) {
  NamedFile some;
  some.path.text = "/home/u/.ssh/id_";
  some.path.gaps = {{16, shell::Word::Gap::Kind::name}};
  EXPECT_TRUE(PathRule::parse("~/.ssh/id_rsa", false).may_fit(some, kAnchors));
  EXPECT_FALSE(PathRule::parse("~/.ssh/config", false).may_fit(some, kAnchors));
  EXPECT_FALSE(PathRule::parse("~/.ssh/**", true).surely_fits(some, kAnchors));
}

TEST(PathRule, AShellsStarSkipsDots) {
  NamedFile all;
  all.path.text = "/home/u/app/";
  all.path.gaps = {{12, shell::Word::Gap::Kind::name}};
  EXPECT_FALSE(
      PathRule::parse(".env", false).may_fit(all, {"/home/u", "/home/u/app", "/home/u/app"}));
  EXPECT_TRUE(
      PathRule::parse("key.pem", false).may_fit(all, {"/home/u", "/home/u/app", "/home/u/app"}));
}

}  // namespace
}  // namespace ringwall::gate
