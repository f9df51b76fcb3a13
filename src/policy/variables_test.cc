#include "policy/variables.h"

#include <gtest/gtest.h>

namespace ringwall::policy {
namespace {

// "ordinary" for what the table does not know.
std::string kind_of(std::string_view name) {
  const KnownVariable* known = known_variable(name);
  if (known == nullptr || known->kind == VariableKind::harmless) return "ordinary";
  if (known->kind == VariableKind::injects) return "injects";
  return known->kind == VariableKind::steers ? "steers" : "certificate";
}

}  // namespace

TEST(Variables, WhatLoadsCodeIsKnown) {
  for (const char* name :
       {"LD_PRELOAD", "LD_AUDIT", "BASH_ENV", "ENV", "NODE_OPTIONS", "PYTHONSTARTUP", "PYTHONPATH",
        "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS", "GIT_SSH", "GIT_CONFIG_COUNT", "PROMPT_COMMAND",
        "DOTNET_STARTUP_HOOKS"})
    EXPECT_EQ(kind_of(name), "injects") << name;
  for (const char* name : {"https_proxy", "SSH_AUTH_SOCK", "RINGWALL_RUN", "PATH"})
    EXPECT_EQ(kind_of(name), "steers") << name;
  for (const char* name :
       {"ANTHROPIC_API_KEY", "CI", "LANG", "PYTHONUNBUFFERED", "GIT_AUTHOR_NAME"})
    EXPECT_EQ(kind_of(name), "ordinary") << name;
  for (const char* name : {"NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO", "SSL_CERT_DIR"})
    EXPECT_EQ(kind_of(name), "certificate") << name;
}

TEST(Variables, EachHasAReason) {
  for (const KnownVariable& row : known_variables())
    EXPECT_FALSE(row.reason.empty()) << row.name;
}

}  // namespace ringwall::policy
