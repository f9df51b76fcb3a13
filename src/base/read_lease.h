// Read leases: the kernel gives one only while nobody has the file open for writing, or mapped so,
// and whoever wants to write waits until it is given back. Some filesystems give none.
#pragma once

namespace ringwall::file {

// Held until `fd` is closed.
bool take_read_lease(int fd);

// Held for a scope.
class ReadLease {
 public:
  explicit ReadLease(int fd);
  ReadLease(const ReadLease&) = delete;
  ReadLease& operator=(const ReadLease&) = delete;
  ~ReadLease();
  bool is_held() const { return is_held_; }

 private:
  int fd_;
  bool is_held_;
};

// By a lease that is held for a moment. Unknown where the filesystem gives none.
enum class Writers { none, some, unknown };
Writers probe_writers(int fd);

}  // namespace ringwall::file
