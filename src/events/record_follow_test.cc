#include "events/record_follow.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "events/record_store.h"

namespace ringwall::events {
namespace {

namespace fs = std::filesystem;

class RecordFollow : public testing::Test {
 protected:
  void SetUp() override {
    state_ = fs::temp_directory_path() / ("follow" + std::to_string(getpid()));
    fs::create_directories(records_folder(state_));
  }
  void TearDown() override { fs::remove_all(state_); }

  void append(unsigned segment, const std::string& text) {
    std::ofstream(fs::path(records_folder(state_)) / segment_name("run@1", segment), std::ios::app)
        << text;
  }

  static std::string read(RecordReader& reader) {
    std::string lines;
    reader.read([&](std::string_view line) { lines += std::string(line) + ";"; });
    return lines;
  }

  std::string state_;
};

TEST_F(RecordFollow, TheTailBeginsWithAWholeLine) {
  append(1, "first\n");
  append(2, "second\nthird\nfourth\n");
  RecordReader reader(state_, "run@1");
  reader.skip_to_last(10);
  EXPECT_EQ(read(reader), "fourth;");
  append(2, "fif");
  EXPECT_EQ(read(reader), "");
  append(2, "th\n");
  append(3, "sixth\n");
  EXPECT_EQ(read(reader), "fifth;sixth;");
}

TEST_F(RecordFollow, AShortRecordIsAllTail) {
  append(1, "first\nsecond\n");
  RecordReader reader(state_, "run@1");
  reader.skip_to_last(1000);
  EXPECT_EQ(read(reader), "first;second;");
}

TEST_F(RecordFollow, ARecordThatIsNotThereHasNoLines) {
  RecordReader reader(state_, "run@1");
  reader.skip_to_last(1000);
  EXPECT_EQ(read(reader), "");
}

}  // namespace
}  // namespace ringwall::events
