// The words of a short seccomp filter that is written by hand: for helpers, and for the calls that
// the exec stop looks at.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#include <cstdint>

namespace ringwall::calls::filter_words {

inline sock_filter statement(int code, uint32_t value) {
  return {static_cast<uint16_t>(code), 0, 0, value};
}
inline sock_filter jump(int test, uint32_t value, uint8_t yes, uint8_t no) {
  return {static_cast<uint16_t>(BPF_JMP | test | BPF_K), yes, no, value};
}
inline sock_filter load(size_t offset) {
  return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
}
inline sock_filter give(uint32_t what) { return statement(BPF_RET | BPF_K, what); }
// Where the lower half of an argument lies.
inline size_t argument(size_t index) {
  return offsetof(seccomp_data, args) + index * sizeof(uint64_t);
}

}  // namespace ringwall::calls::filter_words
