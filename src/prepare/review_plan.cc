#include "prepare/review_plan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "changes/entry.h"
#include "events/redact.h"
#include "review/bases.h"

namespace ringwall::prepare {
namespace {

// Who looks at a review makes none, whatever the policy says.
bool is_wanted(const Preparation& run) {
  return run.request.policy.files.review.on && run.request.shown_review.trees.empty();
}

// Nobody sees who writes below an overlay, so nothing there can be judged as built here.
Status refuse_exec_trees(const policy::Policy& policy) {
  bool built_here = std::ranges::any_of(
      policy.exec.allow, [](const policy::Text& entry) { return entry.value == "built-here"; });
  if (policy.exec.trees.empty() && !built_here) return {};
  return fail("programs that the run itself makes cannot be judged under review",
              "leave --review or " +
                  std::string(built_here ? "exec.allow \"built-here\"" : "exec.trees") + " away");
}

Result<review::ReviewTree> describe_tree(const sandbox::Grant& grant, size_t number) {
  TRY_ASSIGN(Fd folder, file::open(grant.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  struct stat facts;
  if (fstat(folder.get(), &facts) < 0) return fail_errno("cannot look at the workspace");
  TRY_ASSIGN(int64_t stamp, changes::read_clock_of(folder.get()));
  return review::ReviewTree{grant.path, std::to_string(number), facts.st_dev, facts.st_ino, stamp};
}

// What root's agent writes belongs to whom the tree belongs, so the layer does too. An ordinary
// caller's belongs to the caller.
Status give_to_owner(int folder, const std::string& name, const struct stat& tree) {
  if (geteuid() != 0) return {};
  if (fchownat(folder, name.c_str(), tree.st_uid, tree.st_gid, AT_SYMLINK_NOFOLLOW) < 0)
    return fail_errno("cannot give a layer to the owner of the tree");
  return {};
}

Status furnish_layer(int review, const review::ReviewTree& tree) {
  struct stat facts;
  if (stat(tree.path.c_str(), &facts) < 0) return fail_errno("cannot look at the workspace");
  for (const char* part : {"", "/upper", "/work"})
    TRY(give_to_owner(review, tree.layer + part, facts));
  // The top folder of the layer is what the tree's own looks like inside.
  Fd upper(openat(review, (tree.layer + "/upper").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!upper || fchmod(upper.get(), facts.st_mode & 01777) < 0)
    return fail_errno("cannot set the layer's mode");
  return review::keep_index(review, tree);
}

std::string apart_path(const Preparation& run, const std::string& name) {
  return path::join(state::apart_folder(run.places, run.granted.workspace), name);
}

// The trees as the review has made them. Nothing can be changed, in no folder that the policy names
// besides either.
Status show_review(Preparation& run) {
  const review::Review& shown = run.request.shown_review;
  size_t found = 0;
  for (sandbox::Grant& grant : run.granted.grants) {
    grant.access = sandbox::Access::read;
    auto tree = std::ranges::find(shown.trees, grant.path, &review::ReviewTree::path);
    if (tree == shown.trees.end()) continue;
    grant.layer =
        path::join(path::join(state::reviews_folder(run.places), shown.name), tree->layer);
    found++;
  }
  if (found == shown.trees.size()) return {};
  return fail("a folder of the review " + text::quote(shown.name) + " is not where it was",
              "bring it back to " + text::quote(shown.trees.front().path));
}

}  // namespace

Status choose_reviewed(Preparation& run) {
  if (!run.request.shown_review.trees.empty()) return show_review(run);
  if (!is_wanted(run)) {
    if (run.request.policy.files.apart.empty()) return {};
    return fail("files.apart is about runs under review", "add --review, or leave --apart away");
  }
  TRY(refuse_exec_trees(run.request.policy));
  std::string folder = path::join(state::reviews_folder(run.places), run.plan.run_name);
  size_t number = 0;
  // The workspace first: it is what a path without a tree means.
  for (bool workspace : {true, false}) {
    for (sandbox::Grant& grant : run.granted.grants) {
      bool is_workspace = grant.path == run.granted.workspace;
      if (grant.access != sandbox::Access::write || is_workspace != workspace) continue;
      struct stat facts;
      if (lstat(grant.path.c_str(), &facts) == 0 && !S_ISDIR(facts.st_mode))
        return fail(text::quote(grant.path) + " is no folder, and only folders can be under review",
                    "grant the folder that holds it, or leave --review away");
      TRY_ASSIGN(review::ReviewTree tree, describe_tree(grant, number++));
      grant.layer = path::join(folder, tree.layer);
      run.review.trees.push_back(std::move(tree));
    }
  }
  return {};
}

Status make_the_review(Preparation& run) {
  if (!is_wanted(run)) return {};
  run.review.workspace = run.granted.workspace;
  run.review.command = events::redact_words(run.request.command);
  run.review.started = clock::wall_seconds();
  for (const policy::Text& name : run.request.policy.files.apart)
    run.review.apart.push_back(name.value);
  run.review.nested = run.guarded->mounts;
  run.review.protect = run.guarded->protect;
  run.review.unprotect = run.guarded->unprotect;
  run.review.ends = run.guarded->ends;
  if (!run.request.register_it) return {};
  review::Review named = run.review;
  named.name = run.plan.run_name;
  TRY_ASSIGN(Fd folder, review::make_review(state::reviews_folder(run.places), named));
  // From here on it is ours, also to be removed: one of this name that waited already is not.
  run.review = std::move(named);
  for (const review::ReviewTree& tree : run.review.trees)
    TRY(furnish_layer(folder.get(), tree));
  struct stat workspace;
  if (stat(run.granted.workspace.c_str(), &workspace) < 0)
    return fail_errno("cannot look at the workspace");
  for (const std::string& name : run.review.apart) {
    std::string path = apart_path(run, name);
    TRY(file::make_dirs(path));
    TRY(give_to_owner(AT_FDCWD, path, workspace));
  }
  return {};
}

std::vector<sandbox::Mount> mounts_in_review(const Preparation& run) {
  std::vector<sandbox::Mount> mounts;
  for (const std::string& path : run.review.nested)
    mounts.push_back({.kind = sandbox::Mount::Kind::bind,
                      .target = path,
                      .source = path,
                      .access = sandbox::Access::read,
                      .reason = "a mount in a folder under review, which cannot be reviewed",
                      .callers_own = true});
  if (!is_wanted(run)) return mounts;
  for (const policy::Text& name : run.request.policy.files.apart)
    mounts.push_back({.kind = sandbox::Mount::Kind::bind,
                      .target = path::join(run.granted.workspace, name.value),
                      .source = apart_path(run, name.value),
                      .access = sandbox::Access::write,
                      .reason = "not reviewed: private, kept for the next review",
                      .callers_own = true,
                      .rule = {"files.apart", name.origin}});
  return mounts;
}

}  // namespace ringwall::prepare
