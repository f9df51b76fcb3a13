// ringwall diff: what a run under review has changed, before any of it counts.
#include <unistd.h>

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "cli/choose_review.h"
#include "cli/command.h"
#include "cli/diff_show.h"
#include "cli/interrupted_apply.h"
#include "cli/options.h"
#include "cli/review_names.h"
#include "cli/tree_paths.h"
#include "prepare/grants.h"
#include "review/whole_review.h"
#include "state/places.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  ringwall diff                     the newest review of this folder, line by line
  ringwall diff app-1 --stat        which files, and how much of them
  ringwall diff app-1 -- src docs   only what lies there
  ringwall diff app-1 --json        for programs, a line for each change

What would run outside later stands on top, then what was changed here too since
the run began. A run that goes on can be looked at as well. The pager is $PAGER,
else less. Nothing in a file's content or name reaches the terminal as a command.)";

struct DiffOptions {
  std::string run;
  std::string colour = "auto";
  bool stat = false;
  bool json = false;
  bool no_pager = false;
  std::vector<std::string> paths;
};

Result<Fd> open_folder(const review::Review& review) {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  return review::open_review(state::reviews_folder(places), review.name);
}

Result<std::vector<review::ReviewedTree>> read_trees(int folder, const review::Review& review) {
  auto names = protected_names_of(review);
  if (!names) {
    // Looking is allowed with what is known without the policy as it is now; it hides nothing.
    complain(names.error());
    names = files::ProtectedNames::compile(review.protect, review.unprotect);
    if (!names) return std::unexpected(names.error());
  }
  return review::read_whole_review(folder, review, *names);
}

Result<Style> choose_style(const std::string& when) {
  constexpr Style kColours{"\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"};
  if (when == "always") return kColours;
  if (when == "never") return Style{};
  if (when == "auto") return style_for(stdout);
  return fail("--color " + text::quote(when) + " is not known", "known are: auto, always, never");
}

Status diff(const DiffOptions& options) {
  DiffShape shape;
  TRY_ASSIGN(shape.style, choose_style(options.colour));
  if (options.stat) shape.kind = DiffShape::Kind::stat;
  if (options.json) shape.kind = DiffShape::Kind::json;
  TRY_ASSIGN(std::string here, prepare::read_working_folder());
  for (const std::string& path : options.paths)
    shape.paths.push_back(path::absolute(path, here));
  TRY_ASSIGN(review::Review review, choose_review(options.run));
  take_as_in_trees(shape.paths, review.trees);
  TRY_ASSIGN(bool is_gone, finish_interrupted_apply(review));
  if (is_gone) return {};
  TRY_ASSIGN(Fd folder, open_folder(review));
  TRY_ASSIGN(std::vector<review::ReviewedTree> trees, read_trees(folder.get(), review));
  Pager pager(!options.json && !options.no_pager && isatty(STDOUT_FILENO) != 0);
  if (show_review(folder.get(), review, trees, shape, pager)) return {};
  return fail("the run " + text::quote(review.name) + " has changed nothing there",
              "see all: ringwall diff " + text::quote(review.name) + " --stat");
}

}  // namespace

int cmd_diff(const Invocation& invocation) {
  CommandLine line("Shows what a run under review has changed.", "diff",
                   "ringwall diff [RUN] [OPTIONS] [-- PATH…]");
  line.footer(kExamples);
  DiffOptions options;
  line.add_option("RUN", options.run, "name of a review; default: the newest of this folder");
  line.add_flag("--stat", options.stat, "only which files, and how many lines of each");
  line.add_flag("--json", options.json, "a line of JSON for each change");
  line.add_option("--color", options.colour, "auto, always or never").type_name("WHEN");
  line.add_flag("--no-pager", options.no_pager, "straight to standard output");
  std::vector<std::string> ours = invocation.arguments;
  if (auto mark = std::ranges::find(ours, "--"); mark != ours.end()) {
    options.paths.assign(mark + 1, ours.end());
    ours.erase(mark, ours.end());
  }
  if (auto status = line.parse(ours)) return *status;
  Status done = diff(options);
  if (done) return 0;
  complain(done.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
