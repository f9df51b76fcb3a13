// Patterns of the policy against git itself: some hundreds of generated ones over a small tree,
// each put into a .gitignore and asked with `git check-ignore`. What git ignores must be what is
// hidden and protected, and nothing else.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "base/fd.h"
#include "files/hidden.h"
#include "files/protected.h"

namespace ringwall::files {
namespace {

constexpr int kPatterns = 300;

// Names that patterns are about: letters, capitals, and characters that patterns use.
constexpr const char* kNames[] = {"a",  "b",  "c",  "ab",   "abc", "b.c", "A",   "aB",  "a b",
                                  "x ", "#x", "!x", "[ab]", "a*b", "a?",  "x{y", "a\\b"};

class GitIgnore : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ringwall-unit-gitignore-XXXXXX";
    top_ = mkdtemp(name);
    setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    ASSERT_EQ(run_git({"init", "-q", tree()}), 0);
    std::filesystem::remove_all(tree() + "/.git/info");
    std::mt19937 random(5);
    grow("", 0, random);
    std::ofstream list(top_ + "/paths", std::ios::binary);
    for (const auto& [path, kind] : entries_)
      list << path << '\0';
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  // With the list of paths as its input.
  int run_git(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "git");
    std::vector<char*> words;
    for (std::string& argument : arguments)
      words.push_back(argument.data());
    words.push_back(nullptr);
    pid_t child = fork();
    if (child == 0) {
      Fd input(open((top_ + "/paths").c_str(), O_RDONLY | O_CREAT, 0600));
      Fd output(open((top_ + "/ignored").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600));
      dup2(input.get(), STDIN_FILENO);
      dup2(output.get(), STDOUT_FILENO);
      execvp("git", words.data());
      _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  }

  std::string tree() const { return top_ + "/tree"; }

  void grow(const std::string& folder, int depth, std::mt19937& random) {
    for (const char* name : kNames) {
      std::string path = folder.empty() ? name : folder + "/" + name;
      unsigned choice = static_cast<unsigned>(random() % 8);
      if (depth < 2 && choice < (depth == 0 ? 5 : 2)) {
        mkdir((tree() + "/" + path).c_str(), 0700);
        entries_[path] = EntryKind::folder;
        grow(path, depth + 1, random);
      } else if (choice < 7) {
        std::ofstream(tree() + "/" + path) << "x";
        entries_[path] = EntryKind::file;
      }
    }
  }

  std::set<std::string> ignored_by_git(const std::string& pattern) {
    std::ofstream(tree() + "/.gitignore") << pattern << "\n";
    int status =
        run_git({"-C", tree(), "-c", "core.ignoreCase=true", "-c", "core.excludesFile=/dev/null",
                 "check-ignore", "--no-index", "--stdin", "-z"});
    EXPECT_LE(status, 1) << pattern;
    std::ifstream file(top_ + "/ignored", std::ios::binary);
    std::set<std::string> ignored;
    for (std::string path; std::getline(file, path, '\0');)
      ignored.insert(path);
    return ignored;
  }

  void compare(const std::string& pattern) {
    std::vector<std::string> texts = {pattern};
    auto parsed = NamePattern::parse(pattern);
    auto hidden = HiddenNames::compile(texts, {});
    auto guarded = ProtectedNames::compile(texts, {});
    ASSERT_TRUE(parsed && hidden && guarded) << pattern << " " << parsed.error().what;
    PatternSet set;
    set.add(*parsed);
    std::set<std::string> ignored = ignored_by_git(pattern);
    matched_ += ignored.size();
    for (const auto& [path, kind] : entries_) {
      bool expected = ignored.contains(path);
      EXPECT_EQ(set.covers(path, kind), expected) << pattern << " on " << path;
      EXPECT_EQ(is_guarded(*guarded, path, kind), expected) << pattern << " on " << path;
      if (kind == EntryKind::file) {
        EXPECT_EQ(hidden->judge_name(path) == HiddenNames::Verdict::hide, expected)
            << pattern << " on " << path;
      }
    }
  }

  // As a walk and the watch of what appears find it: a folder that fits holds all that is below,
  // and nothing is asked of a name of which may_match() says no.
  static bool is_guarded(const ProtectedNames& names, const std::string& path, EntryKind kind) {
    for (size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      if (is_matched(names, path.substr(0, slash), true)) return true;
    }
    return is_matched(names, path, kind == EntryKind::folder);
  }
  static bool is_matched(const ProtectedNames& names, const std::string& path, bool is_folder) {
    bool matched = names.match(path, is_folder).has_value();
    EXPECT_TRUE(!matched || names.may_match(last_name(path))) << path;
    return matched;
  }

  std::string top_;
  std::map<std::string, EntryKind> entries_;
  size_t matched_ = 0;
};

class Generator {
 public:
  std::string pattern() {
    std::string text = chance(4) ? "/" : "";
    size_t parts = 1 + pick(chance(2) ? 2 : 4);
    for (size_t i = 0; i < parts; i++)
      text += (i == 0 ? "" : "/") + part();
    if (chance(4)) text += "/";
    if (chance(12)) text += "  ";
    return text;
  }

 private:
  std::string part() {
    if (chance(5)) return "**";
    if (chance(3)) return std::string(kWhole[pick(std::size(kWhole))]);
    std::string text;
    for (size_t left = 1 + pick(3); left > 0; left--)
      text += kPieces[pick(std::size(kPieces))];
    return text == "!" || text == "#" ? "\\" + text : text;
  }
  size_t pick(size_t count) { return random_() % count; }
  bool chance(size_t of) { return pick(of) == 0; }

  // No single capital in brackets: git, told to ignore case, lets it fit nothing.
  static constexpr const char* kPieces[] = {"a",
                                            "b",
                                            "c",
                                            "B",
                                            "*",
                                            "*",
                                            "?",
                                            "**",
                                            "[ab]",
                                            "[!a]",
                                            "[^bc]",
                                            "[a-c]",
                                            "[A-C]",
                                            "[]a]",
                                            "[a-]",
                                            "[\\]b]",
                                            "\\*",
                                            "\\[",
                                            "]",
                                            "\\\\",
                                            " b",
                                            "\\a",
                                            ".",
                                            "\\{y",
                                            "[[:alpha:]]",
                                            "[![:punct:]]",
                                            "[[:upper:]x]",
                                            "[[:]b]"};
  static constexpr const char* kWhole[] = {"a", "b",    "ab",   "A",    "a*",     "*b",
                                           "*", "\\#x", "\\!x", "x\\ ", "\\[ab]", "a\\\\b"};
  std::mt19937 random_{7};
};

TEST_F(GitIgnore, GeneratedPatternsMeanWhatTheyMeanToGit) {
  Generator generator;
  std::set<std::string> generated;
  int asked = 0;
  while (asked < kPatterns && !HasFailure()) {
    std::string pattern = generator.pattern();
    if (!NamePattern::parse(pattern)) continue;  // "." as a part, "a**"
    generated.insert(pattern);
    asked++;
    compare(pattern);
  }
  EXPECT_GT(generated.size(), 200u);
  EXPECT_GT(matched_, 5'000u);  // not a test of patterns that fit nothing
  EXPECT_GT(entries_.size(), 300u);
}

TEST_F(GitIgnore, WrittenPatternsMeanWhatTheyMeanToGit) {
  for (const char* pattern :
       {"a",    "a/",        "/a",          "a/b",     "/a/b/",      "**/a",    "**/a/b",
        "a/**", "a/**/",     "a/**/b",      "/**/b",   "a/**/**/b",  "**",      "**/",
        "/**",  "*",         "/*",          "*/",      "*/*",        "a/***/b", "*.c",
        "?",    "??",        "[a-b]",       "[!a-b]*", "a b",        "x\\ ",    "x ",
        "\\#x", "\\!x",      "\\[ab\\]",    "a\\*b",   "a\\?",       "x\\{y",   "a\\\\b",
        "A/B",  "ab/**/c/*", "*/**/a/**/b", "a/*/c",   "[[:upper:]]"})
    compare(pattern);
}

// Why they are refused: git takes each and lets it fit nothing.
TEST_F(GitIgnore, WhatFitsNothingIsRefused) {
  for (const char* pattern : {"a[b", "[z-a]", "a\\", "[[:none:]]", "./a", "../a", "a/./b", "a//b",
                              "#x", "!x", "*.{c,b}", "~/a", "   "}) {
    EXPECT_FALSE(NamePattern::parse(pattern)) << pattern;
    EXPECT_TRUE(ignored_by_git(pattern).empty()) << pattern;
  }
}

}  // namespace
}  // namespace ringwall::files
