#include "changes/transaction.h"

#include <signal.h>
#include <sys/wait.h>

#include <functional>

#include "changes/changes_testing.h"

namespace ringwall::changes {
namespace {

class Transaction : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"/tree", "/source", "/journal"})
      ASSERT_EQ(mkdir((top_.path() + folder).c_str(), 0700), 0);
    tree_ = open_folder(path("tree"));
    source_ = open_folder(path("source"));
    journal_ = open_folder(path("journal"));
  }

  std::string path(const std::string& relative) const { return top_.path() + "/" + relative; }

  // From what lies at the same path of the source.
  Step step(const std::string& relative) const {
    Step step;
    step.path = relative;
    step.expected = *look_at(tree_.get(), relative);
    EntryFacts wanted = *look_at(source_.get(), relative);
    step.wanted = wanted.type;
    step.mode = wanted.mode;
    step.modified = wanted.modified;
    if (wanted.exists()) {
      step.source_folder = source_.get();
      step.source = relative;
    }
    return step;
  }
  Result<Report> put(const std::vector<Step>& steps, TransactionOptions options = {}) {
    return put_in_place(tree_.get(), journal_.get(), steps, options);
  }

  TemporaryFolder top_;
  Fd tree_, source_, journal_;
};

TEST_F(Transaction, PutsFilesInPlaceAndKeepsTheOldOnes) {
  write_text(path("tree/changed"), "old");
  write_text(path("tree/gone"), "gone");
  write_text(path("source/changed"), "new", 0755);
  write_text(path("source/added"), "added", 0600);
  auto report = put({step("changed"), step("gone"), step("added")});
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_TRUE(is_whole(*report));
  EXPECT_EQ(read_tree(path("tree")), read_tree(path("source")));
  ASSERT_EQ(report->size(), 3u);
  EXPECT_EQ((*report)[0].path, "added");
  EXPECT_EQ((*report)[0].kept, "");
  EXPECT_EQ(read_text(path("journal/old/") + (*report)[1].kept), "old");
  EXPECT_EQ(read_text(path("journal/old/") + (*report)[2].kept), "gone");
  EXPECT_EQ(*read_report(journal_.get()), *report);
  EXPECT_EQ(look_at_journal(journal_.get()), JournalState::reported);
  EXPECT_FALSE(put({step("added")}));  // not over what is not taken away
  ASSERT_TRUE(forget(tree_.get(), journal_.get()));
  EXPECT_EQ(look_at_journal(journal_.get()), JournalState::empty);
}

TEST_F(Transaction, FilesBecomeFoldersAndFoldersFiles) {
  write_text(path("tree/one"), "file");
  write_text(path("tree/two/deep/x"), "x");
  write_text(path("source/one/deep/x"), "x");
  ASSERT_EQ(chmod(path("source/one").c_str(), 0750), 0);
  write_text(path("source/two"), "file");
  auto report = put({step("one"), step("one/deep"), step("one/deep/x"), step("two"),
                     step("two/deep"), step("two/deep/x")});
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_TRUE(is_whole(*report));
  EXPECT_EQ(read_tree(path("tree")), read_tree(path("source")));
}

TEST_F(Transaction, SetuidAndSetgidNeverCome) {
  write_text(path("source/file"), "x", 06755);
  ASSERT_EQ(mkdir(path("source/folder").c_str(), 0755), 0);
  ASSERT_EQ(chmod(path("source/folder").c_str(), 07755), 0);
  write_text(path("source/shared"), "x", 06711);
  Step shared = step("shared");
  shared.may_share = true;
  ASSERT_TRUE(put({step("file"), step("folder"), shared}));
  EXPECT_EQ(look_at(tree_.get(), "file")->mode, 0755u);
  EXPECT_EQ(look_at(tree_.get(), "folder")->mode, 01755u);
  EXPECT_EQ(look_at(tree_.get(), "shared")->mode, 0711u);
}

TEST_F(Transaction, ASharedInodeIsTheSourceUnlessThatHasOtherNames) {
  write_text(path("source/one"), "1");
  write_text(path("source/two"), "2");
  ASSERT_EQ(link(path("source/two").c_str(), path("source/other").c_str()), 0);
  ASSERT_EQ(setxattr(path("source/one").c_str(), "user.overlay.origin", "o", 1, 0), 0);
  Step one = step("one"), two = step("two");
  one.may_share = two.may_share = true;
  ASSERT_TRUE(put({one, two}));
  EXPECT_EQ(look_at(tree_.get(), "one")->inode, look_at(source_.get(), "one")->inode);
  EXPECT_NE(look_at(tree_.get(), "two")->inode, look_at(source_.get(), "two")->inode);
  EXPECT_EQ(read_text(path("tree/two")), "2");
  EXPECT_LT(getxattr(path("tree/one").c_str(), "user.overlay.origin", nullptr, 0), 0);
}

TEST_F(Transaction, NamesOfOneFileStayThat) {
  write_text(path("source/b"), "x");
  ASSERT_EQ(link(path("source/b").c_str(), path("source/a").c_str()), 0);
  Step a = step("a"), b = step("b");
  a.same_file_as = 1;
  ASSERT_TRUE(put({a, b}));
  EXPECT_EQ(look_at(tree_.get(), "a")->inode, look_at(tree_.get(), "b")->inode);
  EXPECT_EQ(look_at(tree_.get(), "a")->links, 2u);
}

TEST_F(Transaction, WhatWasChangedMeanwhileIsAConflictAndAllIsPutBack) {
  for (const char* name : {"tree/a", "tree/m", "tree/z"})
    write_text(path(name), "old");
  write_text(path("source/a"), "new");
  write_text(path("source/m"), "new");
  std::vector<Step> steps{step("a"), step("m"), step("z")};
  write_text(path("tree/m"), "by the person");
  auto before = read_tree(path("tree"));
  auto report = put(steps);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_FALSE(is_whole(*report));
  EXPECT_EQ((*report)[1].outcome, Outcome::conflict);
  EXPECT_EQ((*report)[0].outcome, Outcome::untouched);
  EXPECT_EQ(read_tree(path("tree")), before);
}

TEST_F(Transaction, ConflictsCanBeLeftOut) {
  write_text(path("tree/m"), "old");
  write_text(path("source/a"), "new");
  write_text(path("source/m"), "new");
  std::vector<Step> steps{step("a"), step("m")};
  write_text(path("tree/m"), "by the person");
  TransactionOptions options;
  options.leaves_out_conflicts = true;
  auto report = put(steps, options);
  ASSERT_TRUE(report);
  EXPECT_EQ((*report)[0].outcome, Outcome::done);
  EXPECT_EQ((*report)[1].outcome, Outcome::conflict);
  EXPECT_EQ(read_text(path("tree/a")), "new");
  EXPECT_EQ(read_text(path("tree/m")), "by the person");
  EXPECT_EQ(read_text(path("source/m")), "new");
}

// Between the last look at a path and the exchange.
TEST_F(Transaction, AWriteAtTheLastMomentIsSeenInWhatCameOut) {
  write_text(path("tree/file"), "old");
  write_text(path("tree/gone"), "old");
  ASSERT_EQ(mkdir(path("tree/folder").c_str(), 0755), 0);
  write_text(path("source/file"), "new");
  for (const char* name : {"file", "gone", "folder"}) {
    TransactionOptions options;
    options.before_act = [&](std::string_view act) {
      std::string target = path("tree/") + name;
      if (act == "put")
        std::ofstream(std::string(name) == "folder" ? target + "/new" : target) << "by the person";
      return 0;
    };
    auto report = put({step(name)}, options);
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ((*report)[0].outcome, Outcome::conflict) << name;
    ASSERT_TRUE(forget(tree_.get(), journal_.get()));
  }
  EXPECT_EQ(read_text(path("tree/file")), "by the person");
  EXPECT_EQ(read_text(path("tree/gone")), "by the person");
  EXPECT_EQ(read_text(path("tree/folder/new")), "by the person");
}

TEST_F(Transaction, AFolderInWhichThePersonPutSomethingStays) {
  write_text(path("tree/folder/x"), "x");
  std::vector<Step> steps{step("folder"), step("folder/x")};
  write_text(path("tree/folder/mine"), "mine");
  TransactionOptions options;
  options.leaves_out_conflicts = true;
  auto report = put(steps, options);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ((*report)[0].outcome, Outcome::conflict);
  EXPECT_EQ((*report)[1].outcome, Outcome::done);
  EXPECT_EQ(read_text(path("tree/folder/mine")), "mine");
}

TEST_F(Transaction, LinksAreNeverFollowed) {
  ASSERT_EQ(mkdir(path("elsewhere").c_str(), 0755), 0);
  write_text(path("source/folder/x"), "x");
  std::vector<Step> steps{step("folder"), step("folder/x")};
  ASSERT_EQ(symlink("../elsewhere", path("tree/folder").c_str()), 0);
  auto report = put(steps);
  ASSERT_TRUE(report);
  EXPECT_FALSE(is_whole(*report));
  EXPECT_TRUE(read_tree(path("elsewhere")).empty());
  for (const char* wrong : {"../elsewhere/x", "/etc/x", "", ".", "a//b", "a/../../x"}) {
    Step step = steps[1];
    step.path = wrong;
    ASSERT_TRUE(forget(tree_.get(), journal_.get()));
    EXPECT_FALSE(put({step})) << wrong;
  }
}

TEST_F(Transaction, FolderModesTimesAndAttributesComeLast) {
  write_text(path("tree/stays/x"), "old");
  write_text(path("source/stays/x"), "new");
  write_text(path("source/fresh/y"), "y");
  for (const char* folder : {"source/stays", "source/fresh"}) {
    ASSERT_EQ(setxattr(path(folder).c_str(), "user.colour", "red", 3, 0), 0);
    timespec times[2] = {{1000, 0}, {1000, 5}};
    ASSERT_EQ(utimensat(AT_FDCWD, path(folder).c_str(), times, 0), 0);
    ASSERT_EQ(chmod(path(folder).c_str(), 0555), 0);
  }
  auto report = put({step("stays"), step("stays/x"), step("fresh"), step("fresh/y")});
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_TRUE(is_whole(*report));
  EXPECT_EQ(read_tree(path("tree")), read_tree(path("source")));
  EXPECT_EQ(look_at(tree_.get(), "stays")->modified, 1000'000'000'005);
  EXPECT_EQ(look_at(tree_.get(), "fresh")->modified, 1000'000'000'005);
}

TEST_F(Transaction, AnotherProcessAtWorkIsRespected) {
  write_text(path("source/a"), "new");
  TransactionOptions options;
  options.before_act = [&](std::string_view act) {
    bool is_refused = act != "put" || !resume(tree_.get(), open_folder(path("journal")).get());
    EXPECT_TRUE(is_refused);
    return 0;
  };
  EXPECT_TRUE(put({step("a")}, options));
}

}  // namespace
}  // namespace ringwall::changes
