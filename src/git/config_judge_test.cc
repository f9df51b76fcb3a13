#include "git/config_judge.h"
#include "base/git_keys.h"
#include "git/config_rules.h"

#include <gtest/gtest.h>

namespace ringwall::git {
namespace {

const std::string kPerson =
    "# the person's\n"
    "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\teditor = vi\n"
    "[remote \"origin\"]\n\turl = https://example.org/a.git\n"
    "\tfetch = +refs/heads/*:refs/remotes/origin/*\n\tgh-resolved = base\n"
    "[remote \"mine\"]\n\turl = git@example.org:me/a.git\n\tpushurl = ssh://example.org/me/a\n"
    "[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n\tvscode-merge-base = x\n"
    "[branch \"lost\"]\n\tremote = elsewhere\n"
    "[submodule \"lib\"]\n\tactive = true\n\turl = https://example.org/lib\n";

GitConfig parsed(const std::string& text) {
  auto config = parse_git_config(text);
  EXPECT_TRUE(config.has_value()) << text;
  return config.value_or(GitConfig{});
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const std::string kTree = "/w";

GitScene scene() {
  return {{"/w/.git", {&kTree, 1}, {}, [](const std::string& path) { return path == "/w/link"; }},
          {"earlier"},
          Branches{"main", "mine", "lost"}};
}

// The key that is refused, or "" if all is let through; what is written has the keys asked for.
std::string judged(const std::string& wanted, const std::string& last = kPerson) {
  auto update = judge_git_config(parsed(kPerson), parsed(last), parsed(wanted), scene());
  if (!update) {
    EXPECT_FALSE(update.error().reason.empty());
    return update.error().what;
  }
  EXPECT_EQ(keys_of(parsed(update->text)), keys_of(parsed(wanted)));
  EXPECT_EQ(update->text.starts_with("# the person's\n"), last.starts_with('#'));
  return "";
}
std::string added(const std::string& lines) { return judged(kPerson + lines); }

const std::string kNewRemote =
    "[remote \"fork\"]\n\turl = https://evil.example/a\n\tfetch = "
    "+refs/heads/*:refs/remotes/fork/*\n";

TEST(GitConfigJudge, WhatGitDoesEveryDayIsLetThrough) {
  EXPECT_EQ(added(""), "");
  EXPECT_EQ(added(kNewRemote), "");
  EXPECT_EQ(added(kNewRemote + "[branch \"f/x\"]\nremote = fork\nmerge = refs/heads/f/x\n"), "");
  EXPECT_EQ(added("[branch \"t\"]\nremote = .\nmerge = refs/heads/main\nrebase = true\n"), "");
  EXPECT_EQ(added("[submodule \"a/b\"]\nactive = true\nurl = /w/b.git\nupdate = rebase\n"), "");
  EXPECT_EQ(added("[user]\nname = Zoë O'Neil\nemail = z+o@example.org\n"), "");
  EXPECT_EQ(added("[core]\nfilemode = true\nsymlinks\nlogallrefupdates = always\n"), "");
  EXPECT_EQ(added("[pull]\nrebase = false\n[core]\nsparseCheckout = true\n"), "");
  EXPECT_EQ(added("[branch \"main\"]\ndescription = \"two\\nlines\"\n"), "");
  EXPECT_EQ(added("[remote \"origin\"]\nfetch = +refs/pull/*/head:refs/remotes/origin/pr/*\n"), "");
}

TEST(GitConfigJudge, ASecondConfigIsReadButInSubmodules) {
  const std::string sets = "[extensions]\nworktreeConfig = true\n";
  EXPECT_EQ(added(sets), "");
  EXPECT_EQ(judged(kPerson, kPerson + sets), "");  // of this run
  GitScene module = scene();
  module.place.folder = "/w/.git/modules/a";
  auto update = judge_git_config(parsed(kPerson), parsed(kPerson), parsed(kPerson + sets), module);
  ASSERT_FALSE(update);
  EXPECT_EQ(update.error().what, "extensions.worktreeconfig");
}

TEST(GitConfigJudge, OfAWorktreeAloneOnlyWhatIsInItChanges) {
  GitScene worktree = scene();
  worktree.is_of_worktree = true;
  const std::string was = "[core]\n\tsparseCheckout = true\n\teditor = vi\n";
  auto judge = [&](const std::string& text) {
    auto update = judge_git_config(parsed(was), parsed(was), parsed(text), worktree);
    return update ? "" : update.error().what;
  };
  EXPECT_EQ(judge(replaced(was, "true", "false") + "[index]\n\tsparse = true\n"), "");
  EXPECT_EQ(judge(was + "[user]\n\temail = a@example.org\n"), "");
  EXPECT_EQ(judge(was + "[core]\n\tfsmonitor = x\n"), "core.fsmonitor");
  EXPECT_EQ(judge(replaced(was, "vi", "x")), "core.editor");
  EXPECT_EQ(judge(was + "[branch \"new\"]\n\tmerge = refs/heads/x\n"), "branch.new.merge");
  EXPECT_EQ(judge(was + "[remote \"r\"]\n\turl = https://example.org/x\n"), "remote.r.url");
  EXPECT_EQ(judge(was + "[extensions]\n\tworktreeConfig = true\n"), "extensions.worktreeconfig");
}

TEST(GitConfigJudge, WhatRunsOrRedirectsIsRefused) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"[core]\nhooksPath = x\n", "core.hookspath"},
      {"[CORE]\nFsMonitor = x\n", "core.fsmonitor"},
      {"[core]\nfsmonitor\n", "core.fsmonitor"},
      {"[core]\nsshCommand = x\n", "core.sshcommand"},
      {"[core]\neditor = x\n", "core.editor"},
      {"[core]\nworktree = /etc\n", "core.worktree"},
      {"[core]\nbare = true\n", "core.bare"},
      {"[core]\nrepositoryformatversion = 1\n", "core.repositoryformatversion"},
      {"[core]\nfilemode = maybe\n", "core.filemode"},
      {"[alias]\nst = !x\n", "alias.st"},
      {"[alias \"st\"]\ncommand = !x\n", "alias.st.command"},
      {"[filter \"x\"]\nclean = x\n", "filter.x.clean"},
      {"[diff \"x\"]\ntextconv = x\n", "diff.x.textconv"},
      {"[merge \"x\"]\ndriver = x\n", "merge.x.driver"},
      {"[include]\npath = x\n", "include.path"},
      {"[includeIf \"gitdir:/\"]\npath = x\n", "includeif.gitdir:/.path"},
      {"[url \"https://e/\"]\ninsteadOf = https://example.org/\n", "url.https://e/.insteadof"},
      {"[credential]\nhelper = x\n", "credential.helper"},
      {"[gpg \"ssh\"]\nprogram = x\n", "gpg.ssh.program"},
      {"[http]\nsslVerify = false\n", "http.sslverify"},
      {"[protocol \"ext\"]\nallow = always\n", "protocol.ext.allow"},
      {"[extensions]\nworktreeConfig = 1\n", "extensions.worktreeconfig"},
      {"[remote \"fork\"]\nuploadpack = x\n", "remote.fork.uploadpack"},
      {"[remote \"fork\"]\nvcs = ext\n", "remote.fork.vcs"},
      {"[remote]\npushDefault = mine\n", "remote.pushdefault"},
      {"[branch \"main\"]\npushRemote = mine\n", "branch.main.pushremote"},
      {"[branch \"main\"]\nmergeOptions = -s x\n", "branch.main.mergeoptions"},
      {"[submodule \"b\"]\nupdate = !x\n", "submodule.b.update"},
      {"[submodule \"../b\"]\nurl = x\n", "submodule.../b.url"},
      {"[submodule \"lib\"]\nurl = x\n", "submodule.lib.url"},
      {"[user]\nname = $(x)\n", "user.name"},
      {"[user]\nemail = a`x`@b\n", "user.email"},
      {"[hook \"x\"]\ncommand = x\n", "hook.x.command"},
      {"[push]\ndefault = matching\n", "push.default"},
      {"[color]\nui = x\n", "color.ui"},
      {"[color \"diff\"]\nold = x\n", "color.diff.old"},
      {"[core]\nabbrev = x\n", "core.abbrev"},
      {"[core]\nautocrlf = input\n", "core.autocrlf"},
      {"[commit]\ngpgSign = false\n", "commit.gpgsign"},
      {"[advice]\ndetachedHead = x\n", "advice.detachedhead"},
      {"[gc]\nauto = 1k\n", "gc.auto"},
      {"[never \"heard\"]\nof = it\n", "never.heard.of"},
      {"[.core]\nhooksPath = x\n", ".core.hookspath"},
  };
  for (const auto& [lines, key] : cases)
    EXPECT_EQ(added(lines), key) << lines;
}

TEST(GitConfigJudge, AddressesArePlain) {
  for (const char* url :
       {"https://example.org/a.git", "http://u:p%40@example.org:8080/a", "ssh://git@example.org/a",
        "git@example.org:a/b.git", "example.org:a", "git://example.org/a", "file:///srv/a.git",
        "/srv/a b.git", "../a", "./a:b", "a", "ssh://git@[2001:db8::1]:22/a", "C:\\a"})
    EXPECT_TRUE(is_plain_url(url)) << url;
  for (const char* url : {"",
                          "ext::sh -c x",
                          "a::b",
                          "foo://example.org/a",
                          "HTTPS://example.org/a",
                          "-oProxy=x",
                          "ssh://-oProxyCommand=x/a",
                          "ssh://u@-x/a",
                          "ssh://%2doProxyCommand=x/a",
                          "-x@host:a",
                          "-host:a",
                          "u@-host:a",
                          "host:-x",
                          "https://example.org/a%0ahost=x",
                          "https://a\n/b",
                          "https://a/\x1b[2J",
                          "https:///a",
                          "https://",
                          "file://host/a",
                          "transport::https://a/b",
                          "https://example.org/::a",
                          "ftp://example.org/a",
                          "dir/x://y",
                          "fd::3"})
    EXPECT_FALSE(is_plain_url(url)) << url;
}

TEST(GitConfigJudge, LocalAddressesLeadToWatchedPlaces) {
  for (const char* url : {"/w/up.git", "file:///w/up.git", "/w/a/../up.git", "/w/.", "/w/up.git/",
                          "up.git", "./a/up"})
    EXPECT_EQ(added(std::string("[remote \"up\"]\nurl = ") + url + "\n"), "") << url;
  for (const char* url :
       {"/srv/up.git", "../up.git", "~/up.git", "file:///w/%2e%2e/up", "file://up.git", ".x/up.git",
        "/w/../srv/up.git", "/proc/1/root/../../w/up.git", "/w/link/up.git", "/w/link/../up.git",
        "/w/.git/objects/up.git", "/wx/up.git", "/"})
    EXPECT_EQ(added(std::string("[remote \"up\"]\nurl = ") + url + "\n"), "remote.up.url") << url;
  EXPECT_EQ(added(kNewRemote + "pushurl = /srv/up.git\n"), "remote.fork.pushurl");
}

TEST(GitConfigJudge, ABranchOfTheStartIsNotLedToARemoteOfARun) {
  auto leads = [](const std::string& branch) {
    return added(kNewRemote + "[branch \"" + branch + "\"]\nremote = fork\n");
  };
  EXPECT_EQ(leads("made-inside"), "");
  EXPECT_EQ(leads("mine"), "branch.mine.remote");
  EXPECT_EQ(added("[branch \"mine\"]\nremote = origin\n"), "");
  GitScene unknown = scene();
  unknown.branches.reset();
  auto update =
      judge_git_config(parsed(kPerson), parsed(kPerson),
                       parsed(kPerson + kNewRemote + "[branch \"new\"]\nremote = fork\n"), unknown);
  EXPECT_FALSE(update.has_value());
}

TEST(GitConfigJudge, ARemoteOfAnEarlierRunIsNotThePersons) {
  std::string person = kPerson + "[remote \"earlier\"]\nurl = https://evil.example/b\n";
  auto judge = [&](const std::string& branch) {
    auto update = judge_git_config(
        parsed(person), parsed(person),
        parsed(person + "[branch \"" + branch + "\"]\nremote = earlier\n"), scene());
    return update ? "" : update.error().what;
  };
  EXPECT_EQ(judge("main"), "branch.main.remote");
  EXPECT_EQ(judge("mine"), "branch.mine.remote");
  EXPECT_EQ(judge("made-inside"), "");
}

TEST(GitConfigJudge, NewAddressesAreTold) {
  auto update =
      judge_git_config(parsed(kPerson), parsed(kPerson), parsed(kPerson + kNewRemote), scene());
  ASSERT_TRUE(update.has_value());
  ASSERT_EQ(update->added.size(), 1u);
  EXPECT_EQ(update->added[0].name, "fork");
  EXPECT_EQ(update->added[0].address, "https://evil.example/a");
}

TEST(GitConfigJudge, FetchSpecsStayWithTheirRemote) {
  EXPECT_EQ(added("[remote \"x\"]\nurl = https://a/b\nfetch = +refs/heads/*:refs/remotes/x/*\n"),
            "");
  EXPECT_EQ(added("[remote \"x\"]\nurl = https://a/b\nfetch = refs/tags/*:refs/tags/*\n"), "");
  EXPECT_EQ(added("[remote \"x\"]\nurl = https://a/b\nfetch = ^refs/heads/wip\n"), "");
  for (const char* spec : {"+refs/heads/*:refs/heads/*", "+refs/heads/*:refs/remotes/origin/*",
                           "+refs/*:refs/*", "refs/heads/*:refs/remotes/x/../origin/*", "HEAD", "x",
                           "+refs/heads/*:refs/remotes/xy/*", "refs/heads/a:refs/tags/b"})
    EXPECT_EQ(added(std::string("[remote \"x\"]\nurl = https://a/b\nfetch = ") + spec + "\n"),
              "remote.x.fetch");
  EXPECT_EQ(added("[remote \"-x\"]\nurl = https://a/b\n"), "remote.-x.url");
  EXPECT_EQ(added("[remote \"https://example.org/\"]\nurl = https://a/b\n"),
            "remote.https://example.org/.url");
}

TEST(GitConfigJudge, ARemoteOfThePersonStaysWhereItIs) {
  std::string other = replaced(kPerson, "https://example.org/a.git", "https://evil.example/a");
  EXPECT_EQ(judged(other), "remote.origin.url");
  EXPECT_EQ(added("[remote \"origin\"]\nurl = https://evil.example/a\n"), "remote.origin.url");
  EXPECT_EQ(added("[remote \"origin\"]\npushurl = https://evil.example/a\n"),
            "remote.origin.pushurl");
  EXPECT_EQ(judged(replaced(kPerson, "\tpushurl = ssh://example.org/me/a\n", "")),
            "remote.mine.pushurl");
  // Not in two steps either.
  std::string mine = kPerson.substr(kPerson.find("[remote \"mine\"]"));
  mine = mine.substr(0, mine.find("[branch"));
  std::string without = replaced(kPerson, mine, "");
  EXPECT_EQ(judged(without), "remote.mine.url");
  EXPECT_EQ(judged(without + "[remote \"mine\"]\nurl = https://evil.example/a\n", without),
            "remote.mine.url");
  EXPECT_EQ(judged(without + "[remote \"mine\"]\nurl = git@example.org:me/a.git\n", without),
            "remote.mine.url");
  EXPECT_EQ(judged(kPerson, without), "");
  // A name that the person's settings use for something that is not here.
  EXPECT_EQ(added("[remote \"elsewhere\"]\nurl = https://evil.example/a\n"),
            "remote.elsewhere.url");
  // One of this run may be changed and taken away.
  std::string last = kPerson + kNewRemote;
  EXPECT_EQ(judged(replaced(last, "evil.example", "other.example"), last), "");
  EXPECT_EQ(judged(kPerson, last), "");
}

std::string with_renamed_origin() {
  std::string text = replaced(kPerson, "[remote \"origin\"]", "[remote \"up\"]");
  text = replaced(text, "refs/remotes/origin/", "refs/remotes/up/");
  return replaced(text, "remote = origin", "remote = up");
}

TEST(GitConfigJudge, BranchesCanBeRenamedAndRemotesOfThePersonCannot) {
  std::string renamed = with_renamed_origin();
  EXPECT_EQ(judged(renamed), "remote.origin.url");
  EXPECT_EQ(
      judged(replaced(renamed, "https://example.org/a.git", "https://evil.example/a"), renamed),
      "branch.main.remote");
  EXPECT_EQ(judged(renamed + "[remote \"origin\"]\nurl = https://evil.example/a\n", renamed),
            "remote.origin.url");
  EXPECT_EQ(judged(replaced(kPerson, "[branch \"main\"]", "[branch \"old\"]")), "");
  EXPECT_EQ(judged(replaced(replaced(kPerson, "[branch \"main\"]", "[branch \"old\"]"),
                            "vscode-merge-base = x", "vscode-merge-base = y")),
            "branch.old.vscode-merge-base");
}

TEST(GitConfigJudge, ABranchOfThePersonStaysWithThePersonsRemotes) {
  EXPECT_EQ(judged(replaced(kPerson, "remote = origin", "remote = mine")), "");
  EXPECT_EQ(judged(replaced(kPerson, "remote = origin", "remote = .")), "");
  EXPECT_EQ(judged(replaced(kPerson, "remote = origin", "remote = nowhere")), "branch.main.remote");
  EXPECT_EQ(judged(replaced(kPerson, "remote = origin", "remote = https://evil.example/a")),
            "branch.main.remote");
  EXPECT_EQ(judged(replaced(kPerson, "remote = origin", "remote = fork") + kNewRemote),
            "branch.main.remote");
  std::string last = replaced(kPerson, "\tremote = origin\n", "") + kNewRemote;
  EXPECT_EQ(judged(last), "");
  EXPECT_EQ(judged(last + "[branch \"main\"]\nremote = fork\n", last), "branch.main.remote");
}

TEST(GitConfigJudge, ARemoteThatGitTakesByItselfIsNotAdded) {
  const std::string person = "[remote \"github\"]\nurl = https://example.org/a\n";
  auto refused = [&](const std::string& before, const std::string& name, const GitScene& where) {
    std::string lines = "[remote \"" + name + "\"]\nurl = https://evil.example/a\n";
    auto update = judge_git_config(parsed(before), parsed(before), parsed(before + lines), where);
    return update ? "" : update.error().what;
  };
  EXPECT_EQ(refused(person, "origin", scene()), "remote.origin.url");
  EXPECT_EQ(refused(person, "other", scene()), "");
  EXPECT_EQ(refused("", "origin", scene()), "");
  GitScene where = scene();
  where.of_runs = {"github"};
  EXPECT_EQ(refused(person, "origin", where), "");
  where.named_elsewhere = {"mine"};
  EXPECT_EQ(refused("", "mine", where), "remote.mine.url");
  EXPECT_EQ(added("[push]\ndefault = current\n"), "push.default");
  EXPECT_EQ(added("[push]\nautoSetupRemote = true\n"), "push.autosetupremote");
}

// Git renames the section first, and the refspec after it.
TEST(GitConfigJudge, ARemoteOfTheRunCanBeRenamed) {
  std::string first = replaced(kNewRemote, "[remote \"fork\"]", "[remote \"up\"]");
  EXPECT_EQ(judged(kPerson + first, kPerson + kNewRemote), "");
  std::string second = replaced(first, "refs/remotes/fork/", "refs/remotes/up/");
  EXPECT_EQ(judged(kPerson + second, kPerson + first), "");
  EXPECT_EQ(
      judged(kPerson + replaced(first, "refs/remotes/fork/", "refs/heads/"), kPerson + kNewRemote),
      "remote.up.fetch");
}

TEST(GitConfigJudge, AddressesOfSubmodulesAreToldUnlessTheyAreListed) {
  const std::string line = "[submodule \"b\"]\nurl = https://evil.example/b\n";
  GitScene where = scene();
  auto told = [&] {
    auto update = judge_git_config(parsed(kPerson), parsed(kPerson), parsed(kPerson + line), where);
    return update ? update->added.size() : 9;
  };
  EXPECT_EQ(told(), 1u);
  where.listed = {"https://evil.example/b"};
  EXPECT_EQ(told(), 0u);
}

TEST(GitConfigJudge, WhatThePersonWroteIsNotTakenAway) {
  EXPECT_EQ(judged(replaced(kPerson, "\teditor = vi\n", "")), "core.editor");
  EXPECT_EQ(judged(replaced(kPerson, "editor = vi", "editor = evil")), "core.editor");
  EXPECT_EQ(judged(replaced(kPerson, "\tbare = false\n", "")), "core.bare");
  EXPECT_EQ(judged(replaced(kPerson, "\turl = https://example.org/a.git\n", "")),
            "remote.origin.url");
  EXPECT_EQ(judged(replaced(kPerson, "\tvscode-merge-base = x\n", "")),
            "branch.main.vscode-merge-base");
  std::string submodule = kPerson.substr(kPerson.find("[submodule"));
  EXPECT_EQ(judged(replaced(kPerson, submodule, "")), "");
}

TEST(GitConfigJudge, RefusalsSaySomethingUseful) {
  auto update = judge_git_config(parsed(kPerson), parsed(kPerson),
                                 parsed(kPerson + "[alias \"\x1b[2J\"]\nx = y\n"), scene());
  ASSERT_FALSE(update.has_value());
  EXPECT_EQ(update.error().text().find('\x1b'), std::string::npos);
  EXPECT_NE(update.error().text().find("another meaning"), std::string::npos);
}

// Nothing that is known to run something stands among what is let through.
TEST(GitConfigJudge, TheTablesAreComplete) {
  for (const GitConfigRule& rule : git_config_rules()) {
    EXPECT_FALSE(rule.values.empty() || rule.reason.empty()) << rule.pattern;
    EXPECT_NE(rule.fits, nullptr);
    std::string key(rule.pattern);
    EXPECT_FALSE(rule.fits(git::split_key(key), GitValue("!sh -c \x01x"))) << key;
  }
}

}  // namespace
}  // namespace ringwall::git
