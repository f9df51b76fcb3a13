#include "mcp/filter_process.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "base/channel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "base/text.h"
#include "instructions/hidden_characters.h"

namespace ringwall::mcp {
namespace {

constexpr int64_t kPatience = 2'000'000'000;   // nanoseconds
constexpr size_t kMostQueued = 2 * kMostLine;  // then the other side is not read
constexpr size_t kBeginning = 256;             // of a line that is too long
constexpr size_t kLongestError = 8192;         // bytes of one line of the server's errors

// Collects what comes into lines.
class Reader {
 public:
  Reader(int fd, size_t most) : fd_(fd), most_(most) {}

  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

  // After poll; false: nothing more will come.
  bool read_some() {
    char chunk[1 << 16];
    ssize_t count = read(fd_, chunk, sizeof chunk);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (count <= 0) {
      fd_ = -1;
      return false;
    }
    buffer_.append(chunk, static_cast<size_t>(count));
    return true;
  }

  // `take` gets whole lines, `skip` the beginning of one that is too long.
  template <typename Take, typename Skip>
  void hand_out(Take take, Skip skip) {
    size_t from = 0;
    while (true) {
      size_t end = buffer_.find('\n', std::max(from, searched_));
      if (end == std::string::npos) break;
      std::string_view line(buffer_.data() + from, end - from);
      if (!std::exchange(skipping_, false)) take(line);
      from = searched_ = end + 1;
    }
    buffer_.erase(0, from);
    searched_ = buffer_.size();
    if (buffer_.size() <= most_) return;
    if (!skipping_) skip(std::string_view(buffer_).substr(0, kBeginning));
    skipping_ = true;
    buffer_.clear();
    searched_ = 0;
  }

 private:
  int fd_;
  size_t most_;
  std::string buffer_;
  size_t searched_ = 0;
  bool skipping_ = false;
};

// Keeps what the other end does not take yet.
class Writer {
 public:
  explicit Writer(int fd) : fd_(fd) {}

  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  bool is_empty() const { return sent_ == queue_.size(); }
  bool is_full() const { return queue_.size() - sent_ > kMostQueued; }

  void add(std::string_view line) {
    if (!is_open()) return;
    queue_ += line;
    queue_ += '\n';
  }

  // After poll, so that it does not wait: of a pipe that is writable a page can be written.
  void write_some() {
    std::string_view rest = std::string_view(queue_).substr(sent_);
    ssize_t count = send(fd_, rest.data(), rest.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == ENOTSOCK)
      count = write(fd_, rest.data(), std::min<size_t>(rest.size(), 4096));
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count < 0) return close_now();
    sent_ += static_cast<size_t>(count);
    if (!is_empty() && sent_ < kMostQueued) return;
    queue_.erase(0, sent_);
    sent_ = 0;
  }

  void close_now() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
    queue_.clear();
    sent_ = 0;
  }

 private:
  int fd_;
  std::string queue_;
  size_t sent_ = 0;
};

class Process {
 public:
  Process(Filter filter, const FilterEnds& ends)
      : filter_(std::move(filter)),
        ends_(ends),
        from_agent_(ends.agent_in, kMostLine),
        from_server_(ends.server_out, kMostLine),
        errors_(ends.server_errors, kLongestError),
        to_agent_(ends.agent_out),
        to_server_(ends.server_in) {}

  void run() {
    while (from_server_.is_open() || errors_.is_open() ||
           (to_agent_.is_open() && !to_agent_.is_empty()))
      step();
  }

 private:
  void step() {
    auto reads = [](const Reader& reader, bool now) {
      return pollfd{now ? reader.fd() : -1, POLLIN, 0};
    };
    auto writes = [](const Writer& writer) {
      return pollfd{writer.is_empty() ? -1 : writer.fd(), POLLOUT, 0};
    };
    pollfd waits[] = {reads(from_agent_, !to_server_.is_full()),
                      reads(from_server_, !to_agent_.is_full()), reads(errors_, true),
                      writes(to_agent_), writes(to_server_)};
    int patience = -1;
    if (deadline_ != 0)
      patience =
          static_cast<int>(std::max<int64_t>(0, deadline_ - clock::monotonic()) / 1'000'000) + 1;
    if (poll(waits, std::size(waits), patience) < 0 && errno != EINTR) _exit(1);
    if (waits[0].revents != 0) read_agent();
    if (waits[1].revents != 0) read_server();
    if (waits[2].revents != 0) read_errors();
    if (waits[3].revents != 0) to_agent_.write_some();
    if (waits[4].revents != 0) to_server_.write_some();
    look_at_the_end();
  }

  void read_agent() {
    from_agent_.read_some();
    from_agent_.hand_out([&](std::string_view line) { pass(filter_.from_agent(line), line); },
                         [&](std::string_view line) { pass(filter_.too_long(true, line), line); });
  }
  void read_server() {
    from_server_.read_some();
    from_server_.hand_out(
        [&](std::string_view line) { pass(filter_.from_server(line), line); },
        [&](std::string_view line) { pass(filter_.too_long(false, line), line); });
  }

  // An empty line is no message, and no mistake.
  void pass(const Filtered& out, std::string_view line) {
    if (text::trim(line).empty()) return;
    for (const PinNote& note : out.notes) {
      // What is not noted would be new again next time.
      if (!file::write_all(ends_.notes, note.line()))
        give_up("the notes of its tools cannot be written");
    }
    for (const std::string& one : out.to_agent)
      to_agent_.add(one);
    for (const std::string& one : out.to_server)
      to_server_.add(one);
    for (const Report& report : out.reports)
      tell(report);
  }

  void tell(const Report& report) {
    FilterNotice notice{FilterNotice::Type::report, report.kind, report.weight};
    fixed::put(notice.tool, report.tool);
    fixed::put(notice.what, report.what);
    fixed::put(notice.rule, report.rule);
    if (!channel::send(ends_.supervisor, fixed::bytes_of(notice))) _exit(1);
  }

  [[noreturn]] void give_up(std::string why) {
    tell({Report::Kind::dropped, "", std::move(why), ""});
    ask_for_end();
    _exit(1);
  }
  void ask_for_end() {
    FilterNotice notice{FilterNotice::Type::ends};
    (void)channel::send(ends_.supervisor, fixed::bytes_of(notice));
  }

  // For the person's terminal: what it would obey is made visible.
  void read_errors() {
    errors_.read_some();
    auto show = [&](std::string_view line) {
      std::string shown =
          instructions::without_hidden(line) == line ? std::string(line) : text::escape(line);
      (void)file::write_all(ends_.person, shown + "\n");  // who closed it does not want to know
    };
    errors_.hand_out(show, show);
  }

  void look_at_the_end() {
    if (from_agent_.is_open() && !to_agent_.is_open()) from_agent_ = Reader(-1, 0);
    bool agent_left = !from_agent_.is_open();
    if (agent_left && to_server_.is_open() && to_server_.is_empty()) to_server_.close_now();
    if (!from_server_.is_open() && to_agent_.is_open() && to_agent_.is_empty())
      to_agent_.close_now();
    if (agent_left && from_server_.is_open() && deadline_ == 0 && !asked_for_end_)
      deadline_ = clock::monotonic() + kPatience;
    if (deadline_ == 0 || clock::monotonic() < deadline_) return;
    deadline_ = 0;
    asked_for_end_ = true;
    ask_for_end();
  }

  Filter filter_;
  FilterEnds ends_;
  Reader from_agent_, from_server_, errors_;
  Writer to_agent_, to_server_;
  int64_t deadline_ = 0;
  bool asked_for_end_ = false;
};

}  // namespace

Result<FilterNotice> parse_filter_notice(std::string_view bytes) {
  TRY_ASSIGN(FilterNotice notice, (fixed::parse<FilterNotice, FilterNotice::Type>(
                                      bytes, "filter", FilterNotice::Type::ends)));
  fixed::end_text(notice.tool);
  fixed::end_text(notice.what);
  fixed::end_text(notice.rule);
  auto kind = static_cast<uint32_t>(notice.kind);
  if (kind < 1 || kind > static_cast<uint32_t>(Report::Kind::waits))
    return fail("filter message of unknown kind");
  return notice;
}

void run_filter(Filter filter, const FilterEnds& ends) {
  Process(std::move(filter), ends).run();
  _exit(0);
}

}  // namespace ringwall::mcp
