// A run's record on disk:
//
//   records/ID.jsonl, ID.2.jsonl, …   the lines, a new file each time one has grown large
//   heads/open/ID                     number and hash of the last line, locked while the run goes
//   on heads/ID                          the same when it has ended
//
// ID is the run's name, when it was started, and its supervisor's number: names come again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "events/chain.h"

namespace ringwall::events {

class RecordFile {
 public:
  // Below the folder `state`. The lines' files begin anew at `segment_size` bytes.
  static Result<RecordFile> create(const std::string& state, const std::string& id,
                                   uint64_t segment_size);
  // One whose supervisor was killed: what was being written then is removed, unless the head
  // vouches for all of it. Nothing if its supervisor is there; nor if it has not written a
  // line, and then the head is removed. An error
  // if the lines do not fit the head: it stays as it is, for who checks it.
  struct Reopened;
  static Result<std::optional<Reopened>> reopen(const std::string& state, const std::string& id);
  RecordFile(RecordFile&&) = default;
  RecordFile& operator=(RecordFile&&) = default;

  // Chains the event on; it stands for so many refusals. What was added is written by `write`.
  void add(const Moment& moment, std::string_view event, uint64_t refusals);
  // An error (a full disk): what is not written yet stays, and can be tried again.
  Status write();
  bool is_open() const { return static_cast<bool>(head_file_); }
  size_t unwritten() const { return lines_.size(); }
  uint64_t size() const { return size_; }  // of all files, with what is not written yet

  // The run has ended: its head goes to those of ended ones. What cannot be written is left out:
  // the record is whole without it. Gives the number of lines left out.
  Result<uint64_t> close();

 private:
  RecordFile() = default;
  Status begin_segment();
  Status write_head();
  Status leave_out_rest();
  static Result<RecordFile> open_folders(const std::string& state, const std::string& id);

  std::string id_;
  uint64_t segment_size_ = 0;
  Fd records_, heads_;
  Fd file_, head_file_;
  unsigned segment_ = 0;
  uint64_t in_segment_ = 0;
  bool is_mid_line_ = false;  // a write was cut short
  uint64_t size_ = 0;
  Head head_;
  uint64_t whole_ = 0;  // bytes of this file up to `head_.written`
  std::string lines_;
};

struct RecordFile::Reopened {
  RecordFile record;
  size_t cut_bytes = 0;   // of what was being written
  std::string last_line;  // that is whole
};

}  // namespace ringwall::events
