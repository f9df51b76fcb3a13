#include "sandbox/managed_settings.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace ringwall::sandbox {

TEST(ManagedSettings, AreMadeForAgentsThatObeyThem) {
  policy::Policy policy;
  EXPECT_TRUE(managed_settings({}, policy).empty());
  EXPECT_TRUE(managed_settings({"gemini", "copilot", "aider", "node"}, policy).empty());
  EXPECT_EQ(unmanaged_agents(), (std::vector<std::string>{"gemini", "copilot"}));
  auto files = managed_settings({"claude", "codex", "opencode"}, policy);
  ASSERT_EQ(files.size(), 3u);
  for (const MadeFile& file : files) {
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

}  // namespace ringwall::sandbox
