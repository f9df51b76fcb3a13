#include "verify/listing.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>

#include "base/file.h"
#include "base/path.h"

namespace ringwall::verify {
namespace {

constexpr size_t kMostLines = 50'000;
constexpr char kSeparator = '\0';  // the one byte that no name holds

std::string in_full(const std::string& path, const struct stat& facts) {
  std::string line = std::to_string(facts.st_ino) + " " + std::to_string(facts.st_uid) + " " +
                     std::to_string(facts.st_gid) + " " + std::to_string(facts.st_size) + " " +
                     std::to_string(facts.st_mtim.tv_sec) + "." +
                     std::to_string(facts.st_mtim.tv_nsec) + " ";
  if (S_ISREG(facts.st_mode)) {
    auto content = file::read(path);
    line += content ? *content : content.error().text();
  }
  if (S_ISLNK(facts.st_mode)) {
    auto target = file::read_link(path);
    line += target ? *target : target.error().text();
  }
  return line;
}

void add_folder(const std::string& folder, int level, const ListingDepth& depth,
                std::vector<std::string>& lines) {
  auto opened = file::open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  auto entries = opened ? file::list(opened->get()) : std::unexpected(opened.error());
  if (!entries) {
    lines.push_back(folder + kSeparator + "cannot be read");
    return;
  }
  for (const file::Entry& entry : *entries) {
    std::string path = path::join(folder, entry.name);
    struct stat facts;
    if (lines.size() >= kMostLines) return;
    if (lstat(path.c_str(), &facts) < 0) continue;  // gone since it was listed
    std::string line = path + kSeparator + std::to_string(facts.st_mode);
    if (depth.in_full) line += " " + in_full(path, facts);
    lines.push_back(std::move(line));
    bool left_out =
        std::find(depth.left_out.begin(), depth.left_out.end(), path) != depth.left_out.end();
    if (S_ISDIR(facts.st_mode) && level + 1 < depth.levels && !left_out)
      add_folder(path, level + 1, depth, lines);
  }
}

}  // namespace

std::vector<std::string> list_tree(const std::string& top, const ListingDepth& depth) {
  std::vector<std::string> lines;
  add_folder(top, 0, depth, lines);
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string first_difference(const std::vector<std::string>& before,
                             const std::vector<std::string>& after) {
  std::vector<std::string> different;
  std::set_symmetric_difference(before.begin(), before.end(), after.begin(), after.end(),
                                std::back_inserter(different));
  if (different.empty()) return "";
  return different[0].substr(0, different[0].find(kSeparator));
}

}  // namespace ringwall::verify
