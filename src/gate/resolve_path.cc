#include "gate/resolve_path.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <vector>

#include "base/path.h"

namespace ringwall::gate {
namespace {

constexpr int kMostLinks = 40;  // the kernel's own bound
constexpr size_t kMostSteps = 1000;

// What is still to be walked, the next name last.
class Way {
 public:
  void put_first(std::string_view path) {
    std::vector<std::string> names;
    for (size_t at = 0; at < path.size();) {
      size_t end = std::min(path.find('/', at), path.size());
      if (end > at) names.emplace_back(path.substr(at, end - at));
      at = end + 1;
    }
    names_.insert(names_.end(), names.rbegin(), names.rend());
  }
  bool is_done() const { return names_.empty(); }
  std::string take() {
    std::string name = std::move(names_.back());
    names_.pop_back();
    return name;
  }

 private:
  std::vector<std::string> names_;
};

bool is_number(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == name.npos;
}

// The links of /proc belong to whoever looks: the gate is not the program that will.
const char* process_link(std::string_view parent, std::string_view name) {
  if (!parent.starts_with("/proc/")) return nullptr;
  std::string_view process = parent.substr(6);
  if (size_t task = process.find("/task/"); task != process.npos) process = process.substr(0, task);
  if (process != "self" && process != "thread-self" && !is_number(process)) return nullptr;
  if (name == "root") return "/";
  return name == "cwd" ? "" : nullptr;  // "": the folder
}

}  // namespace

const PathResolver::Seen& PathResolver::look(const std::string& path) {
  auto [at, is_new] = seen_.try_emplace(path);
  if (!is_new) return at->second;
  char target[PATH_MAX];
  ssize_t length = readlink(path.c_str(), target, sizeof target);
  // What is there and no link gives EINVAL.
  at->second.exists = length > 0 || errno == EINVAL;
  if (length > 0) at->second.target.assign(target, static_cast<size_t>(length));
  return at->second;
}

bool PathResolver::is_folder(const std::string& path) {
  if (path == "/") return true;
  auto [at, is_new] = is_folder_.try_emplace(path);
  struct stat found;
  if (is_new) at->second = lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
  return at->second;
}

PathResolver::Reached PathResolver::walk(Reached from, std::string_view path,
                                         std::string_view folder) {
  Way way;
  way.put_first(path);
  int links = 0;
  for (size_t steps = 0; !way.is_done(); steps++) {
    if (steps > kMostSteps) return {"", false, true};
    std::string name = way.take();
    if (name == ".") continue;
    if (name == "..") {
      from.path.resize(from.path.empty() ? 0 : from.path.rfind('/'));
      from.exists = true;
      continue;
    }
    if (const char* own = process_link(from.path, name)) {
      from.path = *own == '/' ? "" : path::normalize(folder);
      if (from.path == "/") from.path.clear();
      continue;
    }
    // Which process "self" is only whoever looks knows.
    bool is_self = from.path == "/proc" && (name == "self" || name == "thread-self");
    from.path += "/" + name;
    if (is_self || !from.exists || look(from.path).target.empty()) {
      from.exists = from.exists && (is_self || look(from.path).exists);
      continue;
    }
    if (++links > kMostLinks) return {"", false, true};
    std::string target = look(from.path).target;
    from.path.resize(target[0] == '/' ? 0 : from.path.rfind('/'));
    way.put_first(target);
  }
  return from;
}

std::string PathResolver::resolve(std::string_view path, std::string_view folder) {
  while (path.size() > 1 && path.ends_with('/'))
    path.remove_suffix(1);
  // Files of one folder are many: it is walked once.
  size_t slash = path.rfind('/');
  std::string above(path.substr(0, slash));
  auto [at, is_new] = folders_.try_emplace(above + '\0' + std::string(folder));
  if (is_new) at->second = walk({}, above, folder);
  Reached reached = at->second;
  if (!reached.failed) reached = walk(std::move(reached), path.substr(slash + 1), folder);
  if (reached.failed) return path::normalize(path);
  return reached.path.empty() ? "/" : reached.path;
}

}  // namespace ringwall::gate
