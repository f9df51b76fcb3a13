#include "audit/ci_agents.h"

#include <span>

namespace ringwall::audit {
namespace {

constexpr std::string_view kAgentCommands[] = {"claude -p",       "claude --print",
                                               "codex exec",      "gemini -p",
                                               "gemini --prompt", "opencode run",
                                               "cursor-agent",    "copilot -p",
                                               "aider --message", "@anthropic-ai/claude-code",
                                               "q chat",          "gemini -y",
                                               "gemini --yolo"};
constexpr std::string_view kUnasked[] = {"--dangerously-skip-permissions",
                                         "--yolo",
                                         "dangerously-bypass-approvals-and-sandbox",
                                         "--permission-mode bypassPermissions",
                                         "--approval-mode=yolo",
                                         "--allow-all-tools",
                                         "danger-full-access",
                                         "--trust-all-tools",
                                         "--full-auto",
                                         "gemini -y",
                                         "--permission-mode=bypassPermissions"};

std::string_view find_among(std::string_view text, std::span<const std::string_view> signs) {
  for (std::string_view sign : signs) {
    if (text.contains(sign)) return sign;
  }
  return {};
}

}  // namespace

std::string_view find_agent_command(std::string_view commands) {
  return find_among(commands, kAgentCommands);
}

std::string_view find_unasked(std::string_view commands) { return find_among(commands, kUnasked); }

}  // namespace ringwall::audit
