#include "net/question_connection.h"

#include <sys/socket.h>

#include <cerrno>

namespace ringwall::net {
namespace {

constexpr size_t kLongestQuestion = 4096;
constexpr int kMostAtOnce = 32;            // questions before others get their turn
constexpr size_t kMostReplies = 64 << 10;  // bytes that nobody takes

}  // namespace

bool QuestionConnection::send_replies() {
  while (!out_.empty()) {
    ssize_t count = send(socket_.get(), out_.data(), out_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN && out_.size() < kMostReplies;
    out_.erase(0, static_cast<size_t>(count));
  }
  return true;
}

// False at the end.
bool QuestionConnection::read_some() {
  char buffer[kLongestQuestion];
  ssize_t count = recv(socket_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  if (count < 0) return errno == EAGAIN;
  in_.append(buffer, static_cast<size_t>(count));
  return count > 0;
}

void QuestionConnection::put_reply(const std::string& reply) {
  out_ += static_cast<char>(reply.size() >> 8);
  out_ += static_cast<char>(reply.size() & 0xff);
  out_ += reply;
}

bool QuestionConnection::take_reply(const std::string& reply, NameService& names) {
  awaits_ = 0;
  put_reply(reply);
  return go_on(names);
}

bool QuestionConnection::go_on(NameService& names) {
  if (!send_replies()) return false;
  bool goes_on = true;
  int answered = 0;
  has_more_ = false;
  while (awaits_ == 0) {
    size_t length = in_.size() < 2 ? 0
                                   : static_cast<size_t>(static_cast<uint8_t>(in_[0])) << 8 |
                                         static_cast<uint8_t>(in_[1]);
    if (length > kLongestQuestion) return false;
    if (in_.size() < 2 || in_.size() < 2 + length) {
      if (!goes_on) return false;
      size_t before = in_.size();
      goes_on = read_some();
      if (goes_on && in_.size() == before) return true;  // nothing more has come
      continue;
    }
    has_more_ = answered++ == kMostAtOnce;
    if (has_more_) return true;
    NameService::Outcome outcome =
        names.take_question(std::string_view(in_).substr(2, length), asker_);
    in_.erase(0, 2 + length);
    awaits_ = outcome.id;
    if (outcome.reply.empty()) continue;
    put_reply(outcome.reply);
    if (!send_replies()) return false;
  }
  return true;
}

}  // namespace ringwall::net
