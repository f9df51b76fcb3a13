#include "review/link_changes.h"

#include "base/path.h"
#include "base/text.h"
#include "files/link_judge.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::EntryType;
using Verdict = files::LinkVerdict::Kind;

// Then what the text says is the way only if nothing before it is a link.
bool goes_back(const std::string& target) {
  bool has_name = false;
  for (std::string_view part : text::split_in_place(target, '/')) {
    if (part == ".." && has_name) return true;
    has_name = has_name || (part != ".." && part != "." && !part.empty());
  }
  return false;
}

}  // namespace

LinkChanges::LinkChanges(const changes::Changes& all, const ResultView& view) : view_(view) {
  for (const LinkEnd& end : view.layer().ends)
    ends_.emplace(end.path, end.name);
  for (const Change& change : all) {
    if (change.after.type != EntryType::link) continue;
    auto target = read_link_in(view_.layer().upper, change.path);
    if (!target) continue;
    std::string whole = path::join(view_.layer().path, change.path);
    files::LinkVerdict verdict = files::judge_link_end(
        {view_.layer().path}, {}, change.path, path::absolute(*target, path::parent(whole)));
    if (verdict.kind == Verdict::renames) renamed_.emplace(verdict.end, change.path);
  }
}

std::optional<RunsOutside> LinkChanges::judge(const Change& change) const {
  if (change.after.type != EntryType::link || files::lies_in_registry_packages(change.path))
    return std::nullopt;
  auto target = read_link_in(view_.layer().upper, change.path);
  if (!target) return RunsOutside{0, false, "a link that cannot be read"};
  if (files::lies_in_git_folder(change.path)) return std::nullopt;  // judged as git's
  if (change.before.type == EntryType::link) {
    auto before = read_link_in(view_.layer().real, change.path);
    if (before && *before == *target) return std::nullopt;
  }
  if (goes_back(*target)) return RunsOutside{0, false, "it may lead out of the tree: " + *target};
  std::string whole = path::join(view_.layer().path, change.path);
  std::vector<std::string> trees(view_.layer().trees.begin(), view_.layer().trees.end());
  files::LinkVerdict verdict =
      files::judge_link_end(trees, {}, change.path, path::absolute(*target, path::parent(whole)));
  if (verdict.kind == Verdict::culprit) return RunsOutside{0, true, "it " + verdict.why};
  if (verdict.kind == Verdict::leads_out)
    return RunsOutside{0, false, "it leads out of the tree, to " + verdict.end};
  return std::nullopt;
}

std::vector<std::string> LinkChanges::other_names(const Change& change) const {
  const std::string& path = change.path;
  std::vector<std::string> names;
  add_names_of_start(change, names);
  for (const auto& [folder, link] : renamed_) {
    if (path != folder && path::is_beneath(path, folder))
      names.push_back(link + path.substr(folder.size()));
  }
  return names;
}

void LinkChanges::add_names_of_start(const Change& change, std::vector<std::string>& names) const {
  if (ends_.empty()) return;
  std::string whole = path::join(view_.layer().path, change.path);
  for (size_t length = whole.size(); length != std::string::npos && length > 0;
       length = whole.rfind('/', length - 1)) {
    auto [first, last] = ends_.equal_range(whole.substr(0, length));
    for (; first != last; first++)
      names.push_back(first->second + whole.substr(length));
  }
  // A link on the way to an end is a part of the first link.
  if (change.after.type != EntryType::link) return;
  whole += '/';
  for (auto end = ends_.lower_bound(whole); end != ends_.end() && end->first.starts_with(whole);
       end++)
    names.push_back(end->second);
}

}  // namespace ringwall::review
