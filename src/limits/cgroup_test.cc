#include "limits/cgroup.h"

#include <gtest/gtest.h>

namespace ringwall::limits {
namespace {

constexpr const char* kAll = "cpu io memory pids";
constexpr Controllers kCpu{.cpu = true};
constexpr Controllers kIo{.io = true};
using Way = CgroupPlan::Way;

CgroupLevel level(std::string path) { return {.path = std::move(path), .controllers = kAll}; }

// A login by ssh where systemd runs.
CgroupFacts login() {
  return {.levels = {level("/c/user.slice/user-1000.slice/session-3.scope"),
                     level("/c/user.slice/user-1000.slice"), level("/c/user.slice"), level("/c")},
          .systemd = true,
          .manager = "/run/user/1000/systemd/private"};
}

// Root has made /c/mine for the user, who sits in /c/mine/shell.
CgroupFacts given_by_root() {
  CgroupFacts facts{.levels = {level("/c/mine/shell"), level("/c/mine"), level("/c")}};
  facts.levels[0].writable = facts.levels[1].writable = true;
  facts.levels[0].others = true;
  facts.levels[1].handed_on = kAll;
  return facts;
}

}  // namespace

TEST(CgroupPlan, WithoutVersionTwoThereIsNone) {
  CgroupPlan plan = plan_cgroup({}, {});
  EXPECT_EQ(plan.way, Way::none);
  EXPECT_EQ(plan.why_not, "cgroup version 2 is not mounted");
  EXPECT_NE(plan.mend.find("unified_cgroup_hierarchy=1"), std::string::npos);
}

TEST(CgroupPlan, VersionTwoWithoutControllersIsNone) {
  CgroupFacts facts = login();
  facts.levels.back().controllers = "";
  EXPECT_EQ(plan_cgroup(facts, {}).way, Way::none);
}

TEST(CgroupPlan, ALoginAsksTheServiceManager) {
  CgroupPlan plan = plan_cgroup(login(), kCpu);
  EXPECT_EQ(plan.way, Way::scope);
  EXPECT_EQ(plan.parent, "/run/user/1000/systemd/private");
  CgroupFacts alone = login();
  alone.manager = "";
  plan = plan_cgroup(alone, kCpu);
  EXPECT_EQ(plan.way, Way::none);
  EXPECT_FALSE(plan.mend.empty());
}

TEST(CgroupPlan, OneThatRootGaveIsUsed) {
  CgroupPlan plan = plan_cgroup(given_by_root(), kCpu);
  EXPECT_EQ(plan.way, Way::below);
  EXPECT_EQ(plan.parent, "/c/mine");
  CgroupFacts alone = given_by_root();
  alone.levels[0].others = false;
  EXPECT_EQ(plan_cgroup(alone, kCpu).way, Way::below) << "nobody need step aside";
}

TEST(CgroupPlan, AControllerThatIsNotHandedOnCannotBeUsed) {
  CgroupFacts facts = given_by_root();
  facts.levels[1].handed_on = "memory pids";
  EXPECT_EQ(plan_cgroup(facts, {}).way, Way::below);
  EXPECT_EQ(plan_cgroup(facts, kCpu).way, Way::none);
}

TEST(CgroupPlan, TheControllerOfDisksMustBeHandedOnToo) {
  CgroupFacts facts = given_by_root();
  EXPECT_EQ(plan_cgroup(facts, kIo).way, Way::below);
  facts.levels[1].handed_on = "cpu memory pids";
  EXPECT_EQ(plan_cgroup(facts, kCpu).way, Way::below);
  EXPECT_EQ(plan_cgroup(facts, kIo).way, Way::none);
}

// As systemd does it by default.
TEST(CgroupPlan, AManagerWithoutAControllerIsNotAsked) {
  CgroupFacts facts = login();
  facts.managers = "cpu memory pids";
  EXPECT_EQ(plan_cgroup(facts, kCpu).way, Way::scope);
  CgroupPlan plan = plan_cgroup(facts, kIo);
  EXPECT_EQ(plan.way, Way::none);
  EXPECT_EQ(plan.why_not, "the user's service manager was not given the controller io");
  EXPECT_NE(plan.mend.find("Delegate=cpu io memory pids"), std::string::npos);
  facts.managers = kAll;
  EXPECT_EQ(plan_cgroup(facts, kIo).way, Way::scope);
}

TEST(CgroupPlan, AloneInItsOwnItStepsAside) {
  CgroupFacts facts = given_by_root();
  facts.levels[1].handed_on = "";
  facts.levels[0].others = false;
  CgroupPlan plan = plan_cgroup(facts, kCpu);
  EXPECT_EQ(plan.way, Way::aside);
  EXPECT_EQ(plan.parent, "/c/mine/shell");
  facts.levels[0].others = true;
  EXPECT_EQ(plan_cgroup(facts, kCpu).way, Way::none);
}

// What lies below user@1000.service is writable for the user, and belongs to his systemd.
TEST(CgroupPlan, SystemdsOwnCgroupsAreLeftToSystemd) {
  CgroupFacts facts{.levels = {level("/c/user@1000.service/app.slice/term.scope"),
                               level("/c/user@1000.service/app.slice"),
                               level("/c/user@1000.service"), level("/c")},
                    .systemd = true,
                    .manager = "/run/user/1000/bus"};
  for (size_t i = 0; i < 3; i++) {
    facts.levels[i].writable = true;
    facts.levels[i].handed_on = kAll;
  }
  facts.levels[0].handed_on = "";
  facts.levels[2].delegated = true;
  EXPECT_EQ(plan_cgroup(facts, kCpu).way, Way::scope);
  // systemd-run --scope -p Delegate=yes
  facts.levels[0].delegated = true;
  EXPECT_EQ(plan_cgroup(facts, kCpu).way, Way::aside);
}

TEST(Cgroup, LimitsThatNeedNoneGetNone) {
  Limits limits{.memory = 1ull << 40};
  auto none = make_cgroup(limits, "run", "/");
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->is_there());
  EXPECT_EQ(none->entry(), -1);
  EXPECT_TRUE(none->take_in(1));
  EXPECT_EQ(none->count_kills(), 0u);
}

TEST(Cgroup, TrafficOfADiskWantsOne) {
  EXPECT_FALSE(wants_cgroup({}));
  EXPECT_TRUE(wants_cgroup({.io = 1 << 20}));
  EXPECT_TRUE(wanted_controllers({.io = 1 << 20}).io);
  EXPECT_FALSE(wanted_controllers({.io = 1 << 20}).cpu);
}

TEST(Cgroup, AFolderThatIsNoCgroupIsAnError) {
  Limits limits{.memory = 1ull << 40, .memory_was_asked_for = true};
  auto failed = make_cgroup(limits, CgroupPlan{Way::below, testing::TempDir() + "nothing", "", ""},
                            "run", "");
  EXPECT_FALSE(failed);
}

}  // namespace ringwall::limits
