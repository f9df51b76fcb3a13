#include "undo/put_back.h"

#include <signal.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "undo/choose_run.h"
#include "undo/expiry.h"
#include "undo/put_back_testing.h"

namespace ringwall::undo {
namespace {

TEST_F(PutBack, MakesItAsBeforeAndCanBeUndone) {
  ASSERT_EQ(mkdir((tree_ + "/folder").c_str(), 0750), 0);
  write("folder/deep", "deep");
  write("changed", "old");
  ASSERT_EQ(chmod((tree_ + "/changed").c_str(), 0640), 0);
  ASSERT_EQ(symlink("somewhere", (tree_ + "/link").c_str()), 0);
  write("same", "same");
  run("run", [&] {
    write("changed", "new!");
    write("added", "added");
    ASSERT_EQ(unlink((tree_ + "/link").c_str()), 0);
    remove_all(tree_ + "/folder");
  });
  auto done = undo({});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->put_back, 3u);
  EXPECT_TRUE(done->left.empty());
  EXPECT_EQ(plan_.added, 1u);
  EXPECT_EQ(read("changed"), "old");
  EXPECT_EQ(read("folder/deep"), "deep");
  EXPECT_EQ(*file::read_link(tree_ + "/link"), "somewhere");
  EXPECT_EQ(read("added"), "added");
  struct stat facts;
  ASSERT_EQ(stat((tree_ + "/changed").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777, 0640u);
  ASSERT_EQ(stat((tree_ + "/folder").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777, 0750u);

  load("undo@2");
  auto undone = undo({.added = true}, "undo@3");
  ASSERT_TRUE(undone) << undone.error().text();
  EXPECT_TRUE(undone->left.empty());
  EXPECT_TRUE(plan_.left.empty());
  EXPECT_EQ(read("changed"), "new!");
  EXPECT_FALSE(exists("link"));
  EXPECT_FALSE(exists("folder"));
}

TEST_F(PutBack, LeavesAloneWhatWasChangedSinceUnlessItIsNamed) {
  write("file", "old");
  write("untouched", "old");
  write("deleted", "old");
  run("run", [&] {
    write("file", "by the run");
    unlink((tree_ + "/deleted").c_str());
  });
  write("file", "by the person");
  write("untouched", "by the person");
  write("deleted", "by the person");
  auto done = undo({});
  ASSERT_TRUE(done);
  ASSERT_EQ(plan_.left.size(), 2u);
  EXPECT_TRUE(plan_.left[0].is_conflict);
  EXPECT_EQ(read("file"), "by the person");
  EXPECT_EQ(read("deleted"), "by the person");
  done = undo({.paths = {tree_ + "/file"}}, "undo@3");
  ASSERT_TRUE(done);
  EXPECT_EQ(read("file"), "old");
  EXPECT_EQ(read("untouched"), "by the person");
  load("undo@3");
  ASSERT_TRUE(undo({}, "undo@4"));
  EXPECT_EQ(read("file"), "by the person");
}

TEST_F(PutBack, TakesAwayWhatWasAddedOnlyIfThatIsWished) {
  write("file", "old");
  run("run", [&] {
    unlink((tree_ + "/file").c_str());
    mkdir((tree_ + "/file").c_str(), 0755);
    write("file/inside", "new");
  });
  ASSERT_TRUE(undo({}));
  EXPECT_EQ(read("file/inside"), "new");
  ASSERT_EQ(plan_.left.size(), 1u);
  auto done = undo({.added = true}, "undo@3");
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(read("file"), "old");
  load("undo@3");
  done = undo({.added = true}, "undo@4");
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(read("file/inside"), "new");
}

TEST_F(PutBack, SaysWhatIsDamagedAndPutsBackTheRest) {
  write("one", "first content");
  write("two", "second content");
  run("run", [&] {
    unlink((tree_ + "/one").c_str());
    unlink((tree_ + "/two").c_str());
  });
  std::string hex = find_entry(manifest_.trees[0], "one")->digest.hex();
  std::ofstream(top_ + "/undo/blobs/" + hex.substr(0, 2) + "/" + hex.substr(2)) << "FIRST content";
  auto done = undo({});
  ASSERT_TRUE(done) << done.error().text();
  ASSERT_EQ(done->left.size(), 1u);
  EXPECT_NE(done->left[0].why.find("damaged"), std::string::npos);
  EXPECT_FALSE(exists("one"));
  EXPECT_EQ(read("two"), "second content");
}

// Killed before each act of an undo, and then gone on with: the old or the new state of each file,
// and never half of one.
TEST_F(PutBack, CanBeKilledAtEveryStep) {
  for (int at = 0;; at++) {
    ASSERT_LT(at, 500);
    TearDown();
    SetUp();
    write("changed", "old");
    std::string other = tree_ + "/other name", folder_path = tree_ + "/folder";
    ASSERT_EQ(link((tree_ + "/changed").c_str(), other.c_str()), 0);
    write("deleted", "gone");
    ASSERT_EQ(mkdir(folder_path.c_str(), 0700), 0);
    ASSERT_EQ(setxattr(folder_path.c_str(), "user.keep", "v", 1, 0), 0);
    run("run", [&] {
      write("changed", "new");
      removexattr(folder_path.c_str(), "user.keep");
      unlink((tree_ + "/deleted").c_str());
    });
    pid_t child = fork();
    if (child == 0) {
      int acts = 0;
      (void)undo({}, "undo@2", [&](std::string_view) {
        if (acts++ == at) kill(getpid(), SIGKILL);
        return 0;
      });
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    bool changed_whole = read("changed") == "old" || read("changed") == "new";
    EXPECT_TRUE(changed_whole) << at << read("changed");
    EXPECT_TRUE(!exists("deleted") || read("deleted") == "gone") << at;
    auto finished = finish_interrupted(undo_.get());
    ASSERT_TRUE(finished && finished->broken.empty()) << at;
    auto folder = open_kept_run(undo_.get(), "undo@2");
    // Begun: all of it. Not begun: nothing of it, and no trace.
    EXPECT_EQ(read("changed"), folder ? "old" : "new") << at;
    EXPECT_EQ(exists("deleted"), folder.has_value()) << at;
    EXPECT_EQ(read("other name"), read("changed")) << at;
    struct stat seen;
    EXPECT_TRUE(stat(other.c_str(), &seen) == 0 && seen.st_nlink == 2) << at;
    bool has_attribute = getxattr(folder_path.c_str(), "user.keep", nullptr, 0) == 1;
    EXPECT_EQ(has_attribute, folder.has_value()) << at;
    EXPECT_FALSE(folder && is_interrupted(folder->get())) << at;
    if (folder) {
      // What it has replaced is not lost either.
      load("undo@2");
      ASSERT_TRUE(undo({}, "undo@3")) << at;
      EXPECT_EQ(read("changed"), "new") << at;
    }
    if (WIFEXITED(status)) break;  // it had fewer acts
  }
}

TEST_F(PutBack, LeavesTheTreeAsItIsWhenThereIsNoRoom) {
  write("changed", "old");
  run("run", [&] { write("changed", "new"); });
  bool was_refused = false;
  for (int at = 0; at < 8; at++) {
    int acts = 0;
    auto done = undo({}, "undo@" + std::to_string(at + 2),
                     [&](std::string_view) { return acts++ == at ? ENOSPC : 0; });
    was_refused |= !done;
    EXPECT_TRUE(finish_interrupted(undo_.get()));
    EXPECT_TRUE(read("changed") == "old" || read("changed") == "new");
  }
  EXPECT_TRUE(was_refused);
}

TEST_F(PutBack, OneThatIsBrokenHoldsUpNoOther) {
  write("changed", "old");
  run("run", [&] { write("changed", "new"); });
  // One whose journal nobody can read, older than the one that was killed.
  KeptRun broken{"broken@1", "broken", KeptRun::Kind::undo, tree_, {}, 1};
  std::string folder = top_ + "/undo/runs/broken@1";
  ASSERT_TRUE(make_kept_run(undo_.get(), broken));
  ASSERT_TRUE(file::make_dirs_at(undo_.get(), "runs/broken@1/journal/0"));
  std::ofstream(folder + "/journal/0/plan") << "no plan";
  pid_t child = fork();
  if (child == 0) {
    (void)undo({}, "undo@2", [&](std::string_view act) {
      if (act == "write report") kill(getpid(), SIGKILL);
      return 0;
    });
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  auto finished = finish_interrupted(undo_.get());
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ids, std::vector<std::string>{"undo@2"});
  ASSERT_EQ(finished->broken.size(), 1u);
  EXPECT_NE(finished->broken[0].text().find("broken@1"), std::string::npos);
  EXPECT_EQ(read("changed"), "old");
}

TEST_F(PutBack, WhatSomebodyIsAtWorkWithIsLeftToHim) {
  KeptRun going_on{"undo@1", "undo", KeptRun::Kind::undo, tree_, {}, 1};
  Fd locked = *make_kept_run(undo_.get(), going_on);
  ASSERT_TRUE(write_manifest(locked.get(), snapshot()));
  ASSERT_TRUE(finish_interrupted(undo_.get()));
  EXPECT_TRUE(open_kept_run(undo_.get(), "undo@1"));
  locked.close();
  ASSERT_TRUE(finish_interrupted(undo_.get()));
  EXPECT_FALSE(open_kept_run(undo_.get(), "undo@1"));  // it had not begun
}

TEST_F(PutBack, WhatARemovalHasLeftIsNoEntry) {
  write("file", "old");
  run("run", [&] { write("file", "new"); });
  std::string runs = top_ + "/undo/runs/";
  ASSERT_EQ(mkdir((runs + ".removed-other@1").c_str(), 0700), 0);
  std::ofstream(runs + ".removed-other@1/outcome") << "half of it";
  EXPECT_EQ(list_kept_runs(undo_.get())->size(), 1u);
  ASSERT_TRUE(finish_interrupted(undo_.get()));
  EXPECT_TRUE(list_damaged(undo_.get()).empty());
  auto done =
      expire(undo_.get(), {UINT64_MAX, UINT64_MAX, now_in_milliseconds()}, [] { return true; });
  ASSERT_TRUE(done);
  EXPECT_FALSE(file::exists(runs + ".removed-other@1"));
  EXPECT_EQ(undo({})->put_back, 1u);
}

TEST_F(PutBack, KnowsALinkThatIsAsBefore) {
  ASSERT_EQ(symlink("old", (tree_ + "/link").c_str()), 0);
  auto point_to = [&](const char* target) {
    unlink((tree_ + "/link").c_str());
    ASSERT_EQ(symlink(target, (tree_ + "/link").c_str()), 0);
  };
  run("run", [&] { point_to("new"); });
  point_to("old");
  ASSERT_TRUE(undo({}));
  EXPECT_TRUE(plan_.left.empty());
  EXPECT_EQ(plan_.as_before, 1u);
}

TEST_F(PutBack, BringsBackTheTimeOfALinkThatWasMadeAnew) {
  ASSERT_EQ(symlink("somewhere", (tree_ + "/link").c_str()), 0);
  struct stat before, after;
  ASSERT_EQ(lstat((tree_ + "/link").c_str(), &before), 0);
  run("run", [&] {
    ASSERT_EQ(unlink((tree_ + "/link").c_str()), 0);
    ASSERT_EQ(symlink("somewhere", (tree_ + "/link").c_str()), 0);
  });
  ASSERT_TRUE(undo({}));
  ASSERT_EQ(lstat((tree_ + "/link").c_str(), &after), 0);
  EXPECT_EQ(changes::facts_of(after).modified, changes::facts_of(before).modified);
}

TEST_F(PutBack, BringsBackPipes) {
  for (const char* name : {"moved", "replaced", "used"})
    ASSERT_EQ(mkfifo((tree_ + "/" + name).c_str(), 0640), 0);
  run("run", [&] {
    ASSERT_EQ(rename((tree_ + "/moved").c_str(), (tree_ + "/elsewhere").c_str()), 0);
    ASSERT_EQ(unlink((tree_ + "/replaced").c_str()), 0);
    write("replaced", "a file");
    ASSERT_EQ(utimensat(AT_FDCWD, (tree_ + "/used").c_str(), nullptr, 0), 0);
  });
  auto done = undo({.added = true});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_TRUE(plan_.left.empty() && done->left.empty() && done->unkept.empty());
  EXPECT_EQ(plan_.as_before, 1u);
  struct stat facts;
  for (const char* name : {"moved", "replaced"}) {
    ASSERT_EQ(lstat((tree_ + "/" + name).c_str(), &facts), 0) << name;
    EXPECT_EQ(facts.st_mode, S_IFIFO | 0640u) << name;
  }
  EXPECT_FALSE(exists("elsewhere"));
  load("undo@2");
  pass_time();
  ASSERT_TRUE(undo({.added = true}, "undo@3"));
  EXPECT_EQ(read("replaced"), "a file");
  EXPECT_FALSE(exists("moved"));
  ASSERT_EQ(lstat((tree_ + "/elsewhere").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode, S_IFIFO | 0640u);
}

TEST_F(PutBack, BringsBackAttributesOfAFileThatIsElseTheSame) {
  write("file", "text");
  std::string path = tree_ + "/file";
  ASSERT_EQ(setxattr(path.c_str(), "user.keep", "v", 1, 0), 0);
  run("run", [&] { ASSERT_EQ(removexattr(path.c_str(), "user.keep"), 0); });
  auto done = undo({});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->put_back, 1u);
  char value[8];
  EXPECT_EQ(getxattr(path.c_str(), "user.keep", value, sizeof value), 1);
}

TEST_F(PutBack, LeavesAloneAFolderWhoseAttributesNobodyHasNoted) {
  ASSERT_EQ(mkdir((tree_ + "/folder").c_str(), 0755), 0);
  ASSERT_EQ(setxattr((tree_ + "/folder").c_str(), "user.keep", "v", 1, 0), 0);
  run("run", [&] { write("new", "1"); });
  SavedEntry* folder = find_entry(manifest_.trees[0], "folder");
  ASSERT_EQ(folder->kept, Kept::attributes);
  *folder = {folder->path, folder->type, Kept::none, folder->mode, folder->uid, folder->gid};
  outcome_.reset();  // all that differs is the run's, then
  ASSERT_TRUE(undo({}));
  EXPECT_TRUE(plan_.acts.empty());
  EXPECT_EQ(getxattr((tree_ + "/folder").c_str(), "user.keep", nullptr, 0), 1);
}

TEST_F(PutBack, FindsTheRunThatIsMeant) {
  write("file", "old");
  run("first", [&] { write("file", "new"); });
  run("second", [] {});
  std::vector<KeptRun> runs = *list_kept_runs(undo_.get());
  EXPECT_EQ(choose_run(undo_.get(), runs, "", tree_, {})->name, "first");
  EXPECT_EQ(choose_run(undo_.get(), runs, "second", "/", {})->id, "second@1");
  EXPECT_FALSE(choose_run(undo_.get(), runs, "third", tree_, {}));
  EXPECT_FALSE(choose_run(undo_.get(), runs, "", "/elsewhere", {}));
  EXPECT_EQ(find_run_at_work(undo_.get(), runs, manifest_), "");
  KeptRun going_on{"third@1", "third", KeptRun::Kind::run, tree_ + "/below", {}, 1};
  Fd locked = *make_kept_run(undo_.get(), going_on);
  EXPECT_EQ(find_run_at_work(undo_.get(), *list_kept_runs(undo_.get()), manifest_), "third");
}

TEST_F(PutBack, ExpiresTheOldestButNeverTheNewest) {
  write("a", std::string(5000, 'a'));
  run("first", [&] { write("a", std::string(5000, 'b')); });
  run("second", [&] { write("a", std::string(5000, 'c')); });
  run("third", [&] { write("a", "d"); });
  auto contents = [&] {
    size_t number = 0;
    EXPECT_TRUE(Store::open(undo_.get())->visit([&](const Digest&, uint64_t) { number++; }));
    return number;
  };
  auto goes_on = [] { return true; };
  int64_t now = now_in_milliseconds();
  // Nothing is old or too much: only what no manifest names goes.
  auto done = expire(undo_.get(), {UINT64_MAX, UINT64_MAX, now}, goes_on);
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->runs.empty());
  EXPECT_EQ(contents(), 3u);
  done = expire(undo_.get(), {9000, UINT64_MAX, now}, goes_on);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->runs.size(), 2u);
  EXPECT_EQ(contents(), 1u);
  done = expire(undo_.get(), {0, 0, now + 10'000}, goes_on);
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->runs.empty());
  EXPECT_EQ(contents(), 1u);
  {
    Fd lock = *lock_store(undo_.get(), LockMode::shared);
    EXPECT_TRUE(expire(undo_.get(), {0, 0, now}, goes_on)->was_busy);
  }
  ASSERT_EQ(rename(tree_.c_str(), (tree_ + "2").c_str()), 0);
  done = expire(undo_.get(), {0, 0, now + 10'000}, goes_on);
  EXPECT_EQ(done->runs.size(), 1u);
  EXPECT_EQ(contents(), 0u);
}

}  // namespace
}  // namespace ringwall::undo
