#include "review/renames.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/path.h"
#include "review/same_content.h"
#include "review/tree_open.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::Changes;
using changes::EntryType;

constexpr uint64_t kMostRead = 256 << 20;
constexpr size_t kMostFiles = 20'000;  // opened on either side
constexpr size_t kMostCandidates = 100;

class Renames {
 public:
  Renames(Changes& changes, int upper, int real) : changes_(changes), upper_(upper), real_(real) {}

  void find() {
    for (Change& change : changes_) {
      // Empty files are alike whatever they are.
      if (change.kind == Change::Kind::deleted && change.before.type == EntryType::file &&
          change.before.size > 0)
        gone_[change.before.size].unread.push_back(&change);
    }
    if (gone_.empty()) return;
    for (Change& change : changes_) {
      if (change.kind == Change::Kind::added && change.after.type == EntryType::file) pair(change);
    }
  }

 private:
  struct OfOneSize {
    std::vector<Change*> unread;
    std::unordered_map<Digest, std::vector<Change*>, DigestHash> by_content;
  };

  std::optional<Digest> read(int tree, const std::string& path, uint64_t size) {
    if (opened_++ >= kMostFiles) return std::nullopt;
    auto file = open_content(tree, path);
    if (!file) return std::nullopt;
    auto digest = digest_of(file->get(), size, budget_);
    return digest ? std::optional(*digest) : std::nullopt;
  }

  void pair(Change& added) {
    auto alike = gone_.find(added.after.size);
    if (alike == gone_.end()) return;
    auto digest = read(upper_, added.path, added.after.size);
    if (!digest) return;
    for (Change* change : std::exchange(alike->second.unread, {})) {
      auto gone = read(real_, change->path, change->before.size);
      if (gone) alike->second.by_content[*gone].push_back(change);
    }
    auto found = alike->second.by_content.find(*digest);
    if (found == alike->second.by_content.end() || found->second.empty()) return;
    Change* from = take_best(found->second, path::basename(added.path));
    added.renamed_from = from->path;
    from->is_renamed_away = true;
  }

  // One that kept its name, if it is soon found.
  static Change* take_best(std::vector<Change*>& candidates, std::string_view name) {
    size_t end = std::min(candidates.size(), kMostCandidates), best = 0;
    for (size_t i = 0; i < end; i++) {
      if (path::basename(candidates[i]->path) == name) {
        best = i;
        break;
      }
    }
    Change* taken = candidates[best];
    candidates[best] = candidates.back();
    candidates.pop_back();
    return taken;
  }

  Changes& changes_;
  int upper_, real_;
  std::unordered_map<uint64_t, OfOneSize> gone_;
  ReadBudget budget_{kMostRead};
  size_t opened_ = 0;
};

}  // namespace

void find_renames(Changes& changes, int upper, int real) { Renames(changes, upper, real).find(); }

}  // namespace ringwall::review
