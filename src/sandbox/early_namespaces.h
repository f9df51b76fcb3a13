// The kernel takes longest to make a network namespace, as long as the supervisor needs to plan a
// run: both are done at once. A process that shares the supervisor's memory and descriptors makes
// the namespaces that no plan says anything about, waits until the plan is there, and starts the
// sandbox's pid 1 in them, as a child of the supervisor. Then it ends.
//
// Nothing depends on it: whatever it cannot do is done, or refused, by the usual way.
#pragma once

#include <linux/sched.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>

namespace ringwall::sandbox {

class EarlyNamespaces {
 public:
  EarlyNamespaces();  // none
  // Leaves the caller's keyring as well: what the sandbox shall not have must be gone before. None
  // if the host refuses, or if one of these walls is taken away.
  static EarlyNamespaces start();

  EarlyNamespaces(EarlyNamespaces&&) noexcept;
  EarlyNamespaces& operator=(EarlyNamespaces&&) noexcept;
  ~EarlyNamespaces();

  static uint64_t flags();  // of the namespaces that it makes
  bool are_there() const { return helper_ > 0; }

  // The process that holds them until the child is there, when they are made: what a child's maps
  // and descriptors need can be done before it. Less than 0 if they cannot be made.
  pid_t wait_until_made();

  // As clone3 with these arguments, without its namespaces: the child runs `body`, which does not
  // return. Less than 0 if it cannot be done, 0 if nobody knows whether it was: somebody has killed
  // who should say so. Once; end() is to be called soon after.
  pid_t start_child(clone_args& arguments, const std::function<void()>& body);
  void end();

 private:
  struct Order;

  pid_t helper_ = -1;
  std::unique_ptr<Order> order_;
};

}  // namespace ringwall::sandbox
