#include "session/lost_tries.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/file.h"
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

bool has_lost_tries(pid_t process) {
  std::string folder = "/proc/" + std::to_string(process) + "/net/";
  for (const char* name : {"snmp", "snmp6"}) {
    auto counters = file::read(folder + name);
    if (counters && shows_lost_tries(*counters)) return true;
  }
  return false;
}

}  // namespace ringwall::session
