#include "sandbox/host_facts.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/landlock.h"

namespace ringwall::sandbox {
namespace {

constexpr size_t kMostContent = 64 << 10;

}  // namespace

HostFacts read_host_facts(const HostQuestions& questions) {
  HostFacts facts;
  facts.landlock_abi = probe_landlock_abi();
  facts.memory_bytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  for (const std::string& path : questions.kinds) {
    struct stat status;
    if (lstat(path.c_str(), &status) < 0) continue;
    HostFacts::Place place;
    if (S_ISLNK(status.st_mode)) {
      auto target = file::read_link(path);
      if (!target) continue;
      place = {HostFacts::Kind::symlink, *target};
    } else if (S_ISDIR(status.st_mode)) {
      place.kind = HostFacts::Kind::folder;
    } else if (S_ISREG(status.st_mode)) {
      place.kind = HostFacts::Kind::file;
    } else {
      continue;  // a device or socket in place of a system file: not for the inside
    }
    facts.places.emplace(path, std::move(place));
  }
  for (const std::string& path : questions.contents) {
    auto content = file::read(path, kMostContent);
    if (content) facts.places.emplace(path, HostFacts::Place{HostFacts::Kind::file, "", *content});
  }
  return facts;
}

}  // namespace ringwall::sandbox
