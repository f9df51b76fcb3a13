#include "session/listeners.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "base/pipe.h"

namespace ringwall::session {
namespace {

std::string words(const events::Event& event) {
  const auto* withheld = std::get_if<events::Withheld>(&event);
  return withheld != nullptr ? withheld->what + "\n" : "";
}

std::string read_what_is_there(int fd) {
  fcntl(fd, F_SETFL, O_NONBLOCK);
  std::string all(4 << 20, 0);
  ssize_t count = read(fd, all.data(), all.size());
  all.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return all;
}

std::string read_all(Listeners& listeners, int fd) {
  std::string all, more;
  do {
    more = read_what_is_there(fd);
    all += more;
    listeners.flush();
  } while (!more.empty());
  return all;
}

class ListenersTest : public testing::Test {
 protected:
  void SetUp() override { signal(SIGPIPE, SIG_IGN); }

  Pipe pipe_ = make_pipe().value();
  Listeners listeners_{pipe_.write.get(), words};
};

TEST_F(ListenersTest, GetsALineAtOnce) {
  listeners_.tell(events::Withheld{"one", ""});
  listeners_.tell(events::RunEnded{"run", 0});
  EXPECT_EQ(read_what_is_there(pipe_.read.get()), "one\n");
}

TEST_F(ListenersTest, WhoReadsLaterReadsInOrder) {
  std::string expected;
  for (int i = 0; i < 2000; i++) {
    std::string line = std::to_string(i) + std::string(90, '.');
    listeners_.tell(events::Withheld{line, ""});
    expected += line + "\n";
  }
  EXPECT_EQ(read_all(listeners_, pipe_.read.get()), expected);
}

TEST_F(ListenersTest, WhatNobodyReadsIsCounted) {
  constexpr int kTold = 10'000;
  for (int i = 0; i < kTold; i++)
    listeners_.tell(events::Withheld{std::string(99, '.'), ""});
  std::string read = read_all(listeners_, pipe_.read.get());
  auto shown = static_cast<size_t>(std::ranges::count(read, '\n')) - 1;
  EXPECT_GT(shown, 2000u);
  EXPECT_LT(shown, 5000u);
  EXPECT_TRUE(read.contains("\n" + std::to_string(kTold - shown) + " more messages")) << shown;
  listeners_.tell(events::Withheld{"later", ""});
  EXPECT_EQ(read_what_is_there(pipe_.read.get()), "later\n");
}

TEST_F(ListenersTest, WhoIsGoneIsForgotten) {
  Pipe other = make_pipe().value();
  listeners_.add(std::move(other.write));
  listeners_.tell(events::Withheld{"both", ""});
  EXPECT_EQ(read_what_is_there(other.read.get()), "ringwall: both\n");
  other.read.close();
  listeners_.tell(events::Withheld{"one", ""});
  EXPECT_EQ(read_what_is_there(pipe_.read.get()), "both\none\n");
}

TEST_F(ListenersTest, TheEndDoesNotWaitForWhoDoesNotRead) {
  listeners_.show(std::string(100'000, '.'));
  std::vector<pollfd> waits;
  listeners_.add_waits(waits);
  EXPECT_EQ(waits.size(), 1u);
  listeners_.finish(-1, 10);
  waits.clear();
  listeners_.add_waits(waits);
  EXPECT_TRUE(waits.empty());
}

}  // namespace
}  // namespace ringwall::session
