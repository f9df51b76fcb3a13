#include "install/settings_edit.h"

#include <gtest/gtest.h>

namespace ringwall::install {
namespace {

namespace json = boost::json;

json::object parse(const char* text) { return json::parse(text).as_object(); }

std::vector<SettingsEdit> some_edits() {
  return {{.place = {"permissions", "mode"}, .value = "disable"},
          {.place = {"flag"}, .value = false},
          {.place = {"hooks", "Pre"}, .value = json::object{{"command", "x"}}, .adds = true}};
}

TEST(SettingsEdit, what_is_put_in_comes_out_again) {
  for (const char* text :
       {"{}", R"({"a":1,"z":2})", R"({"permissions":{"allow":["x"]},"flag":true})",
        R"({"hooks":{"Pre":[{"command":"mine"}],"Post":[]}})",
        R"({"hooks":{},"permissions":{}})"}) {
    auto edits = some_edits();
    auto with = put_in(parse(text), edits);
    ASSERT_TRUE(with) << text;
    EXPECT_TRUE(holds_all(*with, some_edits())) << text;
    json::object without = take_out(*with, edits);
    EXPECT_EQ(json::serialize(without), json::serialize(parse(text)));
  }
}

TEST(SettingsEdit, what_the_person_changed_since_stays) {
  auto edits = some_edits();
  json::object settings = *put_in(parse(R"({"a":1})"), edits);
  settings["a"] = 2;
  settings["flag"] = "mine";
  settings["hooks"].as_object()["Pre"].as_array().push_back("more");
  EXPECT_FALSE(holds_all(settings, some_edits()));
  EXPECT_EQ(json::serialize(take_out(settings, edits)),
            R"({"a":2,"flag":"mine","hooks":{"Pre":["more"]}})");
}

TEST(SettingsEdit, what_stands_there_already_is_nobodys_to_take_out) {
  std::vector<SettingsEdit> edits = some_edits();
  auto with = put_in(parse(R"({"flag":false})"), edits);
  EXPECT_EQ(edits.size(), 2u);
  EXPECT_EQ(json::serialize(take_out(*with, edits)), R"({"flag":false})");
}

TEST(SettingsEdit, refuses_what_is_no_object_or_list) {
  for (const char* text :
       {R"({"permissions":"all"})", R"({"hooks":[]})", R"({"hooks":{"Pre":1}})"}) {
    auto edits = some_edits();
    EXPECT_FALSE(put_in(parse(text), edits)) << text;
  }
}

TEST(SettingsEdit, is_read_back_as_it_was_written) {
  auto edits = some_edits();
  (void)put_in(parse(R"({"flag":null})"), edits);
  for (const SettingsEdit& edit : edits) {
    auto read = settings_edit_of(to_json(edit));
    ASSERT_TRUE(read);
    EXPECT_EQ(json::serialize(to_json(*read)), json::serialize(to_json(edit)));
  }
  EXPECT_FALSE(settings_edit_of(json::parse(R"({"place":[],"value":1})")));
  EXPECT_FALSE(settings_edit_of(json::parse(R"({"place":[1],"value":1})")));
}

}  // namespace
}  // namespace ringwall::install
