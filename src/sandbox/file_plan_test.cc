// The plan of files is pure: what is granted decides, whatever host the test runs on.
#include "sandbox/file_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/path.h"

namespace ringwall::sandbox {
namespace {

HostFacts small_host() {
  HostFacts host;
  host.memory_bytes = 8ull << 30;
  host.landlock_abi = 7;
  host.places["/usr"] = {HostFacts::Kind::folder, "", ""};
  host.places["/bin"] = {HostFacts::Kind::symlink, "usr/bin", ""};
  host.places["/etc/alternatives"] = {HostFacts::Kind::folder, "", ""};
  host.places["/etc/timezone"] = {HostFacts::Kind::file, "", "Etc/UTC\n"};
  return host;
}

FileGrants small_grants() {
  FileGrants files;
  files.home = "/home/u";
  files.shell = "/bin/bash";
  files.grants = {{"/home/u/src/app", Access::write, "workspace"}, {"/data", Access::read, "--ro"}};
  return files;
}

Identity somebody() { return {1000, 1000, false, "u", "u"}; }

const Mount* find(const std::vector<Mount>& mounts, const std::string& target) {
  auto found = std::find_if(mounts.begin(), mounts.end(),
                            [&](const Mount& mount) { return mount.target == target; });
  return found == mounts.end() ? nullptr : &*found;
}

}  // namespace

TEST(FilePlan, GoldenListOfASmallHost) {
  std::vector<std::string> targets;
  for (const Mount& mount : plan_files(small_grants(), small_host(), somebody())) {
    targets.push_back(mount.target);
  }
  std::vector<std::string> expected = {"/bin",
                                       "/data",
                                       "/dev/fd",
                                       "/dev/full",
                                       "/dev/mqueue",
                                       "/dev/null",
                                       "/dev/ptmx",
                                       "/dev/pts",
                                       "/dev/random",
                                       "/dev/shm",
                                       "/dev/stderr",
                                       "/dev/stdin",
                                       "/dev/stdout",
                                       "/dev/tty",
                                       "/dev/urandom",
                                       "/dev/zero",
                                       "/etc/alternatives",
                                       "/etc/group",
                                       "/etc/hostname",
                                       "/etc/hosts",
                                       "/etc/nsswitch.conf",
                                       "/etc/passwd",
                                       "/etc/resolv.conf",
                                       "/etc/timezone",
                                       "/home",
                                       "/home/u",
                                       "/home/u/src",
                                       "/home/u/src/app",
                                       "/proc",

                                       "/proc/keys",

                                       "/proc/sys",

                                       "/run",
                                       "/tmp",
                                       "/usr",
                                       "/var",
                                       "/var/run",
                                       "/var/tmp"};
  EXPECT_EQ(targets, expected);
}

TEST(FilePlan, ParentsComeBeforeWhatLiesBelow) {
  FileGrants files = small_grants();
  files.grants.push_back({"/tmp/w", Access::write, "--rw"});
  files.grants.push_back({"/dev/shm/w", Access::write, "--rw"});
  files.grants.push_back({"/home/u/src/app/vendor", Access::read, "--ro"});
  std::vector<Mount> mounts = plan_files(files, small_host(), somebody());
  for (size_t i = 0; i < mounts.size(); i++) {
    for (size_t j = i + 1; j < mounts.size(); j++) {
      EXPECT_FALSE(mounts[j].target != mounts[i].target &&
                   path::is_beneath(mounts[i].target, mounts[j].target))
          << mounts[j].target << " would cover " << mounts[i].target;
    }
  }
}

TEST(FilePlan, ReadGrantsAreReadAndOnlyWriteGrantsAreWrite) {
  std::vector<Mount> mounts = plan_files(small_grants(), small_host(), somebody());
  EXPECT_EQ(find(mounts, "/data")->access, Access::read);
  EXPECT_EQ(find(mounts, "/usr")->access, Access::read);
  for (const Mount& mount : mounts) {
    bool writable = mount.access == Access::write || mount.access == Access::write_data;
    bool expected = mount.target == "/tmp" || mount.target == "/dev/shm" ||
                    mount.target == "/dev/mqueue" || mount.target == "/home/u" ||
                    mount.target == "/home/u/src/app";
    EXPECT_EQ(writable, expected) << mount.target;
  }
}

TEST(FilePlan, AccountsInsideAreTheCallerAlone) {
  std::vector<Mount> mounts = plan_files(small_grants(), small_host(), somebody());
  const std::string& passwd = find(mounts, "/etc/passwd")->content;
  EXPECT_NE(passwd.find("u:x:1000:1000::/home/u:/bin/bash\n"), std::string::npos);
  EXPECT_EQ(std::count(passwd.begin(), passwd.end(), '\n'), 3);
}

TEST(FilePlan, LinksAreMadeUnlessATreeHoldsThem) {
  FileGrants files = small_grants();
  files.links = {
      {"/home/u/link", "/home/u/src/app"}, {"/data/inner", "elsewhere"}, {"/bin", "usr/bin"}};
  std::vector<Mount> mounts = plan_files(files, small_host(), somebody());
  ASSERT_NE(find(mounts, "/home/u/link"), nullptr);
  EXPECT_EQ(find(mounts, "/home/u/link")->source, "/home/u/src/app");
  EXPECT_EQ(find(mounts, "/data/inner"), nullptr);
  EXPECT_EQ(std::count_if(mounts.begin(), mounts.end(),
                          [](const Mount& mount) { return mount.target == "/bin"; }),
            1);
}

TEST(FilePlan, LinksOnTheWayToAGrantBecomeFolders) {
  FileGrants files = small_grants();
  EXPECT_EQ(find(plan_files(files, small_host(), somebody()), "/var/tmp")->kind,
            Mount::Kind::symlink);
  files.grants.push_back({"/var/tmp/w", Access::write, "--rw"});
  EXPECT_EQ(find(plan_files(files, small_host(), somebody()), "/var/tmp")->kind,
            Mount::Kind::folder);
}

TEST(FilePlan, OwnProgramInAWritableTreeIsReadOnlyAndPinned) {
  FileGrants files = small_grants();
  files.own_binary = "/home/u/src/app/build/out/ringwall";
  std::vector<Mount> mounts = plan_files(files, small_host(), somebody());
  EXPECT_EQ(find(mounts, *files.own_binary)->access, Access::read);
  for (const char* folder : {"/home/u/src/app/build", "/home/u/src/app/build/out"}) {
    ASSERT_NE(find(mounts, folder), nullptr) << folder;
    EXPECT_EQ(find(mounts, folder)->kind, Mount::Kind::pin);
  }
  files.own_binary = "/usr/bin/ringwall";
  EXPECT_EQ(find(plan_files(files, small_host(), somebody()), "/usr/bin/ringwall"), nullptr);
}

TEST(FilePlan, SocketsAreMasked) {
  FileGrants files = small_grants();
  files.sockets = {"/home/u/src/app/run/agent.sock"};
  std::vector<Mount> mounts = plan_files(files, small_host(), somebody());
  EXPECT_EQ(find(mounts, files.sockets[0])->kind, Mount::Kind::mask);
}

TEST(FilePlan, AFileThatMustBeRootsIsThereOnlyIfSomebodyShowsAsRoot) {
  FileGrants files = small_grants();
  files.made = {{.target = "/etc/agent/a.json", .content = "{}", .mode = 0444, .roots_own = true},
                {.target = "/etc/agent/b.json", .content = "{}", .mode = 0444}};
  auto without = plan_files(files, small_host(), somebody());
  EXPECT_EQ(find(without, "/etc/agent/a.json"), nullptr);
  ASSERT_NE(find(without, "/etc/agent/b.json"), nullptr);
  Identity both = somebody();
  both.shown_as_root = 100'000;
  auto with = plan_files(files, small_host(), both);
  ASSERT_NE(find(with, "/etc/agent/a.json"), nullptr);
  EXPECT_TRUE(find(with, "/etc/agent/a.json")->roots_own);
  EXPECT_FALSE(find(with, "/etc/agent/b.json")->roots_own);
}

FileGrants with_store() {
  FileGrants files = small_grants();
  files.state = {{"/home/u/.ag", "/state/logins/ag/.ag"}};
  files.own = {{"/home/u/.ag/rules", "/home/u/.ringwall-own/.ag/rules", "/home/u/.ag", true},
               {"/home/u/.ag/a/b/s.json", "/home/u/.ringwall-own/.ag/a/b/s.json", "/home/u/.ag"}};
  files.made = {{.target = "/home/u/.ringwall-own/.ag/rules/x", .content = "x"}};
  return files;
}

TEST(FilePlan, ARunsOwnPlacesLieOverTheStoreAndCannotBeMovedAway) {
  std::vector<Mount> mounts = plan_files(with_store(), small_host(), somebody());
  ASSERT_NE(find(mounts, "/home/u/.ag/rules"), nullptr);
  EXPECT_EQ(find(mounts, "/home/u/.ag/rules")->kind, Mount::Kind::own_folder);
  EXPECT_EQ(find(mounts, "/home/u/.ag/rules")->access, Access::write);
  EXPECT_NE(find(mounts, "/home/u/.ag/rules")->reason.find("(1 file)"), std::string::npos);
  EXPECT_EQ(find(mounts, "/home/u/.ag/a/b/s.json")->kind, Mount::Kind::own_link);
  EXPECT_NE(find(mounts, "/home/u/.ringwall-own/.ag/rules/x"), nullptr);
  for (const char* folder : {"/home/u/.ag/a", "/home/u/.ag/a/b"}) {
    ASSERT_NE(find(mounts, folder), nullptr) << folder;
    EXPECT_EQ(find(mounts, folder)->kind, Mount::Kind::pin);
    EXPECT_EQ(find(mounts, folder)->source, "/home/u/.ag");
  }
  EXPECT_EQ(find(mounts, "/home/u/.ag")->kind, Mount::Kind::bind);
}

TEST(FilePlan, WhatIsGrantedByNameIsTheRealOneAndNotTheRunsOwn) {
  FileGrants files = with_store();
  files.grants.push_back({"/home/u/.ag/rules", Access::write, "--rw"});
  std::vector<Mount> mounts = plan_files(files, small_host(), somebody());
  EXPECT_EQ(find(mounts, "/home/u/.ag/rules")->kind, Mount::Kind::bind);
  EXPECT_EQ(std::ranges::count(mounts, "/home/u/.ag/rules", &Mount::target), 1);
}

}  // namespace ringwall::sandbox
