#include "cli/local_time.h"

#include <ctime>

namespace ringwall::cli {
namespace {

std::string show(time_t seconds, const char* format) {
  tm parts{};
  localtime_r(&seconds, &parts);
  char text[32];
  strftime(text, sizeof text, format, &parts);
  return text;
}

}  // namespace

std::string local_time(const std::string& time, const char* format) {
  tm parts{};
  if (strptime(time.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr) return time;
  return show(timegm(&parts), format);
}

std::string local_time(int64_t seconds, const char* format) { return show(seconds, format); }

std::string local_time(const char* format) { return show(time(nullptr), format); }

}  // namespace ringwall::cli
