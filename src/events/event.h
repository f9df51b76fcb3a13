// What happened, as typed values: one struct per kind of event, one place that turns them into JSON
// and into a line for a person.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ringwall::events {

struct RunStarted {
  std::string run;
  std::string workspace;
  std::vector<std::string> command;
  std::vector<std::string> widenings;      // "files.read=/data (--ro)"
  std::vector<std::string> missing_walls;  // optional walls that this host does not have
};

struct RunEnded {
  std::string run;
  int exit_status = 0;
};

// Ringwall refused to do something; nothing ran.
struct Refused {
  std::string wall;  // empty: the input was wrong
  std::string what;
  std::string hint;
};

// The command could not be started inside.
struct CannotRun {
  std::string program;
  std::string what;
  std::string hint;
};

// Something was kept from the agent that the person may expect to be there.
struct Withheld {
  std::string what;
  std::string hint;
};

// Something appeared that a program outside would run, and was taken away.
struct Planted {
  std::string run;
  std::string path;
  std::string rule;  // the pattern that it fell under
  std::string why;
  std::string item;  // of the quarantine; empty: it was not kept
};

// The front end has left and the run goes on.
struct Detached {
  std::string run;
  bool replaced = false;  // by another front end
};

// A limit was reached. Told once for each limit, until the run was let go on beyond it.
struct LimitReached {
  enum class Then {
    refused,  // the kernel refuses more, the run goes on
    killed,   // the kernel has ended a process of the run
    paused,   // everything inside stands still until a person decides
    ended,    // the run is being ended
  };
  std::string run;
  std::string limit;  // of the policy: "memory"
  Then then = Then::refused;
  std::string what;  // "uses 4.1G of memory, and 4G are allowed"
  std::string flag;  // what raises it: "--memory"
};

using Event = std::variant<RunStarted, RunEnded, Refused, CannotRun, Withheld, LimitReached,
                           Planted, Detached>;

// One line of JSON without the newline.
std::string to_json(const Event& event);

// One or two lines for a terminal, empty if the event is nothing to tell: silent on success.
std::string to_text(const Event& event, bool colours);

}  // namespace ringwall::events
