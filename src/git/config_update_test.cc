#include "git/config_update.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <filesystem>

#include "base/file.h"

namespace ringwall::git {
namespace {

constexpr const char* kPersons =
    "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
    "[remote \"origin\"]\n\turl = https://example.org/a.git\n"
    "\tfetch = +refs/heads/*:refs/remotes/origin/*\n";

class GitConfigUpdateTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/git-config-update-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    top_ = Fd(open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    path_ = folder_ + "/config";
    put(kPersons);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void put(const std::string& text) {
    Fd fd(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    ASSERT_TRUE(file::write_all(fd.get(), text));
  }
  std::string now() { return file::read(path_).value_or(""); }
  JournalPlace place() { return {top_.get(), "journal"}; }
  bool has_journal() { return file::exists(folder_ + "/journal"); }
  Result<ProtectedGitConfig> open_config() {
    return ProtectedGitConfig::open(Fd(open(path_.c_str(), O_RDWR | O_CLOEXEC)), path_, place());
  }

  std::string folder_, path_;
  Fd top_;
};

TEST(Padding, KeepsTheLengthOfTheOldText) {
  EXPECT_EQ(padded("ab", 4), "ab\n\n");
  EXPECT_EQ(padded("abcd", 2), "abcd");
}

TEST(Journal, ComesBackAsItWas) {
  UpdateJournal journal{"/w/.git/config", std::string("a\0b", 3), ""};
  auto back = decode_journal(encode_journal(journal));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->path, journal.path);
  EXPECT_EQ(back->before, journal.before);
  EXPECT_EQ(back->after, "");
}

TEST(Journal, IsRefusedAtEveryLengthButItsOwn) {
  std::string whole = encode_journal({"/config", "old", "new text"});
  for (size_t length = 0; length < whole.size(); length++)
    EXPECT_FALSE(decode_journal(whole.substr(0, length))) << length;
  whole.back() ^= 1;
  EXPECT_FALSE(decode_journal(whole));
}

TEST(Mending, LeavesWhatIsWhole) {
  UpdateJournal journal{"/config", "[a]\n\tb = 1\n", "[a]\n\tb = 1\n\tc = 2\n"};
  EXPECT_FALSE(mended(journal, journal.before));
  EXPECT_FALSE(mended(journal, journal.after));
  EXPECT_FALSE(mended(journal, "[person]\n\tname = x\n"));
  EXPECT_FALSE(mended(journal, ""));
}

TEST(Mending, FinishesWhatWasCutShortWhileItGrew) {
  UpdateJournal journal{"/config", "[a]\n\tb = 1\n", "[z]\n\tb = 1\n\tc = 2\n"};
  EXPECT_EQ(mended(journal, "[z]\n\tb = 1\n"), journal.after);
  EXPECT_EQ(mended(journal, "[z]\n\tb = 1\n\tc"), journal.after);
  EXPECT_EQ(mended(journal, std::string("[z]\n\tb = 1\n\0\0\0", 14)), journal.after);
}

TEST(Mending, FinishesWhatWasCutShortWhileItShrank) {
  UpdateJournal journal{"/config", "[a]\n\tb = 1\n\tc = 2\n", "[a]\n\tc = 2\n"};
  EXPECT_EQ(mended(journal, padded(journal.after, journal.before.size())), journal.after);
  EXPECT_EQ(mended(journal, "[a]\n\tc = 2\n\tc = 2\n"), journal.after);
}

TEST_F(GitConfigUpdateTest, WritesInPlaceAndKeepsTheFile) {
  struct stat before, after;
  ASSERT_EQ(stat(path_.c_str(), &before), 0);
  auto config = open_config();
  ASSERT_TRUE(config);
  auto changed = config->update(std::string(kPersons) + "[user]\n\tname = Someone\n");
  ASSERT_TRUE(changed) << changed.error().text;
  EXPECT_TRUE(changed->empty());
  ASSERT_EQ(stat(path_.c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_NE(now().find("name = Someone"), std::string::npos);
  EXPECT_TRUE(has_journal());
  config->finish();
  EXPECT_FALSE(has_journal());
}

TEST_F(GitConfigUpdateTest, ShrinksWithoutARest) {
  auto config = open_config();
  ASSERT_TRUE(config);
  ASSERT_TRUE(config->update(std::string(kPersons) + "[user]\n\tname = Someone With A Name\n"));
  auto changed = config->update(kPersons);
  ASSERT_TRUE(changed) << changed.error().text;
  EXPECT_EQ(now(), kPersons);
}

TEST_F(GitConfigUpdateTest, RefusesWhatRunsSomething) {
  auto config = open_config();
  ASSERT_TRUE(config);
  auto changed = config->update(std::string(kPersons) + "[core]\n\tfsmonitor = ./evil\n");
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().err, EACCES);
  EXPECT_NE(changed.error().text.find("core.fsmonitor"), std::string::npos);
  EXPECT_EQ(now(), kPersons);
  EXPECT_FALSE(has_journal());
}

TEST_F(GitConfigUpdateTest, RefusesANewAddressOfThePersonsRemoteInTwoSteps) {
  auto config = open_config();
  ASSERT_TRUE(config);
  std::string without = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";
  EXPECT_FALSE(config->update(without));
  EXPECT_FALSE(config->update(without + "[remote \"origin\"]\n\turl = https://evil.example/a\n"));
  EXPECT_EQ(now(), kPersons);
}

TEST_F(GitConfigUpdateTest, RemembersTheRemotesOfARunUntilTheyLeadElsewhere) {
  const std::string with =
      std::string(kPersons) + "[remote \"up\"]\n\turl = https://evil.example/a\n";
  const std::string led = "[branch \"main\"]\n\tremote = up\n";
  auto next_run = [&] {
    return ProtectedGitConfig::open(Fd(open(path_.c_str(), O_RDWR | O_CLOEXEC)), path_, place(),
                                    {{}, {}, Branches{"main"}}, {top_.get(), "remotes"});
  };
  auto added = next_run()->update(with);
  ASSERT_TRUE(added) << added.error().text;
  ASSERT_EQ(added->size(), 1u);
  EXPECT_EQ((*added)[0].name, "up");
  auto refused = next_run()->update(with + led);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("branch.main.remote"), std::string::npos);
  EXPECT_TRUE(next_run()->update(with + "[branch \"new\"]\n\tremote = up\n"));

  std::string persons = std::string(kPersons) + "[remote \"up\"]\n\turl = https://mine.example/a\n";
  put(persons);
  EXPECT_TRUE(next_run()->update(persons + led));
}

TEST_F(GitConfigUpdateTest, TakesEveryRemoteForARunsIfWhatIsRememberedCannotBeRead) {
  ASSERT_TRUE(file::replace_at(top_.get(), "remotes", "[torn"));
  auto config =
      ProtectedGitConfig::open(Fd(open(path_.c_str(), O_RDWR | O_CLOEXEC)), path_, place(),
                               {{}, {}, Branches{"main"}}, {top_.get(), "remotes"});
  ASSERT_TRUE(config);
  EXPECT_FALSE(config->update(std::string(kPersons) + "[branch \"main\"]\n\tremote = origin\n"));
}

TEST_F(GitConfigUpdateTest, DoesNotGuessWhenThePersonIsAtIt) {
  auto config = open_config();
  ASSERT_TRUE(config);
  std::string more = std::string(kPersons) + "[user]\n\tname = Someone\n";
  put("[core]\n\tbare = false\n");
  auto changed = config->update(more);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().err, EBUSY);
  EXPECT_EQ(now(), "[core]\n\tbare = false\n");
  unlink(path_.c_str());
  put(kPersons);
  ASSERT_FALSE(config->update(more));
  EXPECT_EQ(now(), kPersons);
  ASSERT_TRUE(config->replaced(Fd(open(path_.c_str(), O_RDWR | O_CLOEXEC))));
  EXPECT_TRUE(config->update(more));
}

TEST_F(GitConfigUpdateTest, KeepsAConfigThatItCannotRead) {
  put("[core\n");
  auto config = open_config();
  ASSERT_TRUE(config);
  auto changed = config->update(kPersons);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().err, EACCES);
  EXPECT_EQ(now(), "[core\n");
}

TEST_F(GitConfigUpdateTest, ReadsOnlyPlainFiles) {
  ASSERT_EQ(mkfifo((folder_ + "/pipe").c_str(), 0600), 0);
  Fd pipe(open((folder_ + "/pipe").c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  EXPECT_FALSE(read_wanted_config(pipe.get()));
  EXPECT_FALSE(read_wanted_config(top_.get()));
  put(std::string(kMostGitConfigBytes + 1, '\n'));
  Fd longer(open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(read_wanted_config(longer.get()));
}

TEST_F(GitConfigUpdateTest, MendsFromTheJournalAndRemovesIt) {
  UpdateJournal journal{path_, "[a]\n\tb = 1\n\tc = 2\n", "[a]\n\tc = 2\n"};
  put(padded(journal.after, journal.before.size()));
  ASSERT_TRUE(file::replace_at(top_.get(), "journal", encode_journal(journal)));
  ASSERT_TRUE(mend_from_journal(place()));
  EXPECT_EQ(now(), journal.after);
  EXPECT_FALSE(has_journal());
  EXPECT_TRUE(mend_from_journal(place()));
}

TEST_F(GitConfigUpdateTest, LeavesTheJournalsOfRunsThatGoOn) {
  UpdateJournal journal{path_, "[a]\n\tb = 1\n\tc = 2\n", "[a]\n\tc = 2\n"};
  std::string torn = padded(journal.after, journal.before.size());
  ASSERT_EQ(mkdir((folder_ + "/journals").c_str(), 0700), 0);
  Fd journals(open((folder_ + "/journals").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (const char* name : {"a.b-1.config-0", "a.b-2.config-0", ".a.b-1.config-0"})
    ASSERT_TRUE(file::replace_at(journals.get(), name, encode_journal(journal)));
  put(torn);
  auto is_second = [](std::string_view run) { return run == "a.b-2"; };
  ASSERT_TRUE(mend_from_journals(journals.get(), [](std::string_view) { return true; }));
  EXPECT_EQ(now(), torn);
  ASSERT_TRUE(mend_from_journals(journals.get(), is_second));
  EXPECT_EQ(now(), journal.after);
  EXPECT_FALSE(file::exists(folder_ + "/journals/a.b-1.config-0"));
  EXPECT_FALSE(file::exists(folder_ + "/journals/.a.b-1.config-0"));
  EXPECT_TRUE(file::exists(folder_ + "/journals/a.b-2.config-0"));
}

TEST_F(GitConfigUpdateTest, DoesNotMendThroughALink) {
  UpdateJournal journal{path_, "[a]\n\tb = 1\n\tc = 2\n", "[a]\n\tc = 2\n"};
  std::string torn = padded(journal.after, journal.before.size());
  put(torn);
  ASSERT_EQ(rename(path_.c_str(), (folder_ + "/other").c_str()), 0);
  ASSERT_EQ(symlink("other", path_.c_str()), 0);
  ASSERT_TRUE(file::replace_at(top_.get(), "journal", encode_journal(journal)));
  ASSERT_TRUE(mend_from_journal(place()));
  EXPECT_EQ(file::read(folder_ + "/other").value_or(""), torn);
}

}  // namespace
}  // namespace ringwall::git
