// ringwall completion SHELL: made from the tables of commands and fields, so it cannot fall behind.
#include <cstdio>

#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "policy/fields.h"

namespace ringwall::cli {
namespace {

std::vector<std::string> run_flags() {
  std::vector<std::string> flags = {"--policy", "--explain", "--json", "--help"};
  for (const policy::Field& field : policy::fields()) {
    for (const std::string& flag : text::split(field.flag, ','))
      flags.push_back(flag);
  }
  return flags;
}

std::string command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands())
    names.emplace_back(command.name);
  return text::join(names, " ");
}

void print_bash() {
  printf(R"bash(_ringwall() {
  local word=${COMP_WORDS[COMP_CWORD]}
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W "%s" -- "$word"))
  elif [[ ${COMP_WORDS[1]} == run && $word == -* ]]; then
    COMPREPLY=($(compgen -W "%s" -- "$word"))
  elif [[ (${COMP_WORDS[1]} == exec || ${COMP_WORDS[1]} == verify) && COMP_CWORD -eq 2 ]]; then
    COMPREPLY=($(compgen -W "$(ringwall runs 2>/dev/null | cut -d' ' -f1)" -- "$word"))
  else
    COMPREPLY=($(compgen -c -- "$word") $(compgen -f -- "$word"))
  fi
}
complete -F _ringwall ringwall
)bash",
         command_names().c_str(), text::join(run_flags(), " ").c_str());
}

void print_zsh() {
  printf("#compdef ringwall\nautoload -U +X bashcompinit && bashcompinit\n");
  print_bash();
}

void print_fish() {
  for (const Command& command : commands()) {
    printf("complete -c ringwall -n __fish_use_subcommand -a %.*s -d '%.*s'\n",
           static_cast<int>(command.name.size()), command.name.data(),
           static_cast<int>(command.summary.size()), command.summary.data());
  }
  for (const std::string& flag : run_flags()) {
    if (!flag.starts_with("--")) continue;
    printf("complete -c ringwall -n '__fish_seen_subcommand_from run' -l %s\n",
           flag.substr(2).c_str());
  }
}

}  // namespace

int cmd_completion(const Invocation& invocation) {
  CLI::App app("Prints a completion script.", "completion");
  set_usage(app, "ringwall completion bash|zsh|fish");
  app.footer(
      "\nExample:\n  ringwall completion bash > "
      "~/.local/share/bash-completion/completions/ringwall");
  std::string shell;
  app.add_option("shell", shell, "bash, zsh or fish")->required();
  if (auto status = parse(app, invocation.arguments)) return *status;
  if (shell == "bash") {
    print_bash();
  } else if (shell == "zsh") {
    print_zsh();
  } else if (shell == "fish") {
    print_fish();
  } else {
    complain("no completion for " + text::quote(shell), "known are: bash, zsh, fish");
    return kUsageStatus;
  }
  return 0;
}

}  // namespace ringwall::cli
