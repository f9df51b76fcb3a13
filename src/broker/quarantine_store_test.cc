// Stores on another filesystem than what is taken, and full ones.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker/quarantine_testing.h"

namespace ringwall::broker {
namespace {

using Outcome = Taken::Outcome;

// Another filesystem than that of the store.
class Across : public Quarantined {
 protected:
  Across() : Quarantined("/dev/shm") {
    struct stat here, there;
    apart_ = stat(top_.c_str(), &here) == 0 && stat(store_.c_str(), &there) == 0 &&
             here.st_dev != there.st_dev;
  }
  void SetUp() override {
    if (!apart_) GTEST_SKIP() << "no second filesystem";
  }
  bool apart_ = false;
};

}  // namespace

TEST_F(Across, CopiesFilesFoldersAndLinks) {
  make_file("file");
  make_folder("folder");
  make_file("folder/inner", "inner");
  ASSERT_EQ(chmod(at("folder/inner").c_str(), 0000), 0);
  ASSERT_EQ(mkfifo(at("folder/fifo").c_str(), 0600), 0);
  ASSERT_EQ(symlink("/etc", at("folder/link").c_str()), 0);
  ASSERT_EQ(symlink("/etc/passwd", at("link").c_str()), 0);
  Quarantine store = quarantine();
  EXPECT_EQ(take(store, "file").outcome, Outcome::kept);
  EXPECT_EQ(take(store, "link").kind, Kind::link);
  Taken folder = take(store, "folder");
  EXPECT_EQ(folder.outcome, Outcome::kept);
  EXPECT_EQ(folder.why, "1 socket, FIFO or device in it was not kept");
  EXPECT_EQ(entries_of_work(), 0u);
  EXPECT_EQ(*file::read_link(stored(folder.item) + "/link"), "/etc");
  struct stat facts;
  ASSERT_EQ(lstat((stored(folder.item) + "/inner").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777, 0u);
  EXPECT_EQ(facts.st_size, 5);
}

TEST_F(Across, SpecialFilesAreOnlyRecorded) {
  ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
  make_socket(work_.get(), "socket");
  Quarantine store = quarantine();
  for (const char* name : {"fifo", "socket"}) {
    Taken taken = take(store, name);
    EXPECT_EQ(taken.outcome, Outcome::recorded);
    auto restored = restore(taken.item);
    ASSERT_FALSE(restored);
    EXPECT_NE(restored.error().what.find("only the record was kept"), std::string::npos);
  }
  EXPECT_EQ(entries_of_work(), 0u);
  EXPECT_EQ(items().size(), 2u);
}

TEST_F(Across, TooLargeTooManyTooDeep) {
  Quarantine store = quarantine({.copied = {1 << 20, 50}});
  make_file("large");
  ASSERT_EQ(truncate(at("large").c_str(), 1LL << 40), 0);
  make_folder("many");
  for (int i = 0; i < 60; i++)
    make_file("many/" + std::to_string(i));
  std::string deep = "deep";
  make_folder(deep);
  for (int i = 0; i < 70; i++)
    make_folder(deep += "/d");
  for (const char* name : {"large", "many", "deep"}) {
    Taken taken = take(store, name);
    EXPECT_EQ(taken.outcome, Outcome::removed);
    EXPECT_NE(taken.why.find("could not be copied into the quarantine: it "), std::string::npos)
        << taken.why;
  }
  EXPECT_EQ(entries_of_work(), 0u);
  EXPECT_TRUE(items().empty());
}

namespace {

// A store on a filesystem of its own that is full. Returns what went wrong, for the parent to tell.
std::string take_into_full_store(const std::string& store, int work, bool inodes) {
  const char* options = inodes ? "size=1m,nr_inodes=4,mode=700" : "size=32k,mode=700";
  std::string user = "0 " + std::to_string(geteuid()) + " 1";
  std::string group = "0 " + std::to_string(getegid()) + " 1";
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 ||
      !file::write_existing("/proc/self/setgroups", "deny") ||
      !file::write_existing("/proc/self/uid_map", user) ||
      !file::write_existing("/proc/self/gid_map", group) ||
      mount("full", store.c_str(), "tmpfs", 0, options) < 0)
    return "skip";
  auto quarantine = Quarantine::open(store);
  if (!quarantine) return quarantine.error().text();
  std::string outcomes;
  for (const char* name : {"a", "b", "c", "d"}) {
    Fd file(openat(work, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file || !file::write_all(file.get(), std::string(20'000, 'x'))) return "no file";
    auto taken = quarantine->take(work, name, {"/a", "r"}, {});
    if (!taken) return taken.error().text();
    outcomes += taken->outcome == Outcome::kept ? "kept " : "removed ";
    bool full = taken->why.find("No space left on device") != std::string::npos;
    if (taken->outcome == Outcome::removed && !full) return taken->why;
  }
  return outcomes;
}

}  // namespace

TEST_F(Quarantined, AFullDiskCostsTheThingOnly) {
  for (bool inodes : {false, true}) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    pid_t child = fork();
    if (child == 0) {
      std::string said = take_into_full_store(store_, work_.get(), inodes);
      _exit(file::write_all(ends[1], said) ? 0 : 1);
    }
    close(ends[1]);
    auto said = file::read_all(ends[0]);
    close(ends[0]);
    waitpid(child, nullptr, 0);
    if (said.value_or("") == "skip") GTEST_SKIP() << "no user namespace here";
    EXPECT_EQ(said.value_or(""),
              inodes ? "kept removed removed removed " : "kept removed removed removed ");
    EXPECT_EQ(entries_of_work(), 0u);
  }
}

}  // namespace ringwall::broker
