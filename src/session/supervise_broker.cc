// The supervisor's dealings with the broker: who plants is stopped, and told of.
#include <poll.h>

#include <cerrno>
#include <cstring>

#include "base/clock.h"
#include "base/text.h"
#include "policy/numbers.h"
#include "session/remote_lines.h"
#include "session/supervisor.h"

namespace ringwall::session {
namespace {

using broker::BrokerNotice;
using broker::BrokerOrder;
using sandbox::kMainCommand;
using sandbox::MessageType;

constexpr size_t kMostTold = 10;     // of things of one kind; then only their number
constexpr size_t kMostNoted = 1000;  // of them in the record: it is the agent who names them
// Milliseconds; a full disk may make it slow, or a tree that is thousands of folders deep.
constexpr int kSweepTold = 5'000;
constexpr int kSweepPatience = 60'000;

// What the run did, without its name.
std::string describe_deletions(const BrokerNotice::Deleted& deletions,
                               const broker::DeletionLimits& limits, std::string_view until) {
  uint64_t allowed = limits.files;
  std::string what = "has deleted " + std::to_string(deletions.files);
  if (deletions.is_share != 0) {
    what += " of the " + std::to_string(deletions.all) + " files that were there before it, and " +
            policy::show_number(policy::Shape::share, limits.share) + " of them are allowed";
    allowed = std::max(deletions.all * limits.share / 1000, broker::kLeastForShare - 1);
  } else {
    what += " files that were there before it, and " + std::to_string(allowed) + " are allowed";
  }
  uint64_t beyond = deletions.files > allowed ? deletions.files - allowed : 0;
  return what + " (" + std::to_string(beyond) + " more went before it " + std::string(until) + ")";
}

}  // namespace

void Supervisor::tell_unwatched(int err) {
  // Watches as such, or folders that they hear of.
  std::string limit = err == EMFILE   ? "max_user_instances=1024"
                      : err == ENOSPC ? "max_user_watches=1048576"
                                      : "";
  std::string hint = limit.empty() ? "" : "raise the limit: sudo sysctl fs.inotify." + limit;
  std::string what =
      "not every folder of the workspace can be watched (" + std::string(strerror(err)) + ")";
  if (run_.strict) return lose_run("ended: " + what + ", and the policy is strict", hint);
  run_.tell(events::Withheld{what + ": what is planted there is found only in the end", hint});
}

void Supervisor::take_broker_notice() {
  auto heard = run_.broker.receive();
  if (!heard) {
    run_.broker.end();
    if (ended_) return;
    return lose_run("the broker that watches the workspace ended unexpectedly");
  }
  const BrokerNotice* notice = &heard->notice;
  switch (notice->type) {
    case BrokerNotice::Type::freeze:
      return tell({MessageType::freeze, kMainCommand, 1});
    case BrokerNotice::Type::thaw:
      return tell({MessageType::freeze, kMainCommand, 0});
    case BrokerNotice::Type::planted:
      return tell_planted(*notice);
    case BrokerNotice::Type::deleted:
      return brake(notice->deletions);
    case BrokerNotice::Type::replaced:
      return cover_again(notice->path, notice->value != 0);
    case BrokerNotice::Type::saved:
      return tell_saved(*notice);
    case BrokerNotice::Type::socket:
      return take_socket(*notice, heard->fds);
    case BrokerNotice::Type::stays:
      return lose_run("ended: " + text::quote(notice->path) +
                          " was planted and cannot be taken away: " + text::quote(notice->text),
                      "look at it before you go on, and remove it");
    case BrokerNotice::Type::unwatched:
      return tell_unwatched(notice->value);
    case BrokerNotice::Type::persists:
      return lose_run("ended: the run goes on planting files that are protected");
    case BrokerNotice::Type::unseen:
      return lose_run("ended: " + text::quote(notice->text),
                      "look at it before you go on: what lies there was not searched");
    case BrokerNotice::Type::restless:
      return lose_run("ended: the run could not be stopped while its files were looked at");
    case BrokerNotice::Type::leads_out:
      leading_out_.push_back(text::quote(notice->path) + " to " + text::quote(notice->text));
      return;
    case BrokerNotice::Type::other_name:
    case BrokerNotice::Type::replaces:
      return tell_other_name(*notice);
    case BrokerNotice::Type::staged:
      return tell_staged(*notice);
    case BrokerNotice::Type::remote:
      return tell_remote(*notice);
    case BrokerNotice::Type::swept:
      swept_ = true;
      return;
    case BrokerNotice::Type::act:
      return answer_act("broker", notice->text, notice->value, false);
    case BrokerNotice::Type::acts_done:
      return answer_act("broker", "", 0, true);
    default:
      return;
  }
}

// A host program has put another file there, and the mount went with the old one.
void Supervisor::cover_again(const std::string& path, bool hidden) {
  using Kind = sandbox::Mount::Kind;
  Status renewed = run_.hand.is_running()
                       ? run_.hand.renew(path, hidden ? Kind::mask : Kind::read_only)
                       : fail("there is no hand");
  bool is_gone = !renewed && (renewed.error().err == ENOENT || renewed.error().err == ELOOP);
  if (!renewed && !is_gone && !ended_) {
    lose_run("ended: " + text::quote(path) +
             " was replaced outside and cannot be guarded again: " + renewed.error().text());
  }
  (void)run_.broker.order(BrokerOrder::Type::renewed);  // its end is seen by poll
  while (run_.hand.has_more())
    take_hand_notice();
}

void Supervisor::take_hand_notice() {
  auto notice = run_.hand.receive();
  if (!notice) {
    run_.hand.end();
    if (ended_) return;
    return lose_run("the hand that keeps the mounts up ended unexpectedly");
  }
  using Type = hand::HandNotice::Type;
  if (notice->type == Type::act || notice->type == Type::acts_done)
    answer_act("hand", notice->text, notice->value, notice->type == Type::acts_done);
  if (notice->type == Type::refused_update)
    tell_once(told_once_, notice->text, "make the change outside, if you want it");
}

// The same thing tried again is not told again. The person hears of the first ones; the record has
// each.
void Supervisor::tell_once(std::set<std::string>& told, const std::string& what,
                           const std::string& hint) {
  if (told.size() >= kMostNoted || !told.insert(what).second) return;
  events::Withheld event{what, hint};
  told.size() > kMostTold ? note(event) : run_.tell(event);
}

// It speaks before the program inside goes on, which may have ended before we listened.
void Supervisor::hear_last_of_hand() {
  constexpr int kMost = 256;  // nobody can make this last
  for (int i = 0; i < kMost && run_.hand.is_running(); i++) {
    pollfd waits{run_.hand.fd(), POLLIN, 0};
    if (!run_.hand.has_more() && poll(&waits, 1, 0) <= 0) return;
    take_hand_notice();
  }
}

// The person hears of the first ones; the record has each.
void Supervisor::tell_planted(const BrokerNotice& notice) {
  events::Planted planted{run_.run_name, notice.path, notice.rule, notice.text, notice.item};
  ++planted_ > kMostTold ? note(planted) : run_.tell(planted);
}

void Supervisor::tell_saved(const BrokerNotice& notice) {
  tell_once(told_once_,
            text::quote(notice.path) +
                " was saved outside, and until it was protected again the run could write it",
            "see that it says what you saved, and no more");
}

void Supervisor::tell_other_name(const BrokerNotice& notice) {
  if (notice.type == BrokerNotice::Type::replaces)
    return tell_once(
        told_once_,
        "the run has git show other commits in the place of some (" + text::quote(notice.path) +
            "): git log and git show may not say what is there",
        "see what is: git --no-replace-objects log -p; remove it: git replace -d HASH, "
        "rm .git/info/grafts");
  std::string branch = text::quote(notice.path);
  tell_once(told_remotes_,
            "the run made the branch " + branch + " another name of " + text::quote(notice.text) +
                ": what you commit and push there goes where that one leads",
            "bring it back: git reflog show " + branch + "; git update-ref --no-deref refs/heads/" +
                branch + " COMMIT");
}

void Supervisor::tell_staged(const BrokerNotice& notice) {
  std::string index = text::quote(notice.path);
  std::string what = "the run has staged protected files: " + std::string(notice.text) + " in " +
                     index + "; git checkout outside would write them";
  if (notice.value != 0)
    what = index +
           " holds protected files, and was changed before it could be seen whether the "
           "run has staged them: " +
           std::string(notice.text);
  tell_once(told_once_, what, "see what they say first: git diff --cached");
}

// Once for each address. Whatever else there was to tell, of these none goes unheard.
void Supervisor::tell_remote(const BrokerNotice& notice) {
  events::Withheld line = describe_remote(notice);
  tell_once(told_remotes_, line.what, line.hint);
}

// Everything inside stands for the broker, which asks to let it go on only after this.
void Supervisor::brake(const BrokerNotice::Deleted& deletions) {
  using Then = events::LimitReached::Then;
  bool is_share = deletions.is_share != 0;
  events::LimitReached limit{
      run_.run_name, is_share ? "deleted_share" : "deleted_files",
      ended_ ? Then::ended : Then::paused,
      describe_deletions(deletions, run_.broker.deletions(), ended_ ? "ended" : "stood still"),
      is_share ? "--deleted-share" : "--deleted-files"};
  if (!ended_) hold_up(limit);
  run_.tell(limit);
}

// Nothing inside lives any more: what it left behind is looked at once more.
void Supervisor::ask_for_sweep() {
  // The two look at the same folders: who has to finish its look does so meanwhile.
  if (run_.keeper.is_running() && !sweep_asked_)
    (void)run_.keeper.order(undo::KeeperOrder::Type::over);  // its end is seen by poll
  if (run_.broker.is_running() && !std::exchange(sweep_asked_, true))
    (void)run_.broker.order(BrokerOrder::Type::sweep);  // its end is seen by poll
}

// One line: who follows them outside comes to places that the run could not write itself.
void Supervisor::tell_leading_out() {
  constexpr size_t kMostShown = 3;
  size_t count = leading_out_.size();
  if (count > kMostShown) leading_out_.resize(kMostShown);
  std::string what = count == 1 ? "a link that the run made leads"
                                : std::to_string(count) + " links that the run made lead";
  what += " out of the workspace: " + text::join(leading_out_, ", ");
  if (count > kMostShown) what += " and " + std::to_string(count - kMostShown) + " more";
  run_.tell(events::Withheld{what, "look before you write to one: what you write lands there"});
}

// False: it was not done in time, or its end was not heard of.
bool Supervisor::wait_for_sweep() {
  int64_t start = clock::monotonic();
  bool is_told = false;
  while (!swept_ && run_.broker.is_running()) {
    int waited = static_cast<int>((clock::monotonic() - start) / 1'000'000);
    if (waited >= kSweepPatience) return false;
    if (waited >= kSweepTold && !std::exchange(is_told, true))
      run_.tell(
          events::Withheld{"the command has ended, and the workspace is still searched for "
                           "planted files",
                           "it has many folders, or deep ones; wait"});
    pollfd waits{run_.broker.fd(), POLLIN, 0};
    int ready = poll(&waits, 1, (is_told ? kSweepPatience : kSweepTold) - waited);
    if (ready < 0 && errno != EINTR) return false;
    if (ready > 0) take_broker_notice();
  }
  return swept_;
}

void Supervisor::sweep() {
  ask_for_sweep();
  if (!sweep_asked_) return;
  if (!wait_for_sweep()) {
    lose_run("the workspace could not be searched for planted files: " +
                 std::string(run_.broker.is_running() ? "that was not done after a minute"
                                                      : "the broker ended before it was done"),
             "the next run here searches it first; look at what has changed before you work in it");
  }
  if (!leading_out_.empty()) tell_leading_out();
  if (told_remotes_.size() > kMostTold)
    run_.tell(describe_more_remotes(told_remotes_.size() - kMostTold));
  if (planted_ > kMostTold) {
    size_t more = planted_ - kMostTold;
    run_.tell(events::Withheld{
        "took away " + std::to_string(more) +
            (more == 1 ? " more file that is protected" : " more files that are protected"),
        "list them: ringwall quarantine list"});
  }
}

}  // namespace ringwall::session
