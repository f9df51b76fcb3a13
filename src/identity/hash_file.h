// The hash of a file's content, by descriptor. A file that changes meanwhile has none.
#pragma once

#include "base/digest.h"
#include "base/result.h"
#include "identity/file_key.h"

namespace ringwall::identity {

struct Hashed {
  FileKey key;
  Digest digest;
};

// `fd` is open for reading; its offset stays. Fails if it is no regular file, lies on a filesystem
// that can show different bytes to different readers (FUSE, network), or was written meanwhile.
Result<Hashed> hash_file(int fd);

// True for filesystems whose files are as the kernel of this host has them.
bool is_trustworthy_filesystem(int fd);

// On an overlay a mapping belongs to the file below: the kernel does not see there that what is
// executed is being written.
bool is_overlay(int fd);

// A verdict over more than this is waited for by nobody: what is larger does not run.
inline constexpr uint64_t kLargestProgram = uint64_t{4} << 30;

}  // namespace ringwall::identity
