// Every signal of the table comes from a real event of the record, and nothing else counts.
#include "risk/signals.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "events/event.h"

namespace ringwall::risk {
namespace {

std::map<SignalId, Heard> read(const std::string& line) {
  std::map<SignalId, Heard> out;
  read_signals(line, [&](const Heard& heard) { out[heard.id] = heard; });
  return out;
}

std::map<SignalId, Heard> read(const events::Event& event) { return read(events::to_json(event)); }

TEST(RiskSignals, StandInTheOrderOfTheirNumbers) {
  for (size_t i = 0; i < signals().size(); i++)
    EXPECT_EQ(static_cast<size_t>(signals()[i].id), i);
}

TEST(RiskSignals, EachComesFromAnEvent) {
  using namespace events;
  using Id = SignalId;
  const std::pair<Id, Event> kRows[] = {
      {Id::destructive_call,
       ToolRefused{"a", "claude", "Bash", "rm -rf /", "r", "w", "destructive-files"}},
      {Id::credentials_call,
       ToolRefused{"a", "claude", "Read", "~/.ssh/id", "r", "w", "credentials"}},
      {Id::secret_wanted, ToolRefused{"a", "claude", "Read", "~/.ssh/id", "r", "w", "credentials"}},
      {Id::self_change_call,
       ToolRefused{"a", "claude", "Edit", "x", "r", "w", "self-modification"}},
      {Id::refused_call, ToolRefused{"a", "claude", "Bash", "make", "r", "w"}},
      {Id::refused_file, ToolRefused{"a", "claude", "Read", "/etc/shadow", "r", "w"}},
      {Id::denied_again, ToolRefused{"a", "claude", "Bash", "make", "r", "w"}},
      {Id::hidden_instructions, ResultFinding{"a", "claude", "WebFetch", "tag characters", "x", 9}},
      {Id::secret_in_result, ResultFinding{"a", "claude", "Bash", "secret", "env", 0}},
      {Id::rejected_by_person, Answered{"a", 1, "x.com:443", "rejected", "once", "me"}},
      {Id::many_deletions,
       LimitReached{"a", "deleted_share", LimitReached::Then::paused, "w", "--deleted-share"}},
      {Id::refused_destination, Blocked{"a", "x.com:443", "curl", "no", "", 3}},
      {Id::refused_program, RefusedProgram{.run = "a", .digest = "d", .path = "/tmp/x"}},
      {Id::quarantined_file, Planted{"a", ".git/hooks/x", "r", "w", "1"}},
      {Id::uncounted_refusals, RecordGap{"a", "too many", 9, 5}},
      {Id::failed_call, ToolFailed{"a", "claude", "Bash", "make"}},
      {Id::subagent, SubagentStarted{"a", "claude", "Explore"}},
      {Id::process_burst, ProcessBurst{"a", 2048}},
      {Id::limit_reached, LimitReached{"a", "memory", LimitReached::Then::paused, "w", "--memory"}},
      {Id::hook_flood, ToolNoise{"a", 500}},
      {Id::hidden_file, HiddenFile{"a", "claude", "Read", "/w/.env"}},
      {Id::new_destination, Connected{"a", "x.com:443", "x.com", 1}},
      {Id::connection, Connected{"a", "x.com:443", "x.com", 1}},
      {Id::upload, Sent{"a", "x.com:443", 40'000, 40'000, false}},
  };
  std::set<Id> seen;
  for (const auto& [id, event] : kRows) {
    EXPECT_TRUE(read(event).contains(id)) << signal_of(id).name;
    seen.insert(id);
  }
  EXPECT_EQ(seen.size(), signals().size()) << "a signal without a row here";
}

TEST(RiskSignals, OrdinaryEventsDoNotCount) {
  using namespace events;
  const Event kEvents[] = {
      RunStarted{},   RunEnded{},         Withheld{},
      FilesHidden{},  NetworkUse{},       Detached{},
      Asked{},        PolicyChanged{},    Controlled{},
      RecordMended{}, FirstSeenProgram{}, ToolJudged{},
      FilesChanged{}, KeptForUndo{},      RepositoryNews{},
      RiskLevel{},    RiskLowered{},      Answered{"a", 1, "x.com:443", "approved", "once", "me"}};
  for (const Event& event : kEvents)
    EXPECT_TRUE(read(event).empty()) << to_json(event);
}

TEST(RiskSignals, WhatALevelRefusesDoesNotLeadToTheNext) {
  EXPECT_TRUE(read(events::Blocked{"a", "x.com:443", "", "restricted", "", 1, true}).empty());
  events::RefusedProgram program{.run = "a", .path = "/bin/x"};
  program.by_risk = true;
  EXPECT_TRUE(read(program).empty());
}

TEST(RiskSignals, ManyInOneLineAreAllHeard) {
  int count = 0;
  std::string line =
      events::to_json(events::BlockedMany{"a", {"a.com:1", "b.com:1", "c.com:1"}, 9});
  read_signals(line, [&](const Heard&) { count++; });
  EXPECT_EQ(count, 3);
  events::BlockedMany many{"a", {}, 200};
  for (int i = 0; i < 200; i++)
    many.destinations.push_back(std::string(200, 'x') + std::to_string(i) + ".example.com:443");
  count = 0;
  read_signals(events::to_json(many), [&](const Heard&) { count++; });
  EXPECT_EQ(count, 200);  // longer than the room that a line usually needs
}

// Small ones are as much as a large one, and what a profile expects is little.
TEST(RiskSignals, BytesAddUp) {
  uint64_t units = 0;
  for (uint64_t total = 1'000; total <= 1'000'000; total += 1'000) {
    auto heard = read(events::Sent{"a", "x.com:443", 1'000, total, false});
    if (heard.contains(SignalId::upload)) units += heard[SignalId::upload].times;
  }
  EXPECT_EQ(units, 1'000'000 / (16 << 10));
  auto once = read(events::Sent{"a", "x.com:443", 1'000'000, 1'000'000, false});
  EXPECT_EQ(once[SignalId::upload].times, units);
  EXPECT_TRUE(read(events::Sent{"a", "x.com:443", 1'000'000, 1'000'000, true}).empty());
}

TEST(RiskSignals, WhatThePersonHasTriedIsKnown) {
  auto nothing = [](const Heard&) {};
  EXPECT_TRUE(read_signals(events::to_json(events::Controlled{"a", "probe", {}, "me"}), nothing));
  EXPECT_FALSE(read_signals(events::to_json(events::Controlled{"a", "exec", {}, "me"}), nothing));
}

TEST(RiskSignals, NonsenseIsPassedOver) {
  for (const char* line : {"", "{", "[]", "3", "{}", R"({"event":7})", R"({"event":"blocked"})",
                           R"({"event":"blocked_many","destinations":7})",
                           R"({"event":"sent","bytes":-5,"destination":[]})"})
    read(line);  // does not fall over
  EXPECT_EQ(read(R"({"event":"sent","bytes":-5})").size(), 0u);
}

}  // namespace
}  // namespace ringwall::risk
