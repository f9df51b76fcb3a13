#include "base/channel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/file.h"

namespace ringwall::channel {

TEST(Channel, CarriesBytesAndDescriptors) {
  auto pair = make_pair();
  ASSERT_TRUE(pair);
  auto file = memory_file("hello");
  ASSERT_TRUE(file);
  int fds[] = {file->get()};
  ASSERT_TRUE(send(pair->ours.get(), "with a file", fds));
  auto message = receive(pair->theirs.get());
  ASSERT_TRUE(message);
  EXPECT_EQ(message->bytes, "with a file");
  ASSERT_EQ(message->fds.size(), 1u);
  EXPECT_EQ(read_memory_file(message->fds[0].get(), 100).value(), "hello");
}

TEST(Channel, EndIsAnEmptyMessage) {
  auto pair = make_pair();
  pair->ours.close();
  auto message = receive(pair->theirs.get());
  ASSERT_TRUE(message);
  EXPECT_TRUE(message->bytes.empty());
}

TEST(Channel, WaitsUntilTheOtherEndIsGone) {
  auto pair = make_pair();
  ASSERT_TRUE(send(pair->ours.get(), "what nobody reads"));
  std::atomic<bool> is_closed = false;
  std::jthread other([&] {
    is_closed = true;
    pair->ours.close();
  });
  wait_until_closed(pair->theirs.get());
  EXPECT_TRUE(is_closed);
}

TEST(Channel, RefusesWhatIsTooLong) {
  auto pair = make_pair();
  ASSERT_TRUE(send(pair->ours.get(), std::string(kMostBytes + 1, 'x')));
  EXPECT_FALSE(receive(pair->theirs.get()));
  auto file = memory_file(std::string(101, 'x'));
  EXPECT_FALSE(read_memory_file(file->get(), 100));
}

TEST(Channel, MemoryFileCannotBeChanged) {
  auto file = memory_file("hello");
  EXPECT_FALSE(file::write_all(file->get(), "x"));
}

}  // namespace ringwall::channel
