#include "session/keeper_link.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/channel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "changes/entry.h"
#include "events/event.h"
#include "events/redact.h"
#include "prepare/kept_trees.h"
#include "sandbox/helper_walls.h"
#include "undo/keeper.h"

namespace ringwall::session {
namespace {

// Milliseconds that a command waits if nobody says how long. In trees that were kept before, and
// where no name has come or gone since, there is an earlier state of everything, and looking
// whether it still holds takes longer than all of the start.
constexpr uint64_t kWaitForNew = 300, kWaitForKnown = 10;
constexpr int64_t kMoment = 1'000'000;  // nanoseconds
// So many are looked at in that time: where there were more, nobody waits in vain.
constexpr uint64_t kLookedAtInTime = 5000;

using undo::KeeperNotice;
using undo::KeeperOrder;

undo::KeptRun describe(const prepare::Preparation& prepared, const std::string& id) {
  return {.id = id,
          .name = prepared.plan.run_name,
          .kind = undo::KeptRun::Kind::run,
          .workspace = prepared.plan.workspace,
          .command = events::redact_words(prepared.plan.arguments),
          .started = undo::now_in_milliseconds()};
}

undo::KeeperInputs inputs_of(const prepare::Preparation& prepared, const std::string& id) {
  const policy::Policy::Undo& policy = prepared.request.policy.undo;
  const prepare::GuardedFiles& guarded = *prepared.guarded;
  return {.channel = -1,
          .folder = state::undo_folder(prepared.places),
          .run = describe(prepared, id),
          .trees = {},
          .limits = {policy.size.value.value_or(policy::kNoLimit),
                     policy.kept.value.value_or(policy::kNoLimit),
                     policy.age.value.value_or(policy::kNoLimit)},
          .hidden = {guarded.hidden.begin(), guarded.hidden.end()},
          .passed_over = state::own_folders(prepared.places),
          .try_acts = sandbox::try_forbidden_acts};
}

// Milliseconds.
Result<uint64_t> usual_wait(const std::string& undo_folder,
                            const std::vector<prepare::KeptTree>& trees) {
  TRY_ASSIGN(Fd folder, file::open(undo_folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  uint64_t wait = kWaitForKnown;
  for (const prepare::KeptTree& tree : trees) {
    undo::Latest latest = undo::latest_of(folder.get(), tree.path);
    if (!latest.knows_names_of(tree.newest)) return kWaitForNew;
    if (latest.entries > kLookedAtInTime) wait = 0;
  }
  return wait;
}

}  // namespace

Result<KeeperLink> KeeperLink::start(const prepare::Preparation& prepared, const std::string& id,
                                     std::span<char> start_area) {
  KeeperLink link;
  link.started_ = clock::monotonic();
  link.start_area_ = start_area;
  undo::KeeperInputs inputs = inputs_of(prepared, id);
  // So that it has a folder to be walled into.
  TRY(file::make_dirs(inputs.folder));
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  std::vector<int> kept = {pair.theirs.get()};
  std::vector<std::string> looked_at;
  std::vector<prepare::KeptTree> trees = prepare::trees_to_keep(*prepared.guarded);
  TRY_ASSIGN(link.usual_wait_, usual_wait(inputs.folder, trees));
  link.waits_ = prepared.request.policy.undo.wait.value.value_or(link.usual_wait_) != 0;
  inputs.is_waited_for = link.waits_;
  for (const prepare::KeptTree& tree : trees) {
    // Opened here, before anything runs that could move or remove them.
    TRY_ASSIGN(Fd folder, file::open(tree.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    kept.push_back(folder.get());
    looked_at.push_back("/proc/self/fd/" + std::to_string(folder.get()));
    link.trees_.push_back(std::move(folder));
  }
  processes::HelperRequest helper{.name = "ringwall-keeper",
                                  .start_area = start_area,
                                  .kept = std::move(kept),
                                  .who = sandbox::Helper::keeper,
                                  .folders = {inputs.folder},
                                  .looked_at = std::move(looked_at),
                                  .takes_long_turns = true};
  TRY_ASSIGN(link.link_.pid,
             processes::start_helper(std::move(helper), [&](std::span<const int> theirs) {
               inputs.channel = theirs[0];
               for (size_t i = 0; i < trees.size(); i++)
                 inputs.trees.push_back({Fd(theirs[i + 1]), trees[i].path, trees[i].newest});
               undo::run_keeper(std::move(inputs));
               _exit(0);
             }));
  link.link_.channel = std::move(pair.ours);
  return link;
}

bool KeeperLink::hears_ready() {
  auto notice = receive();
  if (!notice) {
    link_.end();
    heard_.push_back({KeeperNotice::Type::failed});
    fixed::put(heard_.back().text, "the keeper ended unexpectedly");
    return true;
  }
  if (notice->type == KeeperNotice::Type::ready) return true;
  heard_.push_back(*notice);
  return false;
}

bool KeeperLink::keeps_before(int other) {
  int64_t deadline = 0;
  while (is_running() && !is_kept_) {
    pollfd waits[] = {{fd(), POLLIN, 0}, {deadline == 0 ? other : -1, POLLIN, 0}};
    int64_t left = deadline - clock::monotonic();
    if (deadline != 0 && left <= 0) return false;
    timespec time{0, static_cast<long>(left)};
    if (ppoll(waits, 2, deadline == 0 ? nullptr : &time, nullptr) < 0 && errno != EINTR)
      return false;
    if (waits[0].revents != 0) is_kept_ = hears_ready();
    if (waits[1].revents != 0) deadline = clock::monotonic() + kMoment;
  }
  return true;
}

void KeeperLink::wait_until_kept(std::optional<uint64_t> wanted) {
  uint64_t milliseconds = wanted.value_or(usual_wait_);
  int64_t deadline = started_ + static_cast<int64_t>(milliseconds) * 1'000'000;
  while (is_running() && !is_kept_) {
    int64_t left = deadline - clock::monotonic();
    pollfd waits{fd(), POLLIN, 0};
    // Rounded up: who is asked for a millisecond gets it.
    int ready = poll(&waits, 1, left <= 0 ? 0 : static_cast<int>((left + 999'999) / 1'000'000));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    is_kept_ = hears_ready();
  }
  // Who has kept everything needs no clock any more.
  for (size_t i = 0; i < trees_.size() && is_running() && !is_kept_; i++) {
    auto now = changes::read_clock_of(trees_[i].get());
    // Without a clock nothing is trusted that is read from here on.
    KeeperOrder stamp{KeeperOrder::Type::stamp, static_cast<uint32_t>(i), now.value_or(0)};
    (void)channel::send(fd(), fixed::bytes_of(stamp), {}, MSG_DONTWAIT);
  }
  was_let_start_ = true;
  // It must not take for the start's what is not: without this word it has to go.
  if (is_running() && !order(KeeperOrder::Type::started)) link_.end();
}

Status KeeperLink::order(KeeperOrder::Type type) {
  return channel::send(fd(), fixed::bytes_of(KeeperOrder{type}), {}, MSG_DONTWAIT);
}

Result<KeeperNotice> KeeperLink::receive() {
  TRY_ASSIGN(channel::Message message, channel::receive(fd()));
  if (message.bytes.empty()) return fail("the keeper is gone");
  TRY_ASSIGN(KeeperNotice notice, undo::parse_keeper_notice(message.bytes));
  if (notice.type == KeeperNotice::Type::closed) give_opener();
  if (notice.type == KeeperNotice::Type::ready) {
    trees_.clear();
    opener_.link.end();
  }
  return notice;
}

// Once, however often it asks. Without one, such files are not kept.
void KeeperLink::give_opener() {
  if (std::exchange(has_opener_, true)) return;
  auto opener = start_opener(trees_, start_area_);
  if (opener) opener_ = std::move(*opener);
  int fds[] = {opener_.link.channel.get()};
  auto given = std::span<const int>(fds, opener ? 1 : 0);
  KeeperOrder order{KeeperOrder::Type::opener};
  (void)channel::send(fd(), fixed::bytes_of(order), given, MSG_DONTWAIT);
  opener_.link.channel.close();
}

Status let_start_if_kept(const prepare::Preparation& prepared, const sandbox::Launched& launched,
                         KeeperLink& keeper) {
  if (keeper.is_waited_for() && !keeper.keeps_before(launched.channel.get())) return {};
  return let_command_start(prepared, launched, keeper);
}

Status let_command_start(const prepare::Preparation& prepared, const sandbox::Launched& launched,
                         KeeperLink& keeper) {
  if (!prepared.plan.awaits_start || keeper.was_let_start()) return {};
  keeper.wait_until_kept(prepared.request.policy.undo.wait.value);
  return sandbox::let_start(launched);
}

KeeperLink start_keeper(const prepare::Preparation& prepared, const Recorder* recorder,
                        std::span<char> start_area,
                        const std::function<void(const events::Event&)>& tell) {
  if (!prepared.guarded || !prepare::keeps_for_undo(prepared.request.policy, *prepared.guarded))
    return {};
  // The same as that of its record, which only the build for tests has not.
  std::string id = recorder != nullptr
                       ? recorder->id()
                       : undo::make_id(prepared.plan.run_name, undo::now_in_milliseconds());
  auto started = KeeperLink::start(prepared, id, start_area);
  if (started) return std::move(*started);
  tell(events::Withheld{"what this run changes cannot be put back: " + started.error().text(), ""});
  return {};
}

}  // namespace ringwall::session
