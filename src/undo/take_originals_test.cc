#include "undo/take_originals.h"

#include <signal.h>
#include <sys/wait.h>

#include "changes/transaction.h"
#include "undo/expiry.h"
#include "undo/put_back.h"
#include "undo/undo_testing.h"

namespace ringwall::undo {
namespace {

// An act that deletes files, from what is kept first to what is written down last.
class TakeOriginals : public UndoPlace {
 protected:
  // Up to where the files lie in the journal.
  Status carry_out(const std::vector<std::string>& paths) {
    Fd tree = open_tree();
    OriginalsIn in{tree_, tree.get()};
    std::vector<changes::Step> steps;
    for (const std::string& path : paths) {
      changes::Step step;
      step.path = path;
      step.expected = *changes::look_at(tree.get(), path);
      in.entries.push_back({path, step.expected});
      steps.push_back(step);
    }
    in.is_taken = can_take(undo_.get(), tree.get());
    EXPECT_TRUE(in.is_taken);
    KeptRun as{"act@1", "act", KeptRun::Kind::apply, tree_, {}, now_in_milliseconds()};
    TRY_ASSIGN(folder_, make_kept_run(undo_.get(), as));
    TRY(keep_originals(undo_.get(), folder_.get(), {in}));
    TRY_ASSIGN(Fd journal, file::make_dirs_at(folder_.get(), "journal/0"));
    TRY(changes::put_in_place(tree.get(), journal.get(), steps, {.keeps_replaced = true}));
    return {};
  }
  Status finish(const TakeOptions& options = {}) {
    std::vector<Fd> trees;
    trees.push_back(open_tree());
    return finish_act(undo_.get(), folder_.get(), trees, options);
  }
  const SavedEntry* entry(const std::string& path) {
    manifest_ = *read_manifest(folder_.get());
    return find_entry(manifest_.trees[0], path);
  }
  std::string content(const std::string& path) {
    const SavedEntry* kept = entry(path);
    if (kept == nullptr || !kept->has_content()) return "(nothing)";
    auto file = Store::open(undo_.get())->open_content(kept->digest, kept->size);
    return file ? *file::read_all(file->get()) : "(damaged)";
  }
  uint64_t inode_in_store(const std::string& path) {
    const SavedEntry* kept = entry(path);
    struct stat seen = {};
    auto file = Store::open(undo_.get())->open_content(kept->digest, kept->size);
    return file && fstat(file->get(), &seen) == 0 ? seen.st_ino : 0;
  }
  uint64_t inode(const std::string& path) const {
    struct stat seen = {};
    return stat((tree_ + "/" + path).c_str(), &seen) == 0 ? seen.st_ino : 0;
  }

  Fd folder_;
  Manifest manifest_;
};

TEST_F(TakeOriginals, WhatWasReplacedIsTheContentItself) {
  write("one", "first");
  write("closed", "secret");
  ASSERT_EQ(chmod((tree_ + "/closed").c_str(), 0), 0);
  uint64_t one = inode("one"), closed = inode("closed");
  ASSERT_TRUE(carry_out({"one", "closed"}));
  EXPECT_EQ(content("one"), "(nothing)");
  ASSERT_TRUE(finish());
  EXPECT_EQ(content("one"), "first");
  EXPECT_EQ(content("closed"), "secret");
  EXPECT_EQ(inode_in_store("one"), one);
  EXPECT_EQ(inode_in_store("closed"), closed);
  EXPECT_EQ(entry("closed")->mode, 0u);
  EXPECT_FALSE(is_interrupted(folder_.get()));
}

TEST_F(TakeOriginals, WhatOthersCouldStillChangeIsCopied) {
  for (const char* name : {"written", "linked", "plain"})
    write(name, name);
  ASSERT_EQ(link((tree_ + "/linked").c_str(), (tree_ + "/stays").c_str()), 0);
  Fd writer(open((tree_ + "/written").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  ASSERT_TRUE(carry_out({"written", "linked", "plain"}));
  ASSERT_EQ(::write(writer.get(), "!", 1), 1);  // after it was replaced
  ASSERT_TRUE(finish());
  ASSERT_EQ(::write(writer.get(), "?", 1), 1);
  write("stays", "by the person");
  EXPECT_EQ(content("written"), "written!");
  EXPECT_EQ(content("linked"), "linked");
  EXPECT_EQ(content("plain"), "plain");
}

TEST_F(TakeOriginals, AllAreCopiedIfSomebodyBehindWallsIsAtWork) {
  write("one", "first");
  uint64_t one = inode("one");
  ASSERT_TRUE(carry_out({"one"}));
  ASSERT_TRUE(finish({.copies = true}));
  EXPECT_EQ(content("one"), "first");
  EXPECT_NE(inode_in_store("one"), one);
}

// Killed before each act, with contents that nobody names removed in between.
TEST_F(TakeOriginals, NothingIsLostWheneverItIsKilled) {
  for (int at = 0;; at++) {
    ASSERT_LT(at, 50);
    TearDown();
    SetUp();
    write("one", "first");
    write("two", "second");
    write("twin", "second");
    ASSERT_TRUE(carry_out({"one", "two", "twin"}));
    pid_t child = fork();
    if (child == 0) {
      int acts = 0;
      (void)finish({.before_act = [&](std::string_view) {
        if (acts++ == at) kill(getpid(), SIGKILL);
        return 0;
      }});
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    folder_.close();
    auto swept =
        expire(undo_.get(), {UINT64_MAX, UINT64_MAX, now_in_milliseconds()}, [] { return true; });
    ASSERT_TRUE(swept && !swept->was_busy) << at;
    auto finished = finish_interrupted(undo_.get());
    ASSERT_TRUE(finished && finished->broken.empty()) << at;
    folder_ = *open_kept_run(undo_.get(), "act@1");
    EXPECT_EQ(content("one"), "first") << at;
    EXPECT_EQ(content("two"), "second") << at;
    EXPECT_EQ(content("twin"), "second") << at;
    EXPECT_FALSE(is_interrupted(folder_.get())) << at;
    if (WIFEXITED(status)) break;  // it had fewer acts
  }
}

TEST_F(TakeOriginals, WhatCouldNotBeReadAnyMoreIsTold) {
  write("one", "first");
  write("two", "second");
  ASSERT_TRUE(carry_out({"one", "two"}));
  ASSERT_TRUE(finish());
  EXPECT_TRUE(find_unkept(folder_.get()).empty());
  // As after a fault of the disk.
  Manifest manifest = *read_manifest(folder_.get());
  manifest.trees[0].entries[0].kept = Kept::unreadable;
  ASSERT_TRUE(write_manifest(folder_.get(), manifest));
  auto unkept = find_unkept(folder_.get());
  ASSERT_EQ(unkept.size(), 1u);
  EXPECT_NE(unkept[0].find("could not be read"), std::string::npos);
}

TEST_F(TakeOriginals, AFullDiskIsWaitedFor) {
  write("one", "first");
  for (const char* full : {"learn", "write digests", "take"}) {
    TearDown();
    SetUp();
    write("one", "first");
    ASSERT_TRUE(carry_out({"one"}));
    ASSERT_FALSE(
        finish({.before_act = [&](std::string_view act) { return act == full ? ENOSPC : 0; }}));
    ASSERT_TRUE(finish()) << full;
    EXPECT_EQ(content("one"), "first") << full;
  }
}

}  // namespace
}  // namespace ringwall::undo
