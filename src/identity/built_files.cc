#include "identity/built_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "base/file.h"
#include "identity/hash_file.h"
#include "identity/read_leases.h"

namespace ringwall::identity {
namespace {

constexpr size_t kMostFiles = 256;  // of one linker, which makes one or two

}  // namespace

void BuiltFiles::note_program(pid_t process, bool is_linker) {
  if (!written_.empty()) written_.erase(process);
  if (is_linker) written_[process];
}

pid_t BuiltFiles::process_of(pid_t task) const {
  if (written_.contains(task)) return task;
  Fd status(openat(processes_, (std::to_string(task) + "/status").c_str(), O_RDONLY | O_CLOEXEC));
  auto text = status ? file::read_all(status.get()) : fail("gone");
  size_t at = text ? text->find("\nTgid:") : std::string::npos;
  return at == std::string::npos ? 0 : atoi(text->c_str() + at + 6);
}

bool BuiltFiles::is_linker(pid_t task) const {
  return !written_.empty() && written_.contains(process_of(task));
}

void BuiltFiles::note_file(pid_t task, int descriptor) {
  auto linker = written_.find(process_of(task));
  if (linker == written_.end() || linker->second.size() >= kMostFiles) return;
  std::string path = std::to_string(task) + "/fd/" + std::to_string(descriptor);
  Fd file(openat(processes_, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat facts;
  bool is_new =
      file && fstat(file.get(), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size == 0;
  if (is_new) linker->second.push_back(std::move(file));
}

// With a lease: nobody else has the file open for writing while it is read, or it is not vouched
// for. A linker with threads comes here once for each; the last finds the file closed.
void BuiltFiles::finish(pid_t task, bool well) {
  auto linker = written_.find(process_of(task));
  if (linker == written_.end()) return;
  if (!well) return linker->second.clear();
  std::erase_if(linker->second, [&](const Fd& file) {
    if (!take_read_lease(file.get())) return false;
    struct stat facts;
    bool is_small =
        fstat(file.get(), &facts) == 0 && static_cast<uint64_t>(facts.st_size) <= kLargestProgram;
    auto hashed = is_small ? hash_file(file.get()) : fail("is too large");
    if (hashed) judge_.vouch_for(hashed->digest);
    return true;
  });
}

}  // namespace ringwall::identity
