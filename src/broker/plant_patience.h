// How long everything inside stands after a plant, and when a run has planted too often.
//
// Who scaffolds thirty packages plants thirty times, each time in another place, and loses a moment
// each time. Who attacks needs the same place again after it was emptied: that pause doubles until
// it is a second long, and a few of those end the run.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>

namespace ringwall::broker {

class PlantPatience {
 public:
  // Everything stands, and this has been taken from `places`. Nanoseconds to wait before a last
  // look.
  int64_t pause_after(const std::set<std::string>& places, int64_t now);
  // The wait is over.
  void rest_until(int64_t now) { last_ = now; }
  // Both, and the wait between them.
  void sit_out(const std::set<std::string>& places);

  bool is_over() const;

 private:
  int times_at(const std::string& place);

  std::unordered_map<std::string, int> times_;
  int stops_ = 0;
  int long_pauses_ = 0;
  int64_t last_ = 0;
};

}  // namespace ringwall::broker
