// Links, and in git folders whatever is neither a file nor a folder: what the vetter makes of them.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "broker/vet.h"

namespace ringwall::broker {
namespace {

constexpr size_t kMostNames = 8;   // of one folder; links can lead to themselves
constexpr int kDeepestOfGit = 16;  // below a git folder of any name
constexpr std::string_view kGitRule = "GIT/";

std::string join(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

bool is_odd(unsigned char type) { return type != DT_REG && type != DT_DIR && type != DT_UNKNOWN; }

}  // namespace

bool may_rename(const std::string& link, const std::string& target) {
  std::string end = path::absolute(target, path::parent(link));
  return files::lies_in_packages(end + "/x") && !files::lies_in_packages(link + "/x");
}

void Vetter::look_for_links(size_t tree, const std::string& folder,
                            std::vector<Culprit>& culprits) {
  if (files::lies_in_packages(folder + "/x") && renamed_.empty()) return;
  auto opened = open_folder(tree, folder);
  if (!opened) return;
  std::vector<std::string> met;
  Status listed = reader_.read(opened->get(), [&](const FolderReader::Entry& entry) {
    if (is_odd(entry.type)) met.push_back(join(folder, entry.name));
  });
  if (!listed) note_trouble(tree, folder, listed.error());
  for (const std::string& path : met)
    note(tree, path, culprits);
}

std::optional<Culprit> Vetter::judge_unnamed(const Met& met) {
  if (auto renamed = judge_renamed(met)) return renamed;
  if (met.type == S_IFDIR || met.type == S_IFREG || names_.is_unprotected(met.path))
    return std::nullopt;
  std::string target;
  if (met.type == S_IFLNK) {
    target = link_target(met);
    if (target.empty()) return std::nullopt;  // gone again
  }
  auto known = links_.known.find(absolute(met));
  bool is_known = known != links_.known.end() && known->second == target;
  if (is_known && !may_rename(absolute(met), target)) return std::nullopt;
  if (lies_in_git(met.tree, met.path)) {
    std::string why = met.type == S_IFLNK ? files::judge_link_in_git(met.path, target)
                                          : "is neither a file nor a folder: git waits for it";
    if (why.empty() || is_known) return std::nullopt;
    return Culprit{met.tree, met.path, std::string(kGitRule), why};
  }
  return met.type == S_IFLNK ? judge_way(met, target, is_known) : std::nullopt;
}

std::optional<Culprit> Vetter::judge_way(const Met& met, const std::string& target, bool is_known) {
  using Kind = files::LinkVerdict::Kind;
  files::LinkVerdict verdict = files::judge_link(trees_, links_, met.tree, met.path, target);
  if (verdict.kind == Kind::culprit && !is_known)
    return Culprit{met.tree, met.path, verdict.rule, verdict.why};
  if (verdict.kind == Kind::leads_out && !is_known) leading_out_[absolute(met)] = verdict.end;
  if (verdict.kind == Kind::renames) rename(verdict.tree, verdict.end, met.path);
  return std::nullopt;
}

// What lies there is looked at once more, under that name.
void Vetter::rename(size_t tree, const std::string& end, const std::string& link) {
  std::set<std::string>& names = renamed_[{tree, end}];
  if (names.size() < kMostNames && names.insert(link).second) waiting_.insert({1, tree, end});
}

// In packages, by a name at which it is obeyed.
std::optional<Culprit> Vetter::judge_renamed(const Met& met) {
  if (renamed_.empty()) return std::nullopt;
  for (size_t slash = met.path.find('/'); slash != std::string::npos;
       slash = met.path.find('/', slash + 1)) {
    auto found = renamed_.find({met.tree, met.path.substr(0, slash)});
    if (found == renamed_.end()) continue;
    for (const std::string& name : std::set(found->second)) {
      std::string path = name + met.path.substr(slash);
      auto rule =
          met.type == S_IFLNK ? names_.match_link(path) : names_.match(path, met.type == S_IFDIR);
      if (!rule) continue;
      if (names_.is_by_content(*rule)) {
        auto culprit = met.type == S_IFREG ? judge_content(met, std::string(*rule)) : std::nullopt;
        if (culprit) return culprit;
        continue;
      }
      std::string why = "a link gives it the name " + path + ", " + names_.reason_for(*rule);
      return Culprit{met.tree, met.path, std::string(*rule), why};
    }
  }
  return std::nullopt;
}

bool Vetter::lies_in_git(size_t tree, const std::string& path) {
  if (files::lies_in_git_folder(path)) return true;
  std::string folder = path;
  for (int up = 0; up < kDeepestOfGit && !folder.empty(); up++) {
    folder = files::parent_of(folder);
    if (files::is_gits_part(path.substr(folder.empty() ? 0 : folder.size() + 1)) &&
        is_bare_folder(tree, folder))
      return true;
  }
  return false;
}

}  // namespace ringwall::broker
