// The unix sockets of one network namespace, as the kernel lists them. Whose a socket file is shows
// here and nowhere else: a name in a folder does not say who answers at it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::unix_sockets {

// Where it is bound: the kernel tells 32 bits of the inode.
struct Binding {
  uint32_t device = 0;  // 0: at no file
  uint32_t inode = 0;
  bool operator==(const Binding&) const = default;
};

struct Listed {
  uint32_t number = 0;
  uint32_t peer = 0;     // number of the socket that it is connected to; 0: none
  Binding binding = {};  // for the far end of a connection, its listener's
  // The far end of a connection, which is in the namespace of who has connected, whoever listens;
  // or one that was bound and is connected itself, which seldom is.
  bool is_far_end = false;
};

// Whether this kernel has such a list. Asking may load it.
bool can_be_listed();

// Of the namespace that this process is in now, wherever it goes later.
Result<Fd> open_list();
Result<std::vector<Listed>> read_list(int list);

Binding binding_of(dev_t device, ino_t inode);

// Whether somebody has the socket that `file` (O_PATH) is, in any namespace. Asks as a socket for
// datagrams does, of which nobody is told. A file that nobody has is nobody's for good.
bool is_live(int file);

}  // namespace ringwall::unix_sockets
