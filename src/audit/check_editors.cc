#include "audit/checks.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

// Keys of editors' settings that name a program which runs by itself, or its arguments.
constexpr std::string_view kPrograms[] = {
    "git.path",
    "terminal.integrated.automationProfile.linux",
    "terminal.integrated.profiles.linux",
    "terminal.integrated.shell.linux",
    "terminal.integrated.shellArgs.linux",
    "python.defaultInterpreterPath",
    "python.pythonPath",
    "python.interpreterPath",
    "python.condaPath",
    "python.terminal.launchArgs",
    "php.validate.executablePath",
    "eslint.nodePath",
    "eslint.runtime",
    "typescript.tsdk",
    "typescript.tsserver.nodePath",
    "rust-analyzer.server.path",
    "rust-analyzer.check.overrideCommand",
    "rust-analyzer.cargo.buildScripts.overrideCommand",
    "go.alternateTools",
    "clangd.path",
    "java.jdt.ls.java.home",
    "ruby.lsp.rubyExecutablePath",
    "julia.executablePath",
    "deno.path",
    "cmake.cmakePath",
    "terraform.languageServer.path",
    "makefile.makePath",
};

// Their ends, of many extensions: a program where it leads into the workspace.
constexpr std::string_view kProgramEnds[] = {
    ".executablePath",
    ".executable",
    "ExecutablePath",
    ".prettierPath",
    ".serverPath",
    ".compilerPath",
    ".goroot",
    ".binaryPath",
    ".interpreter",
    ".ProcessWrapper",
    ".claudeProcessWrapper",
    "-formatter.path",
    "flake8.path",
    "pylint.path",
    "isort.path",
    "ruff.path",
    "mypy-type-checker.path",
};

bool leads_into_workspace(std::string_view value) {
  bool is_tools = value.contains("node_modules/") || value.contains(".yarn/sdks/") ||
                  value.contains(".venv/") || value.contains("/venv/");
  return !is_tools &&
         (value.contains("${workspaceFolder") || value.starts_with("./") ||
          value.starts_with("../") || value.starts_with(".vscode/") || value.starts_with("/tmp/"));
}

bool is_workspace_program(std::string_view name, std::string_view words) {
  for (std::string_view end : kProgramEnds) {
    if (name.ends_with(end)) return leads_into_workspace(words);
  }
  return false;
}

// Where a project's own virtual environment usually lies, and the editor's own version of a tool.
bool is_usual(std::string_view key, std::string_view value) {
  if (key == "typescript.tsdk" && value.ends_with("node_modules/typescript/lib")) return true;
  if (value.starts_with(".yarn/sdks")) return true;  // of yarn's own making
  bool is_python = key.starts_with("python.");
  return is_python && (value.contains(".venv/bin/python") || value.contains("/venv/bin/python") ||
                       value == "python3" || value == "python");
}

// Proxies, and the address of an assistant's own server.
void check_traffic(const RepositoryFile& file, const std::string& name, const Setting& value,
                   Reporter& reporter) {
  std::string host = value.is_text() ? host_of(value.text) : "";
  bool is_here = host.empty() || host == "localhost" || host == "127.0.0.1";
  if ((name == "http.proxy" && !is_here) || (name == "http.proxyStrictSSL" && value.is_false()))
    reporter.add("RW239", file.path, value.line, name + ": " + value.text);
  bool is_override = name.contains("overrideProxyUrl") || name.contains("overrideCapiUrl") ||
                     name.contains("overrideEngineUrl");
  if (is_override && !is_here)
    reporter.add("RW204", file.path, value.line, name + ": " + value.text);
  if (name != "github.copilot.advanced") return;
  for (const auto& [inner, member] : value.members)
    check_traffic(file, inner, member, reporter);
}

void check_programs(const RepositoryFile& file, const Setting& settings, Reporter& reporter) {
  for (const auto& [name, value] : settings.members) {
    for (std::string_view key : kPrograms) {
      if (name != key || is_usual(key, value.text)) continue;
      std::string words = words_of(value);
      reporter.add("RW232", file.path, value.line, name + ": " + words);
      check_command(file.path, value.line, words, reporter);
    }
    std::string words = words_of(value);
    if (is_workspace_program(name, words))
      reporter.add("RW232", file.path, value.line, name + ": " + words);
    check_traffic(file, name, value, reporter);
  }
}

bool runs_from_editor(std::string_view script) {
  for (std::string_view sign :
       {"system(",  "systemlist(", "os.execute", "io.popen",   "jobstart", "job_start",
        "termopen", "term_start",  "vim.cmd",    "vim.system", "spawn",    "loadstring",
        "dofile",   "luafile",     "libcall",    "execute",    "source ",  "require",
        ":!",       "silent",      "py3",        "python",     "ruby",     "perl",
        "autocmd",  "nvim_exec",   "\n!",        "call "}) {
    if (script.contains(sign)) return true;
  }
  return script.starts_with('!');
}

void check_tasks_in(const RepositoryFile& file, const Setting& settings, Reporter& reporter) {
  const Setting* tasks = settings.find("tasks");
  if (tasks == nullptr || !tasks->is_list()) return;
  for (const auto& [none, task] : tasks->members) {
    const Setting* command = task.find("command");
    if (command == nullptr) command = task.find("script");
    std::string words = command == nullptr ? "" : words_of(*command);
    if (const Setting* arguments = task.find("args")) words += " " + words_of(*arguments);
    const Setting* when = task.find_way("runOptions.runOn");
    if (when != nullptr && when->text == "folderOpen")
      reporter.add("RW231", file.path, when->line, words);
    check_command(file.path, task.line, words, reporter);
  }
}

}  // namespace

void check_editor_json(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_settings(file, read_json_settings, reporter);
  if (!settings) return;
  // A workspace file has them one level down.
  const Setting* parts[] = {&*settings, settings->find("settings")};
  for (const Setting* part : parts) {
    if (part == nullptr || !part->is_object()) continue;
    check_programs(file, *part, reporter);
    check_agent_settings(file.path, *part, reporter);
  }
  if (const Setting* tasks = settings->find("tasks"); tasks != nullptr && tasks->is_object())
    check_tasks_in(file, *tasks, reporter);
}

void check_editor_tasks(const RepositoryFile& file, Reporter& reporter) {
  if (auto settings = read_settings(file, read_json_settings, reporter))
    check_tasks_in(file, *settings, reporter);
}

void check_editor_script(const RepositoryFile& file, Reporter& reporter) {
  bool is_lisp = file.path.ends_with(".el");
  bool is_idea = file.path.ends_with(".xml");
  // Variables of Emacs are asked about; code is not always. JetBrains: what runs on opening.
  if (is_lisp && !file.content.contains("eval")) return;
  if (is_idea && !file.content.contains("RunOnStartup") &&
      !file.content.contains("ProjectTasksOptions") &&
      !file.content.contains("StartupConfiguration"))
    return;
  if (text::trim(file.content).empty()) return;
  // Options alone run nothing; an editor that obeys the file reads it all the same.
  bool is_vim = file.path.ends_with("rc") || file.path.ends_with(".lua");
  if (is_vim && !runs_from_editor(file.content)) {
    reporter.add("RW236", file.path, 1, file.content.substr(0, 200));
    return;
  }
  reporter.add("RW237", file.path, 1, file.content.substr(0, 200));
  check_command(file.path, 1, file.content, reporter);
}

void check_entering(const RepositoryFile& file, Reporter& reporter) {
  if (text::trim(file.content).empty()) return;
  reporter.add("RW236", file.path, 1, file.content.substr(0, 200));
  size_t number = 0;
  for (std::string_view line : text::split_in_place(file.content, '\n')) {
    number++;
    if (text::trim(line).starts_with('#')) continue;
    check_command(file.path, number, line, reporter);
    if (text::trim(line).starts_with("export ")) check_set_variable(file, number, line, reporter);
  }
}

// mise: hooks and tasks.
void check_entering_toml(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_settings(file, read_toml_settings, reporter);
  if (!settings) return;
  visit(*settings, [&](const std::string& way, const Setting& value) {
    bool runs = way.starts_with("hooks.") || way == "env._.source" || way == "env._.file";
    if (runs && value.is_text())
      reporter.add("RW236", file.path, value.line, way + ": " + value.text);
    if (value.is_text()) check_command(file.path, value.line, value.text, reporter);
  });
}

}  // namespace ringwall::audit
