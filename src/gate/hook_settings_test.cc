#include "gate/hook_settings.h"

#include <gtest/gtest.h>

#include "base/strict_json.h"

namespace ringwall::gate {

TEST(HookSettings, EveryAgentIsToldOfEveryEventThatMatters) {
  for (const Dialect& dialect : dialects()) {
    std::string text = hook_settings(dialect.agent, "/opt/r w/ringwall");
    auto parsed = strict_json::parse_object(text);
    ASSERT_TRUE(parsed) << text;
    const auto& hooks = parsed->at("hooks").get_object();
    for (const EventRow& row : dialect.events) {
      bool wanted = row.moment != Moment::other && row.moment != Moment::session_end &&
                    row.style != Style::claude;
      ASSERT_EQ(hooks.contains(row.name), wanted) << dialect.name << " " << row.name;
      if (!wanted) continue;
      std::string group = boost::json::serialize(hooks.at(row.name));
      std::string command = "'/opt/r w/ringwall' hook --agent " + std::string(dialect.name) +
                            " --event " + std::string(row.name) + "\"";
      EXPECT_NE(group.find(command), std::string::npos) << group;
    }
    EXPECT_FALSE(settings_file(dialect.agent).empty());
  }
}

TEST(HookSettings, FailuresBlockWhereAnAgentHasAWordForIt) {
  std::string claude = boost::json::serialize(claude_hooks("/r"));
  EXPECT_NE(claude.find(R"("onFailure":"block")"), std::string::npos);
  EXPECT_EQ(claude.find("\"async\""), std::string::npos);
  EXPECT_NE(hook_settings(Agent::cursor, "/r").find("\"failClosed\":true"), std::string::npos);
}

TEST(HookSettings, CodexGetsThemAsRequirements) {
  std::string text = codex_requirements("/run/ringwall/ringwall");
  EXPECT_TRUE(text.starts_with("[hooks]\nmanaged_dir = \"/run/ringwall\"\n"));
  EXPECT_NE(text.find("[[hooks.PreToolUse]]\nmatcher = \".*\"\n[[hooks.PreToolUse.hooks]]\n"
                      "type = \"command\"\ncommand = \"/run/ringwall/ringwall hook --agent codex "
                      "--event PreToolUse\"\ntimeout = 600\n"),
            std::string::npos)
      << text;
}

TEST(HookSettings, OutsideOfRunsEveryWayToWorkIsRefusedAndAMissingProgramTo) {
  for (Agent agent : {Agent::claude, Agent::codex, Agent::gemini, Agent::copilot}) {
    const Dialect& dialect = dialect_of(agent);
    auto hooks = walled_hooks(agent, "/opt/r w/ringwall");
    for (const EventRow& row : dialect.events) {
      bool wanted = row.style != Style::claude &&
                    (row.moment == Moment::before_tool || row.moment == Moment::permission ||
                     row.moment == Moment::prompt || row.moment == Moment::session_start);
      ASSERT_EQ(hooks.contains(row.name), wanted) << dialect.name << " " << row.name;
      if (!wanted) continue;
      std::string command = "'/opt/r w/ringwall' hook --walled --agent " +
                            std::string(dialect.name) + " --event " + std::string(row.name) +
                            " || exit 2\"";
      EXPECT_NE(boost::json::serialize(hooks.at(row.name)).find(command), std::string::npos);
    }
  }
  EXPECT_NE(walled_requirements("/r").find("[[hooks.UserPromptSubmit]]"), std::string::npos);
}

}  // namespace ringwall::gate
