#include "sandbox/file_plan.h"

#include <algorithm>
#include <set>
#include <span>

#include "base/path.h"
#include "base/text.h"
#include "sandbox/exec_mounts.h"
#include "sandbox/system_files.h"
#include "sandbox/wall.h"

namespace ringwall::sandbox {
namespace {

void add_grants(std::vector<Mount>& mounts, const FileGrants& files) {
  for (const Grant& grant : files.grants) {
    bool reviewed = !grant.layer.empty() && !is_taken_away(Wall::review_layer);
    mounts.push_back({.kind = reviewed ? Mount::Kind::overlay : Mount::Kind::bind,
                      .target = grant.path,
                      .source = grant.path,
                      .access = grant.access,
                      .reason = grant.reason + (reviewed ? ", under review" : ""),
                      .upper = grant.layer,
                      .is_reviewed = reviewed,
                      .callers_own = true,
                      .rule = grant.rule});
  }
  mounts.insert(mounts.end(), files.in_review.begin(), files.in_review.end());
  for (const HomeState& state : files.state) {
    if (is_taken_away(Wall::private_home)) break;  // no mount point for it in the real one
    mounts.push_back({.kind = Mount::Kind::bind,
                      .target = state.target,
                      .source = state.source,
                      .access = Access::write,
                      .reason = state.reason,
                      .callers_own = true,
                      .rule = state.rule});
  }
  for (const CacheLayer& cache : files.caches) {
    mounts.push_back({.kind = Mount::Kind::overlay,
                      .target = cache.target,
                      .source = cache.lower,
                      .access = Access::write,
                      .reason = "the real home's cache, changes kept apart",
                      .upper = cache.upper,
                      .callers_own = true});
  }
}

// A mount point cannot be renamed away, but a folder above it can, and another put in its place.
void pin_way_to(std::vector<Mount>& mounts, std::set<std::string>& pinned, const OwnPlace& own) {
  for (std::string at = path::parent(own.target); at != own.around; at = path::parent(at)) {
    if (!pinned.insert(at).second) continue;
    mounts.push_back({.kind = Mount::Kind::pin,
                      .target = at,
                      .source = own.around,
                      .reason = "holds what is this run's own"});
  }
}

std::string reason_of(const OwnPlace& own, const FileGrants& files) {
  auto copied = std::ranges::count_if(
      files.made, [&](const MadeFile& made) { return path::is_beneath(made.target, own.source); });
  if (copied == 0) return "this run's own, empty at each start";
  return "this run's own, at each start a copy of the real home's (" + std::to_string(copied) +
         (copied == 1 ? " file)" : " files)");
}

void add_own_places(std::vector<Mount>& mounts, const FileGrants& files) {
  if (is_taken_away(Wall::private_home)) return;
  std::set<std::string> pinned;
  for (const OwnPlace& own : files.own) {
    // What was granted by its name is the real one.
    bool is_granted = std::ranges::any_of(files.grants, [&](const Grant& grant) {
      return path::is_beneath(own.target, grant.path) && path::is_beneath(grant.path, own.around);
    });
    if (is_granted) continue;
    mounts.push_back({.kind = own.is_folder ? Mount::Kind::own_folder : Mount::Kind::own_link,
                      .target = own.target,
                      .source = own.source,
                      .access = own.is_folder ? Access::write : Access::none,
                      .reason = reason_of(own, files),
                      .rule = own.rule});
    pin_way_to(mounts, pinned, own);
  }
}

// A tree of the host at its own place.
bool shows_host_tree(const Mount& mount) {
  return mount.kind == Mount::Kind::bind || mount.is_reviewed;
}

// True if a host tree that is mounted inside holds `path` already.
bool lies_in_host_tree(std::span<const Mount> mounts, const std::string& path) {
  return std::any_of(mounts.begin(), mounts.end(), [&](const Mount& mount) {
    return shows_host_tree(mount) && path::is_beneath(path, mount.target);
  });
}

void add_made_files(std::vector<Mount>& mounts, const FileGrants& files, const Identity& identity) {
  size_t others = mounts.size();
  for (const MadeFile& made : files.made) {
    if (made.roots_own && !identity.shown_as_root) continue;
    // What the host has there is the organisation's own word, or was granted by name.
    if (lies_in_host_tree(std::span(mounts).first(others), made.target)) continue;
    mounts.push_back({.kind = Mount::Kind::file,
                      .target = made.target,
                      .reason = made.reason,
                      .content = made.content,
                      .mode = made.mode,
                      .roots_own = made.roots_own,
                      .rule = made.rule});
  }
}

// Folders that exist only because a grant lies below them. The inside may not write there: it would
// be lost at the end, beside a workspace that is not.
void add_ways(std::vector<Mount>& mounts, const FileGrants& files) {
  std::set<std::string> made;
  for (const Grant& grant : files.grants) {
    for (std::string at = path::parent(grant.path); at != "/"; at = path::parent(at)) {
      bool known = std::any_of(mounts.begin(), mounts.end(), [&](const Mount& mount) {
        bool is_state = !shows_host_tree(mount) || mount.source != mount.target;
        bool holds_state = mount.callers_own && is_state && path::is_beneath(mount.target, at);
        return mount.target == at || holds_state;
      });
      if (lies_in_host_tree(mounts, at)) break;
      if (known || !made.insert(at).second) continue;
      mounts.push_back({.kind = Mount::Kind::folder,
                        .target = at,
                        .reason = "on the way to what is granted",
                        .mode = 0555});
    }
  }
}

void add_links(std::vector<Mount>& mounts, const FileGrants& files) {
  for (const LinkOnTheWay& link : files.links) {
    if (lies_in_host_tree(mounts, link.path)) continue;
    bool taken = std::any_of(mounts.begin(), mounts.end(),
                             [&](const Mount& mount) { return mount.target == link.path; });
    if (taken) continue;
    mounts.push_back({.kind = Mount::Kind::symlink,
                      .target = link.path,
                      .source = link.target,
                      .reason = "a granted path is known by this name too"});
  }
}

// The first few.
std::string path_list(const std::vector<std::string>& names) {
  constexpr size_t kMostShown = 4;
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (shown.size() == kMostShown) break;
    shown.push_back(text::quote(name));
  }
  return text::join(shown, ", ") + (names.size() > kMostShown ? ", …" : "");
}

void add_missing(std::vector<Mount>& mounts, const FileGrants& files) {
  for (const MissingNames& folder : files.missing) {
    std::string reason = std::to_string(folder.names.size()) +
                         (folder.names.size() == 1 ? " program is" : " programs are") +
                         " missing: " + path_list(folder.names);
    mounts.push_back({.kind = Mount::Kind::without,
                      .target = folder.target,
                      .source = folder.source,
                      .access = Access::read,
                      .reason = reason,
                      .names = folder.names,
                      .callers_own = folder.callers_own});
  }
}

// The innermost granted tree in which `path` itself could be changed, or null.
const Grant* writable_tree(const FileGrants& files, const std::string& path) {
  const Grant* tree = nullptr;
  for (const Grant& grant : files.grants) {
    bool holds =
        grant.access == Access::write && grant.layer.empty() && path::is_beneath(path, grant.path);
    if (holds && (tree == nullptr || grant.path.size() > tree->path.size())) tree = &grant;
  }
  return tree;
}

// What is read-only in a writable tree must stay in its place: whoever renames a folder above it
// can put one of their own there.
class Pins {
 public:
  Pins(std::vector<Mount>& mounts, const FileGrants& files) : mounts_(mounts), files_(files) {}

  void pin_way_to(const std::string& path) {
    for (std::string folder = path::parent(path); folder != "/"; folder = path::parent(folder)) {
      if (!pin(folder, "holds what is read-only")) return;
    }
  }

  // False if `path` and everything above it is out of reach, or pinned already.
  bool pin(const std::string& path, const char* reason) {
    const Grant* tree = writable_tree(files_, path);
    if (tree == nullptr) return false;
    if (tree->path == path) return true;  // a mount point, which cannot be renamed anyway
    if (!pinned_.insert(path).second) return false;
    mounts_.push_back(
        {.kind = Mount::Kind::pin, .target = path, .source = tree->path, .reason = reason});
    return true;
  }

 private:
  std::vector<Mount>& mounts_;
  const FileGrants& files_;
  std::set<std::string> pinned_;
};

void pin_read_only_grants(Pins& pins, const FileGrants& files) {
  for (const Grant& grant : files.grants) {
    if (grant.access == Access::read) pins.pin_way_to(grant.path);
  }
}

void protect(std::vector<Mount>& mounts, Pins& pins, const FileGrants& files,
             const Protection& protection) {
  bool hidden = protection.kind == Protection::Kind::hidden;
  bool writable = writable_tree(files, protection.path) != nullptr;
  if (!hidden && !writable) return;
  pins.pin_way_to(protection.path);
  if (protection.kind == Protection::Kind::link) {
    pins.pin(protection.path, "a link to what is protected");
    return;
  }
  mounts.push_back({.kind = hidden ? Mount::Kind::mask : Mount::Kind::read_only,
                    .target = protection.path,
                    .access = hidden ? Access::none : Access::read,
                    .reason = protection.reason,
                    .may_be_missing = protection.may_be_missing});
}

void add_protections(std::vector<Mount>& mounts, Pins& pins, const FileGrants& files) {
  for (const Protection& protection : files.protections) {
    bool hidden = protection.kind == Protection::Kind::hidden;
    if (is_taken_away(hidden ? Wall::hidden_files : Wall::protected_files)) continue;
    protect(mounts, pins, files, protection);
  }
}

// An agent that could replace Ringwall's own program would decide over the next run.
void add_own_binary(std::vector<Mount>& mounts, Pins& pins, const FileGrants& files) {
  if (!files.own_binary || writable_tree(files, *files.own_binary) == nullptr) return;
  mounts.push_back({.kind = Mount::Kind::bind,
                    .target = *files.own_binary,
                    .source = *files.own_binary,
                    .access = Access::read,
                    .reason = "Ringwall's own program",
                    .callers_own = true});
  pins.pin_way_to(*files.own_binary);
}

// For the hooks of an agent: what they start, and whom it speaks to.
void add_gate(std::vector<Mount>& mounts, const FileGrants& files) {
  if (files.gate_socket.empty() || !files.own_binary) return;
  mounts.push_back({.kind = Mount::Kind::socket,
                    .target = files.gate_socket,
                    .reason = "what the agent's hooks say",
                    .whole_messages = true});
  mounts.push_back({.kind = Mount::Kind::bind,
                    .target = files.gate_program,
                    .source = *files.own_binary,
                    .access = Access::read,
                    .reason = "the program of the agent's hooks",
                    .callers_own = true});
}

// A link of ours cannot lie on the way to a grant, as /var/tmp would: it becomes a folder.
void make_way(std::vector<Mount>& mounts) {
  for (Mount& link : mounts) {
    if (link.kind != Mount::Kind::symlink) continue;
    bool on_the_way = std::any_of(mounts.begin(), mounts.end(), [&](const Mount& mount) {
      return mount.target.size() > link.target.size() &&
             path::is_beneath(mount.target, link.target);
    });
    if (on_the_way) link.kind = Mount::Kind::folder;
  }
}

// By component: a slash sorts before every other letter, so /a/b comes before /a-b.
bool comes_before(const std::string& a, const std::string& b) {
  auto rank = [](char c) {
    return c == '/' ? 0 : static_cast<int>(static_cast<unsigned char>(c)) + 1;
  };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

// A later parent would cover an earlier child: write to a "read-only" file then succeeds. Each
// mount, which is big, is moved once.
std::vector<Mount> parents_first(std::vector<Mount> mounts) {
  std::vector<Mount*> order;
  for (Mount& mount : mounts)
    order.push_back(&mount);
  std::stable_sort(order.begin(), order.end(), [](const Mount* a, const Mount* b) {
    return comes_before(a->target, b->target);
  });
  std::vector<Mount> sorted;
  sorted.reserve(order.size());
  for (Mount* mount : order)
    sorted.push_back(std::move(*mount));
  return sorted;
}

}  // namespace

std::vector<Mount> plan_files(const FileGrants& files, const HostFacts& host,
                              const Identity& identity) {
  std::vector<Mount> mounts = plan_system_files(host, identity, files.home, files.shell,
                                                files.in_memory, files.has_resolver);
  add_grants(mounts, files);
  add_own_places(mounts, files);
  add_made_files(mounts, files, identity);
  for (const std::string& path : files.served)
    mounts.push_back(
        {.kind = Mount::Kind::socket, .target = path, .reason = "logins, asked for outside"});
  add_gate(mounts, files);
  add_missing(mounts, files);
  add_ways(mounts, files);
  add_links(mounts, files);
  Pins pins(mounts, files);
  pin_read_only_grants(pins, files);
  add_own_binary(mounts, pins, files);
  add_protections(mounts, pins, files);
  for (const std::string& socket : files.sockets) {
    if (is_taken_away(Wall::socket_masks)) break;
    mounts.push_back({.kind = Mount::Kind::mask,
                      .target = socket,
                      .reason = "a socket of the host lies in a granted tree"});
  }
  if (!files.git_settings.empty() && !is_taken_away(Wall::git_settings)) {
    mounts.push_back({.kind = Mount::Kind::file,
                      .target = kGitSettingsFile,
                      .reason = "the person's git preferences that name no program",
                      .content = files.git_settings,
                      .mode = 0444});
  }
  if (!files.ignored_by_git.empty()) {
    mounts.push_back({.kind = Mount::Kind::file,
                      .target = kGitIgnoreFile,
                      .reason = "hidden files, which git cannot read",
                      .content = files.ignored_by_git,
                      .mode = 0444});
  }
  if (files.only_known && !is_taken_away(Wall::noexec_writable))
    withhold_execution(mounts, files.exec_trees);
  if (files.keeps_code) withhold_memory_files(mounts);
  make_way(mounts);
  return parents_first(std::move(mounts));
}

}  // namespace ringwall::sandbox
