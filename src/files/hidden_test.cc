#include "files/hidden.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "base/text.h"
#include "files/hidden_content.h"

namespace ringwall::files {
namespace {

using Texts = std::vector<std::string>;
using Verdict = HiddenNames::Verdict;

HiddenNames names(const Texts& hide = {}, const Texts& show = {}) {
  auto compiled = HiddenNames::compile(hide, show);
  EXPECT_TRUE(compiled) << compiled.error().text();
  return *compiled;
}

// What a scan would do: "" if the file stays visible, else why not.
std::string judge(std::string_view path, std::string_view content, const HiddenNames& table) {
  switch (table.judge_name(path)) {
    case Verdict::no:
      return "";
    case Verdict::hide:
      return std::string(table.name_reason(path));
    case Verdict::look:
      break;
  }
  return std::string(table.judge_content(path, content).value_or(""));
}
std::string judge(std::string_view path, std::string_view content = "") {
  static const HiddenNames kTable = names();
  return judge(path, content, kTable);
}

// Made up; put together here so that no scanner takes this file for a leak.
std::string pem(std::string_view label) {
  std::string body;
  for (int i = 0; i < 4; i++)
    body += "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n";
  std::string name(label);
  return "-----BEGIN " + name + "-----\n" + body + "-----END " + name + "-----\n";
}
std::string token(std::string_view start) {
  return std::string(start) + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
}

// Patterns of a table are not rewritten.
bool is_read_as_written(const std::string& pattern) {
  auto checked = NamePattern::parse(pattern);
  return checked && checked->parts() == NamePattern::parse_table(pattern).parts();
}

const std::string kCertificate = pem("CERTIFICATE");

}  // namespace

TEST(HiddenEntries, EachHasAReasonAndPatternsThatAreRead) {
  for (const HiddenEntry& entry : hidden_entries()) {
    EXPECT_FALSE(entry.what.empty() || entry.found_by.empty()) << entry.patterns;
    for (const std::string& pattern : text::split(entry.patterns, ' '))
      EXPECT_TRUE(is_read_as_written(pattern)) << "'" << pattern << "'";
    if (entry.except.empty()) continue;
    for (const std::string& pattern : text::split(entry.except, ' '))
      EXPECT_TRUE(is_read_as_written(pattern)) << "'" << pattern << "'";
  }
  for (const LeftVisible& left : left_visible())
    EXPECT_FALSE(left.what.empty() || left.why.empty());
}

TEST(HiddenNames, EnvironmentFilesAreHiddenAtAnyDepth) {
  for (const char* path : {".env", "a/b/.env", ".env.local", ".env.production", "x/.env.keys",
                           ".ENV", ".dev.vars", "node_modules/x/.env"})
    EXPECT_NE(judge(path), "") << path;
  for (const char* path : {".env.example", ".env.sample", ".env.template", ".env.local.example",
                           ".env.dist", "env", "src/env.ts", "vite-env.d.ts", ".environment"})
    EXPECT_EQ(judge(path), "") << path;
}

// Left behind by editors, or by a person before an edit.
TEST(HiddenNames, BackupsOfSecretsAreHiddenToo) {
  for (const char* path : {".env~", "a/#.env#", ".env-production", ".env_local", ".env copy",
                           ".env copy 2", "Copy of .env", "#.env.local#", ".env.bak", ".htpasswd"})
    EXPECT_NE(judge(path), "") << path;
  for (const char* path : {".env-example", ".env_sample", ".env.template", ".env-template",
                           ".env.local-dist", ".env.example~", ".environment~", ".htaccess"})
    EXPECT_EQ(judge(path), "") << path;
  for (const char* path : {"prod.env~", "prod.env.bak", "#prod.env#", ".flaskenv", ".envrc~"}) {
    EXPECT_EQ(judge(path, "API_TOKEN=" + token("x")), "token or password") << path;
    EXPECT_EQ(judge(path, "FLASK_APP=shop\n"), "") << path;
  }
  for (const char* path : {"server.key~", "server.key.bak", "server.key.old", "server.key.orig",
                           "deploy.pem~", "deploy.pem.bak", "deploy_key.old", "host_rsa~"}) {
    EXPECT_EQ(judge(path, pem("PRIVATE KEY")), "private key") << path;
    EXPECT_EQ(judge(path, kCertificate), "") << path;
  }
}

TEST(HiddenNames, KeyStoresAndLoginsAreHiddenByName) {
  for (const char* path : {"a.p12", "a/release.jks", "x.KEYSTORE", "a.pfx", "db.kdbx",
                           ".git-credentials", "home/.aws/credentials", "terraform.tfstate",
                           "env/prod.tfstate.backup", ".codex/auth.json"})
    EXPECT_NE(judge(path), "") << path;
  for (const char* path : {"android/app/debug.keystore", "my-truststore.jks", "keystore.go",
                           "src/p12.c", "docs/pfx.md"})
    EXPECT_EQ(judge(path), "") << path;
}

TEST(HiddenNames, PrivateKeysAreHiddenByContent) {
  for (const char* path : {"server.pem", "tls/server.key", "id_rsa", ".ssh/id_ed25519",
                           "deploy_key", "ssh_host_rsa_key", "github-ed25519", "AuthKey_1.p8",
                           "client.ovpn", "a.crt", "secring.asc"}) {
    for (const char* label :
         {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY",
          "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"})
      EXPECT_EQ(judge(path, pem(label)), "private key") << path << " " << label;
    EXPECT_EQ(judge(path, kCertificate), "") << path;
  }
  EXPECT_EQ(judge("both.pem", kCertificate + pem("PRIVATE KEY")), "private key");
  EXPECT_EQ(judge("key.ppk", "PuTTY-User-Key-File-3: ssh-ed25519\n"), "private key");
  EXPECT_EQ(judge("keys.txt", "# created: now\nAGE-SECRET-KEY-1" + std::string(58, 'Q') + "\n"),
            "private key");
  EXPECT_EQ(judge("old.key", "\xef\xbb\xbf" + pem("PRIVATE KEY")), "private key");
  EXPECT_EQ(judge("crlf.pem", "-----BEGIN PRIVATE KEY-----\r\n" + std::string(64, 'A') + "\r\n"),
            "private key");
}

TEST(HiddenNames, BinaryKeysAreKnownByTheirFirstBytes) {
  std::string pkcs8("\x30\x82\x04\xbd\x02\x01\x00\x30\x0d\x06\x09", 11);
  std::string certificate("\x30\x82\x03\x01\x30\x82\x01\xe9\xa0\x03\x02", 11);
  pkcs8.resize(200, 'x');
  certificate.resize(200, 'x');
  EXPECT_EQ(judge("a.der", pkcs8), "private key");
  EXPECT_EQ(judge("a.der", certificate), "");
  EXPECT_EQ(judge("a.der", "\x30"), "");
  EXPECT_EQ(judge("a.der", std::string(40, '\xff')), "");
}

TEST(HiddenNames, WordsAboutKeysAreNoKeys) {
  EXPECT_EQ(judge("docs/keys.asc", "Write\n-----BEGIN PRIVATE KEY-----\n...\n-----END …"), "");
  EXPECT_EQ(judge("id_generator", "#!/bin/sh\nopenssl genrsa # PRIVATE KEY\n"), "");
  EXPECT_EQ(judge("monkey", "banana"), "");
  EXPECT_EQ(judge("slides.key", std::string("PK\x03\x04", 4) + std::string(500, '\0')), "");
  EXPECT_EQ(judge("id_rsa.pub", "ssh-rsa AAAA user@host"), "");
  EXPECT_EQ(judge("pub.pem", pem("PUBLIC KEY")), "");
  EXPECT_EQ(judge("x.pem", "puts(\"" + pem("PRIVATE KEY") + "\")"), "");  // a line of source
}

TEST(HiddenNames, SourceFilesAreNeverCandidates) {
  for (const char* path : {"src/keys.py", "test/fixtures.ts", "main.go", "README.md", "key.rs",
                           "auth.js", "credentials.rb", "token.c", "package.json", "tsconfig.json",
                           "index.html", "composer.lock", "Cargo.toml", ".gitignore"})
    EXPECT_EQ(judge(path, pem("PRIVATE KEY") + token("ghp_")), "") << path;
}

TEST(HiddenNames, ABareKeyIsOne) {
  EXPECT_EQ(judge("config/master.key", "0123456789abcdef0123456789abcdef"), "secret key");
  EXPECT_EQ(judge("wg/privatekey", "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=\n"), "secret key");
  EXPECT_EQ(judge("wg/publickey", "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=\n"), "");
  EXPECT_EQ(judge("piano.key", "C major\n"), "");
}

TEST(HiddenNames, RcFilesAreHiddenIfATokenIsInThem) {
  std::string npm = "//registry.npmjs.org/:_authToken=";
  EXPECT_EQ(judge(".npmrc", npm + token("npm_") + "\n"), "token or password");
  EXPECT_EQ(judge("sub/.npmrc", "//h:8080/:_auth=dXNlcjpwYXNz\n"), "token or password");
  EXPECT_EQ(judge(".npmrc", npm + "${NPM_TOKEN}\nsave-exact=true\nalways-auth=true\n"), "");
  EXPECT_EQ(judge(".yarnrc.yml", "npmAuthToken: \"abcd-1234\"\n"), "token or password");
  EXPECT_EQ(judge(".yarnrc.yml", "npmAuthToken: \"${TOKEN:-}\"\nyarnPath: .yarn/y.cjs\n"), "");
  EXPECT_EQ(judge(".pypirc", "[pypi]\nusername = u\npassword = hunter22\n"), "token or password");
  EXPECT_EQ(judge(".pypirc", "[pypi]\nusername = __token__\n"), "");
  EXPECT_EQ(judge(".netrc", "machine h login u password p\n"), "password");
  EXPECT_EQ(judge(".netrc", "machine h\n  login u\n  password\n    x y\n"), "password");
  EXPECT_EQ(judge(".netrc", "machine h login password\n"), "");
  EXPECT_EQ(judge("pip.conf", "index-url = https://u:s3cr3tpw@pypi.corp/simple\n"),
            "token or password");
  EXPECT_EQ(judge("pip.conf", "index-url = https://pypi.corp/simple\n"), "");
  EXPECT_EQ(judge(".cargo/credentials.toml", "[registry]\ntoken = \"cio1234\"\n"),
            "token or password");
  EXPECT_EQ(judge("gradle.properties", "org.gradle.jvmargs=-Xmx2g\nsigning.password=qwe123\n"),
            "token or password");
  EXPECT_EQ(judge("gradle.properties", "org.gradle.parallel=true\nsigning.keyId=24875D73\n"), "");
  EXPECT_EQ(judge(".envrc", "use flake\nexport AWS_SECRET_ACCESS_KEY='wJalrXUtnFEMI'\n"),
            "token or password");
  EXPECT_EQ(judge(".envrc", "layout go\nexport TOKEN_FILE=/run/secrets/t\nsource .x\n"), "");
}

TEST(HiddenNames, SettingsAboutSecretsAreNone) {
  for (const char* line :
       {"MAX_TOKENS=4096", "PASSWORD=", "PASSWORD=changeme", "API_KEY=your-key-here", "SECRET=<x>",
        "TOKEN_URL=https://h/oauth", "API_KEY=xxxxxxxxxxxx", "# PASSWORD=hunter22",
        "SECRET_KEY_FILE=secret.txt", "PASSWORD_MIN_LENGTH=12", "DB=postgres://db:5432/x",
        "TOKEN: !vault |", "DB=postgres://postgres:postgres@localhost/x",
        "The password: see the wiki", "PUBLIC_TOKEN=abcdef12345", "TOKEN=\"$(pass show t)\""})
    EXPECT_FALSE(holds_secret_setting(line)) << line;
  for (const char* line :
       {"DB_PASSWORD=hunter22", "password: 'a b c d'", "stripe_api_key = \"k1234\"",
        "export TOKEN=abc1234 # mine", "PIN_PASSWORD=123456", "DB=postgres://u:hunter22@db/x",
        "- client_secret: zzz999"})
    EXPECT_TRUE(holds_secret_setting(line)) << line;
}

TEST(HiddenNames, CloudCredentialsAreHidden) {
  std::string key =
      "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj"
      "AgEAAoIBAQC7VJTUt9Us8cKj\\n-----END PRIVATE KEY-----\\n";
  std::string account = "{\n \"type\": \"service_account\",\n \"private_key\": \"" + key + "\"}";
  for (const char* path : {"service-account.json", "my-project-0a1b2c3d4e5f.json",
                           "firebase-adminsdk.json", "credentials.json", "secrets/gcp-key.json"})
    EXPECT_EQ(judge(path, account), "credentials") << path;
  EXPECT_EQ(judge("client_secret_1.json", "{\"client_secret\": \"GOCSPX-a1b2c3d4e5f6g7\"}"),
            "credentials");
  EXPECT_EQ(judge("azure.json", R"({"appId": "1", "password": "Qx7~abcd", "tenant": "t"})"),
            "credentials");
  EXPECT_EQ(judge(".docker/config.json", R"({"auths":{"h":{"auth":"dTpwYXNz"}}})"),
            "registry login");
  EXPECT_EQ(judge(".docker/config.json", R"({"auths":{"h":{}},"credsStore":"pass"})"), "");
  EXPECT_EQ(judge("settings.xml", "<server><password>s3cret1</password></server>"), "password");
  EXPECT_EQ(judge("settings.xml", "<password>${env.PW}</password>"), "");
  EXPECT_EQ(judge("NuGet.Config", R"(<add key="ClearTextPassword" value="pw1234" />)"), "password");
  EXPECT_EQ(judge("rsa.jwk", R"({"kty":"EC","d":"a1b2c3d4e5f6a1b2c3d4"})"), "private key");
  EXPECT_EQ(judge("jwks.json", R"({"keys":[{"kty":"EC","x":"a1b2c3d4e5f6a1b2c3d4"}]})"), "");
}

TEST(HiddenNames, JsonThatOnlySpeaksOfKeysStays) {
  for (const char* json :
       {R"({"properties": {"private_key": {"type": "string"}}})",
        R"({"required": ["private_key", "client_secret"]})",
        R"({"private_key": "Paste the -----BEGIN PRIVATE KEY----- block here"})",
        R"({"access_token": "Access token", "password": "Your password"})",
        R"({"client_secret": "${CLIENT_SECRET}"})",
        R"({"client_secret": "your-client-secret-123"})", R"({"access_token": ")",
        R"({"private_key)", R"({"access_token": 12345678901234567890})"})
    EXPECT_EQ(judge("locales/auth.json", json), "") << json;
  EXPECT_EQ(judge("my-project-config.json", token("ghp_")), "");  // no candidate
}

TEST(HiddenNames, KubernetesLogins) {
  std::string clusters = "apiVersion: v1\nkind: Config\nclusters:\n- name: c\nusers:\n- user:\n";
  for (const char* path : {".kube/config", "kubeconfig", "prod.kubeconfig", "kubeconfig.yaml",
                           "deploy/my-kubeconfig.yml"}) {
    EXPECT_EQ(judge(path, clusters + "    client-key-data: LS0tLS1CRUdJTg==\n"), "Kubernetes login")
        << path;
    EXPECT_EQ(judge(path, clusters + "    exec:\n      command: aws\n"), "") << path;
  }
  EXPECT_EQ(judge("kubeconfig", R"({"clusters":[],"users":[{"token":"abcd.efgh"}]})"),
            "Kubernetes login");
  EXPECT_EQ(judge("src/config", clusters + "    token: abcd1234\n"), "");
}

TEST(HiddenNames, PackagesOfARegistryAreNotLookedAt) {
  HiddenNames table = names();
  EXPECT_EQ(table.judge_name("node_modules/x/test/key.pem"), Verdict::no);
  EXPECT_EQ(table.judge_name(".venv/lib/certifi/cacert.pem"), Verdict::no);
  EXPECT_EQ(table.judge_name("vendor/key.pem"), Verdict::look);
  EXPECT_EQ(table.judge_name("target/classes/key.pem"), Verdict::look);
}

TEST(HiddenNames, ThePersonHidesAndShows) {
  HiddenNames table = names({"notes/", "*.sql"}, {"tests/", ".env.test", "dump.sql"});
  EXPECT_EQ(judge("notes/a/b.md", "", table), "files.hide");
  EXPECT_EQ(judge("x/all.sql", "", table), "files.hide");
  EXPECT_EQ(judge("dump.sql", "", table), "files.hide");  // of both, hiding wins
  EXPECT_EQ(judge("tests/key.pem", pem("PRIVATE KEY"), table), "");
  EXPECT_EQ(judge("a/.env.test", "", table), "");
  EXPECT_NE(judge(".env", "", table), "");
  EXPECT_EQ(judge(".env", "", names({}, {"*"})), "");
  EXPECT_FALSE(HiddenNames::compile(Texts{"a//b"}, Texts{}));
  EXPECT_FALSE(HiddenNames::compile(Texts{}, Texts{"a**b"}));
}

TEST(HiddenNames, TheFingerprintFollowsTheRules) {
  std::set<std::string> prints = {names().fingerprint(), names({"a"}).fingerprint(),
                                  names({}, {"a"}).fingerprint(), names({"b"}).fingerprint()};
  EXPECT_EQ(prints.size(), 4u);
}

// Each pattern of bytes would cost a search that starts over and over a long time.
TEST(HiddenNames, HostileContentIsJudgedInTime) {
  auto many = [](std::string_view piece) {
    std::string out;
    while (out.size() + piece.size() <= kMostLookedAt)
      out += piece;
    return out;
  };
  HiddenNames table = names();
  auto start = std::chrono::steady_clock::now();
  for (std::string_view piece :
       {"-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n", "://",
        "://a:", "\"auth\"", "\"auth\":\"", "glpat-", "<password>", "key=\"Password\"", "password ",
        "=", "token:\n", "\n", "\\", " ", "AGE-SECRET-KEY-1", "\xff", "\"d\":\"\\"}) {
    std::string bytes = many(piece);
    for (const char* path : {"a.pem", "a.key", ".npmrc", ".netrc", "auth.json", "settings.xml",
                             ".docker/config.json", "kubeconfig", "x.jwk"})
      table.judge_content(path, bytes);
  }
  // Some 170 judgements; each takes less than a millisecond.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace ringwall::files
