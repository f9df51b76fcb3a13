// How long the gate takes for one tool call: 500 rules and a shell command of 2,000 characters,
// with the packs on. Prints the median in microseconds of the whole decision, of the parsing in it,
// and of making the rules ready once.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "gate/decide.h"
#include "shell/analysis.h"

namespace {

using namespace ringwall;

constexpr int kRounds = 2001;
constexpr size_t kLength = 2000;

policy::Tools make_rules() {
  policy::Tools tools;
  for (int i = 0; i < 200; i++)
    tools.deny.push_back({"Bash(tool" + std::to_string(i) + " --danger *)"});
  for (int i = 0; i < 100; i++)
    tools.deny.push_back({"Read(./secret" + std::to_string(i) + "/**)"});
  for (int i = 0; i < 100; i++)
    tools.ask.push_back({"Bash(git sub" + std::to_string(i) + " *)"});
  for (int i = 0; i < 100; i++)
    tools.allow.push_back({"Bash(npm run task" + std::to_string(i) + ")"});
  return tools;
}

std::string make_command() {
  const std::string parts[] = {"git -C sub status --short && ", "npm run task7 -- --flag=value; ",
                               "grep -rn 'some text' src/a.c include/b.h | sort -u; ",
                               "FOO=bar cargo test --release -- name > build/log.txt 2>&1 && "};
  std::string command;
  for (size_t i = 0; command.size() + parts[i % 4].size() + 8 < kLength; i++)
    command += parts[i % 4];
  command += "echo ";
  return command + std::string(kLength - command.size(), 'x');
}

template <class Act>
double median_us(int rounds, Act act) {
  std::vector<double> times;
  for (int i = 0; i < rounds; i++) {
    auto begin = std::chrono::steady_clock::now();
    act();
    std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    times.push_back(took.count());
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[static_cast<size_t>(rounds / 2)];
}

}  // namespace

int main() {
  policy::Tools tools = make_rules();
  auto rules = gate::compile_rules(tools);
  if (!rules) {
    fprintf(stderr, "%s\n", rules.error().text().c_str());
    return 1;
  }
  std::string command = make_command();
  gate::ToolCall call{"Bash", true, {{"command", command}}, "/home/u/app"};
  gate::Place place{"/home/u", "/home/u/app"};
  double whole = median_us(kRounds, [&] { (void)gate::decide(*rules, call, place); });
  double parse = median_us(kRounds, [&] {
    (void)shell::analyse(command, {"/home/u/app", "/home/u"});
  });
  double compile = median_us(kRounds / 10, [&] { (void)gate::compile_rules(tools); });
  printf("%.1f %.1f %.1f\n", whole, parse, compile);
  return 0;
}
