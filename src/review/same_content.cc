#include "review/same_content.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/sha256.h"
#include "review/layer_marks.h"

namespace ringwall::review {
namespace {

constexpr size_t kPiece = 128 << 10;

// As many bytes as there are up to `size`; less only at the end of the file or on an error.
size_t read_piece(int fd, char* to, size_t size, uint64_t at) {
  size_t done = 0;
  while (done < size) {
    ssize_t got = pread(fd, to + done, size - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

}  // namespace

bool is_same_file(int a, int b, uint64_t size, ReadBudget& budget) {
  auto one = std::make_unique_for_overwrite<char[]>(kPiece);
  auto other = std::make_unique_for_overwrite<char[]>(kPiece);
  for (uint64_t at = 0; at < size; at += kPiece) {
    size_t piece = std::min<uint64_t>(kPiece, size - at);
    if (budget.bytes < 2 * piece) return false;
    budget.bytes -= 2 * piece;
    if (read_piece(a, one.get(), piece, at) != piece) return false;
    if (read_piece(b, other.get(), piece, at) != piece) return false;
    if (memcmp(one.get(), other.get(), piece) != 0) return false;
  }
  return attributes_of(a) == attributes_of(b);
}

Result<Digest> digest_of(int fd, uint64_t size, ReadBudget& budget) {
  if (budget.bytes < size) return fail("there is too much to compare");
  budget.bytes -= size;
  auto buffer = std::make_unique_for_overwrite<char[]>(kPiece);
  Sha256 digest;
  for (uint64_t at = 0; at < size; at += kPiece) {
    size_t piece = std::min<uint64_t>(kPiece, size - at);
    if (read_piece(fd, buffer.get(), piece, at) != piece) return fail("the file cannot be read");
    digest.add(buffer.get(), piece);
  }
  return digest.finish();
}

}  // namespace ringwall::review
