#include "broker/staged_files.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "git/index_file.h"
#include "git/index_path.h"

namespace ringwall::broker {
namespace {

constexpr size_t kMostStaged = 4096;
constexpr size_t kMostNamed = 3;
constexpr size_t kMostShown = 48;  // characters of a path
constexpr size_t kMostMatched = size_t{1} << 30;
constexpr uint32_t kKind = 0170000, kLink = 0120000;

std::string show(std::string_view path) {
  if (path.size() > kMostShown) return text::quote(path.substr(0, kMostShown)) + "...";
  return text::quote(path);
}

class Look {
 public:
  Look(const files::ProtectedNames& names, const std::string& folder, const Replacing& replacing,
       IndexLook& said)
      : names_(names), whole_(folder), folder_(folder.size()), replacing_(replacing), said_(said) {}

  // Which of the file below they are is known in the end.
  void place_unnamed(const std::vector<uint32_t>& numbers) {
    for (size_t i = 0; i < numbers.size() && i < unnamed_.size(); i++)
      said_.replacing.emplace(numbers[i], std::move(unnamed_[i]));
  }

  Status take(const git::IndexEntry& entry) {
    std::string_view path = entry.path;
    number_++;
    if (path.empty()) {
      unnamed_.push_back(staged_of(entry));
      return {};
    }
    size_t same = count_same(path);
    bool is_covered = covered_ > 0 && same >= covered_;
    if (!git::is_index_path(path, entry.mode, same) && said_.why.empty())
      said_.why = "git checkout outside would write " + show(path) + ", which git never adds";
    whole_.replace(folder_, std::string::npos, path);
    if (!is_covered) covered_ = 0;
    if (is_covered || is_protected(entry, same)) add(entry);
    if (matched_ > kMostMatched) return fail("it takes too long to be judged");
    last_ = path;
    return {};
  }

 private:
  // Where the first component begins that the last path did not have.
  size_t count_same(std::string_view path) const {
    size_t common = static_cast<size_t>(
        std::mismatch(path.begin(), path.end(), last_.begin(), last_.end()).first - path.begin());
    size_t slash = common == 0 ? path.npos : path.rfind('/', common - 1);
    return slash == path.npos ? 0 : slash + 1;
  }

  bool is_protected(const git::IndexEntry& entry, size_t from) {
    const std::string& path = whole_;
    for (size_t end = path.find('/', folder_ + from); end != path.npos;
         end = path.find('/', end + 1)) {
      if (!matches(std::string_view(path).substr(0, end), files::EntryKind::folder)) continue;
      covered_ = end + 1 - folder_;
      return true;
    }
    bool is_link = (entry.mode & kKind) == kLink;
    return matches(path, is_link ? files::EntryKind::link : files::EntryKind::file);
  }

  bool matches(std::string_view path, files::EntryKind kind) {
    if (!names_.may_match(files::last_name(path))) return false;
    matched_ += path.size();
    return kind == files::EntryKind::link
               ? names_.match_link(path).has_value()
               : names_.match(path, kind == files::EntryKind::folder).has_value();
  }

  void add(const git::IndexEntry& entry) {
    if (said_.staged.size() >= kMostStaged) {
      said_.has_more = true;
      return;
    }
    auto replacing = replacing_.find(number_ - 1);
    said_.staged[std::string(entry.path)] =
        replacing == replacing_.end() ? staged_of(entry) : replacing->second;
  }

  static StagedFile staged_of(const git::IndexEntry& entry) {
    return {std::to_string(entry.mode) + " " + std::string(entry.id), entry.is_hushed()};
  }

  const files::ProtectedNames& names_;
  std::string whole_;  // path in the tree
  size_t folder_;
  const Replacing& replacing_;
  IndexLook& said_;
  uint32_t number_ = 0;
  std::vector<StagedFile> unnamed_;
  std::string last_;
  size_t covered_ = 0;  // so much of the last path is a protected folder
  size_t matched_ = 0;
};

}  // namespace

IndexLook look_into_index(std::string_view bytes, const files::ProtectedNames& names,
                          const std::string& folder, const Replacing& replacing) {
  IndexLook all;
  bool is_read = false;
  std::string trouble;
  // Which kind of ids the repository has its config says. One that can be read both ways is judged
  // both ways.
  for (size_t id_size : {20, 32}) {
    IndexLook said;
    Look look(names, folder, replacing, said);
    auto parts = git::read_index(bytes, id_size,
                                 [&](const git::IndexEntry& entry) { return look.take(entry); });
    if (!parts && trouble.empty()) trouble = parts.error().text();
    if (!parts) continue;
    is_read = true;
    look.place_unnamed(parts->replaced);
    all.replacing.merge(said.replacing);
    if (all.why.empty()) all.why = said.why;
    if (all.below.empty()) all.below = parts->below;
    all.staged.merge(said.staged);
    all.has_more = all.has_more || said.has_more;
  }
  if (!is_read) all.why = "git cannot have written it: " + trouble;
  return all;
}

std::string folder_of_files(std::string_view index) {
  constexpr std::string_view kGit = ".git/";
  size_t name = index.rfind('/') + 1;
  std::string_view folder = index.substr(0, name);
  bool is_named = folder.ends_with(kGit) && (folder == kGit || folder.ends_with("/.git/"));
  return is_named ? std::string(folder.substr(0, folder.size() - kGit.size())) : std::string();
}

std::string name_staged(const IndexLook& now, const KnownStaged& known) {
  std::vector<std::string> named;
  size_t count = 0;
  for (const auto& [path, file] : now.staged) {
    if (known.contains({path, file.what})) continue;
    if (++count <= kMostNamed) named.push_back(show(path));
  }
  std::string words = text::join(named, ", ");
  if (count > kMostNamed) words += " and " + std::to_string(count - kMostNamed) + " more";
  if (now.has_more) words += words.empty() ? "more files than are counted" : " at least";
  return words;
}

std::string find_hushed(const IndexLook& now, const KnownStaged& known) {
  for (const auto& [path, file] : now.staged) {
    if (file.is_hushed && !known.contains({path, file.what})) return show(path);
  }
  return "";
}

}  // namespace ringwall::broker
