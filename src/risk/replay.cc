#include "risk/replay.h"

#include <algorithm>
#include <cmath>

namespace ringwall::risk {
namespace {

namespace json = boost::json;

std::string text_of(const json::object& line, std::string_view name) {
  const json::value* value = line.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

int64_t number_of(const json::object& line, std::string_view name) {
  const json::value* value = line.if_contains(name);
  if (value == nullptr) return 0;
  if (const int64_t* number = value->if_int64()) return *number;
  if (const uint64_t* number = value->if_uint64()) return static_cast<int64_t>(*number);
  return 0;
}

// `at` is written in seconds with three digits.
int64_t milliseconds_of(const json::object& line) {
  const json::value* at = line.if_contains("at");
  if (at == nullptr || !at->is_number()) return -1;
  double seconds = at->is_double() ? at->get_double() : static_cast<double>(number_of(line, "at"));
  if (!(seconds >= 0 && seconds < 1e9)) return -1;
  return std::llround(seconds * 1000);
}

template <size_t kSize>
void take_numbers(const json::object& line, std::string_view name,
                  std::array<uint32_t, kSize>& into) {
  const json::value* value = line.if_contains(name);
  const json::array* list = value == nullptr ? nullptr : value->if_array();
  if (list == nullptr || list->size() != kSize) return;
  for (size_t i = 0; i < kSize; i++) {
    if ((*list)[i].is_int64()) into[i] = static_cast<uint32_t>((*list)[i].get_int64());
    if ((*list)[i].is_uint64()) into[i] = static_cast<uint32_t>((*list)[i].get_uint64());
  }
}

}  // namespace

bool Replay::is_same() const {
  return lines_ > 0 && strange_ == 0 && unsaid_ == 0 &&
         std::ranges::all_of(levels_, &ReplayedLevel::is_same);
}

void Replay::begin(const json::object& line) {
  Weights weights;
  take_numbers(line, "risk_weights", weights.thousandths);
  for (uint32_t& weight : weights.thousandths)
    weight = std::min(weight, 1000u);
  thresholds_ = thresholds_of({});
  take_numbers(line, "risk_thresholds", thresholds_.at);
  score_ = Score(weights);
}

// What the supervisor saw at that moment is what we have: every line before this one.
void Replay::take_level(const json::object& line, int64_t at) {
  ReplayedLevel found{.line = lines_, .at = at, .level = text_of(line, "level")};
  found.recorded = static_cast<uint32_t>(number_of(line, "score"));
  found.found = score_.look(number_of(line, "looked"));
  std::array<uint32_t, kAxes> axes{};
  take_numbers(line, "axes", axes);
  auto level = level_by_name(found.level);
  bool is_score = found.recorded == found.found.score && axes == found.found.axes;
  // What the record only counts was heard live, and can only have raised it.
  if (missing_ > 0) is_score = found.recorded >= found.found.score;
  found.is_same = level && is_score &&
                  (missing_ > 0 ||
                   next_level(thresholds_, level_, found.found.score, found.found.seen) == *level);
  awaited_since_.reset();
  for (const Contribution& one : score_.heaviest(number_of(line, "looked"), 3))
    found.because.push_back(show(one));
  if (level) level_ = *level;
  highest_ = std::max(highest_, level_);
  levels_.push_back(std::move(found));
}

// The supervisor looks at once; where no line follows within seconds, one is missing.
void Replay::expect_level(int64_t at) {
  constexpr int64_t kPatience = 3000;  // milliseconds
  constexpr uint32_t kDoubt = 2000;    // millionths: a window may have ended in between
  Reading reading = score_.look(at);
  if (awaited_since_ && at > *awaited_since_ + kPatience) {
    unsaid_++;
    awaited_since_.reset();
    level_ = next_level(thresholds_, level_, reading.score, reading.seen);
    highest_ = std::max(highest_, level_);
  }
  auto surely = [&](uint32_t share) { return share - std::min(share, kDoubt); };
  bool rises =
      next_level(thresholds_, level_, surely(reading.score), surely(reading.seen)) > level_;
  if (rises && !awaited_since_) awaited_since_ = at;
}

void Replay::follow(int64_t at) { points_.push_back({lines_, at, score_.look(at), level_}); }

void Replay::take(std::string_view text) {
  lines_++;
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  const json::object* line = error ? nullptr : value.if_object();
  int64_t at = line == nullptr ? -1 : milliseconds_of(*line);
  if (at < 0) {
    strange_++;
    return;
  }
  std::string event = text_of(*line, "event");
  if (event == "record_mended") return;  // written later, by another
  end_ = std::max(end_, at);
  if (event == "run_started") begin(*line);
  if (event == "record_gap") missing_ += static_cast<uint64_t>(number_of(*line, "events"));
  if (event == "risk_level") take_level(*line, at);
  if (event == "risk_lowered") {
    awaited_since_.reset();
    score_.forget();
    level_ = Level::normal;
  }
  bool counts = score_.hear(at, text);
  expect_level(at);
  bool shows =
      counts || event == "run_started" || event == "run_ended" || event.starts_with("risk_");
  if (shows) follow(at);
}

}  // namespace ringwall::risk
