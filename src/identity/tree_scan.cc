#include "identity/tree_scan.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/folder_reader.h"
#include "base/indexed_walk.h"

namespace ringwall::identity {
namespace {

// New folders of a system appear this near to the top of /usr, or in a folder of programs.
constexpr uint32_t kNearTop = 2;
// So few files are looked at one by one, data too.
constexpr size_t kSmallTree = 1500;
constexpr size_t kCostOfFolder = 8;  // in files
constexpr size_t kBetweenProgress = 512;

FileKey key_of_mark(const Mark& mark) {
  return {makedev(static_cast<unsigned>(mark.device >> 32), static_cast<unsigned>(mark.device)),
          mark.inode, mark.ctime, mark.size};
}

class Scan {
 public:
  Scan(int tree, TreeIndex& index, Look look, const SizeFilter& filter, const Progress& progress)
      : index_(index),
        look_(look),
        filter_(filter),
        progress_(progress),
        walk_(tree, " for programs"),
        path_(walk_.path()) {}

  Result<ScanResult> run() {
    TRY(walk_.begin());
    size_t all = index_.files.size();
    for (const ListedFolder& folder : index_.folders)
      all += folder.data + kCostOfFolder;
    // Data is not in the index: folders are listed to see it.
    lists_all_ = look_ == Look::whole && all <= kSmallTree;
    for (int tries = 0; tries < IndexedWalk::kMostPasses; tries++) {
      result_.folders = 0;
      TRY(walk_.pass(index_, [&](const WalkStep& step) { return visit(step); }));
      if (walk_.has_lost_folder()) continue;
      bool is_whole = look_ != Look::programs || result_.folders == result_.listed;
      if (is_whole && filter_.is_empty()) index_.whole_at = clock::wall_seconds();
      return result_;
    }
    return std::unexpected(walk_.still_changing());
  }

 private:
  Status visit(const WalkStep& step);
  bool has_wanted(const ListedFolder& folder) const;
  Status list(const WalkStep& step);
  Status miss(const WalkStep& step) { return walk_.miss(index_, step); }
  bool check_files(const ListedFolder& folder);
  bool is_as_listed(const ListedFolder& folder);
  bool is_as_before(int dir, std::string_view name, const ListedFile* file, uint32_t size);
  void add_file(int dir, std::string_view name, ListedFolder& folder);
  void add_link(std::string_view name);
  ListedFile examine(int dir, const std::string& name, const Mark& mark);

  TreeIndex& index_;
  Look look_;
  const SizeFilter& filter_;
  const Progress& progress_;
  IndexedWalk walk_;
  WalkPath& path_;
  FolderReader reader_;
  bool lists_all_ = false;

  std::vector<std::string> subfolders_;
  std::vector<uint32_t> sizes_;
  std::unordered_map<std::string_view, ListedFile> known_files_;
  ScanResult result_;
};

Status Scan::visit(const WalkStep& step) {
  const ListedFolder& folder = index_.folders[step.folder];
  result_.folders++;
  if (!filter_.is_empty()) return has_wanted(folder) ? list(step) : Status();
  if (folder.ctime == 0 || lists_all_) return list(step);
  bool is_passed = look_ == Look::programs && folder.programs == 0 && step.depth > kNearTop;
  if (is_passed) return {};
  Mark mark;
  if (!path_.look(mark)) return miss(step);
  bool is_same = walk_.is_as_noted(folder, mark);
  bool is_known = is_same && (look_ == Look::files ? is_as_listed(folder) : check_files(folder));
  return is_known ? Status() : list(step);
}

bool Scan::has_wanted(const ListedFolder& folder) const {
  if (folder.examined != 0) return false;
  for (uint32_t i = 0; i < folder.data; i++) {
    if (filter_.takes(index_.sizes[folder.first_size + i])) return true;
  }
  return false;
}

// False if a program is not as it was: its folder's times say nothing of that.
bool Scan::check_files(const ListedFolder& folder) {
  for (uint32_t i = 0; i < folder.entries; i++) {
    const ListedFile& file = index_.files[folder.first_entry + i];
    if (file.kind == ProgramKind::link) continue;
    if (file.is_settled == 0) return false;
    if (file.may_execute == 0 || look_ == Look::programs) continue;
    Mark mark;
    bool is_same = path_.look_at(index_.name_of(file), mark) && S_ISREG(mark.mode) &&
                   key_of_mark(mark) == file.key;
    if (!is_same) return false;
  }
  return true;
}

// `file` is null for data, of which no more than the size is known.
bool Scan::is_as_before(int dir, std::string_view name, const ListedFile* file, uint32_t size) {
  Mark mark;
  bool is_file = read_mark_at(dir, std::string(name), mark) && S_ISREG(mark.mode);
  if (!is_file) return false;
  if (file != nullptr) return file->is_settled != 0 && key_of_mark(mark) == file->key;
  return (mark.mode & 0111) == 0 && SizeFilter::as_kept(mark.size) == size;
}

// A folder that did not change is read in the order in which it was listed.
bool Scan::is_as_listed(const ListedFolder& folder) {
  bool knows_sizes = folder.examined == 0 || folder.data == 0;
  Fd dir = knows_sizes ? path_.open_folder() : Fd();
  if (!dir) return false;
  uint32_t entries = 0, data = 0;
  bool is_same = true;
  Status read = reader_.read(dir.get(), [&](const FolderReader::Entry& entry) {
    bool is_link = entry.type == DT_LNK;
    if (!is_same || (entry.type != DT_REG && !is_link)) return;
    const ListedFile* next =
        entries < folder.entries ? &index_.files[folder.first_entry + entries] : nullptr;
    if (next != nullptr && index_.name_of(*next) == entry.name) {
      entries++;
      bool was_link = next->kind == ProgramKind::link;
      is_same = is_link == was_link && (is_link || is_as_before(dir.get(), entry.name, next, 0));
      return;
    }
    is_same = !is_link && data < folder.data &&
              is_as_before(dir.get(), entry.name, nullptr, index_.sizes[folder.first_size + data]);
    data++;
  });
  return read && is_same && entries == folder.entries && data == folder.data;
}

ListedFile Scan::examine(int dir, const std::string& name, const Mark& mark) {
  result_.examined++;
  ListedFile file{.key = key_of_mark(mark)};
  file.may_execute = (mark.mode & 0111) != 0;
  file.is_settled = walk_.moment().is_settled(mark.ctime) && walk_.remembers();
  Fd fd = open_file_at(dir, name);
  if (!fd) {
    // Its owner can open it up inside.
    bool may_hide = file.may_execute != 0 || mark.owner == geteuid();
    file.kind = may_hide ? ProgramKind::unreadable : ProgramKind::none;
    return file;
  }
  file.kind = kind_of_file(fd.get(), file.may_execute != 0);
  if (file.kind != ProgramKind::script || mark.size > kLongestWrapper) return file;
  char text[kLongestWrapper];
  ssize_t got = pread(fd.get(), text, sizeof text, 0);
  std::string wraps = got > 0 ? wrapped_by({text, static_cast<size_t>(got)}) : "";
  if (!wraps.empty()) file.wraps = index_.add_text(wraps);
  return file;
}

void Scan::add_file(int dir, std::string_view name, ListedFolder& folder) {
  Mark mark;
  std::string zero_ended(name);
  if (!read_mark_at(dir, zero_ended, mark) || !S_ISREG(mark.mode)) return;  // gone already
  auto known = known_files_.find(name);
  bool is_same = known != known_files_.end() && known->second.is_settled != 0 &&
                 known->second.key == key_of_mark(mark);
  bool may_execute = (mark.mode & 0111) != 0;
  bool is_wanted = may_execute || (mark.size > 0 && filter_.takes(SizeFilter::as_kept(mark.size)));
  ListedFile file = is_same     ? known->second
                    : is_wanted ? examine(dir, zero_ended, mark)
                                : ListedFile();
  // What was looked into for its size is kept, so that it is not looked into again.
  bool is_kept = file.kind != ProgramKind::none || (file.key.size != 0 && !filter_.takes_all());
  if (!is_kept) {
    folder.data++;
    sizes_.push_back(SizeFilter::as_kept(mark.size));
    return;
  }
  file.name = index_.add_text(name);
  file.name_length = static_cast<uint16_t>(name.size());
  if (file.may_execute != 0) folder.programs = 1;
  index_.files.push_back(file);
}

void Scan::add_link(std::string_view name) {
  ListedFile file{.kind = ProgramKind::link};
  file.is_settled = 1;
  file.name = index_.add_text(name);
  file.name_length = static_cast<uint16_t>(name.size());
  index_.files.push_back(file);
}

Status Scan::list(const WalkStep& step) {
  Fd dir = path_.open_folder();
  if (!dir) return miss(step);
  Mark mark;
  if (!read_mark(dir.get(), mark)) return fail_errno("cannot look at " + walk_.name_of_place());
  ListedFolder folder = index_.folders[step.folder];
  // Texts move when they grow: names that are looked up by are copies.
  std::vector<std::string> names;
  std::vector<ListedFile> files;
  for (uint32_t i = 0; i < folder.entries; i++) {
    files.push_back(index_.files[folder.first_entry + i]);
    names.emplace_back(index_.name_of(files.back()));
  }
  known_files_.clear();
  for (size_t i = 0; i < files.size(); i++)
    known_files_.emplace(names[i], files[i]);
  std::unordered_map<std::string, ListedFolder> known_folders;
  for (uint32_t i = 0; i < folder.children; i++) {
    const ListedFolder& child = index_.folders[folder.first_child + i];
    known_folders.emplace(index_.name_of(child), child);
  }
  folder.first_entry = static_cast<uint32_t>(index_.files.size());
  folder.programs = 0;
  folder.data = 0;
  folder.examined = filter_.takes_all() ? 1 : 0;
  sizes_.clear();
  subfolders_.clear();
  Status read = reader_.read(dir.get(), [&](const FolderReader::Entry& entry) {
    if (entry.type == DT_DIR) subfolders_.emplace_back(entry.name);
    if (entry.type == DT_LNK) add_link(entry.name);
    if (entry.type == DT_REG) add_file(dir.get(), entry.name, folder);
  });
  if (!read) {
    errno = read.error().err;
    return miss(step);
  }
  folder.entries = static_cast<uint32_t>(index_.files.size()) - folder.first_entry;
  folder.first_size = static_cast<uint32_t>(index_.sizes.size());
  if (folder.examined == 0) index_.sizes.insert(index_.sizes.end(), sizes_.begin(), sizes_.end());
  folder.first_child = static_cast<uint32_t>(index_.folders.size());
  folder.children = static_cast<uint32_t>(subfolders_.size());
  for (const std::string& name : subfolders_) {
    auto known = known_folders.find(name);
    ListedFolder child = known == known_folders.end() ? ListedFolder() : known->second;
    child.name = index_.add_text(name);
    child.name_length = static_cast<uint16_t>(name.size());
    index_.folders.push_back(child);
  }
  walk_.note(folder, mark);
  index_.folders[step.folder] = folder;
  index_.mark_changed();
  if (++result_.listed % kBetweenProgress == 0 && progress_) progress_(result_.listed);
  return {};
}

}  // namespace

SizeFilter SizeFilter::everything() {
  SizeFilter filter;
  filter.all_ = true;
  return filter;
}

void SizeFilter::add(uint64_t size) {
  uint32_t kept = as_kept(size);
  sizes_.insert(std::upper_bound(sizes_.begin(), sizes_.end(), kept), kept);
  bits_[kept % kBits] = true;
}

Result<ScanResult> scan_tree(int tree, TreeIndex& index, Look look, const Progress& progress) {
  std::string key = "1 " + std::to_string(geteuid());
  if (index.key() != key) index.clear(key);
  return Scan(tree, index, look, SizeFilter(), progress).run();
}

Status examine_sizes(int tree, TreeIndex& index, const SizeFilter& filter,
                     const Progress& progress) {
  auto is_open = [&](const ListedFolder& folder) {
    for (uint32_t i = 0; folder.examined == 0 && i < folder.data; i++) {
      if (filter.takes(index.sizes[folder.first_size + i])) return true;
    }
    return false;
  };
  if (filter.is_empty() || std::ranges::none_of(index.folders, is_open)) return {};
  TRY(Scan(tree, index, Look::whole, filter, progress).run());
  return {};
}

}  // namespace ringwall::identity
