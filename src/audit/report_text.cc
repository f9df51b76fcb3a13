#include <algorithm>

#include "audit/report.h"
#include "base/layout.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

constexpr Severity kGravestFirst[] = {Severity::critical, Severity::high, Severity::medium,
                                      Severity::low, Severity::info};
constexpr std::string_view kIndent = "    ";

std::string_view colour_of(Severity severity, const Look& look) {
  if (severity >= Severity::high) return look.red;
  return severity == Severity::info ? look.dim : look.yellow;
}

std::string place_of(const Finding& finding) {
  std::string place = text::quote(finding.path);
  return finding.line == 0 ? place : place + ":" + std::to_string(finding.line);
}

void add_wrapped(std::string& out, std::string_view label, std::string_view words, size_t width) {
  std::string start = std::string(kIndent) + std::string(label);
  size_t taken = layout::columns(start);
  for (const std::string& line : layout::wrap(words, width > taken + 20 ? width - taken : 20)) {
    out += start + line + "\n";
    start = std::string(taken, ' ');
  }
}

// What a check says stands once, above all its findings.
void add_check(std::string& out, const Check& check, size_t width, const Look& look) {
  std::string severity(name_of(check.severity));
  out += std::string(colour_of(check.severity, look)) + severity + std::string(look.plain) + "  " +
         std::string(look.bold) + std::string(check.number) + " " + std::string(check.title) +
         std::string(look.plain) + "\n";
  add_wrapped(out, "", check.danger, width);
  if (!check.known.empty()) add_wrapped(out, "known: ", check.known, width);
}

void add_finding(std::string& out, const Finding& finding, size_t width, const Look& look) {
  out += std::string(kIndent) + std::string(look.bold) + place_of(finding) +
         std::string(look.plain) + "\n";
  if (!finding.seen.empty()) add_wrapped(out, "  seen: ", shown(finding.seen), width);
  add_wrapped(out, "  → ", shown(finding.fix), width);
}

}  // namespace

std::string shown(std::string_view untrusted) {
  std::string out;
  size_t at = 0;
  while (true) {
    size_t end = std::min(untrusted.find_first_of("\n\\", at), untrusted.size());
    out += text::escape(untrusted.substr(at, end - at));
    if (end == untrusted.size()) return out;
    out += untrusted[end] == '\n' ? " ↵ " : "\\";
    at = end + 1;
  }
}

std::string sum_up(const Report& report) {
  std::string out;
  for (Severity severity : kGravestFirst) {
    size_t there = count(report, severity);
    if (there == 0 || severity == Severity::info) continue;
    out += (out.empty() ? "" : ", ") + std::to_string(there) + " " + std::string(name_of(severity));
  }
  return out.empty() ? "nothing above info" : out;
}

std::string as_text(const Report& report, size_t width, const Look& look) {
  std::string out;
  const Check* last = nullptr;
  for (const Finding& finding : report.findings) {
    if (finding.check != last) {
      if (last != nullptr) out += "\n";
      add_check(out, *finding.check, width, look);
      last = finding.check;
    }
    add_finding(out, finding, width, look);
  }
  if (last != nullptr) out += "\n";
  std::string_view colour = exit_status(report) == 0 ? std::string_view() : look.bold;
  out += std::string(colour) + text::escape(report.subject) + ": " + sum_up(report) +
         std::string(colour.empty() ? "" : look.plain) + " (" + std::to_string(report.files) +
         " files looked at)\n";
  if (!report.is_whole) out += "not all was looked at: " + report.incomplete + "\n";
  return out;
}

}  // namespace ringwall::audit
