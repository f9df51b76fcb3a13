#include "review/layer_changes.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>

#include "review/overlay_lab.h"
#include "review/renames.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::Changes;
using changes::EntryType;
namespace fs = std::filesystem;

class Layers : public ::testing::Test {
 protected:
  LayerChanges read(const std::vector<std::string>& left_out = {}) {
    Fd upper = lab_.open("upper"), real = lab_.open("real");
    auto found = read_layer(upper.get(), real.get(), left_out);
    EXPECT_TRUE(found);
    if (!found) return {};
    find_renames(found->changes, upper.get(), real.get());
    return std::move(*found);
  }
  // "+a *b -c", and "a>b" for a renaming.
  std::string words(const std::vector<std::string>& left_out = {}) {
    std::string out;
    for (const Change& change : read(left_out).changes) {
      if (change.is_renamed_away) continue;
      const char* mark = change.kind == Change::Kind::added     ? "+"
                         : change.kind == Change::Kind::deleted ? "-"
                                                                : "*";
      out += out.empty() ? "" : " ";
      out += change.renamed_from.empty() ? mark + change.path
                                         : change.renamed_from + ">" + change.path;
    }
    return out;
  }
  OverlayLab lab_;
};

TEST_F(Layers, NothingDoneIsNoChange) {
  write_text(lab_.real("a"), "a");
  ASSERT_TRUE(lab_.work([] { return read_text("a") == "a"; }));
  EXPECT_EQ(words(), "");
}

TEST_F(Layers, TellWhatWasAddedChangedAndDeleted) {
  fs::create_directories(lab_.real("d/e"));
  for (const char* name : {"a", "b", "c", "d/x", "d/e/y"})
    write_text(lab_.real(name), name);
  ASSERT_TRUE(lab_.work([] {
    write_text("a", "other");
    write_text("new", "1");
    mkdir("n", 0755);
    write_text("n/f", "2");
    return fs::remove("b") && fs::remove_all("d") == 4;
  }));
  EXPECT_EQ(words(), "*a -b -d -d/e -d/e/y -d/x +n +n/f +new");
}

TEST_F(Layers, OfWhatWasOnlyTouchedTheTimeIsTold) {
  fs::create_directories(lab_.real("d"));
  for (const char* name : {"a", "b", "d/c"})
    write_text(lab_.real(name), "same");
  ASSERT_EQ(symlink("a", lab_.real("l").c_str()), 0);
  ASSERT_TRUE(lab_.work([] {
    write_text("a", "same");
    return utimensat(AT_FDCWD, "b", nullptr, 0) == 0 && chmod("d/c", 0644) == 0 &&
           utimensat(AT_FDCWD, "l", nullptr, AT_SYMLINK_NOFOLLOW) == 0;
  }));
  ASSERT_TRUE(fs::exists(lab_.upper("a")) && fs::exists(lab_.upper("b")));
  EXPECT_EQ(words(), "*a *b *l");
  for (const changes::Change& change : read().changes)
    EXPECT_TRUE(change.is_time_alone) << change.path;
}

TEST_F(Layers, ATimeIsNoReasonToPartNamesOrToLoseRights) {
  write_text(lab_.real("one"), "same");
  ASSERT_EQ(link(lab_.real("one").c_str(), lab_.real("other").c_str()), 0);
  write_text(lab_.real("rights"), "same");
  ASSERT_EQ(chmod(lab_.real("rights").c_str(), 02755), 0);
  ASSERT_TRUE(lab_.work([] {
    return utimensat(AT_FDCWD, "one", nullptr, 0) == 0 &&
           utimensat(AT_FDCWD, "rights", nullptr, 0) == 0;
  }));
  EXPECT_EQ(words(), "");
}

TEST_F(Layers, ModesAttributesAndLinkTextsAreChanges) {
  fs::create_directories(lab_.real("d/deep"));
  fs::create_directories(lab_.real("e"));
  for (const char* name : {"a", "b", "d/c", "e/s"})
    write_text(lab_.real(name), "same");
  ASSERT_EQ(symlink("a", lab_.real("l").c_str()), 0);
  ASSERT_TRUE(lab_.work([] {
    return chmod("a", 0755) == 0 && setxattr("b", "user.mine", "1", 1, 0) == 0 &&
           chmod("d", 0700) == 0 && setxattr("e", "user.mine", "1", 1, 0) == 0 &&
           unlink("l") == 0 && symlink("b", "l") == 0;
  }));
  EXPECT_EQ(words(), "*a *b *d *e *l");
}

TEST_F(Layers, AFolderThatWasReplacedLosesWhatItHeld) {
  fs::create_directories(lab_.real("d/e"));
  for (const char* name : {"d/kept", "d/x", "d/e/y"})
    write_text(lab_.real(name), name);
  ASSERT_TRUE(lab_.work([] {
    fs::remove_all("d");
    mkdir("d", 0755);
    write_text("d/kept", "d/kept");
    write_text("d/n", "n");
    return true;
  }));
  EXPECT_EQ(words(), "-d/e -d/e/y *d/kept +d/n -d/x");
}

TEST_F(Layers, AFileForAFolderAndBack) {
  fs::create_directories(lab_.real("d/e"));
  write_text(lab_.real("d/e/y"), "y");
  write_text(lab_.real("f"), "f");
  ASSERT_TRUE(lab_.work([] {
    fs::remove_all("d");
    write_text("d", "file");
    unlink("f");
    mkdir("f", 0755);
    write_text("f/g", "g");
    return true;
  }));
  EXPECT_EQ(words(), "*d -d/e -d/e/y *f +f/g");
  LayerChanges found = read();
  EXPECT_EQ(found.changes[0].before.type, EntryType::folder);
  EXPECT_EQ(found.changes[0].after.type, EntryType::file);
}

TEST_F(Layers, RenamingsAreToldBySameContent) {
  fs::create_directories(lab_.real("d"));
  write_text(lab_.real("d/a"), "this is the one");
  write_text(lab_.real("d/b"), "that is the two");
  write_text(lab_.real("empty"), "");
  ASSERT_TRUE(lab_.work([] {
    write_text("copy", "that is the two");  // d/b stays, so this is none
    return rename("d/a", "moved") == 0 && rename("empty", "void") == 0;
  }));
  EXPECT_EQ(words(), "+copy -empty d/a>moved +void");
}

TEST_F(Layers, OfSeveralThatAreAlikeTheOneWithItsNameIsMeant) {
  fs::create_directories(lab_.real("d"));
  for (const char* name : {"d/a", "d/b", "d/c"})
    write_text(lab_.real(name), "alike");
  ASSERT_TRUE(lab_.work([] {
    return mkdir("e", 0755) == 0 && rename("d/b", "e/b") == 0 && rename("d/c", "e/c") == 0 &&
           unlink("d/a") == 0;
  }));
  EXPECT_EQ(words(), "-d/a +e d/b>e/b d/c>e/c");
}

TEST_F(Layers, NamesOfOneFileAreAllTold) {
  write_text(lab_.real("a"), "a");
  ASSERT_TRUE(lab_.work([] { return link("a", "b") == 0; }));
  LayerChanges found = read();
  ASSERT_EQ(words(), "*a +b");
  EXPECT_EQ(found.changes[0].after.inode, found.changes[1].after.inode);
}

TEST_F(Layers, WhatIsLeftOutIsNotLookedAt) {
  fs::create_directories(lab_.real("d/m"));
  write_text(lab_.real("d/m/x"), "x");
  write_text(lab_.real("d/mm"), "x");
  ASSERT_TRUE(lab_.work([] {
    mkdir("node_modules", 0755);
    write_text("node_modules/p", "p");
    fs::remove_all("d");
    return true;
  }));
  EXPECT_EQ(words({"node_modules", "d/m"}), "-d -d/mm");
  EXPECT_EQ(words(), "-d -d/m -d/m/x -d/mm +node_modules +node_modules/p");
}

TEST_F(Layers, MarkedFilesAreWhiteoutsWhereTheirFolderSaysSo) {
  fs::create_directories(lab_.real("d"));
  fs::create_directories(lab_.real("e"));
  fs::create_directories(lab_.upper("d"));
  fs::create_directories(lab_.upper("e"));
  for (const char* folder : {"d", "e"}) {
    write_text(lab_.real(folder) + "/x", "x");
    write_text(lab_.upper(folder) + "/x", "");
    ASSERT_EQ(setxattr((lab_.upper(folder) + "/x").c_str(), "user.overlay.whiteout", "y", 1, 0), 0);
  }
  ASSERT_EQ(setxattr(lab_.upper("d").c_str(), "user.overlay.opaque", "x", 1, 0), 0);
  EXPECT_EQ(words(), "-d/x *e/x");
}

TEST_F(Layers, TheInsideCannotForgeMarks) {
  fs::create_directories(lab_.real("d"));
  write_text(lab_.real("d/x"), "x");
  ASSERT_TRUE(lab_.work([] {
    setxattr("d", "user.overlay.opaque", "y", 1, 0);
    return chmod("d/x", 0644) == 0;
  }));
  EXPECT_EQ(words(), "");
}

TEST_F(Layers, HostileEntriesAreToldAndNotOpened) {
  fs::create_directories(lab_.real("d"));
  write_text(lab_.real("d/f"), "1234");
  ASSERT_TRUE(lab_.work([] {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un name{AF_UNIX, "sock"};
    unlink("d/f");
    write_text("suid", "x");
    write_text("a\nb\033[31m", "x");
    return bind(fd, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0 &&
           mkfifo("d/f", 0644) == 0 && chmod("suid", 04755) == 0 &&
           symlink("/etc/passwd", "out") == 0 && symlink("../../..", "up") == 0;
  }));
  LayerChanges found = read();
  ASSERT_EQ(words(), "+a\nb\033[31m *d/f +out +sock +suid +up");
  EXPECT_EQ(found.changes[1].after.type, EntryType::fifo);
  EXPECT_EQ(found.changes[2].after.type, EntryType::link);
  EXPECT_EQ(found.changes[3].after.type, EntryType::other);
  EXPECT_EQ(found.changes[4].after.mode, 04755u);
}

TEST_F(Layers, ADeviceIsNoWhiteoutAndNotOpened) {
  write_text(lab_.real("d"), "x");
  if (mknod(lab_.upper("d").c_str(), S_IFCHR | 0600, makedev(1, 3)) < 0)
    GTEST_SKIP() << "devices cannot be made here";
  LayerChanges found = read();
  ASSERT_EQ(words(), "*d");
  EXPECT_EQ(found.changes[0].after.type, EntryType::other);
}

TEST_F(Layers, WhatIsMountedInTheRealTreeIsNotEntered) {
  fs::create_directories(lab_.real("d/m"));
  write_text(lab_.real("d/m/below"), "x");
  ASSERT_TRUE(lab_.work([] { return fs::remove_all("d") == 3; }));
  EXPECT_EQ(words(), "-d -d/m -d/m/below");
  EXPECT_TRUE(lab_.work([&] {
    if (mount("none", lab_.real("d/m").c_str(), "tmpfs", 0, nullptr) < 0) return false;
    write_text(lab_.real("d/m/mounted"), "x");
    Fd upper = lab_.open("upper"), real = lab_.open("real");
    auto found = read_layer(upper.get(), real.get(), {});
    return found && found->changes.size() == 2 && found->unread.size() == 1 &&
           found->unread[0].path == "d/m";
  }));
}

TEST_F(Layers, ALinkInTheRealTreeIsNotFollowed) {
  fs::create_directories(lab_.real("d"));
  write_text(lab_.real("d/f"), "f");
  ASSERT_TRUE(lab_.work([] { return fs::remove_all("d") == 2 && mkdir("d", 0755) == 0; }));
  fs::rename(lab_.real("d"), lab_.top() + "/elsewhere");
  ASSERT_EQ(symlink((lab_.top() + "/elsewhere").c_str(), lab_.real("d").c_str()), 0);
  EXPECT_EQ(words(), "*d");
}

TEST_F(Layers, DeepFoldersAreReadAsFarAsTheyCanBeNamed) {
  ASSERT_TRUE(lab_.work([] {
    for (int depth = 0; depth < 10'000; depth++) {
      if (mkdir("d", 0755) < 0 || chdir("d") < 0) return false;
    }
    write_text("f", "the last");
    return true;
  }));
  LayerChanges found = read();
  ASSERT_EQ(found.changes.size(), 2048u);
  EXPECT_EQ(found.changes.back().path.size(), 4095u);
  ASSERT_EQ(found.unread.size(), 1u);
  EXPECT_EQ(found.unread[0].path, found.changes.back().path);
}

TEST_F(Layers, WhatIsClosedIsSaid) {
  if (geteuid() == 0) GTEST_SKIP() << "nothing is closed to root";
  ASSERT_TRUE(lab_.work([] {
    mkdir("d", 0755);
    write_text("d/f", "f");
    return chmod("d", 0) == 0;
  }));
  LayerChanges found = read();
  ASSERT_EQ(found.changes.size(), 1u);
  ASSERT_EQ(found.unread.size(), 1u);
  EXPECT_EQ(found.unread[0].path, "d");
  chmod(lab_.upper("d").c_str(), 0755);
}

TEST_F(Layers, OfAReviewApartAndNestedAreLeftOut) {
  Review review{"r",
                "/w",
                {},
                0,
                {{"/w", "0"}, {"/other", "1"}},
                {"node_modules/", "./a/target"},
                {"/w/mnt", "/other/deep/mnt", "/elsewhere"}};
  EXPECT_EQ(left_out_of(review, review.trees[0]),
            (std::vector<std::string>{"mnt", "node_modules", "a/target"}));
  EXPECT_EQ(left_out_of(review, review.trees[1]), std::vector<std::string>{"deep/mnt"});
}

TEST_F(Layers, AnotherFolderInThePlaceOfTheTreeIsAnError) {
  struct stat seen;
  ASSERT_EQ(stat(lab_.real().c_str(), &seen), 0);
  ReviewTree tree{lab_.top() + "/real", "0", seen.st_dev, seen.st_ino, 0};
  EXPECT_TRUE(open_real(tree));
  tree.path = lab_.top() + "/view";
  EXPECT_FALSE(open_real(tree));
  fs::rename(lab_.real(), lab_.top() + "/away");
  ASSERT_EQ(symlink("away", (lab_.top() + "/real").c_str()), 0);
  tree.path = lab_.top() + "/real";
  EXPECT_FALSE(open_real(tree));
}

}  // namespace
}  // namespace ringwall::review
