// The paths that mounts guard inside, and what becomes of them while the host works on the same
// tree.
//
// A host program that puts another file in the place of a guarded one takes the mount with it. In
// the moment until it is covered again, the inside can open the new one. So it becomes an inode
// that nobody has open, with the same content. A config of git that could now run something goes
// back to what it was, and so does any other file that somebody has touched in that moment: which
// part of it is the person's cannot be told.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "broker/held_files.h"
#include "broker/tree_watch.h"
#include "broker/vet.h"
#include "files/protected.h"
#include "git/config_desk.h"

namespace ringwall::broker {

// By itself, or with a folder above it.
bool is_guarded_by(const std::set<std::string>& kept, const files::WatchedTree& tree,
                   const std::string& relative);

class Guards {
 public:
  // `kept` and `hidden` are absolute: what may not be changed, and what may not be read.
  Guards(const std::vector<files::WatchedTree>& trees, const files::ProtectedNames& names,
         std::set<std::string> kept, std::set<std::string> hidden, git::GitConfigDesk& desk)
      : trees_(trees),
        names_(names),
        kept_(std::move(kept)),
        hidden_(std::move(hidden)),
        desk_(desk),
        held_(HeldFiles::of(trees_, kept_)) {}

  bool is_kept(size_t tree, const std::string& relative) const {
    return is_guarded_by(kept_, trees_[tree], relative);
  }

  std::vector<Culprit> without_kept(std::vector<Culprit> culprits) const;

  // What has to be heard of this folder for us, or else what another wants to hear.
  Departures departures_from(size_t tree, const std::string& relative, Departures other) const;

  // Nobody inside can move a guarded path: whoever did is outside. What comes after that can be of
  // both, unless everything inside stands. True: something is kept no more, so that what lies there
  // by now is a plant.
  bool note(const Appeared& one, bool by_host);

  struct Replaced {
    std::string path;  // absolute
    size_t tree = 0;
    bool hidden = false;
    bool is_touched = false;  // once more, or written to, before everything stood
  };
  // What has to be covered again. Hidden ones at once, since what was read is read; kept ones while
  // everything inside stands.
  std::vector<Replaced> take_replaced_hidden();
  std::vector<Replaced> take_replaced_kept();
  bool has_replaced_kept();
  bool has_replaced_hidden() const { return !replaced_hidden_.empty(); }

  struct Refreshed {
    std::optional<Error> trouble;  // it could not be given another inode
    // What lay there before it was put back, under another name in the same folder.
    std::optional<Culprit> aside;
    // It says something else than before, and nobody was seen who has touched it.
    bool is_changed = false;
  };
  Refreshed refresh(const Replaced& one);

  // Those of which it must be heard when two things come to their names, one after the other.
  std::vector<HeldFiles::Place> held() const { return held_.places(); }

 private:
  bool are_beneath(size_t tree, const std::string& relative) const;
  bool is_fresh(size_t tree, const std::string& whole) const;
  Refreshed refresh_config(const Replaced& one, int parent, git::ProtectedGitConfig& config);
  Refreshed refresh_file(const Replaced& one, int parent);
  Refreshed put_fresh(const Replaced& one, int parent, const FileCopy& copy);
  Refreshed put_back(const Replaced& one, int parent, const FileCopy& copy, const char* why);
  Culprit culprit(const Replaced& one, const std::string& lies, const char* why) const;

  const std::vector<files::WatchedTree>& trees_;
  const files::ProtectedNames& names_;
  std::set<std::string> kept_, hidden_;
  git::GitConfigDesk& desk_;
  HeldFiles held_;
  struct Note {
    size_t tree;
    bool is_touched = false;
  };
  using Noted = std::map<std::string, Note>;  // by paths
  static std::vector<Replaced> take(Noted& noted, const std::set<std::string>& guarded,
                                    bool hidden);
  static bool note_in(std::set<std::string>& guarded, Noted& noted, const Appeared& one,
                      const std::string& whole, bool forgets);

  Noted replaced_kept_, replaced_hidden_;
  std::map<std::string, Fd> fresh_;  // copies that we have put there
};

}  // namespace ringwall::broker
