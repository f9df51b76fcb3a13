// What was asked of the network in a run: counted, told to the person once, and noted in the
// record; and the connections that are open.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "events/event.h"
#include "net/addresses.h"
#include "net/relay_protocol.h"

namespace ringwall::desks {

// Where events go.
struct EventWays {
  std::function<void(const events::Event&)> tell;  // to the person, and to the record
  std::function<void(const events::Event&)> note;  // to the record alone
};

class NetworkLedger {
 public:
  void open(std::string run, pid_t init, EventWays ways);

  // A run that learns tells of all in its own way.
  void keep_quiet_of_more() { told_of_more_ = true; }

  const std::string& run() const { return run_; }
  pid_t init() const { return init_; }  // of the sandbox
  const EventWays& ways() const { return ways_; }
  // The name of who asks; empty if it is gone already.
  std::string program_of(const net::Asker& asker) const;

  enum class By { rule, content, risk };
  // `more`: the same again, so many times.
  void refused(const net::Destination& to, const net::Asker& asker, const std::string& why,
               const std::string& advice, uint64_t more = 0, By by = By::rule);

  // Granted, but nobody was there.
  void not_reached(const net::Destination& to, const std::string& why);

  struct Open {
    net::Destination to;
    std::optional<net::Address> peer;  // whom it was made to; none: a proxy knows
  };
  void opened(uint32_t id, Open connection, const std::string& rule, bool expected);
  void sent(uint32_t id, uint64_t bytes);
  void closed(uint32_t id, uint64_t bytes);
  // What has left and was too little to be told of yet.
  void tell_sent();
  bool has_reached(const net::Destination& to) const;
  const std::map<uint32_t, Open>& open_connections() const { return open_; }

  uint64_t count_opened() const { return opened_; }
  events::NetworkUse describe_use() const;

 private:
  struct Uploaded {
    uint64_t total = 0;
    uint64_t unsaid = 0;
    bool expected = false;  // a profile names it
  };

  void tell_of_more();
  void count(const std::string& where, const std::string& why, uint64_t times);
  void say(const std::string& where, Uploaded& uploaded);

  std::string run_;
  pid_t init_ = -1;
  EventWays ways_;
  std::set<std::string> told_;
  bool told_of_more_ = false;
  std::map<std::pair<std::string, std::string>, size_t> counted_;  // destination, why not
  std::map<uint32_t, Open> open_;
  std::map<std::string, Uploaded> uploaded_;  // whatever was reached
  uint64_t unsaid_ = 0;                       // of all of them
  uint64_t opened_ = 0;
};

}  // namespace ringwall::desks
