#include "risk/level.h"

#include <gtest/gtest.h>

namespace ringwall::risk {
namespace {

const Thresholds kDefault = thresholds_of({});

// With all of it seen at the walls.
Level next_level(const Thresholds& thresholds, Level now, uint32_t score) {
  return risk::next_level(thresholds, now, score, score);
}

TEST(RiskLevel, RisesAtOnceOverSeveral) {
  EXPECT_EQ(next_level(kDefault, Level::normal, 349'999), Level::normal);
  EXPECT_EQ(next_level(kDefault, Level::normal, 350'000), Level::caution);
  EXPECT_EQ(next_level(kDefault, Level::normal, 800'000), Level::isolated);
  EXPECT_EQ(next_level(kDefault, Level::isolated, 970'000), Level::killed);
}

// Anything inside can say what hooks say.
TEST(RiskLevel, HearsayAloneNeverStopsARun) {
  EXPECT_EQ(risk::next_level(kDefault, Level::normal, 999'999, 0), Level::restricted);
  EXPECT_EQ(risk::next_level(kDefault, Level::normal, 999'999, kLeastSeen - 1), Level::restricted);
  EXPECT_EQ(risk::next_level(kDefault, Level::normal, 800'000, kLeastSeen), Level::isolated);
  EXPECT_EQ(risk::next_level(kDefault, Level::restricted, 999'999, kLeastSeen), Level::killed);
  EXPECT_EQ(risk::next_level(kDefault, Level::isolated, 999'999, 0), Level::isolated);
}

TEST(RiskLevel, FallsOnlyWellBelow) {
  EXPECT_EQ(next_level(kDefault, Level::caution, 250'000), Level::caution);
  EXPECT_EQ(next_level(kDefault, Level::caution, 249'999), Level::normal);
  EXPECT_EQ(next_level(kDefault, Level::restricted, 449'999), Level::caution);
  EXPECT_EQ(next_level(kDefault, Level::restricted, 0), Level::normal);
}

TEST(RiskLevel, IsolatedEndsByThePersonAlone) {
  EXPECT_EQ(next_level(kDefault, Level::isolated, 0), Level::isolated);
  EXPECT_EQ(next_level(kDefault, Level::killed, 0), Level::killed);
}

TEST(RiskLevel, OneThatIsSwitchedOffIsNeverReached) {
  policy::Policy::Risk risk;
  risk.isolated.value = policy::kNoLimit;
  risk.killed.value = policy::kNoLimit;
  EXPECT_EQ(next_level(thresholds_of(risk), Level::normal, 999'999), Level::restricted);
}

TEST(RiskLevel, DoesWhatLowerOnesDoAndWhatThePolicyAdds) {
  using enum policy::RiskAct;
  policy::Policy::Risk risk;
  risk.at_caution = {{"cut-network"}};
  auto acts = acts_of(risk);
  EXPECT_FALSE(acts[0].has(refuse_unanswered));
  EXPECT_TRUE(acts[1].has(refuse_unanswered) && acts[1].has(cut_network));
  EXPECT_TRUE(acts[2].has(cut_network) && acts[2].has(refuse_new_destinations));
  EXPECT_FALSE(acts_of({})[2].has(cut_network));
  EXPECT_TRUE(acts_of({})[3].has(cut_network) && acts_of({})[3].has(freeze));
  EXPECT_FALSE(acts_of({})[3].has(kill));
  EXPECT_TRUE(acts_of({})[4].has(kill));
}

TEST(RiskLevel, NamesGoBothWays) {
  for (size_t i = 0; i < kLevels; i++)
    EXPECT_EQ(level_by_name(name_of(static_cast<Level>(i))), static_cast<Level>(i));
  EXPECT_EQ(level_by_name("high"), std::nullopt);
}

}  // namespace
}  // namespace ringwall::risk
