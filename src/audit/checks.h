// The checks of a repository, one function for each kind of file. They see names and texts, no
// descriptors: all can be tried with a text alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "audit/scanner.h"
#include "audit/settings.h"

namespace ringwall::audit {

// A file of the repository.
struct RepositoryFile {
  std::string path;  // relative to the top
  std::string_view content;
  // What a file holds that this one names, by its name relative to the folder around this one.
  // Empty: there is none, it is no plain file of the repository, or too big.
  std::function<std::string(std::string_view name)> beside = {};
};

// Names and links, whatever they lead to. `path` is relative to the top; `leads_out`: of it, by
// another link on the way.
void check_name(const std::string& path, bool is_in_packages, Reporter& reporter);
void check_link(const std::string& path, std::string_view target, bool leads_out,
                Reporter& reporter);

// Settings of agents, in JSON or TOML.
void check_agent_json(const RepositoryFile& file, Reporter& reporter);
void check_agent_toml(const RepositoryFile& file, Reporter& reporter);
void check_agent_settings(const std::string& path, const Setting& settings, Reporter& reporter);
void check_mcp_servers(const std::string& path, const Setting& settings, Reporter& reporter);
void check_agent_command(const RepositoryFile& file, Reporter& reporter);  // commands and skills
void check_gemini_command(const RepositoryFile& file, Reporter& reporter);
void check_codex_rules(const RepositoryFile& file, Reporter& reporter);
void check_hook_program(const RepositoryFile& file, Reporter& reporter);
void check_agent_setup(const RepositoryFile& file, Reporter& reporter);
void check_aider(const RepositoryFile& file, Reporter& reporter);
void check_agent_yaml(const RepositoryFile& file, Reporter& reporter);
void check_language_servers(const RepositoryFile& file, Reporter& reporter);
void check_agent_plugin(const RepositoryFile& file, Reporter& reporter);
// "NAME=value" of a file that sets variables; `line` is shown.
void check_set_variable(const RepositoryFile& file, size_t number, std::string_view line,
                        Reporter& reporter);
void check_variables(const RepositoryFile& file, Reporter& reporter);  // .env

// What agents and people read.
void check_imports(const RepositoryFile& file, Reporter& reporter);
void check_instructions(const RepositoryFile& file, Reporter& reporter);
void check_text(const RepositoryFile& file, Reporter& reporter);
void check_source(const RepositoryFile& file, Reporter& reporter);
void check_characters(const RepositoryFile& file, Reporter& reporter);  // of data, and of no kind
void check_document(const RepositoryFile& file, Reporter& reporter);    // docx, odt

// What git obeys.
void check_git_config(const RepositoryFile& file, Reporter& reporter);
void check_git_modules(const RepositoryFile& file, Reporter& reporter);
void check_git_file(const RepositoryFile& file, Reporter& reporter);
void check_git_hook(const RepositoryFile& file, Reporter& reporter);
void check_git_redirect(const RepositoryFile& file, Reporter& reporter);  // commondir, alternates

// Editors, shells and containers.
void check_editor_json(const RepositoryFile& file, Reporter& reporter);
void check_editor_tasks(const RepositoryFile& file, Reporter& reporter);
void check_editor_script(const RepositoryFile& file, Reporter& reporter);
void check_modelines(const RepositoryFile& file, Reporter& reporter);
void check_devcontainer(const RepositoryFile& file, Reporter& reporter);
void check_entering(const RepositoryFile& file, Reporter& reporter);
void check_entering_toml(const RepositoryFile& file, Reporter& reporter);

// Packages.
void check_package_json(const RepositoryFile& file, Reporter& reporter);
void check_requirements(const RepositoryFile& file, Reporter& reporter);
void check_go_mod(const RepositoryFile& file, Reporter& reporter);
void check_lock_file(const RepositoryFile& file, Reporter& reporter);
void check_package_rc(const RepositoryFile& file, Reporter& reporter);
void check_yarn1_rc(const RepositoryFile& file, Reporter& reporter);
void check_yarn_rc(const RepositoryFile& file, Reporter& reporter);
void check_cargo_config(const RepositoryFile& file, Reporter& reporter);
void check_python_start(const RepositoryFile& file, Reporter& reporter);
void check_loaded_program(const RepositoryFile& file, Reporter& reporter);
void check_java_options(const RepositoryFile& file, Reporter& reporter);
void check_rust_toolchain(const RepositoryFile& file, Reporter& reporter);
void check_bunfig(const RepositoryFile& file, Reporter& reporter);
void check_hook_commands(const RepositoryFile& file, Reporter& reporter);
void check_build_script(const RepositoryFile& file, Reporter& reporter);

// Continuous integration.
void check_workflow(const RepositoryFile& file, Reporter& reporter);
void check_gitlab(const RepositoryFile& file, Reporter& reporter);

// Reads settings; what cannot be read is a finding.
using SettingsReader = Result<Setting> (*)(std::string_view text);
std::optional<Setting> read_settings(const RepositoryFile& file, SettingsReader reader,
                                     Reporter& reporter);

// A command that fetches code and runs it, or sends away what it finds: the part that says so, or
// nothing.
std::optional<std::string_view> find_hostile(std::string_view command);
// Reports it, if it is one.
void check_command(const std::string& path, size_t line, std::string_view command,
                   Reporter& reporter);

// Of a maker of models: an API may lead there.
bool is_makers_endpoint(std::string_view url);

size_t line_at(std::string_view text, size_t at);
// Without the scheme: "registry.npmjs.org"; empty if there is none.
std::string host_of(std::string_view url);

}  // namespace ringwall::audit
