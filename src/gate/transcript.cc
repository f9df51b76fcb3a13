#include "gate/transcript.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/file.h"
#include "base/strict_json.h"

namespace ringwall::gate {
namespace {

namespace json = boost::json;

constexpr size_t kTailBytes = 512 << 10;
constexpr size_t kLongestMessage = 2000;

const json::object* object_in(const json::object& object, std::string_view name) {
  const json::value* found = object.if_contains(name);
  return found != nullptr && found->is_object() ? &found->get_object() : nullptr;
}

bool says(const json::object& object, std::string_view name, std::string_view text) {
  const json::value* found = object.if_contains(name);
  return found != nullptr && found->is_string() && found->get_string() == text;
}

// A text, or a list of parts of which some are texts; results of tools are none.
std::string text_of(const json::object& message) {
  const json::value* content = message.if_contains("content");
  std::string text;
  if (content != nullptr && content->is_string()) text = content->get_string();
  if (content == nullptr || !content->is_array()) return text;
  for (const json::value& part : content->get_array()) {
    if (!part.is_object()) continue;
    const json::object& object = part.get_object();
    if (!says(object, "type", "text") && !says(object, "type", "input_text")) continue;
    const json::value* words = object.if_contains("text");
    if (words != nullptr && words->is_string()) text += words->get_string();
  }
  return text;
}

// Empty for lines that are no message of the person.
std::string message_in(std::string_view line) {
  auto object = strict_json::parse_object(line);
  if (!object) return {};
  // Added by the agent itself, not typed.
  const json::value* meta = object->if_contains("isMeta");
  if (meta != nullptr && meta->is_bool() && meta->get_bool()) return {};
  for (std::string_view name : {"message", "payload"}) {
    const json::object* message = object_in(*object, name);
    if (message != nullptr && says(*message, "role", "user")) return text_of(*message);
  }
  return {};
}

}  // namespace

std::vector<std::string> last_messages(std::string_view tail, size_t most) {
  std::vector<std::string> messages;
  while (!tail.empty() && messages.size() < most) {
    if (tail.ends_with('\n')) tail.remove_suffix(1);
    size_t end = tail.rfind('\n');
    size_t begin = end == tail.npos ? 0 : end + 1;
    std::string text = message_in(tail.substr(begin));
    if (!text.empty()) messages.push_back(text.substr(0, kLongestMessage));
    tail = tail.substr(0, begin);
  }
  std::ranges::reverse(messages);
  return messages;
}

std::vector<std::string> read_last_messages(const std::string& path, size_t most) {
  auto fd = file::open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  struct stat facts;
  if (!fd || fstat(fd->get(), &facts) < 0 || !S_ISREG(facts.st_mode)) return {};
  off_t begin = std::max<off_t>(0, facts.st_size - static_cast<off_t>(kTailBytes));
  std::string tail(static_cast<size_t>(facts.st_size - begin), '\0');
  ssize_t got = pread(fd->get(), tail.data(), tail.size(), begin);
  tail.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return last_messages(tail, most);
}

}  // namespace ringwall::gate
