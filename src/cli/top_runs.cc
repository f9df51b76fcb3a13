#include "cli/top_runs.h"

#include <algorithm>

#include "base/clock.h"
#include "base/path.h"
#include "cli/local_time.h"
#include "cli/run_text.h"
#include "events/record_show.h"
#include "processes/process_list.h"
#include "risk/curve.h"
#include "state/registry.h"

namespace ringwall::cli {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr size_t kTail = 256 << 10;    // bytes of a record that are read back
constexpr size_t kMostRefusals = 100;  // more than a screen shows
constexpr size_t kMostProcesses = 200;

int64_t number_of(const boost::json::object& object, const char* key) {
  const boost::json::value* value = object.if_contains(key);
  if (value == nullptr) return 0;
  if (value->is_uint64()) return static_cast<int64_t>(value->get_uint64());
  return value->is_int64() ? value->get_int64() : 0;
}

std::string level_of(const clients::RunLink& link) {
  uint32_t level = std::min<uint32_t>(link.status().level, risk::kLevels - 1);
  return std::string(name_of(static_cast<risk::Level>(level)));
}

std::string state_now(const clients::RunLink& link, int64_t now) {
  if (link.is_deaf(now)) return "no answer";
  if (link.status().waiting > 0) return "asks";
  if (link.status().level >= static_cast<uint32_t>(risk::Level::isolated)) return level_of(link);
  if (link.status().paused != 0) return "paused";
  return text_of(link.description(), "terminal") == "detached" ? "detached" : "running";
}

TopRun describe(const clients::RunLink& link, int64_t now) {
  const boost::json::object& run = link.description();
  std::vector<std::string> command = list_of(run, "command");
  return {link.name(),           command.empty() ? "" : std::string(path::basename(command[0])),
          state_now(link, now),  since_of(run),
          link.status().refused, link.status().open,
          link.status().waiting, text_of(run, "workspace"),
          link.status().risk,    level_of(link)};
}

}  // namespace

Result<TopRuns> TopRuns::open() {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  TopRuns runs(state::find_places(caller, getenv("XDG_RUNTIME_DIR")));
  return runs;
}

Status TopRuns::list(int64_t now) {
  std::erase_if(links_, [](const clients::RunLink& link) { return link.has_ended(); });
  TRY_ASSIGN(auto names, state::list_runs(places_));
  // A run that ends leaves the registry first and its connection last; one that was killed while it
  // did not answer is gone with both.
  std::erase_if(links_, [&](const clients::RunLink& link) {
    return link.is_deaf(now) && !std::ranges::binary_search(names, link.name());
  });
  for (const std::string& name : names) {
    if (find(name) != nullptr) continue;
    auto link = clients::RunLink::open(places_, name);
    if (link) links_.push_back(std::move(*link));  // else it has ended, or is asked next time
  }
  std::ranges::sort(links_, {}, &clients::RunLink::name);
  return {};
}

clients::RunLink* TopRuns::find(const std::string& name) {
  auto found = std::ranges::find(links_, name, &clients::RunLink::name);
  return found == links_.end() ? nullptr : &*found;
}

void TopRuns::ask(int64_t now, const std::string& chosen) {
  for (clients::RunLink& link : links_) {
    link.kill_if_due(now);
    link.name() == chosen ? link.ask_closely(now) : link.ask(now);
  }
}

void TopRuns::ask_all_closely(int64_t now) {
  for (clients::RunLink& link : links_)
    link.ask_closely(now);
}

bool TopRuns::listen(int64_t now) {
  bool awaits = false;
  for (clients::RunLink& link : links_)
    awaits |= link.listen(now);
  return awaits;
}

std::vector<TopRun> TopRuns::table(int64_t now) const {
  std::vector<TopRun> table;
  for (const clients::RunLink& link : links_) {
    if (!link.has_ended()) table.push_back(describe(link, now));
  }
  return table;
}

void RunWatch::look(const boost::json::object& description, int64_t now) {
  if (description.empty()) return;
  read_record(description);
  if (listed_at_ != 0 && now - listed_at_ < kSecond) return;
  listed_at_ = now;
  processes_.clear();
  auto init = static_cast<pid_t>(number_of(description, "init"));
  for (const auto& process : processes::list_processes_by_name(init, kMostProcesses))
    processes_.push_back({process.pid, process.name});
}

void RunWatch::read_record(const boost::json::object& description) {
  if (!record_) {
    std::string id = text_of(description, "record");
    if (id.empty()) return;
    record_.emplace(state_, std::move(id));
    record_->skip_to_last(kTail);
  }
  record_->read([&](std::string_view line) {
    risk_.take(line);
    auto shown = events::show_line(line);
    if (!shown || !shown->is_refusal) return;
    refusals_.push_front({local_time(shown->time, "%H:%M:%S"), shown->kind, shown->words});
    if (refusals_.size() > kMostRefusals) refusals_.pop_back();
  });
}

// Since the run's start; the last value is what its supervisor says.
std::vector<uint32_t> RunWatch::curve(const clients::RunLink& link) const {
  constexpr size_t kWidth = 40;
  int64_t started = number_of(link.description(), "started");
  int64_t age = started == 0 ? 0 : std::max<int64_t>(0, clock::wall_seconds() - started) * 1000;
  std::vector<uint32_t> out = risk::curve(risk_, age, kWidth);
  out.back() = link.status().risk;
  return out;
}

void RunWatch::fill(const clients::RunLink& link, TopPicture& picture) const {
  const boost::json::object& description = link.description();
  picture.risks = curve(link);
  picture.refusals.assign(refusals_.begin(), refusals_.end());
  picture.processes = processes_;
  picture.connections = list_of(description, "connections");
  picture.requests.clear();
  const boost::json::value* waiting = description.if_contains("waiting");
  if (waiting == nullptr || !waiting->is_array()) return;
  for (const boost::json::value& item : waiting->get_array()) {
    if (!item.is_object()) continue;
    const boost::json::object& request = item.get_object();
    picture.requests.push_back({static_cast<uint64_t>(number_of(request, "id")),
                                text_of(request, "destination"), text_of(request, "program"),
                                number_of(request, "seconds_left")});
  }
}

}  // namespace ringwall::cli
