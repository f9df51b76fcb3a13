#include "state/tree_work.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <thread>

#include "base/file.h"
#include "base/tree.h"
#include "state/registry.h"

namespace ringwall::state {
namespace {

using namespace std::chrono_literals;

class TreeWork : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ringwall-unit-work-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    top_ = name;
    places_.state = top_ + "/state";
    places_.runs = top_ + "/runs";
  }
  void TearDown() override {
    Fd parent = *file::open("/tmp", O_RDONLY | O_DIRECTORY);
    EXPECT_TRUE(tree::remove_at(parent.get(), top_.substr(5)));
  }
  Registration start(const std::string& name, const Trees& writes) {
    Registration run = *register_run(places_.runs, name, "/w");
    EXPECT_TRUE(note_writes(run.folder(), writes));
    return run;
  }
  std::string find(const Trees& trees) { return *find_run_writing(places_, trees); }

  std::string top_;
  Places places_;
};

TEST_F(TreeWork, ARunIsFoundByWhatItMayChange) {
  EXPECT_EQ(find({"/w"}), "");
  Registration one = start("one", {"/w/app", "/other"});
  EXPECT_EQ(find({"/w/app"}), "one");
  EXPECT_EQ(find({"/w/app/src"}), "one");
  EXPECT_EQ(find({"/elsewhere", "/w"}), "one");
  EXPECT_EQ(find({"/w/app2", "/oth"}), "");
  EXPECT_EQ(find({}), "");
  one = {};
  EXPECT_EQ(find({"/w/app"}), "");
}

TEST_F(TreeWork, UnderReviewItChangesNothing) {
  Registration run = start("review", {});
  EXPECT_EQ(find({"/w"}), "");
}

TEST_F(TreeWork, ARunThatOnlyBeginsIsNoneYetAndOneThatSaysNothingIs) {
  Registration run = *register_run(places_.runs, "silent", "/w");
  EXPECT_EQ(find({"/w"}), "");
  Fd control(openat(run.folder(), "control", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  EXPECT_EQ(find({"/w"}), "silent");
}

TEST_F(TreeWork, AStartWaitsForWhoPutsFilesInPlaceThere) {
  EXPECT_TRUE(wait_for_placing(places_, {"/w"}, 0ms));
  std::optional<Placing> placing = *Placing::begin(places_, {"/w/app"});
  EXPECT_FALSE(wait_for_placing(places_, {"/w"}, 0ms));
  EXPECT_FALSE(wait_for_placing(places_, {"/w/app/src"}, 0ms));
  EXPECT_TRUE(wait_for_placing(places_, {"/w/app2"}, 0ms));
  EXPECT_TRUE(wait_for_placing(places_, {}, 0ms));
  std::thread end([&] {
    std::this_thread::sleep_for(50ms);
    placing.reset();
  });
  EXPECT_TRUE(wait_for_placing(places_, {"/w"}, 60s));
  end.join();
}

TEST_F(TreeWork, SeveralMayBeAtWork) {
  Placing one = *Placing::begin(places_, {"/one"});
  std::optional<Placing> two = *Placing::begin(places_, {"/two"});
  EXPECT_FALSE(wait_for_placing(places_, {"/two"}, 0ms));
  two.reset();
  EXPECT_TRUE(wait_for_placing(places_, {"/two"}, 0ms));
  EXPECT_FALSE(wait_for_placing(places_, {"/one"}, 0ms));
}

TEST_F(TreeWork, OneThatWasKilledIsToBeFinishedFirst) {
  pid_t child = fork();
  if (child == 0) {
    auto placing = Placing::begin(places_, {"/w"});
    _exit(placing ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  auto refused = wait_for_placing(places_, {"/w"}, 60s);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("was interrupted"), std::string::npos);
  EXPECT_TRUE(wait_for_placing(places_, {"/other"}, 0ms));
  Placing other = *Placing::begin(places_, {"/other"});
  auto killed = *find_killed_placings(places_);
  ASSERT_EQ(killed.size(), 1u);
  EXPECT_EQ(killed[0].trees, Trees{"/w"});
  forget_placings(places_, killed);
  EXPECT_TRUE(wait_for_placing(places_, {"/w"}, 0ms));
  EXPECT_TRUE(find_killed_placings(places_)->empty());
  Fd folder = *file::open(places_.state + "/placing", O_RDONLY | O_DIRECTORY);
  EXPECT_EQ(file::list(folder.get())->size(), 1u);
}

}  // namespace
}  // namespace ringwall::state
