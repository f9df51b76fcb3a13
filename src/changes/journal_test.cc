#include "changes/journal.h"

#include "changes/changes_testing.h"

namespace ringwall::changes {
namespace {

Plan make_plan() {
  EntryFacts facts{EntryType::file, 0644, 1, 2, 3, UINT64_MAX, -5, 7, S_IFREG};
  return {9,
          10,
          ".staging",
          true,
          false,
          {{"a\xff\n b", EntryType::file, 0755, -1, false, 11, facts},
           {"b", EntryType::none, 0, 0, false, 0, facts},
           {"c", EntryType::folder, 0700, 3, true, 0, {}}}};
}

TEST(Journal, IsReadAsItWasWritten) {
  TemporaryFolder top;
  Fd journal = open_folder(top.path());
  EXPECT_FALSE(read_plan(journal.get())->has_value());
  Plan plan = make_plan();
  ASSERT_TRUE(write_plan(journal.get(), plan));
  EXPECT_EQ(**read_plan(journal.get()), plan);
  Report report{{"a\n", Outcome::conflict, EntryType::link, 4, plan.steps[0].expected, "12", "why"},
                {"", Outcome::done, EntryType::none, 0, {}, "", ""}};
  ASSERT_TRUE(write_report(journal.get(), report));
  EXPECT_EQ(**find_report(journal.get()), report);
  EXPECT_EQ(*read_staging_name(journal.get()), "");
}

TEST(Journal, DamageIsSeen) {
  std::string text = encode(make_plan());
  ASSERT_TRUE(parse_plan(text));
  for (size_t cut = 0; cut < text.size(); cut++)
    EXPECT_FALSE(parse_plan(text.substr(0, cut)));
  for (size_t at = 0; at < text.size(); at++) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_FALSE(parse_plan(damaged)) << at;
  }
  EXPECT_FALSE(parse_report(text));
}

}  // namespace
}  // namespace ringwall::changes
