// P29: what the supervisor was given and must keep. Looked for in what a program inside can read:
// its environment, the command lines, environments and memory of every process, and files.
//
// The probe knows the secrets backwards, so that it does not find its own.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

constexpr size_t kMostMapped = 64 << 20;  // of one process
constexpr size_t kMostFile = 1 << 20;
constexpr size_t kMostFiles = 2000;

// Looks for one secret. Without any wall there is the memory of a whole host to look through, so it
// leaps where it can.
class Needle {
 public:
  explicit Needle(const std::string& backwards) : leaps_(backwards.rbegin(), backwards.rend()) {}

  bool is_in(std::string_view bytes) const {
    return std::search(bytes.begin(), bytes.end(), leaps_) != bytes.end();
  }

 private:
  std::boyer_moore_horspool_searcher<std::string::const_reverse_iterator> leaps_;
};

class Search {
 public:
  Search(Acts& acts, const Outside& outside) : acts_(acts) {
    for (const std::string& backwards : outside.secrets_backwards)
      needles_.emplace_back(backwards);
  }

  // `bytes` were found at `place`.
  void look_at(const std::string& place, std::string_view bytes) {
    for (const Needle& secret : needles_) {
      if (secret.is_in(bytes)) return acts_.got_in("find a secret in " + place);
    }
    seen_++;
  }

  void look_at_file(const std::string& place, const std::string& path) {
    auto content = file::read(path, kMostFile);
    if (content)
      look_at(place, *content);
    else
      acts_.stopped("read " + place, content.error().err);
  }

  void look_at_memory(const std::string& folder) {
    std::string place = "the memory of another process";
    Fd memory(open((folder + "/mem").c_str(), O_RDONLY | O_CLOEXEC));
    if (!memory) return acts_.stopped("open " + place, errno);
    auto maps = file::read(folder + "/maps", kMostFile);
    if (!maps) return acts_.stopped("read the maps of " + place, maps.error().err);
    size_t read = 0;
    for (const std::string& line : text::split(*maps, '\n')) {
      unsigned long from = 0, to = 0;
      char right = '-';
      if (sscanf(line.c_str(), "%lx-%lx %c", &from, &to, &right) != 3 || right != 'r') continue;
      size_t wanted = std::min(to - from, kMostMapped - read);
      if (buffer_.size() < wanted) buffer_.resize(wanted);
      ssize_t count = pread(memory.get(), buffer_.data(), wanted, static_cast<off_t>(from));
      if (count <= 0) continue;
      read += static_cast<size_t>(count);
      look_at(place, std::string_view(buffer_).substr(0, static_cast<size_t>(count)));
    }
  }

  void look_below(const std::string& folder) {
    for (const std::string& name : names_in(folder)) {
      std::string path = folder + "/" + name;
      if (files_ >= kMostFiles) return;
      files_++;
      Fd entry(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
      struct stat facts;
      if (!entry || fstat(entry.get(), &facts) < 0) continue;
      if (S_ISDIR(facts.st_mode)) look_below(path);
      if (S_ISREG(facts.st_mode)) look_at_file("the file " + path, path);
    }
  }

  size_t seen() const { return seen_; }

 private:
  Acts& acts_;
  std::vector<Needle> needles_;
  std::string buffer_;  // for memory; kept, since clearing as much for each mapping takes long
  size_t seen_ = 0;
  size_t files_ = 0;
};

}  // namespace

Verdict probe_secrets(const Outside& outside) {
  Acts acts;
  if (outside.secrets_backwards.empty()) {
    acts.untried("no secret was given to the supervisor for this check");
    return acts.verdict();
  }
  Search search(acts, outside);
  for (char** entry = environ; *entry != nullptr; entry++)
    search.look_at("the own environment", *entry);
  for (int pid : visible_pids()) {
    if (pid == getpid()) continue;
    std::string folder = "/proc/" + std::to_string(pid);
    search.look_at_file("the environment of another process", folder + "/environ");
    search.look_at_file("the command line of another process", folder + "/cmdline");
    search.look_at_memory(folder);
  }
  for (const std::string& path : outside.secret_files)
    search.look_at_file("the file " + path, path);
  for (const std::string& folder :
       {std::string("/tmp"), std::string("/run"), std::string("/dev/shm"), outside.workspace})
    search.look_below(folder);
  acts.stopped("find a secret", "nothing in " + std::to_string(search.seen()) + " places");
  return acts.verdict();
}

}  // namespace ringwall::probes
