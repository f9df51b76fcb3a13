// A run that learns: its walls stand as ever, and what was asked for and refused is collected.
// Files are seen by the hand (hand/wanted_files.h), hosts by the network's desk. In the end it
// becomes a proposal, and nothing else: nothing is applied.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "events/event.h"
#include "hand/wanted_table.h"
#include "policy/proposal.h"
#include "prepare/prepare.h"

namespace ringwall::learn {

class Learning {
 public:
  static Result<std::unique_ptr<Learning>> begin();
  Learning(const Learning&) = delete;
  Learning& operator=(const Learning&) = delete;
  ~Learning();

  // Shared with the hand, which fills it.
  std::span<char> memory() const { return memory_; }

  // True if the event is what we collect, and the person is told in the end.
  bool takes(const events::Event& event);
  bool has_begun() const { return has_begun_; }  // the command was started

  // When the run and the hand have ended.
  Result<policy::Proposal> end(const prepare::Preparation& prepared) const;

 private:
  explicit Learning(std::span<char> memory) : memory_(memory) {}
  std::vector<policy::Wish> hosts_wanted(const hand::WantedPaths& wanted,
                                         const prepare::Preparation& prepared) const;

  std::span<char> memory_;
  bool has_begun_ = false;
  std::vector<events::NetworkUse::Row> hosts_;
  std::map<std::string, std::string> programs_;  // by destination
};

}  // namespace ringwall::learn
