// What `ringwall top` shows, as lines of a screen: a picture of the runs in, text out. Nothing here
// looks at the world.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terminal/size.h"

namespace ringwall::cli {

// Texts are as they came, if nothing else is said: others chose them, and drawing quotes them.
struct TopRun {
  std::string name;
  std::string agent;
  std::string state;  // "running", "paused", "asks", "detached", "no answer"
  std::string since;  // "3h 12m"
  uint64_t refused = 0;
  uint64_t open = 0;     // connections
  uint64_t waiting = 0;  // requests
  std::string workspace;
  uint32_t risk = 0;             // millionths
  std::string level = "normal";  // of that
};

struct TopRequest {
  uint64_t id = 0;
  std::string destination;
  std::string program;
  int64_t seconds_left = 0;
};

struct TopRefusal {
  std::string time;   // "09:00:00"
  std::string kind;   // "blocked"
  std::string words;  // escaped already
};

struct TopProcess {
  int pid = 0;
  std::string name;
};

struct TopPicture {
  std::vector<TopRun> runs;
  size_t run = 0;  // the chosen one
  // Of the chosen run:
  std::vector<TopRequest> requests;
  size_t request = 0;                // the chosen one
  std::vector<TopRefusal> refusals;  // newest first
  std::vector<std::string> connections;
  std::vector<TopProcess> processes;
  std::vector<uint32_t> risks;  // from its start to now, evenly spread, millionths

  bool in_requests = false;  // the arrows move there
  bool shows_help = false;
  std::string clock;     // "09:00:00"
  std::string message;   // escaped already; what became of the last key
  std::string question;  // escaped already; waits for y or n
};

struct DrawnLine {
  enum class Look { plain, bold, dim, chosen, asks, refused } look = Look::plain;
  std::string text;  // never wider than the screen
  bool operator==(const DrawnLine&) const = default;
};

// Exactly as many lines as the screen has.
std::vector<DrawnLine> draw_top(const TopPicture& picture, terminal::Size size);

// As many lines as it takes, for scripts and pipes: all runs, and all there is of the chosen one.
std::vector<DrawnLine> draw_top_once(const TopPicture& picture, size_t columns);

}  // namespace ringwall::cli
