#include "state/registry.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"

namespace ringwall::state {
namespace {

std::string empty_folder() {
  std::string pattern = testing::TempDir() + "/registryXXXXXX";
  return mkdtemp(pattern.data());
}

}  // namespace

TEST(Registry, NumbersRunsOfOneWorkspace) {
  std::string runs = empty_folder();
  auto first = register_run(runs, "", "/w/my project");
  auto second = register_run(runs, "", "/w/my project");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->name(), "my_project-1");
  EXPECT_EQ(second->name(), "my_project-2");
  EXPECT_EQ(list_runs(runs)->size(), 2u);
}

TEST(Registry, EntryGoesWithTheRun) {
  std::string runs = empty_folder();
  { auto run = register_run(runs, "a", "/w"); }
  EXPECT_TRUE(list_runs(runs)->empty());
  EXPECT_FALSE(file::exists(runs + "/a"));
}

TEST(Registry, ANameIsTakenOnce) {
  std::string runs = empty_folder();
  auto first = register_run(runs, "a", "/w");
  auto second = register_run(runs, "a", "/w");
  ASSERT_TRUE(first);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().what.find("going on"), std::string::npos);
}

TEST(Registry, LeftoversOfKilledRunsAreRemoved) {
  std::string runs = empty_folder();
  mkdir((runs + "/dead").c_str(), 0700);
  EXPECT_TRUE(list_runs(runs)->empty());
  EXPECT_FALSE(file::exists(runs + "/dead"));
  EXPECT_TRUE(register_run(runs, "dead", "/w"));
}

TEST(Registry, NumbersOfEndedRunsAreTakenAgain) {
  std::string runs = empty_folder();
  auto first = register_run(runs, "", "/w/p");
  auto second = register_run(runs, "", "/w/p");
  auto third = register_run(runs, "", "/w/p");
  ASSERT_TRUE(first && second && third);
  { auto ended = std::move(*second); }
  EXPECT_EQ(register_run(runs, "", "/w/p")->name(), "p-2");
}

TEST(Registry, NoPathIsARun) {
  std::string runs = empty_folder();
  mkdir((runs + "/inner").c_str(), 0700);
  auto run = register_run(runs + "/inner", "a", "/w");
  ASSERT_TRUE(run);
  EXPECT_TRUE(is_run_going_on(runs + "/inner", "a"));
  // Each is a folder that nobody has locked, and would be removed as a leftover.
  for (const char* name : {"", ".", "..", "../inner", "../inner/a", "inner/a"}) {
    EXPECT_FALSE(is_run_going_on(runs + "/inner", name)) << name;
    EXPECT_FALSE(open_run(runs + "/inner", name)) << name;
    EXPECT_TRUE(file::exists(runs + "/inner/a")) << name;
  }
}

TEST(Registry, UnknownRunsGetASuggestion) {
  std::string runs = empty_folder();
  auto run = register_run(runs, "project-1", "/w");
  auto missing = open_run(runs, "projet-1");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().hint, "did you mean project-1?");
}

}  // namespace ringwall::state
