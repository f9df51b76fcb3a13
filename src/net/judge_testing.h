// Drives a judge as the relay does, for tests and fuzz targets: bytes come in slices, those that
// may go on are taken off, the rest is shown again with the next slice.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

#include "net/judgement.h"

namespace ringwall::net {

struct Fed {
  Judgement::Kind last = Judgement::Kind::wait;
  std::string passed;  // what went on
  uint64_t owed = 0;   // what may go on besides, once it comes
  std::string why;
  size_t most_waiting = 0;

  auto verdict() const { return std::tie(last, passed, owed, why); }
};

template <class Judge>
class Feeder {
 public:
  explicit Feeder(Judge& judge) : judge_(judge) {}

  void feed(std::string_view slice) {
    waiting_ += slice;
    look();
  }

  void look() {
    while (!is_over()) {
      size_t paid = static_cast<size_t>(std::min<uint64_t>(fed_.owed, waiting_.size()));
      take(paid);
      fed_.owed -= paid;
      if (fed_.owed > 0) return;
      Judgement judgement = judge_.judge(waiting_);
      fed_.last = judgement.kind;
      fed_.why = judgement.why;
      judgement.cross_out(waiting_);
      if (judgement.kind == Judgement::Kind::pass) fed_.owed = judgement.length;
      // A judge that lets nothing pass would be asked for ever.
      if (judgement.kind == Judgement::Kind::pass && judgement.length == 0) __builtin_trap();
      if (judgement.kind == Judgement::Kind::wait) break;
    }
    if (fed_.last == Judgement::Kind::pass_all) take(waiting_.size());
    fed_.most_waiting = std::max(fed_.most_waiting, waiting_.size());
  }

  const Fed& fed() const { return fed_; }

 private:
  bool is_over() const {
    return fed_.last == Judgement::Kind::pass_all || fed_.last == Judgement::Kind::refuse;
  }
  void take(size_t length) {
    fed_.passed += waiting_.substr(0, length);
    waiting_.erase(0, length);
  }

  Judge& judge_;
  Fed fed_;
  std::string waiting_;
};

// In slices of `slice` bytes each.
template <class Judge>
Fed feed(Judge& judge, std::string_view bytes, size_t slice) {
  Feeder feeder(judge);
  for (size_t at = 0; at < bytes.size(); at += slice)
    feeder.feed(bytes.substr(at, slice));
  return feeder.fed();
}

template <class Judge>
Fed feed(Judge& judge, std::string_view bytes) {
  return feed(judge, bytes, std::max<size_t>(bytes.size(), 1));
}

}  // namespace ringwall::net
