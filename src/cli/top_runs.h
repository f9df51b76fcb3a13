// The runs that `ringwall top` shows: found in the registry, each asked over a connection that
// stays open; and of one of them its processes and what was refused last.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/top_draw.h"
#include "clients/run_link.h"
#include "events/record_follow.h"
#include "risk/replay.h"
#include "state/places.h"

namespace ringwall::cli {

class TopRuns {
 public:
  static Result<TopRuns> open();

  // Who has come, and who is gone.
  Status list(int64_t now);
  // The one of that name is looked at closely.
  void ask(int64_t now, const std::string& chosen);
  void ask_all_closely(int64_t now);
  // Takes what they say. False if no answer is awaited any more.
  bool listen(int64_t now);

  std::vector<clients::RunLink>& links() { return links_; }
  clients::RunLink* find(const std::string& name);
  const std::string& state() const { return places_.state; }
  std::vector<TopRun> table(int64_t now) const;

 private:
  explicit TopRuns(state::Places places) : places_(std::move(places)) {}

  state::Places places_;
  std::vector<clients::RunLink> links_;  // in the order of their names
};

// What is looked up of one run outside its supervisor.
class RunWatch {
 public:
  RunWatch(std::string state, std::string run) : state_(std::move(state)), run_(std::move(run)) {}

  const std::string& run() const { return run_; }
  // Processes are listed once a second at most: each costs a look at /proc.
  void look(const boost::json::object& description, int64_t now);
  // Takes its part of the picture, and the description's.
  void fill(const clients::RunLink& link, TopPicture& picture) const;

 private:
  void read_record(const boost::json::object& description);
  std::vector<uint32_t> curve(const clients::RunLink& link) const;

  std::string state_;
  std::string run_;
  std::optional<events::RecordReader> record_;
  std::deque<TopRefusal> refusals_;  // newest first
  risk::Replay risk_;
  std::vector<TopProcess> processes_;
  int64_t listed_at_ = 0;
};

}  // namespace ringwall::cli
