// Fuzz target: the judge of TLS. It makes no difference in which slices the bytes come, and in
// every hello that passes a second, slower reader finds one name, and that is the one.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "net/client_hello.h"
#include "net/hello_testing.h"
#include "net/judge_testing.h"

using namespace ringwall::net;

namespace {

void check(bool holds) {
  if (!holds) abort();
}

size_t number_at(const std::string& bytes, size_t at, size_t length) {
  size_t value = 0;
  for (size_t i = 0; i < length; i++)
    value = value << 8 | static_cast<uint8_t>(bytes.at(at + i));
  return value;
}

std::string small(std::string text) {
  for (char& c : text)
    c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return text;
}

struct Seen {
  std::vector<std::string> names;  // every one, in small letters
  bool has_early_data = false;
};

// A read beyond the message's end throws, which ends the run.
Seen seen_in(const std::string& message) {
  Seen seen;
  size_t at = 4 + 2 + 32;
  at += 1 + number_at(message, at, 1);
  at += 2 + number_at(message, at, 2);
  at += 1 + number_at(message, at, 1);
  if (at == message.size()) return seen;
  check(at + 2 + number_at(message, at, 2) == message.size());
  for (at += 2; at < message.size(); at += 4 + number_at(message, at + 2, 2)) {
    seen.has_early_data = seen.has_early_data || number_at(message, at, 2) == 42;
    if (number_at(message, at, 2) != 0) continue;
    size_t end = at + 4 + number_at(message, at + 2, 2);
    for (size_t entry = at + 6; entry < end; entry += 3 + number_at(message, entry + 1, 2))
      seen.names.push_back(small(message.substr(entry + 3, number_at(message, entry + 1, 2))));
  }
  check(at == message.size());
  return seen;
}

class SecondLook {
 public:
  SecondLook(std::string passed, std::string name) : bytes_(std::move(passed)), name_(name) {}

  void look() {
    constexpr size_t kWatched = 256 * 1024;  // of early data; inputs have less
    while (at_ < kWatched && at_ + 5 < bytes_.size() && look_at_record()) {
    }
  }

 private:
  size_t length() const { return number_at(bytes_, at_ + 3, 2); }

  // False if nothing in the clear follows.
  bool look_at_record() {
    uint8_t type = static_cast<uint8_t>(bytes_[at_]);
    check(hellos_ > 0 || type == 22);
    check(type != 22 || !is_opaque_);
    if (type == 22 && bytes_[at_ + 5] == 1) {
      if (!could_be_encrypted()) {
        look_at_hello();
        return true;
      }
      is_opaque_ = true;
    }
    is_changed_ = is_changed_ || type == 20;
    at_ += 5 + length();
    return type == 20 || type == 21 || is_opaque_ || (type == 23 && is_early_);
  }

  // The end of a handshake of TLS 1.2, and no hello.
  bool could_be_encrypted() const {
    return is_changed_ && length() >= 24 && length() <= 128 &&
           number_at(bytes_, at_ + 6, 3) + 4 != length();
  }

  void look_at_hello() {
    std::string message;
    size_t records = 0;
    do {
      check(bytes_.at(at_) == 22 && length() > 0 && ++records <= TlsJudge::kMostRecords);
      message += bytes_.substr(at_ + 5, length());
      at_ += 5 + length();
      check(at_ <= bytes_.size());
    } while (message.size() < 4 || message.size() < 4 + number_at(message, 1, 3));
    check(message.size() == 4 + number_at(message, 1, 3));
    check(message.size() <= TlsJudge::kMostHello && ++hellos_ <= 2);
    auto [names, has_early_data] = seen_in(message);
    is_early_ = is_early_ || has_early_data;
    check(names.size() == 1 || (name_.empty() && names.empty()));
    std::string name = names.empty() ? "" : names[0];
    check(name_.empty() || name == name_);
    check(hellos_ == 1 || name == first_);
    first_ = name;
  }

  std::string bytes_;
  std::string name_;
  std::string first_;
  size_t at_ = 0;
  size_t hellos_ = 0;
  bool is_changed_ = false;
  bool is_opaque_ = false;
  bool is_early_ = false;
};

// Lengths that add up are seldom found by chance: the input is put where they are written for it.
std::string wrapped(uint8_t how, const std::string& input) {
  std::string part = input.substr(0, 16000);
  size_t size = 1 + how / 4;
  switch (how % 4) {
    case 1:
      return testing::spread(testing::Hello{.extensions = part}.message(), 100 * size);
    case 2:
      return testing::record_of(testing::Hello()) + input;
    case 3:
      return testing::spread(part, size);
    default:
      return input;
  }
}

struct Outcome {
  Fed fed;
  std::string shown;
};

// `slice` 0: of sizes that differ.
Outcome run(const std::string& name, std::string_view bytes, size_t slice) {
  TlsJudge judge(name);
  Feeder feeder(judge);
  unsigned seed = 1;
  for (size_t at = 0, length = 0; at < bytes.size(); at += length) {
    seed = seed * 1103515245 + 12345;
    length = slice != 0 ? slice : 1 + (seed >> 16) % 40;
    feeder.feed(bytes.substr(at, length));
  }
  return {feeder.fed(), judge.shown()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  std::string name = (data[1] & 1) != 0 ? "" : "a.example";
  std::string bytes =
      wrapped(data[0], std::string(reinterpret_cast<const char*>(data) + 2, size - 2));
  Outcome whole = run(name, bytes, std::max<size_t>(bytes.size(), 1));
  for (size_t slice : {1, 0}) {
    Outcome sliced = run(name, bytes, slice);
    check(sliced.fed.verdict() == whole.fed.verdict() && sliced.shown == whole.shown);
    check(sliced.fed.last == Judgement::Kind::refuse ||
          sliced.fed.most_waiting <= TlsJudge::kMostWaiting);
  }
  check(bytes.starts_with(whole.fed.passed));
  check((whole.fed.last == Judgement::Kind::refuse) == !whole.fed.why.empty());
  SecondLook(whole.fed.passed, name).look();
  return 0;
}
