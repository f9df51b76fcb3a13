// ringwall apply: what a run under review has changed is taken over into the real folders.
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>

#include "base/path.h"
#include "base/text.h"
#include "changes/workplace.h"
#include "cli/apply_pick.h"
#include "cli/choose_review.h"
#include "cli/command.h"
#include "cli/interrupted_apply.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/review_names.h"
#include "cli/tree_paths.h"
#include "cli/waiting_line.h"
#include "prepare/grants.h"
#include "review/apply_choice.h"
#include "review/apply_counts.h"
#include "review/change_words.h"
#include "review/summary.h"
#include "review/whole_review.h"
#include "session/apply_review.h"
#include "state/tree_work.h"

namespace ringwall::cli {
namespace {

using changes::Outcome;
using review::ApplyItem;
using review::ApplyTree;
using State = ApplyItem::State;

constexpr const char* kExamples = R"(Examples:
  ringwall apply                      the newest review of this folder, all or nothing
  ringwall apply app-1 --dry-run      only say what would be done
  ringwall apply app-1 -- src docs    only what lies there; the rest stays in the review
  ringwall apply app-1 --pick         file by file
  ringwall apply app-1 --rest         all but what was changed here too since the run began

What was changed on both sides is never overwritten. What would run outside later is left
out unless its path is named, or picked. What is replaced is kept: ringwall undo.
Status 1: something that was meant was not taken over.)";

struct ApplyWishes {
  std::string run;
  bool pick = false, dry_run = false, rest = false, json = false;
  std::vector<std::string> paths;  // absolute
};

// What the person means and does not get.
struct LeftOut {
  const ApplyTree* tree;
  const ApplyItem* item;
};

bool is_meant(const ApplyWishes& wishes, const ApplyTree& tree, const ApplyItem& item) {
  std::string path = review::path_of(tree, item);
  return wishes.paths.empty() || std::ranges::any_of(wishes.paths, [&](const std::string& named) {
           return path::is_beneath(path, named);
         });
}

std::vector<LeftOut> left_out(const ApplyWishes& wishes, const std::vector<ApplyTree>& trees,
                              bool barred) {
  std::vector<LeftOut> found;
  for (const ApplyTree& tree : trees) {
    for (const ApplyItem& item : tree.items) {
      bool is_barred = item.state == State::conflict || item.state == State::gone ||
                       item.state == State::refused;
      bool is_told = is_barred || item.state == State::held || !item.why.empty();
      if (!item.is_chosen && is_told && is_barred == barred && is_meant(wishes, tree, item))
        found.push_back({&tree, &item});
    }
  }
  return found;
}

void list_left_out(const review::Review& review, const char* heading,
                   const std::vector<LeftOut>& items) {
  constexpr size_t kMost = 30;
  if (items.empty()) return;
  printf("%s\n", heading);
  for (size_t i = 0; i < std::min(items.size(), kMost); i++) {
    const changes::Change& change = items[i].item->change;
    std::string path = review::shown_path(review, items[i].tree->tree, change.path);
    printf("  %s: %s\n",
           review::name_words(path, change.after.exists() ? change.after : change.before).c_str(),
           text::escape(items[i].item->why).c_str());
  }
  if (items.size() > kMost) printf("  and %zu more\n", items.size() - kMost);
}

// Both sides can be had: one lies here, the other is in the review.
void tell_way_out(const review::Review& review, const std::vector<LeftOut>& items) {
  auto has_version = [](const LeftOut& each) {
    return each.item->state == State::conflict &&
           each.item->change.after.type == changes::EntryType::file;
  };
  auto found = std::ranges::find_if(items, has_version);
  if (found == items.end()) return;
  std::string path = review::path_of(*found->tree, *found->item);
  printf("  to get the run's version beside yours: ringwall shell %s -- cat %s > %s\n",
         text::quote(review.name).c_str(), text::quote(path).c_str(),
         text::quote(path + ".of-the-run").c_str());
}

size_t count_chosen_steps(const std::vector<ApplyTree>& trees) {
  size_t count = 0;
  for (const ApplyTree& tree : trees)
    count += static_cast<size_t>(
        std::ranges::count_if(tree.items, [](const ApplyItem& item) { return item.is_chosen; }));
  return count;
}

size_t count_unread(const review::Review& review, const std::vector<ApplyTree>& trees) {
  size_t count = 0;
  for (const ApplyTree& tree : trees) {
    for (const review::Unread& unread : tree.unread) {
      fprintf(stderr, "ringwall: %s could not be looked at: %s\n",
              text::quote(review::shown_path(review, tree.tree, unread.path)).c_str(),
              text::escape(unread.why).c_str());
      count++;
    }
  }
  return count;
}

boost::json::array list_json(const std::vector<LeftOut>& items) {
  boost::json::array out;
  for (const LeftOut& each : items)
    out.push_back(boost::json::object{{"path", review::path_of(*each.tree, *each.item)},
                                      {"why", each.item->why}});
  return out;
}

void print_json(const review::Review& review, const ApplyWishes& wishes,
                const std::vector<ApplyTree>& trees, const session::AppliedReview& applied) {
  boost::json::array done, failed, unkept;
  for (const std::string& line : applied.unkept)
    unkept.push_back(boost::json::string(line));
  for (const review::AppliedTree& tree : applied.applied.trees) {
    for (const changes::StepReport& step : tree.report) {
      std::string path = path::join(tree.tree.path, step.path);
      if (step.outcome == Outcome::done)
        done.push_back(boost::json::string(path));
      else
        failed.push_back(boost::json::object{{"path", path}, {"why", step.why}});
    }
  }
  boost::json::object out{{"review", review.name},
                          {"dry_run", wishes.dry_run},
                          {"chosen", count_chosen_steps(trees)},
                          {"applied", std::move(done)},
                          {"failed", std::move(failed)},
                          {"not_for_undo", std::move(unkept)},
                          {"held", list_json(left_out(wishes, trees, false))},
                          {"conflicts", list_json(left_out(wishes, trees, true))},
                          {"review_removed", applied.is_review_gone}};
  printf("%s\n", text::harmless_json(boost::json::serialize(out)).c_str());
}

void tell_applied(const review::Review& review, const std::vector<ApplyTree>& trees,
                  const session::AppliedReview& applied) {
  std::string name = text::quote(review.name);
  size_t done = count_outcomes(applied.applied, Outcome::done);
  printf("took over %s\n", review::file_words(review::count_done(trees, applied.applied)).c_str());
  for (const review::AppliedTree& tree : applied.applied.trees) {
    for (const changes::StepReport& step : tree.report) {
      if (step.outcome != Outcome::conflict && step.outcome != Outcome::failed) continue;
      printf("  not %s: %s\n",
             text::quote(review::shown_path(review, tree.tree, step.path)).c_str(),
             text::escape(step.why).c_str());
    }
  }
  for (const std::string& unkept : applied.unkept)
    printf("cannot be undone: %s\n", unkept.c_str());
  if (done > applied.unkept.size()) printf("to undo this: ringwall undo %s\n", name.c_str());
  if (!applied.is_review_gone)
    printf("the rest stays in the review: ringwall diff %s; ringwall discard %s\n", name.c_str(),
           name.c_str());
}

Result<bool> choose(const ApplyWishes& wishes, const review::Review& review,
                    std::vector<ApplyTree>& trees) {
  bool goes_on = true;
  if (wishes.pick) {
    TRY_ASSIGN(goes_on, pick(review, trees, wishes.paths));
  } else if (wishes.paths.empty()) {
    choose_all(trees);
  } else {
    TRY(choose_paths(trees, wishes.paths));
  }
  complete_choice(trees);
  return goes_on;
}

// All or nothing, unless the person has said which, or says now that the rest is wanted.
bool is_rest_wanted(const ApplyWishes& wishes, const review::Review& review) {
  if (wishes.rest || wishes.pick || !wishes.paths.empty() || wishes.dry_run) return true;
  if (!wishes.json && isatty(STDIN_FILENO) != 0 && asks_yes("take over the rest?")) return true;
  std::string name = text::quote(review.name);
  fflush(stdout);
  complain("nothing was taken over: not everything can be",
           "see them: ringwall diff " + name + "; the rest alone: ringwall apply " + name +
               " --rest; a part: ringwall apply " + name + " -- PATH…");
  return false;
}

// As long as the result lives, no run starts there. Where the state lies on another filesystem, new
// files are made in the tree itself: who works there already could change them before they come to
// their names.
Result<state::Placing> keep_runs_away(const LockedReview& locked,
                                      const std::vector<ApplyTree>& trees) {
  state::Trees all, far;
  for (const ApplyTree& tree : trees) {
    all.push_back(tree.tree.path);
    if (!changes::is_near(locked.folder.get(), tree.real.get())) far.push_back(tree.tree.path);
  }
  TRY_ASSIGN(state::Placing placing, state::Placing::begin(locked.places, all));
  TRY_ASSIGN(std::string name, state::find_run_writing(locked.places, far));
  if (name.empty()) return placing;
  return fail(
      "the run " + text::quote(name) + " is going on there, and could change what is taken over",
      "end it first: ringwall stop " + text::quote(name));
}

Result<int> carry_out(const ApplyWishes& wishes, const review::Review& review,
                      const LockedReview& locked, std::vector<ApplyTree>& trees) {
  std::vector<LeftOut> barred = left_out(wishes, trees, true);
  size_t unread = count_unread(review, trees);
  bool is_partly = !barred.empty() || unread > 0;
  if (!wishes.json) {
    list_left_out(review, "not taken over:", barred);
    tell_way_out(review, barred);
    list_left_out(
        review,
        "left out, since it would run outside later, cannot be read, may be yours, or belongs to "
        "what is left out (name it to take it over):",
        left_out(wishes, trees, false));
  }
  session::AppliedReview applied;
  bool goes_on = !is_partly || is_rest_wanted(wishes, review);
  if (goes_on && !wishes.dry_run) {
    TRY_ASSIGN(state::Placing placing, keep_runs_away(locked, trees));
    review::ApplyOptions options;
    options.leaves_out_conflicts = wishes.rest || wishes.pick || !wishes.paths.empty();
    WaitingLine line("taking over " + review::file_words(review::count_chosen(trees)));
    TRY_ASSIGN(applied,
               session::apply_review(locked.places, review, locked.folder.get(), trees, options));
  }
  if (wishes.json) print_json(review, wishes, trees, applied);
  if (!goes_on) return 1;
  if (wishes.dry_run) {
    std::string words = review::file_words(review::count_chosen(trees));
    if (!wishes.json) printf("would take over %s\n", words.c_str());
    return is_partly ? 1 : 0;
  }
  if (!wishes.json) tell_applied(review, trees, applied);
  bool is_done = std::ranges::all_of(applied.applied.trees, [](const review::AppliedTree& tree) {
    return changes::is_whole(tree.report);
  });
  return is_done && !is_partly ? 0 : 1;
}

Result<int> apply(ApplyWishes wishes) {
  TRY_ASSIGN(review::Review review, choose_review(wishes.run));
  take_as_in_trees(wishes.paths, review.trees);
  TRY(refuse_going_on(review));
  TRY_ASSIGN(LockedReview locked, lock_and_finish(review));
  if (locked.is_gone) return 0;
  // Without the policy it is not known what is protected.
  TRY_ASSIGN(files::ProtectedNames names, protected_names_of(review));
  TRY_ASSIGN(std::vector<ApplyTree> trees, review::read_items(locked.folder.get(), review, names));
  TRY_ASSIGN(bool goes_on, choose(wishes, review, trees));
  if (!goes_on) return fail("nothing was taken over");
  return carry_out(wishes, review, locked, trees);
}

}  // namespace

int cmd_apply(const Invocation& invocation) {
  CommandLine line("Takes over what a run under review has changed.", "apply",
                   "ringwall apply [RUN] [OPTIONS] [-- PATH…]");
  line.footer(kExamples);
  ApplyWishes wishes;
  line.add_option("RUN", wishes.run, "name of a review; default: the newest of this folder");
  line.add_flag("--pick", wishes.pick, "ask file by file");
  line.add_flag("--dry-run", wishes.dry_run, "change nothing, only say what would be done");
  line.add_flag("--rest", wishes.rest, "take over the rest if something cannot be");
  line.add_flag("--json", wishes.json, "say what was done as JSON");
  std::vector<std::string> ours = invocation.arguments, paths;
  if (auto mark = std::ranges::find(ours, "--"); mark != ours.end()) {
    paths.assign(mark + 1, ours.end());
    ours.erase(mark, ours.end());
  }
  if (auto status = line.parse(ours)) return *status;
  auto folder = prepare::read_working_folder();
  for (const std::string& path : paths)
    wishes.paths.push_back(path::absolute(path, folder ? *folder : "/"));
  auto status = folder ? apply(wishes) : std::unexpected(folder.error());
  if (status) return *status;
  complain(status.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
