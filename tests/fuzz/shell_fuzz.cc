// Fuzz target: the analysis of shell commands. Whatever the text, it ends soon, says the same
// twice, and everything it says has a place in the text and in the list of acts.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "shell/analysis.h"
#include "shell/file_uses.h"
#include "shell/global_options.h"

using namespace ringwall::shell;

namespace {

void expect(bool holds, const char* what, std::string_view command) {
  if (holds) return;
  fprintf(stderr, "a promise is broken: %s\n%.*s\n", what, static_cast<int>(command.size()),
          command.data());
  abort();
}

void check_word(const Word& word, std::string_view command) {
  uint32_t before = 0;
  for (const Word::Gap& gap : word.gaps) {
    expect(gap.at >= before && gap.at <= word.text.size(), "a gap lies in its word", command);
    before = gap.at;
  }
}

void check_act(const Act& act, size_t index, const Analysis& found, std::string_view command) {
  expect(!act.words.empty(), "an act has words", command);
  for (const Word& word : act.words)
    check_word(word, command);
  for (const Word& word : act.as_written)
    check_word(word, command);
  for (const Redirection& redirection : act.redirections)
    check_word(redirection.target, command);
  for (const Assignment& assignment : act.assignments)
    check_word(assignment.value, command);
  for (size_t feeder : act.fed_by)
    expect(feeder < found.acts.size() && feeder != index, "who feeds it is an act", command);
  expect(act.place.first <= act.place.second && act.place.second <= command.size(),
         "an act has its place", command);
  expect(!act.folder || act.folder->starts_with('/'), "folders are absolute", command);
  for (const FileUse& use : files_of(act))
    check_word(use.path, command);
  without_global_options(act);
}

std::string shown(const Analysis& found) {
  std::string out;
  for (const Act& act : found.acts) {
    for (const Word& word : act.words)
      out += word.text + '\0';
    out += act.certain ? '+' : '-';
  }
  for (const Doubt& doubt : found.doubts)
    out += doubt.why;
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string command(reinterpret_cast<const char*>(data), size);
  Surroundings around{.folder = "/w", .home = "/home/me", .variables = {{"USER", "me"}}};
  Analysis found = analyse(command, around);
  for (size_t i = 0; i < found.acts.size(); i++)
    check_act(found.acts[i], i, found, command);
  for (const Doubt& doubt : found.doubts)
    expect(doubt.place.second <= command.size(), "a doubt has its place", command);
  // How long parsing took is no part of what is found.
  std::string once = shown(found), twice = shown(analyse(command, around));
  bool in_time = once.find("too long") == once.npos && twice.find("too long") == twice.npos;
  expect(!in_time || once == twice, "the same twice", command);
  return 0;
}
