#include "prepare/policy_layers.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "base/text.h"
#include "state/trust.h"

namespace ringwall::prepare {
namespace {

namespace fs = std::filesystem;

class PolicyLayersTest : public testing::Test {
 protected:
  PolicyLayersTest() {
    fs::remove_all(root);
    for (const char* folder : {"/home/.config/ringwall", "/repo", "/etc"})
      fs::create_directories(root + folder);
    for (const char* folder : {"/home/.config/ringwall", "/etc"})
      chmod((root + folder).c_str(), 0755);
    caller.uid = getuid();
    caller.home = caller.home_as_named = root + "/home";
    places = state::find_places(caller, nullptr, nullptr);
  }
  ~PolicyLayersTest() override { fs::remove_all(root); }

  void write(const std::string& below, const std::string& text) {
    std::ofstream(root + below) << text;
    chmod((root + below).c_str(), 0644);
  }

  Result<PolicyLayers> load() {
    return load_layers({.caller = caller,
                        .places = places,
                        .working_folder = root + "/repo",
                        .organisation = root + "/none"});
  }

  std::string root =
      fs::canonical(testing::TempDir()).string() + "/layers-" + std::to_string(getpid());
  state::Caller caller;
  state::Places places;
  const char* person = "/home/.config/ringwall/policy.toml";
};

constexpr const char* kSound = R"(# A policy as people write it.
[files]
read = ["~/data", "/srv/models"]
protect = [".tool/", "*.rc"]
hide = ["*.sql"]
[home]
fresh = false
caches = ["npm"]
[network]
allow = ["api.example.com:443"]
[environment]
pass = ["CI"]
set = ["A=b"]
[limits]
memory = "4G"
cpu = 1.5
)";

// One thing broken somewhere: a letter gone or changed, a line twice or elsewhere, a wrong value.
std::string broken(std::mt19937& random) {
  static const std::string kJunk[] = {
      "\"",          "[",          "]",           "=",
      "\n",          "[files]\n",  "x = 1\n",     "raed = []\n",
      "= 3\n",       "[[home]]\n", "fresh = 1\n", "memory = \"x\"\n",
      "lock = []\n", "\"\"\"",     "{a={b=",      std::string(1, '\0'),
      "\xff\xfe",    "\x1b[2J",    "1979-05-27",  "caches = [\"gems\"]\n"};
  std::string text = kSound;
  for (size_t times = 1 + random() % 3; times > 0; times--) {
    size_t at = random() % text.size();
    switch (random() % 5) {
      case 0:
        text.erase(at, 1 + random() % 9);
        break;
      case 1:
        text[at] = static_cast<char>(random());
        break;
      case 2:
        text.resize(at + 1);
        break;
      case 3:
        text.insert(at, text.substr(random() % text.size(), random() % 40));
        break;
      default:
        text.insert(at, kJunk[random() % std::size(kJunk)]);
    }
    if (text.empty()) text = "x";
  }
  return text;
}

TEST_F(PolicyLayersTest, AThousandBrokenFilesNeverHalfApply) {
  std::mt19937 random(20261115);
  size_t seen = 0, tries = 0;
  for (; seen < 1000 && tries < 20'000; tries++) {
    std::string text = broken(random);
    write(person, text);
    auto layers = load();
    ASSERT_TRUE(layers) << layers.error().text();
    if (layers->diagnostics.empty()) {
      EXPECT_TRUE(layers->policy.has_value());
      continue;
    }
    seen++;
    EXPECT_FALSE(layers->policy.has_value()) << text;
    size_t lines = text::split(text, '\n').size();
    for (const policy::Diagnostic& d : layers->diagnostics) {
      EXPECT_TRUE(d.line >= 1 && d.line <= lines + 1) << d.place << ": " << d.what << "\n" << text;
      std::string line = ":" + std::to_string(d.line) + ":";
      EXPECT_NE(d.place.find(line), std::string::npos) << d.place;
    }
  }
  EXPECT_EQ(seen, 1000u) << tries;
}

TEST_F(PolicyLayersTest, AMistakeInOneLeavesNothingOfAnother) {
  write(person, "[environment]\nset = [\"A=1\"]\n");
  write("/repo/.ringwall.toml", "[files]\nhide = [\"x\"]\nread = [\"/data\"]\n");
  auto layers = load();
  ASSERT_TRUE(layers);
  EXPECT_FALSE(layers->policy.has_value());
  ASSERT_EQ(layers->diagnostics.size(), 1u);
  EXPECT_EQ(layers->diagnostics[0].line, 3u);
}

TEST_F(PolicyLayersTest, WithoutAnyFileTheDefaultsHold) {
  auto layers = load();
  ASSERT_TRUE(layers && layers->policy);
  EXPECT_TRUE(layers->files.empty());
  EXPECT_TRUE(layers->policy->limits.processes.origin.is_default());
}

TEST_F(PolicyLayersTest, TrustIsForOnePathAndOneContent) {
  std::string file = root + "/repo/.ringwall.toml";
  write("/repo/.ringwall.toml", "[git]\nhooks = true\n");
  EXPECT_FALSE(load()->policy.has_value());
  ASSERT_TRUE(state::trust(places, file, "[git]\nhooks = true\n"));
  auto layers = load();
  ASSERT_TRUE(layers && layers->policy);
  EXPECT_TRUE(layers->policy->git.hooks.on);
  EXPECT_EQ(layers->policy->git.hooks.origin.layer, policy::Layer::workspace);
  EXPECT_FALSE(state::is_trusted(places, file, "[git]\nhooks = true\n\n"));
  EXPECT_FALSE(state::is_trusted(places, root + "/other/.ringwall.toml", "[git]\nhooks = true\n"));
  ASSERT_TRUE(state::revoke_trust(places, file).value_or(false));
  EXPECT_FALSE(load()->policy.has_value());
  EXPECT_FALSE(state::revoke_trust(places, file).value_or(true));
}

}  // namespace
}  // namespace ringwall::prepare
