#include "events/record_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "base/file.h"
#include "base/tree.h"
#include "events/record_check.h"
#include "events/record_store.h"

namespace ringwall::events {
namespace {

// A limit for files stands for a disk that is full.
class SmallDisk {
 public:
  SmallDisk() {
    signal(SIGXFSZ, SIG_IGN);
    EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
    rlimit small = before_;
    small.rlim_cur = 700;
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  }
  void grow() { EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &before_), 0); }

 private:
  rlimit before_{};
};

class RecordFiles : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/ringwall-unit-record-XXXXXX";
    state_ = mkdtemp(pattern);
  }
  void TearDown() override {
    auto parent = file::open("/tmp", O_RDONLY | O_DIRECTORY);
    ASSERT_TRUE(parent && tree::remove_at(parent->get(), state_.substr(5)));
  }
  static void add(RecordFile& record, int count) {
    for (int i = 0; i < count; i++)
      record.add({1, 1}, "{\"event\":\"x\"}", i % 2 == 0 ? 1 : 0);
  }
  std::string check(const std::string& id) {
    auto read = read_record(state_, id);
    if (!read) return read.error().text();
    RecordCheck check = check_record(read->text, read->head, read->goes_on);
    std::string out = std::to_string(check.lines);
    for (const Finding& finding : check.findings)
      out += "; " + finding.text();
    return out;
  }
  std::string path(const std::string& name) { return state_ + "/records/" + name; }

  std::string state_;
};

}  // namespace

TEST_F(RecordFiles, AreWrittenReadAndClosed) {
  auto record = RecordFile::create(state_, "app-1@20260131T090000Z-7", 1 << 20);
  ASSERT_TRUE(record);
  add(*record, 5);
  ASSERT_TRUE(record->write());
  EXPECT_TRUE(is_going_on(state_, "app-1@20260131T090000Z-7"));
  EXPECT_EQ(check("app-1@20260131T090000Z-7"), "5");
  add(*record, 2);
  ASSERT_TRUE(record->close());
  EXPECT_FALSE(is_going_on(state_, "app-1@20260131T090000Z-7"));
  EXPECT_EQ(check("app-1@20260131T090000Z-7"), "7");
  EXPECT_EQ(read_head(state_, "app-1@20260131T090000Z-7")->refusals, 4u);
}

TEST_F(RecordFiles, BeginANewFileWhenOneIsLarge) {
  auto record = RecordFile::create(state_, "a@20260131T090000Z-7", 500);
  ASSERT_TRUE(record);
  for (int i = 0; i < 10; i++) {
    add(*record, 2);
    ASSERT_TRUE(record->write());
  }
  EXPECT_GT(record_paths(state_, "a@20260131T090000Z-7").size(), 3u);
  ASSERT_TRUE(record->close());
  EXPECT_EQ(check("a@20260131T090000Z-7"), "20");
}

TEST_F(RecordFiles, AreFoundByNameNewestFirst) {
  for (const char* id : {"a@20260131T090000Z-7", "b@20260131T090001Z-8", "a@20260131T090002Z-9"}) {
    auto record = RecordFile::create(state_, id, 1 << 20);
    ASSERT_TRUE(record && record->close());
  }
  EXPECT_EQ(find_record(state_, "a")->id, "a@20260131T090002Z-9");
  EXPECT_EQ(find_record(state_, "")->id, "a@20260131T090002Z-9");
  EXPECT_EQ(find_record(state_, "b")->started, 1769850001);
  EXPECT_EQ(find_record(state_, "a@20260131T090000Z-7")->run, "a");
  EXPECT_FALSE(find_record(state_, "c"));
  EXPECT_EQ(list_records(state_)->size(), 3u);
  ASSERT_TRUE(remove_record(state_, "a@20260131T090002Z-9"));
  EXPECT_EQ(find_record(state_, "a")->id, "a@20260131T090000Z-7");
}

TEST_F(RecordFiles, AreMendedAfterAKill) {
  std::string id = "a@20260131T090000Z-7";
  std::string head_path = state_ + "/heads/open/" + id;
  Head before, after;
  {
    auto record = RecordFile::create(state_, id, 1 << 20);
    ASSERT_TRUE(record);
    add(*record, 5);
    ASSERT_TRUE(record->write());
    EXPECT_FALSE(*RecordFile::reopen(state_, id));  // its supervisor is there
    before = *parse_head(*file::read(head_path));
    add(*record, 3);
    ASSERT_TRUE(record->write());
    after = *parse_head(*file::read(head_path));
  }
  // Killed while it wrote three lines, of which two are whole.
  std::string text = *file::read(path(id + ".jsonl"));
  ASSERT_EQ(truncate(path(id + ".jsonl").c_str(), static_cast<off_t>(text.size() - 20)), 0);
  EXPECT_EQ(after.written.hash, before.last.hash);
  auto reopened = RecordFile::reopen(state_, id);
  ASSERT_TRUE(reopened && *reopened);
  EXPECT_GT((*reopened)->cut_bytes, 100u);  // all that the head could not vouch for
  EXPECT_TRUE((*reopened)->last_line.starts_with("{\"n\":5,"));
  add((*reopened)->record, 1);
  ASSERT_TRUE((*reopened)->record.close());
  EXPECT_EQ(check(id), "6");
  EXPECT_EQ(read_head(state_, id)->refusals, 4u);  // of the lines that are there
}

TEST_F(RecordFiles, AreMendedAfterAKillThatCameWithANewFile) {
  std::string id = "a@20260131T090000Z-7";
  for (const char* begun : {"", "{\"n\":6,\"ti"}) {
    {
      auto record = RecordFile::create(state_, id, 100);
      ASSERT_TRUE(record);
      add(*record, 5);
      ASSERT_TRUE(record->write());
    }
    if (*begun != '\0') {  // for which the head vouches already
      Head head = *read_head(state_, id);
      head.written = head.last;
      head.refusals_written = head.refusals;
      head.last = {6, std::string(kHashDigits, 'f')};
      head.refusals += 7;
      Fd file(open((state_ + "/heads/open/" + id).c_str(), O_WRONLY));
      std::string text = show_head(head);
      ASSERT_EQ(pwrite(file.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    }
    Fd next(open(path(id + ".2.jsonl").c_str(), O_WRONLY | O_CREAT, 0600));
    ASSERT_EQ(write(next.get(), begun, strlen(begun)), static_cast<ssize_t>(strlen(begun)));
    auto reopened = RecordFile::reopen(state_, id);
    ASSERT_TRUE(reopened && *reopened) << begun;
    EXPECT_EQ((*reopened)->cut_bytes, strlen(begun));
    ASSERT_TRUE((*reopened)->record.close());
    EXPECT_EQ(check(id), "5");
    EXPECT_EQ(read_head(state_, id)->refusals, 3u);
    ASSERT_TRUE(remove_record(state_, id));
  }
}

TEST_F(RecordFiles, AHeadWithoutALineIsRemoved) {
  std::string id = "a@20260131T090000Z-7";
  { ASSERT_TRUE(RecordFile::create(state_, id, 1 << 20)); }
  ASSERT_EQ(unlink(path(id + ".jsonl").c_str()), 0);
  auto reopened = RecordFile::reopen(state_, id);
  ASSERT_TRUE(reopened);
  EXPECT_FALSE(*reopened);
  EXPECT_TRUE(list_records(state_)->empty());
  EXPECT_TRUE(RecordFile::create(state_, id, 1 << 20));
}

TEST_F(RecordFiles, OneThatWasNeverBegunIsRemoved) {
  std::string id = "a@20260131T090000Z-7";
  { ASSERT_TRUE(RecordFile::create(state_, id, 1 << 20)); }
  auto reopened = RecordFile::reopen(state_, id);
  ASSERT_TRUE(reopened);
  EXPECT_FALSE(*reopened);
  EXPECT_TRUE(list_records(state_)->empty());
  EXPECT_FALSE(file::exists(path(id + ".jsonl")));
  EXPECT_TRUE(RecordFile::create(state_, id, 1 << 20));
}

TEST_F(RecordFiles, OfAKilledRunTakeNoLineOfOthers) {
  std::string id = "a@20260131T090000Z-7";
  {
    auto record = RecordFile::create(state_, id, 1 << 20);
    ASSERT_TRUE(record);
    add(*record, 5);
    ASSERT_TRUE(record->write());
  }
  Link last = read_head(state_, id)->last;
  std::string forged = chain_line(last, {1, 1}, "{\"event\":\"forged\"}") + "\n";
  Fd lines(open(path(id + ".jsonl").c_str(), O_WRONLY | O_APPEND));
  ASSERT_EQ(write(lines.get(), forged.data(), forged.size()), static_cast<ssize_t>(forged.size()));
  EXPECT_FALSE(RecordFile::reopen(state_, id));
  EXPECT_EQ(check(id), "6; line 6 of the file was added");
}

TEST_F(RecordFiles, WithoutAHeadAreListedAllTheSame) {
  auto record = RecordFile::create(state_, "a@20260131T090000Z-7", 1 << 20);
  ASSERT_TRUE(record);
  add(*record, 2);
  ASSERT_TRUE(record->close());
  ASSERT_EQ(unlink((state_ + "/heads/a@20260131T090000Z-7").c_str()), 0);
  ASSERT_EQ(list_records(state_)->size(), 1u);
  EXPECT_NE(check("a@20260131T090000Z-7"), "2");
}

TEST_F(RecordFiles, APipeInTheirPlaceHoldsNobodyUp) {
  ASSERT_TRUE(RecordFile::create(state_, "b@20260131T090000Z-7", 1 << 20));
  ASSERT_EQ(mkfifo((state_ + "/heads/open/a@20260131T090000Z-7").c_str(), 0600), 0);
  EXPECT_FALSE(RecordFile::reopen(state_, "a@20260131T090000Z-7"));
}

TEST_F(RecordFiles, AreNotMendedIfTheyDoNotFit) {
  std::string id = "a@20260131T090000Z-7";
  {
    auto record = RecordFile::create(state_, id, 1 << 20);
    ASSERT_TRUE(record);
    add(*record, 5);
    ASSERT_TRUE(record->write());
  }
  Fd lines(open(path(id + ".jsonl").c_str(), O_WRONLY | O_APPEND));
  ASSERT_EQ(write(lines.get(), "forged\n", 7), 7);
  EXPECT_FALSE(RecordFile::reopen(state_, id));
  EXPECT_EQ(check(id), "6; line 6 of the file was added");
}

TEST_F(RecordFiles, AFullDiskLosesNothing) {
  std::string id = "a@20260131T090000Z-7";
  auto record = RecordFile::create(state_, id, 1 << 20);
  ASSERT_TRUE(record);
  add(*record, 3);
  ASSERT_TRUE(record->write());
  SmallDisk disk;
  add(*record, 20);
  EXPECT_FALSE(record->write());
  EXPECT_GT(record->unwritten(), 0u);
  disk.grow();
  EXPECT_EQ(*record->close(), 0u);
  EXPECT_EQ(check(id), "23");
}

TEST_F(RecordFiles, WhatCannotBeWrittenInTheEndIsLeftOutAndSaid) {
  std::string id = "a@20260131T090000Z-7";
  auto record = RecordFile::create(state_, id, 1 << 20);
  ASSERT_TRUE(record);
  add(*record, 3);
  ASSERT_TRUE(record->write());
  SmallDisk disk;
  add(*record, 20);
  EXPECT_FALSE(record->write());
  EXPECT_EQ(*record->close(), 20u);
  disk.grow();
  EXPECT_EQ(check(id), "3");
  EXPECT_EQ(read_head(state_, id)->refusals, 2u);  // of the lines that are there
}

}  // namespace ringwall::events
