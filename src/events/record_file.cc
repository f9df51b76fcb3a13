#include "events/record_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_id.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"
#include "events/record_store.h"

namespace ringwall::events {
namespace {

// A pipe in its place would hold us up.
bool is_regular(int fd) {
  struct stat facts;
  return fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
}

bool is_removed(int fd) {
  struct stat facts;
  return fstat(fd, &facts) == 0 && facts.st_nlink == 0;
}

// How much of the text is whole up to and with the line of that hash; nothing if it is not there.
std::optional<size_t> find_line(std::string_view text, const Link& link, bool is_first_segment) {
  if (link.number == 0 && is_first_segment) return 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    if (sha256(text.substr(at, end - at)) == link.hash) return end + 1;
    at = end + 1;
  }
  return std::nullopt;
}

std::string last_line(std::string_view whole_lines) {
  if (!whole_lines.empty()) whole_lines.remove_suffix(1);
  return std::string(whole_lines.substr(whole_lines.rfind('\n') + 1));
}

// Where the last line of that hash ends in the last of these files: at its beginning if it is the
// last one of the file before.
Result<std::optional<size_t>> find_end(const std::vector<std::string>& paths, std::string_view text,
                                       const Link& link) {
  auto found = find_line(text, link, paths.size() == 1);
  if (found || paths.size() == 1) return found;
  TRY_ASSIGN(std::string before, file::read(paths[paths.size() - 2], kLargestRecord));
  bool is_before = before.ends_with('\n') && sha256(last_line(before)) == link.hash;
  return is_before ? std::optional<size_t>(0) : std::nullopt;
}

}  // namespace

Result<RecordFile> RecordFile::open_folders(const std::string& state, const std::string& id) {
  RecordFile record;
  record.id_ = id;
  TRY_ASSIGN(record.records_, file::make_dirs(records_folder(state)));
  TRY_ASSIGN(record.heads_, file::make_dirs(open_heads_folder(state)));
  return record;
}

Result<RecordFile> RecordFile::create(const std::string& state, const std::string& id,
                                      uint64_t segment_size) {
  TRY_ASSIGN(RecordFile record, open_folders(state, id));
  record.segment_size_ = segment_size;
  do {
    record.head_file_ = Fd(openat(record.heads_.get(), id.c_str(),
                                  O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!record.head_file_ || flock(record.head_file_.get(), LOCK_EX) < 0)
      return fail_errno("cannot make the head of the record " + text::quote(id));
    // Who looks for heads that were left may have taken it for one, before the lock was ours.
  } while (is_removed(record.head_file_.get()));
  if (Status begun = record.begin_segment(); !begun) {
    unlinkat(record.heads_.get(), id.c_str(), 0);
    return std::unexpected(begun.error());
  }
  return record;
}

Result<std::optional<RecordFile::Reopened>> RecordFile::reopen(const std::string& state,
                                                               const std::string& id) {
  TRY_ASSIGN(RecordFile record, open_folders(state, id));
  record.segment_size_ = UINT64_MAX;  // what is added is little
  record.head_file_ =
      Fd(openat(record.heads_.get(), id.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!record.head_file_ && errno == ENOENT) return std::nullopt;  // it has just ended
  if (!record.head_file_) return fail_errno("cannot open its head");
  if (!is_regular(record.head_file_.get())) return fail("its head is no file");
  if (flock(record.head_file_.get(), LOCK_EX | LOCK_NB) < 0) return std::nullopt;
  // Who ends lets go of the lock behind the name: it may have ended since the head was opened.
  if (!file::still_names(record.heads_.get(), id, record.head_file_.get())) return std::nullopt;
  std::vector<std::string> paths = record_paths(state, id);
  TRY_ASSIGN(std::string head, file::read_all(record.head_file_.get()));
  record.head_ = parse_head(head).value_or(Head());
  if (paths.empty()) {
    // Killed before its first line, which comes before everything else: there was no run.
    unlinkat(record.heads_.get(), id.c_str(), 0);
    return std::nullopt;
  }
  TRY_ASSIGN(record.file_, file::open(paths.back(), O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK));
  if (!is_regular(record.file_.get())) return fail("in place of its lines is no file");
  TRY_ASSIGN(std::string text, file::read_all(record.file_.get(), kLargestRecord));
  if (text.empty() && head.empty() && paths.size() == 1) {
    // Refused because not even its head could be written.
    unlinkat(record.records_.get(), std::string(path::basename(paths[0])).c_str(), 0);
    unlinkat(record.heads_.get(), id.c_str(), 0);
    return std::nullopt;
  }
  TRY_ASSIGN(auto last, find_end(paths, text, record.head_.last));
  TRY_ASSIGN(auto written, find_end(paths, text, record.head_.written));
  auto whole = last ? last : written;
  // Lines behind the one that the head vouches for were not written by the run.
  if (!whole || (last && *last < text.size())) return fail("its lines do not fit its head");
  if (!last) {
    record.head_.last = record.head_.written;
    record.head_.refusals = record.head_.refusals_written;
  }
  record.head_.written = record.head_.last;
  record.head_.refusals_written = record.head_.refusals;
  record.whole_ = record.in_segment_ = *whole;
  if (*whole < text.size() && ftruncate(record.file_.get(), static_cast<off_t>(*whole)) < 0)
    return fail_errno("what was being written cannot be cut off");
  return Reopened{std::move(record), text.size() - *whole, last_line(text.substr(0, *whole))};
}

Status RecordFile::begin_segment() {
  std::string name = segment_name(id_, segment_ + 1);
  Fd file(openat(records_.get(), name.c_str(),
                 O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return fail_errno("cannot make the record " + text::quote(name));
  file_ = std::move(file);
  segment_++;
  in_segment_ = 0;
  whole_ = 0;
  return {};
}

void RecordFile::add(const Moment& moment, std::string_view event, uint64_t refusals) {
  std::string line = chain_line(head_.last, moment, event);
  head_.refusals += refusals;
  size_ += line.size() + 1;
  lines_ += line;
  lines_ += '\n';
}

Status RecordFile::write_head() {
  std::string head = show_head(head_);
  if (pwrite(head_file_.get(), head.data(), head.size(), 0) != static_cast<ssize_t>(head.size()))
    return fail_errno("cannot write the head of the record " + text::quote(id_));
  return {};
}

Status RecordFile::write() {
  if (in_segment_ >= segment_size_ && !is_mid_line_ && !lines_.empty()) TRY(begin_segment());
  TRY(write_head());
  while (!lines_.empty()) {
    ssize_t count = ::write(file_.get(), lines_.data(), lines_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno("cannot write the record " + text::quote(id_));
    in_segment_ += static_cast<uint64_t>(count);
    if (count > 0) is_mid_line_ = lines_[static_cast<size_t>(count) - 1] != '\n';
    lines_.erase(0, static_cast<size_t>(count));
  }
  head_.written = head_.last;
  head_.refusals_written = head_.refusals;
  whole_ = in_segment_;
  return {};
}

// Back to the last line that was written whole and is vouched for.
Status RecordFile::leave_out_rest() {
  lines_.clear();
  head_.last = head_.written;
  head_.refusals = head_.refusals_written;
  if (ftruncate(file_.get(), static_cast<off_t>(whole_)) < 0)
    return fail_errno("cannot close the record " + text::quote(id_));
  return write_head();
}

Result<uint64_t> RecordFile::close() {
  uint64_t left_out = 0;
  if (!write()) {
    left_out = head_.last.number - head_.written.number;
    TRY(leave_out_rest());
  }
  std::string ended = "../" + id_;
  if (renameat(heads_.get(), id_.c_str(), heads_.get(), ended.c_str()) < 0)
    return fail_errno("cannot close the record " + text::quote(id_));
  head_file_.close();
  return left_out;
}

}  // namespace ringwall::events
