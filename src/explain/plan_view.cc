#include "explain/plan_view.h"

#include <sys/stat.h>

#include <algorithm>
#include <deque>

#include "base/file.h"
#include "base/path.h"

namespace ringwall::explain {
namespace {

using sandbox::Mount;

constexpr int kMostLinks = 40;  // as the kernel has it

bool is_over_another(const Mount& mount) {
  return mount.kind == Mount::Kind::read_only || mount.kind == Mount::Kind::mask ||
         mount.kind == Mount::Kind::pin || mount.kind == Mount::Kind::without;
}

class View {
 public:
  explicit View(const sandbox::Plan& plan) : plan_(plan) {}

  PlaceInside find(const std::string& path) {
    std::deque<std::string> left;
    for (std::string& part : path::components(path))
      left.push_back(std::move(part));
    std::string at = "/";
    int links = 0;
    while (!left.empty()) {
      std::string part = std::move(left.front());
      left.pop_front();
      if (part == ".") continue;
      std::string next = part == ".." ? path::parent(at) : path::join(at, part);
      std::string target = part == ".." ? "" : link_at(next);
      if (target.empty()) {
        at = next;
        continue;
      }
      if (++links > kMostLinks) return {.path = path, .is_circular = true};
      if (target.starts_with('/')) at = "/";
      auto parts = path::components(target);
      left.insert(left.begin(), parts.begin(), parts.end());
    }
    return describe(at);
  }

 private:
  // The innermost mount of `wanted` kind that holds the path.
  template <class Wanted>
  const Mount* holding(const std::string& path, Wanted wanted) const {
    const Mount* found = nullptr;
    for (const Mount& mount : plan_.mounts) {
      bool deeper = found == nullptr || mount.target.size() >= found->target.size();
      if (wanted(mount) && deeper && path::is_beneath(path, mount.target)) found = &mount;
    }
    return found;
  }

  const Mount* backing(const std::string& path) const {
    return holding(path, [](const Mount& mount) { return !is_over_another(mount); });
  }

  std::string host_of(const Mount* mount, const std::string& path) const {
    if (mount == nullptr) return {};
    std::string below = path.substr(mount->target.size());
    // What was changed lies above what was offered.
    if (mount->kind == Mount::Kind::overlay && file::exists(mount->upper + "/upper" + below))
      return mount->upper + "/upper" + below;
    bool of_host = mount->kind == Mount::Kind::bind || mount->kind == Mount::Kind::overlay;
    return of_host ? mount->source + below : "";
  }

  // Where the link at `path` leads; empty if there is none.
  std::string link_at(const std::string& path) const {
    const Mount* mount = backing(path);
    if (mount == nullptr) return {};
    if (mount->kind == Mount::Kind::symlink)
      return mount->target == path ? mount->source : std::string();
    std::string host = host_of(mount, path);
    if (host.empty() || mount->target == path) return {};
    return file::read_link(host).value_or("");
  }

  // What this run alone has at `path` lies elsewhere in memory; empty: it has nothing.
  std::string own_source(const Mount* mount, const std::string& path) const {
    bool is_own = mount != nullptr &&
                  (mount->kind == Mount::Kind::own_folder || mount->kind == Mount::Kind::own_link);
    return is_own ? mount->source + path.substr(mount->target.size()) : "";
  }

  PlaceInside describe(const std::string& path) const {
    PlaceInside place{.path = path, .mount = backing(path)};
    place.mask = holding(path, [](const Mount& m) { return m.kind == Mount::Kind::mask; });
    place.read_only =
        holding(path, [](const Mount& m) { return m.kind == Mount::Kind::read_only; });
    place.host = host_of(place.mount, path);
    struct stat facts;
    if (!place.host.empty() && lstat(place.host.c_str(), &facts) == 0) {
      place.exists = true;
      place.is_folder = S_ISDIR(facts.st_mode);
    }
    std::string own = own_source(place.mount, path);
    for (const Mount& mount : plan_.mounts) {
      bool is_copy = !own.empty() && path::is_beneath(mount.target, own);
      // A link that leads to a file only if there is one to copy.
      bool is_there = path::is_beneath(mount.target, path) && mount.kind != Mount::Kind::own_link;
      if (is_over_another(mount) || (!is_there && !is_copy)) continue;
      place.exists = true;
      bool here = mount.target == path || mount.target == own;
      place.is_folder |= !here || mount.kind == Mount::Kind::tmpfs ||
                         mount.kind == Mount::Kind::folder || mount.kind == Mount::Kind::proc ||
                         mount.kind == Mount::Kind::own_folder;
    }
    return place;
  }

  const sandbox::Plan& plan_;
};

}  // namespace

PlaceInside find_inside(const sandbox::Plan& plan, const std::string& path) {
  return View(plan).find(path);
}

}  // namespace ringwall::explain
