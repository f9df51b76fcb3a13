#include "sandbox/environment.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ringwall::sandbox {
namespace {

std::string value_of(const std::vector<EnvironmentEntry>& entries, const std::string& name) {
  for (const EnvironmentEntry& entry : entries) {
    if (entry.name == name) return entry.value;
  }
  return "(unset)";
}

EnvironmentRequest request() {
  EnvironmentRequest request;
  request.caller = {"TERM=xterm",          "LC_ALL=C.UTF-8", "AWS_SECRET_ACCESS_KEY=x",
                    "LD_PRELOAD=/evil.so", "HOME=/real",     "HTTPS_PROXY=http://x",
                    "WANTED=yes"};
  request.home = "/home/u";
  request.search_path = "/usr/bin";
  return request;
}

}  // namespace

TEST(Environment, OnlyTheListIsInherited) {
  auto entries = plan_environment(request());
  EXPECT_EQ(value_of(entries, "TERM"), "xterm");
  EXPECT_EQ(value_of(entries, "LC_ALL"), "C.UTF-8");
  EXPECT_EQ(value_of(entries, "HOME"), "/home/u");
  for (const char* name : {"AWS_SECRET_ACCESS_KEY", "LD_PRELOAD", "HTTPS_PROXY", "WANTED"}) {
    EXPECT_EQ(value_of(entries, name), "(unset)") << name;
  }
}

TEST(Environment, NamesCanBePassedAndSet) {
  EnvironmentRequest wanted = request();
  wanted.pass = {{"WANTED"}, {"MISSING"}};
  wanted.set = {{"A=b=c"}, {"TERM=dumb"}};
  auto entries = plan_environment(wanted);
  EXPECT_EQ(value_of(entries, "WANTED"), "yes");
  EXPECT_EQ(value_of(entries, "MISSING"), "(unset)");
  EXPECT_EQ(value_of(entries, "A"), "b=c");
  EXPECT_EQ(value_of(entries, "TERM"), "dumb");
}

TEST(GitSettings, HooksAndMonitorsAreOff) {
  auto entries = plan_git_settings({});
  std::string all;
  for (const auto& entry : entries)
    all += entry.value + "\n";
  for (const char* text : {"core.hooksPath\n/dev/null", "core.fsmonitor\nfalse"}) {
    EXPECT_NE(all.find(text), std::string::npos) << text;
  }
  size_t keys =
      static_cast<size_t>(std::count_if(entries.begin(), entries.end(), [](const auto& entry) {
        return entry.name.starts_with("GIT_CONFIG_KEY_");
      }));
  EXPECT_EQ(value_of(entries, "GIT_CONFIG_COUNT"), std::to_string(keys));
  for (const auto& entry : plan_git_settings({.hooks = true}))
    EXPECT_NE(entry.value, "core.hooksPath");
}

}  // namespace ringwall::sandbox
