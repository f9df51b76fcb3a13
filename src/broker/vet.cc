#include "broker/vet.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "broker/hostile_tree.h"
#include "git/interrupted.h"
#include "git/vet.h"
#include "git/worktree_settings.h"

namespace ringwall::broker {
namespace {

constexpr size_t kMostText = 1 << 20;
constexpr size_t kMostRemotes = 1000;

// Their coming together makes a folder one that git takes for its own.
constexpr std::array<std::string_view, 7> kBareNames = {
    "HEAD", "objects", "refs", "commondir", "config", "config.worktree", "hooks"};

bool may_complete_layout(std::string_view name) {
  return std::find(kBareNames.begin(), kBareNames.end(), name) != kBareNames.end();
}

std::string join(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

constexpr int kFolder = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

Result<Fd> open_in(const files::WatchedTree& tree, const std::string& path, int flags) {
  return file::open_beneath(tree.folder.get(), path.empty() ? "." : path, flags);
}

// A folder that is closed can be opened again by its owner, and what lies in it used by its name.
// By its descriptor: a link that takes its place meanwhile must not lead the change elsewhere.
void open_up(const files::WatchedTree& tree, const std::string& path) {
  auto opened = open_in(tree, path, O_PATH | kFolder);
  struct stat facts;
  bool is_closed = opened && fstat(opened->get(), &facts) == 0 && facts.st_uid == geteuid() &&
                   (facts.st_mode & 0500) != 0500;
  // Whether it helped is seen when it is opened.
  if (is_closed) (void)change_mode(opened->get(), (facts.st_mode & 0777) | 0500);
}

// From the top: a closed folder keeps all below it from being reached.
void open_way_to(const files::WatchedTree& tree, const std::string& path) {
  for (size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
    open_up(tree, path.substr(0, slash));
  open_up(tree, path);
}

// Folders of git in which every file is judged by its name.
constexpr std::array<std::string_view, 3> kNamedFolders = {"hooks", "remotes", "branches"};

bool is_named_folder(std::string_view name) {
  return std::find(kNamedFolders.begin(), kNamedFolders.end(), name) != kNamedFolders.end();
}

std::string_view last_but_one(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == path.npos ? "" : path::basename(path.substr(0, slash));
}

// Why a file of that name has to go from such a folder; empty: it may stay.
std::string judge_name_in(std::string_view folder, std::string_view name);

// A link counts that leads nowhere: HEAD may be one.
bool has(int folder, const char* name) {
  struct stat facts;
  return fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

bool is_bare(int folder) {
  return files::is_git_layout(has(folder, "HEAD"), has(folder, "objects"), has(folder, "refs"),
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
std::string refusal_of(const std::optional<git::GitRefusal>& refusal) {
  return refusal ? refusal->text() : std::string();
}

std::string judge_name_in(std::string_view folder, std::string_view name) {
  if (folder == "hooks") return refusal_of(git::judge_hook(name));
  return "git takes it for the address of a remote";
}

}  // namespace

void Vetter::note_trouble(size_t tree, const std::string& path, Error error) {
  // What is closed and not ours is closed to the agent too. Too long a way is not for programs
  // that open files by their paths.
  if (files::is_gone(error) || error.err == EACCES || error.err == ENAMETOOLONG) return;
  error.what = text::quote(trees_[tree].whole(path)) + " cannot be looked at: " + error.what;
  trouble_ = std::move(error);
}

std::optional<Fd> Vetter::open_folder(size_t tree, const std::string& path) {
  constexpr int kListed = O_RDONLY | O_NOATIME | kFolder;
  auto opened = open_in(trees_[tree], path, kListed);
  if (!opened && opened.error().err == EACCES) {
    open_way_to(trees_[tree], path);
    opened = open_in(trees_[tree], path, kListed);
  }
  if (opened) return std::move(*opened);
  note_trouble(tree, path, opened.error());
  return std::nullopt;
}

std::optional<Vetter::Met> Vetter::meet(size_t tree, const std::string& path) {
  auto parent = open_folder(tree, files::parent_of(path));
  if (!parent) return std::nullopt;
  std::string name(path::basename(path));
  struct stat facts;
  if (fstatat(parent->get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0) {
    note_trouble(tree, path, Error{"fstatat", errno, {}});
    return std::nullopt;
  }
  return Met{tree, path, facts.st_mode & S_IFMT};
}

bool Vetter::may_matter(const std::string& path, bool is_folder) const {
  std::string_view name = path::basename(path);
  return is_folder || names_.may_match(name) || may_complete_layout(name) ||
         is_named_folder(last_but_one(path)) || files::lies_in_git_folder(path) ||
         may_lie_below_top(path);
}

void Vetter::look(size_t tree, const std::string& path, std::vector<Culprit>& culprits) {
  note(tree, path, culprits);
  work(INT64_MAX, culprits);
}

void Vetter::note(size_t tree, const std::string& path, std::vector<Culprit>& culprits) {
  visit({0, tree, path}, culprits);
}

void Vetter::look_at_names(size_t tree, std::vector<Culprit>& culprits) {
  std::vector<std::string> names;
  auto opened = open_folder(tree, "");
  // What cannot be listed is told by the search that follows.
  if (opened)
    (void)reader_.read(opened->get(), [&](const FolderReader::Entry& entry) {
      if (names_.may_match(entry.name)) names.emplace_back(entry.name);
    });
  for (const std::string& name : names) {
    auto met = meet(tree, name);
    if (auto culprit = met ? judge(*met) : std::nullopt) culprits.push_back(std::move(*culprit));
  }
}

void Vetter::work(int64_t until, std::vector<Culprit>& culprits) {
  while (!waiting_.empty() && (until == INT64_MAX || clock::monotonic() < until))
    visit(waiting_.extract(waiting_.begin()).value(), culprits);
}

void Vetter::visit(const Place& place, std::vector<Culprit>& culprits) {
  const auto& [below, tree, path] = place;
  auto met = path.empty() ? Met{tree, path, S_IFDIR} : meet(tree, path);
  if (!met) return;  // gone again
  if (auto culprit = judge(*met)) {
    culprits.push_back(std::move(*culprit));
    return;
  }
  judge_bare(*met, culprits);
  look_below_top(place);
  if (met->type != S_IFDIR || git::holds_only_data(path)) return;
  std::vector<std::string> children;
  enter(*met, children);
  for (std::string& child : children)
    waiting_.insert({below + 1, tree, std::move(child)});
}

void Vetter::enter(const Met& folder, std::vector<std::string>& below) {
  auto opened = open_folder(folder.tree, folder.path);
  if (!opened) return;
  watch_.folder(folder.tree, opened->get(), folder.path);
  bool all =
      is_named_folder(path::basename(folder.path)) || may_lie_below_top(join(folder.path, "x"));
  Status listed = reader_.read(opened->get(), [&](const FolderReader::Entry& entry) {
    if (entry.type == DT_SOCK) watch_.socket(folder.tree, join(folder.path, entry.name));
    bool may_be_folder = entry.type == DT_DIR || entry.type == DT_UNKNOWN;
    if (may_be_folder || all || entry.type != DT_REG || names_.may_match(entry.name))
      below.push_back(join(folder.path, entry.name));
  });
  if (!listed) note_trouble(folder.tree, folder.path, listed.error());
}

void Vetter::look_at_ways(size_t tree, const std::string& path,
                          std::vector<Culprit>& culprits) const {
  if (!ways_.are_there()) return;
  for (const std::string& link : ways_.links_below(trees_[tree].whole(path)))
    culprits.push_back(make_culprit(tree, trees_[tree].relative(link), "GIT/config",
                                    "it would lead git away from where a remote lies"));
}

void Vetter::look_again(std::vector<Culprit>& culprits) {
  auto passed = passed_;  // each look adds to it
  for (const auto& [tree, path] : passed)
    look(tree, path, culprits);
}

std::optional<Culprit> Vetter::judge(const Met& met) {
  if (auto named = judge_by_name(met)) return named;
  if (auto meant = judge_below_top(met)) return meant;
  bool is_folder = met.type == S_IFDIR;
  const files::GitEntry* entry = names_.git_entry(met.path, is_folder);
  if (entry == nullptr) entry = bare_step(met);
  if (entry != nullptr) {
    if (!names_.is_unprotected(met.path)) return judge_in_git(met, *entry);
  }
  auto found =
      met.type == S_IFLNK ? names_.match_link(met.path) : names_.match(met.path, is_folder);
  if (!found) return judge_unnamed(met);
  std::string rule(*found);
  if (names_.is_by_content(rule)) return judge_content(met, rule);
  bool is_git_file = rule == ".git" && met.type == S_IFREG;
  if (!is_git_file) return make_culprit(met.tree, met.path, rule, names_.reason_for(rule));
  passed_.emplace(met.tree, met.path);
  auto text = read(met);
  if (!text) return make_culprit(met.tree, met.path, rule, text.error().text());
  // Empty: made and not written to yet.
  std::string why =
      text->empty()
          ? ""
          : refusal_of(git::judge_git_file(*text, {path::parent(absolute(met)), tree_paths_}));
  if (why.empty()) return std::nullopt;
  return make_culprit(met.tree, met.path, rule, why);
}

std::optional<Culprit> Vetter::judge_by_name(const Met& met) {
  std::string folder = files::parent_of(met.path);
  if (met.type == S_IFDIR || !is_named_folder(path::basename(folder)) ||
      names_.is_unprotected(met.path))
    return std::nullopt;
  const files::GitEntry* around = names_.git_entry(folder, true);
  if (around == nullptr) around = bare_entry(met.tree, folder);
  if (around == nullptr) return std::nullopt;
  std::string why = judge_name_in(around->path, path::basename(met.path));
  if (why.empty()) return std::nullopt;
  return make_culprit(met.tree, met.path, around->pattern, why);
}

// What the folder is in a git folder of any other name around it.
const files::GitEntry* Vetter::bare_entry(size_t tree, const std::string& folder) {
  return is_bare_folder(tree, files::parent_of(folder))
             ? names_.match_in_git(path::basename(folder), true)
             : nullptr;
}

// The index in such a folder, and what goes on by an interrupted rebase and the like.
const files::GitEntry* Vetter::bare_step(const Met& met) {
  std::string folder = files::parent_of(met.path);
  const files::GitEntry* index = names_.match_in_git(path::basename(met.path), false);
  bool is_index = index != nullptr && index->guard == files::Guard::vetted;
  if (is_index && met.type != S_IFDIR && is_bare_folder(met.tree, folder)) return index;
  std::string name = join(std::string(path::basename(folder)), path::basename(met.path));
  const files::GitEntry* entry = names_.match_in_git(name, met.type == S_IFDIR);
  bool is_step = entry != nullptr && entry->guard == files::Guard::vetted;
  return is_step && is_bare_folder(met.tree, files::parent_of(folder)) ? entry : nullptr;
}

bool Vetter::is_bare_folder(size_t tree, const std::string& folder) {
  auto opened = open_folder(tree, folder);
  return opened && is_bare(opened->get());
}

std::optional<Culprit> Vetter::judge_in_git(const Met& met, const files::GitEntry& entry) {
  if (met.type == S_IFDIR) return std::nullopt;  // what lies in it is judged by itself
  if (met.type != S_IFREG)
    return make_culprit(met.tree, met.path, entry.pattern, "is no ordinary file");
  if (entry.is_folder) return std::nullopt;  // git wants a folder there, and ignores a file
  if (entry.path == "index" || entry.path == "sharedindex.*") {
    std::string why = watch_.index(met.tree, met.path);
    if (why.empty()) return std::nullopt;
    return make_culprit(met.tree, met.path, entry.pattern, why);
  }
  auto text = read(met);
  if (!text) return make_culprit(met.tree, met.path, entry.pattern, text.error().text());
  return judge_git_text(met, entry, *text);
}

std::optional<Culprit> Vetter::judge_git_text(const Met& met, const files::GitEntry& entry,
                                              const std::string& text) {
  if (text.empty()) {  // not written to yet
    passed_.emplace(met.tree, met.path);
    return std::nullopt;
  }
  git::GitPlace place{path::parent(absolute(met)), tree_paths_, only_read_};
  std::string why = names_.reason_for(entry.pattern);
  if (entry.path == "config" || entry.path == "config.worktree") {
    auto judged = entry.path == "config" ? git::judge_new_config(text, place)
                                         : git::judge_worktree_config(text, place);
    why = refusal_of(judged);
    if (judged && !judged->worktree.empty()) why = judge_worktree(met, judged->worktree);
    if (judged) ways_.add(judged->ways);
    if (judged) note_remotes(met, judged->remotes);
    // What lay there before the run was not judged until now.
    if (judged && judged->reads_worktree_config)
      why = refusal_of(git::judge_sleeping_settings(place));
  }
  if (entry.path == "commondir") why = refusal_of(git::judge_commondir(text, place));
  if (entry.path == "gitdir") why = refusal_of(git::judge_worktree_gitdir(text, place));
  if (auto judge_text = git::judge_of_interrupted(entry.path)) why = refusal_of(judge_text(text));
  if (!why.empty()) return make_culprit(met.tree, met.path, entry.pattern, why);
  passed_.emplace(met.tree, met.path);
  return std::nullopt;
}

// A config is read again whenever it may have changed.
void Vetter::note_remotes(const Met& met, const std::vector<git::AddedRemote>& remotes) {
  for (const git::AddedRemote& remote : remotes) {
    std::string all = absolute(met) + '\0' + remote.name + '\0' + remote.address;
    if (met_remotes_.size() < kMostRemotes && met_remotes_.insert(std::move(all)).second)
      made_remotes_.push_back({met.tree, met.path, remote});
  }
}

// A folder of any other name that holds what a git folder holds: git uses it if somebody enters it.
void Vetter::judge_bare(const Met& met, std::vector<Culprit>& culprits) {
  std::string folder = files::parent_of(met.path);
  if (!may_complete_layout(path::basename(met.path)) ||
      names_.git_entry(join(folder, "config"), false) != nullptr)
    return;
  auto opened = open_folder(met.tree, folder);
  if (!opened || !is_bare(opened->get())) return;
  for (const files::GitEntry& entry : names_.git_entries()) {
    if (entry.guard == files::Guard::folders) continue;
    auto part = meet(met.tree, join(folder, entry.path));
    if (!part) continue;
    if (entry.is_folder && part->type == S_IFDIR) {
      std::vector<std::string> below;
      enter(*part, below);
      for (const std::string& file : below) {
        auto named = meet(met.tree, file);
        if (auto culprit = named ? judge_by_name(*named) : std::nullopt)
          culprits.push_back(std::move(*culprit));
      }
      continue;
    }
    if (auto culprit = judge_in_git(*part, entry)) culprits.push_back(std::move(*culprit));
  }
}

Result<std::string> Vetter::read(const Met& met) const {
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  constexpr int kMostTries = 16;
  Fd opened;
  struct stat facts {};
  // Without a name it was replaced after we opened it, as git does with its config: what lies there
  // now is what counts.
  for (int i = 0; i < kMostTries && facts.st_nlink == 0; i++) {
    TRY_ASSIGN(opened, file::open_beneath(trees_[met.tree].folder.get(), met.path, kFlags));
    if (fstat(opened.get(), &facts) < 0 || !S_ISREG(facts.st_mode))
      return fail("is no ordinary file");
  }
  // By a second name it could be changed unseen.
  if (facts.st_nlink != 1) return fail("has a second name");
  if (static_cast<size_t>(facts.st_size) > kMostText) return fail("is too large");
  watch_.file(met.tree, opened.get(), met.path);
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

}  // namespace ringwall::broker
