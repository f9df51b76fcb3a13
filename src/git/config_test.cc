#include "git/config.h"
#include "base/git_keys.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

extern char** environ;

namespace ringwall::git {
namespace {

using Pairs = std::vector<std::pair<std::string, GitValue>>;

Pairs pairs_of(const GitConfig& config) {
  Pairs pairs;
  for (const GitConfig::Entry& entry : config.entries)
    pairs.emplace_back(entry.key, entry.value);
  return pairs;
}

GitConfig parsed(std::string_view text) {
  auto config = parse_git_config(text);
  EXPECT_TRUE(config.has_value()) << text << "\n" << (config ? "" : config.error().what);
  return config.value_or(GitConfig{});
}

// What the installed git reads in a text: `git config --file F --list -z`.
class RealGit {
 public:
  RealGit() : input_(memfd_create("config", 0)), output_(memfd_create("list", 0)) {}
  ~RealGit() {
    close(input_);
    close(output_);
  }

  // Nothing: git refuses it.
  std::optional<Pairs> read(const std::string& text) {
    if (ftruncate(input_, 0) != 0 || ftruncate(output_, 0) != 0) abort();
    if (pwrite(input_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) abort();
    if (run() != 0) return std::nullopt;
    std::string listed(static_cast<size_t>(lseek(output_, 0, SEEK_END)), '\0');
    if (pread(output_, listed.data(), listed.size(), 0) < 0) abort();
    Pairs pairs;
    for (size_t at = 0; at < listed.size();) {
      std::string item = listed.substr(at, listed.find('\0', at) - at);
      at += item.size() + 1;
      // A name holds no newline; a key without a value has none after it either.
      size_t newline = item.find('\n');
      GitValue value;
      if (newline != std::string::npos) value = item.substr(newline + 1);
      pairs.emplace_back(item.substr(0, newline), value);
    }
    return pairs;
  }

 private:
  int run() const {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    lseek(output_, 0, SEEK_SET);
    posix_spawn_file_actions_adddup2(&actions, output_, 1);
    std::string file = "/proc/self/fd/" + std::to_string(input_);
    const char* arguments[] = {"git", "config", "--file", file.c_str(), "--list", "-z", nullptr};
    pid_t child = -1;
    int failed = posix_spawnp(&child, "git", &actions, nullptr,
                              const_cast<char**>(static_cast<const char**>(arguments)), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) abort();
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  int input_, output_;
};

void expect_as_git(RealGit& git, const std::string& text) {
  auto ours = parse_git_config(text);
  std::optional<Pairs> theirs = git.read(text);
  SCOPED_TRACE(testing::PrintToString(text));
  if (!ours) {
    bool stricter = ours.error().what.ends_with("a key stands before the first section") ||
                    ours.error().what.ends_with("zero byte");
    EXPECT_TRUE(stricter || !theirs) << ours.error().what;
    return;
  }
  ASSERT_TRUE(theirs.has_value());
  EXPECT_EQ(pairs_of(*ours), *theirs);
  std::string rendered = render_git_config(pairs_of(*ours));
  EXPECT_EQ(pairs_of(parsed(rendered)), pairs_of(*ours)) << rendered;
  EXPECT_EQ(git.read(rendered), theirs) << rendered;
}

const std::vector<std::string> kHandMade = {
    "",
    "\n\n",
    "[core]",
    "[core]\n\tbare = false\n",
    "[core] bare = false\n",
    "[core]bare\n",
    "[core]bare\r\n\tx=1\r\n",
    "[core]\nx = 1\r",
    "[core]\nx = \"1\r",
    "[core]\nx = \"1\r\n\"",
    "[core]\nx = 1\r2\n",
    "[core]\nx\r2\n",
    "[core]\nx = a\tb\n",
    "[core]\nx = a \t b  # comment\n",
    "[core]\nx = a \"#\" b ; comment \\\nhooksPath = /x\n",
    "[core]\nx = a \\\n  b\n",
    "[core]\nx = a \\\r\n  b\n",
    "[core]\nx = \"a \\\n  b\"\n",
    "[core]\nx = \"a\n  b\"\n",
    "[core]\nx = a\\",
    "[core]\nx = a\\\n",
    "[core]\nx = a\\\\\nhooksPath = y\n",
    "[core]\nx = \\n\\t\\b\\\"\\\\\n",
    "[core]\nx = \\a\n",
    "[core]\nx = \\\xff\n",
    "[core]\nx = \"\" a\n",
    "[core]\nx = a \"\"\n",
    "[core]\nx = \"\n",
    "[core]\nx =\n",
    "[core]\nx = # nothing\n",
    "[core]\nx # nothing\n",
    "[core]\nx y = 1\n",
    "[core]\n1x = 1\n",
    "[core]\nx_y = 1\n",
    "[core]\nx-Y2 = 1\n",
    "[core]\n-x = 1\n",
    "[core]\n\x0bx = 1\n",
    "[core]\nx = \x0b\x0c 1 \x0b\n",
    "[CoRe]\nHooksPath = 1\n",
    "[remote \"A b.C\\\"\\\\\\n\"]\nURL = 1\n",
    "[remote\"a\"]\nurl = 1\n",
    "[remote  \t \"a\"]\nurl = 1\n",
    "[remote \"a\" ]\nurl = 1\n",
    "[remote \n\"a\"]\nurl = 1\n",
    "[remote \"a\n\"]\nurl = 1\n",
    "[remote \"a\\\n\"]\nurl = 1\n",
    "[remote \"a\r\"]\nurl = 1\n",
    "[remote\r\"a\"]\nurl = 1\n",
    "[remote \"a\"",
    "[remote \"a",
    "[remote",
    "[Remote.Origin]\nurl = 1\n",
    "[remote.]\nurl = 1\n",
    "[.a]\nurl = 1\n",
    "[.]\nurl = 1\n",
    "[ \"a\"]\nurl = 1\n",
    "[]\nurl = 1\n",
    "[a.b \"C\"]\nurl = 1\n",
    "[a \"\"]\nurl = 1\n",
    "[a_b]\nurl = 1\n",
    "[a]]\nurl = 1\n",
    "[a][b] x = 1\n[c] y\n",
    "[a] # [b]\nx = 1\n",
    "[a] ; x = 2\n  # y = 3\n",
    "\xef\xbb\xbf[core]\nx = 1\n",
    "\xef\xbb\xbf",
    "\xef\xbb\xbf\xef\xbb\xbf[core]\nx = 1\n",
    "\xef\xbb[core]\nx = 1\n",
    "\xef",
    "\n\xef\xbb\xbf[core]\nx = 1\n",
    "# \xef\xbb\xbf\n[core]\nx = \xef\xbb\xbf 1 \xc2\xa0\n",
    "[core]\nx = \xff\xfe\x01\x7f\n",
    "x = 1\n[core]\n",
    "= 1\n",
    std::string("[core]\nx = a\0b\n", 15),
    std::string("# \0\n[core]\nx = a\n", 17),
    std::string("[a \"b\0c\"]\nx = a\n", 16),
};

TEST(GitConfig, ReadsWhatGitReads) {
  RealGit git;
  for (const std::string& text : kHandMade)
    expect_as_git(git, text);
}

TEST(GitConfig, ReadsMixturesAsGitDoes) {
  const std::vector<std::string> parts = {"[core]",
                                          "[a \"B c\"]",
                                          "[a.b]",
                                          "[x",
                                          "\"",
                                          "]",
                                          "\n",
                                          "\r\n",
                                          "\r",
                                          "\\\n",
                                          "\\",
                                          "\\n",
                                          "key",
                                          "K-2",
                                          " = ",
                                          "=",
                                          "value",
                                          " ",
                                          "\t",
                                          "#",
                                          ";",
                                          "\"q u\"",
                                          "\\\"",
                                          ".",
                                          "\x0b",
                                          "\xc3\xa9",
                                          "\n\tname = v\n",
                                          "\n[remote \"o\"]\n\turl = u",
                                          "[",
                                          "1",
                                          "\n",
                                          "\n",
                                          "\nkey = ",
                                          "\nkey = \""};
  std::mt19937 random(4);  // NOLINT: the same in every run
  RealGit git;
  for (int round = 0; round < 400; round++) {
    std::string text = round % 4 == 0 ? "" : "[core]\n";
    for (size_t count = 1 + random() % 12; count > 0; count--) {
      if (round % 2 == 0) text += "\n\tkey" + std::to_string(count) + " = ";
      text += parts[random() % parts.size()];
    }
    expect_as_git(git, text);
    if (HasFailure()) break;
  }
}

TEST(GitConfig, ErrorsNameTheLine) {
  EXPECT_TRUE(parse_git_config("[a]\nx = 1\n\ny = \"\n").error().what.starts_with("line 4: "));
  EXPECT_TRUE(parse_git_config("[a]\nx = 1 \\\n2\n!\n").error().what.starts_with("line 4: "));
  EXPECT_EQ(parsed("\n[a]\nx = 1 \\\n2\ny\n").entries[1].line, 5u);
}

TEST(GitConfig, IsBounded) {
  EXPECT_FALSE(parse_git_config(std::string(kMostGitConfigBytes + 1, '\n')));
  EXPECT_TRUE(parse_git_config(std::string(kMostGitConfigBytes, '\n')));
  EXPECT_FALSE(parse_git_config("[a]\nx = " + std::string(kLongestGitConfigLine, 'x')));
  std::string many = "[a]\n";
  for (size_t i = 0; i < kMostGitConfigKeys; i++)
    many += "x\n";
  EXPECT_TRUE(parse_git_config(many));
  EXPECT_FALSE(parse_git_config(many + "x\n"));
}

TEST(GitConfig, KeysComeApartAsGitDoesIt) {
  git::Key key = git::split_key("remote.a.b.url");
  EXPECT_EQ(key.section, "remote");
  EXPECT_EQ(key.subsection, "a.b");
  EXPECT_EQ(key.variable, "url");
  EXPECT_EQ(git::split_key("core.bare").subsection, std::nullopt);
  EXPECT_EQ(git::split_key("core..bare").subsection, "");
  EXPECT_EQ(stem_of("remote.a.b.url"), "remote.a.b");
}

std::string edited(std::string_view old, std::string_view wanted) {
  auto text = edit_git_config(parsed(old), parsed(wanted));
  EXPECT_TRUE(text.has_value()) << old << wanted;
  return text.value_or("");
}

const char* const kOld =
    "# mine\n[core]\n\tbare = false ; not bare\n[user]  ; who\n  name = \"A\"\t# me\n\n[remote "
    "\"o\"]\n\turl = u\n";

TEST(GitConfig, EditKeepsThePersonsLines) {
  EXPECT_EQ(edited(kOld, kOld), kOld);
  EXPECT_EQ(edited(kOld, "[core]\nbare=false\n[user]\nname=A\n[remote \"o\"]\nurl=u\n"), kOld);
  std::string wanted = std::string(kOld) + "[branch \"m\"]\n\tremote = o\n\tmerge = refs/heads/m\n";
  EXPECT_EQ(edited(kOld, wanted), wanted);
}

TEST(GitConfig, EditChangesOnlyWhatChanged) {
  EXPECT_EQ(edited("[a]\n\tx = 1 # c\n\ty = 2 # d\n", "[a]\nx = 1\ny = 3\nz = 4\n"),
            "[a]\n\tx = 1 # c\n\ty = 3\n\tz = 4\n");
  EXPECT_EQ(edited("[a] x = 1\n\ty = 2\n", "[a]\nx = \"#\"\ny = 2\n"),
            "[a]\n\tx = \"#\"\n\ty = 2\n");
  EXPECT_EQ(edited("[a] x = 1\n\ty = 2\n", "[a]\ny = 2\n"), "[a]\n\ty = 2\n");
  EXPECT_EQ(edited("[a]\nx = 1\n[b]\n[a]\n", "[a]\nx = 1\ny = 2\n"),
            "[a]\nx = 1\n[b]\n[a]\n\ty = 2\n\n");
  EXPECT_EQ(edited("[a]\nx = 1\\", "[a]\nx = 1\n[b]\ny\n"), "[a]\nx = 1\\\n\n[b]\n\ty\n");
  EXPECT_EQ(edited("[a]\nx = 1", "[a]\nx = 1\nx = 2\n"), "[a]\n\tx = 1\n\tx = 2\n");
}

TEST(GitConfig, EditDropsASectionWithItsLastKey) {
  EXPECT_EQ(edited("[a]\n\tx = 1\n\n[b]\n\ty = 2\n", "[b]\ny = 2\n"), "[b]\n\ty = 2\n");
  EXPECT_EQ(edited("[a]\n\t# why\n\tx = 1\n[b]\n\ty = 2\n", "[b]\ny = 2\n"),
            "[a]\n\t# why\n[b]\n\ty = 2\n");
  EXPECT_EQ(edited("[a] x = 1\n[b]\n\ty = 2\n", ""), "");
}

// Whatever two texts are: what comes out has the keys of the second one, for git as well.
TEST(GitConfig, EditedTextReadsBackInGit) {
  RealGit git;
  std::vector<std::string> good;
  for (const std::string& text : kHandMade) {
    if (parse_git_config(text)) good.push_back(text);
  }
  int tried = 0;
  for (const std::string& old : good) {
    for (const std::string& wanted : good) {
      std::string text = edited(old, wanted);
      if (tried++ % 4 != 0) continue;
      std::optional<Pairs> theirs = git.read(text);
      ASSERT_TRUE(theirs.has_value()) << text;
      GitKeys keys;
      for (auto& [key, value] : *theirs)
        keys[key].push_back(value);
      EXPECT_EQ(keys, keys_of(parsed(wanted))) << text;
    }
  }
}

}  // namespace
}  // namespace ringwall::git
