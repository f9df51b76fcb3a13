// Catches every rename inside, before the kernel looks at it, and asks whoever holds the listener.
//
// Git writes its config beside the old one and renames it over: onto a mount, which the kernel
// refuses. The mount is the wall and stays it; this only gives the hand an occasion to have the
// same update made from outside. So whatever the hand cannot or need not judge just goes on.
//
// In a run that learns, every call that names a file is caught as well: a process has one listener
// at most. Those all go on, as soon as their arguments were copied.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <array>
#include <cstdint>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::calls {

std::vector<sock_filter> rename_filter(bool learns = false);

// From here on this process and all below it ask before a rename. Needs no_new_privs. Nothing on a
// kernel that cannot keep a caller from being interrupted meanwhile (before 5.19): a signal would
// have it repeat a rename that is done already.
Result<Fd> listen_for_renames(bool learns = false);

// Whether this kernel can. Changes nothing.
bool can_listen_for_calls();

// The caught calls, one by one.
class RenameListener {
 public:
  explicit RenameListener(Fd listener);

  int fd() const { return fd_.get(); }
  void close() { fd_.close(); }

  // Null: nothing is waiting, or it has gone away. Valid until the next one is taken.
  const seccomp_notif* receive();
  // False if the caller is gone, and its number may be another's.
  bool still_waits(uint64_t id) const;
  void let_go_on(uint64_t id);
  void answer(uint64_t id, int err);  // 0: done

 private:
  void send(uint64_t id, int err, uint32_t flags);

  Fd fd_;
  // Longer than we know them: a newer kernel fills its own length, and wants the rest empty.
  std::array<uint64_t, 64> notice_{}, response_{};
};

}  // namespace ringwall::calls
