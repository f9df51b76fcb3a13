#include "review/apply_choice.h"

#include <string_view>
#include <unordered_map>

#include "base/text.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::EntryType;
using State = ApplyItem::State;

bool makes_folder(const Change& change) {
  return change.after.type == EntryType::folder && change.before.type != EntryType::folder;
}

bool removes_folder(const Change& change) {
  return change.before.type == EntryType::folder && change.after.type != EntryType::folder;
}

class Choice {
 public:
  explicit Choice(std::vector<ApplyItem>& items) : items_(items), stands_(items.size()) {
    for (size_t at = 0; at < items.size(); at++) {
      if (!items[at].change.renamed_from.empty())
        new_names_.emplace(items[at].change.renamed_from, at);
    }
  }

  void complete() {
    take_new_folders();
    do {
      is_changed_ = false;
      for (size_t at = 0; at < items_.size(); at++)
        look_at(at);
      keep_folders();
    } while (is_changed_);
  }

 private:
  // From the deepest up: a parent stands before what lies in it.
  void take_new_folders() {
    for (size_t at = items_.size(); at-- > 0;) {
      const ApplyItem& item = items_[at];
      if (item.parent == SIZE_MAX || !item.is_chosen) continue;
      ApplyItem& parent = items_[item.parent];
      if (makes_folder(parent.change)) parent.is_chosen = true;
    }
  }

  void look_at(size_t at) {
    ApplyItem& item = items_[at];
    if (item.state == State::conflict || item.state == State::refused) leave_out(item, "");
    if (item.parent != SIZE_MAX) look_at_parent(at);
    if (item.is_named || !item.change.is_renamed_away) return;
    auto found = new_names_.find(item.change.path);
    if (found != new_names_.end() && !items_[found->second].is_chosen)
      leave_out(item, "its new name is left out: " + items_[found->second].change.path);
  }

  void look_at_parent(size_t at) {
    ApplyItem& item = items_[at];
    const ApplyItem& parent = items_[item.parent];
    if (item.is_chosen && makes_folder(parent.change) && !parent.is_chosen) {
      leave_out(item, "");
      item.state = parent.state;
      item.why = "its folder: " + parent.why;
    }
    bool is_replaced = removes_folder(parent.change) && parent.change.after.exists();
    stands_[at] = stands_[item.parent] || (is_replaced && !parent.is_chosen);
    if (stands_[at] && !item.is_named)
      leave_out(item, "what takes the place of its folder is left out");
  }

  void keep_folders() {
    for (size_t at = items_.size(); at-- > 0;) {
      const ApplyItem& item = items_[at];
      bool stays = !item.is_chosen && item.change.before.exists();
      if (item.parent == SIZE_MAX || !stays) continue;
      ApplyItem& parent = items_[item.parent];
      if (removes_folder(parent.change)) leave_out(parent, "holds something that is left out");
    }
  }

  void leave_out(ApplyItem& item, std::string why) {
    if (!item.is_chosen) return;
    item.is_chosen = false;
    is_changed_ = true;
    if (item.state == State::free) item.why = std::move(why);
  }

  std::vector<ApplyItem>& items_;
  std::vector<bool>
      stands_;  // it lies in a folder that stays, for what was to replace that does not come
  std::unordered_map<std::string_view, size_t> new_names_;  // by the old ones
  bool is_changed_ = false;
};

}  // namespace

void complete_choice(std::vector<ApplyTree>& trees) {
  for (ApplyTree& tree : trees)
    Choice(tree.items).complete();
}

}  // namespace ringwall::review
