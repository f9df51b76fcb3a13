#include "files/folder_judge.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/walk_path.h"

namespace ringwall::files {
namespace {

// The part of `path` that begins `levels` components above its last one.
std::string_view last_levels(std::string_view path, unsigned levels) {
  size_t at = path.size();
  for (unsigned i = 0; i <= levels && at != std::string_view::npos; i++)
    at = at == 0 ? std::string_view::npos : path.rfind('/', at - 1);
  return at == std::string_view::npos ? path : path.substr(at + 1);
}

unsigned level_of(uint16_t where) { return static_cast<unsigned>(where >> place::kLevelShift); }

}  // namespace

std::string_view FolderJudge::name_of(const Seen& seen) const {
  return index_.text_at(seen.name).substr(0, seen.name_length);
}

uint32_t FolderJudge::reason(std::string_view text) {
  auto [at, is_new] = reasons_.try_emplace(std::string(text), 0);
  if (is_new) at->second = index_.add_text(text);
  return at->second;
}

void FolderJudge::note_layout(const FolderReader::Entry& entry) {
  bool is_folder = entry.type == DT_DIR;
  if (entry.name == "HEAD") layout_.head = !is_folder;
  if (entry.name == "objects") layout_.objects = is_folder || entry.type == DT_LNK;
  if (entry.name == "refs") layout_.refs = is_folder || entry.type == DT_LNK;
  if (entry.name == "commondir") layout_.commondir = !is_folder;
  if (entry.name == "config") layout_.config = !is_folder;
}

Status FolderJudge::collect(int dir, const std::string& path, uint16_t where) {
  seen_.clear();
  layout_ = {};
  entry_path_ = path;
  if (!entry_path_.empty()) entry_path_ += '/';
  const size_t prefix = entry_path_.size();
  const HiddenNames::Around around = hidden_.judge_folder(path);
  const bool in_packages = level_of(where) == 0 && lies_in_packages(entry_path_ + "x");
  return reader_.read(dir, [&](const FolderReader::Entry& entry) {
    if (entry.name.size() >= 4 && entry.name.size() <= 9) note_layout(entry);
    auto verdict = HiddenNames::Verdict::no;
    if (entry.type == DT_REG || entry.type == DT_LNK) {
      entry_path_.resize(prefix);
      entry_path_ += entry.name;
      verdict = hidden_.judge_name(entry_path_, around);
    }
    // A link has no content of its own; the file that it leads to is looked at under its own name.
    bool is_looked_at = verdict == HiddenNames::Verdict::look;
    if (entry.type == DT_LNK && is_looked_at) verdict = HiddenNames::Verdict::no;
    bool may_match = protected_.may_match(entry.name);
    bool is_special = entry.type == DT_DIR || entry.type == DT_SOCK ||
                      verdict != HiddenNames::Verdict::no || may_match ||
                      (entry.type == DT_REG && (where & place::kCovered) != 0) ||
                      (entry.type != DT_REG && !in_packages) || same_name(entry.name, ".git");
    if (!is_special) return;
    seen_.push_back({index_.add_text(entry.name), static_cast<uint16_t>(entry.name.size()),
                     entry.type, may_match, verdict});
  });
}

bool FolderJudge::is_git_folder(uint16_t where) const {
  if ((where & (place::kNamedGit | place::kWorktree)) != 0) return true;
  if ((where & place::kInModules) != 0 && (layout_.head || layout_.config)) return true;
  return is_git_layout(layout_.head, layout_.objects, layout_.refs, layout_.commondir);
}

std::optional<std::string_view> FolderJudge::find_protection(const Seen& seen,
                                                             std::string_view entry_path,
                                                             uint16_t where) const {
  bool is_folder = seen.type == DT_DIR;
  if (!seen.may_match || (where & place::kCovered) != 0) return std::nullopt;
  auto pattern = seen.type == DT_LNK ? protected_.match_link(entry_path)
                                     : protected_.match(entry_path, is_folder);
  if (pattern) return pattern;
  bool is_git = (where & place::kIsGit) != 0;
  if (!is_git && level_of(where) == 0) return std::nullopt;
  std::string_view relative = last_levels(entry_path, is_git ? 0 : level_of(where));
  const GitEntry* entry = protected_.match_in_git(relative, is_folder);
  if (entry == nullptr || entry->guard != Guard::mount || protected_.is_unprotected(entry_path))
    return std::nullopt;
  return entry->pattern;
}

void FolderJudge::remember_children(uint32_t folder) {
  known_children_.clear();
  const IndexedFolder& was = index_.folders[folder];
  for (uint32_t i = 0; i < was.children; i++) {
    uint32_t child = was.first_child + i;
    known_children_.emplace(index_.name_of(index_.folders[child]), child);
  }
}

void FolderJudge::add_child(const Seen& seen, std::string_view parent_name, uint16_t where,
                            bool covered) {
  std::string_view name = name_of(seen);
  bool parent_is_git = (where & place::kIsGit) != 0;
  unsigned level = parent_is_git ? 1 : level_of(where) == 0 ? 0 : level_of(where) + 1;
  if (level > place::kMostLevels) level = 0;
  uint16_t at = where & (place::kCovered | place::kGitObjects);
  if (covered) at |= place::kCovered;
  if (same_name(name, ".git")) at |= place::kNamedGit;
  if (parent_is_git && name == "objects") at |= place::kGitObjects;
  bool below_modules = level_of(where) == 1 && parent_name == "modules";
  if (below_modules || ((where & place::kInModules) != 0 && !parent_is_git))
    at |= place::kInModules;
  if (level_of(where) == 1 && parent_name == "worktrees") at |= place::kWorktree;
  at = static_cast<uint16_t>(at | level << place::kLevelShift);

  IndexedFolder child;
  auto known = known_children_.find(std::string(name));
  if (known != known_children_.end()) {
    child = index_.folders[known->second];
    known_children_.erase(known);
  }
  // The same entries mean something else elsewhere.
  if ((child.place & place::kFromAbove) != at) child.ctime = 0;
  child.place = static_cast<uint16_t>(at | (child.place & place::kIsGit));
  child.name = seen.name;
  child.name_length = seen.name_length;
  index_.folders.push_back(child);
}

Status FolderJudge::add_note(int dir, const Seen& seen, std::optional<std::string_view> protection,
                             uint16_t where, const Moment& moment) {
  Note note;
  note.name = seen.name;
  note.name_length = seen.name_length;
  note.type = seen.type;
  note.is_git = seen.type != DT_DIR && same_name(name_of(seen), ".git");
  note.is_looked_at = seen.verdict == HiddenNames::Verdict::look;
  if (protection) note.why_protected = reason(*protection);
  if (seen.type == DT_REG && (where & place::kCovered) != 0)
    note.why_protected = reason("lies in a protected folder");
  if (seen.verdict == HiddenNames::Verdict::hide)
    note.why_hidden = reason(hidden_.name_reason(entry_path_));
  bool in_git = (where & place::kIsGit) != 0 || level_of(where) > 0;
  bool is_odd = seen.type != DT_REG && seen.type != DT_DIR && seen.type != DT_UNKNOWN;
  note.leads_away = (where & place::kCovered) == 0 && (seen.type == DT_LNK || (is_odd && in_git));
  bool is_wanted = note.leads_away != 0 || note.why_protected != 0 || note.is_git != 0 ||
                   note.is_looked_at != 0 || note.why_hidden != 0 || seen.type == DT_SOCK;
  if (!is_wanted) return {};
  note.watched = seen.type == DT_REG;
  if (note.watched == 0 || examine(dir, note, moment))
    index_.notes.push_back(note);
  else if (errno == EACCES)
    return fail_errno("cannot look at a file");
  return {};
}

Status FolderJudge::judge(int dir, uint32_t folder, const std::string& path, const Moment& moment) {
  uint16_t where = index_.folders[folder].place & place::kFromAbove;
  TRY(collect(dir, path, where));
  if (is_git_folder(where)) where |= place::kIsGit;
  remember_children(folder);
  auto first_child = static_cast<uint32_t>(index_.folders.size());
  auto first_note = static_cast<uint32_t>(index_.notes.size());
  std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  for (const Seen& seen : seen_) {
    entry_path_ = path;
    if (!entry_path_.empty()) entry_path_ += '/';
    entry_path_ += name_of(seen);
    auto protection = find_protection(seen, entry_path_, where);
    if (seen.type == DT_DIR) add_child(seen, name, where, protection.has_value());
    TRY(add_note(dir, seen, protection, where, moment));
  }
  lost_folders = !known_children_.empty();
  IndexedFolder& record = index_.folders[folder];
  record.place = where;
  record.first_child = first_child;
  record.children = static_cast<uint32_t>(index_.folders.size()) - first_child;
  record.first_note = first_note;
  record.notes = static_cast<uint32_t>(index_.notes.size()) - first_note;
  return {};
}

std::optional<std::string_view> FolderJudge::look_into(int fd) {
  looked_at++;
  content_.resize(kMostLookedAt);
  size_t got = 0;
  while (got < kMostLookedAt) {
    ssize_t count = ::read(fd, content_.data() + got, kMostLookedAt - got);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return "cannot be read";
    if (count == 0) break;
    got += static_cast<size_t>(count);
  }
  return hidden_.judge_content(entry_path_, std::string_view(content_).substr(0, got));
}

bool FolderJudge::examine(int dir, Note& note, const Moment& moment) {
  std::string name(index_.name_of(note));
  Mark mark;
  if (!read_mark_at(dir, name, mark)) return false;
  auto is_no_file = [&] { return !S_ISREG(mark.mode) && (errno = ENOENT) != 0; };
  if (is_no_file()) return false;
  if (note.is_looked_at != 0) {
    Fd file = open_file_at(dir, name);
    if (!file && errno != EACCES && errno != EPERM) return false;
    if (file && (!read_mark(file.get(), mark) || is_no_file())) return false;
    std::optional<std::string_view> why;
    if (file) why = look_into(file.get());
    // What is our own and closed could be opened up inside.
    if (!file && mark.owner == geteuid()) why = "cannot be read";
    note.why_hidden = why ? reason(*why) : 0;
  }
  note.inode = mark.inode;
  note.ctime = moment.is_settled(mark.ctime) ? mark.ctime : 0;
  note.links = mark.links;
  return true;
}

}  // namespace ringwall::files
