// The walk through a repository: every folder once, by names relative to its top. No link is
// followed out of it; what a link within it leads to counts under the link's name as well.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "audit/checks.h"
#include "audit/git_layout.h"
#include "audit/inner_links.h"
#include "audit/repository.h"
#include "audit/repository_subjects.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/folder_reader.h"
#include "base/text.h"
#include "files/link_judge.h"
#include "files/protected.h"

namespace ringwall::audit {
namespace {

constexpr size_t kMostEntries = 3'000'000;
constexpr uint64_t kMostTextBytes = 512u << 20;  // read of files that only might steer
constexpr uint64_t kMostProseBytes = 24u << 20;  // of those, texts for people
constexpr size_t kMostBesideBytes = 1u << 20;    // of a file that another one names
constexpr int kMostLinksOfAPath = 3;             // each may lead back to where it lies
constexpr int64_t kMostNanoseconds = 20'000'000'000;

class RepositoryWalk {
 public:
  RepositoryWalk(int top, Reporter& reporter) : top_(top), reporter_(reporter) {}

  void walk(const std::string& folder) { walk_all({place_of(folder)}); }

  // The texts for people that were met: those near the top are read first.
  void read_prose() {
    auto depth = [](const std::string& path) { return std::ranges::count(path, '/'); };
    std::ranges::sort(prose_, [&](const auto& a, const auto& b) {
      return std::pair(depth(a.path), a.path) < std::pair(depth(b.path), b.path);
    });
    uint64_t before = text_bytes_;
    for (const Prose& prose : prose_) {
      if (text_bytes_ - before > kMostProseBytes)
        return reporter_.say_incomplete("more than " + std::to_string(kMostProseBytes >> 20) +
                                        " MiB of texts: those deep in the tree are left out");
      if (!has_room()) return;
      read_and_check(top_, prose.path, prose.path, *prose.subject);
    }
  }

  // A single name, of whatever kind.
  void look_at_one(const std::string& path) {
    struct stat facts;
    if (fstatat(top_, path.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0) return;
    if (S_ISDIR(facts.st_mode)) return walk(path);
    size_t slash = path.rfind('/');
    Folder around = place_of(slash == std::string::npos ? "" : path.substr(0, slash));
    std::vector<Folder> waiting;
    look_at(top_, path, {path, S_ISLNK(facts.st_mode) ? uint8_t{DT_LNK} : uint8_t{DT_REG}}, around,
            waiting);
    walk_all(std::move(waiting));
  }

 private:
  struct Entry {
    std::string name;
    uint8_t type;
  };
  // A folder, and what all in it has in common.
  struct Folder {
    std::string path;
    std::string real;          // where it lies: by another name, if a link led here
    int links = 0;             // that led here
    bool in_git = false;       // a folder named .git, or below one
    bool is_git = false;       // git takes it for a repository
    bool in_packages = false;  // what a package manager has filled
  };
  static Folder place_of(const std::string& path) {
    return {path, path, 0, is_in_git_folder(path), false, files::lies_in_packages(path + "/x")};
  }
  static std::string join(const std::string& folder, const std::string& name) {
    return folder.empty() ? name : folder + "/" + name;
  }

  void walk_all(std::vector<Folder> waiting) {
    while (!waiting.empty() && has_room()) {
      Folder next = std::move(waiting.back());
      waiting.pop_back();
      look_into(next, waiting);
    }
  }

  bool has_room() {
    if (is_full_) return false;
    std::string why;
    if (entries_ > kMostEntries)
      why = "more than " + std::to_string(kMostEntries) + " files and folders";
    if (clock::monotonic() - begun_ > kMostNanoseconds) why = "it took too long";
    if (why.empty()) return true;
    is_full_ = true;
    reporter_.add("RW293", ".", 0, why);
    reporter_.say_incomplete(why);
    return false;
  }

  // A name that is too long hides all that lies below it from this look, and not from an agent.
  void tell_closed(const std::string& path, int reason) {
    std::string why = std::string("cannot open the folder: ") + strerror(reason);
    bool is_too_deep = reason == ENAMETOOLONG;
    reporter_.add(is_too_deep ? "RW293" : "RW292", path, 0, why);
    reporter_.say_incomplete(is_too_deep ? "folders lie too deep in each other"
                                         : "a folder cannot be opened");
  }

  void look_into(Folder folder, std::vector<Folder>& waiting) {
    Fd fd(openat(top_, folder.real.empty() ? "." : folder.real.c_str(),
                 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd) {
      return tell_closed(folder.path, errno);
    }
    std::vector<Entry> entries;
    GitLayout layout;
    Status listed = reader_.read(fd.get(), [&](const FolderReader::Entry& entry) {
      entries.push_back({std::string(entry.name), entry.type});
      layout.note(entry.name);
    });
    if (!listed) reporter_.add("RW292", folder.path, 0, "cannot list the folder");
    entries_ += entries.size();
    folder.is_git = layout.is_git();
    if (folder.is_git && !folder.path.empty() && !folder.in_git)
      reporter_.add("RW242", folder.path, 0, "a folder with HEAD, objects and refs");
    for (const Entry& entry : entries) {
      look_at(fd.get(), join(folder.path, entry.name), entry, folder, waiting);
    }
  }

  void look_at(int fd, const std::string& path, const Entry& entry, const Folder& around,
               std::vector<Folder>& waiting) {
    // Behind a link, names and links are told where they lie.
    if (!around.in_git && around.links == 0) check_name(path, around.in_packages, reporter_);
    switch (entry.type) {
      case DT_DIR:
        if (around.in_git && is_bulk_of_git(path)) {
          look_for_links(join(around.real, std::string(files::last_name(path))), path);
          return look_at_alternates(path);
        }
        waiting.push_back(place_of(path));
        waiting.back().real = join(around.real, std::string(files::last_name(path)));
        waiting.back().links = around.links;
        break;
      case DT_LNK:
        look_at_link(fd, entry.name, path, around, waiting);
        break;
      case DT_REG:
        look_at_file(fd, entry.name, path, around);
        break;
      case DT_UNKNOWN:
        break;  // gone meanwhile
      default:
        reporter_.add("RW291", path, 0, "a device, socket or queue");
    }
  }

  void look_at_link(int fd, const std::string& name, const std::string& path, const Folder& around,
                    std::vector<Folder>& waiting) {
    char target[4096];
    ssize_t length = readlinkat(fd, name.c_str(), target, sizeof target);
    if (length < 0) return;
    std::string lies = join(around.real, std::string(files::last_name(path)));
    std::optional<LinkEnd> end = follow_link(top_, lies);
    bool leads_out = end && end->leads_out;
    if (!around.in_packages && around.links == 0)
      check_link(path, {target, static_cast<size_t>(length)}, leads_out, reporter_);
    struct stat facts;
    if (!end || leads_out) return;
    const char* place = end->path.empty() ? "." : end->path.c_str();
    if (fstatat(top_, place, &facts, AT_SYMLINK_NOFOLLOW) < 0) return;
    if (S_ISREG(facts.st_mode)) {
      look_at_file(top_, end->path, path, around, true);
    } else if (S_ISDIR(facts.st_mode) && is_obeyed_by_name(path, around)) {
      look_behind(path, *end, around, waiting);
    }
  }

  // Other folders are looked at where they lie, and nothing in them is obeyed by the link's name.
  static bool is_obeyed_by_name(const std::string& path, const Folder& around) {
    return around.in_git || around.is_git || path.starts_with('.') || path.contains("/.");
  }

  void look_behind(const std::string& path, const LinkEnd& end, const Folder& around,
                   std::vector<Folder>& waiting) {
    // A link to the folder around it gives all there a second name, and then nothing new.
    bool is_circle = end.path.empty() || (around.real + "/").starts_with(end.path + "/");
    if (is_circle && around.links > 0) return;
    if (around.links == kMostLinksOfAPath) {
      reporter_.add("RW293", path, 0, "links lead through links here");
      return;
    }
    if (around.in_git && is_bulk_of_git(path)) return;
    waiting.push_back(place_of(path));
    waiting.back().real = end.path;
    waiting.back().links = around.links + 1;
  }

  // What git fills holds files alone: it writes through whatever else lies there.
  void look_for_links(const std::string& real, const std::string& path) {
    Fd fd(openat(top_, real.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd) return tell_closed(path, errno);
    std::vector<Entry> odd;
    Status listed = reader_.read(fd.get(), [&](const FolderReader::Entry& entry) {
      entries_++;
      if (entry.type != DT_REG) odd.push_back({std::string(entry.name), entry.type});
    });
    if (!listed) reporter_.add("RW292", path, 0, "cannot list the folder");
    for (const Entry& entry : odd) {
      std::string below = join(path, entry.name);
      if (entry.type == DT_DIR && has_room()) look_for_links(join(real, entry.name), below);
      if (entry.type == DT_DIR || entry.type == DT_UNKNOWN) continue;
      if (entry.type == DT_LNK) {
        check_link_of_git(fd.get(), entry.name, below);
      } else {
        reporter_.add("RW291", below, 0, "a device, socket or queue");
      }
    }
  }

  void check_link_of_git(int fd, const std::string& name, const std::string& path) {
    char target[4096];
    ssize_t length = readlinkat(fd, name.c_str(), target, sizeof target);
    std::string_view text(target, length < 0 ? 0 : static_cast<size_t>(length));
    if (length >= 0 && !files::judge_link_in_git(path, text).empty())
      reporter_.add("RW247", path, 0, "leads to " + std::string(text));
  }

  // The objects are git's own; where others come from stands in one file.
  void look_at_alternates(const std::string& path) {
    if (!path.ends_with("/objects")) return;
    std::string file = path + "/info/alternates";
    Subject subject{"", check_git_redirect, 1 << 16, ""};
    if (faccessat(top_, file.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0)
      read_and_check(top_, file, file, subject);
  }

  void look_at_file(int fd, const std::string& name, const std::string& path, const Folder& around,
                    bool is_link = false) {
    reporter_.count_file();
    if (auto check = git_check_of(path, around.is_git)) {
      read_and_check(fd, name, path, {"", check, 1u << 20, "RW252"});
      return;
    }
    if (around.in_git) return;
    subjects_.each(path, [&](const Subject& subject) {
      if (around.in_packages && !subject.in_packages) return;
      if (subject.is_prose && (is_link || around.links > 0)) return;  // read where it lies
      if (subject.is_prose) {
        prose_.push_back({path, &subject});
      } else {
        read_and_check(fd, name, path, subject);
      }
    });
    if (around.in_packages || is_link || around.links > 0) return;
    if (const Subject* subject = subject_without_ending(path))
      read_and_check(fd, name, path, *subject);
  }

  void read_and_check(int fd, const std::string& name, const std::string& path,
                      const Subject& subject) {
    bool is_optional = subject.too_big.empty();
    if (is_optional && text_bytes_ > kMostTextBytes)
      return reporter_.say_incomplete("more text than an audit reads");
    Fd file(openat(fd, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat facts;
    if (!file || fstat(file.get(), &facts) < 0) {
      reporter_.add("RW292", path, 0, std::string("cannot open it: ") + strerror(errno));
      return;
    }
    if (!S_ISREG(facts.st_mode)) return;
    auto size = static_cast<uint64_t>(facts.st_size);
    if (size > subject.most_bytes && !is_optional) {
      reporter_.add(subject.too_big, path, 0, "it is " + std::to_string(size) + " bytes long");
      return;
    }
    if (size > subject.most_bytes && subject.check == check_characters && is_binary(file.get()))
      return;
    if (size > subject.most_bytes)
      return reporter_.say_incomplete("texts of more than " +
                                      std::to_string(subject.most_bytes >> 20) + " MiB");
    auto content = file::read_all(file.get(), subject.most_bytes);
    if (!content) {
      reporter_.add("RW292", path, 0, content.error().what);
      return;
    }
    if (is_optional) text_bytes_ += content->size();
    subject.check(
        {path, *content, [&](std::string_view other) { return read_beside(path, other); }},
        reporter_);
  }

  // A program or picture, as nearly all big files without an ending are.
  static bool is_binary(int file) {
    char head[1024];
    ssize_t length = pread(file, head, sizeof head, 0);
    return length > 0 && memchr(head, 0, static_cast<size_t>(length)) != nullptr;
  }

  // A file that another one names.
  std::string read_beside(const std::string& path, std::string_view name) {
    std::vector<std::string_view> parts = text::split_in_place(path, '/');
    parts.pop_back();
    for (std::string_view part : text::split_in_place(name, '/')) {
      if (part == "..") {
        if (parts.empty()) return {};
        parts.pop_back();
      } else if (!part.empty() && part != ".") {
        parts.push_back(part);
      }
    }
    std::string whole;
    for (std::string_view part : parts)
      whole += (whole.empty() ? "" : "/") + std::string(part);
    std::optional<LinkEnd> end = follow_link(top_, whole);
    if (name.starts_with('/') || !end || end->leads_out || end->path.empty()) return {};
    Fd file(
        openat(top_, end->path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat facts;
    if (!file || fstat(file.get(), &facts) < 0 || !S_ISREG(facts.st_mode)) return {};
    return file::read_all(file.get(), kMostBesideBytes).value_or("");
  }

  int top_;
  Reporter& reporter_;
  FolderReader reader_;
  SubjectNames subjects_;
  struct Prose {
    std::string path;
    const Subject* subject;
  };
  std::vector<Prose> prose_;
  size_t entries_ = 0;
  bool is_full_ = false;
  uint64_t text_bytes_ = 0;
  int64_t begun_ = clock::monotonic();
};

}  // namespace

Status scan_repository(const std::vector<std::string>& only, Reporter& reporter) {
  Fd top(open(kRepositoryInside, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!top) return fail_errno("cannot open the repository");
  RepositoryWalk walk(top.get(), reporter);
  if (only.empty()) walk.walk("");
  for (const std::string& path : only)
    walk.look_at_one(path);
  walk.read_prose();
  return {};
}

}  // namespace ringwall::audit
