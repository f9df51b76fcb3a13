#include "state/homes.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/caches.h"
#include "state/logins.h"
#include "state/store_places.h"

namespace ringwall::state {
namespace {

// A home belongs to one workspace unless it was named: two paths with one digest must not share.
Status claim_home(int home, const std::string& name, const std::string& workspace) {
  auto note = file::open_beneath(home, "workspace", O_RDONLY);
  if (!note) {
    if (note.error().err != ENOENT) return std::unexpected(note.error());
    return file::replace_at(home, "workspace", workspace);
  }
  TRY_ASSIGN(std::string owner, file::read_all(note->get(), 8192));
  if (owner == workspace) return {};
  // Cut off by a power failure.
  if (owner.empty()) return file::replace_at(home, "workspace", workspace);
  return fail("the private home " + name + " belongs to the workspace " + text::quote(owner),
              "choose a home with --home NAME");
}

bool is_on_path(std::string_view tool, const std::string& search_path) {
  std::vector<std::string> folders = text::split(search_path, ':');
  return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
    return access(path::join(folder, tool).c_str(), X_OK) == 0;
  });
}

std::vector<std::string> kept_folders(const policy::Policy::Home& wanted,
                                      const std::string& search_path) {
  std::vector<std::string> folders;
  for (const policy::KeptState& state : policy::kept_state()) {
    if (state.tool.empty() || is_on_path(state.tool, search_path)) {
      folders.emplace_back(state.folder);
    }
  }
  for (const policy::Text& entry : wanted.keep)
    folders.push_back(entry.value);
  std::sort(folders.begin(), folders.end());
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  // A folder below another one persists with it; mounting it apart would let the outer one shadow
  // it.
  std::vector<std::string> outermost;
  for (const std::string& folder : folders) {
    bool covered = std::any_of(outermost.begin(), outermost.end(), [&](const std::string& outer) {
      return path::is_beneath(folder, outer);
    });
    if (!covered) outermost.push_back(folder);
  }
  return outermost;
}

// The inside owns its state and may have closed it to itself.
Status open_state(int home, const std::string& folder) {
  auto made = file::make_dirs_at(home, folder);
  bool is_closed = !made && made.error().err == EACCES;
  constexpr int kItself = O_PATH | O_DIRECTORY | O_NOFOLLOW;
  // By its descriptor: what the inside leaves there may be a link to what is not its own.
  auto found = is_closed ? file::open_beneath(home, folder, kItself) : std::move(made);
  if (!found) return std::unexpected(found.error());
  if (!is_closed) return {};
  std::string itself = "/proc/self/fd/" + std::to_string(found->get());
  if (chmod(itself.c_str(), 0700) < 0) return fail_errno("cannot open " + text::quote(folder));
  made = file::make_dirs_at(home, folder);
  if (!made) return std::unexpected(made.error());
  return {};
}

// The login store in which `target` lies, or null.
const sandbox::HomeState* store_around(std::span<const sandbox::HomeState> stores,
                                       const std::string& target) {
  for (const sandbox::HomeState& store : stores) {
    if (path::is_beneath(target, store.target)) return &store;
  }
  return nullptr;
}

// The layers of the caches that were asked for and exist in the real home.
std::vector<sandbox::CacheLayer> plan_layers(const std::string& home_folder,
                                             const policy::Cache& cache, const Caller& caller) {
  std::vector<sandbox::CacheLayer> layers;
  for (const std::string& name : text::split(cache.folders, ' ')) {
    std::string real = path::join(caller.home, name);
    struct stat facts;
    if (lstat(real.c_str(), &facts) < 0 || !S_ISDIR(facts.st_mode)) continue;  // nothing to offer
    std::string flat = name;
    std::replace(flat.begin(), flat.end(), '/', '+');
    layers.push_back({real, real, home_folder + "/layers/" + std::string(cache.name) + "/" + flat});
  }
  return layers;
}

enum class Wanted { no, if_free, yes };

// A cache that a profile brings was not asked for by its name: where it cannot be had, the run goes
// on without it.
Wanted how_wanted(const policy::Policy::Home& wanted, std::string_view cache) {
  Wanted how = Wanted::no;
  for (const policy::Text& entry : wanted.caches) {
    if (entry.value != cache) continue;
    if (entry.origin.layer != policy::Layer::profile) return Wanted::yes;
    how = Wanted::if_free;
  }
  return how;
}

Result<Fd> lock_cache(int folder, const PrivateHome& home, const policy::Cache& cache) {
  TRY_ASSIGN(Fd layer, file::make_dirs_at(folder, "layers/" + std::string(cache.name)));
  if (flock(layer.get(), LOCK_EX | LOCK_NB) < 0) {
    if (errno != EWOULDBLOCK) return fail_errno("cannot lock the cache " + std::string(cache.name));
    return fail("the cache " + std::string(cache.name) + " of the private home " + home.name +
                    " is in use by another run",
                "give this run a home of its own: --home NAME");
  }
  return layer;
}

// A run can leave a link or a file where the cache is to lie: nothing is mounted there. Empty: it
// has not.
std::string find_obstacle(const PrivateHome& home, const sandbox::CacheLayer& layer) {
  for (const sandbox::HomeState& kept : home.state) {
    if (kept.target == layer.target || !path::is_beneath(layer.target, kept.target)) continue;
    std::string at = kept.source;
    struct stat facts;
    for (const std::string& part : path::components(layer.target.substr(kept.target.size()))) {
      at = path::join(at, part);
      if (lstat(at.c_str(), &facts) < 0) break;
      if (!S_ISDIR(facts.st_mode)) return at;
    }
  }
  return "";
}

// The layers of one cache, as far as they can be had.
Status add_layers(PrivateHome& home, const std::string& home_folder, const policy::Cache& cache,
                  Wanted how, const Caller& caller) {
  for (sandbox::CacheLayer& layer : plan_layers(home_folder, cache, caller)) {
    std::string obstacle = find_obstacle(home, layer);
    if (!obstacle.empty() && how == Wanted::if_free) continue;
    if (!obstacle.empty())
      return fail("the cache " + std::string(cache.name) + " cannot be offered at " +
                      text::quote(layer.target) + ": a run has left there what is no folder",
                  "remove it: rm " + text::quote(obstacle));
    home.caches.push_back(std::move(layer));
  }
  return {};
}

Status add_caches(PrivateHome& home, int folder, const std::string& home_folder,
                  const policy::Policy::Home& wanted, const Caller& caller) {
  for (const policy::Cache& cache : policy::caches()) {
    Wanted how = how_wanted(wanted, cache.name);
    if (how == Wanted::no) continue;
    if (folder >= 0) {  // else only looking
      auto lock = lock_cache(folder, home, cache);
      if (!lock && lock.error().err == 0 && how == Wanted::if_free) continue;
      if (!lock) return std::unexpected(lock.error());
      home.locks.push_back(std::move(*lock));
    }
    TRY(add_layers(home, home_folder, cache, how, caller));
  }
  if (folder < 0) return {};
  for (const sandbox::CacheLayer& layer : home.caches) {
    std::string below = layer.upper.substr(home_folder.size() + 1);
    TRY(file::make_dirs_at(folder, below + "/upper"));
    TRY(file::make_dirs_at(folder, below + "/work"));
  }
  return {};
}

}  // namespace

namespace {

constexpr const char* kInReach = "/writable/";

bool is_noted(const std::string& path, const Places& places,
              std::initializer_list<std::string> notes) {
  return std::ranges::any_of(notes, [&](const std::string& note) {
    auto owner = file::read(places.state + note);
    return owner && *owner == path;
  });
}

Status note(const std::string& path, const std::string& folder, const Places& places) {
  TRY_ASSIGN(Fd notes, file::make_dirs(places.state + folder));
  return file::replace_at(notes.get(), name_for_path(path), path);
}

}  // namespace

bool was_workspace(const std::string& workspace, const Places& places) {
  std::string name = name_for_path(workspace);
  return is_noted(workspace, places, {"/homes/" + name + "/workspace", "/workspaces/" + name});
}

bool was_in_reach(const std::string& path, const Places& places) {
  for (std::string at = path::parent(path); at != "/"; at = path::parent(at)) {
    if (was_workspace(at, places) || is_noted(at, places, {kInReach + name_for_path(at)}))
      return true;
  }
  return false;
}

Status note_workspace(const std::string& workspace, const Places& places) {
  return was_workspace(workspace, places) ? Status() : note(workspace, "/workspaces", places);
}

Status note_in_reach(const std::vector<std::string>& folders, const Places& places) {
  for (const std::string& folder : folders) {
    bool is_known = was_workspace(folder, places) ||
                    is_noted(folder, places, {kInReach + name_for_path(folder)});
    if (!is_known) TRY(note(folder, kInReach, places));
  }
  return {};
}

Result<PrivateHome> prepare_home(const policy::Policy::Home& wanted, const std::string& workspace,
                                 const std::string& search_path, const Caller& caller,
                                 const Places& places, bool only_look) {
  PrivateHome home;
  bool named = !wanted.name.value.empty();
  home.name = named ? wanted.name.value : name_for_path(workspace);
  if (wanted.fresh.on) {
    for (const policy::Text& cache : wanted.caches) {
      if (how_wanted(wanted, cache.value) != Wanted::yes) continue;
      return fail("--fresh keeps nothing, so it cannot offer a cache", "leave one of them out");
    }
    TRY(copy_settings(home, wanted, caller, places, only_look));
    return home;
  }
  home.state = login_folders(wanted, caller, places);
  std::string path = places.state + "/homes/" + home.name;
  size_t shared = home.state.size();
  for (const std::string& kept : kept_folders(wanted, search_path)) {
    std::string target = path::join(caller.home, kept);
    const sandbox::HomeState* store = store_around(std::span(home.state).first(shared), target);
    // A whole store is shared since that was asked for.
    if (store == nullptr || store->target != target)
      home.state.push_back({target, path + "/state/" + kept});
  }
  TRY(copy_settings(home, wanted, caller, places, only_look));
  if (only_look) {
    TRY(add_caches(home, -1, path, wanted, caller));
    return home;
  }
  TRY_ASSIGN(Fd folder, file::make_dirs(path));
  if (!named) TRY(claim_home(folder.get(), home.name, workspace));
  auto stores = std::span<const sandbox::HomeState>(home.state).first(shared);
  for (const sandbox::HomeState& kept : std::span(home.state).subspan(shared)) {
    TRY(open_state(folder.get(), kept.source.substr(path.size() + 1)));
    // All workspaces share a login store; what each keeps for itself is mounted over a folder of
    // it.
    if (const sandbox::HomeState* store = store_around(stores, kept.target))
      TRY(make_mount_point(*store, kept.target));
  }
  TRY(add_caches(home, folder.get(), path, wanted, caller));
  return home;
}

}  // namespace ringwall::state
