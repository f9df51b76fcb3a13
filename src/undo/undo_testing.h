// A place for tests of undo: a tree, an undo folder, and short ways to fill and read them.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/path.h"
#include "base/tree.h"
#include "undo/snapshot.h"

namespace ringwall::undo {

class UndoPlace : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ringwall-unit-undo-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    top_ = name;
    tree_ = top_ + "/tree";
    ASSERT_EQ(mkdir(tree_.c_str(), 0755), 0);
    ASSERT_EQ(mkdir((top_ + "/undo").c_str(), 0700), 0);
    undo_ = *file::open(top_ + "/undo", O_RDONLY | O_DIRECTORY);
  }
  void TearDown() override { remove_all(top_); }

  static void remove_all(const std::string& path) {
    Fd parent = *file::open(path::parent(path), O_RDONLY | O_DIRECTORY);
    EXPECT_TRUE(tree::remove_at(parent.get(), std::string(path::basename(path))));
  }

  void write(const std::string& path, const std::string& bytes) {
    std::ofstream(tree_ + "/" + path, std::ios::binary) << bytes;
  }
  std::string read(const std::string& path) const {
    std::ifstream in(tree_ + "/" + path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  bool exists(const std::string& path) const {
    struct stat facts;
    return lstat((tree_ + "/" + path).c_str(), &facts) == 0;
  }
  Fd open_tree() const { return *file::open(tree_, O_RDONLY | O_DIRECTORY); }

  // Until the clock has moved on, also the one that filesystems are at times ahead of.
  void pass_time() const {
    int64_t before = *changes::read_clock_of(undo_.get());
    while (*changes::read_kernels_clock() <= before)
      usleep(1000);
  }

  // Everything as a keeper would, with `before` the last manifest.
  Manifest snapshot(uint64_t size = UINT64_MAX, const ManifestTree* before = nullptr,
                    std::function<bool(StartSign&)> look = {}) {
    std::vector<KeeperTree> trees;
    trees.push_back({open_tree(), tree_});
    std::set<std::string> hidden = {tree_ + "/secret"};
    std::set<file::Id> none;
    if (!look) look = [](StartSign&) { return true; };
    SnapshotRequest request{trees, hidden, none, size, look};
    Snapshot snapshot(request);
    EXPECT_TRUE(snapshot.look());
    auto store = Store::open(undo_.get());
    snapshot.keep(*store, {before});
    stored_ = store->stored();
    return snapshot.manifest();
  }

  std::string top_, tree_;
  Fd undo_;
  uint64_t stored_ = 0;
};

}  // namespace ringwall::undo
