// Contents by their digests, each once: `blobs/ab/cdef…` below the undo folder. A content is
// written under a name of its own and renamed when it is whole, so that whatever has its name is
// whole too. Filesystems that can share blocks between files are asked to.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/digest.h"
#include "base/fd.h"
#include "base/result.h"

namespace ringwall::undo {

class Store {
 public:
  // `folder` is the undo folder, which is there.
  static Result<Store> open(int folder);

  // Keeps what `file` holds, from its start. `is_good` is asked when everything was read and
  // nothing has its name yet: false means that it was changed meanwhile, and is an error (ESTALE).
  Result<Digest> put(int file, uint64_t size, const std::function<bool()>& is_good);

  // A file of the same filesystem that lies where nobody else writes becomes the content itself.
  Status adopt(int folder, const std::string& name, const Digest& digest);
  bool has(const Digest& digest, uint64_t size) const;
  // Of what `file` holds from here to its end; and how much that is.
  static Result<Digest> digest_of(int file, uint64_t& size);

  // For reading. What has another size than it should is damaged.
  Result<Fd> open_content(const Digest& digest, uint64_t size) const;

  // Copies a content to `file`, which is empty, and checks it on the way.
  Status copy_to(const Digest& digest, uint64_t size, int file) const;

  // Calls `use` with every content and its bytes on the disk.
  Status visit(const std::function<void(const Digest&, uint64_t bytes)>& use) const;
  Status remove(const Digest& digest);
  // What writers that were killed have left. Nobody may be writing.
  Status remove_unfinished();

  uint64_t stored() const { return stored_; }  // bytes that were not there before

 private:
  Result<Digest> put_small(int file, uint64_t size, const std::function<bool()>& is_good);
  Result<Digest> put_large(int file, const std::function<bool()>& is_good);
  Result<Fd> make_unfinished();
  Status name_unfinished(const Digest& digest);
  Status name_content(int folder, const std::string& name, const Digest& digest);

  Fd blobs_;
  Fd unfinished_;  // folder
  std::string name_;
  uint64_t next_ = 0;
  uint64_t stored_ = 0;
};

}  // namespace ringwall::undo
