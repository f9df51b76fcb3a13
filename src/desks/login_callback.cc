#include "desks/login_callback.h"

#include <charconv>
#include <sstream>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "processes/sandbox_processes.h"

namespace ringwall::desks {
namespace {

constexpr int64_t kPause = 300'000'000;        // nanoseconds between two looks
constexpr int64_t kLongest = 600'000'000'000;  // a login takes no longer
constexpr uint16_t kFirstUnprivileged = 1024;  // the wall's own ports lie below

}  // namespace

std::set<uint16_t> list_listening_ports(pid_t process) {
  std::set<uint16_t> ports;
  for (const char* table : {"/net/tcp", "/net/tcp6"}) {
    auto content = file::read("/proc/" + std::to_string(process) + table);
    if (!content) continue;
    std::istringstream lines(*content);
    std::string line, number, local, remote, state;
    std::getline(lines, line);  // the heads of the columns
    while (std::getline(lines, line)) {
      std::istringstream(line) >> number >> local >> remote >> state;
      constexpr std::string_view kListening = "0A";
      size_t colon = local.rfind(':');
      if (state != kListening || colon == std::string::npos) continue;
      unsigned port = 0;
      std::from_chars(local.data() + colon + 1, local.data() + local.size(), port, 16);
      ports.insert(static_cast<uint16_t>(port));
    }
  }
  return ports;
}

LoginCallback::LoginCallback(PublishedPorts& ports, pid_t init, std::set<uint16_t> known, Tell tell)
    : ports_(ports),
      init_(init),
      known_(std::move(known)),
      tell_(std::move(tell)),
      until_(clock::monotonic() + kLongest),
      next_look_(clock::monotonic() + kPause) {}

void LoginCallback::look() {
  int64_t now = clock::monotonic();
  next_look_ = now < until_ || published_ != 0 ? now + kPause : 0;
  pid_t process = processes::find_process(init_);
  std::set<uint16_t> listening = process > 0 ? list_listening_ports(process) : std::set<uint16_t>();
  if (published_ != 0 && (!listening.contains(published_) || now >= until_)) {
    ports_.remove(published_);
    published_ = 0;
  }
  if (published_ != 0 || now >= until_) return;
  for (uint16_t port : listening) {
    // What was there before is not asked twice: a port that cannot be had stays so.
    if (port < kFirstUnprivileged || !known_.insert(port).second) continue;
    std::string where = "http://localhost:" + std::to_string(port);
    if (Status added = ports_.add({port, port}); !added) {
      tell_(events::Withheld{"a login waits inside at " + where + ": " + added.error().text(), ""});
      continue;
    }
    published_ = port;
    tell_(events::Withheld{"a login waits inside: " + where + " leads there until it is done", ""});
    return;
  }
}

}  // namespace ringwall::desks
