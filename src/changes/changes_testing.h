// For tests: trees that are made, and read whole so that they can be compared.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "base/fd.h"
#include "base/file.h"
#include "base/tree.h"

namespace ringwall::changes {

// A folder of the test's own, gone with it.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& place = "/tmp") {
    std::string name = place + "/ringwall-changes-XXXXXX";
    if (mkdtemp(name.data()) != nullptr) path_ = name;
    place_ = Fd(::open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  ~TemporaryFolder() {
    Status removed = tree::remove_at(place_.get(), path_.substr(path_.rfind('/') + 1));
    EXPECT_TRUE(removed) << removed.error().text();
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  Fd place_;
  std::string path_;
};

inline Fd open_folder(const std::string& path) {
  return Fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

inline void write_text(const std::string& path, const std::string& text, mode_t mode = 0644) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder);
  std::ofstream(path) << text;
  ASSERT_EQ(chmod(path.c_str(), mode), 0) << path;
}

inline std::string read_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Type, mode, content, attributes and names of the same file; of folders no times.
inline std::map<std::string, std::string> read_tree(const std::string& top) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> tree;
  std::map<ino_t, std::string> first;
  std::map<std::string, std::string> sorted;
  for (const auto& entry : fs::recursive_directory_iterator(top))
    sorted[entry.path().lexically_relative(top)] = entry.path();
  for (const auto& [relative, path] : sorted) {
    struct stat seen;
    if (lstat(path.c_str(), &seen) < 0) continue;
    std::ostringstream out;
    out << std::oct << seen.st_mode << std::dec;
    if (S_ISREG(seen.st_mode)) {
      out << " " << seen.st_mtim.tv_sec << " [" << read_text(path) << "]";
      auto [known, is_first] = first.try_emplace(seen.st_ino, relative);
      if (!is_first) out << " = " << known->second;
    }
    if (S_ISLNK(seen.st_mode)) out << " -> " << fs::read_symlink(path).string();
    char value[64];
    ssize_t size = lgetxattr(path.c_str(), "user.colour", value, sizeof value);
    if (size > 0) out << " colour " << std::string(value, static_cast<size_t>(size));
    tree[relative] = out.str();
  }
  return tree;
}

// An access list: its owner may read and no more, and so may one other user.
inline std::string closed_list() {
  struct Entry {
    uint16_t tag, rights;
    uint32_t id;
  };
  constexpr uint32_t kNobody = 0xffffffff;
  const Entry entries[] = {{0x01, 4, kNobody},
                           {0x02, 4, 65534},
                           {0x04, 4, kNobody},
                           {0x10, 4, kNobody},
                           {0x20, 0, kNobody}};
  const uint32_t version = 2;
  std::string list(reinterpret_cast<const char*>(&version), sizeof version);
  return list.append(reinterpret_cast<const char*>(entries), sizeof entries);
}

}  // namespace ringwall::changes
