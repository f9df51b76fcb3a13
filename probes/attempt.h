// What many probes try: to read, open or connect, told as an errno, 0 for success.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringwall::probes {

// 0 if `path` can be opened and holds `secret`; else the errno, or ENODATA if it is another file.
int read_secret(const std::string& path, std::string_view secret);

// Opens and closes; changes nothing, unless flags say so.
int try_open(const std::string& path, int flags);

// Connects a unix socket, stream or whole messages. `abstract`: a name without a file.
int try_connect(const std::string& path, bool abstract = false);

// Names in a folder, without "." and ".."; sets errno and returns nothing if it cannot be listed.
std::vector<std::string> names_in(const std::string& folder);

// Process numbers that /proc shows, lowest first.
std::vector<int> visible_pids();

// The field "start time" of /proc/PID/stat, 0 if it cannot be read.
unsigned long start_time_of(int pid);

// A folder in the workspace that is gone again at the end.
class Scratch {
 public:
  explicit Scratch(const std::string& workspace);
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  explicit operator bool() const { return !path_.empty(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace ringwall::probes
