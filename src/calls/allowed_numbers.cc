#include "calls/allowed_numbers.h"

#include <algorithm>
#include <span>

#include "calls/filter_words.h"

namespace ringwall::calls {
namespace {

using namespace filter_words;

// From this number on, up to the next step.
struct Step {
  uint32_t first;
  uint32_t result;
};

std::vector<Step> steps_of(std::vector<int> numbers, uint32_t otherwise) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<Step> steps = {{0, otherwise}};
  for (int number : numbers) {
    auto first = static_cast<uint32_t>(number);
    // One that follows the last makes the same step longer.
    if (steps.back().first == first) steps.pop_back();
    bool goes_on = !steps.empty() && steps.back().result == SECCOMP_RET_ALLOW;
    if (!goes_on) steps.push_back({first, SECCOMP_RET_ALLOW});
    steps.push_back({first + 1, otherwise});
  }
  return steps;
}

std::vector<sock_filter> search(std::span<const Step> steps) {
  if (steps.size() == 1) return {give(steps[0].result)};
  size_t middle = steps.size() / 2;
  std::vector<sock_filter> low = search(steps.first(middle));
  std::vector<sock_filter> high = search(steps.subspan(middle));
  std::vector<sock_filter> code = {
      jump(BPF_JGE, steps[middle].first, static_cast<uint8_t>(low.size()), 0)};
  code.insert(code.end(), low.begin(), low.end());
  code.insert(code.end(), high.begin(), high.end());
  return code;
}

}  // namespace

void allow_numbers(std::vector<sock_filter>& code, std::vector<int> numbers, uint32_t otherwise) {
  std::vector<sock_filter> found = search(steps_of(std::move(numbers), otherwise));
  code.insert(code.end(), found.begin(), found.end());
}

}  // namespace ringwall::calls
