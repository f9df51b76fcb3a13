#include "identity/stop_notices.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

#include "base/channel.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "base/text.h"

namespace ringwall::identity {
namespace {

// Names are the agent's to choose; it shall not choose how much we remember.
constexpr size_t kMostTold = 4096;

// The supervisor reads at once, unless it is waiting for the sandbox's end, which needs us.
constexpr int kPatience = 50;  // milliseconds

}  // namespace

void StopNotices::send(const StopNotice& notice) {
  for (int tries = 0; tries < 2; tries++) {
    Status sent = channel::send(channel_, fixed::bytes_of(notice), {}, MSG_DONTWAIT);
    if (sent || sent.error().err != EAGAIN) return;  // a supervisor that is gone is seen by poll
    pollfd room{channel_, POLLOUT, 0};
    poll(&room, 1, kPatience);
  }
}

std::string StopNotices::path_of(const std::string& link) const {
  char target[sizeof StopNotice::path];
  ssize_t length = readlinkat(processes_, link.c_str(), target, sizeof target);
  return length <= 0 ? "" : std::string(target, static_cast<size_t>(length));
}

pid_t StopNotices::parent_of(pid_t task) const {
  Fd status(openat(processes_, (std::to_string(task) + "/status").c_str(), O_RDONLY | O_CLOEXEC));
  auto text = status ? file::read_all(status.get()) : fail("gone");
  if (!text) return 0;
  // A program's name comes first, and holds no line end.
  size_t at = text->find("\nPPid:");
  return at == std::string::npos ? 0 : atoi(text->c_str() + at + 6);
}

void StopNotices::fill(StopNotice& notice, const Judgement& judged, std::string path,
                       pid_t parent) {
  notice.has_digest = judged.digest.has_value();
  if (judged.digest) notice.digest = *judged.digest;
  fixed::put(notice.path, path);
  if (parent > 0) fixed::put(notice.parent, path_of(std::to_string(parent) + "/exe"));
  fixed::put(notice.rule, judged.rule);
  fixed::put(notice.why, judged.why);
}

void StopNotices::tell_refused(const Judgement& judged, const std::string& link, pid_t task,
                               StopNotice::How how) {
  std::string path = path_of(link);
  std::string key = (judged.digest ? judged.digest->hex() : std::string(judged.why)) + path;
  if (refused_.size() >= kMostTold || !refused_.insert(std::move(key)).second) return;
  StopNotice notice{StopNotice::Type::refused};
  notice.how = how;
  notice.value = judged.is_unknown ? 1 : 0;
  notice.by_risk = judged.is_too_new ? 1 : 0;
  bool is_exec = how == StopNotice::How::killed;
  fill(notice, judged, std::move(path), is_exec ? parent_of(task) : task);
  send(notice);
}

void StopNotices::tell_first_seen(const Judgement& judged, pid_t task) {
  std::string path = path_of(std::to_string(task) + "/exe");
  std::string key = judged.digest->hex() + path;
  if (seen_.size() >= kMostTold || !seen_.insert(std::move(key)).second) return;
  StopNotice notice{StopNotice::Type::first_seen};
  fill(notice, judged, std::move(path), parent_of(task));
  send(notice);
}

}  // namespace ringwall::identity
