// The probes as a program, to be run bare. There every one of them must get through, or it proves
// nothing when it is stopped inside.
//
//   ringwall-probe FACTS.json [--acts] [P07 …]
//   ringwall-probe --terminal-script   prints the shell script of P21
//   ringwall-probe --judge-terminal    judges what a terminal was sent, given as input
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "base/file.h"
#include "probes/battery.h"
#include "probes/terminal_output.h"

namespace {

using ringwall::probes::run_builtin;

int print_script() {
  return ringwall::file::write_all(1, ringwall::probes::terminal_script()) ? 0 : 2;
}

int judge_input() {
  std::string arrived;
  char buffer[4096];
  ssize_t count;
  while ((count = read(0, buffer, sizeof buffer)) > 0)
    arrived.append(buffer, static_cast<size_t>(count));
  auto verdict = ringwall::probes::judge_terminal_output(arrived);
  return ringwall::probes::write_line("P21", verdict, true) ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--terminal-script") == 0) return print_script();
  if (argc == 2 && strcmp(argv[1], "--judge-terminal") == 0) return judge_input();
  if (argc < 2) {
    fprintf(stderr, "usage: ringwall-probe FACTS.json [--acts] [P07 ...]\n");
    return 2;
  }
  auto facts = ringwall::file::read(argv[1]);
  if (!facts) {
    fprintf(stderr, "ringwall-probe: %s\n", facts.error().text().c_str());
    return 2;
  }
  std::vector<std::string> arguments = {*facts};
  arguments.insert(arguments.end(), argv + 2, argv + argc);
  return run_builtin("verify", arguments);
}
