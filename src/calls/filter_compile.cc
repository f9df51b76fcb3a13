#include "calls/filter_compile.h"

#include <linux/audit.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>

#include "base/text.h"
#include "calls/rules.h"

namespace ringwall::calls {
namespace {

constexpr int kHighestNumber = 1023;      // well above every number in use
constexpr uint32_t kX32Bit = 0x40000000;  // the x32 entry shares the architecture's number

uint32_t refuse_with(int err) {
  return SECCOMP_RET_ERRNO | (static_cast<uint32_t>(err) & SECCOMP_RET_DATA);
}
uint32_t outcome(int err) { return err == 0 ? SECCOMP_RET_ALLOW : refuse_with(err); }

// What to do with one number: return a fixed outcome, or look at the arguments.
struct Treatment {
  uint32_t result = refuse_with(ENOSYS);
  const FilteredCall* filtered = nullptr;
  bool operator==(const Treatment&) const = default;
};

struct Range {
  uint32_t first;
  Treatment treatment;
};

using Table = std::map<int, Treatment>;

Status put(Table& table, const NumberOf& number_of, std::string_view name, Treatment treatment) {
  int number = number_of(name);
  if (number < 0 || number > kHighestNumber) return fail("no system call " + std::string(name));
  if (!table.emplace(number, treatment).second) return fail(std::string(name) + " is listed twice");
  return {};
}

Result<Table> number_all(const NumberOf& number_of) {
  Table table;
  for (const AllowedGroup& group : allowed_groups()) {
    for (const std::string& name : text::split(group.names, ' ')) {
      TRY(put(table, number_of, name, {SECCOMP_RET_ALLOW, nullptr}));
    }
  }
  for (const RefusedCall& call : refused_calls()) {
    TRY(put(table, number_of, call.name, {refuse_with(call.err), nullptr}));
  }
  for (const FilteredCall& call : filtered_calls()) {
    TRY(put(table, number_of, call.name, {0, &call}));
  }
  return table;
}

std::vector<Range> merge_ranges(const Table& table) {
  std::vector<Range> ranges = {{0, {}}};
  for (int number = 0; number <= kHighestNumber; number++) {
    auto found = table.find(number);
    Treatment treatment = found == table.end() ? Treatment{} : found->second;
    if (number == 0) {
      ranges[0].treatment = treatment;
    } else if (treatment != ranges.back().treatment) {
      ranges.push_back({static_cast<uint32_t>(number), treatment});
    }
  }
  if (ranges.back().treatment != Treatment{}) {
    ranges.push_back({static_cast<uint32_t>(kHighestNumber + 1), {}});
  }
  return ranges;
}

// Emits code backwards: every jump of such a program goes forward, so a target is known once it is
// emitted, and a label is its distance from the end.
class BackwardCode {
 public:
  using Label = size_t;

  Label emit(uint16_t code, uint32_t value, Label yes = 0, Label no = 0) {
    sock_filter instruction{};
    instruction.code = code;
    instruction.k = value;
    if (BPF_CLASS(code) == BPF_JMP) {
      instruction.jt = distance(yes);
      instruction.jf = distance(no);
    }
    reversed_.push_back(instruction);
    return reversed_.size();
  }
  Label load(size_t offset) {
    return emit(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
  }
  Label give(uint32_t result) {
    auto [place, is_new] = returns_.try_emplace(result, 0);
    if (is_new) place->second = emit(BPF_RET | BPF_K, result);
    return place->second;
  }
  bool too_far() const { return too_far_; }
  std::vector<sock_filter> finish() {
    std::reverse(reversed_.begin(), reversed_.end());
    return reversed_;
  }

 private:
  uint8_t distance(Label target) {
    size_t steps = reversed_.size() - target;
    if (steps > 255) too_far_ = true;
    return static_cast<uint8_t>(steps);
  }
  std::vector<sock_filter> reversed_;
  std::map<uint32_t, Label> returns_;
  bool too_far_ = false;
};

size_t argument_offset(unsigned argument) {
  return offsetof(seccomp_data, args) +
         argument * sizeof(uint64_t);  // low half first: little endian
}

// The entry of a call whose arguments decide.
BackwardCode::Label emit_filtered(BackwardCode& code, const FilteredCall& call) {
  BackwardCode::Label next = code.give(outcome(call.otherwise));
  for (size_t c = call.clauses.size(); c-- > 0;) {
    const Clause& clause = call.clauses[c];
    BackwardCode::Label hit = code.give(outcome(clause.err));
    for (size_t t = clause.tests.size(); t-- > 0;) {
      const ArgumentTest& test = clause.tests[t];
      uint16_t jump = test.op == ArgumentTest::Op::equals ? BPF_JEQ : BPF_JSET;
      code.emit(static_cast<uint16_t>(BPF_JMP | jump | BPF_K), test.value, hit, next);
      hit = code.load(argument_offset(test.argument));
    }
    next = hit;
  }
  return next;
}

BackwardCode::Label emit_search(BackwardCode& code, const std::vector<Range>& ranges, size_t first,
                                size_t last, const std::map<const FilteredCall*, size_t>& entries) {
  if (last - first == 1) {
    const Treatment& treatment = ranges[first].treatment;
    return treatment.filtered ? entries.at(treatment.filtered) : code.give(treatment.result);
  }
  size_t middle = first + (last - first) / 2;
  BackwardCode::Label high = emit_search(code, ranges, middle, last, entries);
  BackwardCode::Label low = emit_search(code, ranges, first, middle, entries);
  return code.emit(BPF_JMP | BPF_JGE | BPF_K, ranges[middle].first, high, low);
}

}  // namespace

Result<std::vector<sock_filter>> compile_syscall_filter(const NumberOf& number_of) {
  TRY_ASSIGN(Table table, number_all(number_of));
  std::vector<Range> ranges = merge_ranges(table);

  BackwardCode code;
  // Emitted first, so that they lie last and every forward jump can reach them.
  for (uint32_t result : {static_cast<uint32_t>(SECCOMP_RET_KILL_PROCESS), refuse_with(ENOSYS),
                          refuse_with(EPERM), static_cast<uint32_t>(SECCOMP_RET_ALLOW)}) {
    code.give(result);
  }
  std::map<const FilteredCall*, size_t> entries;
  for (const FilteredCall& call : filtered_calls())
    entries[&call] = emit_filtered(code, call);
  BackwardCode::Label search = emit_search(code, ranges, 0, ranges.size(), entries);
  code.emit(BPF_JMP | BPF_JGE | BPF_K, kX32Bit, code.give(refuse_with(ENOSYS)), search);
  BackwardCode::Label number = code.load(offsetof(seccomp_data, nr));
  // 32-bit entry (int 0x80) has other numbers for every call: the process ends.
  code.emit(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, number,
            code.give(SECCOMP_RET_KILL_PROCESS));
  code.load(offsetof(seccomp_data, arch));
  if (code.too_far()) return fail("a jump of the filter is longer than 255");
  return code.finish();
}

uint32_t evaluate_syscall_filter(const std::vector<sock_filter>& program,
                                 const seccomp_data& call) {
  uint32_t accumulator = 0;
  for (size_t at = 0; at < program.size(); at++) {
    const sock_filter& instruction = program[at];
    uint32_t k = instruction.k;
    bool hit = false;
    switch (instruction.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        memcpy(&accumulator, reinterpret_cast<const char*>(&call) + k, sizeof accumulator);
        continue;
      case BPF_RET | BPF_K:
        return k;
      case BPF_JMP | BPF_JEQ | BPF_K:
        hit = accumulator == k;
        break;
      case BPF_JMP | BPF_JGE | BPF_K:
        hit = accumulator >= k;
        break;
      case BPF_JMP | BPF_JSET | BPF_K:
        hit = (accumulator & k) != 0;
        break;
      default:
        return 0;
    }
    at += hit ? instruction.jt : instruction.jf;
  }
  return 0;
}

}  // namespace ringwall::calls
