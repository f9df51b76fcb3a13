#include "identity/program_search.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"
#include "identity/hash_file.h"

namespace ringwall::identity {
namespace {

// Smaller trees are read anew faster than their index is written.
constexpr size_t kLeastFolders = 40;
constexpr size_t kLeastFiles = 200;
// Folders of the system that hold no programs are looked at when a run has started, and on its way
// only if that is so long ago.
constexpr int64_t kSecondsBetweenWholeLooks = 86'400;
constexpr int64_t kSecondsBetweenLaterLooks = 60;
// A file that is being written is tried again.
constexpr int kMostTries = 3;

bool is_worth_keeping(const TreeIndex& index) {
  return index.folders.size() >= kLeastFolders || index.files.size() >= kLeastFiles;
}

std::string index_name(const std::string& path) { return "tree-" + sha256(path).substr(0, 24); }

}  // namespace

ProgramSearch::ProgramSearch(std::string state, std::vector<std::string> search_path,
                             Progress progress)
    : state_(std::move(state)),
      search_path_(std::move(search_path)),
      progress_(std::move(progress)),
      hashes_(HashCache::read(path::join(state_, "hashes"))) {
  if (hashes_.is_damaged())
    complaints_.push_back("the cache of hashes was damaged or changed; it is made anew");
}

Status ProgramSearch::add_tree(const std::string& path, bool writable, bool of_system) {
  auto fd = file::open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (!fd) return std::unexpected(fd.error());
  SearchedTree& tree = trees_.emplace_back();
  tree.path = path;
  tree.writable = writable;
  tree.of_system = of_system;
  tree.fd = std::move(*fd);
  struct stat facts;
  if (fstat(tree.fd.get(), &facts) < 0) return fail_errno("cannot look at " + text::quote(path));
  tree.is_file = !S_ISDIR(facts.st_mode);
  if (tree.is_file) {
    auto file = file::open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
    if (!S_ISREG(facts.st_mode)) return {};
    bool x = (facts.st_mode & 0111) != 0;
    ListedFile one{.key = key_of(facts)};
    one.kind = file ? kind_of_file(file->get(), x) : ProgramKind::unreadable;
    one.may_execute = x;
    one.name = tree.index.add_text(path::basename(path));
    one.name_length = static_cast<uint16_t>(path::basename(path).size());
    tree.index.files.push_back(one);
    tree.index.folders[0].entries = 1;
    return {};
  }
  std::string index_file = path::join(state_, index_name(path));
  tree.index = TreeIndex::read(index_file);
  if (tree.index.is_damaged())
    complaints_.push_back("the list of programs in " + text::quote(path) +
                          " was damaged or changed; it is made anew");
  int64_t age = clock::wall_seconds() - tree.index.whole_at;
  bool is_recent = age >= 0 && age < kSecondsBetweenWholeLooks;
  Look look = !of_system ? Look::files : is_recent ? Look::programs : Look::whole;
  int64_t before = tree.index.whole_at;
  TRY(scan_tree(tree.fd.get(), tree.index, look, progress_));
  bool is_news = tree.index.is_changed() || (of_system && tree.index.whole_at != before);
  if (is_worth_keeping(tree.index) && is_news) tree.index_file = index_file;
  return {};
}

Status ProgramSearch::examine(const SizeFilter& filter) {
  for (SearchedTree& tree : trees_) {
    if (tree.is_file) continue;
    bool was_changed = tree.index.is_changed();
    TRY(examine_sizes(tree.fd.get(), tree.index, filter, progress_));
    if (tree.index.is_changed() && !was_changed && is_worth_keeping(tree.index))
      tree.index_file = path::join(state_, index_name(tree.path));
  }
  return {};
}

Program ProgramSearch::program(size_t tree, const std::string& folder,
                               const ListedFile& file) const {
  const SearchedTree& in = trees_[tree];
  Program out{.tree = tree, .kind = file.kind, .key = file.key};
  out.may_execute = file.may_execute != 0;
  out.path = in.path;
  if (!in.is_file) {
    if (!folder.empty()) out.path = path::join(out.path, folder);
    out.path = path::join(out.path, in.index.name_of(file));
  }
  if (file.wraps != 0) out.wraps = in.index.text_at(file.wraps);
  return out;
}

Content ProgramSearch::read_content(int fd) {
  std::string why;
  for (int i = 0; i < kMostTries; i++) {
    auto hashed = hash_file(fd);
    if (hashed) {
      hashes_.add(hashed->key, hashed->digest);
      return {hashed->digest, ""};
    }
    why = hashed.error().text();
  }
  return {std::nullopt, why};
}

Content ProgramSearch::content_of(const Program& program, uint64_t most) {
  if (const Digest* known = hashes_.find(program.key)) return {*known, ""};
  if (program.kind == ProgramKind::unreadable) return {std::nullopt, "it cannot be read"};
  if (program.key.size > most) return {std::nullopt, "it is too big to be looked through"};
  const SearchedTree& tree = trees_[program.tree];
  constexpr int kFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC;
  auto fd = tree.is_file ? file::open(tree.path, kFlags)
                         : file::open_beneath(tree.fd.get(),
                                              program.path.substr(tree.path.size() + 1), kFlags);
  if (!fd) return {std::nullopt, fd.error().text()};
  return read_content(fd->get());
}

// Not every file was looked at when its folder had not changed.
void ProgramSearch::look_again(Program& program) const {
  const SearchedTree& tree = trees_[program.tree];
  struct stat facts;
  if (lstat(program.path.c_str(), &facts) < 0) return;
  if (S_ISREG(facts.st_mode) && !tree.is_file) program.key = key_of(facts);
}

Content ProgramSearch::content_of_path(const std::string& path, FileKey* key) {
  auto fd = file::open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (!fd) return {std::nullopt, fd.error().text()};
  struct stat facts;
  if (fstat(fd->get(), &facts) < 0 || !S_ISREG(facts.st_mode))
    return {std::nullopt, "it is no regular file"};
  if (key != nullptr) *key = key_of(facts);
  if (const Digest* known = hashes_.find(key_of(facts))) return {*known, ""};
  return read_content(fd->get());
}

std::string ProgramSearch::real_path(const std::string& path) {
  char real[PATH_MAX];
  return realpath(path.c_str(), real) == nullptr ? "" : real;
}

std::vector<std::string> ProgramSearch::found_by_path(std::string_view name) const {
  std::vector<std::string> found;
  for (const std::string& folder : search_path_) {
    std::string real = real_path(path::join(folder, name));
    struct stat facts;
    if (real.empty() || stat(real.c_str(), &facts) < 0 || !S_ISREG(facts.st_mode)) continue;
    if (std::find(found.begin(), found.end(), real) == found.end()) found.push_back(real);
  }
  return found;
}

Result<bool> ProgramSearch::look_at_the_rest() {
  bool changed = false;
  for (SearchedTree& tree : trees_) {
    int64_t age = clock::wall_seconds() - tree.index.whole_at;
    if (!tree.of_system || tree.is_file || (age >= 0 && age < kSecondsBetweenLaterLooks)) continue;
    TRY_ASSIGN(auto scanned, scan_tree(tree.fd.get(), tree.index, Look::whole));
    changed |= scanned.listed > 0;
    if (is_worth_keeping(tree.index)) tree.index_file = path::join(state_, index_name(tree.path));
  }
  return changed;
}

void ProgramSearch::keep() {
  // Without them the next start is slower, and nothing else.
  for (SearchedTree& tree : trees_) {
    if (!tree.index_file.empty()) (void)tree.index.write(tree.index_file);
  }
  if (hashes_.is_changed()) (void)hashes_.write(path::join(state_, "hashes"));
}

}  // namespace ringwall::identity
