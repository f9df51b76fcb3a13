#include "cli/run_text.h"

#include <algorithm>

#include "base/clock.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::cli {

std::string text_of(const boost::json::object& run, const char* key) {
  const boost::json::value* value = run.if_contains(key);
  if (value == nullptr) return "";
  return value->is_string() ? std::string(value->get_string()) : boost::json::serialize(*value);
}

std::vector<std::string> list_of(const boost::json::object& run, const char* key) {
  std::vector<std::string> out;
  const boost::json::value* list = run.if_contains(key);
  if (list == nullptr || !list->is_array()) return out;
  for (const boost::json::value& item : list->get_array()) {
    if (item.is_string()) out.emplace_back(item.get_string());
  }
  return out;
}

std::string command_of(const boost::json::object& run) {
  std::vector<std::string> words = list_of(run, "command");
  for (std::string& word : words)
    word = text::quote(word);
  return text::join(words, " ");
}

std::string agent_of(const boost::json::object& run) {
  std::vector<std::string> words = list_of(run, "command");
  return words.empty() ? "" : text::quote(path::basename(words[0]));
}

std::string state_of(const boost::json::object& run) {
  if (run.contains("answers")) return "no answer";
  const boost::json::value* waiting = run.if_contains("waiting");
  if (waiting != nullptr && waiting->is_array() && !waiting->get_array().empty()) return "asks";
  if (text_of(run, "paused") == "true") return "paused";
  return text_of(run, "terminal") == "detached" ? "detached" : "running";
}

std::string since_of(const boost::json::object& run) {
  const boost::json::value* started = run.if_contains("started");
  if (started == nullptr || !started->is_int64()) return "";
  // A clock that was set back must not show nonsense.
  int64_t seconds = std::max<int64_t>(0, clock::wall_seconds() - started->get_int64());
  if (seconds < 60) return std::to_string(seconds) + "s";
  int64_t minutes = seconds / 60;
  if (minutes < 60) return std::to_string(minutes) + "m";
  if (minutes < 48 * 60)
    return std::to_string(minutes / 60) + "h " + std::to_string(minutes % 60) + "m";
  return std::to_string(minutes / 1440) + "d";
}

}  // namespace ringwall::cli
