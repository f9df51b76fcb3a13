// P29: what the supervisor was given and must keep. Looked for in what a program inside can read:
// its environment, the command lines, environments and memory of every process, and files.
//
// The probe knows the secrets backwards, so that it does not find its own.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

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

bool holds(std::string_view bytes, const std::string& backwards) {
  return std::search(bytes.begin(), bytes.end(), backwards.rbegin(), backwards.rend()) !=
         bytes.end();
}

class Search {
 public:
  Search(Acts& acts, const Outside& outside) : acts_(acts), outside_(outside) {}

  // `bytes` were found at `place`.
  void look_at(const std::string& place, std::string_view bytes) {
    for (const std::string& secret : outside_.secrets_backwards) {
      if (holds(bytes, secret)) return acts_.got_in("find a secret in " + place);
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
      std::string bytes(std::min(to - from, kMostMapped - read), '\0');
      ssize_t count = pread(memory.get(), bytes.data(), bytes.size(), static_cast<off_t>(from));
      if (count <= 0) continue;
      read += static_cast<size_t>(count);
      look_at(place, std::string_view(bytes).substr(0, static_cast<size_t>(count)));
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
  const Outside& outside_;
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
