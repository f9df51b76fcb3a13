#include "clients/run_link.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "base/channel.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "base/path.h"
#include "clients/run_control.h"
#include "state/registry.h"

namespace ringwall::clients {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDeafAfter = kSecond;
constexpr int64_t kKillAfter = 700'000'000;  // a supervisor that lives is done by then
constexpr int64_t kGrace = 2 * kSecond;      // beyond the time that a stop was given
constexpr size_t kMostDescription = 1 << 20;

bool ends_run(const state::ControlMessage& request) {
  return request.type == state::ControlType::stop || request.type == state::ControlType::kill;
}

}  // namespace

Result<RunLink> RunLink::open(const state::Places& places, const std::string& name) {
  TRY_ASSIGN(Fd folder, state::open_run(places, name));
  RunLink link;
  link.name_ = name;
  TRY_ASSIGN(link.connection_, state::connect_control(folder.get(), SOCK_NONBLOCK));
  TRY_ASSIGN(link.supervisor_, open_supervisor(link.connection_.get()));
  return link;
}

bool RunLink::is_deaf(int64_t now) const { return asked_at_ != 0 && now - asked_at_ > kDeafAfter; }

bool RunLink::send(const state::ControlMessage& message) {
  Status sent = channel::send(connection_.get(), fixed::bytes_of(message), {}, MSG_DONTWAIT);
  if (!sent && sent.error().err != EAGAIN) has_ended_ = true;
  return sent.has_value();
}

void RunLink::ask(int64_t now) {
  looks_closely_ = false;
  if (!has_ended_ && asked_at_ == 0 && send({state::ControlType::status})) asked_at_ = now;
}

void RunLink::ask_closely(int64_t now) {
  ask(now);
  looks_closely_ = true;
}

bool RunLink::listen(int64_t now) {
  while (!has_ended_ && (asked_at_ != 0 || description_at_ != 0 || !told_.empty())) {
    auto received = channel::receive(connection_.get(), MSG_DONTWAIT);
    if (!received && received.error().err == EAGAIN) return true;
    auto message = received && !received->bytes.empty() ? state::parse_control(received->bytes)
                                                        : std::unexpected(Error{"gone"});
    if (!message) {
      has_ended_ = true;
      return false;
    }
    take(*message, received->fds, now);
  }
  return false;
}

void RunLink::take(const state::ControlMessage& message, std::vector<Fd>& fds, int64_t now) {
  if (message.type == state::ControlType::state) {
    asked_at_ = 0;
    status_ = message.status;
    bool is_old = status_.changes != described_.changes || described_at_ == 0;
    // What waits has ever less time left.
    if (looks_closely_)
      is_old |= status_ != described_ || (status_.waiting > 0 && now - described_at_ > kSecond);
    if (is_old && description_at_ == 0 && send({state::ControlType::describe}))
      description_at_ = now;
    return;
  }
  if (message.type == state::ControlType::described) {
    description_at_ = 0;
    described_ = status_;
    described_at_ = now;
    if (fds.size() == 1) take_description(fds[0]);
    return;
  }
  bool is_done = message.type == state::ControlType::done;
  if ((!is_done && message.type != state::ControlType::refused) || told_.empty()) return;
  // What ends the run is answered last, whatever was asked since.
  auto request = std::ranges::find_if(told_, [](const auto& one) { return !ends_run(one); });
  if (request == told_.end()) request = told_.begin();
  if (ends_run(*request)) kill_at_ = 0;
  answers_.push_back({*request, is_done, message.text});
  told_.erase(request);
}

void RunLink::take_description(const Fd& file) {
  auto text = channel::read_memory_file(file.get(), kMostDescription);
  if (!text) return;
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(*text, error);
  if (!error && value.is_object()) description_ = std::move(value.get_object());
}

void RunLink::tell(const state::ControlMessage& request, int64_t now) {
  if (has_ended_) return;
  bool sent = send(request);
  if (sent) told_.push_back(request);
  if (!sent && !ends_run(request)) answers_.push_back({request, false, "the run does not answer"});
  if (!ends_run(request)) return;
  int64_t patience =
      request.type == state::ControlType::kill ? kKillAfter : request.seconds * kSecond + kGrace;
  kill_at_ = kill_at_ == 0 ? now + patience : std::min(kill_at_, now + patience);
}

// It does not listen. Whatever keeps it, everything inside dies with it.
void RunLink::kill_if_due(int64_t now) {
  if (killed_at() == 0 || now < kill_at_) return;
  kill_at_ = 0;
  syscall(SYS_pidfd_send_signal, supervisor_.get(), SIGKILL, nullptr, 0);
}

}  // namespace ringwall::clients
