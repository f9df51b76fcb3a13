// Checks of a repository: what agents obey, and what they read.
#include "audit/catalogue.h"

namespace ringwall::audit {
namespace {

using enum Severity;

constexpr std::string_view kSettings = "Repository: settings of agents";
constexpr std::string_view kTexts = "Repository: texts that agents read";

constexpr Check kChecks[] = {
    {"RW201", high, kSettings, "hooks of an agent run commands",
     "Whoever starts the agent in this folder runs them, with all rights of the person.",
     "CVE-2025-59536: hooks in project files ran before the trust dialog; CVE-2026-48124",
     "read each command; remove the hooks, or keep them in your own settings outside of the "
     "repository"},
    {"RW202", critical, kSettings, "settings switch off that the agent asks",
     "The agent then runs what any text tells it, without a question.",
     "CVE-2026-33068: repository settings set bypassPermissions; CVE-2025-53773: "
     "chat.tools.autoApprove",
     "remove the setting from the repository"},
    {"RW203", high, kSettings, "MCP servers or their tools are approved by the repository itself",
     "Servers that the repository names are started and used without a question.",
     "CVE-2025-54136 (MCPoison), CVE-2026-12537",
     "remove the approval; decide server by server in your own settings"},
    {"RW204", critical, kSettings, "the agent's API is led to another server",
     "The agent sends its key, and all that it reads, to whoever runs that server.",
     "CVE-2026-21852: ANTHROPIC_BASE_URL in project settings leaked the key before trust",
     "remove the variable; a gateway belongs into your own or managed settings"},
    {"RW205", high, kSettings, "settings name a helper program",
     "Helpers for keys, headers and status lines are shell commands that run at the agent's start.",
     "CVE-2026-35020, CVE-2026-35021, CVE-2026-35022", "remove the helper from the repository"},
    {"RW206", high, kSettings, "settings set variables that make programs run other code",
     "Every program that the agent starts obeys them: a loaded library, an option of an "
     "interpreter, another search path.",
     "Cursor CVE-2026-22708: variables of the environment poisoned allowed commands",
     "remove the variable"},
    {"RW207", medium, kSettings, "an MCP server is started by the repository",
     "Opening the folder with an agent starts this program; its tools' descriptions steer the "
     "model.",
     "CVE-2025-54135 (CurXecute), CVE-2026-12957, CVE-2025-61260",
     "look at what it starts; run it behind walls: ringwall mcp wrap"},
    {"RW208", medium, kSettings, "an MCP server elsewhere is named by the repository",
     "Its answers steer the model, and what the agent sends to it leaves this machine.",
     "the Composio breach of 2026-05: malicious tool definitions",
     "remove it unless you know who runs it"},
    {"RW209", critical, kSettings, "a file of variables moves an agent's own settings",
     "The agent then obeys settings and MCP servers that lie in the repository as if they were "
     "yours.",
     "CVE-2025-61260: .env with CODEX_HOME=./.codex", "remove the variable"},
    {"RW210", medium, kSettings, "the repository grants tools or folders to the agent",
     "A rule as wide as this lets commands pass without a question once the folder is trusted.",
     "CVE-2025-66032: eight ways around allow rules", "remove the rule, or make it narrow"},
    {"RW211", high, kSettings, "the repository weakens the agent's sandbox",
     "Commands leave the sandbox, or never enter it.",
     "the sandbox switched off by the agent itself (Ona, 2026); CVE-2026-25725",
     "remove the setting"},
    {"RW212", medium, kSettings, "plugins or marketplaces come with the repository",
     "A plugin brings hooks, MCP servers and instructions of whoever can change its source.",
     "Miasma wave 5: 73 repositories fired through agents' settings",
     "remove it; add plugins in your own settings"},
    {"RW213", medium, kSettings, "a command or skill of an agent runs a shell when it is used",
     "Its text holds commands that run before the model sees anything.",
     "ToxicSkills: skills with commands in their text", "read it before you use it"},
    {"RW214", high, kSettings, "programs in the repository are loaded into an agent",
     "A plugin file is code that runs in the agent's own process when it starts.",
     "opencode plugins; Amazon Q CVE-2026-12958",
     "remove the file, or read it as you would a "
     "program"},
    {"RW215", info, kSettings, "instructions for agents are there",
     "They steer every agent that opens the folder.", "", "read them"},
    {"RW216", medium, kSettings, "settings of an agent cannot be read",
     "What one reader refuses another may obey: nobody can say what is in force.",
     "CVE-2025-58764: commands that could not be parsed were run", "make it a plain, small file"},
    {"RW217", high, kSettings, "instructions pull in a file with secrets",
     "The agent puts that file before the model together with the instructions, without a "
     "question.",
     "", "remove the import"},
    {"RW218", medium, kSettings, "commands set up an agent's working copy",
     "They run when the agent makes a worktree or its machine, before anybody has looked at it.",
     "", "read each command; remove what you do not need"},
    {"RW219", high, kSettings, "the agent's record is sent to another server",
     "What it does, and often every prompt, leaves this machine for whoever runs that server.", "",
     "remove the address; telemetry belongs into your own or managed settings"},

    {"RW221", critical, kTexts, "text in tag characters, which nobody sees",
     "Models read them as ordinary letters; editors and reviews show nothing.",
     "ASCII smuggling; the Rules File Backdoor of 2025-03", "remove the characters"},
    {"RW222", high, kTexts, "characters without width or that turn text around",
     "What is shown is not what the model reads.",
     "the Rules File Backdoor of 2025-03: hidden characters in rule files",
     "remove the characters"},
    {"RW223", high, kTexts, "an HTML comment speaks to the assistant",
     "A page or a review does not show it; the model reads it.",
     "CamoLeak, CVE-2025-59145: hidden comments in pull requests", "remove the comment"},
    {"RW224", high, kTexts, "text that a page does not show",
     "White on white, no size, or not displayed: people see nothing, the model reads it.",
     "hidden text in pages against assistants that read them", "remove the text"},
    {"RW225", high, kTexts, "hidden text in an office document",
     "White or vanished text is read by whoever turns the document into text for a model.",
     "hidden prompts in documents and papers of 2025", "remove the text"},
    {"RW226", high, kTexts, "source code that is shown in another order than it is compiled",
     "A reviewer reads other code than the compiler.", "CVE-2021-42574 (Trojan Source)",
     "remove the bidirectional characters"},
    {"RW227", medium, kTexts, "text that gives orders to the assistant",
     "A file for people that tells an assistant to ignore its rules, or to act in secret, is an "
     "attempt to steer it.",
     "Clinejection, hackerbot-claw: poisoned texts in repositories", "read it; remove the text"},
    {"RW228", medium, kTexts, "a document that cannot be read",
     "It would fill the memory of whoever opens it, or hides what is in it.", "zip bombs",
     "do not open it"},
    {"RW229", medium, kTexts, "text that a terminal would obey",
     "Showing the file changes the terminal: colours over text, titles, the clipboard.",
     "CVE-2019-9535 and other escape sequences in shown files", "remove the escape sequences"},
    {"RW230", high, kTexts, "source code with characters that nothing is shown for",
     "A program decodes and runs them, or they are a name: a reviewer sees an empty string or a "
     "comma too many.",
     "GlassWorm of 2025-10: variation selectors; the invisible backdoor by a Hangul filler",
     "remove the characters"},
};

}  // namespace

std::span<const Check> agent_checks() { return kChecks; }

}  // namespace ringwall::audit
