#include "terminal/recording.h"

#include <algorithm>
#include <cstdio>

#include "base/clock.h"
#include "base/file.h"

namespace ringwall::terminal {
namespace {

constexpr size_t kMostBuffered = 64 << 10;
constexpr size_t kMostText = 4 << 10;    // of a title, a command or a variable
constexpr size_t kMostEvent = 64 << 10;  // of one line, so that a reader may set a limit to them
constexpr uint64_t kFlushAfter = 1'000'000;
constexpr double kLastSecond = 1e9;

bool is_plain(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

uint64_t microseconds_of(double seconds) {
  if (!(seconds > 0)) return 0;  // also no number at all
  return static_cast<uint64_t>(std::min(seconds, kLastSecond) * 1e6);
}

// Control characters of every kind as escapes, the rest as it is.
void append_json(std::string& out, char32_t c) {
  if (c == '"' || c == '\\') {
    out += '\\';
    out += static_cast<char>(c);
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c < 0x20 || (c >= 0x7f && c < 0xa0)) {
    char escape[8];
    snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
    out += escape;
  } else {
    append_utf8(out, c);
  }
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  text = text.substr(0, kMostText);
  Utf8Decoder decoder;
  char32_t character;
  while (decoder.take(text, character))
    append_json(out, character);
  return out + "\"";
}

std::string header_line(const RecordingHeader& header) {
  int64_t timestamp = header.timestamp != 0 ? header.timestamp : clock::wall_seconds();
  std::string out = "{\"version\": 2, \"width\": " + std::to_string(header.size.columns) +
                    ", \"height\": " + std::to_string(header.size.rows) +
                    ", \"timestamp\": " + std::to_string(timestamp);
  if (!header.title.empty()) out += ", \"title\": " + quoted(header.title);
  if (!header.command.empty()) out += ", \"command\": " + quoted(header.command);
  std::string variables;
  if (!header.term.empty()) variables += "\"TERM\": " + quoted(header.term);
  if (!header.shell.empty())
    variables += (variables.empty() ? "" : ", ") + ("\"SHELL\": " + quoted(header.shell));
  if (!variables.empty()) out += ", \"env\": {" + variables + "}";
  return out + "}\n";
}

}  // namespace

Recording::Recording(Fd file, const RecordingHeader& header, uint64_t most)
    : file_(std::move(file)), room_(most) {
  buffer_.reserve(kMostBuffered + kMostEvent);
  RecordingHeader usual = header;
  usual.size = usable(header.size);
  buffer_ = header_line(usual);
}

Recording::~Recording() { (void)finish(); }

Status Recording::output(std::string_view bytes, double seconds) {
  if (!file_) return {};
  microseconds_ = std::max(microseconds_, microseconds_of(seconds));
  while (!bytes.empty()) {
    size_t before = buffer_.size();
    begin_event('o');
    size_t empty = buffer_.size();
    add(bytes, empty + kMostEvent);
    if (buffer_.size() == empty) {
      buffer_.resize(before);  // the beginning of a character: it comes with its end
    } else {
      end_event();
    }
    if (buffer_.size() >= kMostBuffered) {
      if (Status flushed = flush(); !flushed) return flushed;
    }
  }
  return written();
}

// Adds text until the buffer is as long as `most`, or a little longer.
void Recording::add(std::string_view& bytes, size_t most) {
  while (!bytes.empty() && buffer_.size() < most) {
    std::string_view window = bytes.substr(0, most - buffer_.size());
    auto end = std::find_if_not(window.begin(), window.end(), is_plain);
    if (!decoder_.is_amidst() && end != window.begin()) {
      buffer_.append(window.begin(), end);
      bytes.remove_prefix(static_cast<size_t>(end - window.begin()));
      continue;
    }
    char32_t character;
    if (decoder_.take(bytes, character)) append_json(buffer_, character);
  }
}

Status Recording::resize(Size size, double seconds) {
  if (!file_) return {};
  microseconds_ = std::max(microseconds_, microseconds_of(seconds));
  size = usable(size);
  begin_event('r');
  buffer_ += std::to_string(size.columns) + "x" + std::to_string(size.rows);
  end_event();
  return written();
}

void Recording::begin_event(char kind) {
  char head[64];
  snprintf(head, sizeof head, "[%llu.%06llu, \"%c\", \"",
           static_cast<unsigned long long>(microseconds_ / 1'000'000),
           static_cast<unsigned long long>(microseconds_ % 1'000'000), kind);
  buffer_ += head;
}

void Recording::end_event() { buffer_ += "\"]\n"; }

Status Recording::written() {
  bool due = microseconds_ - flushed_at_ >= kFlushAfter || buffer_.size() >= kMostBuffered;
  return due ? flush() : Status{};
}

Status Recording::flush() {
  if (!file_) return {};
  flushed_at_ = microseconds_;
  bool full = buffer_.size() > room_;
  if (full) buffer_.resize(room_ == 0 ? 0 : buffer_.rfind('\n', room_ - 1) + 1);
  Status done = file::write_all(file_.get(), buffer_);
  room_ -= buffer_.size();
  buffer_.clear();
  if (done && full) done = std::unexpected(Error{"the recording is full", kRecordingIsFull, {}});
  if (done) return done;
  file_.close();
  if (!full) done.error().what = "cannot go on recording";
  return done;
}

Status Recording::finish() {
  if (!file_) return {};
  if (decoder_.is_amidst()) {
    decoder_.forget();
    begin_event('o');
    append_json(buffer_, kReplacement);
    end_event();
  }
  Status done = flush();
  file_.close();
  return done;
}

}  // namespace ringwall::terminal
