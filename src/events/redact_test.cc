#include "events/redact.h"

#include <gtest/gtest.h>

namespace ringwall::events {
namespace {

std::string letters(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; i++)
    text += static_cast<char>(i % 3 == 0 ? '0' + i % 10 : 'a' + i % 26);
  return text;
}

TEST(Redact, CountsWhatIsSurelyASecret) {
  std::string key =
      "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----";
  EXPECT_EQ(count_secrets(key, 10), 1u);
  EXPECT_EQ(count_secrets("aws AKIAABCDEFGH12345678 and postgres://me:s3cretpass@db/x", 10), 2u);
  EXPECT_EQ(count_secrets("ghp_" + std::string(36, 'a') + "1", 10), 1u);
  EXPECT_EQ(count_secrets("password = get_password(); token: str; PRIVATE KEY", 10), 0u);
  std::string many;
  for (int i = 0; i < 50; i++)
    many += "AKIAABCDEFGH12345678 ";
  EXPECT_EQ(count_secrets(many, 10), 10u);
}

}  // namespace

TEST(Redact, TakesOutSecretsByTheirShape) {
  const std::string secrets[] = {
      "ghp_" + letters(36),
      "sk-ant-api03-" + letters(40),
      "github_pat_" + letters(40),
      "AKIA" + std::string("ABCDEFGH12345678"),
      "eyJ" + letters(30) + "." + letters(40) + "." + letters(20),
      "sk-" + letters(48),
      "AIza" + letters(35),
      "ya29." + letters(60),
      "SG." + letters(22) + "." + letters(43),
      "AGE-SECRET-KEY-1" + letters(58),
      "hvs." + letters(90),
      "gsk_" + letters(50),
      "110201543:" + letters(35),
  };
  for (const std::string& secret : secrets) {
    std::string text = "curl -d " + secret + " https://x.example";
    EXPECT_EQ(redact(text), "curl -d [redacted] https://x.example") << secret;
  }
}

TEST(Redact, LeavesWhatIsNoSecret) {
  for (const char* text :
       {"task-management-of-the-whole-department-2026",
        "src/services/Translations/0001-the-first.ts",
        "monkey-patches-for-the-library-of-1999-or-so", "2606:2800:220:1::10", "12:30:45",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "AccountKeyRotation", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30"})
    EXPECT_EQ(redact(text), text);
  EXPECT_EQ(redact("AccountKey=" + letters(40) + "==;x"), "AccountKey=[redacted];x");
}

TEST(Redact, TakesOutSecretsByTheirName) {
  EXPECT_EQ(redact("DB_PASSWORD=hunter22"), "DB_PASSWORD=[redacted]");
  EXPECT_EQ(redact("--token=abc"), "--token=[redacted]");
  EXPECT_EQ(redact("{\"api_key\": \"abcd\", \"x\": 1}"), "{\"api_key\": \"[redacted]\", \"x\": 1}");
  EXPECT_EQ(redact("a=1&access_token=zzzz&b=2"), "a=1&access_token=[redacted]&b=2");
  EXPECT_EQ(redact("environment.set=API_TOKEN=v (--set)"),
            "environment.set=API_TOKEN=[redacted] (--set)");
}

TEST(Redact, TakesOutPasswordsOfAddressesAndHeaders) {
  EXPECT_EQ(redact("https://me:s3cretpw@host/x"), "https://me:[redacted]@host/x");
  EXPECT_EQ(redact("Authorization: Bearer abc.def"), "Authorization: [redacted]");
  std::string key = "-----BEGIN OPENSSH PRIVATE KEY-----\n" + letters(64) + "\n-----END X-----";
  EXPECT_EQ(redact("a " + key), "a [redacted]-----END X-----");
}

TEST(Redact, TakesOutWhatAgentsWriteInOneWord) {
  EXPECT_EQ(redact("foo --password S3cr --x"), "foo --password [redacted] --x");
  EXPECT_EQ(redact("MYSQL_PWD=a DB_PASS=b PW=c"),
            "MYSQL_PWD=[redacted] DB_PASS=[redacted] PW=[redacted]");
  EXPECT_EQ(redact("PASSWORD = S3cr"), "PASSWORD = [redacted]");
  EXPECT_EQ(redact("{\"client_secret\" : \"x\"}"), "{\"client_secret\" : \"[redacted]\"}");
  EXPECT_EQ(redact("https://S3crtoken1@h.invalid/x"), "https://[redacted]@h.invalid/x");
  EXPECT_EQ(redact("?X-Amz-Signature=S3cr&b=1"), "?X-Amz-Signature=[redacted]&b=1");
  EXPECT_EQ(redact("Cookie: sid=S3cr"), "Cookie: [redacted]");
  std::vector<std::string> words = {"curl", "-u", "bob:S3cr", "--pw", "x"};
  EXPECT_EQ(redact_words(words),
            (std::vector<std::string>{"curl", "-u", "bob:[redacted]", "--pw", "[redacted]"}));
}

TEST(Redact, LeavesOrdinaryTextAlone) {
  for (const char* text :
       {"git status", "api.example.com:443", "/home/me/token-service/main.go", "no grant names it",
        "PATH=/usr/bin", "TOKEN_URL=https://x", "https://example.com:8080/a", "password"}) {
    EXPECT_EQ(redact(text), text);
  }
}

TEST(Redact, TakesOutTheWordBehindAFlag) {
  std::vector<std::string> words = {"tool", "--password", "hunter2", "--verbose",
                                    "x",    "--token",    "--other"};
  EXPECT_EQ(redact_words(words),
            (std::vector<std::string>{"tool", "--password", "[redacted]", "--verbose", "x",
                                      "--token", "--other"}));
}

TEST(Redact, EndsWhateverComes) {
  std::string text;
  for (int i = 0; i < 2000; i++)
    text += "token=a:b=c://d:e@f eyJ -----BEGIN PRIVATE KEY";
  EXPECT_LT(redact(text).size(), text.size() * 4);
}

}  // namespace ringwall::events
