// ringwall doctor: what this host can do, and what mends what it cannot.
#include <unistd.h>

#include <boost/json.hpp>
#include <set>

#include "base/layout.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "verify/doctor.h"

namespace ringwall::cli {
namespace {

using verify::Examination;
using verify::HostRow;
using verify::Part;

constexpr size_t kTextColumn = 30;  // where what was seen begins

std::string_view state_of(const HostRow& row) {
  if (row.there) return "ok";
  return row.required ? "MISSING" : "missing";
}

void print_row(const HostRow& row, const Style& style, size_t width, std::set<std::string>& told) {
  std::string_view colour = row.there ? style.green : row.required ? style.red : style.yellow;
  std::string_view state = state_of(row);
  printf("  %.*s%-9.*s%.*s%-19s", static_cast<int>(colour.size()), colour.data(),
         static_cast<int>(state.size()), state.data(), static_cast<int>(style.plain.size()),
         style.plain.data(), row.name.c_str());
  const char* indent = "";
  for (const std::string& line : layout::wrap(row.seen, width - kTextColumn)) {
    printf("%s%s\n", indent, line.c_str());
    indent = "                              ";
  }
  // A remedy is told once, where it is first needed.
  if (row.mend.empty() || !told.insert(row.mend).second) return;
  const char* arrow = "→ ";
  for (const std::string& line : layout::wrap(row.mend, width - kTextColumn - 2)) {
    printf("%*s%s%.*s%s%.*s\n", static_cast<int>(kTextColumn), "", arrow,
           static_cast<int>(style.bold.size()), style.bold.data(), line.c_str(),
           static_cast<int>(style.plain.size()), style.plain.data());
    arrow = "  ";
  }
}

void print_part(const Examination& host, Part part, const char* title,
                std::set<std::string>& told) {
  Style style = style_for(stdout);
  printf("\n%.*s%s%.*s\n", static_cast<int>(style.bold.size()), style.bold.data(), title,
         static_cast<int>(style.plain.size()), style.plain.data());
  for (const HostRow& row : host.rows) {
    if (row.part == part) print_row(row, style, layout::screen_width(STDOUT_FILENO, 80, 110), told);
  }
}

void print_for_people(const Examination& host) {
  printf("ringwall %s on Linux %s, as %s\n", RINGWALL_VERSION, text::quote(host.kernel).c_str(),
         text::quote(host.user).c_str());
  std::set<std::string> told;
  print_part(host, Part::place, "This place", told);
  print_part(host, Part::wall, "Walls", told);
  print_part(host, Part::feature, "For single features", told);
  int missing = host.missing_required();
  Style style = style_for(stdout);
  std::string_view colour = missing == 0 ? style.green : style.red;
  std::string verdict = "Ringwall can run here.";
  if (missing > 0) {
    verdict = "Ringwall cannot run here: " + std::to_string(missing) + " required " +
              (missing == 1 ? "wall is" : "walls are") + " missing.";
  }
  printf("\n%.*s%s%.*s\n", static_cast<int>(colour.size()), colour.data(), verdict.c_str(),
         static_cast<int>(style.plain.size()), style.plain.data());
}

const char* name_of(Part part) {
  switch (part) {
    case Part::place:
      return "place";
    case Part::wall:
      return "wall";
    case Part::feature:
      return "feature";
  }
  return "";
}

void print_for_programs(const Examination& host) {
  boost::json::array rows;
  for (const HostRow& row : host.rows) {
    rows.push_back(boost::json::object{{"part", name_of(row.part)},
                                       {"name", row.name},
                                       {"required", row.required},
                                       {"state", row.there ? "ok" : "missing"},
                                       {"seen", row.seen},
                                       {"mend", row.mend}});
  }
  boost::json::object out{{"kernel", host.kernel},
                          {"can_run", host.missing_required() == 0},
                          {"missing_required", host.missing_required()},
                          {"rows", std::move(rows)}};
  printf("%s\n", text::harmless_json(boost::json::serialize(out)).c_str());
}

}  // namespace

int cmd_doctor(const Invocation& invocation) {
  CommandLine line("Says what this host can do, and what mends what it cannot.", "doctor",
                   "ringwall doctor [--json]");
  line.footer("Exit status: 0 if every required wall can be built here, 1 if not.");
  bool json = false;
  line.add_flag("--json", json, "as a JSON object");
  if (auto status = line.parse(invocation.arguments)) return *status;
  Examination host = verify::examine_host();
  if (json) {
    print_for_programs(host);
  } else {
    print_for_people(host);
  }
  return host.missing_required() == 0 ? 0 : 1;
}

}  // namespace ringwall::cli
