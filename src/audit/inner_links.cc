#include "audit/inner_links.h"

#include <unistd.h>

#include <deque>

#include "base/text.h"

namespace ringwall::audit {
namespace {

constexpr int kMostLinks = 40;  // as the kernel has it

}  // namespace

std::optional<LinkEnd> follow_link(int top, const std::string& path) {
  std::deque<std::string> waiting;
  for (std::string_view part : text::split_in_place(path, '/'))
    waiting.emplace_back(part);
  std::string done;
  int links = 0;
  while (!waiting.empty()) {
    std::string part = std::move(waiting.front());
    waiting.pop_front();
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (done.empty()) return LinkEnd{true, ""};
      size_t slash = done.rfind('/');
      done.resize(slash == std::string::npos ? 0 : slash);
      continue;
    }
    std::string next = done.empty() ? part : done + "/" + part;
    char target[4096];
    ssize_t length = readlinkat(top, next.c_str(), target, sizeof target);
    if (length < 0 && errno != EINVAL) return std::nullopt;  // EINVAL: it is there, and no link
    if (length < 0) {
      done = std::move(next);
      continue;
    }
    if (++links > kMostLinks) return std::nullopt;
    if (length > 0 && target[0] == '/') return LinkEnd{true, ""};
    auto parts = text::split_in_place({target, static_cast<size_t>(length)}, '/');
    waiting.insert(waiting.begin(), parts.begin(), parts.end());
  }
  return LinkEnd{false, done};
}

}  // namespace ringwall::audit
