#include "review/outside_view.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "review/tree_open.h"

namespace ringwall::review {

using changes::Change;
using changes::EntryFacts;

Result<std::string> read_text_in(int tree, const std::string& path, size_t most) {
  TRY_ASSIGN(Fd opened, open_content(tree, path));
  return file::read_all(opened.get(), most);
}

Result<std::string> read_link_in(int tree, const std::string& path) {
  TRY_ASSIGN(Fd link, open_in_tree(tree, path, O_PATH));
  std::string target(4096, '\0');
  ssize_t size = readlinkat(link.get(), "", target.data(), target.size());
  if (size < 0) return fail_errno("cannot read the link");
  target.resize(static_cast<size_t>(size));
  return target;
}

ResultView::ResultView(const changes::Changes& all, LayerView layer)
    : all_(all), layer_(std::move(layer)) {
  by_path_.reserve(all.size());
  for (size_t i = 0; i < all.size(); i++)
    by_path_.emplace(all[i].path, i);
}

const Change* ResultView::change_at(std::string_view path) const {
  auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : &all_[found->second];
}

EntryFacts ResultView::before(const std::string& path) const {
  if (const Change* change = change_at(path)) return change->before;
  struct stat seen;
  auto place = open_in_tree(layer_.real, path, O_PATH);
  return place && fstat(place->get(), &seen) == 0 ? changes::facts_of(seen) : EntryFacts{};
}

EntryFacts ResultView::after(const std::string& path) const {
  const Change* change = change_at(path);
  // What lay in a folder that is gone is among the changes itself.
  return change != nullptr ? change->after : before(path);
}

std::vector<std::string> ResultView::list(const std::string& folder) const {
  std::vector<std::string> names;
  auto path_of = [&](std::string_view name) {
    return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
  };
  auto opened = open_in_tree(layer_.real, folder, O_RDONLY | O_DIRECTORY);
  auto entries = opened ? file::list(opened->get()) : std::unexpected(opened.error());
  if (entries) {
    for (const file::Entry& entry : *entries) {
      if (change_at(path_of(entry.name)) == nullptr) names.push_back(entry.name);
    }
  }
  std::string start = path_of("");
  auto first = std::ranges::lower_bound(all_, start, {}, &Change::path);
  for (auto at = first; at != all_.end() && at->path.starts_with(start); at++) {
    std::string_view rest = std::string_view(at->path).substr(start.size());
    if (at->after.exists() && rest.find('/') == rest.npos) names.emplace_back(rest);
  }
  return names;
}

}  // namespace ringwall::review
