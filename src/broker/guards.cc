#include "broker/guards.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/file.h"
#include "base/path.h"
#include "broker/fresh_copy.h"
#include "broker/quarantine_item.h"

namespace ringwall::broker {
namespace {

bool is_harmless_change(const git::ProtectedGitConfig& config, const std::string& after) {
  auto now = git::parse_git_config(after);
  return now && !config.judge(*now);
}

// Else it is a link, a folder or nothing, which the mount that comes over it judges.
bool is_file(int parent, const std::string& name) {
  struct stat facts;
  return fstatat(parent, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(facts.st_mode);
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

void Guards::note(const Appeared& one) {
  if (one.how == Appeared::How::written) return;
  std::string whole = trees_[one.tree].whole(one.path);
  // What comes later to a place where something kept was taken away is a plant, whoever brings it.
  note_in(kept_, replaced_kept_, one, whole, one.how == Appeared::How::went);
  note_in(hidden_, replaced_hidden_, one, whole, false);
}

// It, or what lies in it.
void Guards::note_in(std::set<std::string>& guarded, Noted& noted, const Appeared& one,
                     const std::string& whole, bool forgets) {
  for (auto at = guarded.lower_bound(whole); at != guarded.end() && path::is_beneath(*at, whole);) {
    if (one.how == Appeared::How::came) noted.insert({*at, one.tree});
    at = forgets ? guarded.erase(at) : std::next(at);
  }
}

// Our own fresh copies are told of as well.
bool Guards::has_replaced_kept() {
  std::erase_if(replaced_kept_, [&](const auto& one) {
    auto fresh = fresh_.find(one.first);
    return fresh != fresh_.end() && inode_of(one.second, one.first) == fresh->second;
  });
  return !replaced_kept_.empty();
}

std::vector<Guards::Replaced> Guards::take(Noted& noted, const std::set<std::string>& guarded,
                                           bool hidden) {
  std::vector<Replaced> all;
  for (const auto& [whole, tree] : std::exchange(noted, {})) {
    if (guarded.contains(whole)) all.push_back({whole, tree, hidden});
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

std::optional<ino_t> Guards::inode_of(size_t tree, const std::string& whole) const {
  auto parent = files::open_parent(trees_[tree], trees_[tree].relative(whole));
  std::string name(path::basename(whole));
  struct stat facts;
  if (!parent || fstatat(parent->get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0)
    return std::nullopt;
  return facts.st_ino;
}

Guards::Refreshed Guards::refresh(const Replaced& one) {
  auto parent = files::open_parent(trees_[one.tree], trees_[one.tree].relative(one.path));
  if (!parent && files::is_gone(parent.error())) return {};
  if (!parent) return {parent.error(), {}};
  if (git::ProtectedGitConfig* config = desk_.find(one.path))
    return refresh_config(one, parent->get(), *config);
  std::string name(path::basename(one.path));
  auto fresh = put_fresh_copy(parent->get(), name);
  if (fresh) fresh_[one.path] = *fresh;
  if (!fresh && is_file(parent->get(), name)) return {fresh.error(), {}};
  return {};
}

// Who wrote it is not known.
Guards::Refreshed Guards::refresh_config(const Replaced& one, int parent,
                                         git::ProtectedGitConfig& config) {
  std::string name(path::basename(one.path));
  auto opened = file::open_beneath(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  auto text = opened ? git::read_wanted_config(opened->get()) : std::unexpected(opened.error());
  bool harmless = text && is_harmless_change(config, *text);
  std::string aside = make_aside_name();
  // The changed one is kept as if it had been planted.
  bool is_aside = !harmless && linkat(parent, name.c_str(), parent, aside.c_str(), 0) == 0;
  auto fresh = put_fresh_copy(parent, name, harmless ? &*text : &config.last_text());
  Refreshed done;
  if (is_aside) {
    std::string at = trees_[one.tree].relative(path::join(path::parent(one.path), aside));
    done.aside = Culprit{one.tree, at, "GIT/config",
                         "it was changed while the run could write it, and would run something"};
  }
  if (!fresh) {
    done.trouble = fresh.error();
    return done;
  }
  fresh_[one.path] = *fresh;
  // A host program may have put the next one there already, which is told of.
  auto now = file::open_beneath(parent, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  struct stat facts;
  if (!now || fstat(now->get(), &facts) < 0 || facts.st_ino != *fresh) return done;
  if (Status taken = config.replaced(std::move(*now)); !taken) done.trouble = taken.error();
  return done;
}

}  // namespace ringwall::broker
