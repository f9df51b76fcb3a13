#include "broker/unswept.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "base/clock.h"
#include "base/file.h"
#include "base/file_id.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::broker {
namespace {

constexpr std::string_view kMagic = "ringwall guards 2";
constexpr std::string_view kMagicBefore = "ringwall guards 1";
constexpr std::string_view kEndBefore = "end";
constexpr std::string_view kEnd = "end ";
// Of a run that has ended: to be taken over is quicker than to be made and deleted at each start.
constexpr const char* kSpare = ".spare";
const std::string kUnnamed = ".new-";  // before it is locked
constexpr size_t kMostBytes = 64 << 20;

// A name that is used again within the same nanosecond is refused by O_EXCL.
std::string make_name(const std::string& run) {
  return run + "." + std::to_string(clock::monotonic());
}

// By a run that goes on, though no registry that we know has it, or by another start that sweeps.
// What is left of a killed run lets go within a moment.
bool is_held(int file) {
  constexpr int kTries = 30;
  for (int i = 0; i < kTries; i++) {
    if (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return false;
    usleep(10'000);
  }
  return true;
}

Status sweep_one(int folder, const std::string& name, const std::string& path,
                 const std::function<Status(const GuardList&)>& sweep) {
  auto file = file::open_beneath(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (!file && file.error().err == ENOENT) return {};  // another start has dealt with it
  if (!file) return std::unexpected(file.error());
  // Until all is swept: another start would do it too.
  if (is_held(file->get())) return {};
  if (!file::still_names(folder, name, file->get())) return {};
  auto bytes = file::read_all(file->get(), kMostBytes);
  auto list = bytes ? decode_guard_list(*bytes, name) : std::unexpected(bytes.error());
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

// Locked before it gets its name: whoever sees the name finds it locked.
Result<Fd> name_locked(int folder, const char* before, Fd file, const std::string& name) {
  bool is_free = flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  if (!is_free) return fail("it is another's");
  if (!file::still_names(folder, before, file.get())) return fail("another has taken it");
  if (renameat2(folder, before, folder, name.c_str(), RENAME_NOREPLACE) < 0)
    return fail_errno("cannot note what is guarded");
  return file;
}

// What it held names another file at its end, and so is no list until all is written.
Result<Fd> take_spare(int folder, const std::string& name) {
  TRY_ASSIGN(Fd file,
             file::open_beneath(folder, kSpare, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return name_locked(folder, kSpare, std::move(file), name);
}

Result<Fd> make_file(int folder, const std::string& name) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  if (auto spare = take_spare(folder, name)) return spare;
  std::string unnamed = kUnnamed + name;
  Fd made(openat(folder, unnamed.c_str(), kFlags, 0600));
  if (!made) return fail_errno("cannot note what is guarded");
  return name_locked(folder, unnamed.c_str(), std::move(made), name);
}

}  // namespace

std::string encode_guard_list(const GuardList& list, std::string_view name) {
  std::string bytes(kMagic);
  auto add = [&](char kind, const std::string& text) { bytes += '\0' + (kind + text); };
  add('R', list.run);
  for (const std::string& tree : list.trees)
    add('T', tree);
  for (const std::string& path : list.kept)
    add('K', path);
  for (const auto& [path, target] : list.links) {
    add('L', path);
    add('E', target);
  }
  return bytes + '\0' + std::string(kEnd) + std::string(name);
}

Result<GuardList> decode_guard_list(std::string_view bytes, std::string_view name) {
  std::vector<std::string> parts = text::split(bytes, '\0');
  // One that was cut off has no end, or that of an earlier one; its run had hardly begun.
  bool is_before = parts[0] == kMagicBefore;
  std::string end = is_before ? std::string(kEndBefore) : std::string(kEnd) + std::string(name);
  bool is_one = is_before || parts[0] == kMagic;
  if (parts.size() < 2 || !is_one || parts.back() != end) return GuardList();
  GuardList list;
  list.knows_links = parts[0] == kMagic;
  for (size_t i = 1; i + 1 < parts.size(); i++) {
    std::string text = parts[i].empty() ? "" : parts[i].substr(1);
    bool is_path = text.starts_with('/');
    if (parts[i].starts_with('R'))
      list.run = text;
    else if (parts[i].starts_with('T') && is_path)
      list.trees.push_back(text);
    else if (parts[i].starts_with('K') && is_path)
      list.kept.insert(text);
    else if (parts[i].starts_with('L') && is_path && parts[i + 1].starts_with('E'))
      list.links[text] = parts[++i].substr(1);
    else
      return fail("a list with an entry of no kind");
  }
  return list;
}

Result<UnsweptList> UnsweptList::write(int folder, const GuardList& list) {
  UnsweptList made;
  made.name_ = make_name(list.run);
  made.folder_ = Fd(fcntl(folder, F_DUPFD_CLOEXEC, 3));
  if (!made.folder_) return fail_errno("cannot note what is guarded");
  TRY_ASSIGN(Fd file, make_file(folder, made.name_));
  std::string bytes = encode_guard_list(list, made.name_);
  TRY(file::write_all(file.get(), bytes));
  if (ftruncate(file.get(), static_cast<off_t>(bytes.size())) < 0)
    return fail_errno("cannot note what is guarded");
  made.lock_ = std::move(file);
  return made;
}

void UnsweptList::remove() {
  // One that stays is looked at by the next start, which finds nothing.
  if (folder_) (void)renameat(folder_.get(), name_.c_str(), folder_.get(), kSpare);
  lock_.close();
}

Status for_each_unswept(const std::string& folder,
                        const std::function<bool(const std::string& run)>& goes_on,
                        const std::function<Status(const GuardList&)>& sweep) {
  auto opened = file::open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (!opened && opened.error().err == ENOENT) return {};  // there never was one
  if (!opened) return std::unexpected(opened.error());
  TRY_ASSIGN(auto entries, file::list(opened->get()));
  for (const file::Entry& entry : entries) {
    if (entry.name.starts_with('.')) continue;  // none yet, or not any more
    if (!goes_on(entry.name.substr(0, entry.name.rfind('.'))))
      TRY(sweep_one(opened->get(), entry.name, path::join(folder, entry.name), sweep));
  }
  return {};
}

}  // namespace ringwall::broker
