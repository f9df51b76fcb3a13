#include "undo/tree_look.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/folder_reader.h"
#include "files/protected.h"

namespace ringwall::undo {
namespace {

using changes::EntryType;

constexpr size_t kBetweenAsks = 128;

class Looker {
 public:
  explicit Looker(const LookRequest& request) : request_(request) {}

  Result<Look> run() {
    struct stat top;
    if (fstat(request_.tree, &top) < 0) return fail_errno("cannot look at a tree");
    device_ = top.st_dev;
    look_.entries.reserve(request_.expected);  // to move them as they grow would take milliseconds
    // Its own offset, since the descriptor is everybody's.
    Fd folder(openat(request_.tree, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder) return fail_errno("cannot look into a tree");
    waiting_.push_back(list(folder.get(), ""));
    look_.changed = changed_of(folder.get());
    while (!waiting_.empty() && look_.ended)
      step();
    return std::move(look_);
  }

 private:
  // What lies in one folder, the last first: so the next one is taken from the end.
  using Siblings = std::vector<SavedEntry>;

  void step() {
    Siblings& siblings = waiting_.back();
    if (siblings.empty()) {
      waiting_.pop_back();
      return;
    }
    look_.entries.push_back(std::move(siblings.back()));
    siblings.pop_back();
    if (look_.entries.size() % kBetweenAsks == 0 && !request_.goes_on(look_.entries))
      look_.ended = false;
    SavedEntry& entry = look_.entries.back();
    if (entry.type == EntryType::folder) enter(entry);
  }

  void enter(SavedEntry& entry) {
    auto folder = file::open_beneath(request_.tree, entry.path,
                                     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_NOATIME);
    struct stat facts;
    if (!folder || fstat(folder->get(), &facts) < 0) {
      look_.closed++;
      return;
    }
    if (facts.st_dev != device_) return;
    waiting_.push_back(list(folder->get(), entry.path));
    entry.changed = changed_of(folder->get());
    auto attributes = changes::read_attributes_of_open(folder->get());
    if (!attributes) return;
    entry.attributes = std::move(*attributes);
    entry.kept = Kept::attributes;
  }

  // Who cannot be asked may have been changed at any time.
  static int64_t changed_of(int folder) {
    struct stat facts;
    return fstat(folder, &facts) == 0 ? changes::facts_of(facts).changed : INT64_MAX;
  }

  Siblings list(int folder, const std::string& path) {
    Siblings siblings;
    std::string start = path.empty() ? "" : path + "/";
    Status read = reader_.read(folder, [&](const FolderReader::Entry& entry) {
      struct stat facts;
      if (fstatat(folder, entry.name.data(), &facts, AT_SYMLINK_NOFOLLOW) < 0) return;
      if (is_passed_over(start, entry.name, facts)) return;
      // Nobody can name it, to put it back or take it away.
      if (start.size() + entry.name.size() >= PATH_MAX) return void(look_.closed++);
      SavedEntry& made = siblings.emplace_back(entry_of(start + std::string(entry.name), facts));
      if (made.type == EntryType::link) read_link(folder, entry.name.data(), made);
      if (made.type == EntryType::other) made.kept = Kept::special;
    });
    if (!read) look_.closed++;
    std::sort(siblings.begin(), siblings.end(),
              [](const SavedEntry& a, const SavedEntry& b) { return lies_before(b.path, a.path); });
    return siblings;
  }

  bool is_passed_over(const std::string& start, std::string_view name,
                      const struct stat& facts) const {
    if (!S_ISDIR(facts.st_mode)) return false;
    return facts.st_dev != device_ || request_.passed_over.contains(file::id_of(facts)) ||
           files::lies_in_packages(start + std::string(name) + "/x");
  }

  static void read_link(int folder, const char* name, SavedEntry& entry) {
    char text[PATH_MAX];
    ssize_t length = readlinkat(folder, name, text, sizeof text);
    entry.kept = length < 0 ? Kept::unreadable : Kept::link;
    if (length > 0) entry.link.assign(text, static_cast<size_t>(length));
  }

  const LookRequest& request_;
  dev_t device_ = 0;
  FolderReader reader_;
  std::vector<Siblings> waiting_;
  Look look_;
};

}  // namespace

Result<Look> look_at_tree(const LookRequest& request) { return Looker(request).run(); }

}  // namespace ringwall::undo
