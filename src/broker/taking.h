// Takes away what has to go, and tells of it when everything inside goes on again: until then, who
// plants must not know what was seen. Whoever plants again and again waits longer each time.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "broker/broker_line.h"
#include "broker/plant_patience.h"
#include "broker/quarantine.h"
#include "broker/vet.h"
#include "files/watched_tree.h"

namespace ringwall::broker {

class Taking {
 public:
  Taking(const std::vector<files::WatchedTree>& trees, Quarantine& quarantine,
         const std::string& run_name, BrokerLine& line)
      : trees_(trees), quarantine_(quarantine), run_name_(run_name), line_(line) {}

  void take_all(const std::vector<Culprit>& culprits);
  // What is to be told as `whole`, an absolute path.
  void take(const Culprit& culprit, const std::string& whole);
  // Waits, if something was taken since the last time.
  void pause();

  void note(BrokerNotice notice) { planted_.push_back(std::move(notice)); }
  void tell();  // also of a run that goes on planting
  // What is there and could not be looked at, if anything.
  void tell_unseen(const std::optional<Error>& trouble);
  bool is_left() const { return is_left_; }  // something planted may still lie there

 private:
  const std::vector<files::WatchedTree>& trees_;
  Quarantine& quarantine_;
  const std::string& run_name_;
  BrokerLine& line_;
  std::vector<BrokerNotice> planted_;
  PlantPatience patience_;
  std::set<std::string> emptied_;  // since the last pause
  bool is_left_ = false;
};

}  // namespace ringwall::broker
