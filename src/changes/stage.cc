#include "changes/stage.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "changes/exact_copy.h"

namespace ringwall::changes {
namespace {

class Staging {
 public:
  Staging(Workplace& place, const std::vector<Step>& steps) : place_(place), steps_(steps) {}

  Status order();
  Status make_all();
  std::vector<PlannedStep> take() &&;

 private:
  struct Draft {
    PlannedStep planned;
    const Step* step = nullptr;  // null: a passage
  };

  Status check(const Step& step) const;
  Status add_passages();
  Status make(size_t at);
  Status make_file(const Step& step, const std::string& name);
  Status make_folder(const Step& step, const std::string& name);
  Status make_alone(const Step& step, const std::string& name);
  Result<bool> share(const Step& step, const Source& source, const std::string& name);
  Result<bool> needs_carrier(const Step& step);
  Result<Attributes> wanted_attributes(const Step& step);
  Result<TreeFolders::Place> find_source(const Step& step);
  Status note_inode(size_t at);

  Workplace& place_;
  const std::vector<Step>& steps_;
  std::vector<Draft> drafts_;
  std::map<const Step*, size_t> places_;  // in the drafts
  std::map<int, TreeFolders> sources_;
};

Status Staging::check(const Step& step) const {
  if (!is_plain_path(step.path)) return fail(text::quote(step.path) + " is no path of a tree");
  if (step.wanted == EntryType::other)
    return fail(text::quote(step.path) + ": only files, folders, links and fifos are put in place");
  if (step.same_file_as && *step.same_file_as >= steps_.size())
    return fail(text::quote(step.path) + " is another name of nothing");
  return {};
}

Status Staging::order() {
  for (const Step& step : steps_) {
    TRY(check(step));
    uint32_t mode = harmless_mode(step.wanted, step.mode);
    // What a folder has of its group's and others' rights is the person's; the layer only shows it.
    bool stays = step.wanted == EntryType::folder && step.expected.type == EntryType::folder;
    if (stays) mode |= step.expected.mode & 06000;
    drafts_.push_back(
        {{step.path, step.wanted, mode, step.modified, false, 0, step.expected}, &step});
  }
  auto by_path = [](const Draft& a, const Draft& b) { return a.planned.path < b.planned.path; };
  auto same_path = [](const Draft& a, const Draft& b) { return a.planned.path == b.planned.path; };
  std::ranges::sort(drafts_, by_path);
  auto twice = std::ranges::adjacent_find(drafts_, same_path);
  if (twice != drafts_.end()) return fail(text::quote(twice->planned.path) + " is there twice");
  TRY(add_passages());
  std::ranges::sort(drafts_, by_path);
  for (size_t at = 0; at < drafts_.size(); at++)
    if (drafts_[at].step != nullptr) places_[drafts_[at].step] = at;
  return {};
}

// Folders in which something changes but which are closed to their owner.
Status Staging::add_passages() {
  if (geteuid() == 0) return {};
  std::vector<Draft> passages;
  std::string last;
  for (const Draft& draft : drafts_) {
    size_t slash = draft.planned.path.rfind('/');
    if (slash == std::string::npos) continue;
    std::string parent = draft.planned.path.substr(0, slash);
    if (parent == last) continue;
    last = parent;
    auto found = place_.folders().find(draft.planned.path);
    struct stat seen;
    // One that is not there yet, or not to be opened: the commit sees to that.
    if (!found || fstat(found->folder, &seen) < 0) continue;
    if (seen.st_uid != geteuid() || (seen.st_mode & 0300) == 0300) continue;
    auto has_path = [&](const Draft& each) { return each.planned.path == parent; };
    if (std::ranges::any_of(drafts_, has_path) || std::ranges::any_of(passages, has_path)) continue;
    EntryFacts facts = facts_of(seen);
    passages.push_back({{parent, EntryType::folder, facts.mode, 0, true, 0, facts}, nullptr});
  }
  std::ranges::move(passages, std::back_inserter(drafts_));
  return {};
}

Status Staging::make_all() {
  for (size_t at = 0; at < drafts_.size(); at++) {
    const Step* step = drafts_[at].step;
    if (step == nullptr || step->same_file_as) continue;
    auto made = make(at);
    if (!made) {
      made.error().what += " (" + text::quote(step->path) + ")";
      return made;
    }
  }
  for (size_t at = 0; at < drafts_.size(); at++) {
    const Step* step = drafts_[at].step;
    if (step == nullptr || !step->same_file_as) continue;
    const Step& first = steps_[*step->same_file_as];
    if (first.same_file_as || first.wanted != EntryType::file || step->wanted != EntryType::file)
      return fail(text::quote(step->path) + " is another name of no file");
    TRY(place_.reach("link staged"));
    if (linkat(place_.staging(), std::to_string(places_[&first]).c_str(), place_.staging(),
               std::to_string(at).c_str(), 0) < 0)
      return fail_errno("cannot make another name of a file");
    TRY(note_inode(at));
  }
  return {};
}

Status Staging::make(size_t at) {
  const Step& step = *drafts_[at].step;
  std::string name = std::to_string(at);
  if (step.wanted == EntryType::none) return {};
  if (drafts_[at].planned.stays_folder()) {
    TRY_ASSIGN(bool needed, needs_carrier(step));
    if (!needed) return {};
  }
  TRY(place_.reach("stage"));
  if (step.wanted == EntryType::folder)
    TRY(make_folder(step, name));
  else if (step.source_folder >= 0)
    TRY(make_file(step, name));
  else
    TRY(make_alone(step, name));
  return note_inode(at);
}

Status Staging::note_inode(size_t at) {
  TRY_ASSIGN(EntryFacts made, look_in(place_.staging(), std::to_string(at).c_str()));
  if (made.type != drafts_[at].planned.wanted || made.device != place_.top().device)
    return fail("what was made for " + text::quote(drafts_[at].planned.path) + " is not there");
  drafts_[at].planned.staged = made.inode;
  return {};
}

Result<TreeFolders::Place> Staging::find_source(const Step& step) {
  auto folders = sources_.try_emplace(step.source_folder, step.source_folder).first;
  return folders->second.find(step.source);
}

Result<Attributes> Staging::wanted_attributes(const Step& step) {
  if (step.attributes) return *step.attributes;
  if (step.source_folder < 0) return Attributes{};
  TRY_ASSIGN(TreeFolders::Place found, find_source(step));
  TRY_ASSIGN(Fd entry, file::open_beneath(found.folder, found.name, O_PATH | O_NOFOLLOW));
  return read_attributes(entry.get());
}

// A folder that stays where it is gets attributes from one that only carries them.
Result<bool> Staging::needs_carrier(const Step& step) {
  if (!step.attributes && step.source_folder < 0) return false;
  TRY_ASSIGN(Attributes wanted, wanted_attributes(step));
  auto found = place_.folders().find(step.path);
  if (!found) return false;
  auto entry = file::open_beneath(found->folder, found->name, O_PATH | O_NOFOLLOW);
  auto there = entry ? read_attributes(entry->get()) : std::unexpected(entry.error());
  return !there || *there != wanted;
}

Status Staging::make_folder(const Step& step, const std::string& name) {
  if (mkdirat(place_.staging(), name.c_str(), 0700) < 0) return fail_errno("cannot make a folder");
  TRY_ASSIGN(Fd folder, file::open_beneath(place_.staging(), name, O_PATH | O_NOFOLLOW));
  TRY_ASSIGN(Attributes attributes, wanted_attributes(step));
  TRY(write_attributes(folder.get(), attributes));
  if (geteuid() != 0) return {};
  struct stat like;
  if (fstat(place_.tree(), &like) < 0 ||
      chown(path_of(folder.get()).c_str(), like.st_uid, like.st_gid) < 0)
    return fail_errno("cannot set an owner");
  return {};
}

// Links and fifos, of which everything is said.
Status Staging::make_alone(const Step& step, const std::string& name) {
  int folder = place_.staging();
  if (step.wanted == EntryType::link) {
    if (symlinkat(step.target.c_str(), folder, name.c_str()) < 0)
      return fail_errno("cannot make a link");
  } else if (step.wanted == EntryType::fifo) {
    if (mkfifoat(folder, name.c_str(), 0600) < 0 ||
        fchmodat(folder, name.c_str(), harmless_mode(step.wanted, step.mode), 0) < 0)
      return fail_errno("cannot make a fifo");
  } else {
    return fail("a file has no source");
  }
  return set_modified_at(folder, name, step.modified);
}

Status Staging::make_file(const Step& step, const std::string& name) {
  TRY_ASSIGN(TreeFolders::Place found, find_source(step));
  Source source{found.folder, found.name};
  TRY_ASSIGN(EntryFacts facts, look_in(source.folder, source.name));
  if (facts.type != step.wanted) return fail("its source is not what it was");
  if (step.may_share && step.wanted == EntryType::file) {
    TRY_ASSIGN(bool is_shared, share(step, source, name));
    if (is_shared) return {};
  }
  CopyFacts wanted{step.mode, step.modified, step.attributes ? &*step.attributes : nullptr};
  return copy_entry(source, step.wanted, place_.staging(), name, wanted);
}

// True if the source's own inode waits in its place now. Not of one with other names, which would
// change with the tree's, nor of one with capabilities or an owner that we cannot set right.
Result<bool> Staging::share(const Step& step, const Source& source, const std::string& name) {
  TRY_ASSIGN(Fd entry, file::open_beneath(source.folder, source.name, O_PATH | O_NOFOLLOW));
  struct stat seen;
  if (fstat(entry.get(), &seen) < 0) return fail_errno("cannot look at a file");
  if (!S_ISREG(seen.st_mode) || seen.st_nlink != 1) return false;
  if (seen.st_uid != geteuid() && geteuid() != 0) return false;
  auto is_clean = clean_attributes(entry.get());
  if (!is_clean || !*is_clean) return false;
  uint32_t mode = harmless_mode(EntryType::file, step.mode);
  if ((seen.st_mode & 07777) != mode) TRY(set_mode(entry.get(), mode));
  if (step.attributes && !write_attributes(entry.get(), *step.attributes)) return false;
  if (facts_of(seen).modified != step.modified) TRY(set_modified(entry.get(), step.modified));
  if (linkat(AT_FDCWD, path_of(entry.get()).c_str(), place_.staging(), name.c_str(),
             AT_SYMLINK_FOLLOW) == 0)
    return true;
  // Another mount, or a kernel that does not like names of such files: there is the copy.
  if (errno == EXDEV || errno == EPERM || errno == EMLINK || errno == EOPNOTSUPP) return false;
  return fail_errno("cannot make another name of a file");
}

std::vector<PlannedStep> Staging::take() && {
  std::vector<PlannedStep> planned;
  for (Draft& draft : drafts_)
    planned.push_back(std::move(draft.planned));
  return planned;
}

}  // namespace

Result<Plan> stage(Workplace& place, const std::vector<Step>& steps,
                   const TransactionOptions& options) {
  Staging staging(place, steps);
  TRY(staging.order());
  TRY(staging.make_all());
  return Plan{place.top().device,           place.top().inode,
              place.staging_name(),         options.keeps_replaced,
              options.leaves_out_conflicts, std::move(staging).take()};
}

}  // namespace ringwall::changes
