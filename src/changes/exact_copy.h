// Copies of files that are as the original: bytes with their holes, mode, time of the last change,
// the user's extended attributes. Never setuid and setgid bits, never overlayfs's marks.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "changes/attributes.h"
#include "changes/entry.h"

namespace ringwall::changes {

// The bytes of a file into an empty one. Shares blocks where the filesystem can, else copies within
// the kernel; what is a hole stays one.
Status copy_content(int from, int to);

// A file that is read, also one whose owner (us) has closed it to himself: then its mode is opened
// as long as this lives.
class ReadableFile {
 public:
  static Result<ReadableFile> open(int folder, const std::string& name);
  ReadableFile(ReadableFile&&) = default;
  ~ReadableFile();

  int get() const { return file_.get(); }
  const struct stat& seen() const { return seen_; }  // before it was opened

 private:
  ReadableFile() = default;

  Fd file_;
  Fd closed_;  // it, if its mode is to be put back
  struct stat seen_ = {};
};

struct Source {
  int folder;
  const char* name;
};

// What the copy shall be other than the source says.
struct CopyFacts {
  std::optional<uint32_t> mode;
  std::optional<int64_t> modified;
  const Attributes* attributes = nullptr;
};

// A file, a link or a fifo. `name` must be free in `folder`; what was made before a failure is
// removed again.
Status copy_entry(const Source& source, EntryType type, int folder, const std::string& name,
                  const CopyFacts& facts = {});

}  // namespace ringwall::changes
