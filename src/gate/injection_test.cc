#include "gate/injection.h"

#include <gtest/gtest.h>

namespace ringwall::gate {
namespace {

Answer answer(std::string name, std::string value) {
  return judge_assignment({std::move(name), {std::move(value)}}).answer;
}

TEST(Injection, WhatMakesProgramsRunOtherCodeAsks) {
  const std::pair<const char*, const char*> cases[] = {
      {"LD_PRELOAD", "x.so"},     {"LD_AUDIT", "x.so"},
      {"PATH", "/tmp"},           {"BASH_ENV", "x"},
      {"NODE_OPTIONS", "-r ./x"}, {"NODE_OPTIONS", "--import=./x"},
      {"PYTHONPATH", "/tmp/x"},   {"PYTHONPATH", "../x"},
      {"PYTHONSTARTUP", "x"},     {"PAGER", "./x"},
      {"GIT_PAGER", "sh"},        {"EDITOR", "./x"},
      {"GIT_SSH_COMMAND", "x"},   {"JAVA_TOOL_OPTIONS", "-javaagent:x"},
      {"RUBYOPT", "-r./x"},       {"MANPAGER", "sh"},
      {"HOME", "/tmp/x"},         {"ANTHROPIC_BASE_URL", "x"}};
  for (const auto& [name, value] : cases)
    EXPECT_EQ(answer(name, value), Answer::ask) << name << "=" << value;
}

TEST(Injection, EverydayVariablesDoNot) {
  const std::pair<const char*, const char*> cases[] = {
      {"FOO", "bar"},
      {"CI", "1"},
      {"NODE_OPTIONS", "--max-old-space-size=4096"},
      {"PYTHONPATH", "src"},
      {"PYTHONPATH", "src:lib"},
      {"PAGER", "cat"},
      {"GIT_PAGER", "cat"},
      {"GIT_EDITOR", "true"},
      {"EDITOR", ":"},
      {"GIT_AUTHOR_NAME", "x"},
      {"JAVA_TOOL_OPTIONS", "-Xmx1g"},
      {"PYTHONUNBUFFERED", "1"},
      {"CC", "clang"}};
  for (const auto& [name, value] : cases)
    EXPECT_EQ(answer(name, value), Answer::open) << name << "=" << value;
}

TEST(Injection, AnUnknownValueIsNotTame) {
  shell::Word unknown;
  unknown.gaps = {{0}};
  EXPECT_EQ(judge_assignment({"PAGER", unknown}).answer, Answer::ask);
  EXPECT_EQ(judge_assignment({"FOO", unknown}).answer, Answer::open);
}

}  // namespace
}  // namespace ringwall::gate
