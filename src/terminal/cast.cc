#include "terminal/cast.h"

#include <boost/json.hpp>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace ringwall::terminal {
namespace {

namespace json = boost::json;

std::optional<double> number_of(const json::value* value) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  auto number = value->to_number<double>();
  return std::isfinite(number) && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<uint16_t> side_of(const json::value* value) {
  auto number = number_of(value);
  if (!number || *number > UINT16_MAX || std::trunc(*number) != *number) return std::nullopt;
  return static_cast<uint16_t>(*number);
}

// "80x24": columns and rows.
std::optional<Size> size_of(std::string_view text) {
  Size size;
  const char* end = text.data() + text.size();
  auto columns = std::from_chars(text.data(), end, size.columns);
  if (columns.ec != std::errc() || columns.ptr == end || *columns.ptr != 'x') return std::nullopt;
  auto rows = std::from_chars(columns.ptr + 1, end, size.rows);
  if (rows.ec != std::errc() || rows.ptr != end) return std::nullopt;
  return size;
}

Error wrong_version(const std::string& version) {
  return {"it is an asciicast of version " + version + ", and only version 2 can be played", 0,
          "try: asciinema convert -f asciicast-v2 FILE NEW"};
}

}  // namespace

std::unexpected<Error> CastReader::damaged(const std::string& what) const {
  return fail(text::quote(name_) + ", line " + std::to_string(line_) + ": " + what);
}

// Good until the next call.
Result<std::optional<std::string_view>> CastReader::read_line() {
  line_++;
  for (size_t searched = taken_;;) {
    size_t end = buffer_.find('\n', searched);
    unfinished_ = end == buffer_.npos;
    if (unfinished_) end = buffer_.size();
    if (end - taken_ > kLongestLine)
      return damaged("it is longer than " + std::to_string(kLongestLine) + " bytes");
    if (!unfinished_ || at_end_) {
      if (unfinished_ && end == taken_) return std::nullopt;
      std::string_view line = std::string_view(buffer_).substr(taken_, end - taken_);
      taken_ = unfinished_ ? end : end + 1;
      return line;
    }
    buffer_.erase(0, taken_);
    taken_ = 0;
    searched = buffer_.size();
    char piece[65536];
    ssize_t count = ::read(file_.get(), piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno("cannot read " + text::quote(name_));
    at_end_ = count == 0;
    buffer_.append(piece, static_cast<size_t>(count));
  }
}

Result<CastHeader> CastReader::read_header() {
  TRY_ASSIGN(std::optional<std::string_view> line, read_line());
  if (!line) return fail(text::quote(name_) + " is empty");
  boost::system::error_code error;
  json::value parsed = json::parse(*line, error);
  if (error || !parsed.is_object()) return damaged("this is no asciicast: no header");
  const json::object& header = parsed.get_object();
  const json::value* version = header.if_contains("version");
  if (version == nullptr || !version->is_number()) return damaged("the header has no version");
  if (version->to_number<double>() != 2) {
    Error wrong = wrong_version(json::serialize(*version));
    wrong.what = text::quote(name_) + ": " + wrong.what;
    return std::unexpected(wrong);
  }
  auto columns = side_of(header.if_contains("width"));
  auto rows = side_of(header.if_contains("height"));
  if (!columns || !rows) return damaged("the header has no width and height");
  return CastHeader{usable({*rows, *columns}), number_of(header.if_contains("idle_time_limit"))};
}

Result<std::optional<CastEvent>> CastReader::next() {
  std::optional<std::string_view> line;
  do {
    TRY_ASSIGN(line, read_line());
    if (!line) return std::nullopt;
  } while (text::trim(*line).empty());
  boost::system::error_code error;
  json::value parsed = json::parse(*line, error);
  if (error && unfinished_) return damaged("the recording ends in the middle of a line");
  if (error) return damaged("this is no JSON");
  const json::array* event = parsed.if_array();
  if (event == nullptr || event->size() < 3) return damaged("this is no event: [TIME, KIND, DATA]");
  auto seconds = number_of(&event->at(0));
  const json::string* kind = event->at(1).if_string();
  const json::string* data = event->at(2).if_string();
  if (!seconds) return damaged("the time of an event must be a number, 0 or more");
  if (kind == nullptr || data == nullptr) return damaged("kind and data of an event must be texts");
  CastEvent result{.seconds = *seconds};
  if (*kind == "o") {
    result.kind = CastEvent::Kind::output;
    result.text = std::string(*data);
  } else if (*kind == "r") {
    auto size = size_of(*data);
    if (!size) return damaged("a size must be given as COLUMNSxROWS");
    result.kind = CastEvent::Kind::resize;
    result.size = usable(*size);
  }
  return result;
}

}  // namespace ringwall::terminal
