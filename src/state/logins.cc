#include "state/logins.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <set>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "sandbox/toolchain.h"
#include "state/store_places.h"

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

// Where nothing tells: most files of settings have a dot in their names, most folders none.
bool names_folder(const std::string& value) {
  return value.ends_with('/') || path::basename(value).find('.') == std::string_view::npos;
}

class Copier {
 public:
  Copier(PrivateHome& home, const Caller& caller, const Places& places, bool only_look)
      : home_(home), caller_(caller), places_(places), only_look_(only_look) {}

  // What lies in a folder that persists is each run's own: another one that goes on cannot change
  // what this one obeys.
  Status copy(const policy::Text& entry) {
    std::string path = place_of(entry.value);
    TRY_ASSIGN(FileTree tree, read_settings(path, places_));
    std::string target = path;
    if (const sandbox::HomeState* store = store_of(path)) {
      bool is_file = tree.files.contains("");
      bool is_folder = !is_file && (tree.folders > 0 || names_folder(entry.value));
      TRY(make_own(*store, path, is_folder, {"home.copy", entry.origin}));
      target = own_source(path);
    }
    keep_in_memory(target, path, tree, {"home.copy", entry.origin});
    return {};
  }

  // "FILE#NAME" is every member NAME of a JSON file.
  Status forget(const policy::Text& entry) {
    size_t hash = std::min(entry.value.find('#'), entry.value.size());
    std::string path = place_of(entry.value.substr(0, hash));
    const sandbox::HomeState* store = store_of(path);
    if (store == nullptr) return {};
    if (hash == entry.value.size())
      return make_own(*store, path, names_folder(entry.value), {"home.forget", entry.origin});
    if (only_look_) return {};
    TRY_ASSIGN(Fd folder, file::make_dirs(store->source));
    return forget_member(folder.get(), path.substr(store->target.size() + 1),
                         entry.value.substr(hash + 1));
  }

  // Into the store, for all runs. A login is not overwritten with nothing.
  Status copy_credentials(const policy::Text& entry) {
    std::string path = place_of(entry.value);
    if (!file::exists(path)) return {};
    TRY_ASSIGN(FileTree tree, read_settings(path, places_));
    const sandbox::HomeState* store = store_of(path);
    if (store == nullptr) keep_in_memory(path, path, tree, {"home.credentials", entry.origin});
    if (store == nullptr || only_look_) return {};
    TRY_ASSIGN(Fd folder, file::make_dirs(store->source));
    return make_equal(folder.get(), path.substr(store->target.size() + 1), tree);
  }

 private:
  std::string place_of(std::string_view below_home) const {
    if (below_home.ends_with('/')) below_home.remove_suffix(1);
    return path::join(caller_.home, below_home);
  }

  std::string own_source(const std::string& path) const {
    return path::join(caller_.home, sandbox::kOwnPlaces) + path.substr(caller_.home.size());
  }

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

  void keep_in_memory(const std::string& target, const std::string& seen_at, FileTree& tree,
                      const policy::Rule& rule) {
    for (auto& [below, file] : tree.files) {
      std::string rest = below.empty() ? "" : "/" + below;
      if (!copied_.insert(target + rest).second) continue;
      home_.copies.push_back({.target = target + rest,
                              .content = std::move(file.content),
                              .mode = file.mode,
                              .reason = "a copy of the real home's (" + rule.origin.text() + ")",
                              .rule = rule,
                              .seen_at = seen_at + rest});
    }
  }

  Status make_own(const sandbox::HomeState& store, const std::string& path, bool is_folder,
                  const policy::Rule& rule) {
    auto& own = home_.own;
    auto covers = [&](const sandbox::OwnPlace& other) {
      return path::is_beneath(path, other.target);
    };
    if (std::ranges::any_of(own, covers)) return {};
    std::erase_if(
        own, [&](const sandbox::OwnPlace& other) { return path::is_beneath(other.target, path); });
    own.push_back({path, own_source(path), store.target, is_folder, rule});
    return only_look_ ? Status() : make_own_place(store, own.back());
  }

  PrivateHome& home_;
  const Caller& caller_;
  const Places& places_;
  bool only_look_;
  std::set<std::string> copied_;
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
  std::vector<std::string> stores;
  for (const sandbox::HomeState& state : home.state) {
    if (only_look || state.rule.key != "home.login") continue;
    // The inside owns it and may have closed it to itself.
    auto made = file::make_dirs(state.source);
    if (chmod(state.source.c_str(), 0700) < 0)
      return made ? fail_errno("cannot open the login store " + text::quote(state.source))
                  : Status(std::unexpected(made.error()));
    stores.push_back(state.source);
  }
  TRY_ASSIGN(std::vector<Fd> locks, lock_stores(stores));
  for (const std::string& store : stores)
    remove_what_was_left(store);
  // First: the real home knows which of them are folders.
  for (const policy::Text& entry : wanted.copy)
    TRY(copier.copy(entry));
  for (const policy::Text& entry : wanted.forget)
    TRY(copier.forget(entry));
  if (!wanted.copy_login.on) return {};
  for (const policy::Text& entry : wanted.credentials)
    TRY(copier.copy_credentials(entry));
  return {};
}

}  // namespace ringwall::state
