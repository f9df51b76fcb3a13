// ringwall undo: puts back what a run has changed or deleted.
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdio>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/interrupted_apply.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/tree_paths.h"
#include "cli/waiting_line.h"
#include "review/review.h"
#include "state/places.h"
#include "state/tree_work.h"
#include "undo/choose_run.h"
#include "undo/put_back.h"

namespace ringwall::cli {
namespace {

namespace json = boost::json;

constexpr const char* kExamples = R"(Examples:
  ringwall undo                        what the last run here changed or deleted is as before
  ringwall undo --dry-run              says what that would do
  ringwall undo app-3 src/main.c docs  these alone, of that run
  ringwall undo app-3 --added          takes away too what the run added
  ringwall undo undo-app-3             undoes the undo

RUN is a run's name or an id of `ringwall history`; a PATH that is called like a run is written
./PATH. What was changed after the run is shown and left alone, unless it is named. Whatever an
undo replaces or takes away is kept, and comes back by undoing it.
Exit status: 0; 1 if something of it was left alone, because it was changed since or was not kept;
125 if it could not be done.)";

// Each is more than a screen.
constexpr size_t kMostShown = 20;

struct Wish {
  std::string run;
  undo::UndoWish what;
  bool dry_run = false;
  bool json = false;
};

struct Store {
  state::Places places;
  Fd folder;
  Fd lock;
  std::vector<undo::KeptRun> runs;
};

Result<Store> open_store() {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  Store store{state::find_places(caller, getenv("XDG_RUNTIME_DIR"))};
  auto folder = file::open(state::undo_folder(store.places), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!folder && folder.error().err == ENOENT)
    return fail("nothing is kept of any run", "runs keep it unless --no-undo or --review is given");
  if (!folder) return std::unexpected(folder.error());
  store.folder = std::move(*folder);
  tell_finished(store.places);
  TRY_ASSIGN(store.lock, undo::lock_store(store.folder.get(), undo::LockMode::shared));
  TRY_ASSIGN(store.runs, undo::list_kept_runs(store.folder.get()));
  return store;
}

// As long as the result lives, no run starts there. One that keeps nothing for undo works there
// too.
Result<state::Placing> keep_runs_away(const Store& store, const undo::Manifest& manifest) {
  state::Trees trees;
  for (const undo::ManifestTree& tree : manifest.trees)
    trees.push_back(tree.path);
  TRY_ASSIGN(state::Placing placing, state::Placing::begin(store.places, trees));
  std::string name = undo::find_run_at_work(store.folder.get(), store.runs, manifest);
  if (name.empty()) {
    TRY_ASSIGN(name, state::find_run_writing(store.places, trees));
  }
  if (name.empty()) return placing;
  return fail("the run " + text::quote(name) + " is going on there",
              "end it first: ringwall stop " + text::quote(name));
}

const char* word_of(const undo::UndoAct& act) {
  if (act.kind == undo::UndoAct::Kind::take_away) return "take away";
  return act.now.exists() ? "put back" : "bring back";
}

std::string path_of(const undo::Manifest& manifest, const undo::UndoAct& act) {
  return path::join(manifest.trees[act.tree].path, act.before.path);
}

void print_left(const std::vector<undo::LeftAlone>& left, const std::string& run) {
  bool has_conflict = false;
  for (size_t i = 0; i < left.size(); i++) {
    has_conflict |= left[i].is_conflict;
    if (i < kMostShown)
      printf("left alone: %s: %s\n", text::quote(left[i].path).c_str(), left[i].why.c_str());
  }
  if (left.size() > kMostShown) printf("left alone: %zu more\n", left.size() - kMostShown);
  if (has_conflict)
    printf("  to put back what was changed since, name it: ringwall undo %s PATH\n",
           text::quote(run).c_str());
}

const char* of_when(const undo::UndoAct& act) {
  return act.before.kept == undo::Kept::earlier ? ", as an earlier run has kept it" : "";
}

void print_plan(const undo::Manifest& manifest, const undo::UndoPlan& plan) {
  for (const undo::UndoAct& act : plan.acts)
    printf("%-10s %s%s\n", word_of(act), text::quote(path_of(manifest, act)).c_str(), of_when(act));
  if (plan.acts.empty()) printf("nothing would be put back\n");
}

std::string files(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " file" : " files");
}

void print_result(const undo::KeptRun& run, const undo::UndoPlan& plan,
                  const undo::UndoResult& result, const std::string& as) {
  if (plan.acts.empty()) {
    printf("nothing is left to put back of the run %s\n", text::quote(run.name).c_str());
  } else {
    printf("put back %s", files(result.put_back).c_str());
    if (result.taken_away > 0) printf(", took away %s", files(result.taken_away).c_str());
    printf("; to undo this: ringwall undo %s\n", text::quote(as).c_str());
  }
  for (const std::string& unkept : result.unkept)
    printf("cannot be undone: %s\n", unkept.c_str());
  auto earlier = std::ranges::count_if(
      plan.acts, [](const undo::UndoAct& act) { return act.before.kept == undo::Kept::earlier; });
  if (earlier > 0)
    printf("%s of them as an earlier run has kept it: this one's command was faster\n",
           files(static_cast<uint64_t>(earlier)).c_str());
  if (plan.added > 0)
    printf("%s that the run added %s; to take them away: ringwall undo %s --added\n",
           files(plan.added).c_str(), plan.added == 1 ? "stays" : "stay",
           text::quote(run.id).c_str());
}

json::array left_to_json(const std::vector<undo::LeftAlone>& left) {
  json::array out;
  for (const undo::LeftAlone& one : left)
    out.push_back(
        json::object{{"path", one.path}, {"why", one.why}, {"conflict", one.is_conflict}});
  return out;
}

void print_json(const undo::KeptRun& run, const undo::Manifest& manifest,
                const undo::UndoPlan& plan, const std::vector<undo::LeftAlone>& left,
                const std::string& as) {
  json::array acts;
  for (const undo::UndoAct& act : plan.acts)
    acts.push_back(json::object{{"act", word_of(act)},
                                {"path", path_of(manifest, act)},
                                {"earlier", act.before.kept == undo::Kept::earlier}});
  json::object out{
      {"run", run.id}, {"acts", acts}, {"left", left_to_json(left)}, {"added", plan.added}};
  out["undo"] = as.empty() ? json::value() : json::value(as);
  printf("%s\n", text::harmless_json(json::serialize(out)).c_str());
}

undo::KeptRun describe_undo(const undo::KeptRun& run) {
  int64_t now = undo::now_in_milliseconds();
  // The undo of an undo is called like the undo of a run.
  std::string name = run.kind == undo::KeptRun::Kind::undo ? run.name : "undo-" + run.name;
  return {.id = undo::make_id(name, now),
          .name = name,
          .kind = undo::KeptRun::Kind::undo,
          .workspace = run.workspace,
          .command = {"ringwall", "undo", run.id},
          .started = now,
          .of = run.id};
}

// A word that stands alone may be meant for a run that has nothing to undo.
std::unexpected<Error> refuse_untouched(const state::Places& places, const undo::KeptRun& run,
                                        const Wish& wish) {
  const std::string& path = wish.what.paths[0];
  std::string name(path::basename(path));
  bool may_be_run = wish.run.empty() && !file::exists(path);
  if (may_be_run && review::has_review(state::reviews_folder(places), name))
    return fail("the run " + text::quote(name) + " is under review, and nothing real is changed",
                "to throw away what it changed: ringwall discard " + text::quote(name));
  std::string what =
      "the run " + text::quote(run.id) + " changed and deleted nothing at " + text::quote(path);
  if (may_be_run) what += ", and nothing is kept of a run that is called " + text::quote(name);
  return fail(what,
              "see: ringwall history; what it did: ringwall undo --dry-run " + text::quote(run.id));
}

Result<int> undo_it(const Wish& wish, const std::string& here) {
  TRY_ASSIGN(Store store, open_store());
  std::set<file::Id> own = state::own_folders(store.places);
  TRY_ASSIGN(undo::KeptRun run,
             undo::choose_run(store.folder.get(), store.runs, wish.run, here, own));
  TRY_ASSIGN(Fd folder, undo::open_kept_run(store.folder.get(), run.id));
  auto manifest = undo::read_manifest(folder.get());
  if (!manifest && manifest.error().err == ENOENT)
    return fail("nothing was kept of the run " + text::quote(run.name));
  if (!manifest) return std::unexpected(manifest.error());
  TRY_ASSIGN(state::Placing placing, keep_runs_away(store, *manifest));
  std::optional<undo::Outcome> outcome;
  auto read = undo::read_outcome(folder.get());
  if (!read && read.error().err != ENOENT) return std::unexpected(read.error());
  if (read) outcome = std::move(*read);
  // Only a run has kept everything, so that all that differs can be its doing.
  if (!outcome && run.kind != undo::KeptRun::Kind::run)
    return fail(text::quote(run.id) + " was interrupted, and could not be finished",
                "see why: ringwall history");
  if (!outcome && !wish.json)
    printf("the run was killed: what was changed since cannot be told from what it did\n");
  undo::UndoWish what = wish.what;
  take_as_in_trees(what.paths, manifest->trees);
  // What an undo has brought back goes when it is undone.
  what.added |= run.kind == undo::KeptRun::Kind::undo;
  what.passed_over = std::move(own);
  TRY_ASSIGN(std::vector<Fd> trees, undo::open_trees(*manifest));
  TRY_ASSIGN(undo::UndoPlan plan,
             undo::plan_undo(*manifest, outcome, trees, what, undo::OwnTimes::read(folder.get())));
  bool knows_any = !plan.acts.empty() || !plan.left.empty() || plan.as_before + plan.added > 0;
  if (!wish.what.paths.empty() && !knows_any) return refuse_untouched(store.places, run, wish);
  undo::KeptRun as = describe_undo(run);
  undo::UndoResult result;
  bool acts = !wish.dry_run && !plan.acts.empty();
  if (acts) {
    WaitingLine line("putting back " + files(plan.acts.size()));
    TRY_ASSIGN(result, undo::put_back({store.folder.get(), as, *manifest, trees, plan}));
  }
  std::vector<undo::LeftAlone> left = plan.left;
  left.insert(left.end(), result.left.begin(), result.left.end());
  if (wish.json) {
    print_json(run, *manifest, plan, left, acts ? as.id : "");
  } else {
    wish.dry_run ? print_plan(*manifest, plan) : print_result(run, plan, result, as.id);
    print_left(left, run.id);
  }
  return left.empty() ? 0 : 1;
}

// The first word is a run, if one is called so.
Result<Wish> read_words(Wish wish, const std::vector<std::string>& words, const std::string& here) {
  auto store = words.empty() ? Result<Store>(Store()) : open_store();
  if (!store) return std::unexpected(store.error());
  size_t first = 0;
  if (!words.empty() && undo::find_run(store->runs, words[0]) != nullptr) wish.run = words[first++];
  for (size_t i = first; i < words.size(); i++) {
    std::string path = path::absolute(words[i], here);
    struct stat facts;
    bool may_be_run = i == 0 && words[i].find('/') == std::string::npos &&
                      lstat(path.c_str(), &facts) < 0 && words.size() > 1;
    if (may_be_run)
      return fail("nothing is kept of a run that is called " + text::quote(words[i]),
                  "see: ringwall history; a path is written ./" + words[i]);
    wish.what.paths.push_back(std::move(path));
  }
  return wish;
}

}  // namespace

int cmd_undo(const Invocation& invocation) {
  CommandLine line("Puts back what a run changed or deleted.", "undo",
                   "ringwall undo [RUN] [PATH...] [--added] [--dry-run] [--json]");
  line.footer(kExamples);
  Wish wish;
  std::vector<std::string> words;
  line.add_option("RUN", words,
                  "a run of `ringwall history`, and paths; default: the last one here");
  line.add_flag("--added", wish.what.added, "take away what the run added");
  line.add_flag("--dry-run", wish.dry_run, "only say what would be done");
  line.add_flag("--json", wish.json, "as a JSON object");
  if (auto status = line.parse(invocation.arguments)) return *status;
  char here[PATH_MAX];
  if (getcwd(here, sizeof here) == nullptr) {
    complain("the current folder is gone", "go to another folder");
    return kUsageStatus;
  }
  auto read = read_words(std::move(wish), words, here);
  auto done = read ? undo_it(*read, here) : std::unexpected(read.error());
  if (done) return *done;
  complain(done.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
