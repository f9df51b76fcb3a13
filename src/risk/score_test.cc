// Properties of the score, over random events: bounded, monotone, the same in any order.
#include "risk/score.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "events/event.h"
#include "risk/level.h"

namespace ringwall::risk {
namespace {

struct Entered {
  int64_t at;
  Heard heard;
};

Heard random_heard(std::mt19937& random) {
  auto id = static_cast<SignalId>(random() % signals().size());
  return {id, "key " + std::to_string(random() % 12), "shown", 1 + random() % 5, 1 + random() % 9};
}

std::vector<Entered> random_events(std::mt19937& random, size_t most, int64_t span) {
  std::vector<Entered> out;
  for (size_t count = random() % most; count > 0; count--)
    out.push_back(
        {static_cast<int64_t>(random() % static_cast<uint64_t>(span)), random_heard(random)});
  std::ranges::sort(out, {}, &Entered::at);
  return out;
}

Score score_of(const std::vector<Entered>& events) {
  Score score;
  for (const Entered& event : events)
    score.enter(event.at, event.heard);
  return score;
}

TEST(RiskScore, NothingIsNoRisk) {
  Score score;
  EXPECT_EQ(score.look(0), Reading());
  EXPECT_EQ(score.look(1'000'000'000), Reading());
}

TEST(RiskScore, StaysBetweenNothingAndOne) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; round++) {
    Score score = score_of(random_events(random, 200, 7'200'000));
    for (int64_t at : {0, 1'000'000, 7'200'000, 100'000'000}) {
      Reading reading = score.look(at);
      EXPECT_LE(reading.score, kWhole);
      for (uint32_t axis : reading.axes)
        EXPECT_LT(axis, kWhole);
    }
  }
  Score flooded;
  for (int i = 0; i < 100'000; i++)
    flooded.enter(0, {SignalId::limit_reached, std::to_string(i), "", UINT64_MAX, UINT64_MAX});
  EXPECT_LE(flooded.look(0).score, kWhole);
  EXPECT_GT(flooded.look(0).score, 999'000u);
}

TEST(RiskScore, OneMoreSignalNeverLowersIt) {
  std::mt19937 random(2);
  for (int round = 0; round < 400; round++) {
    std::vector<Entered> events = random_events(random, 60, 3'600'000);
    std::vector<Entered> more = events;
    more.push_back({static_cast<int64_t>(random() % 3'600'000), random_heard(random)});
    std::ranges::stable_sort(more, {}, &Entered::at);
    Score fewer = score_of(events), others = score_of(more);
    for (int64_t at = 3'600'000; at < 40'000'000; at += 1'234'567) {
      Reading before = fewer.look(at), after = others.look(at);
      EXPECT_GE(after.score, before.score);
      for (size_t i = 0; i < kAxes; i++)
        EXPECT_GE(after.axes[i], before.axes[i]);
    }
  }
}

TEST(RiskScore, OrderWithinAWindowDoesNotMatter) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; round++) {
    std::vector<Entered> events = random_events(random, 40, 4'000);  // less than any window
    // What differs in scale is not the same thing.
    for (Entered& event : events)
      event.heard.scale = 1;
    std::vector<Entered> shuffled = events;
    std::ranges::shuffle(shuffled, random);
    EXPECT_EQ(score_of(events).look(10'000), score_of(shuffled).look(10'000));
  }
}

TEST(RiskScore, FadesByTimeAlone) {
  std::mt19937 random(4);
  for (int round = 0; round < 100; round++) {
    Score score = score_of(random_events(random, 60, 600'000));
    Reading before = score.look(600'000);
    for (int64_t at = 660'000; at < 40'000'000; at += 60'000) {
      Reading now = score.look(at);
      EXPECT_LE(now.score, before.score);
      before = now;
    }
    EXPECT_EQ(before, Reading());
  }
}

TEST(RiskScore, HalfIsLeftAfterAHalfLife) {
  for (size_t i = 0; i < kAxes; i++) {
    DecayedSum sum(kAxisRows[i].half_life);
    sum.add(0, 64'000);
    EXPECT_EQ(sum.look(0), 64'000u);
    EXPECT_EQ(sum.look(kAxisRows[i].half_life * 1000), 32'000u);
    EXPECT_EQ(sum.look(kAxisRows[i].half_life * 3000), 8'000u);
    EXPECT_EQ(sum.look(kAxisRows[i].half_life * 8000), 0u);
  }
}

TEST(RiskScore, WhatComesLateWeighsNoLess) {
  DecayedSum late(600), intime(600);
  late.add(500'000, 1'000);
  late.add(0, 1'000);  // a clock that went back
  intime.add(500'000, 2'000);
  EXPECT_EQ(late.look(500'000), intime.look(500'000));
}

TEST(RiskScore, TheSameAgainIsBounded) {
  Score score;
  const Signal& signal = signal_of(SignalId::refused_destination);
  for (int i = 0; i < 100'000; i++)
    score.enter(0, {SignalId::refused_destination, "telemetry.example.com:443", "", 1});
  EXPECT_EQ(score.points(Account::hosts, 0), signal.first + signal.most_again);
  EXPECT_EQ(score.heaviest(0, 5).size(), 1u);
  Score at_once;
  at_once.enter(0, {SignalId::refused_destination, "telemetry.example.com:443", "", 100'000});
  EXPECT_EQ(at_once.look(0), score.look(0));
}

// Whoever does it early, to have it behind, has it before again.
TEST(RiskScore, WhatWasDoneBeforeIsNoCheaper) {
  Score early, late;
  Heard heard{SignalId::credentials_call, "key", "", 1};
  early.enter(0, heard);
  early.enter(20'000'000, heard);
  late.enter(20'000'000, heard);
  EXPECT_GE(early.look(20'000'000).score, late.look(20'000'000).score);
}

TEST(RiskScore, EverySignalIsOfOneKindOrTheOther) {
  for (const Signal& signal : signals())
    EXPECT_TRUE(signal.most_again != kEach || signal.again >= signal.first) << signal.name;
}

TEST(RiskScore, ReadAndSentTogetherAreMoreThanBothAlone) {
  Score read, sent, both;
  Heard secret{SignalId::secret_in_result, "k", "", 1};
  Heard upload{SignalId::upload, "host", "", 200};
  read.enter(0, secret);
  sent.enter(0, upload);
  both.enter(0, secret);
  both.enter(0, upload);
  EXPECT_GT(both.points(Account::taken, 0), 0u);
  auto points_at = [](const Score& score) {
    uint64_t share = score.look(0).axes[static_cast<size_t>(Axis::exposure)];
    return 60 * std::sqrt(static_cast<double>(share) / static_cast<double>(kWhole - share));
  };
  EXPECT_GT(points_at(both), 1.4 * (points_at(read) + points_at(sent)));
}

TEST(RiskScore, WhatIsReadOrSentAloneIsNoReason) {
  Score push, requests, fixtures;
  for (int i = 0; i < 100; i++)
    fixtures.enter(0, {SignalId::secret_in_result, std::to_string(i), "", 1});
  EXPECT_LT(fixtures.look(0).score, 350'000u);
  push.enter(0, {SignalId::upload, "github.com:22", "", 1'000'000});
  requests.enter(0, {SignalId::connection, "api.example.com:443", "", 1'000'000});
  EXPECT_LT(push.look(0).score, 350'000u);
  EXPECT_LT(requests.look(0).score, 350'000u);
}

TEST(RiskScore, WeightsTakeAnAxisOut) {
  Weights weights;
  weights.thousandths[static_cast<size_t>(Axis::boundary)] = 0;
  Score score(weights);
  score.enter(0, {SignalId::quarantined_file, "a", "", 1});
  EXPECT_EQ(score.look(0).score, 0u);
  EXPECT_GT(score.look(0).axes[static_cast<size_t>(Axis::boundary)], 0u);
}

TEST(RiskScore, ThePersonBeginsAnew) {
  Score score;
  score.enter(0, {SignalId::quarantined_file, "a", "", 1});
  score.forget();
  EXPECT_EQ(score.look(0), Reading());
  EXPECT_TRUE(score.heaviest(0, 5).empty());
}

TEST(RiskScore, WhatThePersonHasTriedDoesNotCount) {
  Score score;
  std::string refused = R"({"event":"blocked","destination":"x.com:443","times":1})";
  EXPECT_FALSE(score.hear(1000, R"({"event":"controlled","act":"probe","by":"me"})"));
  EXPECT_FALSE(score.hear(2000, refused));
  EXPECT_FALSE(score.hear(60'999, refused));
  EXPECT_TRUE(score.hear(61'000, refused));
  EXPECT_FALSE(score.hear(62'000, R"({"event":"controlled","act":"probe","by":"me"})"));
  EXPECT_FALSE(score.hear(63'000, refused));
  EXPECT_FALSE(score.hear(64'000, R"({"event":"controlled","act":"probes done","by":"me"})"));
  EXPECT_TRUE(score.hear(64'000, refused));
}

Level level_of(const Score& score) {
  Reading reading = score.look(0);
  return next_level(thresholds_of({}), Level::normal, reading.score, reading.seen);
}

Score enter_many(SignalId id, int count, uint64_t times = 1) {
  Score score;
  for (int i = 0; i < count; i++)
    score.enter(0, {id, std::to_string(i), "", times});
  return score;
}

// Harmless runs that were held up once: dead links, many helpers, a test that stays red.
TEST(RiskScore, WhatHarmlessWorkDoesALotOfStopsNothing) {
  EXPECT_LE(level_of(enter_many(SignalId::refused_destination, 120)), Level::restricted);
  EXPECT_LE(level_of(enter_many(SignalId::refused_destination, 10'000)), Level::restricted);
  EXPECT_LE(level_of(enter_many(SignalId::subagent, 70)), Level::restricted);
  Score red = enter_many(SignalId::subagent, 5);
  red.enter(0, {SignalId::failed_call, "make test", "", 100});
  EXPECT_LE(level_of(red), Level::restricted);
}

TEST(RiskScore, WhoScansAddressesIsStopped) {
  EXPECT_EQ(level_of(enter_many(SignalId::refused_address, 120)), Level::isolated);
}

// The broker ends a run that goes on planting; it must not stand still before that.
TEST(RiskScore, PlantingAloneDoesNotHoldARunUp) {
  Score score = enter_many(SignalId::quarantined_file, 1);
  EXPECT_GT(score.look(0).score, 0u);
  EXPECT_EQ(level_of(enter_many(SignalId::quarantined_file, 1000, 1000)), Level::restricted);
  EXPECT_EQ(level_of(enter_many(SignalId::quarantined_file, 1, 1'000'000)), Level::caution);
}

// Whatever hooks say, and however often: anything inside can say it.
TEST(RiskScore, ForgedNoticesAloneStopNothing) {
  Score score;
  for (const Signal& signal : signals()) {
    if (row_of(signal.account).is_hearsay) score.enter(0, {signal.id, "key", "", 100'000, 100});
  }
  EXPECT_GT(score.look(0).score, 990'000u);
  EXPECT_EQ(score.look(0).seen, 0u);
  EXPECT_EQ(level_of(score), Level::restricted);
  for (int i = 0; i < 10; i++)
    score.enter(0, {SignalId::refused_address, std::to_string(i), "", 1});
  EXPECT_EQ(level_of(score), Level::killed) << "what the walls see counts together with it";
}

// Five secrets and so many bytes to a host that was granted and that no profile names.
Level after_upload(uint64_t bytes) {
  Score score = enter_many(SignalId::secret_in_result, 5);
  score.hear(0, events::to_json(events::Connected{"a", "paste.example.org:443", "paste", 1}));
  for (uint64_t total = 4096; total <= bytes; total += 4096)
    score.hear(0, events::to_json(events::Sent{"a", "paste.example.org:443", 4096, total, false}));
  return level_of(score);
}

TEST(RiskScore, SmallUploadsAfterSecretsAreSeen) {
  EXPECT_EQ(after_upload(16 << 10), Level::normal);
  EXPECT_EQ(after_upload(64 << 10), Level::caution);
  EXPECT_EQ(after_upload(256 << 10), Level::restricted);
  EXPECT_EQ(after_upload(384 << 10), Level::restricted);
  EXPECT_EQ(after_upload(4 << 20), Level::isolated);
}

TEST(RiskScore, NamesTheHeaviest) {
  Score score;
  score.enter(1000, {SignalId::refused_call, "a", "ls /", 1});
  score.enter(2000, {SignalId::self_change_call, "b", "edit settings", 1});
  auto heaviest = score.heaviest(2000, 5);
  ASSERT_EQ(heaviest.size(), 2u);
  EXPECT_EQ(show(heaviest[0]), "+25.0 self-modification, at 2.0 s: edit settings");
}

// 10,000 lines a second, for ten seconds: at no time less than before, or than without them.
TEST(RiskScore, AFloodLowersNothing) {
  std::mt19937 random(5);
  Score calm, flooded;
  Reading before;
  for (int64_t second = 0; second < 10; second++) {
    for (int64_t i = 0; i < 10'000; i++) {
      int64_t at = second * 1000 + i / 10;
      Heard heard = random_heard(random);
      if (i % 1000 == 0) calm.enter(at, heard);
      flooded.enter(at, heard);
    }
    Reading now = flooded.look(second * 1000 + 999), without = calm.look(second * 1000 + 999);
    EXPECT_GE(now.score, std::max(before.score, without.score)) << second;
    for (size_t axis = 0; axis < kAxes; axis++)
      EXPECT_GE(now.axes[axis], std::max(before.axes[axis], without.axes[axis])) << second;
    before = now;
  }
}

TEST(RiskScore, AFloodKeepsWhatWasHeavy) {
  Score score;
  score.enter(0, {SignalId::self_change_call, "b", "edit settings", 1});
  for (int i = 0; i < 10'000; i++)
    score.enter(i, {SignalId::refused_destination, std::to_string(i), "", 1});
  EXPECT_EQ(score.heaviest(10'000, 1).at(0).shown, "edit settings");
}

}  // namespace
}  // namespace ringwall::risk
