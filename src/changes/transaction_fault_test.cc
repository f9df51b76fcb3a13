// Ends and full disks at every act of a transaction: each path is old or new, nothing is lost, and
// it can be finished or put back.
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "changes/changes_testing.h"
#include "changes/transaction.h"

namespace ringwall::changes {
namespace {

using Tree = std::map<std::string, std::string>;
constexpr const char* kOddName = "b\xff\n\x1b[31m";

void make_old_tree(const std::string& top) {
  write_text(top + "/same", "same");
  write_text(top + "/changed", "old");
  write_text(top + "/gone", "gone");
  write_text(top + "/gone-folder/a", "a");
  write_text(top + "/gone-folder/deep/b", "b");
  write_text(top + "/becomes-folder", "file");
  write_text(top + "/becomes-file/deep/x", "x");
  write_text(top + "/becomes-link/y", "y");
  write_text(top + "/Case", "case");
  write_text(top + "/closes/z", "z");
  write_text(top + "/mode", "mode", 0644);
  ASSERT_EQ(symlink("nowhere", (top + "/link").c_str()), 0);
  ASSERT_EQ(mkfifo((top + "/fifo").c_str(), 0600), 0);
}

void make_new_tree(const std::string& top) {
  write_text(top + "/same", "same");
  write_text(top + "/changed", "new content");
  write_text(top + "/added/deep/c", "c");
  write_text(top + "/becomes-folder/x", "x");
  write_text(top + "/becomes-file", "file");
  ASSERT_EQ(symlink("/etc", (top + "/becomes-link").c_str()), 0);
  write_text(top + "/case", "case");
  write_text(top + "/closes/z", "new z");
  // Older kernels have none on this filesystem.
  (void)setxattr((top + "/closes").c_str(), "user.colour", "blue", 4, 0);
  ASSERT_EQ(chmod((top + "/closes").c_str(), 0550), 0);
  write_text(top + "/mode", "mode", 0755);
  ASSERT_EQ(symlink("elsewhere", (top + "/link").c_str()), 0);
  write_text(top + "/fifo", "a file now");
  write_text(top + "/hard-1", "hard");
  ASSERT_EQ(link((top + "/hard-1").c_str(), (top + "/hard-2").c_str()), 0);
  write_text(top + "/" + kOddName, "odd");
  ASSERT_EQ(mkfifo((top + "/new-fifo").c_str(), 0640), 0);
}

struct Kind {
  const char* name;
  const char* journal;  // the folder below which it lies
  bool may_share;
};

class Faults : public ::testing::TestWithParam<Kind> {
 protected:
  struct Try {
    Try() {
      for (const char* folder : {"/tree", "/source"})
        EXPECT_EQ(mkdir((top.path() + folder).c_str(), 0700), 0);
      make_old_tree(top.path() + "/tree");
      make_new_tree(top.path() + "/source");
      tree = open_folder(top.path() + "/tree");
      source = open_folder(top.path() + "/source");
      old_tree = read_tree(top.path() + "/tree");
      new_tree = read_tree(top.path() + "/source");
    }
    TemporaryFolder top{"/dev/shm"};
    Fd tree, source;
    Tree old_tree, new_tree;
    Tree now() const { return read_tree(top.path() + "/tree"); }
  };

  static std::vector<Step> steps_of(const Try& attempt) {
    Tree paths = attempt.old_tree;
    paths.insert(attempt.new_tree.begin(), attempt.new_tree.end());
    std::vector<Step> steps;
    std::map<uint64_t, size_t> first;
    for (const auto& [path, facts] : paths) {
      Step step;
      step.path = path;
      step.expected = *look_at(attempt.tree.get(), path);
      EntryFacts wanted = *look_at(attempt.source.get(), path);
      bool is_same = attempt.old_tree.contains(path) && attempt.new_tree.contains(path) &&
                     attempt.old_tree.at(path) == attempt.new_tree.at(path);
      if (is_same) continue;
      step.wanted = wanted.type;
      step.mode = wanted.mode;
      step.modified = wanted.modified;
      step.may_share = GetParam().may_share;
      if (wanted.exists()) {
        step.source_folder = attempt.source.get();
        step.source = path;
      }
      if (wanted.type == EntryType::file && wanted.links > 1) {
        auto [known, is_first] = first.try_emplace(wanted.inode, steps.size());
        if (!is_first) step.same_file_as = known->second;
      }
      steps.push_back(std::move(step));
    }
    return steps;
  }

  // Calls `fault` at act number `at`; false if there are not so many.
  static TransactionOptions fault_at(size_t at, std::function<int()> fault, bool* was_reached) {
    TransactionOptions options;
    auto count = std::make_shared<size_t>(0);
    options.before_act = [=](std::string_view) {
      if ((*count)++ != at) return 0;
      if (was_reached != nullptr) *was_reached = true;
      return fault();
    };
    return options;
  }

  static void expect_old_or_new(const Try& attempt, size_t at) {
    Tree now = attempt.now();
    auto find = [](const Tree& tree, const std::string& path) {
      auto found = tree.find(path);
      return found == tree.end() ? std::string() : found->second;
    };
    Tree paths = attempt.old_tree;
    paths.insert(attempt.new_tree.begin(), attempt.new_tree.end());
    for (const auto& [path, text] : paths) {
      std::string there = find(now, path);
      std::string before = find(attempt.old_tree, path), after = find(attempt.new_tree, path);
      // Folders are in between while they are worked in, and names of one file come one by one.
      bool is_folder = there.starts_with("4");
      size_t second_name = there.find(" = ");
      bool is_known = there.empty() || there == before ||
                      there.substr(0, second_name) == after.substr(0, after.find(" = "));
      EXPECT_TRUE(is_folder || is_known) << "act " << at << ": " << path << ": " << there;
      // What is the same on both sides, or only exchanged, is always there.
      bool is_missing = !before.empty() && !after.empty() && there.empty();
      EXPECT_FALSE(is_missing) << "act " << at << ": " << path;
    }
    for (const auto& [path, text] : now) {
      bool is_ours = paths.contains(path) || path.starts_with(".ringwall-staging-");
      EXPECT_TRUE(is_ours) << "act " << at << ": " << path;
    }
  }

  static void expect_kept(const Report& report, const std::string& journal) {
    for (const auto& [path, text] : std::map<std::string, std::string>{{"changed", "old"},
                                                                       {"gone-folder/deep/b", "b"},
                                                                       {"becomes-folder", "file"},
                                                                       {"becomes-link/y", "y"}}) {
      auto found = std::ranges::find(report, path, &StepReport::path);
      ASSERT_NE(found, report.end()) << path;
      EXPECT_EQ(read_text(journal + "/old/" + found->kept), text) << path;
    }
  }
};

// A child that is killed before act `at`; false if it came to its end.
bool is_killed(const std::function<void()>& act) {
  pid_t child = fork();
  if (child == 0) {
    act();
    _exit(0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status);
}

TEST_P(Faults, AKilledOneIsFinishedLater) {
  for (size_t at = 0; at < 1000; at++) {
    Try attempt;
    TemporaryFolder place(GetParam().journal);
    Fd journal = open_folder(place.path());
    std::vector<Step> steps = steps_of(attempt);
    bool was_killed = is_killed([&] {
      auto options = fault_at(
          at, [] { return kill(getpid(), SIGKILL); }, nullptr);
      (void)put_in_place(attempt.tree.get(), journal.get(), steps, options);
    });
    expect_old_or_new(attempt, at);
    JournalState state = *look_at_journal(journal.get());
    if (state == JournalState::empty || state == JournalState::staging) {
      ASSERT_TRUE(forget(attempt.tree.get(), journal.get()));
      EXPECT_EQ(attempt.now(), attempt.old_tree) << at;
      ASSERT_TRUE(put_in_place(attempt.tree.get(), journal.get(), steps));
    }
    auto report = resume(attempt.tree.get(), journal.get());
    ASSERT_TRUE(report) << at << ": " << report.error().text();
    EXPECT_TRUE(is_whole(*report)) << at;
    EXPECT_EQ(attempt.now(), attempt.new_tree) << at;
    expect_kept(*report, place.path());
    if (!was_killed) {
      EXPECT_GT(at, 20u);
      return;
    }
  }
  FAIL() << "it never came to its end";
}

TEST_P(Faults, OneThatIsKilledAgainAndAgainIsFinished) {
  Try attempt;
  TemporaryFolder place(GetParam().journal);
  Fd journal = open_folder(place.path());
  std::vector<Step> steps = steps_of(attempt);
  size_t deaths = 0;
  // Each child comes one act farther than the one before.
  for (size_t at = 0; at < 1000; at++) {
    bool was_killed = is_killed([&] {
      auto options = fault_at(
          at, [] { return kill(getpid(), SIGKILL); }, nullptr);
      if (*look_at_journal(journal.get()) == JournalState::staging)
        (void)forget(attempt.tree.get(), journal.get());
      if (*look_at_journal(journal.get()) == JournalState::empty)
        (void)put_in_place(attempt.tree.get(), journal.get(), steps, options);
      else
        (void)resume(attempt.tree.get(), journal.get(), options);
    });
    expect_old_or_new(attempt, at);
    if (!was_killed) break;
    deaths++;
  }
  EXPECT_GT(deaths, 5u);
  EXPECT_EQ(attempt.now(), attempt.new_tree);
  expect_kept(*read_report(journal.get()), place.path());
}

TEST_P(Faults, AFullDiskForAMomentLeavesTheOldStateOrTheNew) {
  for (size_t at = 0; at < 1000; at++) {
    Try attempt;
    TemporaryFolder place(GetParam().journal);
    Fd journal = open_folder(place.path());
    bool was_reached = false;
    auto options = fault_at(
        at, [] { return ENOSPC; }, &was_reached);
    auto report = put_in_place(attempt.tree.get(), journal.get(), steps_of(attempt), options);
    if (!was_reached) return;
    ASSERT_FALSE(report) << at;
    EXPECT_EQ(report.error().err, ENOSPC);
    expect_old_or_new(attempt, at);
    JournalState state = *look_at_journal(journal.get());
    Tree now = attempt.now();
    if (state == JournalState::empty) {
      now["closes"] = attempt.old_tree["closes"];
      EXPECT_EQ(now, attempt.old_tree) << at;
    } else {
      auto later = resume(attempt.tree.get(), journal.get());
      ASSERT_TRUE(later) << at << ": " << later.error().text();
      EXPECT_EQ(attempt.now(), attempt.new_tree) << at;
    }
  }
  FAIL() << "it never came to its end";
}

TEST_P(Faults, ADiskThatStaysFullIsWaitedFor) {
  for (size_t at = 0; at < 1000; at++) {
    Try attempt;
    TemporaryFolder place(GetParam().journal);
    Fd journal = open_folder(place.path());
    size_t count = 0;
    TransactionOptions options;
    options.before_act = [&](std::string_view) { return count++ < at ? 0 : ENOSPC; };
    auto report = put_in_place(attempt.tree.get(), journal.get(), steps_of(attempt), options);
    if (report) return;
    expect_old_or_new(attempt, at);
    JournalState state = *look_at_journal(journal.get());
    if (state == JournalState::empty) {
      EXPECT_EQ(attempt.now(), attempt.old_tree) << at;
    } else {
      auto later = resume(attempt.tree.get(), journal.get());
      ASSERT_TRUE(later) << at << ": " << later.error().text();
      EXPECT_EQ(attempt.now(), attempt.new_tree) << at;
      expect_kept(*later, place.path());
    }
  }
  FAIL() << "it never came to its end";
}

INSTANTIATE_TEST_SUITE_P(AllKinds, Faults,
                         ::testing::Values(Kind{"copied", "/dev/shm", false},
                                           Kind{"shared", "/dev/shm", true},
                                           Kind{"elsewhere", "/tmp", true}),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace ringwall::changes
