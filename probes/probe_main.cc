// The probes as a program, to be run bare. There every one of them must get through, or it proves
// nothing when it is stopped inside.
//
//   ringwall-probe FACTS.json [--acts] [P07 …]
//   ringwall-probe --terminal-script   prints the shell script of P21
//   ringwall-probe --judge-terminal    judges what a terminal was sent, given as input
//   ringwall-probe --serve SECRET      plants the servers, prints facts and grants, serves
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include <boost/json.hpp>

#include "base/file.h"
#include "probes/battery.h"
#include "probes/planted_servers.h"
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

// A line of facts, one of flags; then until somebody ends us.
int serve(const std::string& secret) {
  ringwall::probes::Outside facts;
  auto servers = ringwall::probes::PlantedServers::open(facts);
  if (!servers) return 2;
  boost::json::array flags;
  for (const std::string& flag : ringwall::probes::grants_for(facts))
    flags.emplace_back(flag);
  std::string lines = facts.to_json() + "\n" + boost::json::serialize(flags) + "\n";
  if (!ringwall::file::write_all(1, lines)) return 2;
  servers->serve(secret);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--terminal-script") == 0) return print_script();
  if (argc == 2 && strcmp(argv[1], "--judge-terminal") == 0) return judge_input();
  if (argc == 3 && strcmp(argv[1], "--serve") == 0) return serve(argv[2]);
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
