// Writes what happens in a run into its record, without ever waiting for the disk: events are
// queued, and a thread of its own writes them. A run that is over at once never starts that thread.
//
// What comes again and again is counted: the same refusal or connection within a second is one line
// with a number. What does not fit (a record that has reached its size, a disk that takes nothing)
// is counted too, and the record says how many events and refusals it does not hold.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "events/event.h"
#include "events/record_file.h"
#include "events/record_store.h"

namespace ringwall::session {

struct RecordRequest {
  std::string state;  // the folder
  std::string run;
  uint64_t most_bytes = UINT64_MAX;
  uint64_t most_kept = UINT64_MAX;  // bytes of all records together
};

class Recorder {
 public:
  // The first event is on its way to the disk when this returns: a run whose record cannot be begun
  // does not start.
  static Result<std::unique_ptr<Recorder>> open(const RecordRequest& request,
                                                const events::RunStarted& first);
  ~Recorder();

  const std::string& id() const { return id_; }
  uint64_t refusals() const { return refusals_; }

  void append(const events::Event& event);

  // Whoever wants to hear each event as it is written from now on, also those for which the record
  // has no room.
  using Listener = std::function<void(int64_t milliseconds, std::string_view event)>;
  void let_hear(Listener listener) { listener_ = std::move(listener); }
  // Since the record began.
  int64_t milliseconds() const { return now().since_milliseconds; }

  // When `step` has something to do; 0: not by itself.
  int64_t next_step() const;
  void step();

  // Why lines were left out in the end.
  const std::string& why_lost() const { return why_lost_; }

  // Readable when something went wrong.
  int fd() const { return alarm_.get(); }
  // Why the record cannot be written, once each time that begins.
  std::optional<std::string> take_failure();

  // After the last event. What cannot be written in the end is left out: so many lines.
  Result<uint64_t> close();

 private:
  struct Queued {
    std::string event;
    events::Moment moment;
    uint64_t refusals = 0;  // that it stands for
  };
  struct Gap {
    uint64_t events = 0;
    uint64_t refusals = 0;
  };

  Recorder(std::string id, RecordRequest request, events::RecordFile file);
  events::Moment now() const;
  void queue(const events::Event& event);
  bool count_repeat(const events::Event& event);
  void tell_repeats();
  void tell_counted();
  void tell_unlisted();
  void add_gap(std::string why, Gap& gap);
  void add_size_gap();
  void write_queue();
  void remove_old_records();
  Queued describe_lost(const Gap& lost) const;
  Status write_once(std::vector<Queued> batch);

  const std::string id_;
  const RecordRequest request_;
  const int64_t started_;
  events::RecordFile file_;  // the thread's, once it runs
  Fd alarm_;
  uint64_t refusals_ = 0;
  Listener listener_;
  bool is_quiet_ = false;  // to whoever listens

  // Of the second that is going on: what was seen, how often since.
  std::map<std::string, events::Event> repeats_;
  int64_t second_ends_ = 0;
  std::map<std::string, uint64_t> unlisted_;  // refused destinations beyond those, how often
  Gap uncounted_;                             // and beyond these
  Gap over_size_;                             // beyond the record's size
  int64_t gap_told_ = 0;
  uint64_t bytes_ = 0;

  std::mutex mutex_;  // over what follows
  std::condition_variable wake_;
  std::vector<Queued> queue_;
  size_t queued_bytes_ = 0;
  Gap lost_;  // while nothing could be written
  std::optional<std::string> failure_;
  bool is_failing_ = false;
  bool stops_ = false;

  int64_t unwritten_since_ = 0;
  std::string why_lost_;
  std::optional<std::thread> writer_;
};

}  // namespace ringwall::session
