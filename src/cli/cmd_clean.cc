// ringwall clean: removes what a crash or a power cut left.
#include <unistd.h>

#include <array>
#include <boost/json.hpp>

#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/size_text.h"
#include "state/clean.h"
#include "state/places.h"

namespace ringwall::cli {
namespace {

using state::Leftover;

constexpr const char* kExamples = R"(Examples:
  ringwall clean                    what runs left that were killed
  ringwall clean --homes --dry-run  see what would go, homes too
  ringwall clean --home tries       the private home of --home tries

Nothing that a run uses is touched. --homes takes a workspace on a disk that is
not mounted for one that is gone.
Exit status: 0; 125 if something could not be removed.)";

constexpr std::array<const char*, 7> kKinds = {"run",   "registry",     "file", "note",
                                               "layer", "verification", "home"};

std::string describe(const Leftover& leftover) {
  std::string path = text::quote(leftover.path);
  switch (leftover.kind) {
    case Leftover::Kind::run:
      return "the entry of a run that is gone, " + path;
    case Leftover::Kind::registry:
      return "the empty list of runs, " + path;
    case Leftover::Kind::file:
      return "a file that was never finished, " + path;
    case Leftover::Kind::note:
      return "a note that was never finished, " + path;
    case Leftover::Kind::layer:
      return "a cache's files that were never finished, " + path;
    case Leftover::Kind::verification:
      return "a remainder of ringwall verify, " + path;
    case Leftover::Kind::home:
      break;
  }
  std::string home = "the private home " + text::quote(leftover.name);
  if (leftover.workspace.empty()) return home;
  return home + " of the workspace " + text::quote(leftover.workspace);
}

void print_lines(const state::CleanReport& report) {
  for (const Leftover& leftover : report.leftovers) {
    printf("%s %s (%s)\n", leftover.removed ? "removed" : "would remove",
           describe(leftover).c_str(),
           describe_size(leftover.size.bytes, leftover.size.whole).c_str());
  }
  // For people only: a script sees nothing.
  bool nothing = report.leftovers.empty() && report.errors.empty();
  if (nothing && isatty(STDERR_FILENO) != 0) fprintf(stderr, "nothing to clean\n");
}

void print_json(const state::CleanReport& report) {
  boost::json::array leftovers;
  for (const Leftover& leftover : report.leftovers) {
    boost::json::object line{{"kind", kKinds.at(static_cast<size_t>(leftover.kind))},
                             {"path", leftover.path},
                             {"bytes", leftover.size.bytes},
                             {"removed", leftover.removed}};
    if (!leftover.size.whole) line["at_least"] = true;
    if (!leftover.name.empty()) line["name"] = leftover.name;
    if (!leftover.workspace.empty()) line["workspace"] = leftover.workspace;
    leftovers.push_back(std::move(line));
  }
  printf("%s\n", text::harmless_json(boost::json::serialize(leftovers)).c_str());
}

}  // namespace

int cmd_clean(const Invocation& invocation) {
  CommandLine line("Removes what runs left that were killed, or cut off by a power failure.",
                   "clean", "ringwall clean [--homes] [--home NAME] [--dry-run] [--json]");
  line.footer(kExamples);
  state::CleanRequest request;
  bool json = false;
  line.add_flag("--homes", request.homes,
                "private homes too, if their workspace does not exist any more");
  line.add_list("--home", request.named, "this private home too; may be repeated")
      .type_name("NAME");
  line.add_flag("--dry-run", request.only_look, "only say what would be removed");
  line.add_flag("--json", json, "as a JSON array");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto caller = state::read_caller();
  if (!caller) {
    complain(caller.error());
    return kUsageStatus;
  }
  state::CleanReport report =
      state::clean(request, state::find_clean_places(*caller, getenv("XDG_RUNTIME_DIR")));
  if (json) {
    print_json(report);
  } else {
    print_lines(report);
  }
  for (const Error& error : report.errors)
    complain(error);
  return report.errors.empty() ? 0 : kUsageStatus;
}

}  // namespace ringwall::cli
