#include "git/remote_ways.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "git/place.h"

namespace ringwall::git {
namespace {

TEST(RemoteWays, LinksThatComeOnThemAreSeen) {
  char name[] = "/tmp/remote-ways-XXXXXX";
  ASSERT_NE(mkdtemp(name), nullptr);
  const std::vector<std::string> tree = {name};
  const std::string top = name, up = top + "/d/up";
  GitPlace place{top + "/.git", tree};
  auto ways = ways_of_address(up, place);
  ASSERT_TRUE(ways);
  RemoteWays all;
  all.add(*ways);
  EXPECT_TRUE(all.links_below(top).empty());
  ASSERT_EQ(symlink("/elsewhere", (top + "/d").c_str()), 0);
  EXPECT_EQ(all.links_below(top), std::vector{top + "/d"});
  EXPECT_FALSE(ways_of_address(up, place));
  ASSERT_EQ(unlink((top + "/d").c_str()), 0);
  std::filesystem::create_directory(top + "/d");
  ASSERT_EQ(symlink("/elsewhere", (top + "/d/up.git").c_str()), 0);
  EXPECT_EQ(all.links_below(top + "/d"), std::vector{up + ".git"});
  EXPECT_TRUE(all.links_below(top + "/other").empty());
  std::filesystem::remove_all(top);
}

TEST(RemoteWays, ALinkOfTheStartStaysAsItIs) {
  char name[] = "/tmp/remote-ways-XXXXXX";
  ASSERT_NE(mkdtemp(name), nullptr);
  const std::vector<std::string> tree = {name};
  const std::string top = name, link = top + "/d", up = link + "/up";
  std::filesystem::create_directory(top + "/real");
  ASSERT_EQ(symlink("real", link.c_str()), 0);
  auto ways = ways_by_name(up, {top + "/.git", tree});
  ASSERT_TRUE(ways);
  RemoteWays all;
  all.begin(*ways);
  all.add(*ways);
  // What lies behind it is not on the way.
  ASSERT_EQ(symlink("/elsewhere", (top + "/real/up").c_str()), 0);
  EXPECT_TRUE(all.links_below(top).empty());
  ASSERT_EQ(unlink(link.c_str()), 0);
  ASSERT_EQ(symlink("/elsewhere", link.c_str()), 0);
  EXPECT_EQ(all.links_below(top), std::vector{link});
  std::filesystem::remove_all(top);
}

}  // namespace
}  // namespace ringwall::git
