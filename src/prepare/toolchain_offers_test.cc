#include "prepare/toolchain_offers.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace ringwall::prepare {
namespace {

using policy::Profile;

class TempFolder {
 public:
  TempFolder() {
    char name[] = "/tmp/ringwall-unit-offers.XXXXXX";
    path = mkdtemp(name);
  }
  ~TempFolder() { std::filesystem::remove_all(path); }
  void touch(const std::string& name) { std::ofstream(path + "/" + name).put(' '); }

  std::string path;
};

std::vector<std::string> names(const std::vector<const Profile*>& profiles) {
  std::vector<std::string> out;
  for (const Profile* profile : profiles)
    out.emplace_back(profile->name);
  return out;
}

std::string name_of_variable(const policy::Setting& setting) {
  const auto& text = std::get<std::string>(setting.value);
  return text.substr(0, text.find('='));
}

}  // namespace

TEST(ToolchainOffers, EveryToolchainIsKnownByItsFiles) {
  for (const Profile& profile : policy::profiles()) {
    if (profile.kind() != Profile::Kind::toolchain) continue;
    for (const std::string& file : profile.words("workspace")) {
      TempFolder workspace;
      EXPECT_TRUE(recognise_toolchains(workspace.path).empty());
      workspace.touch(file);
      EXPECT_EQ(names(recognise_toolchains(workspace.path)),
                std::vector<std::string>{std::string(profile.name)});
    }
  }
  EXPECT_TRUE(recognise_toolchains("/nonexistent").empty());
}

TEST(ToolchainOffers, GitIsNeverChosenByARepository) {
  EXPECT_TRUE(policy::profile_by_name("git")->words("workspace").empty());
}

// A repository chooses the profile: whoever adds a variable has to think of that.
TEST(ToolchainOffers, OnlyVariablesThatSwitchSomethingOffNeedNoWord) {
  std::set<std::string> set;
  for (const Profile& profile : policy::profiles()) {
    if (profile.kind() != Profile::Kind::toolchain) continue;
    policy::LoadedText loaded = policy::load_profile(profile, "/home/u");
    size_t all = loaded.text.settings.size();
    Offer offer = take_offer(profile, loaded.text);
    EXPECT_EQ(offer.settings.size() + loaded.text.settings.size(), all);
    for (const policy::Setting& setting : loaded.text.settings) {
      EXPECT_EQ(setting.field->key, "environment.set") << profile.name;
      set.insert(name_of_variable(setting));
    }
    for (const policy::Setting& setting : offer.settings) {
      bool known = setting.field->key == "network.allow" || setting.field->key == "home.caches";
      EXPECT_TRUE(known) << profile.name << ": " << setting.field->key;
    }
  }
  EXPECT_EQ(set, (std::set<std::string>{"GOTOOLCHAIN", "PIP_DISABLE_PIP_VERSION_CHECK",
                                        "YARN_ENABLE_SCRIPTS", "npm_config_ignore_scripts",
                                        "npm_config_min_release_age",
                                        "pnpm_config_minimum_release_age"}));
}

TEST(ToolchainOffers, AnyOtherOfferHasAnotherDigest) {
  auto digest_of = [](std::string_view text) {
    Profile profile{"x", text};
    policy::LoadedText loaded = policy::load_profile(profile, "/home/u");
    return take_offer(profile, loaded.text).digest();
  };
  std::string one = digest_of("# toolchain: X\n[network]\nallow = [\"a.example\"]\n");
  EXPECT_EQ(one, digest_of("# toolchain: Y\n\n[network]\nallow = [\"a.example\"]\n"));
  EXPECT_NE(one, digest_of("# toolchain: X\n[network]\nallow = [\"b.example\"]\n"));
  EXPECT_NE(one, digest_of("# toolchain: X\n[network]\nallow = [\"a.example\", \"c.example\"]\n"));
}

}  // namespace ringwall::prepare
