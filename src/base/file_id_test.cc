#include "base/file_id.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/fd.h"
#include "base/file.h"

namespace ringwall::file {
namespace {

class FileId : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "file_id_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    path_ = name;
    folder_ = *open(path_, O_RDONLY | O_DIRECTORY);
    file_ = make("one");
  }
  void TearDown() override { std::filesystem::remove_all(path_); }

  Fd make(const std::string& name) { return *open(path_ + "/" + name, O_RDWR | O_CREAT, 0600); }

  std::string path_;
  Fd folder_, file_;
};

TEST_F(FileId, AnotherNameOfTheSameFileStandsForItToo) {
  ASSERT_EQ(linkat(folder_.get(), "one", folder_.get(), "two", 0), 0);
  EXPECT_TRUE(still_names(folder_.get(), "one", file_.get()));
  EXPECT_TRUE(still_names(folder_.get(), "two", file_.get()));
  EXPECT_TRUE(is_same(file_.get(), make("two").get()));
}

TEST_F(FileId, AnotherFileALinkAndNothingDoNot) {
  EXPECT_FALSE(still_names(folder_.get(), "none", file_.get()));
  ASSERT_EQ(symlinkat("one", folder_.get(), "link"), 0);
  EXPECT_FALSE(still_names(folder_.get(), "link", file_.get()));
  Fd other = make("other");
  EXPECT_FALSE(is_same(file_.get(), other.get()));
  ASSERT_EQ(renameat(folder_.get(), "other", folder_.get(), "one"), 0);
  EXPECT_FALSE(still_names(folder_.get(), "one", file_.get()));
  EXPECT_TRUE(still_names(folder_.get(), "one", other.get()));
}

TEST_F(FileId, OnAnotherDeviceItIsAnotherUnlessTheMachineWasStartedSince) {
  struct stat now;
  ASSERT_EQ(fstat(file_.get(), &now), 0);
  int64_t start = clock::start_of_machine();
  constexpr int64_t kSecond = 1'000'000'000;
  EXPECT_TRUE(is_still(now, {now.st_dev, now.st_ino}, start + kSecond));
  EXPECT_FALSE(is_still(now, {now.st_dev + 1, now.st_ino}, start + kSecond));
  EXPECT_TRUE(is_still(now, {now.st_dev + 1, now.st_ino}, start - kSecond));
  EXPECT_FALSE(is_still(now, {now.st_dev, now.st_ino + 1}, start - kSecond));
}

TEST_F(FileId, WhatCannotBeLookedAtIsNotTheSame) {
  EXPECT_FALSE(is_same(-1, file_.get()));
  EXPECT_FALSE(is_same(-1, -1));
  EXPECT_FALSE(still_names(folder_.get(), "one", -1));
}

}  // namespace
}  // namespace ringwall::file
