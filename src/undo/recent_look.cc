#include "undo/recent_look.h"

#include <sys/stat.h>

#include "base/sha256.h"
#include "undo/kept_run.h"

namespace ringwall::undo {

std::string mark_of(const std::vector<KeeperTree>& trees, const std::set<std::string>& hidden) {
  std::string all;
  for (const KeeperTree& tree : trees) {
    struct stat facts = {};
    if (fstat(tree.folder.get(), &facts) < 0) return "";
    all += tree.path + '\0' + std::to_string(facts.st_dev) + ":" + std::to_string(facts.st_ino);
    all += '\0';
  }
  for (const std::string& path : hidden)
    all += '\0' + path;
  return sha256(all).substr(0, 16);
}

std::string find_recent_look(int undo, const std::vector<KeeperTree>& trees,
                             const std::string& mark, int64_t now) {
  std::string id;
  for (const KeeperTree& tree : trees) {
    Latest latest = latest_of(undo, tree.path);
    bool is_recent = latest.looked <= now && now - latest.looked <= kRecentSeconds;
    bool is_ours =
        latest.knows_names_of(tree.newest) && is_recent && !mark.empty() && latest.mark == mark;
    if (!is_ours || (!id.empty() && latest.id != id)) return "";
    id = latest.id;
  }
  return id;
}

}  // namespace ringwall::undo
