#include "session/recorder.h"

#include <malloc.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>

#include "base/clock.h"
#include "events/refused_place.h"
#include "sandbox/wall.h"

namespace ringwall::session {
namespace {

constexpr uint64_t kSegmentBytes = 16 << 20;
constexpr size_t kMostQueued = 8 << 20;         // bytes
constexpr int64_t kPatience = 20'000'000;       // nanoseconds until a thread is worth its start
constexpr int64_t kSecond = 1'000'000'000;      // in which repeats are counted
constexpr int64_t kBetweenGaps = 10 * kSecond;  // one line for what is beyond the record's size
constexpr int kMostOfASecond = 1000;            // records of one name and number
constexpr size_t kMostUnlisted = 20'000;        // further ones, told of by their names alone
constexpr size_t kMostInALine = 200;            // of those
constexpr size_t kMostListed = 100;             // different refusals or connections in a second

// What belongs together is counted together. Empty: each is an event of its own.
std::string repeat_key(const events::Event& event) {
  if (const auto* blocked = std::get_if<events::Blocked>(&event))
    return "b" + blocked->destination + "\n" + blocked->why;
  if (const auto* connected = std::get_if<events::Connected>(&event))
    return "c" + connected->destination;
  return "";
}

std::string place_of(const events::Blocked& blocked) {
  return blocked.by_content ? events::name_content(blocked.destination, blocked.why)
                            : blocked.destination;
}

uint64_t times_of(const events::Event& event) {
  const auto* blocked = std::get_if<events::Blocked>(&event);
  return blocked != nullptr ? blocked->times : std::get<events::Connected>(event).times;
}

uint64_t& times_of(events::Event& event) {
  auto* blocked = std::get_if<events::Blocked>(&event);
  return blocked != nullptr ? blocked->times : std::get<events::Connected>(event).times;
}

// Rare, and told of whatever the record's size is.
bool is_always_kept(const events::Event& event) {
  return std::holds_alternative<events::RunEnded>(event) ||
         std::holds_alternative<events::RecordGap>(event) ||
         std::holds_alternative<events::PolicyChanged>(event) ||
         std::holds_alternative<events::RiskLevel>(event) ||
         std::holds_alternative<events::RiskLowered>(event);
}

}  // namespace

Recorder::Recorder(std::string id, RecordRequest request, events::RecordFile file)
    : id_(std::move(id)),
      request_(std::move(request)),
      started_(clock::monotonic()),
      file_(std::move(file)),
      alarm_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Result<std::unique_ptr<Recorder>> Recorder::open(const RecordRequest& request,
                                                 const events::RunStarted& first) {
  if (sandbox::is_taken_away(sandbox::Wall::record)) return nullptr;
  std::string first_id = events::make_record_id(request.run, clock::wall_seconds(), getpid());
  std::string id = first_id;
  auto created = events::RecordFile::create(request.state, id, kSegmentBytes);
  // In a container every supervisor has the same number.
  for (int i = 2; !created && created.error().err == EEXIST && i < kMostOfASecond; i++) {
    id = first_id + "-" + std::to_string(i);
    created = events::RecordFile::create(request.state, id, kSegmentBytes);
  }
  TRY_ASSIGN(events::RecordFile file, std::move(created));
  std::unique_ptr<Recorder> recorder(new Recorder(id, request, std::move(file)));
  if (!recorder->alarm_) return fail_errno("cannot make an event descriptor");
  recorder->file_.add(recorder->now(), events::to_json(first), 0);
  TRY(recorder->file_.write());
  recorder->unwritten_since_ = clock::monotonic();  // old records wait to be removed
  return recorder;
}

Recorder::~Recorder() { (void)close(); }

events::Moment Recorder::now() const {
  timespec wall;
  clock_gettime(CLOCK_REALTIME, &wall);
  return {static_cast<int64_t>(wall.tv_sec) * 1000 + wall.tv_nsec / 1'000'000,
          (clock::monotonic() - started_) / 1'000'000};
}

void Recorder::append(const events::Event& event) {
  refusals_ += events::count_refusals(event);
  if (std::holds_alternative<events::RunEnded>(event)) tell_counted();
  if (count_repeat(event)) return;
  queue(event);
}

// True if the event was counted, and will be told of with others of its kind.
bool Recorder::count_repeat(const events::Event& event) {
  std::string key = repeat_key(event);
  if (key.empty()) return false;
  int64_t time = clock::monotonic();
  if (second_ends_ != 0 && time >= second_ends_) tell_repeats();
  if (second_ends_ == 0) second_ends_ = time + kSecond;
  auto known = repeats_.find(key);
  if (known != repeats_.end()) {
    times_of(known->second) += times_of(event);
    return true;
  }
  if (repeats_.size() >= kMostListed) {
    const auto* blocked = std::get_if<events::Blocked>(&event);
    bool has_room = unlisted_.size() < kMostUnlisted;
    std::string place = blocked != nullptr ? place_of(*blocked) : "";
    if (blocked != nullptr && (has_room || unlisted_.contains(place))) {
      unlisted_[place] += blocked->times;
    } else {
      uncounted_.events++;
      uncounted_.refusals += events::count_refusals(event);
    }
    return true;
  }
  events::Event counted = event;
  times_of(counted) = 0;
  repeats_.emplace(std::move(key), std::move(counted));
  return false;
}

void Recorder::tell_repeats() {
  second_ends_ = 0;
  for (auto& [key, event] : std::exchange(repeats_, {})) {
    if (times_of(event) > 0) queue(event);
  }
  tell_unlisted();
  if (uncounted_.events > 0) add_gap("too many different ones in a second", uncounted_);
}

// By their names alone, many in a line: a flood hides nobody.
void Recorder::tell_unlisted() {
  events::BlockedMany many{request_.run, {}, 0};
  for (const auto& [destination, times] : std::exchange(unlisted_, {})) {
    many.destinations.push_back(destination);
    many.times += times;
    if (many.destinations.size() < kMostInALine) continue;
    queue(many);
    many = {request_.run, {}, 0};
  }
  if (!many.destinations.empty()) queue(many);
}

// What was counted until now: the end comes behind it.
void Recorder::tell_counted() {
  tell_repeats();
  if (over_size_.events > 0) add_size_gap();
}

// Whoever listens has heard each of them.
void Recorder::add_size_gap() {
  is_quiet_ = true;
  add_gap("the record has reached its size", over_size_);
  is_quiet_ = false;
}

void Recorder::add_gap(std::string why, Gap& gap) {
  queue(events::RecordGap{request_.run, std::move(why), gap.events, gap.refusals});
  gap = {};
}

void Recorder::queue(const events::Event& event) {
  Queued queued{events::to_json(event), now(), events::count_refusals(event)};
  // Also what the record has no room for.
  if (listener_ && !is_quiet_) listener_(queued.moment.since_milliseconds, queued.event);
  if (bytes_ > request_.most_bytes && !is_always_kept(event)) {
    over_size_.events++;
    over_size_.refusals += queued.refusals;
    if (clock::monotonic() < gap_told_ + kBetweenGaps) return;
    gap_told_ = clock::monotonic();
    return add_size_gap();
  }
  bytes_ += queued.event.size();
  if (unwritten_since_ == 0) unwritten_since_ = clock::monotonic();
  std::lock_guard lock(mutex_);
  if (queued_bytes_ + queued.event.size() > kMostQueued) {
    lost_.events++;
    lost_.refusals += queued.refusals;
    return;
  }
  queued_bytes_ += queued.event.size();
  queue_.push_back(std::move(queued));
  if (writer_) wake_.notify_one();
}

int64_t Recorder::next_step() const {
  int64_t start = writer_ || unwritten_since_ == 0 ? 0 : unwritten_since_ + kPatience;
  if (start == 0 || second_ends_ == 0) return std::max(start, second_ends_);
  return std::min(start, second_ends_);
}

void Recorder::step() {
  int64_t time = clock::monotonic();
  if (second_ends_ != 0 && time >= second_ends_) tell_repeats();
  if (writer_ || unwritten_since_ == 0 || time < unwritten_since_ + kPatience) return;
  // Signals are the supervisor's own, and one heap is enough for both.
  mallopt(M_ARENA_MAX, 1);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  writer_.emplace([this] { write_queue(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Recorder::Queued Recorder::describe_lost(const Gap& lost) const {
  events::RecordGap gap{request_.run, "the record could not be written", lost.events,
                        lost.refusals};
  return {events::to_json(gap), now(), lost.refusals};
}

// Chains a batch on and writes it; a batch that did not reach the disk is tried again alone.
Status Recorder::write_once(std::vector<Queued> batch) {
  for (const Queued& queued : batch)
    file_.add(queued.moment, queued.event, queued.refusals);
  return file_.write();
}

// Those of ended runs, the oldest first. The new record says which, and how many refusals they
// held.
void Recorder::remove_old_records() {
  for (const events::RecordRemoved& removed :
       events::remove_old_records(request_.state, request_.most_kept))
    file_.add(now(), events::to_json(removed), 0);
}

// The thread.
void Recorder::write_queue() {
  remove_old_records();
  std::unique_lock lock(mutex_);
  while (true) {
    if (!is_failing_) wake_.wait(lock, [this] { return stops_ || !queue_.empty(); });
    if (is_failing_ && !stops_) wake_.wait_for(lock, std::chrono::seconds(1));
    if (stops_ && queue_.empty() && file_.unwritten() == 0) return;
    std::vector<Queued> batch;
    if (!is_failing_) batch = std::exchange(queue_, {});
    if (!is_failing_) queued_bytes_ = 0;
    Gap lost = is_failing_ ? Gap() : std::exchange(lost_, {});
    lock.unlock();
    if (lost.events > 0) batch.push_back(describe_lost(lost));
    Status written = write_once(std::move(batch));
    lock.lock();
    if (!written && !is_failing_) {
      failure_ = written.error().text();
      // It fails only if nobody has read the last alarm yet, and that one rings for this too.
      eventfd_write(alarm_.get(), 1);
    }
    is_failing_ = !written;
    if (stops_ && is_failing_) return;
  }
}

std::optional<std::string> Recorder::take_failure() {
  uint64_t count = 0;
  if (read(alarm_.get(), &count, sizeof count) < 0 && errno != EAGAIN) return std::nullopt;
  std::lock_guard lock(mutex_);
  return std::exchange(failure_, std::nullopt);
}

Result<uint64_t> Recorder::close() {
  if (!file_.is_open()) return 0;
  tell_counted();
  if (writer_) {
    {
      std::lock_guard lock(mutex_);
      stops_ = true;
    }
    wake_.notify_one();
    writer_->join();
    writer_.reset();
  }
  // Nobody inside waits any more: what is left is written here.
  std::vector<Queued> rest = std::exchange(queue_, {});
  Gap lost = std::exchange(lost_, {});
  if (lost.events > 0) rest.push_back(describe_lost(lost));
  Status written = write_once(std::move(rest));
  if (!written) why_lost_ = written.error().text();
  TRY_ASSIGN(uint64_t left_out, file_.close());
  return left_out + (left_out > 0 ? lost.events : 0);
}

}  // namespace ringwall::session
