#include "files/vet.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/path.h"
#include "files/git_vet.h"
#include "files/hostile_tree.h"

namespace ringwall::files {
namespace {

constexpr size_t kMostText = 1 << 20;
constexpr size_t kMostDepth = 200;  // as deep as a path can be opened; deeper ones nobody opens
constexpr std::string_view kGitRule = "GIT/";

// Their coming together makes a folder one that git takes for its own.
constexpr std::array<std::string_view, 7> kBareNames = {
    "HEAD", "objects", "refs", "commondir", "config", "config.worktree", "hooks"};

bool may_complete_layout(std::string_view name) {
  return std::find(kBareNames.begin(), kBareNames.end(), name) != kBareNames.end();
}

std::string join(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

std::string parent_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

Result<Fd> open_folder(const WatchedTree& tree, const std::string& path) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  return file::open_beneath(tree.folder.get(), path.empty() ? "." : path, kFlags);
}

bool has(int folder, const char* name) { return faccessat(folder, name, F_OK, 0) == 0; }

bool is_bare(int folder) {
  return is_git_layout(has(folder, "HEAD"), has(folder, "objects"), has(folder, "refs"),
                       has(folder, "commondir"));
}

Culprit make_culprit(size_t tree, std::string path, std::string rule, std::string why) {
  return {tree, std::move(path), std::move(rule), std::move(why)};
}

// A refusal of git's files as what has to go; nothing if there was none.
template <typename Judged>
std::string refusal_of(const Judged& judged) {
  return judged ? std::string() : judged.error().text();
}
std::string refusal_of(const std::optional<GitRefusal>& refusal) {
  return refusal ? refusal->text() : std::string();
}

}  // namespace

bool holds_only_data(std::string_view path) {
  constexpr std::string_view kData[] = {"/.git/objects/", "/.git/logs/", "/.git/refs/",
                                        "/.git/lfs/"};
  std::string whole = "/" + std::string(path) + "/";
  return std::any_of(std::begin(kData), std::end(kData),
                     [&](std::string_view data) { return whole.find(data) != whole.npos; });
}

std::string Vetter::absolute(const Met& met) const {
  return met.path.empty() ? trees_[met.tree].path : path::join(trees_[met.tree].path, met.path);
}

std::optional<Vetter::Met> Vetter::meet(size_t tree, const std::string& path) const {
  auto parent = open_folder(trees_[tree], parent_of(path));
  if (!parent) return std::nullopt;
  std::string name(path::basename(path));
  struct stat facts;
  if (fstatat(parent->get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0) return std::nullopt;
  return Met{tree, path, facts.st_mode & S_IFMT};
}

bool Vetter::may_matter(const std::string& path, bool is_folder) const {
  std::string_view name = path::basename(path);
  return is_folder || names_.may_match(name) || may_complete_layout(name) ||
         path::basename(parent_of(path)) == "hooks";
}

void Vetter::look(size_t tree, const std::string& path, std::vector<Culprit>& culprits) {
  std::vector<std::string> waiting = {path};
  while (!waiting.empty()) {
    std::string at = std::move(waiting.back());
    waiting.pop_back();
    auto met = at.empty() ? Met{tree, at, S_IFDIR} : meet(tree, at);
    if (!met) continue;  // gone again
    if (auto culprit = judge(*met)) {
      culprits.push_back(std::move(*culprit));
      continue;
    }
    judge_bare(*met, culprits);
    if (met->type == S_IFDIR && !holds_only_data(at)) enter(*met, waiting);
  }
}

void Vetter::enter(const Met& folder, std::vector<std::string>& below) {
  if (static_cast<size_t>(std::count(folder.path.begin(), folder.path.end(), '/')) > kMostDepth)
    return;
  auto opened = open_folder(trees_[folder.tree], folder.path);
  if (!opened && opened.error().err == EACCES && open_up(folder))
    opened = open_folder(trees_[folder.tree], folder.path);
  if (!opened) return;
  watch_(folder.tree, opened->get(), folder.path);
  (void)reader_.read(opened->get(), [&](const FolderReader::Entry& entry) {
    bool may_be_folder = entry.type == DT_DIR || entry.type == DT_UNKNOWN;
    bool in_hooks = path::basename(folder.path) == "hooks";
    if (may_be_folder || in_hooks || names_.may_match(entry.name))
      below.push_back(join(folder.path, entry.name));
  });
}

// A folder that cannot be listed can still be entered, and what lies in it used by its name. By its
// descriptor: a link that takes its place meanwhile must not lead the change elsewhere.
bool Vetter::open_up(const Met& folder) const {
  constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  auto opened = file::open_beneath(trees_[folder.tree].folder.get(), folder.path, kFlags);
  struct stat facts;
  return opened && fstat(opened->get(), &facts) == 0 && facts.st_uid == geteuid() &&
         change_mode(opened->get(), (facts.st_mode & 0777) | 0500);
}

std::optional<Culprit> Vetter::judge(const Met& met) {
  if (auto hook = judge_hook_at(met)) return hook;
  bool is_folder = met.type == S_IFDIR;
  if (const GitEntry* entry = names_.git_entry(met.path, is_folder)) {
    if (!names_.is_unprotected(met.path)) return judge_in_git(met, *entry);
  }
  const std::string* rule =
      met.type == S_IFLNK ? names_.match_link(met.path) : names_.match(met.path, is_folder);
  if (rule == nullptr) return std::nullopt;
  bool is_git_file = *rule == ".git" && met.type == S_IFREG;
  if (!is_git_file) return make_culprit(met.tree, met.path, *rule, names_.reason_for(*rule));
  // Watched before it is read: what is written later is told.
  passed_.emplace(met.tree, met.path);
  if (auto folder = open_folder(trees_[met.tree], parent_of(met.path)))
    watch_(met.tree, folder->get(), parent_of(met.path));
  auto text = read(met);
  if (!text) return make_culprit(met.tree, met.path, *rule, text.error().text());
  // Empty: made and not written to yet.
  std::string why =
      text->empty() ? ""
                    : refusal_of(judge_git_file(*text, {path::parent(absolute(met)), tree_paths_}));
  if (why.empty()) return std::nullopt;
  return make_culprit(met.tree, met.path, *rule, why);
}

std::optional<Culprit> Vetter::judge_hook_at(const Met& met) const {
  const GitEntry* around = names_.git_entry(parent_of(met.path), true);
  if (around == nullptr || around->path != "hooks" || names_.is_unprotected(met.path))
    return std::nullopt;
  std::string why = refusal_of(judge_hook(path::basename(met.path)));
  if (why.empty()) return std::nullopt;
  return make_culprit(met.tree, met.path, around->pattern, why);
}

std::optional<Culprit> Vetter::judge_in_git(const Met& met, const GitEntry& entry) {
  if (met.type == S_IFDIR) return std::nullopt;  // what lies in it is judged by itself
  if (met.type != S_IFREG)
    return make_culprit(met.tree, met.path, entry.pattern, "is no ordinary file");
  if (entry.is_folder) return std::nullopt;  // git wants a folder there, and ignores a file
  auto text = read(met);
  if (!text) return make_culprit(met.tree, met.path, entry.pattern, text.error().text());
  return judge_git_text(met, entry, *text);
}

std::optional<Culprit> Vetter::judge_git_text(const Met& met, const GitEntry& entry,
                                              const std::string& text) {
  if (text.empty()) {  // not written to yet
    passed_.emplace(met.tree, met.path);
    return std::nullopt;
  }
  GitPlace place{path::parent(absolute(met)), tree_paths_};
  std::string why = "cannot be judged";
  if (entry.path == "config" || entry.path == "config.worktree")
    why = refusal_of(judge_new_config(text, place));
  if (entry.path == "commondir") why = refusal_of(judge_commondir(text, place));
  if (entry.path == "gitdir") why = refusal_of(judge_worktree_gitdir(text, place));
  if (entry.guard == Guard::vetted) why = refusal_of(judge_rebase_todo(text));
  if (!why.empty()) return make_culprit(met.tree, met.path, entry.pattern, why);
  passed_.emplace(met.tree, met.path);
  return std::nullopt;
}

// A folder of any other name that holds what a git folder holds: git uses it if somebody enters it.
void Vetter::judge_bare(const Met& met, std::vector<Culprit>& culprits) {
  std::string folder = parent_of(met.path);
  if (!may_complete_layout(path::basename(met.path)) ||
      names_.git_entry(join(folder, "config"), false) != nullptr)
    return;
  auto opened = open_folder(trees_[met.tree], folder);
  if (!opened || !is_bare(opened->get())) return;
  for (const GitEntry& entry : names_.git_entries()) {
    if (entry.guard == Guard::folders) continue;
    auto part = meet(met.tree, join(folder, entry.path));
    if (!part) continue;
    if (entry.is_folder && part->type == S_IFDIR) {
      std::vector<std::string> hooks;
      enter(*part, hooks);
      for (const std::string& hook : hooks) {
        std::string why = refusal_of(judge_hook(path::basename(hook)));
        if (!why.empty()) culprits.push_back(make_culprit(met.tree, hook, entry.pattern, why));
      }
      continue;
    }
    if (auto culprit = judge_in_git(*part, entry)) culprits.push_back(std::move(*culprit));
  }
}

Result<std::string> Vetter::read(const Met& met) const {
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  TRY_ASSIGN(Fd opened, file::open_beneath(trees_[met.tree].folder.get(), met.path, kFlags));
  struct stat facts;
  if (fstat(opened.get(), &facts) < 0 || !S_ISREG(facts.st_mode))
    return fail("is no ordinary file");
  // By a second name it could be changed unseen.
  if (facts.st_nlink != 1) return fail("has a second name");
  if (static_cast<size_t>(facts.st_size) > kMostText) return fail("is too large");
  std::string text;
  char buffer[16384];
  for (;;) {
    ssize_t count = ::read(opened.get(), buffer, sizeof buffer);
    if (count < 0) return fail_errno("cannot be read");
    if (count == 0) return text;
    text.append(buffer, static_cast<size_t>(count));
    if (text.size() > kMostText) return fail("is too large");
  }
}

}  // namespace ringwall::files
