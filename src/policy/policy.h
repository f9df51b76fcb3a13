// What is wanted: one immutable value, made by the loader from defaults, a file and the command
// line. Every value remembers where it came from, for --explain and for messages.
#pragma once

#include <string>
#include <vector>

namespace ringwall::policy {

struct Text {
  std::string value;
  std::string origin = "default";
};

struct Switch {
  bool on = false;
  std::string origin = "default";
};

struct Policy {
  struct Run {
    Text name;
  } run;

  struct Files {
    Text workspace;
    std::vector<Text> read;
    std::vector<Text> write;
  } files;

  struct Home {
    Text name;
    Switch fresh;
    std::vector<Text> keep;
    std::vector<Text> caches;
  } home;

  struct Environment {
    std::vector<Text> pass;
    std::vector<Text> set;
  } environment;

  struct Git {
    Switch hooks;
  } git;
};

}  // namespace ringwall::policy
