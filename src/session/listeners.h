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

class Listeners {
 public:
  // A line, or nothing for what is not for people.
  using Words = std::function<std::string(const events::Event&)>;

  // `person` stays the caller's.
  Listeners(int person, Words words) : words_(std::move(words)) { all_.emplace_back(person); }

  void tell(const events::Event& event) { show(words_(event)); }
  void show(const std::string& lines);
  void add(Fd listener) { all_.emplace_back(std::move(listener)); }

  // Those who have not read all are waited for until there is room.
  void add_waits(std::vector<pollfd>& waits) const;
  void flush();
  // The last of it, for whoever reads within that time (negative: for as long as it takes) and
  // before a signal comes that ends us; `signals` may be -1.
  void finish(int signals, int milliseconds);

 private:
  struct Listener {
    SlowReader reader;
    size_t left_out = 0;  // messages that there was no room for
    explicit Listener(int fd) : reader(fd) {}
    explicit Listener(Fd fd) : reader(std::move(fd)) {}
  };
  void flush(Listener& listener);
  void drop_gone();

  Words words_;
  std::list<Listener> all_;
};

}  // namespace ringwall::session
