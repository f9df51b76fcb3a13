// A connection to the resolver by TCP: questions one after another, each behind its length.
#pragma once

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "net/name_service.h"

namespace ringwall::net {

class QuestionConnection {
 public:
  QuestionConnection(Fd socket, Asker asker) : socket_(std::move(socket)), asker_(asker) {}

  // Does what can be done now. False: to be forgotten.
  bool go_on(NameService& names);
  bool take_reply(const std::string& reply, NameService& names);

  int socket() const { return socket_.get(); }
  // It was stopped in the midst, for the sake of others.
  bool has_more() const { return has_more_; }
  uint32_t awaits() const { return awaits_; }  // the id of its question, 0: none

 private:
  void put_reply(const std::string& reply);
  bool send_replies();
  bool read_some();

  Fd socket_;
  Asker asker_;
  std::string in_;
  std::string out_;
  uint32_t awaits_ = 0;
  bool has_more_ = false;
};

}  // namespace ringwall::net
