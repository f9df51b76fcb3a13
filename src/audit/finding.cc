#include "audit/finding.h"

#include <algorithm>
#include <boost/json.hpp>
#include <tuple>

#include "base/byte_text.h"
#include "base/strict_json.h"
#include "events/redact.h"

namespace ringwall::audit {
namespace {

namespace json = boost::json;

// Not in the midst of a character, which would be shown as an escape.
std::string clean(std::string_view raw, size_t most) {
  if (raw.size() <= most) return events::redact(raw);
  auto goes_on = [&](size_t at) { return (static_cast<unsigned char>(raw[at]) & 0xc0) == 0x80; };
  size_t end = most;
  while (end > 0 && most - end < 3 && goes_on(end))
    end--;
  return events::redact(raw.substr(0, end)) + "…";
}

Result<std::string> bytes_in(const json::object& line, std::string_view key, size_t most) {
  const json::value* value = line.if_contains(key);
  if (value == nullptr || !value->is_string())
    return fail("the scanner sent no " + std::string(key));
  auto bytes = bytes_of_text(std::string_view(value->get_string()));
  if (!bytes || bytes->size() > most) return fail("the scanner sent a wrong " + std::string(key));
  return *bytes;
}

}  // namespace

Finding make_finding(std::string_view number, std::string path, size_t line, std::string_view seen,
                     std::string_view fix) {
  Finding finding{find_check(number), std::move(path), line, clean(seen, kLongestSeen), {}};
  finding.fix = clean(fix.empty() ? finding.check->change : fix, kLongestFix);
  if (finding.path.size() > kLongestPath) finding.path.resize(kLongestPath);
  return finding;
}

std::string to_line(const Finding& finding) {
  json::object line{{"number", finding.check->number},
                    {"path", text_of_bytes(finding.path)},
                    {"line", finding.line},
                    {"seen", text_of_bytes(finding.seen)}};
  if (finding.fix != finding.check->change) line["fix"] = text_of_bytes(finding.fix);
  return json::serialize(line);
}

Result<Finding> from_line(std::string_view line) {
  TRY_ASSIGN(json::object object, strict_json::parse_object(line, {kLongestLine, 2}));
  const json::value* number = object.if_contains("number");
  const Check* check = number != nullptr && number->is_string()
                           ? find_check(std::string_view(number->get_string()))
                           : nullptr;
  if (check == nullptr) return fail("the scanner named a check that there is not");
  const json::value* at = object.if_contains("line");
  if (at == nullptr || !at->is_int64() || at->get_int64() < 0 || at->get_int64() > INT32_MAX)
    return fail("the scanner sent a wrong line");
  TRY_ASSIGN(std::string path, bytes_in(object, "path", kLongestPath));
  if (path.find('\0') != std::string::npos) return fail("the scanner sent a wrong path");
  // What was redacted there may be longer than what it was made of.
  TRY_ASSIGN(std::string seen, bytes_in(object, "seen", 4 * kLongestSeen + 64));
  std::string fix(check->change);
  if (object.contains("fix")) {
    TRY_ASSIGN(fix, bytes_in(object, "fix", 4 * kLongestFix + 64));
  }
  return Finding{check, std::move(path), static_cast<size_t>(at->get_int64()), events::redact(seen),
                 events::redact(fix)};
}

void put_in_order(Report& report) {
  auto key = [](const Finding& one) {
    return std::tuple(-static_cast<int>(one.check->severity), one.check->number,
                      std::string_view(one.path), one.line, std::string_view(one.seen));
  };
  std::sort(report.findings.begin(), report.findings.end(),
            [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
  auto rest = std::unique(report.findings.begin(), report.findings.end());
  report.findings.erase(rest, report.findings.end());
}

size_t count(const Report& report, Severity severity) {
  return static_cast<size_t>(
      std::count_if(report.findings.begin(), report.findings.end(),
                    [&](const Finding& one) { return one.check->severity == severity; }));
}

int exit_status(const Report& report) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [](const Finding& one) { return one.check->severity > Severity::info; })
             ? 1
             : 0;
}

}  // namespace ringwall::audit
