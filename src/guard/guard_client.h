// A supervisor's side of root's guard: asks it to enforce the rules of one sandbox, and hears what
// was refused there.
#pragma once

#include <string>
#include <vector>

#include "base/digest.h"
#include "base/fd.h"
#include "base/result.h"
#include "guard/guard_protocol.h"

namespace ringwall::guard {

struct GuardOrder {
  Kind least = Kind::none;  // none: no guard is wanted
  uint32_t flags = 0;       // of GuardRequest
  std::vector<Digest> denied, allowed, named;
};

// The rules hold as long as this lives. After it nothing more runs in that sandbox.
class GuardLink {
 public:
  GuardLink() = default;

  // Before anything of the inside runs. `pidfd` is of the sandbox's pid 1.
  static Result<GuardLink> enforce(const GuardOrder& order, int pidfd);

  bool is_there() const { return static_cast<bool>(connection_); }
  int fd() const { return connection_.get(); }
  Kind kind() const { return kind_; }

  // Of something refused. Fails when the guard is gone.
  Result<GuardNotice> receive();
  void end() { connection_.close(); }

 private:
  Fd connection_;
  Kind kind_ = Kind::none;
};

struct GuardFacts {
  Kind kind = Kind::none;
  std::string why_not_more;
};

// Fails if no guard of root's is at work here.
Result<GuardFacts> ask_guard();

// What a refusal is, for a person: "executed", "its content is denied".
std::string_view describe_how(uint32_t how);
std::string_view describe_why(uint32_t why);

}  // namespace ringwall::guard
