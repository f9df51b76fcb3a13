#include "base/indexed_walk.h"

#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall {

Result<Mark> IndexedWalk::begin() {
  Mark top;
  if (!read_mark(tree_, top)) return fail_errno("cannot look at " + name_of_tree());
  device_ = top.device;
  remembers_ = stamps_folders(tree_);
  return top;
}

std::string IndexedWalk::name_of_tree() const {
  auto name = file::read_link("/proc/self/fd/" + std::to_string(tree_));
  return text::quote(name ? *name : "the tree");
}

std::string IndexedWalk::name_of_place() const {
  if (path_.text().empty()) return name_of_tree();
  auto name = file::read_link("/proc/self/fd/" + std::to_string(tree_));
  return text::quote(name ? path::join(*name, path_.text()) : path_.text());
}

Error IndexedWalk::still_changing() const {
  return {name_of_tree() + " is changing while it is searched", 0, "try again"};
}

// What belongs to somebody else and is closed to us is closed to the inside, which has the same id;
// what is our own could be opened up inside.
bool IndexedWalk::is_closed_to_us(const WalkStep& step) {
  Mark mark;
  if (path_.look(mark)) return mark.owner != geteuid();
  if (step.depth == 0) return false;
  // The folder around it can be listed and not entered.
  path_.leave_to(step.depth - 1);
  return path_.look(mark) && mark.owner != geteuid();
}

Status IndexedWalk::judge_miss(const WalkStep& step, int err) {
  if (err == EACCES && is_closed_to_us(step)) return {};
  std::string hint = err == EACCES         ? "chmod u+rx " + name_of_place()
                     : err == ENAMETOOLONG ? "remove what is nested so deep"
                                           : "";
  std::string place = name_of_place().substr(0, 300);
  errno = err;
  return fail_errno("cannot search " + place + purpose_, hint);
}

}  // namespace ringwall
