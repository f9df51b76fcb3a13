#include "broker/quarantine_restore.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/file.h"
#include "base/path.h"
#include "base/tree.h"

namespace ringwall::broker {
namespace {

// Items are laid out by hand: nothing but the layout on the disk is relied on.
class Restoring : public testing::Test {
 protected:
  Restoring() {
    std::string pattern = path::join(testing::TempDir(), "restoreXXXXXX");
    top_ = mkdtemp(pattern.data());
    for (const char* folder : {"/store", "/work", "/outside"})
      mkdir((top_ + folder).c_str(), 0700);
    store_ = Fd(open((top_ + "/store").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  ~Restoring() override {
    Fd parent(open(path::parent(top_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    EXPECT_TRUE(tree::remove_at(parent.get(), std::string(path::basename(top_))));
  }

  std::string at(const std::string& name) const { return top_ + "/" + name; }
  std::string content(const std::string& below = "") const {
    return top_ + "/store/" + name_ + "/content" + below;
  }
  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
  }
  static std::string read(const std::string& path) { return file::read(path).value_or("absent"); }

  // An item without content, from `origin`.
  void lay_out(const std::string& origin) {
    name_ = make_item_name(1);
    mkdir(at("store/" + name_).c_str(), 0700);
    write(at("store/" + name_ + "/item.json"),
          to_json({.path = origin, .run = "r", .time = 1, .kind = Kind::regular}));
  }
  Result<Restored> restore(const std::string& to = {}) const {
    TRY_ASSIGN(Item item, look_at_item(store_.get(), name_));
    return restore_item(store_.get(), item, to);
  }
  size_t entries(const std::string& folder) const {
    Fd fd(open(at(folder).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return file::list(fd.get())->size();
  }

  std::string top_;
  std::string name_;
  Fd store_;
};

}  // namespace

TEST_F(Restoring, AFileBecomesANewInode) {
  lay_out(at("work/.envrc"));
  write(content(), "kept");
  chmod(content().c_str(), 06755);
  Fd held(open(content().c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  auto restored = restore();
  ASSERT_TRUE(restored) << restored.error().text();
  EXPECT_EQ(restored->path, at("work/.envrc"));
  EXPECT_EQ(restored->bytes, 4u);
  EXPECT_EQ(restored->kind, Kind::regular);
  ASSERT_TRUE(file::write_all(held.get(), " and changed by who held it"));
  EXPECT_EQ(read(at("work/.envrc")), "kept");
  struct stat facts;
  ASSERT_EQ(lstat(at("work/.envrc").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777, 0755u);
  EXPECT_EQ(facts.st_nlink, 1u);
  EXPECT_EQ(entries("store"), 0u);
}

TEST_F(Restoring, AFolderWithAllButSpecialFiles) {
  lay_out(at("work/.vscode"));
  mkdir(content().c_str(), 0750);
  mkdir(content("/deeper").c_str(), 0700);
  write(content("/deeper/file"), "text");
  ASSERT_EQ(symlink("../../outside", content("/link").c_str()), 0);
  ASSERT_EQ(mkfifo(content("/fifo").c_str(), 0600), 0);
  chmod(content("/deeper").c_str(), 0);
  auto restored = restore();
  ASSERT_TRUE(restored) << restored.error().text();
  ASSERT_EQ(restored->left_out.size(), 1u);
  EXPECT_EQ(restored->left_out[0], "content/fifo");
  EXPECT_EQ(restored->entries, 4u);
  struct stat facts;
  ASSERT_EQ(lstat(at("work/.vscode/deeper").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777, 0u);
  chmod(at("work/.vscode/deeper").c_str(), 0700);
  EXPECT_EQ(read(at("work/.vscode/deeper/file")), "text");
  EXPECT_EQ(*file::read_link(at("work/.vscode/link")), "../../outside");
  EXPECT_EQ(entries("store"), 1u);  // what was left out is still there
}

TEST_F(Restoring, ALinkIsMadeAgainAndNotFollowed) {
  write(at("outside/secret"), "secret");
  lay_out(at("work/.mcp.json"));
  ASSERT_EQ(symlink(at("outside/secret").c_str(), content().c_str()), 0);
  ASSERT_TRUE(restore());
  EXPECT_EQ(*file::read_link(at("work/.mcp.json")), at("outside/secret"));
  EXPECT_EQ(entries("store"), 0u);
}

TEST_F(Restoring, NothingIsOverwritten) {
  write(at("work/.envrc"), "the person's");
  lay_out(at("work/.envrc"));
  write(content(), "evil");
  auto refused = restore();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("exists already"), std::string::npos);
  EXPECT_EQ(read(at("work/.envrc")), "the person's");
  // A dangling link is something too.
  ASSERT_EQ(symlink("nowhere", at("work/dangling").c_str()), 0);
  EXPECT_FALSE(restore(at("work/dangling")));
  EXPECT_FALSE(restore(at("work")));
  EXPECT_FALSE(restore("/"));
  EXPECT_EQ(entries("work"), 2u);
  EXPECT_EQ(read(content()), "evil");
  EXPECT_TRUE(restore(at("work/elsewhere")));
}

TEST_F(Restoring, NoLinkOnTheWayIsFollowed) {
  lay_out(at("work/a/.bashrc"));
  write(content(), "evil");
  ASSERT_EQ(symlink(at("outside").c_str(), at("work/a").c_str()), 0);
  for (const std::string& to : {std::string(), at("work/a/x"), at("work/a/../a/x")}) {
    auto refused = restore(to);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().what.find("link on the way"), std::string::npos);
  }
  EXPECT_EQ(entries("outside"), 0u);
}

TEST_F(Restoring, AMissingFolderIsSaid) {
  lay_out(at("work/gone/.envrc"));
  write(content(), "x");
  auto refused = restore();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().err, ENOENT);
  EXPECT_NE(refused.error().hint.find("make the folder first"), std::string::npos);
}

TEST_F(Restoring, WhatCannotBeRestored) {
  lay_out(at("work/fifo"));
  EXPECT_FALSE(restore());  // only a record
  ASSERT_EQ(mkfifo(content().c_str(), 0600), 0);
  auto refused = restore();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("is a FIFO"), std::string::npos);
  ASSERT_EQ(unlink(content().c_str()), 0);
  // Too large, told at once and with nothing left beside it.
  write(content(), "x");
  ASSERT_EQ(truncate(content().c_str(), 1LL << 40), 0);
  refused = restore();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("larger than"), std::string::npos);
  EXPECT_EQ(entries("work"), 0u);
}

TEST_F(Restoring, TooDeepLeavesNothing) {
  lay_out(at("work/deep"));
  std::string deep = content();
  mkdir(deep.c_str(), 0700);
  for (int i = 0; i < 80; i++)
    mkdir((deep += "/d").c_str(), 0700);
  EXPECT_FALSE(restore());
  EXPECT_EQ(entries("work"), 0u);
  EXPECT_TRUE(remove_item(store_.get(), name_));
  EXPECT_EQ(entries("store"), 0u);
}

TEST_F(Restoring, BrokenRecordsAreListedAsUnknown) {
  const std::string broken[] = {"",
                                "{",
                                "[]",
                                "{}",
                                R"({"path":"relative","time":1})",
                                R"({"path":"/a%0","time":1})",
                                R"({"path":"/a%zz","time":1})",
                                R"({"path":"/a%00b","time":1})",
                                R"({"path":"/a","time":"x"})",
                                std::string(100'000, '['),
                                std::string(100'000, ' ')};
  for (const std::string& text : broken) {
    lay_out("/x");
    write(at("store/" + name_ + "/item.json"), text);
    auto item = look_at_item(store_.get(), name_);
    ASSERT_TRUE(item);
    EXPECT_FALSE(item->record) << text.substr(0, 40);
  }
  EXPECT_EQ(list_items(store_.get())->size(), std::size(broken));
  EXPECT_EQ(list_items(store_.get(), "r")->size(), 0u);
}

TEST_F(Restoring, ItemsAreFoundByTheirEnd) {
  for (const char* name : {"20260101-000000-1-aaaa1111", "20260101-000000-2-bbbb1111",
                           ".next-12345678", "notes", "20260101-000000-3-../../..", "1-2-3-x"})
    mkdir(at("store/" + std::string(name)).c_str(), 0700);
  EXPECT_EQ(*find_item(store_.get(), "aaaa1111"), "20260101-000000-1-aaaa1111");
  EXPECT_EQ(*find_item(store_.get(), "20260101-000000-2-bbbb1111"), "20260101-000000-2-bbbb1111");
  for (const char* word : {"", "1", "111", "1111", "aaaa", "notes", "../x", "/", ".next-12345678"})
    EXPECT_FALSE(find_item(store_.get(), word)) << word;
  EXPECT_NE(find_item(store_.get(), "1111").error().hint.find("1-aaaa1111, "), std::string::npos);
  EXPECT_EQ(list_items(store_.get())->size(), 2u);
  EXPECT_FALSE(is_item_name("20260101-000000-1-AAAA1111"));
  EXPECT_TRUE(is_item_name(make_item_name(12)));
}

}  // namespace ringwall::broker
