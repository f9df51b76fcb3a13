#include "install/apply.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "base/path.h"
#include "base/readable_json.h"
#include "base/shell_word.h"
#include "base/strict_json.h"
#include "base/text.h"
#include "install/divert.h"
#include "install/kept_numbers.h"
#include "install/marked_lines.h"

namespace ringwall::install {
namespace {

constexpr size_t kMostBytes = 8u << 20;

// The program keeps its inode: whoever runs it goes on.
Status move_away(const Change& change, const Manifest& manifest) {
  const Change* earlier = manifest.find(change.path);
  bool is_ours = earlier != nullptr && earlier->moved_to == change.moved_to;
  struct stat facts;
  if (!is_ours && lstat(change.moved_to.c_str(), &facts) == 0)
    return fail(text::quote(change.moved_to) + " is there already, and may be somebody's only copy",
                "look at it, and move it away");
  if (change.diverted) return divert(change.path, change.moved_to);
  unsigned int flags = is_ours ? 0 : RENAME_NOREPLACE;
  if (renameat2(AT_FDCWD, change.path.c_str(), AT_FDCWD, change.moved_to.c_str(), flags) < 0)
    return fail_errno("cannot move " + text::quote(change.path) + " to " +
                      text::quote(change.moved_to));
  return {};
}

void note_change(Manifest& manifest, const Change& change) {
  auto earlier = std::ranges::find(manifest.changes, change.path, &Change::path);
  if (earlier == manifest.changes.end())
    manifest.changes.push_back(change);
  else
    *earlier = change;
}

// A change that was made, and what lay there just before.
struct Made {
  Change change;
  FileState was;
  bool moved = false;
};

// What is replaced must be known whole, or it could not be put back.
Status check_replaced(const Made& made) {
  const FileState& was = made.was;
  if (was.is_absent() || was.is_link() || (was.is_file() && was.whole)) return {};
  return fail(text::quote(made.change.path) +
                  (was.is_file() ? " is too large to be kept" : " is neither a file nor a link"),
              "it was changed after it was looked at: install again");
}

Status make(const Scope& scope, const Manifest& manifest, Made& made) {
  Change& change = made.change;
  for (const std::string& path : {change.path, change.moved_to}) {
    if (path.empty()) continue;
    TRY_ASSIGN(auto folders, make_folders(path::parent(path), scope.system ? 0755 : 0700));
    change.folders.insert(change.folders.end(), folders.begin(), folders.end());
  }
  // One that starts another ringwall has its program elsewhere already.
  bool is_shim = made.was.is_file() && made.was.whole && read_shim(made.was.content).has_value();
  if (!change.moved_to.empty() && !is_shim) {
    TRY(move_away(change, manifest));
    made.moved = true;
  } else {
    TRY(check_replaced(made));
  }
  return put(change.path, change.after);
}

Status put_back(const Made& made) {
  const Change& change = made.change;
  if (made.moved && change.diverted) {
    TRY(put(change.path, FileState{}));
    return end_diversion(change.path);
  }
  if (!made.moved) {
    // What failed may have changed nothing, and in a folder where nothing can be changed.
    auto now = look_at(change.path, kMostBytes);
    bool is_as_before = now && same_content(*now, made.was);
    // What could not be kept was not replaced.
    return is_as_before || !check_replaced(made) ? Status() : put(change.path, made.was);
  }
  if (rename(change.moved_to.c_str(), change.path.c_str()) < 0)
    return fail_errno("cannot move " + text::quote(change.moved_to) + " back");
  return {};
}

// A command for a shell that does what could not be done here. The content of a file is put beside
// the manifest for it.
std::string command_to_put_back(const Scope& scope, const Made& made) {
  std::string path = text::shell_word(made.change.path);
  if (made.moved && made.change.diverted)
    return "rm -f -- " + path + " && dpkg-divert --rename --remove " + path;
  if (made.moved) return "mv -fT -- " + text::shell_word(made.change.moved_to) + " " + path;
  if (made.was.is_absent()) return "rm -f -- " + path;
  if (made.was.is_link()) return "ln -sfn -- " + text::shell_word(made.was.content) + " " + path;
  std::string copy = path::join(scope.folder, "not-put-back" + made.change.path);
  auto folder = make_folders(path::parent(copy), 0700);
  if (!folder || !put(copy, made.was)) return "ringwall uninstall";
  return "cp -pf -- " + text::shell_word(copy) + " " + path;
}

// Undoes what was made, last things first; what is given back could not be undone.
std::vector<Change> unmake(const Scope& scope, const std::vector<Made>& all, Error& failed) {
  std::vector<Change> left;
  for (auto made = all.rbegin(); made != all.rend(); ++made) {
    if (Status done = put_back(*made); !done) {
      failed.hint += (failed.hint.empty() ? "" : "\n") + text::quote(made->change.path) +
                     " was not put back: " + done.error().text() +
                     "; by hand: " + command_to_put_back(scope, *made);
      left.insert(left.begin(), made->change);
      continue;
    }
    const std::vector<std::string>& folders = made->change.folders;
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder)
      rmdir(folder->c_str());
  }
  return left;
}

// The manifest goes on saying what is still changed, so that uninstalling can put it back.
Error give_up(const Scope& scope, const std::vector<Made>& all, Manifest& manifest, Error failed) {
  for (const Change& change : unmake(scope, all, failed))
    note_change(manifest, change);
  if (Status written = write_manifest(scope, manifest); !written)
    failed.hint += (failed.hint.empty() ? "" : "\n") +
                   ("what was installed could not be noted: " + written.error().text());
  return failed;
}

// What the person's file is without ours.
Result<FileState> without_ours(const Change& change, FileState now) {
  if (change.kind == Change::Kind::lines) {
    now.content = without_marked_lines(now.content);
  } else {
    auto settings = strict_json::parse_object(text::trim(now.content));
    if (!settings)
      return fail(text::quote(change.path) + " cannot be read: " + settings.error().text(),
                  "mend it, and uninstall again");
    boost::json::object left = take_out(*settings, change.edits);
    if (left == *settings) return now;
    if (std::string number = number_that_would_change(text::trim(now.content), *settings);
        !number.empty())
      return fail(text::quote(change.path) +
                      " has a number that could not be kept as it is: " + text::quote(number),
                  "write it in plain digits, and uninstall again");
    if (left.empty() && change.before.is_absent()) return FileState{};
    now.content = readable_json(left) + "\n";
  }
  now.changed = 0;
  if (now.content.empty() && change.before.is_absent()) return FileState{};
  return now;
}

Status restore_program(const Change& change) {
  if (change.moved_to.empty()) return put(change.path, change.before);
  if (change.diverted) {
    TRY(put(change.path, FileState{}));
    return end_diversion(change.path);
  }
  if (rename(change.moved_to.c_str(), change.path.c_str()) < 0)
    return fail_errno("cannot move " + text::quote(change.moved_to) + " back");
  return {};
}

// A program that an update has put there stays: it is newer than what was found once.
Status undo_shim(const Change& change, const FileState& now, Undone& undone) {
  bool is_shim = now.is_file() && now.whole && read_shim(now.content).has_value();
  bool is_kept = !change.moved_to.empty() && file::exists(change.moved_to);
  if (is_shim || (now.is_absent() && is_kept)) {
    TRY(restore_program(change));
    undone.restored.push_back(change.path);
    return {};
  }
  if (now.is_absent() && change.before.is_absent()) return {};
  undone.notes.push_back(text::quote(change.path) +
                         (now.is_absent() ? " was removed since; it stays so"
                                          : " was replaced since, as by an update; that stays"));
  if (change.diverted)
    undone.notes.push_back("dpkg still puts the package's own at " + text::quote(change.moved_to) +
                           "; dpkg-divert --remove ends that");
  else if (is_kept && unlink(change.moved_to.c_str()) < 0)
    return fail_errno("cannot remove " + text::quote(change.moved_to));
  return {};
}

Status undo_text(const Change& change, const FileState& now, Undone& undone) {
  FileState wanted = change.before;
  if (!same_content(now, change.after)) {
    if (!now.is_file() || !now.whole) {
      if (now.is_absent() && change.before.is_absent()) return {};
      undone.notes.push_back(text::quote(change.path) +
                             (now.is_absent() ? " was removed since; it stays so"
                                              : " is no plain file any more; it stays"));
      return {};
    }
    TRY_ASSIGN(wanted, without_ours(change, now));
    if (change.kind == Change::Kind::lines && has_open_mark(wanted.content))
      undone.notes.push_back(text::quote(change.path) +
                             " has lost a mark: remove by hand what \"ringwall install\" begins");
    if (same_content(now, wanted)) return {};
    undone.notes.push_back(text::quote(change.path) +
                           " was changed since: only what Ringwall put there was taken out");
  }
  TRY(put(change.path, wanted));
  undone.restored.push_back(change.path);
  return {};
}

Status undo_one(const Change& change, Undone& undone) {
  remove_leftovers(change.path);
  TRY_ASSIGN(FileState now,
             look_at(change.path, change.kind == Change::Kind::shim ? kMostShimBytes : kMostBytes));
  // Of a change that was never made.
  bool is_as_before = change.kind == Change::Kind::shim
                          ? now.is_link() && same_content(now, change.before)
                          : same_content(now, change.before);
  if (!is_as_before) {
    TRY(change.kind == Change::Kind::shim ? undo_shim(change, now, undone)
                                          : undo_text(change, now, undone));
  }
  return {};
}

// What would stop it midway is found before anything is changed.
Status check_undo(const Change& change) {
  if (change.kind != Change::Kind::settings) return {};
  TRY_ASSIGN(FileState now, look_at(change.path, kMostBytes));
  bool is_untouched = same_content(now, change.after) || same_content(now, change.before);
  if (is_untouched || !now.is_file() || !now.whole) return {};
  TRY(without_ours(change, now));
  return {};
}

// Those that hold something else by now stay, and are given back.
std::vector<std::string> remove_folders(const Change& change) {
  std::vector<std::string> left;
  for (auto folder = change.folders.rbegin(); folder != change.folders.rend(); ++folder) {
    if (rmdir(folder->c_str()) < 0 && errno != ENOENT) left.insert(left.begin(), *folder);
  }
  return left;
}

// A program of an older version, which the update would have overwritten.
void drop_older_program(const Manifest& manifest, const Change& change) {
  const Change* earlier = manifest.find(change.path);
  if (earlier == nullptr || earlier->moved_to.empty() || earlier->diverted) return;
  if (earlier->moved_to != change.moved_to) unlink(earlier->moved_to.c_str());
}

}  // namespace

Status apply(const Scope& scope, const Plan& plan, Manifest& manifest) {
  Manifest after = manifest;
  after.program = scope.program;
  for (const Change& change : plan.changes)
    note_change(after, change);
  TRY(write_manifest(scope, after));
  std::vector<Made> all;
  for (const Change& change : plan.changes) {
    auto was = look_at(change.path, kMostBytes);
    Status done = was ? Status{} : std::unexpected(was.error());
    if (done) {
      all.push_back({change, std::move(*was)});
      done = make(scope, manifest, all.back());
    }
    if (!done) return std::unexpected(give_up(scope, all, manifest, done.error()));
    note_change(after, all.back().change);
  }
  for (const Made& made : all)
    drop_older_program(manifest, made.change);
  manifest = std::move(after);
  return write_manifest(scope, manifest);
}

Result<Undone> undo(const Scope& scope, Manifest& manifest, const std::string& agent) {
  Undone undone;
  std::vector<Change> left;
  auto is_wanted = [&](const Change& change) { return agent.empty() || change.agent == agent; };
  // What serves all agents goes with the last.
  bool is_last = std::ranges::all_of(manifest.changes, [&](const Change& change) {
    return is_wanted(change) || change.agent.empty();
  });
  auto stays = [&](const Change& change) {
    return !is_wanted(change) && !(is_last && change.agent.empty());
  };
  for (const Change& change : manifest.changes) {
    if (!stays(change)) TRY(check_undo(change));
  }
  std::optional<Error> failed;
  std::vector<std::string> folders;  // that others still use
  for (auto change = manifest.changes.rbegin(); change != manifest.changes.rend(); ++change) {
    if (!stays(*change)) {
      Status done = undo_one(*change, undone);
      if (done) {
        for (std::string& folder : remove_folders(*change))
          folders.push_back(std::move(folder));
        continue;
      }
      if (!failed) failed = done.error();
    }
    left.insert(left.begin(), *change);
  }
  if (!left.empty())
    left.front().folders.insert(left.front().folders.end(), folders.begin(), folders.end());
  manifest.changes = std::move(left);
  TRY(write_manifest(scope, manifest));
  if (failed) return std::unexpected(*failed);
  if (manifest.changes.empty()) rmdir(scope.folder.c_str());
  return undone;
}

}  // namespace ringwall::install
