#include "review/change_diff.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "review/layer_changes.h"
#include "review/overlay_lab.h"
#include "review/renames.h"

namespace ringwall::review {
namespace {

namespace fs = std::filesystem;

class ChangeDiffs : public ::testing::Test {
 protected:
  // "path: remark; remark" and the lines of each change.
  std::string words(bool is_conflict = false) {
    Fd upper = lab_.open("upper"), real = lab_.open("real");
    auto found = read_layer(upper.get(), real.get(), {});
    EXPECT_TRUE(found);
    find_renames(found->changes, upper.get(), real.get());
    std::string out;
    DiffBudget budget;
    for (const changes::Change& change : found->changes) {
      ChangeDiff diff = diff_change(change, {upper.get(), real.get(), is_conflict}, budget);
      out += change.path + ": " + text::join(diff.remarks, "; ") + "\n";
      for (const DiffLine& line : diff.text.lines)
        out += line.text + "\n";
    }
    return out;
  }
  OverlayLab lab_;
};

TEST_F(ChangeDiffs, ShowTextsByTheirLines) {
  write_text(lab_.real("a"), "1\n");
  write_text(lab_.real("gone"), "x\n");
  ASSERT_TRUE(lab_.work([] {
    write_text("a", "2\n");
    write_text("new", "n\n");
    return unlink("gone") == 0 && chmod("a", 0755) == 0;
  }));
  EXPECT_EQ(words(),
            "a: mode 0644 -> 0755\n@@ -1 +1 @@\n-1\n+2\n"
            "gone: \n@@ -1 +0,0 @@\n-x\n"
            "new: \n@@ -0,0 +1 @@\n+n\n");
}

TEST_F(ChangeDiffs, SayWhatCannotBeShownByLines) {
  write_text(lab_.real("bin"), std::string(12 << 10, '\0'));
  write_text(lab_.real("large"), "x");
  write_text(lab_.real("moved"), "content");
  ASSERT_TRUE(lab_.work([] {
    write_text("bin", std::string(14 << 10, '\0'));
    write_text("large", std::string(5 << 20, 'x'));
    write_text("void", "");
    return rename("moved", "there") == 0 && mkfifo("pipe", 0644) == 0;
  }));
  EXPECT_EQ(words(),
            "bin: binary, 12K -> 14K\n"
            "large: too large to show, 1 B -> 5.0M\n"
            "moved: \n"
            "pipe: a pipe\n"
            "there: was moved, with the same content\n"
            "void: empty\n");
}

TEST_F(ChangeDiffs, ShowLinksAsLinks) {
  fs::create_directories(lab_.real("d"));
  ASSERT_EQ(symlink("old", lab_.real("l").c_str()), 0);
  ASSERT_EQ(symlink("gone", lab_.real("m").c_str()), 0);
  ASSERT_TRUE(lab_.work([] {
    return unlink("l") == 0 && symlink("/etc/passwd\033[2J", "l") == 0 && unlink("m") == 0 &&
           rmdir("d") == 0 && symlink("x", "d") == 0;
  }));
  EXPECT_EQ(words(),
            "d: was a folder, is a link; a link to x\n"
            "l: was a link to old; is a link to '/etc/passwd\\x1b[2J'\n"
            "m: a link to gone\n");
}

TEST_F(ChangeDiffs, AConflictShowsBothSides) {
  write_text(lab_.real("a"), "start\n");
  ASSERT_TRUE(lab_.work([] { return write_text("a", "run\n"), true; }));
  write_text(lab_.real("a"), "here\n");
  EXPECT_EQ(words(true),
            "a: changed here too since the run began: a conflict\n-: here now; +: by the run\n"
            "@@ -1 +1 @@\n-here\n+run\n");
}

TEST_F(ChangeDiffs, WhatItsOwnerHasClosedIsShownAllTheSame) {
  ASSERT_TRUE(lab_.work([] { return write_text("a", "x"), chmod("a", 0) == 0; }));
  EXPECT_EQ(words(), "a: \n@@ -0,0 +1 @@\n+x\n\\ no newline at the end\n");
}

}  // namespace
}  // namespace ringwall::review
