#include "calls/allowed_numbers.h"

#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <stddef.h>

#include <algorithm>

#include "calls/filter_compile.h"
#include "calls/filter_words.h"

namespace ringwall::calls {
namespace {

constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | 1;

std::vector<sock_filter> filter_of(const std::vector<int>& numbers) {
  std::vector<sock_filter> code = {filter_words::load(offsetof(seccomp_data, nr))};
  allow_numbers(code, numbers, kRefuse);
  return code;
}

void expect_exactly(const std::vector<int>& numbers) {
  std::vector<sock_filter> code = filter_of(numbers);
  for (int number = -2; number < 1100; number++) {
    seccomp_data call{};
    call.nr = number;
    bool is_listed = std::find(numbers.begin(), numbers.end(), number) != numbers.end();
    EXPECT_EQ(evaluate_syscall_filter(code, call), is_listed ? SECCOMP_RET_ALLOW : kRefuse)
        << number;
  }
}

TEST(AllowedNumbers, AreThoseOfTheListAndNoOther) {
  expect_exactly({0, 1, 3, 45, 46, 47, 257, 451});
  expect_exactly({451, 7, 6, 5, 232, 8});
  expect_exactly({12});
  expect_exactly({0});
  expect_exactly({});
}

TEST(AllowedNumbers, MayBeListedTwice) { expect_exactly({5, 6, 5, 9, 9, 6}); }

// Every jump of such a filter is at most 255 long: more would be cut off silently.
TEST(AllowedNumbers, CanBeManyAndScattered) {
  std::vector<int> scattered;
  for (int number = 0; number < 200; number += 2)
    scattered.push_back(number);
  expect_exactly(scattered);
}

TEST(AllowedNumbers, AreFoundInAFewSteps) {
  std::vector<int> numbers;
  for (int number = 0; number < 120; number += 2)
    numbers.push_back(number);
  EXPECT_LT(filter_of(numbers).size(), 250u);
}

}  // namespace
}  // namespace ringwall::calls
