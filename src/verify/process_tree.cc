#include "verify/process_tree.h"

#include <fcntl.h>

#include <algorithm>
#include <charconv>

#include "base/file.h"

namespace ringwall::verify {

ProcessTree ProcessTree::read() {
  ProcessTree tree;
  auto proc = file::open("/proc", O_RDONLY | O_DIRECTORY);
  auto entries = proc ? file::list(proc->get()) : std::unexpected(proc.error());
  if (!entries) return tree;
  for (const file::Entry& entry : *entries) {
    pid_t pid = 0;
    const char* end = entry.name.data() + entry.name.size();
    if (std::from_chars(entry.name.data(), end, pid).ptr != end) continue;
    auto stat = file::read("/proc/" + entry.name + "/stat");
    if (!stat) continue;  // gone since it was listed
    // "PID (NAME) STATE PARENT …", where the name may hold anything, parentheses too.
    size_t state = stat->rfind(") ") + 2;
    if (state < 2 || state + 2 >= stat->size()) continue;
    bool ended = (*stat)[state] == 'Z' || (*stat)[state] == 'X';
    pid_t parent = 0;
    std::from_chars(stat->data() + state + 2, stat->data() + stat->size(), parent);
    if (!ended) tree.kinships_.push_back({parent, pid});
  }
  std::sort(tree.kinships_.begin(), tree.kinships_.end(),
            [](const Kinship& a, const Kinship& b) { return a.parent < b.parent; });
  return tree;
}

std::vector<pid_t> ProcessTree::from(pid_t top) const {
  std::vector<pid_t> found = {top};
  for (size_t i = 0; i < found.size(); i++) {
    for (pid_t child : children_of(found[i]))
      found.push_back(child);
  }
  return found;
}

std::vector<pid_t> ProcessTree::children_of(pid_t parent) const {
  auto [first, last] =
      std::equal_range(kinships_.begin(), kinships_.end(), Kinship{parent, 0},
                       [](const Kinship& a, const Kinship& b) { return a.parent < b.parent; });
  std::vector<pid_t> children;
  for (auto at = first; at != last; ++at)
    children.push_back(at->child);
  return children;
}

std::optional<pid_t> ProcessTree::child_named(pid_t parent, std::string_view word) const {
  for (pid_t child : children_of(parent)) {
    auto line = file::read("/proc/" + std::to_string(child) + "/cmdline");
    if (line && std::string_view(line->c_str()) == word) return child;
  }
  return std::nullopt;
}

}  // namespace ringwall::verify
