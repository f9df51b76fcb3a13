// The paths that mounts guard inside, and what becomes of them while the host works on the same
// tree.
//
// A host program that puts another file in the place of a guarded one takes the mount with it. In
// the moment until it is covered again, the inside can open the new one. So it becomes an inode
// that nobody has open, with the same content; a config of git that could now run something goes
// back to what it was.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "broker/tree_watch.h"
#include "broker/vet.h"
#include "git/config_desk.h"

namespace ringwall::broker {

// By itself, or with a folder above it.
bool is_guarded_by(const std::set<std::string>& kept, const files::WatchedTree& tree,
                   const std::string& relative);

class Guards {
 public:
  // `kept` and `hidden` are absolute: what may not be changed, and what may not be read.
  Guards(const std::vector<files::WatchedTree>& trees, std::set<std::string> kept,
         std::set<std::string> hidden, git::GitConfigDesk& desk)
      : trees_(trees), kept_(std::move(kept)), hidden_(std::move(hidden)), desk_(desk) {}

  bool is_kept(size_t tree, const std::string& relative) const {
    return is_guarded_by(kept_, trees_[tree], relative);
  }

  std::vector<Culprit> without_kept(std::vector<Culprit> culprits) const;

  // Something guarded lies in the folder, or below.
  bool are_beneath(size_t tree, const std::string& relative) const;

  // Nobody inside can move a guarded path: whoever did is outside.
  void note(const Appeared& one);

  struct Replaced {
    std::string path;  // absolute
    size_t tree = 0;
    bool hidden = false;
  };
  // What has to be covered again. Hidden ones at once, since what was read is read; kept ones while
  // everything inside stands.
  std::vector<Replaced> take_replaced_hidden();
  std::vector<Replaced> take_replaced_kept();
  bool has_replaced_kept();
  bool has_replaced_hidden() const { return !replaced_hidden_.empty(); }

  struct Refreshed {
    std::optional<Error> trouble;  // it could not be given another inode
    // A changed config that would run something, under another name in the same folder.
    std::optional<Culprit> aside;
  };
  Refreshed refresh(const Replaced& one);

 private:
  std::optional<ino_t> inode_of(size_t tree, const std::string& whole) const;
  Refreshed refresh_config(const Replaced& one, int parent, git::ProtectedGitConfig& config);

  const std::vector<files::WatchedTree>& trees_;
  std::set<std::string> kept_, hidden_;
  git::GitConfigDesk& desk_;
  using Noted = std::map<std::string, size_t>;  // paths, and their trees
  static std::vector<Replaced> take(Noted& noted, const std::set<std::string>& guarded,
                                    bool hidden);
  static void note_in(std::set<std::string>& guarded, Noted& noted, const Appeared& one,
                      const std::string& whole, bool forgets);

  Noted replaced_kept_, replaced_hidden_;
  std::map<std::string, ino_t> fresh_;  // copies that we have put there
};

}  // namespace ringwall::broker
