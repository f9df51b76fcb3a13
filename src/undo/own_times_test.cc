#include "undo/own_times.h"

#include "undo/put_back_testing.h"

namespace ringwall::undo {
namespace {

class OwnTimesOfRuns : public PutBack {};

TEST_F(OwnTimesOfRuns, WhatWasPutInPlaceAndBackIsAsTheRunLeftIt) {
  for (const char* name : {"a", "b", "c"})
    write(name, "old");
  write("moved", "old");
  run("run", [&] {
    for (const char* name : {"a", "b", "c"})
      write(name, "by the run");
    ASSERT_EQ(rename((tree_ + "/moved").c_str(), (tree_ + "/added").c_str()), 0);
  });
  int puts = 0;
  auto failed = undo({.added = true}, "undo@2", [&](std::string_view act) {
    return act == "put" && ++puts == 4 ? ENOSPC : 0;
  });
  ASSERT_FALSE(failed);
  EXPECT_EQ(puts, 4);
  EXPECT_EQ(read("a"), "by the run");
  pass_time();
  auto done = undo({.added = true}, "undo@3");
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_TRUE(plan_.left.empty());
  for (const char* name : {"a", "b", "c", "moved"})
    EXPECT_EQ(read(name), "old") << name;
  EXPECT_FALSE(exists("added"));
}

TEST_F(OwnTimesOfRuns, WhatThePersonChangesAfterThatIsHis) {
  write("a", "old");
  write("b", "old");
  run("run", [&] {
    write("a", "by the run");
    write("b", "by the run");
  });
  int puts = 0;
  ASSERT_FALSE(undo({}, "undo@2", [&](std::string_view act) {
    return act == "put" && ++puts == 2 ? ENOSPC : 0;
  }));
  pass_time();
  write("a", "by a person");
  ASSERT_TRUE(undo({}, "undo@3"));
  ASSERT_EQ(plan_.left.size(), 1u);
  EXPECT_TRUE(plan_.left[0].is_conflict);
  EXPECT_EQ(read("a"), "by a person");
  EXPECT_EQ(read("b"), "old");
}

TEST_F(OwnTimesOfRuns, AFileThatLosesAnotherNameIsAsTheRunLeftIt) {
  write("a", "old");
  ASSERT_EQ(link((tree_ + "/a").c_str(), (tree_ + "/b").c_str()), 0);
  run("run", [&] { write("a", "by the run"); });
  ASSERT_TRUE(undo({.paths = {tree_ + "/a"}}, "undo@2"));
  EXPECT_EQ(read("b"), "by the run");
  pass_time();
  ASSERT_TRUE(undo({}, "undo@3"));
  EXPECT_TRUE(plan_.left.empty());
  EXPECT_EQ(read("b"), "old");
}

TEST_F(OwnTimesOfRuns, WhatComesBackWithAnUndoneUndoIsAsTheRunLeftIt) {
  write("changed", "old");
  run("run", [&] {
    write("changed", "by the run");
    write("added", "by the run");
  });
  for (int round = 0; round < 3; round++) {
    std::string id = "undo@" + std::to_string(10 + round),
                back = "undo@" + std::to_string(20 + round);
    load("run@1");
    ASSERT_TRUE(undo({.added = true}, id));
    EXPECT_TRUE(plan_.left.empty()) << round;
    EXPECT_EQ(read("changed"), "old");
    EXPECT_FALSE(exists("added"));
    load(id);
    pass_time();
    ASSERT_TRUE(undo({.added = true}, back));
    EXPECT_EQ(read("changed"), "by the run");
    pass_time();
  }
  write("changed", "by a person");
  load("run@1");
  ASSERT_TRUE(undo({.added = true}, "undo@30"));
  ASSERT_EQ(plan_.left.size(), 1u);
  EXPECT_EQ(read("changed"), "by a person");
  EXPECT_FALSE(exists("added"));
}

TEST_F(OwnTimesOfRuns, WhatThePersonHadChangedComesBackAsHis) {
  write("file", "old");
  run("run", [&] { write("file", "by the run"); });
  write("file", "by a person");
  ASSERT_TRUE(undo({.paths = {tree_ + "/file"}}, "undo@2"));
  load("undo@2");
  pass_time();
  ASSERT_TRUE(undo({.added = true}, "undo@3"));
  EXPECT_EQ(read("file"), "by a person");
  load("run@1");
  ASSERT_TRUE(undo({}, "undo@4"));
  EXPECT_EQ(plan_.left.size(), 1u);
  EXPECT_EQ(read("file"), "by a person");
}

}  // namespace
}  // namespace ringwall::undo
