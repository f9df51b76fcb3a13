// Every signal of the table comes from a real event of the record, and nothing else counts.
#include "risk/signals.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "events/event.h"
#include "events/refused_place.h"

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
      {Id::unheard_refusals, ToolNoise{"a", 500, {{"refused", 20}}}},
      {Id::refused_destination, Blocked{"a", "x.com:443", "curl", "no", "", 3}},
      {Id::refused_address, Blocked{"a", "192.0.2.1:22", "curl", "no", "", 3}},
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
      {Id::first_upload, Sent{"a", "x.com:443", 5'000, 5'000, false}},
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
  auto trial = [](const char* act) {
    std::string line = events::to_json(events::Controlled{"a", act, {}, "me"});
    return read_signals(line, [](const Heard&) {});
  };
  EXPECT_EQ(trial("probe"), Trial::begins);
  EXPECT_EQ(trial("probes done"), Trial::ends);
  EXPECT_EQ(trial("exec"), Trial::none);
}

TEST(RiskSignals, NamesAndAddressesAreToldApart) {
  auto is_address = [](const char* where) {
    return read(events::Blocked{"a", where, "", "no", ""}).contains(SignalId::refused_address);
  };
  for (const char* where : {"10.1.2.3:22", "[2001:db8::1]:443", "10.1.2.3"})
    EXPECT_TRUE(is_address(where)) << where;
  for (const char* where : {"x.com:443", "x.com", "1.2.3.4.nip.io:80", "your ssh-agent", ""})
    EXPECT_FALSE(is_address(where)) << where;
}

// Many names within TLS to one granted host are many things, in whatever line they stand.
TEST(RiskSignals, WhatTheBytesAskForIsTheKey) {
  auto key_of = [](const std::string& name) {
    events::Blocked blocked{"a", "x.com:443", "", "the ClientHello asks for " + name, ""};
    blocked.by_content = true;
    return read(blocked)[SignalId::refused_address].key;
  };
  EXPECT_NE(key_of("one.example"), key_of("two.example"));
  std::string place = events::name_content("x.com:443", "the ClientHello asks for one.example");
  events::BlockedMany many{"a", {place}, 1};
  EXPECT_EQ(read(many)[SignalId::refused_address].key, key_of("one.example"));
}

TEST(RiskSignals, PlantedFilesOfOneRuleAreOneThing) {
  auto key_of = [](const char* path, const char* rule) {
    return read(events::Planted{"a", path, rule, "w", "1"})[SignalId::quarantined_file].key;
  };
  EXPECT_EQ(key_of(".git/hooks/a", "hooks"), key_of(".git/hooks/b", "hooks"));
  EXPECT_NE(key_of(".git/hooks/a", "hooks"), key_of(".vscode/tasks.json", "editors"));
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
