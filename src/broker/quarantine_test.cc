#include "broker/quarantine.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/clock.h"
#include "base/file.h"
#include "broker/quarantine_testing.h"

namespace ringwall::broker {
namespace {

using Outcome = Taken::Outcome;

}  // namespace

TEST_F(Quarantined, MovesAFileWithItsRecord) {
  make_file(".mcp.json");
  struct stat before, after;
  ASSERT_EQ(lstat(at(".mcp.json").c_str(), &before), 0);
  Quarantine store = quarantine();
  Taken taken = take(store, ".mcp.json");
  EXPECT_EQ(taken.outcome, Outcome::kept);
  EXPECT_EQ(taken.kind, Kind::regular);
  EXPECT_FALSE(taken.swapped);
  EXPECT_EQ(taken.why, "");
  EXPECT_TRUE(is_gone(at(".mcp.json")));
  ASSERT_EQ(lstat(stored(taken.item).c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  ASSERT_EQ(items().size(), 1u);
  Item item = items()[0];
  ASSERT_TRUE(item.record);
  EXPECT_EQ(item.name, taken.item);
  EXPECT_EQ(item.record->path, at(".mcp.json"));
  EXPECT_EQ(item.record->run, "run-1");
  EXPECT_EQ(item.record->rule, ".mcp.json");
  EXPECT_EQ(item.record->reason, "planted");
  EXPECT_NEAR(static_cast<double>(item.record->time), static_cast<double>(time(nullptr)), 5);
  EXPECT_EQ(item.bytes, 4u);
}

TEST_F(Quarantined, OnlyNotesWhatIsMoreThanARunMayPutThere) {
  QuarantineLimits limits;
  limits.bytes_of_run = 64 << 10;
  auto store = Quarantine::open(store_, limits);
  ASSERT_TRUE(store);
  make_file("small", std::string(16 << 10, 'x'));
  make_folder("large");
  make_file("large/inner", std::string(64 << 10, 'x'));
  make_file("small too", std::string(16 << 10, 'x'));
  EXPECT_EQ(take(*store, "small").outcome, Outcome::kept);
  Taken large = take(*store, "large");
  EXPECT_EQ(large.outcome, Outcome::recorded);
  EXPECT_NE(large.why.find("is full"), std::string::npos) << large.why;
  EXPECT_TRUE(is_gone(stored(large.item)));
  EXPECT_EQ(take(*store, "small too").outcome, Outcome::kept);
  EXPECT_EQ(entries_of_work(), 0u);
  ASSERT_EQ(items().size(), 3u);
  EXPECT_FALSE(items()[1].kept);
  EXPECT_TRUE(items()[1].record);
}

TEST_F(Quarantined, TakesEveryKind) {
  make_file("file");
  ASSERT_EQ(link(at("file").c_str(), at("hard link").c_str()), 0);
  ASSERT_EQ(symlink("/etc/passwd", at("link").c_str()), 0);
  ASSERT_EQ(symlink("nowhere", at("dangling").c_str()), 0);
  ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
  make_socket(work_.get(), "socket");
  make_folder("folder");
  make_file("folder/inner");
  Quarantine store = quarantine();
  const std::pair<std::string, Kind> kinds[] = {
      {"hard link", Kind::regular}, {"link", Kind::link},     {"dangling", Kind::link},
      {"fifo", Kind::fifo},         {"socket", Kind::socket}, {"folder", Kind::folder}};
  for (const auto& [name, kind] : kinds) {
    Taken taken = take(store, name);
    EXPECT_EQ(taken.outcome, Outcome::kept) << name;
    EXPECT_EQ(taken.kind, kind) << name;
    EXPECT_TRUE(is_gone(at(name))) << name;
  }
  EXPECT_FALSE(is_gone(at("file")));
  EXPECT_FALSE(is_gone("/etc/passwd"));
  EXPECT_EQ(items().size(), 6u);
}

TEST_F(Quarantined, TakesADevice) {
  if (mknod(at("device").c_str(), S_IFCHR | 0600, makedev(1, 3)) < 0)
    GTEST_SKIP() << "devices cannot be made here";
  Quarantine store = quarantine();
  EXPECT_EQ(take(store, "device").kind, Kind::device);
  EXPECT_TRUE(is_gone(at("device")));
}

TEST_F(Quarantined, NothingThere) {
  Quarantine store = quarantine();
  EXPECT_EQ(take(store, "absent").outcome, Outcome::gone);
  EXPECT_TRUE(items().empty());
  EXPECT_EQ(store.taken(), 0u);
}

TEST_F(Quarantined, RefusesWhatIsNoName) {
  Quarantine store = quarantine();
  make_file("f");
  for (const std::string& name : {std::string(), std::string("."), std::string(".."),
                                  std::string("a/b"), std::string("/f"), std::string("f\0x", 3)})
    EXPECT_FALSE(store.take(work_.get(), name, {}, {})) << name;
  EXPECT_FALSE(is_gone(at("f")));
}

TEST_F(Quarantined, AnyNameSurvives) {
  std::string all;
  for (int i = 1; i < 256; i++) {
    if (i != '/') all += static_cast<char>(i);
  }
  Quarantine store = quarantine();
  for (const std::string& name : {all.substr(0, 127), all.substr(127), std::string("\x1b[31m\n"),
                                  std::string("%41"), std::string("-rf"), std::string(255, 'x')}) {
    make_file(name);
    Taken taken = take(store, name);
    Fd folder = open_folder(store_);
    auto item = look_at_item(folder.get(), taken.item);
    ASSERT_TRUE(item && item->record);
    EXPECT_EQ(item->record->path, at(name));
    ASSERT_TRUE(restore(taken.item));
    EXPECT_FALSE(is_gone(at(name)));
  }
}

// As an ordinary user only: nothing is closed to root.
TEST_F(Quarantined, ClosedFoldersAreTakenAndKeepTheirModes) {
  make_folder("around");
  make_folder("around/.vscode");
  make_file("around/.vscode/tasks.json");
  ASSERT_EQ(chmod(at("around/.vscode").c_str(), 0500), 0);
  for (mode_t mode : {0500u, 0400u, 0000u}) {
    Fd around(::open(at("around").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    ASSERT_EQ(chmod(at("around").c_str(), mode), 0);
    Quarantine store = quarantine();
    auto taken = store.take(around.get(), ".vscode", {at("around/.vscode"), "r"}, {});
    ASSERT_TRUE(taken) << taken.error().text();
    EXPECT_EQ(taken->outcome, Outcome::kept) << taken->why;
    struct stat facts;
    ASSERT_EQ(lstat(at("around").c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, mode);
    ASSERT_EQ(lstat(stored(taken->item).c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0500u);
    ASSERT_EQ(chmod(at("around").c_str(), 0700), 0);
    auto restored = restore(taken->item);
    ASSERT_TRUE(restored) << restored.error().text();
    EXPECT_FALSE(is_gone(at("around/.vscode/tasks.json")));
  }
}

TEST_F(Quarantined, AStoreThatIsGoneCostsTheThingOnly) {
  Quarantine store = quarantine();
  ASSERT_EQ(rmdir(store_.c_str()), 0);
  make_file("file");
  make_folder("folder");
  make_folder("folder/deeper");
  make_file("folder/deeper/file");
  ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
  for (const char* name : {"file", "folder", "fifo"}) {
    Taken taken = take(store, name);
    EXPECT_EQ(taken.outcome, Outcome::removed);
    EXPECT_EQ(taken.why, "cannot make an item in the quarantine: No such file or directory");
  }
  EXPECT_EQ(entries_of_work(), 0u);
  ASSERT_EQ(mkdir(store_.c_str(), 0700), 0);
}

TEST_F(Quarantined, WithoutItsRecordTheThingIsStillKept) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  make_file("file");
  Quarantine store = quarantine();
  auto old = signal(SIGXFSZ, SIG_IGN);
  rlimit none{0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  Taken taken = take(store, "file");
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, old);
  EXPECT_EQ(taken.outcome, Outcome::kept);
  EXPECT_EQ(taken.why, "its record could not be written: File too large");
  ASSERT_EQ(items().size(), 1u);
  EXPECT_FALSE(items()[0].record);
  EXPECT_TRUE(items()[0].kept);
  auto restored = restore(taken.item);
  ASSERT_FALSE(restored);
  EXPECT_EQ(restored.error().hint, "say where it shall go: --to PATH");
  EXPECT_TRUE(restore(taken.item, at("again")));
}

TEST_F(Quarantined, MostItemsOfARunAndInAll) {
  Quarantine store = quarantine({.items_of_run = 2, .items = 3});
  auto plant = [&](Quarantine& into) {
    make_file("f");
    return take(into, "f");
  };
  EXPECT_EQ(plant(store).outcome, Outcome::kept);
  EXPECT_EQ(plant(store).outcome, Outcome::kept);
  Taken third = plant(store);
  EXPECT_EQ(third.outcome, Outcome::removed);
  EXPECT_NE(third.why.find("the most of one run"), std::string::npos);
  Quarantine next = quarantine({.items_of_run = 2, .items = 3});
  EXPECT_EQ(plant(next).outcome, Outcome::kept);
  EXPECT_NE(plant(next).why.find("the quarantine is full"), std::string::npos);
  EXPECT_EQ(items().size(), 3u);
  EXPECT_EQ(entries_of_work(), 0u);
}

TEST_F(Quarantined, TheStoreIsClosedToOthersAndMustBeOurs) {
  ASSERT_EQ(chmod(store_.c_str(), 0777), 0);
  quarantine();
  struct stat facts;
  ASSERT_EQ(stat(store_.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
  auto other = Quarantine::open(geteuid() == 0 ? "/dev/null" : "/etc");
  EXPECT_FALSE(other);
}

// A second thread swaps a file, a folder and a link under one name, and removes it in between.
TEST_F(Quarantined, SwappedWhileItIsTaken) {
  Quarantine store = quarantine();
  std::atomic<bool> stop = false;
  std::thread attacker([&] {
    for (int i = 0; !stop; i++) {
      std::string fresh = at("fresh");
      if (i % 3 == 0) close(creat(fresh.c_str(), 0600));
      if (i % 3 == 1) mkdir(fresh.c_str(), 0700);
      if (i % 3 == 2 && symlink("/etc", fresh.c_str()) < 0) continue;
      renameat2(work_.get(), "fresh", work_.get(), ".envrc", RENAME_NOREPLACE);
      renameat2(work_.get(), "fresh", work_.get(), ".envrc", RENAME_EXCHANGE);
      unlink(fresh.c_str());
      rmdir(fresh.c_str());
    }
  });
  size_t kept = 0;
  int64_t end = clock::monotonic() + 300'000'000;
  while (kept < 300 && clock::monotonic() < end) {
    Taken taken = take(store, ".envrc");
    EXPECT_NE(taken.outcome, Outcome::removed) << taken.why;
    if (taken.outcome == Outcome::kept) kept++;
  }
  stop = true;
  attacker.join();
  take(store, ".envrc");
  EXPECT_TRUE(is_gone(at(".envrc")));
  EXPECT_GT(kept, 0u);
  for (const Item& item : items()) {
    ASSERT_TRUE(item.record && item.kept);
    EXPECT_EQ(item.kind, item.record->kind);
  }
  EXPECT_TRUE(file::exists("/etc/passwd"));
}

TEST_F(Quarantined, ItemsRemovedMeanwhileDoNotStopIt) {
  Quarantine store = quarantine();
  std::atomic<bool> stop = false;
  std::thread person([&] {
    Fd folder = open_folder(store_);
    while (!stop) {
      auto entries = file::list(folder.get());
      if (!entries) continue;
      for (const file::Entry& entry : *entries)
        (void)remove_item(folder.get(), entry.name);
    }
  });
  for (int i = 0; i < 200; i++) {
    make_file("f");
    EXPECT_NE(take(store, "f").outcome, Outcome::gone);
    EXPECT_TRUE(is_gone(at("f")));
  }
  stop = true;
  person.join();
  EXPECT_EQ(entries_of_work(), 0u);
}

TEST_F(Quarantined, TakesUnderAMillisecond) {
  Quarantine store = quarantine();
  std::vector<int64_t> times;
  for (int i = 0; i < 200; i++) {
    make_file("f");
    store.prepare();
    int64_t start = clock::monotonic();
    EXPECT_EQ(take(store, "f").outcome, Outcome::kept);
    times.push_back(clock::monotonic() - start);
  }
  std::sort(times.begin(), times.end());
  RecordProperty("median_us", static_cast<int>(times[100] / 1000));
  EXPECT_LT(times[100], 1'000'000);
}

TEST_F(Quarantined, PreparedFoldersAreNoItemsAndDoNotStay) {
  auto folders = [&] { return file::list(open_folder(store_).get())->size(); };
  {
    Quarantine store = quarantine();
    EXPECT_EQ(folders(), 0u);
    store.prepare();
    EXPECT_EQ(folders(), 4u);
    EXPECT_TRUE(items().empty());
    Quarantine other = quarantine();  // leaves those of the first alone
    EXPECT_EQ(folders(), 4u);
    Quarantine moved = std::move(store);
    for (int i = 0; i < 6; i++) {
      make_file("f");
      EXPECT_EQ(take(moved, "f").outcome, Outcome::kept);
      EXPECT_EQ(folders(), i < 4 ? 4u : static_cast<size_t>(i + 1));
    }
    moved.prepare();
    EXPECT_EQ(folders(), 10u);
  }
  EXPECT_EQ(folders(), 6u);
  EXPECT_EQ(items().size(), 6u);
}

TEST_F(Quarantined, WhatAKilledOnePreparedGoesAtTheNextStart) {
  auto folders = [&] { return file::list(open_folder(store_).get())->size(); };
  pid_t owner = fork();
  ASSERT_GE(owner, 0);
  if (owner == 0) {
    Quarantine store = quarantine();
    store.prepare();
    raise(SIGKILL);
  }
  ASSERT_EQ(waitpid(owner, nullptr, 0), owner);
  EXPECT_EQ(folders(), 4u);
  Quarantine store = quarantine();
  EXPECT_EQ(folders(), 0u);
}

}  // namespace ringwall::broker
