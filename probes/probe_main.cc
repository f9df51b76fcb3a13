// ringwall-probe FACTS.json [--acts] [P07 …]: the probes as a program, to be run bare. There every
// one of them must get through, or it proves nothing when it is stopped inside.
#include <cstdio>

#include "base/file.h"
#include "probes/battery.h"

int main(int argc, char** argv) {
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
  return ringwall::probes::run_builtin("verify", arguments);
}
