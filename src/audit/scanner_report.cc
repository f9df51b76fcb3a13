// The lines between the scanner and the outside: findings, and a last one that says that it is all.
#include <boost/json.hpp>

#include "audit/scanner.h"
#include "base/byte_text.h"
#include "base/file.h"
#include "base/strict_json.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

namespace json = boost::json;

constexpr size_t kFlushAt = 1 << 16;
constexpr size_t kLongestReason = 200;

// False: it is no last line.
Result<bool> take_last_line(std::string_view line, Report& report) {
  TRY_ASSIGN(json::object object, strict_json::parse_object(line, {kLongestLine, 2}));
  const json::value* files = object.if_contains("files");
  if (files == nullptr) return false;
  const json::value* incomplete = object.if_contains("incomplete");
  if (!files->is_int64() || files->get_int64() < 0 || incomplete == nullptr ||
      !incomplete->is_string())
    return fail("the scanner's last line makes no sense");
  report.files = static_cast<uint64_t>(files->get_int64());
  auto why = bytes_of_text(std::string_view(incomplete->get_string()));
  if (!why || why->size() > kLongestReason) return fail("the scanner's last line makes no sense");
  report.incomplete = text::escape(*why);
  report.is_whole = why->empty();
  return true;
}

}  // namespace

void Reporter::add(Finding finding) {
  if (++findings_[finding.check] > kMostOfOneKind) {
    say_incomplete("more than " + std::to_string(kMostOfOneKind) + " findings of " +
                   std::string(finding.check->number) + ": the rest of these is left out");
    return;
  }
  (void)put(to_line(finding));  // a closed pipe ends the process
}

void Reporter::say_incomplete(std::string_view why) {
  if (incomplete_.empty()) incomplete_ = why.substr(0, kLongestReason);
}

Status Reporter::put(std::string_view line) {
  waiting_ += line;
  waiting_ += '\n';
  return waiting_.size() < kFlushAt ? Status() : flush();
}

Status Reporter::flush() {
  TRY(file::write_all(out_, waiting_));
  waiting_.clear();
  return {};
}

Status Reporter::finish() {
  json::object last{{"files", files_}, {"incomplete", text_of_bytes(incomplete_)}};
  TRY(put(json::serialize(last)));
  return flush();
}

Result<Report> parse_report(std::string_view lines) {
  Report report;
  while (!lines.empty()) {
    size_t end = lines.find('\n');
    if (end == std::string_view::npos) break;
    std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end + 1);
    TRY_ASSIGN(bool is_last, take_last_line(line, report));
    if (is_last) {
      if (!lines.empty()) return fail("the scanner spoke after its last line");
      put_in_order(report);
      return report;
    }
    if (report.findings.size() == kMostFindings) return fail("the scanner found too much");
    TRY_ASSIGN(Finding finding, from_line(line));
    report.findings.push_back(std::move(finding));
  }
  return fail("the scanner ended without a whole report");
}

}  // namespace ringwall::audit
