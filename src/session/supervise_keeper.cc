// What is kept so that it can be put back, as the supervisor hears of it.
#include <poll.h>

#include "base/clock.h"
#include "base/text.h"
#include "session/supervisor.h"

namespace ringwall::session {

using undo::KeeperNotice;
using undo::KeeperOrder;

namespace {

// Longer than it takes itself when it is asked to finish.
constexpr int64_t kPatience = 3'000'000'000;  // nanoseconds

}  // namespace

void Supervisor::hear_keeper() {
  for (const KeeperNotice& notice : run_.keeper.take_heard())
    take_keeper_notice(notice);
}

void Supervisor::take_keeper_notice() {
  auto notice = run_.keeper.receive();
  if (notice) return take_keeper_notice(*notice);
  run_.keeper.end();
  run_.tell(events::Withheld{
      "what this run changes cannot be put back: the keeper ended unexpectedly", ""});
}

void Supervisor::take_keeper_notice(const KeeperNotice& notice) {
  const uint64_t* numbers = notice.numbers;
  switch (notice.type) {
    case KeeperNotice::Type::kept: {
      events::KeptForUndo kept{run_.run_name, numbers[0], numbers[1], numbers[2], notice.text};
      // Silent on success.
      if (kept.unkept > 0) run_.tell(kept);
      if (numbers[3] > 0)
        run_.tell(events::Withheld{
            std::to_string(numbers[3]) +
                " of the files that the command has changed or deleted at once can only be put "
                "back as an earlier run has kept them",
            "wait longer: --undo-wait 2s"});
      if (notice.value != 0)
        run_.tell(events::Withheld{
            "the command started before all files were looked at: what it deleted by then is not "
            "known, and cannot be put back",
            "wait longer: --undo-wait 2s"});
      return;
    }
    case KeeperNotice::Type::failed:
      return run_.tell(events::Withheld{
          "what this run changes cannot be put back: " + std::string(notice.text), ""});
    case KeeperNotice::Type::changed:
      return note(events::FilesChanged{run_.run_name, numbers[0], numbers[1], numbers[2],
                                       numbers[3], numbers[4]});
    case KeeperNotice::Type::finished:
      return run_.keeper.let_go();
    case KeeperNotice::Type::act:
      return answer_act("keeper", notice.text, notice.value, false);
    case KeeperNotice::Type::acts_done:
      return answer_act("keeper", "", 0, true);
    case KeeperNotice::Type::ready:
    case KeeperNotice::Type::closed:
      return;
  }
}

// Nothing inside lives any more, and what it planted was taken away.
void Supervisor::finish_keeping() {
  hear_keeper();
  bool is_asked = run_.keeper.is_running() && run_.keeper.order(KeeperOrder::Type::finish);
  run_.broker.let_go();
  if (!is_asked) return;
  int64_t deadline = clock::monotonic() + kPatience;
  while (run_.keeper.is_running()) {
    int64_t left = deadline - clock::monotonic();
    pollfd waits{run_.keeper.fd(), POLLIN, 0};
    int ready = left <= 0 ? 0 : poll(&waits, 1, static_cast<int>(left / 1'000'000) + 1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    take_keeper_notice();
  }
  if (run_.keeper.is_running())
    run_.tell(events::Withheld{
        "what this run changed may not be put back as it was: the keeper did not end in time, and "
        "`ringwall history` shows the run as killed",
        ""});
}

}  // namespace ringwall::session
