#include "broker/guards.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "base/file_id.h"
#include "base/path.h"
#include "broker/quarantine_item.h"
#include "broker/written_files.h"

namespace ringwall::broker {
namespace {

bool is_harmless_change(const git::ProtectedGitConfig& config, const std::string& after) {
  auto now = git::parse_git_config(after);
  return now && !config.judge(*now);
}

}  // namespace

bool is_guarded_by(const std::set<std::string>& kept, const files::WatchedTree& tree,
                   const std::string& relative) {
  for (std::string at = tree.whole(relative); at.size() > tree.path.size(); at = path::parent(at)) {
    if (kept.contains(at)) return true;
  }
  return false;
}

std::vector<Culprit> Guards::without_kept(std::vector<Culprit> culprits) const {
  std::erase_if(culprits, [&](const Culprit& one) { return is_kept(one.tree, one.path); });
  return culprits;
}

bool Guards::are_beneath(size_t tree, const std::string& relative) const {
  std::string folder = trees_[tree].whole(relative) + "/";
  auto has_one = [&](const std::set<std::string>& guarded) {
    auto at = guarded.lower_bound(folder);
    return at != guarded.end() && at->starts_with(folder);
  };
  return has_one(kept_) || has_one(hidden_);
}

Departures Guards::departures_from(size_t tree, const std::string& relative,
                                   Departures other) const {
  if (held_.lie_in(trees_[tree].whole(relative))) return Departures::held;
  return are_beneath(tree, relative) ? Departures::guarded : other;
}

bool Guards::note(const Appeared& one, bool by_host) {
  if (one.how == Appeared::How::written) return false;
  std::string whole = trees_[one.tree].whole(one.path);
  auto noted = replaced_kept_.find(whole);
  if (noted != replaced_kept_.end() && !by_host) noted->second.is_touched = true;
  if (one.how == Appeared::How::closed) {
    if (noted == replaced_kept_.end()) held_.written(trees_[one.tree], whole, clock::monotonic());
    return false;
  }
  note_in(hidden_, replaced_hidden_, one, whole, false);
  // What comes later to a place where something kept was taken away is a plant, whoever brings it.
  return note_in(kept_, replaced_kept_, one, whole, one.how == Appeared::How::went);
}

// It, or what lies in it.
bool Guards::note_in(std::set<std::string>& guarded, Noted& noted, const Appeared& one,
                     const std::string& whole, bool forgets) {
  size_t before = guarded.size();
  for (auto at = guarded.lower_bound(whole); at != guarded.end() && path::is_beneath(*at, whole);) {
    if (one.how == Appeared::How::came) noted.insert({*at, {one.tree}});
    at = forgets ? guarded.erase(at) : std::next(at);
  }
  return guarded.size() < before;
}

// Our own fresh copies are told of as well.
bool Guards::has_replaced_kept() {
  std::erase_if(replaced_kept_,
                [&](const auto& one) { return is_fresh(one.second.tree, one.first); });
  return !replaced_kept_.empty();
}

std::vector<Guards::Replaced> Guards::take(Noted& noted, const std::set<std::string>& guarded,
                                           bool hidden) {
  std::vector<Replaced> all;
  for (const auto& [whole, note] : std::exchange(noted, {})) {
    if (guarded.contains(whole)) all.push_back({whole, note.tree, hidden, note.is_touched});
  }
  return all;
}

std::vector<Guards::Replaced> Guards::take_replaced_hidden() {
  return take(replaced_hidden_, hidden_, true);
}

std::vector<Guards::Replaced> Guards::take_replaced_kept() {
  if (!has_replaced_kept()) return {};
  return take(replaced_kept_, kept_, false);
}

bool Guards::is_fresh(size_t tree, const std::string& whole) const {
  auto fresh = fresh_.find(whole);
  if (fresh == fresh_.end()) return false;
  auto parent = files::open_parent(trees_[tree], trees_[tree].relative(whole));
  std::string name(path::basename(whole));
  return parent && file::still_names(parent->get(), name, fresh->second.get());
}

Guards::Refreshed Guards::refresh(const Replaced& one) {
  auto parent = files::open_parent(trees_[one.tree], trees_[one.tree].relative(one.path));
  if (!parent && files::is_gone(parent.error())) return {};
  if (!parent) return {parent.error(), {}};
  if (git::ProtectedGitConfig* config = desk_.find(one.path))
    return refresh_config(one, parent->get(), *config);
  return refresh_file(one, parent->get());
}

// Who wrote it is not known.
Guards::Refreshed Guards::refresh_config(const Replaced& one, int parent,
                                         git::ProtectedGitConfig& config) {
  std::string name(path::basename(one.path));
  auto opened = file::open_beneath(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  auto text = opened ? git::read_wanted_config(opened->get()) : std::unexpected(opened.error());
  auto copy = opened ? read_copy(opened->get()) : std::unexpected(opened.error());
  if (!copy) return {copy.error(), {}};
  bool harmless = text && is_harmless_change(config, *text);
  constexpr const char* kWhy =
      "it was changed while the run could write it, and would run something";
  copy->text = harmless ? *text : config.last_text();
  Refreshed done = harmless ? put_fresh(one, parent, *copy) : put_back(one, parent, *copy, kWhy);
  if (done.trouble) return done;
  // A host program may have put the next one there already, which is told of.
  auto now = file::open_beneath(parent, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (!now || !file::is_same(now->get(), fresh_[one.path].get())) return done;
  if (Status taken = config.replaced(std::move(*now)); !taken) done.trouble = taken.error();
  return done;
}

// What it says is the person's, unless somebody has touched it.
Guards::Refreshed Guards::refresh_file(const Replaced& one, int parent) {
  std::string name(path::basename(one.path));
  struct stat now;
  if (fstatat(parent, name.c_str(), &now, AT_SYMLINK_NOFOLLOW) < 0) return {};
  Fd file = open_file(parent, name);
  if (!file && !held_.has(one.path)) return {};  // a link or a folder, which its mount judges
  bool is_touched =
      one.is_touched || (file && now.st_nlink > 1) || (file && is_open_for_writing(file.get()));
  const FileCopy* last = held_.last(one.path, clock::monotonic());
  constexpr const char* kWhy = "it was saved outside, and changed while the run could write it";
  if (is_touched && last) return put_back(one, parent, *last, kWhy);
  if (is_touched) return {{}, culprit(one, one.path, kWhy)};
  if (!file) return {};
  auto copy = read_copy(file.get());
  if (!copy) return {copy.error(), {}};
  bool is_changed = last == nullptr || last->text != copy->text;
  Refreshed done = put_fresh(one, parent, *copy);
  done.is_changed = !done.trouble && is_changed;
  return done;
}

Guards::Refreshed Guards::put_fresh(const Replaced& one, int parent, const FileCopy& copy) {
  auto fresh = put_fresh_copy(parent, std::string(path::basename(one.path)), copy);
  if (!fresh) return {fresh.error(), {}};
  fresh_[one.path] = std::move(*fresh);
  held_.replace(one.path, copy);
  return {};
}

// What lay there is kept as if it had been planted.
Guards::Refreshed Guards::put_back(const Replaced& one, int parent, const FileCopy& copy,
                                   const char* why) {
  std::string name(path::basename(one.path));
  std::string aside = make_aside_name();
  bool is_aside = linkat(parent, name.c_str(), parent, aside.c_str(), 0) == 0;
  Refreshed done = put_fresh(one, parent, copy);
  if (is_aside) done.aside = culprit(one, path::join(path::parent(one.path), aside), why);
  return done;
}

Culprit Guards::culprit(const Replaced& one, const std::string& lies, const char* why) const {
  const files::WatchedTree& tree = trees_[one.tree];
  auto rule = names_.match(tree.relative(one.path), false);
  return {one.tree, tree.relative(lies), std::string(rule.value_or("files.protect")), why};
}

}  // namespace ringwall::broker
