// Which connections the kernel refused by the sandbox's own rules, before anybody was asked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/addresses.h"

namespace ringwall::net {

struct KernelRefusal {
  Address address;
  uint16_t port = 0;
  uint64_t times = 0;
  std::string key;  // as the kernel knows it
};

// `rules`: a socket of netfilter in the sandbox's network namespace. Not all, if they are many.
Result<std::vector<KernelRefusal>> read_kernel_refusals(int rules);

// Those were told of: the kernel has room for others.
Status forget_kernel_refusals(int rules, const std::vector<KernelRefusal>& told);

// What netfilter answers, one or more messages; true if it was the last.
Result<bool> parse_kernel_refusals(std::string_view answer, std::vector<KernelRefusal>& found);

}  // namespace ringwall::net
