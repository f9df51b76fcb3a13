// Where granted names lead: asks the resolver, a process of its own that starts with the first
// name, and remembers for a moment what it said. One name is asked for once, however many wait for
// it. Nothing here waits.
//
// A name that nobody answers holds a thread of the resolver for long. Whoever is granted a wildcard
// can make up such names, so names below one have a share of the threads, and all of those below
// wildcards together leave room for the names that were granted one by one.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/outbox.h"
#include "base/result.h"
#include "net/addresses.h"
#include "processes/helper_process.h"

namespace ringwall::desks {

class NameLookup {
 public:
  // `error`: of getaddrinfo, 0: it worked.
  using Found = std::function<void(uint32_t id, const std::string& name, int error,
                                   const std::vector<net::Address>& addresses)>;
  using Watch = std::function<bool(int fd)>;
  // The resolver's channel is watched by `watch`, once there is one.
  NameLookup(std::span<char> start_area, Watch watch, Found found)
      : start_area_(start_area), watch_(std::move(watch)), found_(std::move(found)) {}

  // `below`: the wildcard by which it was granted, or empty.
  void ask(uint32_t id, const std::string& name, const std::string& below);
  // Whoever asked is gone.
  void forget(uint32_t id);

  // The channel can be read. An error: the resolver is gone.
  using TakeAct = std::function<void(std::string_view act, int err, bool done)>;
  Status take_notice(const TakeAct& take_act);
  Status flush() { return to_resolver_.flush(); }

  // Has the resolver try what it must not be able to do; false: there is none.
  bool try_acts();
  void end() { resolver_.end(); }

 private:
  struct Question {
    std::string below;
    std::vector<uint32_t> waiting;
    bool is_asked = false;
  };
  struct Known {
    int64_t until = 0;
    std::vector<net::Address> addresses;
  };

  Status start_resolver();
  bool has_room(const std::string& below) const;
  void put(const std::string& name, Question& question);
  void put_the_next();
  void finish(const std::string& name, int error, const std::vector<net::Address>& addresses);

  std::span<char> start_area_;
  Watch watch_;
  Found found_;
  processes::HelperLink resolver_;
  channel::Outbox to_resolver_;
  std::map<std::string, Question> questions_;  // by name
  std::map<uint32_t, std::string> asked_;      // the numbers that the resolver knows them by
  std::map<uint32_t, std::string> waits_for_;  // who waits, the name
  std::map<std::string, size_t> held_below_;   // a wildcard, threads
  size_t held_by_wildcards_ = 0;
  std::deque<std::string> put_off_;  // until there is room
  std::map<std::string, Known> known_;
  uint32_t next_ = 1;
};

}  // namespace ringwall::desks
