#include "undo/choose_run.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "undo/late_compare.h"
#include "undo/outcome.h"

namespace ringwall::undo {
namespace {

bool overlap(const std::string& one, const std::string& other) {
  return path::is_beneath(one, other) || path::is_beneath(other, one);
}

// It is over, and there is something to undo, or nobody knows.
bool did_something(int undo, const KeptRun& run, LateComparer& comparer) {
  auto folder = open_kept_run(undo, run.id);
  if (!folder || !has_ended(folder->get())) return false;
  auto outcome = read_outcome(folder->get());
  if (outcome && outcome->is_put_off() &&
      comparer.complete(folder->get(), *outcome, LateComparer::Blame::possible))
    return !outcome->touched.empty();
  return !outcome || !outcome->compared || !outcome->touched.empty();
}

}  // namespace

const KeptRun* find_run(const std::vector<KeptRun>& runs, const std::string& word) {
  const KeptRun* found = nullptr;
  for (const KeptRun& run : runs) {
    if (run.id == word) return &run;
    if (run.name == word) found = &run;
  }
  return found;
}

Result<KeptRun> choose_run(int undo, const std::vector<KeptRun>& runs, const std::string& word,
                           const std::string& folder, const std::set<file::Id>& passed_over) {
  if (!word.empty()) {
    if (const KeptRun* found = find_run(runs, word)) return *found;
    std::vector<std::string> names;
    for (const KeptRun& run : runs)
      names.push_back(run.name);
    std::string near = text::nearest(word, names);
    return fail("nothing is kept of a run that is called " + text::quote(word),
                near.empty() ? "see: ringwall history" : "did you mean " + near + "?");
  }
  LateComparer comparer(passed_over);
  for (size_t i = runs.size(); i-- > 0;) {
    bool is_meant = runs[i].kind != KeptRun::Kind::undo &&
                    path::is_beneath(folder, runs[i].workspace) &&
                    did_something(undo, runs[i], comparer);
    if (is_meant) return runs[i];
  }
  return fail("no run that is over has changed anything in " + text::quote(folder),
              "see: ringwall history");
}

std::string find_run_at_work(int undo, const std::vector<KeptRun>& runs, const Manifest& manifest) {
  for (const KeptRun& run : runs) {
    auto folder = open_kept_run(undo, run.id);
    if (!folder || has_ended(folder->get())) continue;
    std::vector<std::string> trees = {run.workspace};
    if (auto other = read_manifest(folder->get())) {
      for (const ManifestTree& tree : other->trees)
        trees.push_back(tree.path);
    }
    for (const ManifestTree& ours : manifest.trees) {
      if (std::ranges::any_of(trees, [&](const auto& tree) { return overlap(tree, ours.path); }))
        return run.name;
    }
  }
  return "";
}

}  // namespace ringwall::undo
