// Makes the updates of a protected git config that were asked for inside and are harmless, from
// outside and in place: the file stays the one that is mounted inside.
//
// A reader beside us sees the old config or the new one: the new text goes in by one write, padded
// with newlines to the length of the old one, and the rest is cut off after it. A crash of the
// machine in that moment could leave a mixture; a journal with both texts, safe on the disk before
// the write, lets the next start mend it.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "git/config_judge.h"
#include "git/run_remotes.h"

namespace ringwall::git {

// What is written over a text of `old_length` bytes in one go.
std::string padded(std::string_view text, size_t old_length);

// Both texts of an update that is under way, and the config's path.
struct UpdateJournal {
  std::string path, before, after;
};
std::string encode_journal(const UpdateJournal& journal);
Result<UpdateJournal> decode_journal(std::string_view bytes);

// What a config that holds `now` has to hold after an update was cut short, or nothing if it is
// whole: the old one, the new one, or changed by someone since.
std::optional<std::string> mended(const UpdateJournal& journal, std::string_view now);

// The bytes of an ordinary file of bounded length, read once. `fd` is not trusted.
Result<std::string> read_wanted_config(int fd);

// Where the journal of one config lies: a folder of ours that nobody inside sees.
struct JournalPlace {
  int folder = -1;
  std::string name;
};

// On the disk, whole, before its name means anything.
Status keep_bytes(const JournalPlace& place, std::string_view bytes);

class ProtectedGitConfig {
 public:
  struct Refusal {
    int err;           // what the rename inside gives
    std::string text;  // for the person; empty if there is nothing to say
  };

  // `config` is open for reading and writing. A config that we cannot read as git does is kept all
  // the same, and every update of it refused.
  static Result<ProtectedGitConfig> open(Fd config, std::string path, JournalPlace journal,
                                         GitScene scene = {}, RunRemotes remotes = {});

  const std::string& path() const { return path_; }
  // What the file holds unless someone outside has changed it.
  const std::string& last_text() const { return last_.text; }

  // The addresses that have come in, for the person to hear of.
  std::expected<std::vector<AddedRemote>, Refusal> update(std::string_view wanted);

  // Could it have been asked for inside? Why not, else.
  std::optional<GitRefusal> judge(const GitConfig& wanted) const;

  // Every way that git takes to the local addresses in it.
  std::vector<std::string> local_ways() const;
  // The person has a remote there; or, asked of a submodule, the address is listed as one's.
  bool knows(std::string_view address, bool of_submodule) const;

  // Branches of the start that are another name of some ref now.
  std::vector<OtherName> other_names() const;
  std::vector<std::string> replacements() const;  // since the start

  // The host has put another file there, or has changed it, and it was vetted: from now on it is
  // what the person wants.
  Status replaced(Fd config);

  // Everything is on the disk, and the journal is not needed any more.
  void finish();

 private:
  ProtectedGitConfig(std::string path, JournalPlace journal, GitScene scene, RunRemotes remotes)
      : path_(std::move(path)),
        journal_(std::move(journal)),
        scene_(std::move(scene)),
        remotes_(std::move(remotes)) {}
  Status take(Fd config);
  Refusal refuse(int err, std::string_view why) const;
  std::optional<Refusal> find_hindrance() const;
  Status note_remotes(const GitConfig& config);
  Status write(const std::string& text);

  std::string path_;
  JournalPlace journal_;
  Fd config_;
  std::string unreadable_;  // why; empty: it was understood
  GitConfig person_, last_;
  GitScene scene_;
  RunRemotes remotes_;
  RemoteNames persons_remotes_;  // at the start
  bool has_journal_ = false;
};

// Of a config at its path, through no link in its last step.
Result<GitConfig> read_git_config(const std::string& path);

// Mends what the journal `place` tells of, and removes it. Does nothing if there is none.
Status mend_from_journal(const JournalPlace& place);

// At a start: the same for every journal in the folder that no run goes on to write. The name of a
// journal is that of its run, a dot, and what tells configs apart.
Status mend_from_journals(int folder, const std::function<bool(std::string_view run)>& goes_on);

}  // namespace ringwall::git
