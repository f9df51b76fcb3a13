// Who hears the messages of a run: the person who started it, and whoever attaches later. None of
// them can hold it up by not reading.
#pragma once

#include <poll.h>

#include <functional>
#include <list>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/slow_reader.h"
#include "events/event.h"

namespace ringwall::session {

// In milliseconds, for the last messages at the end of a command.
inline constexpr int kLastWordsPatience = 1000;

class Listeners {
 public:
  // A line, or nothing for what is not for people.
  using Words = std::function<std::string(const events::Event&)>;

  // `person` stays the caller's.
  Listeners(int person, Words words) { all_.emplace_back(SlowReader(person), std::move(words)); }

  void tell(const events::Event& event);
  void show(const std::string& lines);
  // At a terminal of its own, which hears plain lines.
  void add(Fd listener);

  // Those who have not read all are waited for until there is room.
  void add_waits(std::vector<pollfd>& waits) const;
  void flush();
  // The last of it, for whoever reads within that time (negative: for as long as it takes) and
  // before a signal comes that ends us; `signals` may be -1.
  void finish(int signals, int milliseconds);

 private:
  struct Listener {
    SlowReader reader;
    Words words;
    size_t left_out = 0;  // messages that there was no room for
  };
  void show(Listener& listener, const std::string& lines);
  void flush(Listener& listener);
  void drop_gone();

  std::list<Listener> all_;
};

}  // namespace ringwall::session
