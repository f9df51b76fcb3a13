#include "files/unswept.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::files {
namespace {

constexpr std::string_view kMagic = "ringwall guards 1";
constexpr std::string_view kEnd = "end";
constexpr size_t kMostBytes = 64 << 20;

// A name that is used again within the same nanosecond is refused by O_EXCL.
std::string make_name(const std::string& run) {
  return run + "." + std::to_string(clock::monotonic());
}

Status sweep_one(int folder, const std::string& name, const std::string& path,
                 const std::function<Status(const GuardList&)>& sweep) {
  auto file = file::open_beneath(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (!file && file.error().err == ENOENT) return {};  // another start has dealt with it
  if (!file) return std::unexpected(file.error());
  auto bytes = file::read_all(file->get(), kMostBytes);
  auto list = bytes ? decode_guard_list(*bytes) : std::unexpected(bytes.error());
  Status swept = list ? sweep(*list) : std::unexpected(list.error());
  if (!swept) {
    swept.error().what = "cannot look at what a killed run left: " + swept.error().what;
    swept.error().hint = "look at it yourself, then: rm " + text::quote(path);
    return swept;
  }
  if (unlinkat(folder, name.c_str(), 0) < 0 && errno != ENOENT)
    return fail_errno("cannot remove " + text::quote(path));
  return {};
}

}  // namespace

std::string encode_guard_list(const GuardList& list) {
  std::string bytes(kMagic);
  auto add = [&](char kind, const std::string& text) { bytes += '\0' + (kind + text); };
  add('R', list.run);
  for (const std::string& tree : list.trees)
    add('T', tree);
  for (const std::string& path : list.kept)
    add('K', path);
  return bytes + '\0' + std::string(kEnd);
}

Result<GuardList> decode_guard_list(std::string_view bytes) {
  std::vector<std::string> parts = text::split(bytes, '\0');
  // One that was cut off has no end; its run had hardly begun.
  if (parts.size() < 2 || parts[0] != kMagic || parts.back() != kEnd) return GuardList();
  GuardList list;
  for (size_t i = 1; i + 1 < parts.size(); i++) {
    std::string text = parts[i].empty() ? "" : parts[i].substr(1);
    bool is_path = text.starts_with('/');
    if (parts[i].starts_with('R'))
      list.run = text;
    else if (parts[i].starts_with('T') && is_path)
      list.trees.push_back(text);
    else if (parts[i].starts_with('K') && is_path)
      list.kept.insert(text);
    else
      return fail("a list with an entry of no kind");
  }
  return list;
}

Result<UnsweptList> UnsweptList::write(int folder, const GuardList& list) {
  UnsweptList made;
  made.name_ = make_name(list.run);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Fd file(openat(folder, made.name_.c_str(), kFlags, 0600));
  made.folder_ = Fd(fcntl(folder, F_DUPFD_CLOEXEC, 3));
  if (!file || !made.folder_) return fail_errno("cannot note what is guarded");
  TRY(file::write_all(file.get(), encode_guard_list(list)));
  return made;
}

void UnsweptList::remove() {
  // One that stays is looked at by the next start, which finds nothing.
  if (folder_) (void)unlinkat(folder_.get(), name_.c_str(), 0);
}

Status for_each_unswept(const std::string& folder,
                        const std::function<bool(const std::string& run)>& goes_on,
                        const std::function<Status(const GuardList&)>& sweep) {
  auto opened = file::open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (!opened && opened.error().err == ENOENT) return {};  // there never was one
  if (!opened) return std::unexpected(opened.error());
  TRY_ASSIGN(auto entries, file::list(opened->get()));
  for (const file::Entry& entry : entries) {
    if (!goes_on(entry.name.substr(0, entry.name.rfind('.'))))
      TRY(sweep_one(opened->get(), entry.name, path::join(folder, entry.name), sweep));
  }
  return {};
}

}  // namespace ringwall::files
