#include "undo/undo_plan.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/file.h"
#include "base/file_id.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"
#include "changes/attributes.h"
#include "changes/closed_file.h"
#include "undo/late_compare.h"

namespace ringwall::undo {
namespace {

using changes::EntryFacts;
using changes::EntryType;
using Kind = Touched::Kind;

bool is_same(const SavedEntry& then, const EntryFacts& now) {
  if (then.type != now.type) return false;
  if (then.type == EntryType::none) return true;
  if (then.type == EntryType::folder) return then.mode == now.mode;
  return then.mode == now.mode && then.inode == now.inode && then.size == now.size &&
         then.modified == now.modified && then.changed == now.changed;
}

std::optional<Digest> digest_of(int tree, const std::string& path) {
  auto place = file::open_beneath(tree, path, O_PATH | O_NOFOLLOW);
  auto file = place ? changes::open_to_read(place->get()) : std::unexpected(place.error());
  if (!file) return std::nullopt;
  Sha256 hash;
  std::vector<char> buffer(256 << 10);
  while (true) {
    ssize_t got = read(file->get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) return hash.finish();
    hash.add(buffer.data(), static_cast<size_t>(got));
  }
}

// These, and no others. Who cannot be asked has them.
bool has_attributes(int tree, const SavedEntry& wanted) {
  auto entry = file::open_beneath(tree, wanted.path, O_PATH | O_NOFOLLOW);
  auto now = entry ? changes::read_attributes(entry->get()) : std::unexpected(entry.error());
  if (!now && now.error().err == EACCES) {
    if (auto closed = changes::open_to_keep(entry->get())) now = std::move(closed->attributes);
  }
  return !now || *now == wanted.attributes;
}

std::optional<std::string> read_link_in(int tree, const std::string& path) {
  auto link = file::open_beneath(tree, path, O_PATH | O_NOFOLLOW);
  char text[PATH_MAX];
  ssize_t length = link ? readlinkat(link->get(), "", text, sizeof text) : -1;
  if (length < 0) return std::nullopt;
  return std::string(text, static_cast<size_t>(length));
}

class Planner {
 public:
  Planner(const Manifest& manifest, const std::optional<Outcome>& outcome,
          const std::vector<Fd>& trees, const UndoWish& wish, const OwnTimes& own)
      : manifest_(manifest), outcome_(outcome), trees_(trees), wish_(wish), own_(own) {}

  Result<UndoPlan> run() {
    std::vector<Touched> touched;
    if (outcome_ && outcome_->compared) {
      touched = outcome_->touched;
    } else {
      TRY_ASSIGN(touched, compare_now());
    }
    for (const Touched& one : touched) {
      is_wished(one) ? judge(one) : note_further_name(one);
    }
    TRY(add_ways());
    std::sort(plan_.acts.begin(), plan_.acts.end(), [](const UndoAct& a, const UndoAct& b) {
      return a.tree != b.tree ? a.tree < b.tree : lies_before(a.before.path, b.before.path);
    });
    return std::move(plan_);
  }

 private:
  // Nobody had the time to compare when it ended, or it was killed.
  Result<std::vector<Touched>> compare_now() const {
    std::vector<Touched> touched;
    for (size_t i = 0; i < trees_.size(); i++) {
      if (!trees_[i]) continue;
      TRY_ASSIGN(Look look, look_at_tree({trees_[i].get(), wish_.passed_over, 0,
                                          [](const auto&) { return true; }}));
      uint32_t tree = static_cast<uint32_t>(i);
      if (outcome_ && outcome_->is_put_off()) {
        compare_since(manifest_.trees[i], look, outcome_->starts[i], tree, touched);
      } else {
        compare(manifest_.trees[i], look.entries, tree, touched);
      }
    }
    return touched;
  }

  std::string whole(const Touched& one) const {
    return path::join(manifest_.trees[one.tree].path, one.after.path);
  }

  bool is_named(const Touched& one) const {
    std::string path = whole(one);
    return std::ranges::any_of(
        wish_.paths, [&](const std::string& wished) { return path::is_beneath(path, wished); });
  }

  bool is_wished(const Touched& one) const { return wish_.paths.empty() || is_named(one); }

  void note_as_left(const Touched& one, const EntryFacts& now) {
    if (now.exists() && now.type != EntryType::folder)
      plan_.as_left.push_back({one.tree, one.after.path, now});
  }

  // It may be one of a file that loses another.
  void note_further_name(const Touched& one) {
    if (!outcome_ || !trees_[one.tree]) return;
    auto now = changes::look_at(trees_[one.tree].get(), one.after.path);
    bool has_names = now && now->type == EntryType::file && now->links > 1;
    if (has_names && !was_changed_since(one, *now)) note_as_left(one, *now);
  }

  void leave(const Touched& one, std::string why, bool is_conflict = false) {
    plan_.left.push_back({whole(one), std::move(why), is_conflict});
  }

  void judge(const Touched& one) {
    if (!trees_[one.tree]) return leave(one, "its folder is not the one of then");
    auto seen = changes::look_at(trees_[one.tree].get(), one.after.path);
    if (!seen) return leave(one, Error{"", seen.error().err, ""}.text());
    const EntryFacts& now = *seen;
    if (one.kind == Kind::added) return judge_added(one, now);
    const SavedEntry* before = find_entry(manifest_.trees[one.tree], one.after.path);
    if (before == nullptr) return leave(one, "nothing is known of it");
    if (is_as_before(one, *before, now)) return void(plan_.as_before++);
    if (!before->can_be_put_back()) return leave(one, std::string(why_not(before->kept)));
    bool is_others = was_changed_since(one, now);
    if (is_others && !is_named(one))
      return leave(one,
                   now.exists() ? "it was changed after the run" : "it was deleted after the run",
                   true);
    bool hides_folder = now.type == EntryType::folder && before->type != EntryType::folder;
    if (hides_folder && !wish_.added)
      return leave(one, "a folder lies there now; --added takes it away");
    if (!is_others) note_as_left(one, now);
    plan_.acts.push_back({UndoAct::Kind::put_back, one.tree, *before, now});
    if (outcome_ && outcome_->has_earlier_manifest && before->has_content())
      plan_.acts.back().before.kept = Kept::earlier;
  }

  void judge_added(const Touched& one, const EntryFacts& now) {
    if (!now.exists()) return void(plan_.as_before++);
    if (!wish_.added) {
      plan_.added += now.type != EntryType::folder ? 1 : 0;
      return;
    }
    bool is_others = was_changed_since(one, now);
    if (is_others && !is_named(one)) return leave(one, "it was changed after the run", true);
    if (now.type == EntryType::other) return leave(one, "it is no file, folder, link or pipe");
    if (!is_others) note_as_left(one, now);
    UndoAct act{UndoAct::Kind::take_away, one.tree, {}, now};
    act.before.path = one.after.path;
    plan_.acts.push_back(std::move(act));
  }

  bool was_changed_since(const Touched& one, const EntryFacts& now) const {
    if (!outcome_ || own_.has(one.tree, one.after.path, now.inode, now.changed)) return false;
    bool is_other = outcome_->compared ? !is_same(one.after, now) || has_others(one)
                                       : now.exists() && now.changed > outcome_->clocks[one.tree];
    return is_other &&
           !says_the_same(outcome_->indexes, one.tree, trees_[one.tree].get(), one.after.path);
  }

  // A folder that has other attributes than at the end of the run.
  bool has_others(const Touched& one) const {
    return one.after.has_attributes() && !has_attributes(trees_[one.tree].get(), one.after);
  }

  // Somebody has put it back already, or the run wrote what was there.
  bool is_as_before(const Touched& one, const SavedEntry& before, const EntryFacts& now) const {
    if (before.type != now.type || before.mode != now.mode) return false;
    if (before.type == EntryType::folder)
      return !before.has_attributes() || has_attributes(trees_[one.tree].get(), before);
    // Who talks through it changes its times.
    if (before.type == EntryType::fifo) return true;
    if (before.type == EntryType::link)
      return before.kept == Kept::link && !has_time_of_run(one, before, now) &&
             read_link_in(trees_[one.tree].get(), before.path) == before.link;
    if (before.size != now.size || !before.has_content()) return false;
    if (has_time_of_run(one, before, now)) return false;
    int tree = trees_[one.tree].get();
    return has_attributes(tree, before) && digest_of(tree, before.path) == before.digest;
  }

  // Not the person's: who has written the same again since has made it as it was.
  bool has_time_of_run(const Touched& one, const SavedEntry& before, const EntryFacts& now) const {
    return outcome_ && outcome_->compared && now.modified != before.modified &&
           now.modified == one.after.modified;
  }

  // Folders that are gone, on the way to what is put back.
  Status add_ways() {
    std::set<std::pair<uint32_t, std::string>> known;
    for (const UndoAct& act : plan_.acts)
      known.insert({act.tree, act.before.path});
    for (size_t i = 0; i < plan_.acts.size(); i++) {
      if (plan_.acts[i].kind != UndoAct::Kind::put_back) continue;
      uint32_t tree = plan_.acts[i].tree;
      std::string way = path::parent("/" + plan_.acts[i].before.path).substr(1);
      if (way.empty() || !known.insert({tree, way}).second) continue;
      TRY_ASSIGN(EntryFacts now, changes::look_at(trees_[tree].get(), way));
      const SavedEntry* before = find_entry(manifest_.trees[tree], way);
      if (now.type == EntryType::folder || before == nullptr) continue;
      plan_.acts.push_back({UndoAct::Kind::put_back, tree, *before, now});
    }
    return {};
  }

  const Manifest& manifest_;
  const std::optional<Outcome>& outcome_;
  const std::vector<Fd>& trees_;
  const UndoWish& wish_;
  const OwnTimes& own_;
  UndoPlan plan_;
};

}  // namespace

Result<std::vector<Fd>> open_trees(const Manifest& manifest) {
  std::vector<Fd> trees;
  for (const ManifestTree& tree : manifest.trees) {
    auto folder = file::open(tree.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    struct stat facts;
    bool is_there = folder && fstat(folder->get(), &facts) == 0;
    bool same = is_there && file::is_still(facts, {tree.device, tree.inode}, tree.clock);
    trees.push_back(same ? std::move(*folder) : Fd());
  }
  bool any = std::ranges::any_of(trees, [](const Fd& tree) { return static_cast<bool>(tree); });
  if (!any && !manifest.trees.empty())
    return fail("the folder " + text::quote(manifest.trees[0].path) +
                " is not there any more, or is another one");
  return trees;
}

Result<UndoPlan> plan_undo(const Manifest& manifest, const std::optional<Outcome>& outcome,
                           const std::vector<Fd>& trees, const UndoWish& wish,
                           const OwnTimes& own) {
  return Planner(manifest, outcome, trees, wish, own).run();
}

}  // namespace ringwall::undo
