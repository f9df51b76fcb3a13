// ringwall completion SHELL: made from the tables of commands and fields, so it cannot fall behind.
#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "gate/dialect.h"
#include "install/agents.h"
#include "policy/caches.h"
#include "policy/fields.h"
#include "policy/profiles.h"

namespace ringwall::cli {
namespace {

constexpr const char* kShells = "bash zsh fish";

std::string command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands())
    names.emplace_back(command.name);
  return text::join(names, " ");
}

std::string cache_names() {
  std::vector<std::string> names;
  for (const policy::Cache& cache : policy::caches())
    names.emplace_back(cache.name);
  return text::join(names, " ");
}

std::string profile_names() {
  std::vector<std::string> names;
  for (const policy::Profile& profile : policy::profiles())
    names.emplace_back(profile.name);
  return text::join(names, " ");
}

std::string agent_names() {
  std::vector<std::string> names;
  for (const gate::Dialect& dialect : gate::dialects())
    names.emplace_back(dialect.name);
  return text::join(names, " ");
}

// "-w --workspace" of the fields of which `wanted` is true.
template <class Wanted>
std::vector<std::string> field_flags(Wanted wanted) {
  std::vector<std::string> flags;
  for (const policy::Field& field : policy::fields()) {
    if (!wanted(field)) continue;
    for (const std::string& flag : text::split(field.flag, ','))
      flags.push_back(flag);
  }
  return flags;
}

std::vector<std::string> flags_with(policy::Shape shape) {
  return field_flags([&](const policy::Field& field) { return field.shape == shape; });
}

std::vector<std::string> flags_with_files() {
  std::vector<std::string> flags = flags_with(policy::Shape::path);
  flags.insert(flags.end(), {"--policy", "--cast", "--output", "--revoke", "--write", "--html"});
  return flags;
}

std::vector<std::string> flags_with_a_value() {
  auto flags = field_flags([](const auto& field) { return field.shape != policy::Shape::on_off; });
  flags.insert(flags.end(), {"--policy", "--cast", "--detach-keys", "--write"});
  return flags;
}

std::string flags_of(const Command& command) {
  std::string flags = std::string(command.flags) + (command.flags.empty() ? "" : " ") + "--help";
  bool like_run = command.name == "run" || command.name == "learn" || command.name == "explain" ||
                  command.name == "policy" || command.name == "mcp" || command.name == "programs";
  if (!like_run) return flags;
  return flags + " " + text::join(field_flags([](const auto&) { return true; }), " ");
}

// The lines `NAME) flags="…" ;;` of a case statement.
std::string flag_cases() {
  std::string cases;
  for (const Command& command : commands()) {
    if (command.name == "help" || command.name == "version") continue;
    cases += "    " + std::string(command.name) + ") flags=\"" + flags_of(command) + "\" ;;\n";
  }
  return cases;
}

// The parts in angle brackets are filled in from the tables. No `mapfile` and no `<(…)`: zsh reads
// this too.
constexpr const char* kBash = R"bash(_ringwall_words() { COMPREPLY=($(compgen -W "$1" -- "$2")); }
_ringwall_files() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$1"))
}
_ringwall_items() { ringwall quarantine list 2>/dev/null | sed '1d;s/ .*//'; }
_ringwall_records() { ringwall log --list 2>/dev/null | sed 's/@.*//' | sort -u; }
_ringwall_history() { ringwall history 2>/dev/null | sed '1d' | awk '{ print $3 }'; }
_ringwall_runs() { ringwall ls --names 2>/dev/null; }

# The place of the first word of the command that is to be run, 0 if there is none yet.
_ringwall_command_at() {
  local at
  for ((at = 2; at < COMP_CWORD; at++)); do
    case ${COMP_WORDS[at]} in
      --) echo $((at + 1)); return ;;
      =) at=$((at + 1)) ;;
      <value>) [[ ${COMP_WORDS[at + 1]} == = ]] || at=$((at + 1)) ;;
      -*) ;;
      *) echo "$at"; return ;;
    esac
  done
  if [[ ${COMP_WORDS[at]} != -* && $at == "$COMP_CWORD" ]]; then echo "$at"; else echo 0; fi
}

_ringwall_run() {
  local word=$1 before=$2 at
  at=$(_ringwall_command_at)
  if ((at > 0 && at < COMP_CWORD)); then
    _ringwall_files "$word"
    return
  fi
  case $before in
    <cache>) _ringwall_words "<caches>" "$word" ;;
    <profile>) _ringwall_words "<profiles>" "$word" ;;
    <file>) _ringwall_files "$word" ;;
    <variable>) COMPREPLY=($(compgen -A export -- "$word")) ;;
    <value>) COMPREPLY=() ;;
    *)
      if [[ $word == -* ]]; then
        _ringwall_words "$flags" "$word"
      else
        COMPREPLY=($(compgen -c -- "$word"))
        [[ $word != */* ]] || _ringwall_files "$word"
      fi
      ;;
  esac
}

_ringwall() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} flags=
  if [[ $word == = ]]; then word=; fi
  if [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  case ${COMP_WORDS[1]} in
<flags>  esac
  if ((COMP_CWORD == 1)); then
    _ringwall_words "<commands>" "$word"
    return
  fi
  case ${COMP_WORDS[1]},$word in
    run,* | learn,*) _ringwall_run "$word" "$before" ;;
    *,-*) _ringwall_words "$flags" "$word" ;;
    completion,*) _ringwall_words "<shells>" "$word" ;;
    help,*) _ringwall_words "<commands>" "$word" ;;
    diff,* | apply,*)
      if [[ " ${COMP_WORDS[*]} " == *" -- "* ]]; then
        _ringwall_files "$word"
      elif [[ $before == --color ]]; then
        _ringwall_words "auto always never" "$word"
      else
        _ringwall_words "$(_ringwall_records)" "$word"
      fi
      ;;
    log,* | rm,*) _ringwall_words "$(_ringwall_records)" "$word" ;;
    undo,*)
      if ((COMP_CWORD == 2)); then
        _ringwall_words "$(_ringwall_history)" "$word"
      else
        _ringwall_files "$word"
      fi
      ;;
    inspect,* | top,* | allow,* | deny,* | stop,* | kill,* | \
      verify,* | attach,* | pause,* | resume,*) _ringwall_words "$(_ringwall_runs)" "$word" ;;
    approve,* | reject,*)
      if ((COMP_CWORD == 2)); then
        _ringwall_words "$(_ringwall_runs)" "$word"
      else
        _ringwall_words "once session 1h always" "$word"
      fi
      ;;
    quarantine,*)
      case $before in
        quarantine) _ringwall_words "list show restore remove" "$word" ;;
        --to) _ringwall_files "$word" ;;
        --run) COMPREPLY=() ;;
        *) _ringwall_words "$(_ringwall_items)" "$word" ;;
      esac
      ;;
    hook,*)
      case $before in
        hook) _ringwall_words "print" "$word" ;;
        --agent) _ringwall_words "<agents>" "$word" ;;
        *) COMPREPLY=() ;;
      esac
      ;;
    install,* | installed,* | uninstall,* | off,* | start,*)
      case $before in
        --for) _ringwall_words "30m 1h 4h" "$word" ;;
        --reason) COMPREPLY=() ;;
        *) _ringwall_words "<installable>" "$word" ;;
      esac
      ;;
    import,*)
      if ((COMP_CWORD == 2)); then
        _ringwall_words "claude srt" "$word"
      else
        _ringwall_files "$word"
      fi
      ;;
    explain,* | policy,*)
      if ((COMP_CWORD == 2)); then
        case ${COMP_WORDS[1]} in
          explain) _ringwall_words "read write connect env exec command tool risk" "$word" ;;
          *) _ringwall_words "show check schema" "$word" ;;
        esac
      elif [[ ${COMP_WORDS[2]} == env ]]; then
        COMPREPLY=($(compgen -A export -- "$word"))
      elif [[ ${COMP_WORDS[2]} == exec ]]; then
        COMPREPLY=($(compgen -c -- "$word"))
      elif [[ ${COMP_WORDS[2]} == risk ]]; then
        _ringwall_words "$(_ringwall_runs)" "$word"
      elif [[ ${COMP_WORDS[2]} != connect ]]; then
        _ringwall_files "$word"
      fi
      ;;
    risk,*)
      if ((COMP_CWORD == 2)); then
        _ringwall_words "lower replay plot" "$word"
      elif [[ $before == --output || $before == -o ]]; then
        _ringwall_files "$word"
      elif [[ ${COMP_WORDS[2]} == lower ]]; then
        _ringwall_words "$(_ringwall_runs)" "$word"
      else
        _ringwall_words "$(_ringwall_records)" "$word"
      fi
      ;;
    programs,*)
      if ((COMP_CWORD == 2)); then
        _ringwall_words "hash list why deny allow" "$word"
      elif [[ ${COMP_WORDS[2]} == hash ]]; then
        _ringwall_files "$word"
      else
        COMPREPLY=($(compgen -c -- "$word"))
      fi
      ;;
    audit,*)
      if ((COMP_CWORD == 2)); then
        _ringwall_words "repo" "$word"
      else
        _ringwall_files "$word"
      fi
      ;;
    replay,* | trust,*) _ringwall_files "$word" ;;
    profiles,*) _ringwall_words "<profiles>" "$word" ;;
    exec,*)
      if ((COMP_CWORD == 2)); then
        _ringwall_words "$(_ringwall_runs)" "$word"
      else
        _ringwall_files "$word"
      fi
      ;;
    *) COMPREPLY=() ;;
  esac
}
complete -F _ringwall ringwall
)bash";

std::string bash_script() {
  const std::pair<std::string_view, std::string> parts[] = {
      {"<value>", text::join(flags_with_a_value(), "|")},
      {"<file>", text::join(flags_with_files(), "|")},
      {"<cache>", text::join(flags_with(policy::Shape::cache), "|")},
      {"<variable>", text::join(flags_with(policy::Shape::variable), "|")},
      {"<caches>", cache_names()},
      {"<profile>", text::join(flags_with(policy::Shape::profile), "|")},
      {"<profiles>", profile_names()},
      {"<agents>", agent_names()},
      {"<installable>", text::join(install::agent_names(), " ")},
      {"<commands>", command_names()},
      {"<shells>", kShells},
      {"<flags>", flag_cases()},
  };
  std::string script = kBash;
  for (const auto& [mark, words] : parts) {
    for (size_t at = 0; (at = script.find(mark, at)) != std::string::npos; at += words.size())
      script.replace(at, mark.size(), words);
  }
  return script;
}

std::string fish_line(const std::string& command, const std::string& rest) {
  return "complete -c ringwall -n '__fish_seen_subcommand_from " + command + "' " + rest + "\n";
}

// What fish is told about the value of a flag.
std::string fish_value(const std::string& flag) {
  auto is_among = [&](const std::vector<std::string>& flags) {
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
  };
  if (is_among(flags_with(policy::Shape::cache))) return " -x -a '" + cache_names() + "'";
  if (is_among(flags_with(policy::Shape::profile))) return " -x -a '" + profile_names() + "'";
  if (flag == "--color") return " -x -a 'auto always never'";
  if (flag == "--for" || flag == "--reason") return " -x";
  if (flag == "--agent") return " -x -a '" + agent_names() + "'";
  if (is_among(flags_with_files())) return " -r -F";
  return is_among(flags_with_a_value()) ? " -x" : "";
}

std::string fish_script() {
  std::string script;
  for (const Command& command : commands()) {
    std::string name(command.name);
    script += "complete -c ringwall -n __fish_use_subcommand -f -a " + name + " -d '" +
              std::string(command.summary) + "'\n";
    for (const std::string& flag : text::split(flags_of(command), ' ')) {
      if (flag.starts_with("--"))
        script += fish_line(name, "-l " + flag.substr(2) + fish_value(flag));
    }
  }
  return script + fish_line("completion", std::string("-f -a '") + kShells + "'") +
         fish_line("audit", "-a repo") + fish_line("import", "-a 'claude srt'") +
         fish_line("hook", "-f -a print") +
         fish_line("install installed uninstall off start",
                   "-f -a '" + text::join(install::agent_names(), " ") + "'") +
         fish_line("profiles", "-f -a '" + profile_names() + "'") +
         fish_line("explain", "-a 'read write connect env exec command tool risk'") +
         fish_line("programs", "-a 'hash list why deny allow'") +
         fish_line("risk", "-a 'lower replay plot'") +
         fish_line("policy", "-a 'show check schema'") +
         fish_line(
             "attach pause resume verify exec inspect top allow deny approve reject stop kill",
             "-f -a '(ringwall ls --names 2>/dev/null)'") +
         fish_line("apply diff log rm",
                   "-f -a '(ringwall log --list 2>/dev/null | string replace -r @.\\* "
                   "\"\" | sort -u)'") +
         fish_line("approve reject", "-a 'once session 1h always'") +
         fish_line("quarantine", "-f -a 'list show restore remove'");
}

}  // namespace

int cmd_completion(const Invocation& invocation) {
  CommandLine line("Prints a completion script.", "completion",
                   "ringwall completion bash|zsh|fish");
  line.footer(
      "Example:\n  ringwall completion bash > "
      "~/.local/share/bash-completion/completions/ringwall");
  std::string shell;
  line.add_option("SHELL", shell, "bash, zsh or fish");
  if (auto status = line.parse(invocation.arguments)) return *status;
  if (shell == "bash") {
    fputs(bash_script().c_str(), stdout);
  } else if (shell == "zsh") {
    printf("#compdef ringwall\nautoload -U +X bashcompinit && bashcompinit\n%s",
           bash_script().c_str());
  } else if (shell == "fish") {
    fputs(fish_script().c_str(), stdout);
  } else {
    complain(shell.empty() ? "which shell?" : "no completion for " + text::quote(shell),
             "known are: bash, zsh, fish");
    return kUsageStatus;
  }
  return 0;
}

}  // namespace ringwall::cli
