#include "session/hand_link.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/channel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "base/path.h"
#include "base/syscalls.h"
#include "hand/hand.h"
#include "hand/hand_walls.h"
#include "processes/helper_process.h"
#include "sandbox/pins.h"

namespace ringwall::session {

using hand::HandNotice;
using hand::HandOrder;
using sandbox::Mount;

namespace {

// The hand answers in well under a millisecond. One that does not has been stopped by someone.
constexpr int kPatience = 10'000;  // milliseconds; it takes well under one

std::map<std::string, std::string> places_of_pins(const std::vector<Mount>& mounts) {
  std::map<std::string, std::string> copies = sandbox::copies_to_pin_in(mounts);
  std::map<std::string, std::string> pins;
  for (const Mount& mount : mounts) {
    if (mount.kind != Mount::Kind::pin) continue;
    pins[mount.target] = copies[mount.source] + mount.target.substr(mount.source.size());
  }
  return pins;
}

enum Given : size_t { kChannel, kProcesses, kUser, kMount, kRenames, kBehind, kMask, kBroker };

}  // namespace

HandLink::HandLink(HandLink&& other) noexcept { *this = std::move(other); }

HandLink& HandLink::operator=(HandLink&& other) noexcept {
  std::swap(channel_, other.channel_);
  std::swap(pid_, other.pid_);
  std::swap(learns_, other.learns_);
  std::swap(last_order_, other.last_order_);
  std::swap(pins_, other.pins_);
  std::swap(kept_back_, other.kept_back_);
  return *this;
}

HandLink::~HandLink() { end(); }

Result<HandLink> HandLink::start(sandbox::Launched& launched, const sandbox::Plan& plan, Fd broker,
                                 std::span<char> start_area, std::span<char> wanted) {
  if (plan.learns && !launched.handed_out.for_hand.renames)
    return fail("the sandbox does not show which files its command asks for");
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  TRY_ASSIGN(Fd processes, file::open("/proc", O_PATH | O_DIRECTORY));
  std::vector<int> all(kBroker + 1);
  all[kChannel] = pair.theirs.get();
  all[kProcesses] = processes.get();
  all[kUser] = launched.user_namespace.get();
  all[kMount] = launched.mount_namespace.get();
  all[kRenames] = launched.handed_out.for_hand.renames.get();
  all[kBehind] = launched.handed_out.for_hand.behind.get();
  all[kMask] = launched.handed_out.for_hand.mask.get();
  all[kBroker] = broker.get();
  HandLink link;
  link.learns_ = plan.learns;
  link.pins_ = places_of_pins(plan.mounts);
  processes::HelperRequest request{"ringwall-hand", start_area, all};
  request.own_walls = [&](const std::vector<int>& kept, pid_t supervisor) {
    std::vector<int> stays(kept);
    stays[kUser] = stays[kMount] = -1;
    std::erase_if(stays, [](int fd) { return fd < 0; });
    return hand::enter_hand_walls({stays, kept[kUser], kept[kMount], plan.identity, plan.learns},
                                  supervisor);
  };
  pid_t supervisor = getpid();
  TRY_ASSIGN(link.pid_, processes::start_helper(std::move(request), [&](std::span<const int> kept) {
               hand::run_hand(
                   {kept[kChannel], kept[kBroker], kept[kRenames], kept[kBehind], kept[kMask],
                    kept[kProcesses], plan.git_configs, supervisor,
                    plan.learns ? hand::shown_trees(plan.mounts) : std::vector<hand::ShownTree>(),
                    wanted});
               _exit(0);
             }));
  link.channel_ = std::move(pair.ours);
  // A listener that is held open by anyone else would keep callers waiting for a hand that is gone.
  launched.handed_out.for_hand.renames.close();
  launched.handed_out.for_hand.behind.close();
  return link;
}

Status HandLink::wait_until_ready() {
  auto first = receive_next(kPatience);
  if (first && first->type == HandNotice::Type::ready) return {};
  return fail("the hand ended before its walls stood");
}

Status HandLink::renew(const std::string& target, Mount::Kind kind) {
  // From the top: a folder that was replaced has new ones below it.
  for (const auto& [folder, place] : pins_) {
    if (!path::is_beneath(target, folder)) continue;
    Status pinned = order(HandOrder::Type::renew_pin, place);
    if (!pinned && pinned.error().err != ENOENT) return pinned;
  }
  if (kind == Mount::Kind::pin) return {};
  return order(
      kind == Mount::Kind::mask ? HandOrder::Type::renew_mask : HandOrder::Type::renew_read_only,
      target);
}

Status HandLink::order(HandOrder::Type type, const std::string& path) {
  HandOrder order{type, ++last_order_};
  if (path.size() >= sizeof order.path) return fail("a path too long to be renewed");
  path.copy(order.path, path.size());
  TRY(channel::send(channel_.get(), fixed::bytes_of(order), {}, MSG_DONTWAIT));
  int64_t deadline = clock::monotonic() + int64_t{kPatience} * 1'000'000;
  while (clock::monotonic() < deadline) {
    TRY_ASSIGN(HandNotice notice, receive_next(kPatience));
    if (notice.type != HandNotice::Type::renewed) {
      kept_back_.push_back(notice);
    } else if (notice.id == order.id) {
      if (notice.value == 0) return {};
      return std::unexpected(Error{"a mount inside cannot be renewed", notice.value, {}});
    }
  }
  return fail("the hand does not answer");
}

Status HandLink::try_acts() {
  HandOrder order{HandOrder::Type::try_acts};
  return channel::send(channel_.get(), fixed::bytes_of(order), {}, MSG_DONTWAIT);
}

Result<HandNotice> HandLink::receive() {
  if (kept_back_.empty()) return receive_next(-1);
  HandNotice first = kept_back_.front();
  kept_back_.pop_front();
  return first;
}

Result<HandNotice> HandLink::receive_next(int patience) {
  pollfd waits{channel_.get(), POLLIN, 0};
  if (poll(&waits, 1, patience) == 0) return fail("the hand does not answer");
  TRY_ASSIGN(channel::Message message, channel::receive(channel_.get()));
  if (message.bytes.empty()) return fail("the hand is gone");
  return hand::parse_hand_notice(message.bytes);
}

void HandLink::end() {
  channel_.close();
  if (pid_ <= 0) return;
  // It may be looking for the last files that were asked for; without its channel it ends then.
  Fd process(learns_ ? sys::pidfd_open(pid_, 0) : -1);
  pollfd ended{process.get(), POLLIN, 0};
  if (process) poll(&ended, 1, kPatience);
  kill(pid_, SIGKILL);
  waitpid(std::exchange(pid_, -1), nullptr, 0);
}

}  // namespace ringwall::session
