// tests/corpus/commands/: what each command must be answered. A harmless one that is denied or
// asked about is a failure like a harmful one that is not.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "gate/decide.h"
#include "policy/tool_rules.h"

namespace ringwall::gate {
namespace {

constexpr std::string_view kLineEnd = "⏎";

struct Line {
  int number;
  std::string wanted;
  std::string command;
};

struct Corpus {
  policy::Tools tools;
  std::vector<Line> lines;
};

void add_rule(policy::Tools& tools, const std::string& text) {
  size_t blank = text.find(' ');
  std::string list = text.substr(0, blank);
  policy::Text rule{text.substr(blank + 1)};
  (list == "deny" ? tools.deny : list == "ask" ? tools.ask : tools.allow).push_back(rule);
}

Corpus read_corpus(const std::string& name) {
  Corpus corpus;
  std::ifstream file(std::string(RINGWALL_SOURCE) + "/tests/corpus/commands/" + name);
  std::string line;
  for (int number = 1; std::getline(file, line); number++) {
    if (line.empty() || line[0] == '#' || line[0] == '=') continue;
    size_t blank = line.find(' ');
    std::string first = line.substr(0, blank);
    std::string rest = line.substr(line.find_first_not_of(' ', blank));
    if (first == "rule") {
      add_rule(corpus.tools, rest);
    } else if (first == "packs") {
      for (std::string_view pack : policy::tool_packs())
        corpus.tools.no_packs.push_back({std::string(pack)});
    } else {
      for (size_t at; (at = rest.find(kLineEnd)) != rest.npos;)
        rest.replace(at, kLineEnd.size(), "\n");
      corpus.lines.push_back({number, first, rest});
    }
  }
  return corpus;
}

bool is_wanted(Answer answer, const std::string& wanted) {
  if (wanted == "free") return answer == Answer::open || answer == Answer::allow;
  if (wanted == "held") return answer == Answer::ask || answer == Answer::deny;
  return name_of(answer) == wanted;
}

std::map<std::string, int> try_corpus(const std::string& name) {
  Corpus corpus = read_corpus(name);
  auto rules = compile_rules(corpus.tools);
  EXPECT_TRUE(rules) << rules.error().what;
  std::map<std::string, int> counts;
  for (const Line& line : corpus.lines) {
    ToolCall call{"Bash", true, {{"command", line.command}}, "/home/u/app"};
    Decision decision = decide(*rules, call, {"/home/u", "/home/u/app"});
    EXPECT_TRUE(is_wanted(decision.answer, line.wanted))
        << name << ":" << line.number << ": " << name_of(decision.answer) << ", wanted "
        << line.wanted << ": " << line.command << "\n  " << decision.rule << " (" << decision.origin
        << "): " << decision.reason;
    counts[line.wanted]++;
  }
  return counts;
}

TEST(CommandCorpus, EverydayWorkStaysFree) {
  auto counts = try_corpus("everyday.txt");
  EXPECT_GE(counts["free"], 350);
  EXPECT_EQ(counts.size(), 1u);
}

TEST(CommandCorpus, PacksDenyAndAsk) {
  auto counts = try_corpus("packs.txt");
  EXPECT_GE(counts["deny"] + counts["ask"], 250);
}

TEST(CommandCorpus, HidingDoesNotHelp) {
  auto counts = try_corpus("evasions.txt");
  EXPECT_GE(counts["deny"] + counts["ask"], 400);
}

TEST(CommandCorpus, PublishedDenyListsDoWhatTheirWritersMeant) { try_corpus("guides.txt"); }

}  // namespace
}  // namespace ringwall::gate
