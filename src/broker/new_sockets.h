// Sockets that appear in the trees while a run goes on. Whose they are the broker cannot tell: it
// asks, and what the host has made is masked inside.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/folder_reader.h"
#include "broker/broker_line.h"
#include "broker/tree_watch.h"
#include "files/watched_tree.h"

namespace ringwall::broker {

class NewSockets {
 public:
  explicit NewSockets(const std::vector<files::WatchedTree>& trees) : trees_(trees) {}

  // Something came there, under any name: only a look says that it is a socket. That comes a few
  // milliseconds later, for all that came to a folder in one go.
  void note(const Appeared& one);
  // One was seen there.
  void expect(size_t tree, const std::string& path);

  // More than one question holds: who makes so many could hide one among them.
  bool are_too_many() const;
  // Asks for those whose time has come at `now`; with INT64_MAX also for those that would have
  // waited for the next question. True: one was the host's, and is masked now. Each is asked for
  // several times: the kernel shows the file before the socket is known by it.
  bool ask(BrokerLine& line, int64_t now);
  // Milliseconds, as poll takes them, instead of `longest`; -1: forever.
  int wait_time(int longest, int64_t now) const;

 private:
  struct Look {
    int64_t due = 0;
    size_t number = 0;  // that there were before
  };
  struct Found {
    std::string path;  // absolute
    Fd file;           // O_PATH
  };
  struct Fresh {
    size_t tree = 0;
    std::string folder;
    std::vector<std::string> paths;  // the first few
    bool are_more = false;
    int64_t since = 0;
  };
  bool is_due(const Fresh& fresh, int64_t now) const;
  void look_at_fresh(int64_t now, bool is_urgent);
  void look_into(const Fresh& fresh);
  std::vector<Found> take_due(int64_t now);

  const std::vector<files::WatchedTree>& trees_;
  int64_t next_ = 0;                      // question
  int64_t next_listing_ = 0;              // of a folder
  std::unordered_map<int, Fresh> fresh_;  // by the numbers of the folders
  FolderReader reader_;
  using Place = std::pair<size_t, std::string>;
  std::map<Place, Look> looks_;
  // What was asked for already: who lists a folder meets it again.
  std::map<Place, std::pair<ino_t, int64_t>> asked_;
};

}  // namespace ringwall::broker
