#include <boost/json.hpp>

#include "audit/report.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

namespace json = boost::json;

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// Names may be any bytes: what is no UTF-8 becomes an escape, which a terminal does not obey
// either.
std::string make_harmless(const json::value& value) {
  return text::harmless_json(json::serialize(value)) + "\n";
}

json::object as_object(const Finding& finding) {
  const Check& check = *finding.check;
  json::object out{{"number", check.number},
                   {"severity", name_of(check.severity)},
                   {"title", check.title},
                   {"path", text::escape(finding.path)}};
  if (finding.line > 0) out["line"] = finding.line;
  out["seen"] = shown(finding.seen);
  out["danger"] = check.danger;
  out["known"] = check.known;
  out["fix"] = shown(finding.fix);
  return out;
}

// What a URI may hold unescaped, of RFC 3986, and the slash.
std::string as_uri(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri;
  for (char c : path) {
    auto byte = static_cast<unsigned char>(c);
    bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                 (byte >= '0' && byte <= '9') || std::string_view("-._~/").contains(c);
    if (plain) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4];
      uri += kDigits[byte & 15];
    }
  }
  return uri;
}

std::string_view level_of(Severity severity) {
  if (severity >= Severity::high) return "error";
  return severity == Severity::medium ? "warning" : "note";
}

// As GitHub's code scanning reads it.
std::string_view score_of(Severity severity) {
  constexpr std::string_view kScores[] = {"0.0", "3.0", "5.5", "8.0", "9.5"};
  return kScores[static_cast<size_t>(severity)];
}

json::object as_rule(const Check& check) {
  std::string help = std::string(check.danger) + " " + std::string(check.change);
  std::string full = std::string(check.danger);
  if (!check.known.empty()) full += " Known: " + std::string(check.known) + ".";
  return {{"id", check.number},
          {"shortDescription", {{"text", check.title}}},
          {"fullDescription", {{"text", full}}},
          {"help", {{"text", help}}},
          {"defaultConfiguration", {{"level", level_of(check.severity)}}},
          {"properties",
           {{"security-severity", score_of(check.severity)}, {"tags", json::array{"security"}}}}};
}

json::object as_result(const Finding& finding) {
  json::object place{{"artifactLocation", {{"uri", as_uri(finding.path)}}}};
  if (finding.line > 0) place["region"] = {{"startLine", finding.line}};
  std::string message(finding.check->title);
  if (!finding.seen.empty()) message += ": " + shown(finding.seen);
  message += ". " + shown(finding.fix);
  return {{"ruleId", finding.check->number},
          {"level", level_of(finding.check->severity)},
          {"message", {{"text", message}}},
          {"locations", json::array{json::object{{"physicalLocation", place}}}}};
}

}  // namespace

std::string as_json(const Report& report) {
  json::array findings;
  for (const Finding& finding : report.findings)
    findings.push_back(as_object(finding));
  json::object counts;
  for (Severity severity :
       {Severity::critical, Severity::high, Severity::medium, Severity::low, Severity::info})
    counts[name_of(severity)] = count(report, severity);
  return make_harmless(json::object{{"subject", text::escape(report.subject)},
                                    {"files", report.files},
                                    {"complete", report.is_whole},
                                    {"incomplete", report.incomplete},
                                    {"counts", counts},
                                    {"findings", findings}});
}

std::string as_sarif(const Report& report) {
  json::array rules, results;
  const Check* last = nullptr;
  for (const Finding& finding : report.findings) {
    if (finding.check != last) rules.push_back(as_rule(*finding.check));
    last = finding.check;
    results.push_back(as_result(finding));
  }
  json::object driver{{"name", "Ringwall"}, {"version", RINGWALL_VERSION}, {"rules", rules}};
  json::object run{{"tool", {{"driver", driver}}},
                   {"invocations", json::array{json::object{{"executionSuccessful", true}}}},
                   {"results", results}};
  return make_harmless(
      json::object{{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", json::array{run}}});
}

}  // namespace ringwall::audit
