#include "gate/dialect.h"

#include <algorithm>

namespace ringwall::gate {
namespace {

constexpr EventRow kClaudeEvents[] = {
    {"PreToolUse", Moment::before_tool, true},
    {"PermissionRequest", Moment::permission},
    {"PostToolUse", Moment::after_tool},
    {"PostToolUseFailure", Moment::after_failure},
    {"SubagentStart", Moment::subagent_start},
    {"SubagentStop", Moment::subagent_stop},
    {"UserPromptSubmit", Moment::prompt},
    {"SessionStart", Moment::session_start},
    {"SessionEnd", Moment::session_end},
    {"Stop", Moment::other},
    {"StopFailure", Moment::other},
    {"Notification", Moment::other},
    {"PreCompact", Moment::other},
    {"PostCompact", Moment::other},
    {"PermissionDenied", Moment::other},
};

constexpr EventRow kCodexEvents[] = {
    {"PreToolUse", Moment::before_tool},
    {"PermissionRequest", Moment::permission},
    {"PostToolUse", Moment::after_tool},
    {"SubagentStart", Moment::subagent_start},
    {"SubagentStop", Moment::subagent_stop},
    {"UserPromptSubmit", Moment::prompt},
    {"SessionStart", Moment::session_start},
    {"SessionEnd", Moment::session_end},
    {"Stop", Moment::other},
    {"PreCompact", Moment::other},
    {"PostCompact", Moment::other},
};

constexpr EventRow kGeminiEvents[] = {
    {"BeforeTool", Moment::before_tool, true}, {"AfterTool", Moment::after_tool},
    {"BeforeAgent", Moment::prompt},           {"SessionStart", Moment::session_start},
    {"SessionEnd", Moment::session_end},       {"AfterAgent", Moment::other},
    {"Notification", Moment::other},           {"PreCompress", Moment::other},
};

constexpr EventRow kCopilotEvents[] = {
    {"preToolUse", Moment::before_tool, true},
    {"permissionRequest", Moment::permission},
    {"postToolUse", Moment::after_tool},
    {"postToolUseFailure", Moment::after_failure},
    {"subagentStart", Moment::subagent_start},
    {"subagentStop", Moment::subagent_stop},
    {"userPromptSubmitted", Moment::prompt},
    {"sessionStart", Moment::session_start},
    {"sessionEnd", Moment::session_end},
    {"agentStop", Moment::other},
    {"errorOccurred", Moment::other},
    {"preCompact", Moment::other},
    {"notification", Moment::other},
    // Whether an "ask" is understood there is not documented: these have none.
    {"PreToolUse", Moment::before_tool, false, Style::claude},
    {"PermissionRequest", Moment::permission, false, Style::claude},
    {"PostToolUse", Moment::after_tool, false, Style::claude},
    {"PostToolUseFailure", Moment::after_failure, false, Style::claude},
    {"SubagentStart", Moment::subagent_start, false, Style::claude},
    {"SubagentStop", Moment::subagent_stop, false, Style::claude},
    {"UserPromptSubmit", Moment::prompt, false, Style::claude},
    {"SessionStart", Moment::session_start, false, Style::claude},
    {"SessionEnd", Moment::session_end, false, Style::claude},
    {"Stop", Moment::other, false, Style::claude},
    {"PreCompact", Moment::other, false, Style::claude},
    {"Notification", Moment::other, false, Style::claude},
};

constexpr EventRow kCursorEvents[] = {
    {"preToolUse", Moment::before_tool},
    {"beforeShellExecution", Moment::before_tool, true, Style::shell},
    {"beforeMCPExecution", Moment::before_tool, true, Style::mcp},
    {"beforeReadFile", Moment::before_tool, false, Style::read},
    {"postToolUse", Moment::after_tool},
    {"afterShellExecution", Moment::after_tool, false, Style::shell},
    {"afterMCPExecution", Moment::after_tool, false, Style::mcp},
    {"postToolUseFailure", Moment::after_failure},
    {"subagentStart", Moment::subagent_start},
    {"subagentStop", Moment::subagent_stop},
    {"beforeSubmitPrompt", Moment::prompt},
    {"sessionStart", Moment::session_start},
    {"sessionEnd", Moment::session_end},
    {"afterFileEdit", Moment::other},
    {"afterAgentResponse", Moment::other},
    {"afterAgentThought", Moment::other},
    {"stop", Moment::other},
    {"preCompact", Moment::other},
};

// What is in no table is denied unless a rule names it: Workflow, RemoteTrigger, CronCreate …
constexpr ToolRow kClaudeTools[] = {
    {"Bash"},
    {"Read"},
    {"Edit"},
    {"MultiEdit", "Edit"},
    {"Write"},
    {"NotebookEdit"},
    {"NotebookRead", "Read", "notebook_path>file_path"},
    {"Glob"},
    {"Grep"},
    {"LS", "Glob"},
    {"WebFetch"},
    {"WebSearch"},
    {"Agent"},
    {"Task", "Agent"},
    {"Monitor", "Bash", "", Shape::watch},
    {"AskUserQuestion"},
    {"BashOutput"},
    {"EndConversation"},
    {"EnterPlanMode"},
    {"EnterWorktree"},
    {"ExitPlanMode"},
    {"ExitWorktree"},
    {"KillShell"},
    {"KillBash"},
    {"ListMcpResourcesTool"},
    {"LSP"},
    {"ReadMcpResourceTool"},
    {"SendMessage"},
    {"Skill"},
    {"SlashCommand"},
    {"StructuredOutput"},
    {"TaskCreate"},
    {"TaskGet"},
    {"TaskList"},
    {"TaskOutput"},
    {"TaskStop"},
    {"TaskUpdate"},
    {"TodoWrite"},
    {"ToolSearch"},
};

constexpr ToolRow kCodexTools[] = {
    {"Bash"},
    {"apply_patch", "Edit", "", Shape::patch},
    {"spawn_agent", "Agent", "message>prompt"},
    {"view_image", "Read", "path>file_path"},
    {"read_file", "Read"},
    {"list_dir", "Glob", "dir_path>path"},
    {"grep_files", "Grep"},
    {"web_search", "WebSearch"},
    {"close_agent"},
    {"list_agents"},
    {"list_mcp_resource_templates"},
    {"list_mcp_resources"},
    {"read_mcp_resource"},
    {"request_permissions"},
    {"request_user_input"},
    {"resume_agent"},
    {"send_input"},
    {"send_message"},
    {"tool_search"},
    {"update_plan"},
    {"wait"},
    {"wait_agent"},
};

constexpr ToolRow kGeminiTools[] = {
    {"run_shell_command", "Bash"},
    {"read_file", "Read", "absolute_path>file_path path>file_path"},
    {"read_many_files", "Read", "paths>files include>files", Shape::paths},
    {"write_file", "Write"},
    {"replace", "Edit"},
    {"list_directory", "Glob", "dir_path>path"},
    {"glob", "Glob", "dir_path>path"},
    {"search_file_content", "Grep", "dir_path>path include>glob"},
    {"grep_search", "Grep", "dir_path>path include>glob"},
    {"web_fetch", "WebFetch", "", Shape::urls},
    {"google_web_search", "WebSearch"},
    {"delegate_to_agent", "Agent"},
    {"codebase_investigator", "Agent", "objective>prompt"},
    {"activate_skill"},
    {"ask_user"},
    {"complete_task"},
    {"enter_plan_mode"},
    {"exit_plan_mode"},
    {"get_internal_docs"},
    {"save_memory"},
    {"write_todos"},
};

constexpr ToolRow kCopilotTools[] = {
    {"bash", "Bash"},
    {"write_bash", "Bash", "input>command"},  // typed into a shell that runs already
    {"read_bash"},
    {"stop_bash"},
    {"list_bash"},
    {"view", "Read", "path>file_path"},
    {"create", "Write", "path>file_path file_text>content"},
    {"edit", "Edit", "path>file_path old_str>old_string new_str>new_string"},
    {"str_replace_editor", "Edit", "path>file_path"},
    {"apply_patch", "Edit", "", Shape::patch},
    {"glob", "Glob"},
    {"grep", "Grep"},
    {"rg", "Grep"},
    {"web_fetch", "WebFetch"},
    {"web_search", "WebSearch"},
    {"task", "Agent"},
    {"read_agent"},
    {"list_agents"},
    {"ask_user"},
    {"report_intent"},
    {"skill"},
    {"update_todo"},
    {"exit_plan_mode"},
    {"task_complete"},
    {"fetch_copilot_cli_documentation"},
};

constexpr ToolRow kCursorTools[] = {
    {"Shell", "Bash"},
    {"Read", "Read", "path>file_path target_file>file_path"},
    {"Write", "Write", "path>file_path target_file>file_path"},
    {"Edit", "Edit", "path>file_path target_file>file_path"},
    {"StrReplace", "Edit", "path>file_path target_file>file_path"},
    {"Delete", "Edit", "path>file_path target_file>file_path"},
    {"TabRead", "Read", "path>file_path"},
    {"TabWrite", "Write", "path>file_path"},
    {"EditNotebook", "NotebookEdit", "target_notebook>notebook_path"},
    {"Grep", "Grep"},
    {"Glob", "Glob", "glob_pattern>pattern target_directory>path"},
    {"SemanticSearch", "Grep", "query>pattern"},
    {"WebFetch", "WebFetch"},
    {"WebSearch", "WebSearch", "search_term>query"},
    {"Task", "Agent"},
    {"TodoWrite"},
    {"ReadLints"},
    {"AskQuestion"},
    {"SwitchMode"},
};

constexpr Dialect kDialects[] = {
    {Agent::claude, "claude", kClaudeEvents, kClaudeTools, 0},
    {Agent::codex, "codex", kCodexEvents, kCodexTools, 590},
    {Agent::gemini, "gemini", kGeminiEvents, kGeminiTools, 0},
    {Agent::copilot, "copilot", kCopilotEvents, kCopilotTools, 0},
    {Agent::cursor, "cursor", kCursorEvents, kCursorTools, 45},
};

}  // namespace

const Dialect& dialect_of(Agent agent) { return kDialects[static_cast<size_t>(agent)]; }

std::span<const Dialect> dialects() { return kDialects; }

const Dialect* dialect_by_name(std::string_view name) {
  const auto* found = std::ranges::find(kDialects, name, &Dialect::name);
  return found == std::end(kDialects) ? nullptr : found;
}

const EventRow* find_event(const Dialect& dialect, std::string_view name) {
  auto found = std::ranges::find(dialect.events, name, &EventRow::name);
  return found == dialect.events.end() ? nullptr : &*found;
}

const ToolRow* find_tool(const Dialect& dialect, std::string_view name) {
  auto found = std::ranges::find(dialect.tools, name, &ToolRow::theirs);
  return found == dialect.tools.end() ? nullptr : &*found;
}

}  // namespace ringwall::gate
