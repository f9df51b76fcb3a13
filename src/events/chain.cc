#include "events/chain.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>

#include "base/sha256.h"

namespace ringwall::events {
namespace {

constexpr std::string_view kStart = "{\"n\":";
constexpr std::string_view kPrev = ",\"prev\":\"";
constexpr std::string_view kEnd = "\"}";

bool is_hash(std::string_view text) {
  return text.size() == kHashDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// Reads a number and moves behind it.
std::optional<uint64_t> take_number(std::string_view& text) {
  uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

}  // namespace

std::string show_time(int64_t wall_milliseconds) {
  auto seconds = static_cast<time_t>(wall_milliseconds / 1000);
  tm parts{};
  gmtime_r(&seconds, &parts);
  char text[40];
  size_t length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  snprintf(text + length, sizeof text - length, ".%03dZ",
           static_cast<int>(wall_milliseconds % 1000));
  return text;
}

std::string chain_line(Link& link, const Moment& moment, std::string_view event) {
  char at[32];
  snprintf(at, sizeof at, "%lld.%03d", static_cast<long long>(moment.since_milliseconds / 1000),
           static_cast<int>(moment.since_milliseconds % 1000));
  std::string line;
  line.reserve(event.size() + 160);
  line += kStart;
  line += std::to_string(link.number + 1);
  line += ",\"time\":\"";
  line += show_time(moment.wall_milliseconds);
  line += "\",\"at\":";
  line += at;
  line += ',';
  line += event.substr(1, event.size() - 2);  // without its braces
  line += kPrev;
  line += link.hash;
  line += kEnd;
  link.number++;
  link.hash = sha256(line);
  return line;
}

std::optional<LinkedLine> parse_line(std::string_view line) {
  if (!line.starts_with(kStart)) return std::nullopt;
  line.remove_prefix(kStart.size());
  auto number = take_number(line);
  size_t tail = kPrev.size() + kHashDigits + kEnd.size();
  if (!number || line.size() < tail) return std::nullopt;
  line.remove_prefix(line.size() - tail);
  std::string_view prev = line.substr(kPrev.size(), kHashDigits);
  if (!line.starts_with(kPrev) || !line.ends_with(kEnd) || !is_hash(prev)) return std::nullopt;
  return LinkedLine{*number, std::string(prev)};
}

// Of one length, so that a new one covers the old in one write.
std::string show_head(const Head& head) {
  char text[256];
  snprintf(text, sizeof text, "%020llu %s %020llu %020llu %s %020llu\n",
           static_cast<unsigned long long>(head.last.number), head.last.hash.c_str(),
           static_cast<unsigned long long>(head.refusals),
           static_cast<unsigned long long>(head.written.number), head.written.hash.c_str(),
           static_cast<unsigned long long>(head.refusals_written));
  return text;
}

// "12 HASH", and moves behind it.
static std::optional<Link> take_link(std::string_view& text) {
  auto number = take_number(text);
  if (!number || text.size() < kHashDigits + 1 || text[0] != ' ') return std::nullopt;
  Link link{*number, std::string(text.substr(1, kHashDigits))};
  text.remove_prefix(kHashDigits + 1);
  return is_hash(link.hash) ? std::optional(link) : std::nullopt;
}

std::optional<Head> parse_head(std::string_view text) {
  Head head;
  auto last = take_link(text);
  if (!last || !text.starts_with(' ')) return std::nullopt;
  text.remove_prefix(1);
  auto refusals = take_number(text);
  if (!refusals || !text.starts_with(' ')) return std::nullopt;
  text.remove_prefix(1);
  auto written = take_link(text);
  if (!written || !text.starts_with(' ')) return std::nullopt;
  text.remove_prefix(1);
  auto refusals_written = take_number(text);
  if (!refusals_written || text != "\n") return std::nullopt;
  return Head{std::move(*last), *refusals, std::move(*written), *refusals_written};
}

}  // namespace ringwall::events
