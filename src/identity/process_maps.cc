#include "identity/process_maps.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstdio>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"

namespace ringwall::identity {
namespace {

constexpr size_t kMostBytes = 64 << 20;

std::optional<Mapping> parse_line(const std::string& line) {
  unsigned long start, end, offset, inode;
  unsigned major_number, minor_number;
  char rights[5] = {};
  int path_at = 0;
  int fields = sscanf(line.c_str(), "%lx-%lx %4s %lx %x:%x %lu %n", &start, &end, rights, &offset,
                      &major_number, &minor_number, &inode, &path_at);
  if (fields != 7) return std::nullopt;
  return Mapping{start, end, rights[2] == 'x',
                 MappedFile{makedev(major_number, minor_number), inode},
                 line.substr(static_cast<size_t>(path_at))};
}

}  // namespace

std::vector<Mapping> read_maps(int processes, pid_t pid) {
  std::string path = std::to_string(pid) + "/maps";
  Fd maps(openat(processes, path.c_str(), O_RDONLY | O_CLOEXEC));
  auto text = maps ? file::read_all(maps.get(), kMostBytes) : fail("gone");
  std::vector<Mapping> mappings;
  if (!text) return mappings;
  for (const std::string& line : text::split(*text, '\n')) {
    if (auto mapping = parse_line(line)) mappings.push_back(std::move(*mapping));
  }
  return mappings;
}

std::optional<MappedFile> as_mapped(int processes, int fd) {
  void* place = mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, fd, 0);
  if (place == MAP_FAILED) return std::nullopt;
  std::optional<MappedFile> found;
  for (const Mapping& mapping : read_maps(processes, getpid())) {
    auto at = reinterpret_cast<uint64_t>(place);
    if (mapping.start <= at && at < mapping.end && mapping.file.inode != 0) found = mapping.file;
  }
  munmap(place, 1);
  return found;
}

}  // namespace ringwall::identity
