// What every command of the program is: a name, a line for the help, and a function.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::cli {

struct Invocation {
  std::vector<std::string> arguments;  // after the command's name
  std::span<char> start_area;  // memory of arguments and environment, wiped in the sandbox's pid 1
};

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Invocation& invocation);
  std::string_view flags = "";  // for completion: its own beside --help and those of policy fields
};

std::span<const Command> commands();

int cmd_run(const Invocation& invocation);
int cmd_learn(const Invocation& invocation);
int cmd_verify(const Invocation& invocation);
int cmd_doctor(const Invocation& invocation);
int cmd_install(const Invocation& invocation);
int cmd_installed(const Invocation& invocation);
int cmd_uninstall(const Invocation& invocation);
int cmd_off(const Invocation& invocation);
int cmd_start(const Invocation& invocation);
int cmd_ls(const Invocation& invocation);
int cmd_history(const Invocation& invocation);
int cmd_undo(const Invocation& invocation);
int cmd_inspect(const Invocation& invocation);
int cmd_top(const Invocation& invocation);
int cmd_rm(const Invocation& invocation);
int cmd_log(const Invocation& invocation);
int cmd_allow(const Invocation& invocation);
int cmd_deny(const Invocation& invocation);
int cmd_approve(const Invocation& invocation);
int cmd_reject(const Invocation& invocation);
int cmd_stop(const Invocation& invocation);
int cmd_kill(const Invocation& invocation);
int cmd_exec(const Invocation& invocation);
int cmd_attach(const Invocation& invocation);
int cmd_pause(const Invocation& invocation);
int cmd_resume(const Invocation& invocation);
int cmd_replay(const Invocation& invocation);
int cmd_clean(const Invocation& invocation);
int cmd_quarantine(const Invocation& invocation);
int cmd_import(const Invocation& invocation);
int cmd_explain(const Invocation& invocation);
int cmd_programs(const Invocation& invocation);
int cmd_policy(const Invocation& invocation);
int cmd_profiles(const Invocation& invocation);
int cmd_mcp(const Invocation& invocation);
int cmd_diff(const Invocation& invocation);
int cmd_apply(const Invocation& invocation);
int cmd_shell(const Invocation& invocation);
int cmd_discard(const Invocation& invocation);
int cmd_risk(const Invocation& invocation);
int cmd_trust(const Invocation& invocation);
int cmd_hook(const Invocation& invocation);
int cmd_audit(const Invocation& invocation);
int cmd_guard(const Invocation& invocation);
int cmd_completion(const Invocation& invocation);
int cmd_version(const Invocation& invocation);
int cmd_help(const Invocation& invocation);

}  // namespace ringwall::cli
