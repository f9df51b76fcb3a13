// Fuzz target: the judge of plaintext HTTP. It makes no difference in which slices the bytes come,
// and in what passes a sloppy server, which takes lines, headers and lengths as it can, finds no
// request that is not for the name.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "net/first_bytes.h"
#include "net/http_judge.h"
#include "net/judge_testing.h"

using namespace ringwall::net;

namespace {

void check(bool holds) {
  if (!holds) abort();
}

std::string small(std::string text) {
  for (char& c : text)
    c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return text;
}

std::string trimmed(const std::string& text) {
  size_t start = text.find_first_not_of(" \t\r\v\f");
  if (start == std::string::npos) return "";
  return text.substr(start, text.find_last_not_of(" \t\r\v\f") - start + 1);
}

class SloppyServer {
 public:
  SloppyServer(std::string bytes, std::string name, bool switches)
      : bytes_(std::move(bytes)), name_(std::move(name)), switches_(switches) {}

  void serve() {
    while (at_ < bytes_.size() && read_request()) {
    }
  }

 private:
  // Without the end of the line, of which LF would be enough. But none leaves CR out, and none has
  // bytes in it that a server could take for an end.
  std::string line() {
    size_t end = bytes_.find('\n', at_);
    check(end != std::string::npos && end > at_ && bytes_[end - 1] == '\r');
    std::string text = bytes_.substr(at_, end - 1 - at_);
    at_ = end + 1;
    for (char c : text)
      check(c == '\t' || static_cast<unsigned char>(c) >= ' ');
    return text;
  }

  // "a.example:80" and "user@a.example" are a.example.
  void meet(std::string host) {
    host = small(host.substr(host.rfind('@') + 1));
    host =
        host.starts_with('[') ? host.substr(0, host.find(']') + 1) : host.substr(0, host.find(':'));
    if (name_.empty()) name_ = host;
    check(host == name_ && !host.empty());
  }

  void read_field(const std::string& text) {
    std::string key = small(trimmed(text.substr(0, text.find(':'))));
    std::string value = trimmed(text.substr(std::min(text.find(':'), text.size() - 1) + 1));
    if (key == "host") meet(value);
    hosts_ += key == "host" ? 1 : 0;
    if (key == "content-length") length_ = strtoull(value.c_str(), nullptr, 10);
    lengths_ += key == "content-length" || key == "transfer-encoding" ? 1 : 0;
    if (key == "transfer-encoding" && small(value).find("chunked") != std::string::npos)
      is_chunked_ = true;
    if (key == "upgrade") asks_switch_ = true;
    if (key == "upgrade") check(small(value).find("h2c") == std::string::npos);
  }

  // False if the rest is no HTTP, or is not there yet.
  bool read_request() {
    hosts_ = lengths_ = 0;
    length_ = 0;
    is_chunked_ = asks_switch_ = false;
    std::string first = line();
    check(first.find("HTTP/1.") != std::string::npos && !first.starts_with("CONNECT "));
    size_t scheme = first.find("://");
    size_t path = first.find('/');
    if (scheme != std::string::npos && path == scheme + 1)
      meet(first.substr(scheme + 3, first.find_first_of("/? ", scheme + 3) - scheme - 3));
    for (std::string field = line(); !field.empty(); field = line())
      read_field(field);
    check(hosts_ == 1 && lengths_ <= 1);
    if (is_chunked_) return read_chunks();
    if (length_ > bytes_.size() - at_) return false;
    at_ += length_;
    return !(asks_switch_ && switches_);
  }

  bool read_chunks() {
    while (at_ < bytes_.size()) {
      uint64_t size = strtoull(line().c_str(), nullptr, 16);
      if (size == 0) break;
      if (size > bytes_.size() - at_) return false;
      at_ += size;
      if (at_ == bytes_.size()) return false;
      check(line().empty());
    }
    // Trailers pass as a whole.
    while (at_ < bytes_.size()) {
      std::string trailer = line();
      if (trailer.empty()) break;
      check(!small(trailer).starts_with("host"));
    }
    return !(asks_switch_ && switches_);
  }

  std::string bytes_;
  std::string name_;
  bool switches_;
  size_t at_ = 0;
  int hosts_ = 0;
  int lengths_ = 0;
  uint64_t length_ = 0;
  bool is_chunked_ = false;
  bool asks_switch_ = false;
};

struct Options {
  std::string name;
  uint16_t port = 80;
  int status = 200;
};

// `slice` 0: of sizes that differ.
Fed run(const Options& options, std::string_view bytes, size_t slice) {
  HttpJudge judge(options.name, options.port);
  Feeder feeder(judge);
  unsigned seed = 1;
  for (size_t at = 0, length = 0; at < bytes.size(); at += length) {
    seed = seed * 1103515245 + 12345;
    length = slice != 0 ? slice : 1 + (seed >> 16) % 40;
    feeder.feed(bytes.substr(at, length));
    if (!judge.awaits_switch()) continue;
    judge.take_status(options.status);
    feeder.look();
  }
  return feeder.fed();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  Options options{(data[0] & 1) != 0 ? "" : "a.example",
                  (data[0] & 2) != 0 ? uint16_t{8080} : uint16_t{80},
                  (data[1] & 1) != 0 ? 101 : 200};
  std::string bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  Fed whole = run(options, bytes, std::max<size_t>(bytes.size(), 1));
  check(run(options, bytes, 1).verdict() == whole.verdict());
  check(run(options, bytes, 0).verdict() == whole.verdict());
  check(whole.passed.size() <= bytes.size());
  for (size_t at = 0; at < whole.passed.size(); at++)
    check(whole.passed[at] == bytes[at] || whole.passed[at] == 'X');  // or crossed out
  check((whole.last == Judgement::Kind::refuse) == !whole.why.empty());
  check(whole.last != Judgement::Kind::pass_all || options.status == 101);
  SloppyServer(whole.passed, options.name, options.status == 101).serve();
  // What was recognised stays so, and a strict request of a known method is recognised.
  Protocol last = Protocol::unknown_yet;
  for (size_t length = 0; length <= std::min<size_t>(bytes.size(), 64); length++) {
    Protocol now = recognise(std::string_view(bytes).substr(0, length));
    check(last == Protocol::unknown_yet || last == now);
    last = now;
  }
  if (!whole.passed.empty() && whole.passed.starts_with("GET "))
    check(recognise(bytes) == Protocol::http);
  return 0;
}
