#include "broker/taking.h"

#include <time.h>

#include "base/clock.h"
#include "base/fixed_message.h"
#include "base/path.h"

namespace ringwall::broker {

void Taking::take_all(const std::vector<Culprit>& culprits) {
  for (const Culprit& culprit : culprits) {
    std::string whole = trees_[culprit.tree].whole(culprit.path);
    take(culprit, whole);
    emptied_.insert(std::move(whole));
  }
}

void Taking::take(const Culprit& culprit, const std::string& whole) {
  auto parent = files::open_parent(trees_[culprit.tree], culprit.path);
  if (!parent && files::is_gone(parent.error())) return;  // told of again where it comes up
  auto taken = parent ? quarantine_.take(parent->get(), path::basename(culprit.path),
                                         {whole, run_name_}, {culprit.rule, culprit.why})
                      : std::unexpected(parent.error());
  if (taken && taken->outcome == Taken::Outcome::gone) return;
  bool is_kept = taken && taken->outcome == Taken::Outcome::kept;
  std::string why = taken ? culprit.why : taken.error().text();
  if (taken && !is_kept) why += "; only noted, not kept: " + taken->why;
  BrokerNotice notice =
      notice_of(taken ? BrokerNotice::Type::planted : BrokerNotice::Type::stays, whole, why);
  fixed::put(notice.rule, culprit.rule);
  if (is_kept) fixed::put(notice.item, taken->item);  // what can be brought back
  planted_.push_back(notice);
}

void Taking::pause() {
  if (emptied_.empty()) return;
  int64_t pause = patience_.pause_after(std::exchange(emptied_, {}), clock::monotonic());
  timespec time{pause / 1'000'000'000, pause % 1'000'000'000};
  nanosleep(&time, nullptr);
  patience_.rest_until(clock::monotonic());
}

void Taking::tell() {
  for (BrokerNotice& notice : std::exchange(planted_, {})) {
    if (notice.type == BrokerNotice::Type::stays) is_left_ = true;
    line_.say(notice);
  }
  if (patience_.is_over()) line_.say({BrokerNotice::Type::persists});
}

void Taking::tell_unseen(const std::optional<Error>& trouble) {
  if (!trouble) return;
  is_left_ = true;
  line_.say(notice_of(BrokerNotice::Type::unseen, "", trouble->text()));
}

}  // namespace ringwall::broker
