#include "state/logins.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/tree.h"
#include "sandbox/toolchain.h"

namespace ringwall::state {
namespace {

constexpr size_t kMostBytes = 16 << 20;
constexpr size_t kMostFiles = 2000;
// A store is the agent's to fill: what it nests or multiplies must not use up our stack or time.
constexpr ptrdiff_t kMostDepth = 32;

struct FileCopy {
  std::string content;
  unsigned mode = 0600;
  bool operator==(const FileCopy&) const = default;
};

// Files by their path below what was read; that of a single file is empty.
struct FileTree {
  std::map<std::string, FileCopy> files;
  size_t bytes = 0;
  size_t folders = 0;
  bool is_pure = true;  // nothing but folders and files that their owner can use
};

// Links and devices are left out.
Status read_tree(int dir, const std::string& name, const std::string& below, FileTree& tree) {
  Fd there(openat(dir, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat facts;
  bool readable = there && fstat(there.get(), &facts) == 0;
  if (!readable || (!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))) {
    tree.is_pure = false;
    return {};
  }
  if (S_ISDIR(facts.st_mode)) {
    if (std::count(below.begin(), below.end(), '/') > kMostDepth) return fail("too deep");
    if (++tree.folders > kMostFiles) return fail("too large");
    TRY_ASSIGN(auto entries, file::list(there.get()));
    for (const file::Entry& entry : entries) {
      std::string next = below.empty() ? entry.name : below + "/" + entry.name;
      TRY(read_tree(there.get(), entry.name, next, tree));
    }
    return {};
  }
  if (tree.files.size() >= kMostFiles || static_cast<size_t>(facts.st_size) > kMostBytes)
    return fail("too large");
  TRY_ASSIGN(std::string content, file::read_all(there.get(), kMostBytes));
  if ((tree.bytes += content.size()) > kMostBytes) return fail("too large");
  if ((facts.st_mode & 0600) != 0600) tree.is_pure = false;  // closed: not as it was copied
  bool runs = (facts.st_mode & 0100) != 0;
  tree.files[below] = {std::move(content), runs ? 0700u : 0600u};
  return {};
}

// What the real home has at `path`; empty if there is nothing, or if an agent could have put a
// link on the way, which may lead to anything of the person's.
Result<FileTree> read_settings(const std::string& path, const Places& places) {
  sandbox::Way way = sandbox::follow_links(path);
  for (const sandbox::LinkOnTheWay& link : way.links) {
    if (was_in_reach(link.path, places)) return FileTree{};
  }
  FileTree tree;
  auto folder = file::open(path::parent(way.end), O_PATH | O_DIRECTORY);
  if (!folder) return tree;
  if (Status done = read_tree(folder->get(), std::string(path::basename(way.end)), "", tree);
      !done) {
    return fail("the settings " + text::quote(path) + " cannot be copied into the private home: " +
                    done.error().text() + " (the most are " + std::to_string(kMostFiles) +
                    " files and " + std::to_string(kMostBytes >> 20) + " MB)",
                "make it smaller, or do without: ringwall run --no-profile …");
  }
  return tree;
}

constexpr std::string_view kAside = ".removed-";

// Out of the store in one step, so that nobody can fill it again while it is removed: another run
// of the same agent may have the store before it.
Status move_out(int parent, const std::string& name, int above, const std::string& aside) {
  auto move = [&] {
    return renameat2(parent, name.c_str(), above, aside.c_str(), RENAME_NOREPLACE);
  };
  if (move() == 0 || errno == ENOENT) return {};
  if (errno != EACCES) return fail_errno("cannot take away " + text::quote(name));
  // A folder that its owner has closed cannot be moved. By its descriptor: a link may take its
  // place.
  TRY_ASSIGN(Fd closed, file::open_beneath(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW));
  std::string itself = "/proc/self/fd/" + std::to_string(closed.get());
  bool is_moved = chmod(itself.c_str(), 0700) == 0 && (move() == 0 || errno == ENOENT);
  return is_moved ? Status() : fail_errno("cannot take away " + text::quote(name));
}

Status take_away(int store, int parent, const std::string& name) {
  Fd above(openat(store, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!above) return fail_errno("cannot open the folder above a login store");
  static int number = 0;
  std::string aside =
      std::string(kAside) + std::to_string(getpid()) + "-" + std::to_string(number++);
  TRY(move_out(parent, name, above.get(), aside));
  // Who holds a descriptor of it can still write there, where nobody reads: the next start goes on.
  (void)tree::remove_at(above.get(), aside);
  return {};
}

void remove_what_was_left(const std::string& store) {
  auto above = file::open(path::parent(store), O_RDONLY | O_DIRECTORY);
  auto entries = above ? file::list(above->get()) : std::unexpected(above.error());
  for (size_t i = 0; entries && i < entries->size(); i++) {
    const std::string& name = (*entries)[i].name;
    if (name.starts_with(kAside)) (void)tree::remove_at(above->get(), name);
  }
}

// Makes `name` in `store` hold what `wanted` holds and nothing else.
Status make_equal(int store, const std::string& relative, const FileTree& wanted) {
  std::string above = path::parent("/" + relative).substr(1);
  std::string name(path::basename(relative));
  auto parent = file::open_beneath(store, above.empty() ? "." : above, O_RDONLY | O_DIRECTORY);
  if (parent) {
    FileTree there;
    Status read = read_tree(parent->get(), name, "", there);
    bool equal = read && there.is_pure && !wanted.files.empty() && there.files == wanted.files;
    if (equal) return {};
    TRY(take_away(store, parent->get(), name));
  }
  for (const auto& [below, copy] : wanted.files) {
    std::string target = below.empty() ? relative : relative + "/" + below;
    std::string folder = path::parent("/" + target).substr(1);
    TRY_ASSIGN(Fd made, file::make_dirs_at(store, folder.empty() ? "." : folder));
    TRY(file::replace_at(made.get(), std::string(path::basename(target)), copy.content, copy.mode));
  }
  return {};
}

// Takes every member of that name out of a JSON value; true if there was one.
bool remove_members(boost::json::value& value, const std::string& name) {
  bool found = false;
  if (auto* object = value.if_object()) {
    found = object->erase(name) > 0;
    for (auto& member : *object)
      found = remove_members(member.value(), name) || found;
  } else if (auto* list = value.if_array()) {
    for (auto& entry : *list)
      found = remove_members(entry, name) || found;
  }
  return found;
}

// What is no JSON to us may be some to the agent: it goes as a whole.
Status forget_member(int store, const std::string& relative, const std::string& name) {
  auto there = file::open_beneath(store, relative, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!there && there.error().err == ENOENT) return {};
  struct stat facts;
  bool readable = there && fstat(there->get(), &facts) == 0 && S_ISREG(facts.st_mode);
  auto text = readable ? file::read_all(there->get(), kMostBytes) : std::string();
  boost::system::error_code wrong;
  boost::json::value value;
  if (readable && text) value = boost::json::parse(*text, wrong);
  if (!readable || !text || wrong) return make_equal(store, relative, {});
  if (!remove_members(value, name)) return {};
  FileTree changed;
  changed.files[""] = {boost::json::serialize(value), 0600};
  return make_equal(store, relative, changed);
}

class Copier {
 public:
  Copier(PrivateHome& home, const Caller& caller, const Places& places, bool only_look)
      : home_(home), caller_(caller), places_(places), only_look_(only_look) {}

  Status copy(const policy::Text& entry, std::string_view key) {
    std::string path = path::join(caller_.home, entry.value);
    TRY_ASSIGN(FileTree tree, read_settings(path, places_));
    if (const sandbox::HomeState* store = store_of(path)) return put(*store, path, tree);
    for (auto& [below, file] : tree.files) {
      if (is_copied(below.empty() ? path : path + "/" + below)) continue;
      home_.copies.push_back({.target = below.empty() ? path : path + "/" + below,
                              .content = std::move(file.content),
                              .mode = file.mode,
                              .reason = "a copy of the real home's (" + entry.origin.text() + ")",
                              .rule = {key, entry.origin}});
    }
    return {};
  }

  // "FILE#NAME" is every member NAME of a JSON file.
  Status forget(const policy::Text& entry) {
    size_t hash = std::min(entry.value.find('#'), entry.value.size());
    std::string path = path::join(caller_.home, entry.value.substr(0, hash));
    const sandbox::HomeState* store = store_of(path);
    if (store == nullptr || only_look_) return {};
    if (hash == entry.value.size()) return put(*store, path, {});
    TRY_ASSIGN(Fd folder, file::make_dirs(store->source));
    return forget_member(folder.get(), path.substr(store->target.size() + 1),
                         entry.value.substr(hash + 1));
  }

  // A login is not overwritten with nothing.
  Status copy_credentials(const policy::Text& entry) {
    std::string path = path::join(caller_.home, entry.value);
    return file::exists(path) ? copy(entry, "home.credentials") : Status{};
  }

 private:
  // The innermost: what a workspace keeps for itself may lie in a login store.
  const sandbox::HomeState* store_of(const std::string& path) const {
    const sandbox::HomeState* innermost = nullptr;
    for (const sandbox::HomeState& state : home_.state) {
      bool is_inner = innermost == nullptr || path::is_beneath(state.target, innermost->target);
      if (is_inner && path != state.target && path::is_beneath(path, state.target))
        innermost = &state;
    }
    return innermost;
  }

  bool is_copied(const std::string& target) const {
    for (const sandbox::MadeFile& copy : home_.copies) {
      if (copy.target == target) return true;
    }
    return false;
  }

  Status put(const sandbox::HomeState& store, const std::string& path, const FileTree& tree) {
    if (only_look_) return {};
    TRY_ASSIGN(Fd folder, file::make_dirs(store.source));
    return make_equal(folder.get(), path.substr(store.target.size() + 1), tree);
  }

  PrivateHome& home_;
  const Caller& caller_;
  const Places& places_;
  bool only_look_;
};

}  // namespace

std::vector<sandbox::HomeState> login_folders(const policy::Policy::Home& wanted,
                                              const Caller& caller, const Places& places) {
  std::vector<sandbox::HomeState> folders;
  for (const policy::Text& entry : wanted.login) {
    size_t colon = entry.value.find(':');
    std::string name = entry.value.substr(0, colon), folder = entry.value.substr(colon + 1);
    std::string target = path::join(caller.home, folder);
    bool known = false;
    for (const sandbox::HomeState& other : folders)
      known = known || path::is_beneath(target, other.target);
    if (known) continue;
    folders.push_back({target,
                       places.state + "/logins/" + name + "/" + folder,
                       "login and state of " + name + ", shared by all workspaces",
                       {"home.login", entry.origin}});
  }
  return folders;
}

Status copy_settings(PrivateHome& home, const policy::Policy::Home& wanted, const Caller& caller,
                     const Places& places, bool only_look) {
  Copier copier(home, caller, places, only_look);
  for (const sandbox::HomeState& state : home.state) {
    if (only_look || state.rule.key != "home.login") continue;
    // The inside owns it and may have closed it to itself.
    auto made = file::make_dirs(state.source);
    if (chmod(state.source.c_str(), 0700) < 0)
      return made ? fail_errno("cannot open the login store " + text::quote(state.source))
                  : Status(std::unexpected(made.error()));
    remove_what_was_left(state.source);
  }
  for (const policy::Text& entry : wanted.forget)
    TRY(copier.forget(entry));
  for (const policy::Text& entry : wanted.copy)
    TRY(copier.copy(entry, "home.copy"));
  if (!wanted.copy_login.on) return {};
  for (const policy::Text& entry : wanted.credentials)
    TRY(copier.copy_credentials(entry));
  return {};
}

}  // namespace ringwall::state
