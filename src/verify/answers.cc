#include "verify/answers.h"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>

#include "base/text.h"

namespace ringwall::verify {
namespace {

namespace json = boost::json;

std::optional<Finding> finding_by_name(std::string_view name) {
  if (name == "held") return Finding::held;
  if (name == "breached") return Finding::breached;
  if (name == "cannot_tell") return Finding::cannot_tell;
  return std::nullopt;
}

std::optional<std::string_view> text_of(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string_view(value->get_string());
}

}  // namespace

std::string escape(std::string_view untrusted) {
  constexpr std::string_view kApostrophe = "\\x27";
  std::string text = text::quote(untrusted);
  if (text.size() >= 2 && text.starts_with('\'')) text = text.substr(1, text.size() - 2);
  // Not meant for a shell, so an apostrophe may stay one. A backslash never does: this is no other.
  for (size_t at = 0; (at = text.find(kApostrophe, at)) != std::string::npos; at++)
    text.replace(at, kApostrophe.size(), "'");
  return text;
}

Result<std::pair<std::string, Verdict>> parse_answer(std::string_view line,
                                                     std::span<const std::string_view> expected) {
  if (line.size() > kMostLineBytes) return fail("a line is too long");
  boost::system::error_code error;
  json::parse_options options;
  options.max_depth = 2;
  json::value value = json::parse(line, error, {}, options);
  if (error || !value.is_object()) return fail("a line is no JSON object");
  const json::object& object = value.get_object();
  auto promise = text_of(object, "promise");
  auto finding_name = text_of(object, "finding");
  auto evidence = text_of(object, "evidence");
  if (!promise || !finding_name || !evidence || object.size() != 3)
    return fail("a line has other fields than an answer's");
  auto finding = finding_by_name(*finding_name);
  if (!finding) return fail("an unknown finding");
  if (std::find(expected.begin(), expected.end(), *promise) == expected.end())
    return fail("an answer to a promise that was not asked for");
  return std::pair(std::string(*promise),
                   Verdict{*finding, escape(evidence->substr(0, kMostEvidenceBytes))});
}

AnswerSheet parse_answers(std::string_view lines, std::span<const std::string_view> expected) {
  AnswerSheet sheet;
  if (lines.size() > kMostAnswerBytes) {
    sheet.trouble = "too many bytes";
    return sheet;
  }
  while (!lines.empty()) {
    size_t end = lines.find('\n');
    if (end == std::string_view::npos) {
      sheet.trouble = "the last line has no end";
      return sheet;
    }
    auto answer = parse_answer(lines.substr(0, end), expected);
    lines.remove_prefix(end + 1);
    if (answer && sheet.answers.contains(answer->first)) {
      // Two answers contradict each other or hide something: neither counts.
      sheet.answers.erase(answer->first);
      answer = fail("a promise was answered twice");
    }
    if (!answer) {
      sheet.trouble = answer.error().what;
      return sheet;
    }
    sheet.answers.insert(std::move(*answer));
  }
  return sheet;
}

std::string answer_line(std::string_view promise, const Verdict& verdict) {
  json::object line{
      {"promise", promise}, {"finding", name_of(verdict.finding)}, {"evidence", verdict.evidence}};
  return json::serialize(line) + "\n";
}

}  // namespace ringwall::verify
