#include "processes/limit_watch.h"

#include <signal.h>

#include <algorithm>
#include <charconv>

#include "base/clock.h"
#include "base/file.h"
#include "policy/fields.h"
#include "policy/numbers.h"
#include "processes/sandbox_processes.h"

namespace ringwall::processes {
namespace {

using policy::kNoLimit;
using policy::Shape;

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kShortest = 100 * kMillisecond;
constexpr int64_t kLongest = 1000 * kMillisecond;
constexpr int64_t kSlice = 10 * kMillisecond;  // of a walk, so that signals are not kept waiting
constexpr int64_t kMostCredit = 250 * kMillisecond;  // a first walk need not wait
constexpr int64_t kShare = 50;                       // a fiftieth of a processor
constexpr uint64_t kFastest = 4ull << 30;            // bytes a second that a host can fill

std::string size(uint64_t bytes) { return policy::show_number(Shape::size, bytes); }

std::string flag_of(const char* limit) {
  const policy::Field* field = policy::field_by_key(std::string("limits.") + limit);
  return field == nullptr ? "" : std::string(field->flag);
}

uint64_t number_behind(const std::string& text, std::string_view key) {
  size_t at = text.find(key);
  if (at == std::string::npos) return 0;
  at = text.find_first_of("0123456789", at + key.size());
  uint64_t value = 0;
  if (at != std::string::npos) std::from_chars(text.data() + at, text.data() + text.size(), value);
  return value;
}

// "0.20 0.18 0.12 1/80 11206": the fourth holds running and all.
uint64_t read_all_tasks() {
  std::string loads = file::read("/proc/loadavg").value_or("");
  uint64_t tasks = number_behind(loads, "/");
  return tasks == 0 ? kNoLimit : tasks;
}

// "1504 0 9223372036854775807": open ones, unused ones, the most. Each processor keeps some of the
// count for itself.
uint64_t read_all_open_files() {
  constexpr uint64_t kUncounted = 1024;
  uint64_t files = number_behind(file::read("/proc/sys/fs/file-nr").value_or(""), "");
  return files == 0 ? kNoLimit : files + kUncounted;
}

}  // namespace

LimitWatch::LimitWatch(WatchInputs inputs)
    : inputs_(std::move(inputs)),
      home_(inputs_.home, inputs_.limits.home_growth, inputs_.init,
            inputs_.limits.home_growth_lowers),
      workspace_(inputs_.workspace, inputs_.limits.workspace_growth, inputs_.init,
                 inputs_.limits.workspace_growth_lowers),
      memory_most_(inputs_.limits.memory),
      credit_(kMostCredit),
      accounted_(clock::monotonic()) {
  const limits::Limits& limits = inputs_.limits;
  if (limits.milliseconds != kNoLimit)
    deadline_ = accounted_ + static_cast<int64_t>(limits.milliseconds) * kMillisecond;
  pause_ = kShortest;
  if (has_work()) plan_next_look(accounted_);
}

bool LimitWatch::has_work() const {
  return deadline_ != 0 || memory_most_ != kNoLimit || inputs_.limits.processes != kNoLimit ||
         !inputs_.in_memory.empty() || home_.is_watched() || workspace_.is_watched();
}

void LimitWatch::tell(const char* limit, Then then, std::string what) {
  told_.insert(limit);
  reached_.push_back({inputs_.run, limit, then, std::move(what), flag_of(limit)});
}

void LimitWatch::come_back(uint64_t bytes_left) {
  auto until_full = static_cast<int64_t>(std::min(bytes_left, kFastest) * 1000 / kFastest);
  pause_ = std::min(pause_, std::max(until_full * kMillisecond, kShortest));
}

LimitWatch::Host LimitWatch::look_at_host() {
  std::string info = file::read("/proc/meminfo").value_or("");
  uint64_t total = number_behind(info, "MemTotal:") * 1024;
  uint64_t left = number_behind(info, "MemAvailable:") * 1024;
  // Without an answer nothing is ruled out.
  uint64_t used = total == 0 ? kNoLimit : total - std::min(left, total);
  return {used, left, total, read_all_tasks(), read_all_open_files()};
}

const std::vector<pid_t>& LimitWatch::processes() {
  if (!listed_) processes_ = list_processes(inputs_.init);
  listed_ = true;
  return processes_;
}

const Usage& LimitWatch::rough_usage() {
  if (!rough_) rough_ = read_rough_usage(processes());
  return *rough_;
}

void LimitWatch::look_at_time(int64_t now) {
  if (deadline_ == 0 || now < deadline_) return;
  deadline_ = 0;
  tell(
      "time", Then::ended,
      "has used up its time, " + policy::show_number(Shape::duration, inputs_.limits.milliseconds));
}

void LimitWatch::look_at_memory(const Host& host) {
  if (inputs_.cgroup != nullptr || memory_most_ == kNoLimit) return;
  if (!count_) {
    // The run cannot use more than the whole host does.
    if (host.memory_used < memory_most_) return come_back(memory_most_ - host.memory_used);
    const Usage& rough = rough_usage();
    uint64_t sum = rough.anonymous + std::max(rough.shared, in_folders_);
    uint64_t bound = std::max(memory_most_, rough_allowed_);
    if (sum < bound) return come_back(bound - sum);
    count_ = std::make_unique<ExactUsage>(processes());
    rough_at_count_ = sum;
  }
  judge_memory(count_->go_on(clock::monotonic() + kSlice));
}

void LimitWatch::judge_memory(bool done) {
  uint64_t used = count_->sum().anonymous + std::max(count_->sum().shared, in_folders_);
  if (!done && used < memory_most_) return;
  count_.reset();
  if (used < memory_most_) {
    rough_allowed_ = rough_at_count_ + (memory_most_ - used);
    return come_back(memory_most_ - used);
  }
  tell("memory", Then::paused,
       "uses " + size(used) + " of memory, and " + size(memory_most_) + " are allowed");
  memory_most_ = used + inputs_.limits.memory;
}

void LimitWatch::look_at_kills() {
  if (inputs_.cgroup == nullptr) return;
  uint64_t kills = inputs_.cgroup->count_kills();
  if (kills == kills_) return;
  kills_ = kills;
  if (told("memory")) return;
  tell("memory", Then::killed,
       "wanted more than " + size(inputs_.limits.memory) +
           " of memory: the kernel has ended its largest process");
}

void LimitWatch::look_at_processes(const Host& host) {
  uint64_t most = inputs_.limits.processes;
  if (host.tasks < std::min(most, next_mark_)) return;
  uint64_t tasks = rough_usage().tasks;
  if (tasks >= next_mark_) burst_ = tasks;
  while (tasks >= next_mark_)
    next_mark_ *= 2;
  if (told("processes") || tasks < most) return;
  tell("processes", Then::refused,
       "has " + std::to_string(tasks) + " processes and threads, and no more are allowed");
}

// Who is full and stays so, as one that forgets to close does. One that gives up at the first
// refusal says so itself.
void LimitWatch::look_at_open_files(const Host& host) {
  uint64_t most = inputs_.limits.open_files;
  if (told("open_files") || host.files < most) return;
  for (pid_t process : processes()) {
    if (count_open_files(process) < most) continue;
    return tell(
        "open_files", Then::refused,
        "has a process with " + std::to_string(most) + " open files, and one may have no more");
  }
}

void LimitWatch::look_at_folders() {
  in_folders_ = 0;
  pid_t process = find_process(inputs_.init);
  if (process == 0) return;
  for (const std::string& folder : inputs_.in_memory) {
    Fill fill = read_fill(process, folder);
    in_folders_ += fill.bytes;
    if (fill.no_space && !told("tmp_size"))
      tell("tmp_size", Then::refused, "has filled " + folder + ", which lies in memory");
    if (fill.no_files && !told("tmp_files"))
      tell("tmp_files", Then::refused, "has as many files in " + folder + " as it may have");
  }
}

void LimitWatch::look_at_growth(Growth& growth, const char* limit, int64_t nanoseconds) {
  if (!growth.is_watched()) return;
  bool reached = growth.look(nanoseconds);
  come_back(growth.room());
  if (!reached) return;
  std::string where = &growth == &home_ ? "the home's part that persists" : "the workspace";
  const Amount &grown = growth.grown(), &most = growth.exceeded();
  std::string what = most.bytes != 0
                         ? "has added " + size(grown.bytes) + " to " + where + ", and " +
                               size(most.bytes) + " are allowed"
                         : "has added " + std::to_string(grown.files) + " files to " + where +
                               ", and " + std::to_string(most.files) + " are allowed";
  tell(limit, Then::paused, std::move(what));
}

// The host's memory has shrunk by much since the last look at all of the run's.
bool LimitWatch::is_alarming(const Host& host) const {
  if (inputs_.cgroup != nullptr || host.memory_used < memory_most_) return false;
  uint64_t much = std::min(inputs_.limits.memory, host.memory_total) / 4;
  return host.memory_used - much >= host_.memory_used;
}

bool LimitWatch::wants_stillness() const {
  return home_.wants_stillness() || workspace_.wants_stillness() || (count_ && urgent_);
}

void LimitWatch::plan_next_look(int64_t began) {
  int64_t now = clock::monotonic();
  credit_ = std::min(kMostCredit, credit_ + (began - accounted_) / kShare) - (now - began);
  accounted_ = now;
  bool measuring = home_.is_walking() || workspace_.is_walking() || count_ != nullptr;
  int64_t wait = measuring ? 2 * kSlice : pause_;
  // Without credit a look is a glance, which costs next to nothing.
  if (credit_ < 0) wait = std::max(wait, std::min(-credit_ * kShare, kShortest));
  if (wants_stillness()) {
    wait = kMillisecond;
    credit_ = std::max<int64_t>(credit_, 0);  // nothing that is stopped has to wait longer for it
  }
  next_look_ = now + wait;
  if (deadline_ != 0) next_look_ = std::min(next_look_, deadline_);
}

void LimitWatch::look_at_kernel(const Host& host) {
  look_at_folders();
  look_at_memory(host);
  look_at_kills();
  look_at_processes(host);
  look_at_open_files(host);
}

std::vector<events::LimitReached> LimitWatch::look() {
  int64_t began = clock::monotonic();
  pause_ = kLongest;
  listed_ = false;
  rough_.reset();
  Host host = look_at_host();
  bool still = wants_stillness(), alarming = is_alarming(host);
  bool in_debt = credit_ + (began - accounted_) / kShare < 0;
  urgent_ = alarming || host.memory_left < host.memory_total / 16;
  look_at_time(began);
  // What stands still uses no more, and goes on the sooner.
  if (!still && (!in_debt || alarming)) look_at_kernel(host);
  if (still && count_) judge_memory(count_->go_on(began + kSlice));
  if (!count_ && (!in_debt || alarming)) host_ = host;
  look_at_growth(home_, "home_size", in_debt ? 0 : kSlice);
  look_at_growth(workspace_, "workspace_size", in_debt ? 0 : kSlice);
  plan_next_look(began);
  return std::exchange(reached_, {});
}

std::vector<events::LimitReached> LimitWatch::last_look(int exit_status) {
  look_at_kills();
  if (exit_status == 128 + SIGXFSZ && inputs_.limits.file_size != kNoLimit)
    tell("file_size", Then::killed,
         "ended as one does whose file would become larger than " + size(inputs_.limits.file_size));
  return std::exchange(reached_, {});
}

}  // namespace ringwall::processes
