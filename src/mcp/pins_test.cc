#include "mcp/pins.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace ringwall::mcp {
namespace {

namespace json = boost::json;

auto tool_a(std::string_view description) {
  return define({{"name", "a"}, {"description", description}, {"inputSchema", json::object()}});
}

TEST(McpPins, TheFirstNoteCountsAndOnlyThePersonChangesIt) {
  PinNote first{PinNote::Kind::first, tool_a("one"), "", 1};
  PinNote forged{PinNote::Kind::first, tool_a("two"), "", 2};
  PinNote changed{PinNote::Kind::changed, forged.definition, "", 3};
  auto pins = Pins::read(first.line() + forged.line() + changed.line(), "");
  ASSERT_TRUE(pins);
  EXPECT_EQ(pins->look_at(first.definition), Pins::State::same);
  EXPECT_EQ(pins->look_at(forged.definition), Pins::State::changed);
  ASSERT_EQ(pins->waiting().size(), 1u);
  pins->approve(PinNote(pins->waiting().at("a")));
  auto again = Pins::read(first.line() + changed.line(), pins->approved_text());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->look_at(forged.definition), Pins::State::same);
  EXPECT_EQ(again->look_at(first.definition), Pins::State::changed);
  EXPECT_TRUE(again->waiting().empty());
}

TEST(McpPins, NotesThatAreNotWholeAreAnError) {
  PinNote note{PinNote::Kind::first, tool_a("one"), "", 1};
  std::string line = note.line();
  EXPECT_FALSE(Pins::read(line.substr(0, 20) + "\n", ""));
  size_t at = line.find("one");
  line.replace(at, 3, "two");
  EXPECT_FALSE(Pins::read(line, ""));
}

TEST(McpPins, TheOrderOfKeysIsNoChange) {
  auto one = define(json::parse(R"({"name":"a","inputSchema":{"x":1,"y":2}})").as_object());
  auto two =
      define(json::parse(R"({"inputSchema":{"y":2,"x":1},"name":"a","_meta":{}})").as_object());
  EXPECT_EQ(one.digest, two.digest);
  auto other = define(json::parse(R"({"name":"a","inputSchema":{"x":1,"y":3}})").as_object());
  EXPECT_NE(one.digest, other.digest);
  auto shown = show_difference(one.text, other.text);
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_EQ(shown[0], "- inputSchema.y: 2");
}

}  // namespace
}  // namespace ringwall::mcp
