#include "sandbox/cgroup.h"

#include <gtest/gtest.h>

namespace ringwall::sandbox {
namespace {

constexpr const char* kAll = "cpu io memory pids";
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
  CgroupPlan plan = plan_cgroup({}, false);
  EXPECT_EQ(plan.way, Way::none);
  EXPECT_EQ(plan.why_not, "cgroup version 2 is not mounted");
  EXPECT_NE(plan.mend.find("unified_cgroup_hierarchy=1"), std::string::npos);
}

TEST(CgroupPlan, VersionTwoWithoutControllersIsNone) {
  CgroupFacts facts = login();
  facts.levels.back().controllers = "";
  EXPECT_EQ(plan_cgroup(facts, false).way, Way::none);
}

TEST(CgroupPlan, ALoginAsksTheServiceManager) {
  CgroupPlan plan = plan_cgroup(login(), true);
  EXPECT_EQ(plan.way, Way::scope);
  EXPECT_EQ(plan.parent, "/run/user/1000/systemd/private");
  CgroupFacts alone = login();
  alone.manager = "";
  plan = plan_cgroup(alone, true);
  EXPECT_EQ(plan.way, Way::none);
  EXPECT_FALSE(plan.mend.empty());
}

TEST(CgroupPlan, OneThatRootGaveIsUsed) {
  CgroupPlan plan = plan_cgroup(given_by_root(), true);
  EXPECT_EQ(plan.way, Way::below);
  EXPECT_EQ(plan.parent, "/c/mine");
  CgroupFacts alone = given_by_root();
  alone.levels[0].others = false;
  EXPECT_EQ(plan_cgroup(alone, true).way, Way::below) << "nobody need step aside";
}

TEST(CgroupPlan, AControllerThatIsNotHandedOnCannotBeUsed) {
  CgroupFacts facts = given_by_root();
  facts.levels[1].handed_on = "memory pids";
  EXPECT_EQ(plan_cgroup(facts, false).way, Way::below);
  EXPECT_EQ(plan_cgroup(facts, true).way, Way::none);
}

TEST(CgroupPlan, AloneInItsOwnItStepsAside) {
  CgroupFacts facts = given_by_root();
  facts.levels[1].handed_on = "";
  facts.levels[0].others = false;
  CgroupPlan plan = plan_cgroup(facts, true);
  EXPECT_EQ(plan.way, Way::aside);
  EXPECT_EQ(plan.parent, "/c/mine/shell");
  facts.levels[0].others = true;
  EXPECT_EQ(plan_cgroup(facts, true).way, Way::none);
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
  EXPECT_EQ(plan_cgroup(facts, true).way, Way::scope);
  // systemd-run --scope -p Delegate=yes
  facts.levels[0].delegated = true;
  EXPECT_EQ(plan_cgroup(facts, true).way, Way::aside);
}

TEST(Cgroup, LimitsThatNeedNoneGetNone) {
  Limits limits{.memory = 1ull << 40};
  auto none = make_cgroup(limits, "run");
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->is_there());
  EXPECT_EQ(none->entry(), -1);
  EXPECT_TRUE(none->take_in(1));
  EXPECT_EQ(none->count_kills(), 0u);
}

TEST(Cgroup, AFolderThatIsNoCgroupIsAnError) {
  Limits limits{.memory = 1ull << 40, .memory_was_asked_for = true};
  auto failed =
      make_cgroup(limits, CgroupPlan{Way::below, testing::TempDir() + "nothing", "", ""}, "run");
  EXPECT_FALSE(failed);
}

}  // namespace ringwall::sandbox
