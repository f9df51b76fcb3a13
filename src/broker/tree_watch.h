// Says what appears in the folders of trees: one inotify watch for each folder. The kernel tells a
// name and the folder by number; where that folder lies now is known from what was told before, so
// a path is a hint, and whoever acts on it opens it anew.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::broker {

struct Appeared {
  size_t tree = 0;
  std::string path;  // relative to the tree
  bool is_folder = false;
  enum class How { came, written, opened, went, closed } how = How::came;
  int folder = -1;          // its number in the watch, which it keeps wherever it is moved
  uint32_t move = 0;        // came or went by a move of this number; 0: by none
  bool is_guarded = false;  // something guarded lies in this folder, or below it
};

// What goes away is told only of folders of which somebody wants to know: each event costs whoever
// causes it.
enum class Departures {
  unheard,
  counted,
  guarded,
  held,  // guarded; and which of its files were written to, once they are closed
};

struct Batch {
  std::vector<Appeared> appeared;  // or went away, or was written to, where that is watched
  bool lost = false;               // the kernel's queue was full: anything may have appeared
};

class TreeWatch {
 public:
  // A person has so many of them in all. Without one it hears nothing, and refuses what is added.
  static TreeWatch open();
  int fd() const { return queue_.get(); }
  size_t folders() const { return places_.size(); }

  // A folder that is watched already keeps its number, gets its new path, and is heard as well as
  // before. Returns the number.
  Result<int> add(size_t tree, int folder, const std::string& path, Departures departures);

  // By its path alone, without opening it: for a long list. If a link was put in its place
  // meanwhile, another folder is watched under this name, and what is told of it is not there.
  Result<int> add_by_path(size_t tree, int top, const std::string& path, Departures departures);

  // From now on also what goes away. False: `folder` is not the one of this number.
  bool count_departures(int number, int folder);

  // What is written to this one file, and that it is opened, wherever it is moved.
  Result<int> add_file(size_t tree, int file, const std::string& path);

  // The kernel makes one of two moves in a row to the same name. Not if the file that leaves it for
  // the first one is watched, of which nothing is told.
  Status tell_apart(int top, const std::string& path);

  // Opens a file of that number for reading, and does not tell of it. Nothing: another one lies
  // there by now. `top` is its tree's.
  Fd open_unheard(int number, int top);

  struct Place {
    size_t tree;
    std::string path;
    bool is_file;
    bool is_guarded;
  };
  // Where it lies, as far as was told; null: it is gone.
  const Place* place_of(int number) const;
  std::vector<int> numbers() const;

  // What has been told so far; does not wait.
  Result<Batch> read();

  // Ends it. Closing the descriptor would wait for the kernel, some 15 ms.
  void let_go();

 private:
  Result<int> add_named(const std::string& name, uint32_t mask, Place place);

  Fd queue_;
  Error reason_;  // there is no queue
  std::unordered_map<int, Place> places_;
};

}  // namespace ringwall::broker
