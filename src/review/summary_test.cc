#include "review/summary.h"

#include <gtest/gtest.h>

#include "review/change_words.h"
#include "review/overlay_lab.h"

namespace ringwall::review {
namespace {

namespace fs = std::filesystem;

class Summaries : public ::testing::Test {
 protected:
  std::vector<ReviewedTree> read() {
    struct stat seen;
    EXPECT_EQ(stat(lab_.real().c_str(), &seen), 0);
    fs::create_directories(lab_.top() + "/review/0");
    EXPECT_EQ(rename(lab_.upper().c_str(), (lab_.top() + "/review/0/upper").c_str()), 0);
    review_ = {"app-1",
               lab_.top() + "/real",
               {"x"},
               0,
               {{lab_.top() + "/real", "0", seen.st_dev, seen.st_ino, 0}},
               {},
               {}};
    auto names = files::ProtectedNames::compile({}, {});
    Fd folder = lab_.open("review");
    auto found = read_whole_review(folder.get(), review_, *names);
    EXPECT_TRUE(found);
    return found ? std::move(*found) : std::vector<ReviewedTree>();
  }
  OverlayLab lab_;
  Review review_;
};

TEST_F(Summaries, SayThatNothingChanged) {
  auto trees = read();
  EXPECT_EQ(summarize(review_, trees, {}),
            "the run app-1 has changed nothing in " + review_.workspace + "\n");
}

TEST_F(Summaries, TellWhatRunsOutsideFirst) {
  fs::create_directories(lab_.real("old"));
  for (const char* name : {"a", "b", "old/1", "old/2", "z"})
    write_text(lab_.real(name), std::string("content of ") + name);
  ASSERT_TRUE(lab_.work([] {
    write_text("a", "longer than it was before");
    write_text("Makefile", "all:\n");
    write_text(".envrc", "x");
    mkdir("new", 0755);
    write_text("new/1", std::string(2048, 'x'));
    write_text("new/2", "x");
    write_text("new-too", "x");
    return rename("b", "c") == 0 && fs::remove_all("old") == 3 && chmod("z", 0755) == 0;
  }));
  auto trees = read();
  EXPECT_EQ(summarize(review_, trees, {}),
            "runs outside later:\n"
            "  + .envrc    run or obeyed outside by: cd, by direnv\n"
            "  + Makefile  make runs it\n"
            "5 added, 2 changed, 2 deleted, 1 renamed, 2.0K to take over; " +
                review_.workspace +
                " is as it was:\n"
                "  + .envrc    1 B\n"
                "  + Makefile  5 B\n"
                "  * a         12 B -> 25 B\n"
                "  > c         was b\n"
                "  + new-too   1 B\n"
                "  + new/      2 files, 2.0K\n"
                "  - old/      2 files, 32 B\n"
                "  * z         12 B, mode 0644 -> 0755\n"
                "  ringwall diff app-1     line by line\n"
                "  ringwall apply app-1    take it over\n"
                "  ringwall discard app-1  throw it away\n");
  events::FilesChanged event = files_changed(review_, trees);
  EXPECT_EQ(event.run, "app-1");
  EXPECT_EQ(event.added, 5u);
  EXPECT_EQ(event.changed, 2u);
  EXPECT_EQ(event.deleted, 2u);
  EXPECT_EQ(event.renamed, 1u);
  EXPECT_EQ(event.bytes, 2048u + 1 + 1 + 1 + 5 + 25 + 12);
  EXPECT_TRUE(event.review);
}

TEST_F(Summaries, WhatGitKeepsIsOneLine) {
  fs::create_directories(lab_.real(".git/objects"));
  write_text(lab_.real(".git/HEAD"), "ref: refs/heads/main\n");
  ASSERT_TRUE(lab_.work([] {
    write_text(".git/HEAD", "ref: refs/heads/other\n");
    mkdir(".git/objects/aa", 0755);
    write_text(".git/objects/aa/bb", "x");
    mkdir(".git/hooks", 0755);
    write_text(".git/hooks/pre-commit", "x");
    write_text(".gitignore", "x");
    return true;
  }));
  std::string text = summarize(review_, read(), {});
  EXPECT_NE(text.find("runs outside later:\n  + .git/hooks/pre-commit  "), text.npos) << text;
  EXPECT_NE(text.find(":\n  + .gitignore  1 B\n  * .git/       3 files of git's own\n  ringwall"),
            text.npos)
      << text;
}

TEST_F(Summaries, TellWhatIsDeletedRunOrLinkedInGitsFolder) {
  for (const char* path : {".git/objects/aa", ".git/logs", ".git/refs/heads"})
    fs::create_directories(lab_.real(path));
  for (const char* path : {".git/objects/aa/1", ".git/objects/aa/2", ".git/logs/HEAD",
                           ".git/refs/heads/precious", ".git/index"})
    write_text(lab_.real(path), "x");
  ASSERT_TRUE(lab_.work([] {
    write_text(".git/index", "y");
    write_text(".git/payload", "a program");
    fs::create_symlink("/home", ".git/link");
    return fs::remove_all(".git/objects/aa") == 3 && fs::remove_all(".git/logs") == 2 &&
           fs::remove(".git/refs/heads/precious") && chmod(".git/payload", 0755) == 0;
  }));
  std::string text = summarize(review_, read(), {});
  for (const char* row : {"- .git/logs/", "- .git/refs/heads/precious ", "+ .git/payload ",
                          "+ .git/link ", "- .git/objects/ ", "* .git/ "})
    EXPECT_NE(text.find(row), text.npos) << row << "\n" << text;
  EXPECT_NE(text.find("2 files of git's own"), text.npos) << text;
  EXPECT_NE(text.find("1 file of git's own"), text.npos) << text;
}

TEST_F(Summaries, AreCutToAScreen) {
  ASSERT_TRUE(lab_.work([] {
    for (int i = 0; i < 250; i++)
      write_text("file" + std::to_string(i), "x");
    return true;
  }));
  std::string text = summarize(review_, read(), {.most_lines = 10});
  EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 10 + 1 + 3);
  EXPECT_NE(text.find("  … and 240 more\n"), text.npos);
}

TEST_F(Summaries, NamesCannotDrawOnTheScreen) {
  ASSERT_TRUE(lab_.work([] {
    write_text("a\n\033[2Jb", "x");
    write_text("Makefile\n", "x");
    return true;
  }));
  std::string text = summarize(review_, read(), {});
  EXPECT_EQ(text.find('\033'), text.npos);
  EXPECT_NE(text.find("'a\\x0a\\x1b[2Jb'"), text.npos);
}

TEST(ChangeWords, SizesAreShort) {
  EXPECT_EQ(short_size(0), "0 B");
  EXPECT_EQ(short_size(999), "999 B");
  EXPECT_EQ(short_size(1536), "1.5K");
  EXPECT_EQ(short_size(12 << 10), "12K");
  EXPECT_EQ(short_size(1023 << 10), "1.0M");
  EXPECT_EQ(short_size(uint64_t{10} << 30), "10G");
  EXPECT_EQ(short_size(UINT64_MAX), "16E");
}

}  // namespace
}  // namespace ringwall::review
