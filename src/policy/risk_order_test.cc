#include "policy/risk_order.h"

#include <gtest/gtest.h>

namespace ringwall::policy {
namespace {

TEST(RiskOrder, TheDefaultsRise) { EXPECT_FALSE(find_disorder({})); }

TEST(RiskOrder, WhatWasSaidLaterIsNamedWithWhatToWrite) {
  Policy::Risk risk;
  risk.isolated = {500, {Layer::person, "policy.toml", 3, 1}};
  auto found = find_disorder(risk);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->setting.origin.text(), "policy.toml:3");
  EXPECT_EQ(found->what, "risk.isolated 0.5: levels rise, and risk.restricted is 0.55 (default)");
  EXPECT_EQ(found->hint, "write risk.restricted = 0.5 or less, or risk.isolated = 0.55 or more");
  risk.restricted = {400, {Layer::person, "policy.toml", 4, 1}};
  EXPECT_FALSE(find_disorder(risk));
  risk.restricted = {600, {Layer::command_line, "--risk-restricted"}};
  found = find_disorder(risk);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->setting.field->key, "risk.restricted");
}

TEST(RiskOrder, LevelsThatAreOffStandNowhere) {
  Policy::Risk risk;
  risk.killed = {300, {Layer::person, "policy.toml", 3, 1}};
  risk.isolated.value = kNoLimit;
  EXPECT_TRUE(find_disorder(risk)) << "below caution";
  risk.caution.value = kNoLimit;
  risk.restricted.value = kNoLimit;
  EXPECT_FALSE(find_disorder(risk));
}

TEST(RiskOrder, TwoMayBeginAtOnce) {
  Policy::Risk risk;
  risk.isolated.value = risk.restricted.value;
  EXPECT_FALSE(find_disorder(risk));
}

}  // namespace
}  // namespace ringwall::policy
