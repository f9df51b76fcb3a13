#include "install/apply.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"

namespace ringwall::install {
namespace {

using Kind = FileState::Kind;

class InstallApply : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "apply-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    top_ = name;
    scope_ = {.uid = getuid(), .home = top_, .folder = top_ + "/state", .program = "/bin/true"};
    std::filesystem::create_directories(top_ + "/a");
    std::filesystem::create_directories(scope_.folder);
    write("a/settings", "mine\n");
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  void write(const std::string& name, std::string content) {
    ASSERT_TRUE(
        put(top_ + "/" + name, {.kind = Kind::file, .content = std::move(content), .mode = 0600}));
  }
  std::string read(const std::string& path) { return file::read(path, 1000).value_or("none"); }

  Change change(const std::string& name, std::string moved_to = {}) {
    return {.path = top_ + "/" + name,
            .after = {.kind = Kind::file, .content = "ours\n", .mode = 0600},
            .moved_to = moved_to.empty() ? "" : top_ + "/" + moved_to};
  }
  // Where something lies already: it may be somebody's only copy.
  Change that_fails() {
    write("program", "x");
    write("kept", "y");
    return change("program", "kept");
  }

  std::string top_;
  Scope scope_;
  Manifest manifest_;
};

TEST_F(InstallApply, what_fails_in_the_midst_is_undone) {
  Status done = apply(scope_, {{change("a/settings"), that_fails()}, {}}, manifest_);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().hint.find("not put back"), std::string::npos) << done.error().hint;
  EXPECT_EQ(read(top_ + "/a/settings"), "mine\n");
  EXPECT_TRUE(manifest_.changes.empty());
}

// The second change takes the first one's folder away, and its file lies in its place.
TEST_F(InstallApply, what_cannot_be_put_back_is_said_with_the_way_to_do_it_by_hand) {
  Plan plan{{change("a/settings"), change("a", "b"), that_fails()}, {}};
  Status done = apply(scope_, plan, manifest_);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().what.find("is there already"), std::string::npos) << done.error().what;
  const std::string& hint = done.error().hint;
  EXPECT_NE(hint.find(top_ + "/a was not put back"), std::string::npos) << hint;
  EXPECT_NE(hint.find(top_ + "/a/settings was not put back"), std::string::npos) << hint;
  EXPECT_NE(hint.find("mv -fT -- " + top_ + "/b " + top_ + "/a"), std::string::npos) << hint;
  std::string copy = scope_.folder + "/not-put-back" + top_ + "/a/settings";
  EXPECT_NE(hint.find("cp -pf -- " + copy + " " + top_ + "/a/settings"), std::string::npos) << hint;
  EXPECT_EQ(read(copy), "mine\n");
  // What is still changed stays noted.
  ASSERT_EQ(manifest_.changes.size(), 2u);
  EXPECT_EQ(manifest_.changes[0].path, top_ + "/a/settings");
  auto noted = read_manifest(scope_);
  ASSERT_TRUE(noted) << noted.error().text();
  EXPECT_EQ(noted->changes.size(), 2u);
}

// An update may put a program where a link was when the change was planned.
TEST_F(InstallApply, what_is_too_large_to_be_put_back_is_not_replaced) {
  constexpr uintmax_t kLarge = 9u << 20;
  std::filesystem::resize_file(top_ + "/a/settings", kLarge);
  Status done = apply(scope_, {{change("a/settings")}, {}}, manifest_);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().what.find("too large"), std::string::npos) << done.error().what;
  EXPECT_EQ(done.error().hint.find("not put back"), std::string::npos) << done.error().hint;
  EXPECT_EQ(std::filesystem::file_size(top_ + "/a/settings"), kLarge);
  EXPECT_TRUE(manifest_.changes.empty());
  // Moved away it needs not be known.
  EXPECT_TRUE(apply(scope_, {{change("a/settings", "a/moved")}, {}}, manifest_));
  EXPECT_EQ(read(top_ + "/a/settings"), "ours\n");
  EXPECT_EQ(std::filesystem::file_size(top_ + "/a/moved"), kLarge);
}

TEST_F(InstallApply, what_was_not_read_whole_is_not_written) {
  std::filesystem::resize_file(top_ + "/a/settings", 2000);
  auto seen = look_at(top_ + "/a/settings", 1000);
  ASSERT_TRUE(seen && !seen->whole);
  EXPECT_FALSE(put(top_ + "/a/settings", *seen));
  EXPECT_EQ(std::filesystem::file_size(top_ + "/a/settings"), 2000u);
  EXPECT_TRUE(put(top_ + "/a/settings", *look_at(top_ + "/a/settings", 2000)));
}

}  // namespace
}  // namespace ringwall::install
