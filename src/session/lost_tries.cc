#include "session/lost_tries.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"

namespace ringwall::session {
namespace {

// "Udp: InDatagrams NoPorts …", the names, and in the next line the numbers.
bool is_counted(const std::vector<std::string>& lines, std::string_view group,
                std::string_view wanted) {
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    if (!line.starts_with(group)) continue;
    std::vector<std::string> words = text::split(line, ' ');
    if (names.empty()) {
      names = std::move(words);
      continue;
    }
    auto at = std::ranges::find(names, wanted) - names.begin();
    return at < std::ssize(words) && words[static_cast<size_t>(at)] != "0";
  }
  return false;
}

// "Ip6OutNoRoutes    3", one to a line.
bool is_counted(const std::string& line, std::string_view wanted) {
  return line.starts_with(wanted) && !line.ends_with("\t0") && !line.ends_with(" 0");
}

}  // namespace

bool shows_lost_tries(std::string_view counters) {
  std::vector<std::string> lines = text::split(counters, '\n');
  return is_counted(lines, "Ip: ", "OutNoRoutes") || is_counted(lines, "Udp: ", "NoPorts") ||
         std::ranges::any_of(lines, [](const std::string& line) {
           return is_counted(line, "Ip6OutNoRoutes") || is_counted(line, "Udp6NoPorts");
         });
}

// Two opens, once: who holds these files holds the counters.
void LostTries::watch(pid_t process) {
  std::string folder = "/proc/" + std::to_string(process) + "/net/";
  constexpr const char* kNames[] = {"snmp", "snmp6"};
  for (size_t i = 0; i < std::size(kNames); i++)
    counters_[i] = Fd(open((folder + kNames[i]).c_str(), O_RDONLY | O_CLOEXEC));
}

bool LostTries::were_made() const {
  return std::ranges::any_of(counters_, [](const Fd& file) {
    char text[16 << 10];  // each has less than half of it
    ssize_t count = file ? pread(file.get(), text, sizeof text, 0) : 0;
    return count > 0 && shows_lost_tries({text, static_cast<size_t>(count)});
  });
}

}  // namespace ringwall::session
