// ringwall discard: what a run under review has changed is thrown away; the real files stay.
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "base/text.h"
#include "cli/choose_review.h"
#include "cli/command.h"
#include "cli/interrupted_apply.h"
#include "cli/options.h"
#include "cli/output.h"
#include "review/bases.h"
#include "state/places.h"

namespace ringwall::cli {
namespace {

// Without a name it is the newest of this folder that is meant, which may surprise.
Result<bool> is_meant(const review::Review& review) {
  std::string name = text::quote(review.name);
  if (isatty(STDIN_FILENO) == 0)
    return fail("whoever discards without a terminal must say which", "ringwall discard " + name);
  fprintf(stderr, "throw away what the run %s has changed in %s? [y/N] ", name.c_str(),
          text::quote(review.workspace).c_str());
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

Status discard(const std::string& name) {
  TRY_ASSIGN(review::Review review, choose_review(name));
  TRY(refuse_going_on(review));
  if (name.empty()) {
    TRY_ASSIGN(bool meant, is_meant(review));
    if (!meant) return fail("nothing was thrown away");
  }
  // What was begun is finished first: the real files must not stay half as before.
  TRY_ASSIGN(LockedReview locked, lock_and_finish(review));
  if (locked.is_gone)
    return fail("all of it was taken over already",
                "to undo that: ringwall undo " + text::quote(review.name));
  bool is_rest = review::is_partly_applied(locked.folder.get(), review);
  TRY(review::remove_review(state::reviews_folder(locked.places), review.name));
  std::string run = text::quote(review.name), workspace = text::quote(review.workspace);
  if (is_rest)
    printf(
        "threw away the rest of what the run %s had changed; what was taken over of it stays in "
        "%s; "
        "to undo that: ringwall undo %s\n",
        run.c_str(), workspace.c_str(), run.c_str());
  else
    printf("threw away what the run %s had changed; the files of %s are as they were\n",
           run.c_str(), workspace.c_str());
  return {};
}

}  // namespace

int cmd_discard(const Invocation& invocation) {
  CommandLine line("Throws away what runs under review have changed.", "discard",
                   "ringwall discard [RUN…]");
  line.footer(
      "The real files stay as they are; so does what was taken over of it before.\n\n"
      "Examples:\n  ringwall discard app-1     that review\n"
      "  ringwall discard           the newest of this folder, after a question");
  std::vector<std::string> names;
  line.add_option("RUN", names, "names of reviews; see: ringwall history");
  if (auto status = line.parse(invocation.arguments)) return *status;
  if (names.empty()) names.emplace_back();
  int status = 0;
  for (const std::string& name : names) {
    Status done = discard(name);
    if (done) continue;
    complain(done.error());
    status = kUsageStatus;
  }
  return status;
}

}  // namespace ringwall::cli
