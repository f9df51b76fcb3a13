#include "policy/import_claude.h"

#include <gtest/gtest.h>

#include "policy/import_testing.h"

namespace ringwall::policy {
namespace {

const ImportSource kProject{"/home/u/shop/.claude/settings.json", "/home/u"};
const ImportSource kPerson{"/home/u/.claude/settings.json", "/home/u"};
const ImportSource kManaged{"/etc/claude-code/managed-settings.json", "/home/u"};

ImportResult from(const ImportSource& source, std::string_view json) {
  return ImportResult(import_claude(json, source));
}

}  // namespace

// The kind of file that the documentation recommends for a project.
TEST(ImportClaude, DeniedFilesOfAProjectAreHidden) {
  auto result = from(kProject, R"json({
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "permissions": {
    "allow": ["Bash(npm run lint)", "Bash(npm run test:*)", "Read(~/.zshrc)"],
    "ask": ["Bash(git push:*)", "Edit(./deploy/**)"],
    "deny": ["Bash(curl:*)", "Read(./.env)", "Read(./.env.*)", "Read(./secrets/**)",
             "Read(**/*.pem)", "Edit(/ci/)", "Read(keys/**)", "WebFetch"]
  },
  "env": {
  "CLAUDE_CODE_ENABLE_TELEMETRY" : "1", "OTEL_METRICS_EXPORTER" : "otlp"
}
})json");
  EXPECT_EQ(result.values("files.hide"),
            (Texts{"/.env", "/.env.*", "/secrets", "**/*.pem", "**/keys/**"}));
  EXPECT_EQ(result.values("files.protect"), (Texts{"/ci"}));
  EXPECT_EQ(result.values("files.read"), (Texts{"/home/u/.zshrc"}));
  EXPECT_EQ(result.values("environment.set"),
            (Texts{"CLAUDE_CODE_ENABLE_TELEMETRY=1", "OTEL_METRICS_EXPORTER=otlp"}));
  EXPECT_TRUE(result.says("permissions.deny Bash(curl:*)"));
  EXPECT_TRUE(result.says("sh -c, a full path or another option"));
  EXPECT_TRUE(result.says("binds the agent's own tools"));
  EXPECT_TRUE(result.says("Asked about by the gate"));
  EXPECT_TRUE(result.says("To forbid it: files.protect"));
  EXPECT_EQ(result.values("tools.deny"), (Texts{"Bash(curl:*)", "WebFetch"}));
  EXPECT_EQ(result.values("tools.ask"), (Texts{"Bash(git push:*)", "Edit(./deploy/**)"}));
  EXPECT_EQ(result.values("tools.allow"), (Texts{"Bash(npm run lint)", "Bash(npm run test:*)"}));
  EXPECT_TRUE(result.says("sandbox is off in this file"));
  EXPECT_FALSE(result.says("$schema"));
}

TEST(ImportClaude, BracesAreSeveralPatterns) {
  auto result = from(kProject, R"json({"permissions": {"deny": [
    "Read(**/*.{pem,key})", "Edit(./{a,b}/{c,d}.txt)"]}})json");
  EXPECT_EQ(result.values("files.hide"), (Texts{"**/*.pem", "**/*.key"}));
  EXPECT_EQ(result.values("files.protect"),
            (Texts{"/a/c.txt", "/a/d.txt", "/b/c.txt", "/b/d.txt"}));
  EXPECT_FALSE(result.says("Not taken over"));
}

TEST(ImportClaude, ADenialOfTheWholeWebWins) {
  auto denied = from(kProject, R"json({"permissions": {
    "allow": ["WebFetch(domain:docs.example.com)"], "deny": ["WebFetch"]}})json");
  EXPECT_EQ(denied.values("network.allow"), Texts{});
  EXPECT_TRUE(denied.says("WebFetch is denied as a whole"));
  auto allowed = from(kProject, R"json({"permissions": {
    "allow": ["WebFetch(domain:docs.example.com)"], "deny": ["WebSearch"]}})json");
  EXPECT_EQ(allowed.values("network.allow"), Texts{"docs.example.com:443"});
}

TEST(ImportClaude, WhatOpensMoreIsLeftOut) {
  ImportSource source = kProject;
  source.why_sensitive = [](const std::string& path, bool writes) -> std::string {
    return path == "/home/u/.ssh" && !writes ? "keys of ssh" : "";
  };
  constexpr const char* kJson = R"json({"sandbox": {"enabled": true, "filesystem": {
    "allowRead": ["~/.ssh", "~/docs"]}}})json";
  auto result = from(source, kJson);
  EXPECT_EQ(result.values("files.read"), Texts{"/home/u/docs"});
  EXPECT_TRUE(result.says("keys of ssh"));
  EXPECT_EQ(from(kProject, kJson).values("files.read"), (Texts{"/home/u/.ssh", "/home/u/docs"}));
}

TEST(ImportClaude, RulesOnToolsBecomeTheGates) {
  constexpr const char* kJson = R"json({"permissions": {
    "deny": ["mcp__shell", "Edit", "Bash(echo \"a\" *)", "not a rule"],
    "ask": ["Edit(/conf/**)", "WebFetch(domain:x.example)"],
    "allow": ["mcp__*", "Read"]}})json";
  auto project = from(kProject, kJson);
  EXPECT_EQ(project.values("tools.deny"), (Texts{"mcp__shell", "Edit", "Bash(echo \"a\" *)"}));
  EXPECT_EQ(project.values("tools.ask"),
            (Texts{"Edit(//home/u/shop/conf/**)", "WebFetch(domain:x.example)"}));
  EXPECT_EQ(project.values("tools.allow"), (Texts{"Read"}));
  EXPECT_TRUE(project.says("permissions.deny not a rule: "));
  EXPECT_TRUE(project.says("permissions.allow mcp__*: "));
}

TEST(ImportClaude, TheSandboxBecomesGrants) {
  auto result = from(kProject, R"json({
  "permissions": {"additionalDirectories": ["../docs", "~/data"]},
  "sandbox": {
    "enabled": true,
    "failIfUnavailable": true,
    "allowUnsandboxedCommands": false,
    "autoAllowBashIfSandboxed": false,
    "excludedCommands": ["docker *"],
    "filesystem": {
      "allowWrite": [".", "/tmp", "/dev/null", "~/.cache/tool", "//srv/out", "~/*.log"],
      "denyWrite": ["/home/u/shop/infra"],
      "denyRead": ["~/.aws/credentials", "./vault"],
      "allowRead": ["/opt/sdk"]
    },
    "network": {
      "allowedDomains": ["github.com", "*.npmjs.org", "*"],
      "deniedDomains": ["uploads.github.com", "*:22"],
      "allowUnixSockets": ["/var/run/docker.sock"],
      "allowLocalBinding": true
    },
    "credentials": {"files": [{"path": "~/.netrc", "mode": "mask"}],
                    "envVars": [{"name": "NPM_TOKEN", "mode": "deny"}]}
  }
})json");
  EXPECT_EQ(result.values("files.write"),
            (Texts{"/home/u/docs", "/home/u/data", "/home/u/.cache/tool", "/srv/out"}));
  EXPECT_EQ(result.values("files.read"), (Texts{"/opt/sdk"}));
  EXPECT_EQ(result.values("files.hide"), (Texts{"/vault"}));
  EXPECT_EQ(result.values("files.protect"), (Texts{"/infra"}));
  EXPECT_TRUE(
      result.writes("allow = [\n  \"github.com\",  # sandbox.network.allowedDomains github"));
  EXPECT_TRUE(result.writes("  \"*.npmjs.org\",  #"));
  EXPECT_TRUE(result.writes("deny = [\n  \"uploads.github.com\","));
  EXPECT_FALSE(result.writes("\"*\""));
  EXPECT_FALSE(result.says("allowUnsandboxedCommands"));
  EXPECT_FALSE(result.says("failIfUnavailable"));
  for (const char* text :
       {"sandbox.excludedCommands docker *", "sandbox.filesystem.allowWrite /tmp",
        "sandbox.filesystem.allowWrite /dev/null", "sandbox.filesystem.denyRead ~/.aws/credentials",
        "a grant names a folder or a file", "sandbox.network.allowedDomains *",
        "NOT KEPT as it stands", "sandbox.network.allowUnixSockets",
        "sandbox.credentials.envVars NPM_TOKEN", "Masked by the other sandbox"})
    EXPECT_TRUE(result.says(text)) << text << "\n" << result.toml();
}

TEST(ImportClaude, WhatWasWeakIsSaid) {
  auto result =
      from(kProject, R"json({"sandbox": {"enabled": true, "enableWeakerNestedSandbox": true,
    "network": {"allowAllUnixSockets": true}}, "enableAllProjectMcpServers": true})json");
  for (const char* text : {"sandbox.allowUnsandboxedCommands", "sandbox.failIfUnavailable",
                           "sandbox.enableWeakerNestedSandbox",
                           "sandbox.network.allowAllUnixSockets", "enableAllProjectMcpServers"})
    EXPECT_TRUE(result.says(text)) << text;
}

TEST(ImportClaude, APathMeansWhatItMeansInItsPlace) {
  constexpr const char* kJson = R"json({
    "permissions": {"deny": ["Read(/private/**)", "Read(//etc/shadow)", "Read(b/c)"],
                    "allow": ["Edit(//srv/x/**)", "Write(//srv/y)"]},
    "sandbox": {
  "filesystem" : { "denyRead" : ["./private"], "allowWrite" : ["./plans"] }
}
})json";
  auto project = from(kProject, kJson);
  EXPECT_EQ(project.values("files.hide"), (Texts{"/private", "b/c"}));
  EXPECT_EQ(project.values("files.write"), (Texts{"/srv/x"}));
  EXPECT_TRUE(project.says("Ignored by Claude Code"));
  EXPECT_TRUE(project.says("read by everything inside.\n#   permissions.deny Read(//etc/shadow)"));
  auto person = from(kPerson, kJson);  // both are of ~/.claude
  EXPECT_EQ(person.values("files.hide"), (Texts{"b/c"}));
  EXPECT_EQ(person.values("files.write"), (Texts{"/srv/x"}));
  EXPECT_TRUE(person.says("change its own settings outside"));
  EXPECT_EQ(from(kManaged, kJson).values("files.hide"), (Texts{"b/c", "/private"}));
}

TEST(ImportClaude, AGrantInWhichSomethingIsDeniedIsLeftOut) {
  auto result = from(kPerson, R"json({"permissions": {
    "additionalDirectories": ["~/code", "~/data", "~", "/", "~/notes", "/srv/a/b"],
    "deny": ["Read(~/code/keys/**)", "Edit(~/notes/**)", "Read(//srv/**/*.key)"]
}
})json");
  EXPECT_EQ(result.values("files.write"), (Texts{"/home/u/data"}));
  EXPECT_TRUE(
      result.says("additionalDirectories ~/code, denied by permissions.deny Read(~/code/k"));
  EXPECT_TRUE(result.says("the whole home or the whole system"));
}

TEST(ImportClaude, AGrantThatIsNotThereIsLeftOut) {
  ImportSource source = kPerson;
  source.exists = [](const std::string& path) { return path == "/home/u/there"; };
  auto result =
      from(source, R"json({"permissions": {"additionalDirectories": ["~/there", "~/gone"]}})json");
  EXPECT_EQ(result.values("files.write"), (Texts{"/home/u/there"}));
  EXPECT_TRUE(result.says("a run would stop.\n#   permissions.additionalDirectories ~/gone"));
}

TEST(ImportClaude, ASecretIsNotCopied) {
  auto result =
      from(kPerson,
           R"json({"env": {"ANTHROPIC_API_KEY": "sk-secret", "A": "x\ny\"\\", "1X": "b"}})json");
  EXPECT_EQ(result.values("environment.pass"), (Texts{"ANTHROPIC_API_KEY"}));
  EXPECT_EQ(result.values("environment.set"), (Texts{"A=x\ny\"\\"}));
  EXPECT_FALSE(result.writes("sk-secret"));
  EXPECT_TRUE(result.says("Ringwall refuses it"));
}

TEST(ImportClaude, VariablesThatInjectCodeAreOnlyRemarked) {
  auto result = from(kPerson, R"json({"env": {"NODE_OPTIONS": "--require /x", "CI": "1"}})json");
  EXPECT_EQ(result.values("environment.set"), (Texts{"CI=1"}));
  EXPECT_TRUE(result.says("env NODE_OPTIONS"));
  EXPECT_TRUE(result.says("the interpreter loads code by it"));
}

TEST(ImportClaude, MistakesHaveTheirPlace) {
  EXPECT_EQ(
      from(kPerson, "{\n  \"env\": 3,\n  \"permissions\": {\"deny\": [\"a\", 7]}}").mistakes(),
      "/home/u/.claude/settings.json:2:10: env must be an object, { … }\n"
      "/home/u/.claude/settings.json:3:33: permissions.deny.1 must be a text in quotes\n");
  EXPECT_NE(from(kPerson, "{\n \"a\": 1,\n}").mistakes().find("settings.json:3:1: is not JSON"),
            std::string::npos);
  EXPECT_NE(from(kPerson, "[]").mistakes().find(":1:1: must be an object"), std::string::npos);
  EXPECT_NE(from(kPerson, "").mistakes().find(":1:1: is not JSON"), std::string::npos);
  EXPECT_NE(from(kPerson, "{} {}").mistakes().find(":1:4: "), std::string::npos);
  EXPECT_NE(from(kPerson, std::string(2 << 20, ' ')).mistakes().find("larger than"),
            std::string::npos);
}

TEST(ImportClaude, WhatIsNotKnownBecomesAComment) {
  auto result = from(kPerson, R"json({"sand\nbox\u001b[2J": 1, "sandbox": {"new": {"a": 1}},
    "permissions": {"deny": ["Read(./a\nallow = [\"/\"]\n)", "Tool(\u0007)"], "x": null
}
})json");
  EXPECT_TRUE(result.says("sandbox.new"));
  EXPECT_TRUE(result.says("permissions.x"));
  EXPECT_FALSE(result.writes("\x1b"));
  EXPECT_FALSE(result.writes("\nallow"));
}

TEST(ImportClaude, HostileFilesEndInAPolicyOrAMistake) {
  std::string deep(100'000, '[');
  EXPECT_NE(from(kPerson, "{\"a\":" + deep).mistakes(), "");
  std::string many = "{\"permissions\":{\"deny\":[";
  for (int i = 0; i < 5000; i++)
    many += "\"Read(./" + std::to_string(i) + ")\",";
  EXPECT_NE(from(kPerson, many + "\"x\"]}}").mistakes().find("at most 2000"), std::string::npos);
  for (const char* rule :
       {"Read(", "Read()", ")", "(", "Read(~)", "Read(~root/x)", "Read(../../..)", "Read(//)",
        "Read(/)", "Edit([)", "Edit({a,b})", "Read($HOME/x)", "", "WebFetch(domain:)",
        "WebFetch(domain:a b)", "Read(\\\\u0000)"}) {
    for (const char* list : {"allow", "ask", "deny"}) {
      std::string json = "{\"permissions\":{\"" + std::string(list) + "\":[\"" + rule + "\"]}}";
      for (const ImportSource& source : {kProject, kPerson, kManaged})
        from(source, json).values("files.hide");  // loads
    }
  }
}

}  // namespace ringwall::policy
