#include "files/scan.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/fd.h"
#include "files/scan_testing.h"

namespace ringwall::files {
namespace {

namespace fs = std::filesystem;
using Kind = Found::Kind;

constexpr std::string_view kKey =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n"
    "-----END PRIVATE KEY-----\n";
constexpr std::string_view kCertificate =
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIE\n-----END CERTIFICATE-----\n";

class Scanning : public ScannedTree {
 protected:
  void write(const std::string& path, std::string_view content = "x\n") const {
    fs::create_directories(fs::path(at(path)).parent_path());
    std::ofstream(at(path)) << content;
  }
  void make_folder(const std::string& path) const { fs::create_directories(at(path)); }
  void make_socket(const std::string& path) const {
    Fd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(at(path).size(), sizeof address.sun_path);
    strncpy(address.sun_path, at(path).c_str(), sizeof address.sun_path - 1);
    ASSERT_EQ(bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  // Longer than the times near which nothing is remembered.
  static void let_settle() { usleep(50'000); }

  ScanResult scan_tree(Index& known) const {
    auto result = scan_with(known);
    if (!result) ADD_FAILURE() << result.error().text();
    return result ? *result : ScanResult{};
  }
  ScanResult scan_tree() const {
    Index none;
    return scan_tree(none);
  }

  Index index;
};

std::vector<std::string> paths_of(const ScanResult& result, Kind kind) {
  std::vector<std::string> paths;
  for (const Found& found : result.found) {
    if (found.kind == kind) paths.push_back(found.path);
  }
  return paths;
}

using Paths = std::vector<std::string>;

// Also for an ordinary user, under the same id.
bool enter_own_mounts() {
  uid_t user = geteuid();
  gid_t group = getegid();
  if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) return false;
  if (user != 0) {
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << user << " " << user << " 1\n";
    std::ofstream("/proc/self/gid_map") << group << " " << group << " 1\n";
  }
  return geteuid() == user && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

const Found* find(const ScanResult& result, Kind kind, std::string_view path) {
  for (const Found& found : result.found) {
    if (found.kind == kind && found.path == path) return &found;
  }
  return nullptr;
}

}  // namespace

TEST_F(Scanning, FindsWhatIsProtectedAtAnyDepth) {
  write(".mcp.json");
  write("a/b/.claude/settings.json");
  write("a/.vscode/tasks.json");
  write("a/.vscode/deeper/.mcp.json");  // covered with its folder
  write("a/ordinary.json");
  fs::create_symlink("elsewhere", at("a/.envrc"));
  ScanResult result = scan_tree();
  EXPECT_EQ(paths_of(result, Kind::protected_path),
            (Paths{".mcp.json", "a/.envrc", "a/.vscode", "a/b/.claude/settings.json"}));
  EXPECT_TRUE(find(result, Kind::protected_path, "a/.vscode")->is_folder);
  EXPECT_TRUE(find(result, Kind::protected_path, "a/.envrc")->is_link);
  EXPECT_EQ(find(result, Kind::protected_path, ".mcp.json")->why, ".mcp.json");
  EXPECT_EQ(result.folders, 6u);
}

TEST_F(Scanning, FindsWhatIsHiddenByNameAndByContent) {
  write("a/.env", "KEY=1\n");
  write("a/.env.example", "KEY=\n");
  write("b/server.pem", kKey);
  write("b/authority.pem", kCertificate);
  write("b/.vscode/.env", "KEY=1\n");
  make_folder("c/.env");
  ASSERT_EQ(mkfifo(at("b/pipe.pem").c_str(), 0600), 0);
  ScanResult result = scan_tree();
  EXPECT_EQ(paths_of(result, Kind::hidden), (Paths{"a/.env", "b/.vscode/.env", "b/server.pem"}));
  EXPECT_FALSE(find(result, Kind::hidden, "b/server.pem")->why.empty());
  EXPECT_EQ(result.looked_at % 2, 0u);
}

TEST_F(Scanning, FindsSockets) {
  make_folder(".git/objects/ab");
  make_folder("a/b");
  make_folder(".vscode");
  for (const char* path : {"top", ".git/objects/ab/s", "a/b/deep", ".vscode/s"})
    make_socket(path);
  fs::create_symlink(at("top"), at("link"));
  EXPECT_EQ(paths_of(scan_tree(), Kind::socket),
            (Paths{".git/objects/ab/s", ".vscode/s", "a/b/deep", "top"}));
}

TEST_F(Scanning, FindsGitFoldersOfEveryKind) {
  for (const char* git : {".git", "lib/.git", "mirror.d", ".git/modules/a/b"}) {
    write(std::string(git) + "/HEAD");
    write(std::string(git) + "/config");
    write(std::string(git) + "/hooks/pre-commit");
    make_folder(std::string(git) + "/objects/ab");
    make_folder(std::string(git) + "/refs/heads");
  }
  write(".git/logs/HEAD");
  make_folder(".git/logs/refs");
  write(".git/worktrees/w/commondir");
  write(".git/modules/early/config");
  write("sub/.git", "gitdir: ../.git/modules/a/b\n");
  write("odd/HEAD");
  write("odd/commondir");
  fs::create_directory_symlink("../lib/.git", (make_folder("linked"), at("linked/.git")));
  ScanResult result = scan_tree();
  EXPECT_EQ(paths_of(result, Kind::git_folder),
            (Paths{".git", ".git/modules/a/b", ".git/modules/early", ".git/worktrees/w", "lib/.git",
                   "linked/.git", "mirror.d", "odd", "sub/.git"}));
  EXPECT_FALSE(find(result, Kind::git_folder, "sub/.git")->is_folder);
  EXPECT_TRUE(find(result, Kind::git_folder, "linked/.git")->is_link);
  for (const char* path :
       {".git/config", ".git/hooks", ".git/modules/a/b/config", ".git/modules/a/b/hooks",
        ".git/worktrees/w/commondir", "mirror.d/hooks", "mirror.d/config", "odd/commondir"})
    EXPECT_NE(find(result, Kind::protected_path, path), nullptr) << path;
  EXPECT_EQ(find(result, Kind::protected_path, ".git/modules"), nullptr);
}

// What lies in a folder means something else when the folder around it becomes a git folder.
TEST_F(Scanning, JudgesAFolderAnewWhenItsPlaceChanges) {
  names = ProtectedNames::compile(std::vector<std::string>{"GIT/info/attributes"}, {});
  ASSERT_TRUE(names);
  write("x/info/attributes");
  make_folder("x/objects");
  make_folder("x/refs");
  let_settle();
  EXPECT_EQ(scan_tree(index).found.size(), 0u);
  write("x/HEAD");
  EXPECT_EQ(paths_of(scan_tree(index), Kind::protected_path), Paths{"x/info/attributes"});
  let_settle();
  scan_tree(index);
  fs::remove(at("x/HEAD"));
  EXPECT_EQ(scan_tree(index).found.size(), 0u);
}

TEST_F(Scanning, ReadsNothingAgainThatDidNotChange) {
  for (int i = 0; i < 30; i++)
    write("d" + std::to_string(i) + "/sub/file" + std::to_string(i));
  write("d1/.env");
  write("d1/key.pem", kCertificate);
  let_settle();
  ScanResult cold = scan_tree(index);
  EXPECT_EQ(cold.folders, 61u);
  EXPECT_EQ(cold.read_again, 61u);
  EXPECT_GE(cold.looked_at, 1u);
  index = Index::parse(index.serialize());
  ScanResult warm = scan_tree(index);
  EXPECT_EQ(warm.read_again, 0u);
  EXPECT_EQ(warm.looked_at, 0u);
  EXPECT_EQ(warm.found, cold.found);
  EXPECT_EQ(warm.newest, cold.newest);
  EXPECT_FALSE(index.is_changed());
  write("d2/sub/.mcp.json");
  warm = scan_tree(index);
  EXPECT_NE(find(warm, Kind::protected_path, "d2/sub/.mcp.json"), nullptr);
  EXPECT_LE(warm.read_again, 3u);  // the same folder, until its time is past
  EXPECT_GT(warm.newest, cold.newest);
  EXPECT_TRUE(index.is_changed());
}

TEST_F(Scanning, ForgetsEverythingWhenTheRulesChange) {
  write("a/special.cfg");
  let_settle();
  EXPECT_EQ(scan_tree(index).found.size(), 0u);
  names = ProtectedNames::compile(std::vector<std::string>{"special.cfg"}, {});
  ASSERT_TRUE(names);
  EXPECT_EQ(paths_of(scan_tree(index), Kind::protected_path), Paths{"a/special.cfg"});
  secrets = HiddenNames::compile(std::vector<std::string>{"special.cfg"}, {});
  ASSERT_TRUE(secrets);
  EXPECT_EQ(paths_of(scan_tree(index), Kind::hidden), Paths{"a/special.cfg"});
}

// An edit in place leaves the folder's times as they were, and a program may set a file's.
TEST_F(Scanning, SeesACandidateThatWasEditedInPlace) {
  write("a/key.pem", kCertificate);
  let_settle();
  EXPECT_EQ(scan_tree(index).found.size(), 0u);
  struct stat before;
  ASSERT_EQ(stat(at("a/key.pem").c_str(), &before), 0);
  {
    std::fstream file(at("a/key.pem"), std::ios::in | std::ios::out);
    file << kKey;
  }
  ASSERT_EQ(truncate(at("a/key.pem").c_str(), before.st_size), 0);
  timespec times[] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(utimensat(AT_FDCWD, at("a/key.pem").c_str(), times, 0), 0);
  EXPECT_EQ(paths_of(scan_tree(index), Kind::hidden), Paths{"a/key.pem"});
}

// Through another name of it, a file can be written that is mounted read-only by its first.
TEST_F(Scanning, CountsTheNamesOfAFile) {
  write(".mcp.json");
  write(".vscode/tasks.json");
  let_settle();
  EXPECT_EQ(find(scan_tree(index), Kind::protected_path, ".mcp.json")->links, 1u);
  fs::create_hard_link(at(".mcp.json"), top + "/other");
  fs::create_hard_link(at(".vscode/tasks.json"), top + "/another");
  ScanResult result = scan_tree(index);
  EXPECT_EQ(find(result, Kind::protected_path, ".mcp.json")->links, 2u);
  ASSERT_NE(find(result, Kind::protected_path, ".vscode/tasks.json"), nullptr);
  EXPECT_EQ(find(result, Kind::protected_path, ".vscode/tasks.json")->links, 2u);
}

TEST_F(Scanning, TakesAnyNameAndFollowsNoLink) {
  write("new\nline/\x1b[31m/.env");
  write("space \xff/.mcp.json");
  fs::create_directory_symlink(".", at("loop"));
  fs::create_directory_symlink("..", at("new\nline/up"));
  fs::create_symlink("self", at("self"));
  ScanResult result = scan_tree(index);
  EXPECT_EQ(paths_of(result, Kind::hidden), Paths{"new\nline/\x1b[31m/.env"});
  EXPECT_EQ(paths_of(result, Kind::protected_path),
            (Paths{"new\nline/\x1b[31m/.env", "space \xff/.mcp.json"}));
  EXPECT_EQ(result.folders, 4u);
}

TEST_F(Scanning, GoesDownFiveThousandLevels) {
  const std::string name = "a-folder-of-25-characters";
  Fd fd(open(tree.c_str(), O_PATH | O_CLOEXEC));
  std::string path;
  for (int i = 0; i < 5000; i++) {
    ASSERT_EQ(mkdirat(fd.get(), name.c_str(), 0700), 0);
    fd = Fd(openat(fd.get(), name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    path += name + "/";
  }
  Fd(openat(fd.get(), ".env", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  fd.close();
  write(name + "/z/.env");
  let_settle();
  for (size_t expected : {size_t{5002}, size_t{0}}) {
    ScanResult result = scan_tree(index);
    EXPECT_EQ(paths_of(result, Kind::hidden), (Paths{path + ".env", name + "/z/.env"}));
    EXPECT_EQ(result.read_again, expected);
  }
}

TEST_F(Scanning, RefusesWhatIsNestedTooDeep) {
  const std::string name(255, 'n');
  Fd fd(open(tree.c_str(), O_PATH | O_CLOEXEC));
  for (int i = 0; i < 1100; i++) {
    ASSERT_EQ(mkdirat(fd.get(), name.c_str(), 0700), 0);
    fd = Fd(openat(fd.get(), name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  fd.close();
  auto result = scan_with(index);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().err, ENAMETOOLONG);
  EXPECT_LT(result.error().text().size(), 1000u);
}

TEST_F(Scanning, PassesOverWhatLiesBehindTooLongAPath) {
  make_folder("a/b/c");
  for (const char* path : {"a/b/.env", "a/b/c/.env"})
    std::ofstream(at(path)) << "x";
  auto result = scan_with(index, {.longest_path = 3});
  ASSERT_TRUE(result);
  EXPECT_EQ(paths_of(*result, Kind::hidden), std::vector<std::string>{"a/b/.env"});
  EXPECT_EQ(paths_of(scan_tree(index), Kind::hidden).size(), 2u);
}

TEST_F(Scanning, EndsWhenNobodyWantsToKnow) {
  make_folder("a/b/c");
  std::ofstream(at("a/b/c/.env")) << "x";
  int asked = 0;
  auto goes_on = [&] { return ++asked < 3; };
  EXPECT_FALSE(scan_with(index, {.goes_on = goes_on}));
  EXPECT_EQ(paths_of(scan_tree(index), Kind::hidden).size(), 1u);
}

TEST_F(Scanning, TakesFoldersWithAHundredThousandEntries) {
  make_folder("big");
  Fd fd(open(at("big").c_str(), O_PATH | O_CLOEXEC));
  for (int i = 0; i < 100'000; i++) {
    std::string name = (i % 1000 == 0 ? ".env." : "ordinary-file-") + std::to_string(i);
    ASSERT_EQ(mknodat(fd.get(), name.c_str(), S_IFREG | 0600, 0), 0);
  }
  let_settle();
  EXPECT_EQ(paths_of(scan_tree(index), Kind::hidden).size(), 100u);
  ScanResult warm = scan_tree(index);
  EXPECT_EQ(warm.read_again, 0u);
  EXPECT_EQ(warm.found.size(), 100u);
}

// Inside, their owner could open them up.
TEST_F(Scanning, SaysWhichOwnFolderIsClosed) {
  write("own/closed/.env");
  bool is_root = geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(chown(at("own/closed").c_str(), 65534, 65534), 0);
    ASSERT_EQ(chmod(top.c_str(), 0755), 0);
  }
  for (mode_t mode : {0000, 0100, 0400}) {
    ASSERT_EQ(chmod(at("own/closed").c_str(), mode), 0);
    ASSERT_TRUE(!is_root || seteuid(65534) == 0);
    auto result = scan_with(index);
    ASSERT_TRUE(!is_root || seteuid(0) == 0);
    ASSERT_FALSE(result) << mode;
    EXPECT_EQ(result.error().err, EACCES);
    EXPECT_EQ(result.error().hint, "chmod u+rx " + at("own/closed"));
  }
}

TEST_F(Scanning, HidesAnOwnCandidateThatCannotBeRead) {
  write("key.pem", kCertificate);
  bool is_root = geteuid() == 0;
  ASSERT_EQ(chmod(at("key.pem").c_str(), 0), 0);
  if (is_root) {
    ASSERT_EQ(chown(at("key.pem").c_str(), 65534, 65534), 0);
    ASSERT_EQ(chmod(top.c_str(), 0755), 0);
  }
  ASSERT_TRUE(!is_root || seteuid(65534) == 0);
  auto result = scan_with(index);
  ASSERT_TRUE(!is_root || seteuid(0) == 0);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(paths_of(*result, Kind::hidden), Paths{"key.pem"});
}

TEST_F(Scanning, PassesOverFoldersOfOthersThatAreClosed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make them";
  write("others/closed/.env");
  write("others/listed/below/.env");
  write("others/listed/.env");
  write("open/.env");
  chmod(at("others/closed").c_str(), 0700);
  chmod(at("others/listed").c_str(), 0744);
  chmod(top.c_str(), 0755);
  for (int round = 0; round < 2; round++) {
    ASSERT_EQ(seteuid(65534), 0);
    auto result = scan_with(index);
    ASSERT_EQ(seteuid(0), 0);
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(paths_of(*result, Kind::hidden), Paths{"open/.env"});
  }
}

// Inside, what is mounted in a tree is seen too.
TEST_F(Scanning, LooksIntoMountsAndReportsThem) {
  make_folder("a/mounted");
  write("a/mounted/.mcp.json");
  let_settle();
  scan_tree(index);
  pid_t child = fork();
  if (child == 0) {
    if (!enter_own_mounts()) _exit(77);
    if (mount("none", at("a/mounted").c_str(), "tmpfs", 0, nullptr) != 0) _exit(77);
    write("a/mounted/.env");
    bool good = true;
    for (int round = 0; round < 3; round++) {
      ScanResult result = scan_tree(index);
      good &= paths_of(result, Kind::mount) == Paths{"a/mounted"} &&
              paths_of(result, Kind::hidden) == Paths{"a/mounted/.env"} &&
              paths_of(result, Kind::protected_path) == Paths{"a/mounted/.env"};
      let_settle();
    }
    umount(at("a/mounted").c_str());
    ScanResult result = scan_tree(index);
    good &= result.found.size() == 1 && find(result, Kind::protected_path, "a/mounted/.mcp.json");
    _exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "nothing can be mounted here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace ringwall::files
