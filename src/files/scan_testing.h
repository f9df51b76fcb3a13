// For tests: a tree that is searched.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/fd.h"
#include "base/path.h"
#include "base/tree.h"
#include "files/scan.h"

namespace ringwall::files {

class ScannedTree : public testing::Test {
 protected:
  void SetUp() override {
    // In memory where there is one: some of these trees are big.
    std::string pattern = (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : testing::TempDir());
    pattern += "/scanXXXXXX";
    top = mkdtemp(pattern.data());
    tree = top + "/tree";
    std::filesystem::create_directory(tree);
    names = ProtectedNames::compile({}, {});
    secrets = HiddenNames::compile({}, {});
    ASSERT_TRUE(names && secrets);
  }
  void TearDown() override {
    // Deeper than the standard library goes.
    Fd parent(open(path::parent(top).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    Status removed = tree::remove_at(parent.get(), std::string(path::basename(top)));
    EXPECT_TRUE(removed) << removed.error().text();
  }

  std::string at(const std::string& path) const { return tree + "/" + path; }
  Result<ScanResult> scan_with(Index& known, const ScanBounds& bounds = {}) const {
    Fd fd(open(tree.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    return scan(fd.get(), *names, *secrets, known, bounds);
  }

  std::string top, tree;
  Result<ProtectedNames> names;
  Result<HiddenNames> secrets;
};

}  // namespace ringwall::files
