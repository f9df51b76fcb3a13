#include "sandbox/managed_settings.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace ringwall::sandbox {

TEST(ManagedSettings, AreMadeForAgentsThatObeyThem) {
  policy::Policy policy;
  EXPECT_TRUE(managed_settings({}, policy).empty());
  EXPECT_TRUE(managed_settings({"aider", "node"}, policy).empty());
  auto files = managed_settings({"claude", "codex", "opencode", "gemini"}, policy);
  ASSERT_EQ(files.size(), 4u);
  for (const MadeFile& file : files) {
    EXPECT_EQ(file.roots_own, file.target.starts_with("/etc/gemini-cli/")) << file.target;
    EXPECT_TRUE(file.target.starts_with("/etc/")) << file.target;
    EXPECT_EQ(file.mode & 0222, 0u) << file.target;
  }
}

TEST(ManagedSettings, HoldTheVariablesOfTheProfileAsTheyAreInTheEnd) {
  policy::Policy policy;
  policy.environment.set = {{"A=1", {policy::Layer::profile, "claude", 1, 1}},
                            {"B=1", {policy::Layer::profile, "claude", 2, 1}},
                            {"C=1", {policy::Layer::profile, "codex", 2, 1}},
                            {"B=2=3", {policy::Layer::person, "/p.toml", 1, 1}},
                            {"SECRET=x", {policy::Layer::command_line, "--set"}}};
  auto files = managed_settings({"claude"}, policy);
  ASSERT_EQ(files.size(), 1u);
  boost::json::object settings = boost::json::parse(files[0].content).as_object();
  EXPECT_EQ(settings["env"], (boost::json::value{{"A", "1"}, {"B", "2=3"}}));
  EXPECT_EQ(settings["sandbox"].as_object()["enabled"], false);
}

TEST(ManagedSettings, OfGeminiTurnItsHooksOnOnlyWhereItHasSome) {
  auto settings_with = [](const ManagedHooks& hooks) {
    return boost::json::parse(managed_settings({"gemini"}, {}, hooks)[0].content).as_object();
  };
  boost::json::object hooks{{"BeforeTool", boost::json::array{}}};
  auto settings = settings_with({.gemini = hooks});
  EXPECT_EQ(settings["hooks"], hooks);
  EXPECT_EQ(settings["hooksConfig"].as_object()["enabled"], true);
  EXPECT_FALSE(settings_with({.claude = hooks}).contains("hooks"));
  EXPECT_FALSE(settings_with({}).contains("hooksConfig"));
}

}  // namespace ringwall::sandbox
