#include "review/apply.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>

#include "review/apply_lab.h"
#include "review/bases.h"
#include "review/whole_review.h"

namespace ringwall::review {
namespace {

using State = ApplyItem::State;

const ApplyItem* find(const std::vector<ApplyTree>& trees, const std::string& path) {
  auto found = std::ranges::find_if(
      trees[0].items, [&](const ApplyItem& item) { return item.change.path == path; });
  return found == trees[0].items.end() ? nullptr : &*found;
}

TEST(Apply, TakesOverAllAndRemovesTheReview) {
  ApplyLab lab;
  write_text(lab.real("changed"), "old");
  write_text(lab.real("gone/x"), "x");
  write_text(lab.real("swapped/y"), "y");
  ASSERT_TRUE(lab.run([] {
    write_text("changed", "new");
    write_text("added/deep/z", "z", 0755);
    std::filesystem::remove_all("gone");
    std::filesystem::remove_all("swapped");
    write_text("swapped", "a file");
    std::filesystem::create_symlink("/etc", "link");
  }));
  auto applied = lab.apply_all();
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_EQ(lab.now(), lab.view());
  EXPECT_TRUE(lab.is_gone());
}

TEST(Apply, APartOfANewFolderLeavesTheRestAsItWas) {
  ApplyLab lab;
  write_text(lab.real("was/old"), "old");
  write_text(lab.real("was/sub/old"), "old");
  ASSERT_TRUE(lab.run([] {
    write_text("fresh/one", "1");
    write_text("fresh/two", "2");
    std::filesystem::remove_all("was");
    write_text("was/one", "1");
    write_text("was/sub/two", "2");
  }));
  auto applied = lab.apply_paths({"fresh/one", "was/one"});
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_FALSE(lab.is_gone());
  EXPECT_EQ(read_text(lab.real("fresh/one")), "1");
  EXPECT_EQ(read_text(lab.real("was/old")), "old");
  EXPECT_FALSE(file::exists(lab.real("fresh/two")));
  auto rest = lab.items();
  ASSERT_TRUE(rest);
  EXPECT_EQ(find(*rest, "fresh/one"), nullptr);
  EXPECT_EQ(find(*rest, "was/one"), nullptr);
  EXPECT_NE(find(*rest, "fresh/two"), nullptr);
  EXPECT_NE(find(*rest, "was/sub/old"), nullptr);
  applied = lab.apply_all();
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_EQ(lab.now(), lab.view());
  EXPECT_TRUE(lab.is_gone());
}

TEST(Apply, WhatWasChangedOnBothSidesIsAConflict) {
  ApplyLab lab;
  for (const char* name : {"both", "same", "deleted", "gone", "mine"})
    write_text(lab.real(name), "old");
  ASSERT_TRUE(lab.run([] {
    for (const char* name : {"both", "same", "gone", "made"})
      write_text(name, "by the run");
    unlink("deleted");
  }));
  write_text(lab.real("both"), "by the person");
  write_text(lab.real("same"), "by the run");
  write_text(lab.real("deleted"), "by the person");
  write_text(lab.real("made"), "by the person");
  write_text(lab.real("mine"), "by the person");
  ASSERT_EQ(unlink(lab.real("gone").c_str()), 0);
  auto trees = lab.items();
  ASSERT_TRUE(trees);
  for (const char* name : {"both", "deleted", "made"})
    EXPECT_EQ(find(*trees, name)->state, State::conflict) << name;
  EXPECT_EQ(find(*trees, "gone")->state, State::gone);
  EXPECT_EQ(find(*trees, "same"), nullptr);
  EXPECT_EQ(find(*trees, "mine"), nullptr);
  Picture before = lab.now();
  ASSERT_TRUE(lab.apply_paths({"both", "deleted", "made"}));  // not even by name
  EXPECT_EQ(lab.now(), before);
  ASSERT_TRUE(lab.apply_paths({"gone"}));
  EXPECT_EQ(read_text(lab.real("gone")), "by the run");
}

TEST(Apply, WhatWouldRunOutsideIsTakenOverByItsNameAlone) {
  ApplyLab lab;
  write_text(lab.real(".git/HEAD"), "ref: refs/heads/main\n");
  write_text(lab.real(".git/objects/x"), "");
  write_text(lab.real(".git/refs/x"), "");
  ASSERT_TRUE(lab.run([] {
    write_text(".git/hooks/pre-commit", "#!/bin/sh\n", 0755);
    write_text("plain", "text");
  }));
  auto trees = lab.items();
  ASSERT_TRUE(trees);
  ASSERT_NE(find(*trees, ".git/hooks/pre-commit"), nullptr);
  EXPECT_EQ(find(*trees, ".git/hooks/pre-commit")->state, State::held);
  auto applied = lab.apply_all();
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_EQ(read_text(lab.real("plain")), "text");
  EXPECT_FALSE(file::exists(lab.real(".git/hooks/pre-commit")));
  ASSERT_TRUE(lab.apply_paths({".git"}));
  EXPECT_FALSE(file::exists(lab.real(".git/hooks/pre-commit")));
  ASSERT_TRUE(lab.apply_paths({".git/hooks/pre-commit"}));
  EXPECT_TRUE(file::exists(lab.real(".git/hooks/pre-commit")));
}

TEST(Apply, ATimeComesAloneAndIsNoConflict) {
  ApplyLab lab;
  for (const char* name : {"Makefile", "mine"})
    write_text(lab.real(name), "same");
  ASSERT_TRUE(lab.run([] {
    timespec times[2] = {{0, UTIME_OMIT}, {77, 7}};
    for (const char* name : {"Makefile", "mine"})
      ASSERT_EQ(utimensat(AT_FDCWD, name, times, 0), 0);
  }));
  ASSERT_EQ(utimensat(AT_FDCWD, lab.real("mine").c_str(), nullptr, 0), 0);
  auto trees = lab.items();
  ASSERT_TRUE(trees);
  EXPECT_EQ(find(*trees, "mine"), nullptr);
  ASSERT_NE(find(*trees, "Makefile"), nullptr);
  EXPECT_EQ(find(*trees, "Makefile")->state, State::free);  // it runs what it ran before
  auto applied = lab.apply_all();
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_TRUE(lab.is_gone());
  struct stat seen;
  ASSERT_EQ(stat(lab.real("Makefile").c_str(), &seen), 0);
  EXPECT_EQ(seen.st_mtim.tv_sec, 77);
  ASSERT_EQ(stat(lab.real("mine").c_str(), &seen), 0);
  EXPECT_GT(seen.st_mtim.tv_sec, 77);
}

TEST(Apply, WhatTheRunHasOnlyTouchedStaysAsThePersonHasIt) {
  ApplyLab lab;
  for (const char* name : {"touched", "written", "opened up"})
    write_text(lab.real(name), "old");
  ASSERT_TRUE(lab.run([] {
    ASSERT_EQ(utimensat(AT_FDCWD, "touched", nullptr, 0), 0);
    write_text("written", "by the run");
    ASSERT_EQ(chmod("opened up", 0777), 0);
  }));
  auto names = files::ProtectedNames::compile({}, {});
  ASSERT_TRUE(names);
  auto whole = read_whole_review(lab.places().folder, lab.review(), *names);
  ASSERT_TRUE(whole);
  keep_bases(lab.places().folder, *whole);
  for (const char* name : {"touched", "written", "opened up"})
    write_text(lab.real(name), "by the person");
  auto trees = lab.items();
  ASSERT_TRUE(trees);
  EXPECT_EQ(find(*trees, "touched"), nullptr);
  for (const char* name : {"written", "opened up"}) {
    ASSERT_NE(find(*trees, name), nullptr) << name;
    EXPECT_EQ(find(*trees, name)->state, State::conflict) << name;
  }
  ASSERT_TRUE(lab.apply_all());
  EXPECT_EQ(read_text(lab.real("touched")), "by the person");
}

// Somebody exchanges a folder for a link out of the tree, again and again, while it is applied.
TEST(Apply, AFolderThatBecomesALinkLeadsNowhere) {
  constexpr int kFiles = 40, kRounds = 5;
  for (int round = 0; round < kRounds; round++) {
    ApplyLab lab;
    changes::TemporaryFolder elsewhere("/tmp");
    auto name = [](int n) { return "folder/" + std::to_string(n); };
    for (int n = 0; n < kFiles; n++) {
      write_text(lab.real(name(n)), "old");
      write_text(elsewhere.path() + "/" + std::to_string(n), "outside");
    }
    ASSERT_TRUE(lab.run([&] {
      for (int n = 0; n < kFiles; n++)
        write_text(name(n), "new");
    }));
    ASSERT_EQ(symlink(elsewhere.path().c_str(), lab.real("link").c_str()), 0);
    pid_t swapper = fork();
    if (swapper == 0) {
      while (true)
        renameat2(AT_FDCWD, lab.real("folder").c_str(), AT_FDCWD, lab.real("link").c_str(),
                  RENAME_EXCHANGE);
    }
    ApplyOptions options;
    options.leaves_out_conflicts = true;
    auto trees = lab.items();
    if (trees) {
      choose_all(*trees);
      complete_choice(*trees);
      (void)lab.apply(*trees, options);
    }
    kill(swapper, SIGKILL);
    waitpid(swapper, nullptr, 0);
    for (int n = 0; n < kFiles; n++)
      EXPECT_EQ(read_text(elsewhere.path() + "/" + std::to_string(n)), "outside");
    struct stat seen;
    ASSERT_EQ(lstat(lab.real("folder").c_str(), &seen), 0);
    std::string folder = lab.real(S_ISDIR(seen.st_mode) ? "folder" : "link");
    for (int n = 0; n < kFiles; n++) {
      std::string text = read_text(folder + "/" + std::to_string(n));
      EXPECT_TRUE(text == "old" || text == "new") << text;
    }
  }
}

TEST(Apply, SocketsStayAndBitsOfRightsAreTakenOff) {
  ApplyLab lab;
  ASSERT_TRUE(lab.run([] {
    write_text("tool", "x", 0755);
    ASSERT_EQ(chmod("tool", 06755), 0);
    sockaddr_un name{AF_UNIX, "socket"};
    int made = socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(bind(made, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
  }));
  ASSERT_EQ(find(*lab.items(), "socket")->state, State::refused);
  auto applied = lab.apply_paths({"tool", "socket"});
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_FALSE(lab.is_gone());
  EXPECT_EQ(lab.now().size(), 1u);
  struct stat seen;
  ASSERT_EQ(stat(lab.real("tool").c_str(), &seen), 0);
  EXPECT_EQ(seen.st_mode & 07777, 0755u);
}

TEST(Apply, AnotherFolderInPlaceOfTheTreeIsRefused) {
  ApplyLab lab;
  ASSERT_TRUE(lab.run([] { write_text("x", "x"); }));
  std::string top = lab.review().workspace;
  std::filesystem::rename(top, top + "-moved");
  EXPECT_FALSE(lab.apply_all());
  ASSERT_EQ(mkdir(top.c_str(), 0755), 0);
  EXPECT_FALSE(lab.apply_all());
  EXPECT_TRUE(lab.now().empty());
  std::filesystem::remove(top);
  std::filesystem::rename(top + "-moved", top);
  EXPECT_TRUE(lab.apply_all());
}

TEST(Apply, OnlyOneWorksWithAReview) {
  ApplyLab lab;
  ASSERT_TRUE(lab.run([] { write_text("x", "x"); }));
  auto held = lock_review(lab.places().folder);
  ASSERT_TRUE(held);
  EXPECT_FALSE(lock_review(lab.places().folder));
  held->close();
  EXPECT_TRUE(lock_review(lab.places().folder));
}

// Everything is put back, and so has a new ctime.
TEST(Apply, OneThatWasPutBackCanBeDoneAgain) {
  ApplyLab lab;
  for (const char* name : {"a", "b", "gone", "zz"})
    write_text(lab.real(name), "old");
  ASSERT_TRUE(lab.run([] {
    for (const char* name : {"a", "b", "zz"})
      write_text(name, "by the run");
    unlink("gone");
  }));
  for (int tries = 0; tries < 2; tries++) {
    ApplyOptions options;
    options.before_act = [&](std::string_view act) {
      if (act == "put") write_text(lab.real("zz"), "by the person " + std::to_string(tries));
      return 0;
    };
    ASSERT_TRUE(lab.apply_all(options));
    EXPECT_EQ(read_text(lab.real("a")), tries == 0 ? "old" : "by the run");
    auto left = lab.items();
    ASSERT_TRUE(left);
    EXPECT_EQ(find(*left, "zz")->state, State::conflict);
    if (tries > 0) break;
    for (const char* name : {"a", "b", "gone"})
      EXPECT_EQ(find(*left, name)->state, State::free) << name;
  }
  EXPECT_FALSE(file::exists(lab.real("gone")));
}

TEST(Apply, OneThatFailedCanBeDoneAgain) {
  ApplyLab lab;
  for (const char* name : {"a", "b", "gone"})
    write_text(lab.real(name), "old");
  ASSERT_TRUE(lab.run([] {
    for (const char* name : {"a", "b"})
      write_text(name, "by the run");
    unlink("gone");
  }));
  int puts = 0;
  ApplyOptions options;
  options.before_act = [&](std::string_view act) {
    return act == "put" && ++puts == 3 ? ENOSPC : 0;
  };
  ASSERT_FALSE(lab.apply_all(options));
  EXPECT_EQ(read_text(lab.real("a")), "old");
  auto applied = lab.apply_all();
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_EQ(lab.now(), lab.view());
  EXPECT_TRUE(lab.is_gone());
}

// What the person changes after that is the person's all the same.
TEST(Apply, WhatIsChangedAfterItWasPutBackIsAConflict) {
  ApplyLab lab;
  for (const char* name : {"a", "zz"})
    write_text(lab.real(name), "old");
  ASSERT_TRUE(lab.run([] {
    for (const char* name : {"a", "zz"})
      write_text(name, "by the run");
  }));
  ApplyOptions options;
  options.before_act = [&](std::string_view act) {
    if (act == "put") write_text(lab.real("zz"), "by the person");
    return 0;
  };
  ASSERT_TRUE(lab.apply_all(options));
  write_text(lab.real("a"), "new");
  auto left = lab.items();
  ASSERT_TRUE(left);
  EXPECT_EQ(find(*left, "a")->state, State::conflict);
}

TEST(Apply, OneOfTwoNamesLeavesTheOtherFree) {
  ApplyLab lab;
  write_text(lab.real("a"), "text");
  std::filesystem::create_hard_link(lab.real("a"), lab.real("b"));
  ASSERT_TRUE(lab.run([] {
    unlink("a");
    unlink("b");
  }));
  ASSERT_TRUE(lab.apply_paths({"a"}));
  auto left = lab.items();
  ASSERT_TRUE(left);
  ASSERT_NE(find(*left, "b"), nullptr);
  EXPECT_EQ(find(*left, "b")->state, State::free);
}

TEST(Apply, AnInterruptedOneIsFinishedFirst) {
  size_t begun = 0;
  for (size_t at = 0; at < 200; at++) {
    ApplyLab lab("/dev/shm");
    write_text(lab.real("changed"), "old");
    write_text(lab.real("gone/x"), "x");
    ASSERT_TRUE(lab.run([] {
      write_text("changed", "new");
      write_text("added/z", "z");
      std::filesystem::remove_all("gone");
    }));
    Picture before = lab.now();
    pid_t child = fork();
    if (child == 0) {
      size_t count = 0;
      ApplyOptions options;
      options.before_act = [&](std::string_view) {
        return count++ == at ? kill(getpid(), SIGKILL) : 0;
      };
      (void)lab.apply_all(options);
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (!WIFSIGNALED(status)) {
      EXPECT_GT(begun, 5u);
      return;
    }
    auto finished = lab.resume();
    ASSERT_TRUE(finished) << finished.error().text();
    if (finished->trees.empty()) {
      EXPECT_EQ(lab.now(), before);
      ASSERT_TRUE(lab.apply_all());
    } else {
      begun++;
    }
    EXPECT_EQ(lab.now(), lab.view()) << at;
    EXPECT_TRUE(lab.is_gone()) << at;
  }
  FAIL() << "it never came to its end";
}

}  // namespace
}  // namespace ringwall::review
