#include "policy/import_srt.h"

#include <gtest/gtest.h>

#include "policy/import_testing.h"

namespace ringwall::policy {
namespace {

ImportResult from(std::string_view json) {
  return ImportResult(import_srt(json, {"/home/u/.srt-settings.json", "/home/u"}));
}

}  // namespace

// The fields that the tool's own description shows.
TEST(ImportSrt, TheDescribedFileIsTakenOver) {
  auto result = from(R"json({
  "network": {
    "allowedDomains": ["github.com", "*.github.com", "lfs.github.com", "api.github.com:443"],
    "deniedDomains": ["malicious.example.com"],
    "allowUnixSockets": ["/var/run/docker.sock"],
    "allowLocalBinding": false
  },
  "filesystem": {
    "denyRead": ["~/.ssh", "secrets/"],
    "allowWrite": [".", "src/", "test/", "/tmp", "~/.cache/x"],
    "denyWrite": [".env", "config/production.json", "*.lock"]
  },
  "ignoreViolations": {"*": ["/usr/bin"], "git push": ["/usr/bin/nc"]},
  "enableWeakerNestedSandbox": false
})json");
  EXPECT_EQ(result.values("files.write"), (Texts{"/home/u/.cache/x"}));
  EXPECT_EQ(result.values("files.hide"), (Texts{"/secrets"}));
  EXPECT_EQ(result.values("files.protect"), (Texts{"/.env", "/config/production.json", "/*.lock"}));
  EXPECT_TRUE(result.writes("[network]\nallow = [\n  \"github.com\","));
  EXPECT_TRUE(result.writes("deny = [\n  \"malicious.example.com\","));
  for (const char* text :
       {"filesystem.denyRead ~/.ssh", "filesystem.allowWrite /tmp", "filesystem.allowWrite src/",
        "skips such a pattern on Linux; here it is kept:\n#   filesystem.denyWrite *.lock",
        "network.allowUnixSockets", "ignoreViolations"})
    EXPECT_TRUE(result.says(text)) << text << "\n" << result.toml();
  EXPECT_FALSE(result.says("enableWeakerNestedSandbox"));
  EXPECT_TRUE(
      result.says("at 443 alone here; name others as HOST:PORT:\n"
                  "#   network.allowedDomains github.com\n"
                  "#   network.allowedDomains *.github.com\n"
                  "#   network.allowedDomains lfs.github.com\n#"))
      << result.toml();
}

TEST(ImportSrt, ReopenedFoldersAreGranted) {
  auto result = from(R"json({"network": {"allowedDomains": [], "deniedDomains": []},
    "filesystem": {"denyRead": ["~/", "/mnt/**"], "allowRead": ["~/sdk", "."],
                   "allowWrite": ["~/out", "~/sdk/cache"], "denyWrite": []}})json");
  EXPECT_EQ(result.values("files.read"), (Texts{"/home/u/sdk"}));
  EXPECT_EQ(result.values("files.write"), (Texts{"/home/u/sdk/cache"}));
  EXPECT_TRUE(result.says("filesystem.allowWrite ~/out, denied by filesystem.denyRead ~/"));
}

TEST(ImportSrt, ALiteralPathIsNoPattern) {
  auto result = from(R"json({"filesystem": {"denyRead": [{"path": "app/[id].ts", "literal": true}],
    "denyWrite": [{"path": "{{name}}", "literal": true}, "*.{a,b}"],
    "allowWrite": [{"path": "/srv/a*b", "literal": true}, {"literal": true}]}})json");
  EXPECT_NE(result.mistakes().find(":3:59: filesystem.allowWrite.1 must be a path"),
            std::string::npos)
      << result.mistakes();
  auto good = from(R"json({"filesystem": {"denyRead": [{"path": "app/[id].ts", "literal": true}],
    "denyWrite": [{"path": "{{name}}", "literal": true}, "*.{a,b}"],
    "allowWrite": [{"path": "/srv/a*b", "literal": true}]}})json");
  EXPECT_EQ(good.values("files.hide"), (Texts{"/app/\\[id\\].ts"}));
  EXPECT_EQ(good.values("files.protect"), (Texts{"/\\{\\{name\\}\\}", "/*.a", "/*.b"}));
  EXPECT_EQ(good.values("files.write"), (Texts{"/srv/a*b"}));
  auto refused = from(R"json({"filesystem": {"denyRead": [], "denyWrite": ["a{b"]}})json");
  EXPECT_TRUE(refused.says("Ringwall refuses it:\n#   filesystem.denyWrite a{b: files.protect"));
}

TEST(ImportSrt, AnEmptyFileIsAnEmptyPolicy) {
  auto result = from("{}");
  EXPECT_EQ(result.mistakes(), "");
  EXPECT_FALSE(result.writes("\n["));
}

// Their loopback is the host's; here it is the run's own, and such a grant is a mistake.
TEST(ImportSrt, HostsThatAreNoOthersAreLeftOut) {
  auto result = from(R"json({"network": {
    "allowedDomains": ["localhost", "127.0.0.1:8080", "a.example.com"], "deniedDomains": []}})json");
  EXPECT_EQ(result.values("network.allow"), (Texts{"a.example.com:443"}));
  EXPECT_TRUE(result.says("network.reach_host")) << result.toml();
  EXPECT_TRUE(result.says("network.allowedDomains localhost")) << result.toml();
}

}  // namespace ringwall::policy
