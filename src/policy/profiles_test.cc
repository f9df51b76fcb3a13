#include "policy/profiles.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "policy/merge.h"

namespace ringwall::policy {

TEST(Profiles, EveryOneIsSound) {
  ASSERT_FALSE(profiles().empty());
  for (const Profile& profile : profiles()) {
    LoadedText loaded = load_profile(profile, "/home/u");
    for (const Diagnostic& found : loaded.diagnostics)
      ADD_FAILURE() << found.place << ": " << found.what;
    EXPECT_EQ(loaded.text.layer, Layer::profile);
    EXPECT_TRUE(merge({&loaded.text, 1}).refusals.empty()) << profile.name;
    EXPECT_FALSE(profile.description().empty()) << profile.name;
    bool said = profile.text.starts_with("# agent: ") || profile.text.starts_with("# toolchain: ");
    EXPECT_TRUE(said) << profile.name << " does not begin with its kind";
    for (const Setting& setting : loaded.text.settings) {
      // A profile that chose others, or what the run may change, would be judged too late.
      for (std::string_view key : {"run.", "files.write", "files.workspace"})
        EXPECT_FALSE(setting.field->key.starts_with(key)) << profile.name;
    }
  }
}

TEST(Profiles, TheAgentsAreThere) {
  for (const char* name :
       {"claude", "codex", "gemini", "opencode", "copilot", "aider", "goose", "generic"}) {
    const Profile* profile = profile_by_name(name);
    ASSERT_NE(profile, nullptr) << name;
    EXPECT_EQ(profile->kind(), Profile::Kind::agent);
  }
  EXPECT_EQ(profile_by_name("nothing"), nullptr);
  EXPECT_TRUE(profile_by_name("generic")->words("programs").empty());
}

TEST(Profiles, TheWordsOfTheFirstCommentsAreRead) {
  Profile profile{"x", "# toolchain: Some Tool\n# programs: a b\n# other: c\n\n# late: d\n"};
  EXPECT_EQ(profile.kind(), Profile::Kind::toolchain);
  EXPECT_EQ(profile.description(), "Some Tool");
  EXPECT_EQ(profile.words("programs"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(profile.words("other"), std::vector<std::string>{"c"});
  EXPECT_TRUE(profile.words("late").empty());
  EXPECT_TRUE(profile.words("prog").empty());
  EXPECT_TRUE((Profile{"x", ""}.words("programs").empty()));
}

TEST(Profiles, AnEntryNamesItsProfileAndLine) {
  LoadedText loaded = load_profile({"x", "# agent: X\n[git]\nhooks = true\n"}, "/home/u");
  ASSERT_EQ(loaded.text.settings.size(), 1u);
  EXPECT_EQ(loaded.text.settings[0].origin.text(), "profile x:3");
}

TEST(Profiles, AnUnknownNameIsAMistakeWithASuggestion) {
  Source source{{Layer::command_line, "--profile"}, "/", "/home/u"};
  const Field& field = *field_by_key("run.profiles");
  EXPECT_TRUE(check_text(field, "claude", source));
  auto near = check_text(field, "claud", source);
  ASSERT_FALSE(near);
  EXPECT_NE(near.error().hint.find("claude"), std::string::npos);
  auto far = check_text(field, "zzzzzzzzzz", source);
  ASSERT_FALSE(far);
  EXPECT_NE(far.error().hint.find("known are: "), std::string::npos);
}

}  // namespace ringwall::policy
