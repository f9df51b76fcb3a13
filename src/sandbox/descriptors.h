// Judges descriptors 0, 1 and 2, one by one, before anything runs.
//
// A directory leads out of the sandbox (/proc/self/fd/0/..), a device is what it is, and an
// inherited socket can be disconnected and dialled elsewhere, past the network namespace.
#pragma once

#include "base/result.h"

namespace ringwall::sandbox {

enum class Descriptor {
  pass,      // a pipe, a regular file, /dev/null
  terminal,  // passed on in a new session
  socket,    // to be replaced by a relayed pair
};

// Refuses with what to do instead. `landlock` says whether that wall will stand: a regular file
// could be opened again through /proc/self/fd with other rights, and Landlock is what refuses that.
// `place` is the number, 0 to 2, that the descriptor has or will have inside.
Result<Descriptor> judge_descriptor(int fd, int place, bool landlock);

// Opens /dev/null in place of 0, 1 or 2 where they are closed, and closes everything above. First
// act of the program: a file opened into descriptor 2 would be written to by every message.
Status sanitize_descriptors();

}  // namespace ringwall::sandbox
