// Random files in and around git folders, some real and some of the run: whatever the watch over
// direct runs would take away from the result must be told here before it is applied.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "broker/vet.h"
#include "review/layer_changes.h"
#include "review/overlay_lab.h"
#include "review/runs_outside.h"

namespace ringwall::review {
namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 120;

struct Plant {
  const char* path;
  std::vector<const char*> texts;  // one of them; "" is empty, "/" makes a folder, ">x" a link to x
};

const std::vector<const char*> kFolders = {
    ".git/", "plain/", "sub/.git/", "sub/deep/mod/", ".git/modules/m/", "plain/worktrees/w/"};
const std::vector<Plant> kInGit = {
    {"HEAD", {"ref: refs/heads/main\n", ">refs/heads/main"}},
    {"objects", {"/"}},
    {"refs", {"/"}},
    {"config",
     {"[core]\n\tbare = false\n", "[core]\n\tfsmonitor = x\n", "", ">../elsewhere",
      "[remote \"origin\"]\n\turl = https://a/b\n"}},
    {"config.worktree", {"[core]\n\thooksPath = x\n"}},
    {"commondir", {"../..\n", "/elsewhere\n"}},
    {"gitdir", {"/elsewhere/.git\n"}},
    {"hooks/pre-commit", {"x", ">x"}},
    {"hooks/pre-push.sample", {"x"}},
    {"rebase-merge/git-rebase-todo", {"pick 1234567 x\n", "exec x\n"}},
    {"rebase-merge/strategy", {"ort\n", "x/evil\n"}},
    {"sequencer/opts", {"[options]\n\tstrategy = x\n"}},
    {"remotes/origin", {"URL: x\n"}},
    {"branches/main", {"x\n"}},
};
const std::vector<Plant> kElsewhere = {
    {"sub/.git", {"gitdir: /elsewhere\n", "gitdir: ../.git/modules/m\n", ">elsewhere"}},
    {"other/.git", {"gitdir: ../.git/modules/m\n", "x\n"}},
    {".envrc", {"x"}},
    {".vscode/tasks.json", {"{}"}},
    {".claude", {">elsewhere"}},
    {"sub/.husky/pre-commit", {"x"}},
    {"Makefile", {"all:\n"}},
};

// Parents may be files already: then nothing is planted.
void plant(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(text == "/" ? path : path.parent_path(), error);
  if (text == "/" || fs::exists(fs::symlink_status(path, error))) return;
  if (text.starts_with('>')) {
    fs::create_symlink(text.substr(1), path, error);
  } else {
    write_text(path, std::string(text));
  }
}

std::set<std::string> vetted(const std::string& top, const files::ProtectedNames& names) {
  std::vector<files::WatchedTree> trees;
  trees.push_back({*file::open(top, O_RDONLY | O_DIRECTORY), top});
  broker::Vetter vetter(names, trees, {});
  std::vector<broker::Culprit> culprits;
  vetter.look(0, "", culprits);
  std::set<std::string> paths;
  for (const broker::Culprit& culprit : culprits)
    paths.insert(culprit.path);
  return paths;
}

bool is_near(const std::string& a, const std::string& b) {
  return a == b || a.starts_with(b + "/") || b.starts_with(a + "/");
}

struct Round {
  OverlayLab lab;
  std::mt19937 random;

  void furnish(const std::string& top) {
    auto one_of = [&](size_t count) { return random() % count; };
    for (size_t i = one_of(12); i > 0; i--) {
      bool in_git = one_of(5) != 0;
      const Plant& chosen =
          in_git ? kInGit[one_of(kInGit.size())] : kElsewhere[one_of(kElsewhere.size())];
      std::string folder = in_git ? kFolders[one_of(kFolders.size())] : "";
      plant(top + "/" + folder + chosen.path, chosen.texts[one_of(chosen.texts.size())]);
    }
    // Else a git folder is hardly ever whole.
    if (one_of(2) == 0) {
      std::string folder = top + "/" + kFolders[one_of(kFolders.size())];
      plant(folder + "HEAD", "ref: refs/heads/main\n");
      plant(folder + "objects", "/");
      plant(folder + "refs", "/");
    }
  }
};

void check_round(unsigned seed, const files::ProtectedNames& names, size_t& told) {
  Round round{.lab = {}, .random = std::mt19937(seed)};
  std::string real = round.lab.top() + "/real", result = round.lab.top() + "/result";
  round.furnish(real);
  round.furnish(round.lab.top() + "/upper");
  // What the run made of it, as the kernel shows it; hooks and links are copied as they are.
  ASSERT_TRUE(round.lab.work([&] {
    std::error_code error;
    fs::copy(".", result, fs::copy_options::recursive | fs::copy_options::copy_symlinks, error);
    return !error;
  }));
  Fd upper = round.lab.open("upper"), opened = round.lab.open("real");
  auto found = read_layer(upper.get(), opened.get(), {});
  ASSERT_TRUE(found);
  std::vector<std::string> trees = {real};
  std::vector<std::string> flagged;
  for (const RunsOutside& one :
       find_runs_outside(found->changes, {upper.get(), opened.get(), real, trees}, names))
    flagged.push_back(found->changes[one.change].path);
  std::set<std::string> before = vetted(real, names);
  for (const std::string& culprit : vetted(result, names)) {
    bool is_changed = std::ranges::any_of(found->changes, [&](const changes::Change& change) {
      if (change.is_time_alone) return false;
      return change.path == culprit || culprit.starts_with(change.path + "/") ||
             (change.after.type != changes::EntryType::folder &&
              change.path.starts_with(culprit + "/"));
    });
    if (before.contains(culprit) && !is_changed) continue;
    told++;
    // Of what only rests there, that is told by which its folder becomes one of git's.
    bool is_told = std::ranges::any_of(flagged, [&](const std::string& path) {
      return is_near(path, culprit) ||
             (!is_changed && culprit.starts_with(fs::path(path).parent_path().string() + "/"));
    });
    EXPECT_TRUE(is_told) << "seed " << seed << ": " << culprit << (is_changed ? "" : " (resting)");
  }
}

TEST(OutsideProperty, WhatADirectRunWouldLoseIsTold) {
  auto names = files::ProtectedNames::compile({}, {});
  size_t told = 0;
  for (unsigned seed = 0; seed < kRounds; seed++)
    check_round(seed, *names, told);
  EXPECT_GT(told, kRounds / 2u);
}

}  // namespace
}  // namespace ringwall::review
