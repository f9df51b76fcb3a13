#include "sandbox/messages.h"

#include <cstring>

#include "base/fixed_message.h"

namespace ringwall::sandbox {
namespace {

void put(std::string& out, std::string_view text) {
  auto size = static_cast<uint32_t>(text.size());
  out.append(reinterpret_cast<const char*>(&size), sizeof size);
  out.append(text);
}

Result<std::string> take(std::string_view& bytes) {
  uint32_t size;
  if (bytes.size() < sizeof size) return fail("message too short");
  memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  if (bytes.size() < size) return fail("message too short");
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  if (text.find('\0') != std::string::npos) return fail("a text of the message holds a zero byte");
  return text;
}

}  // namespace

Status send_notice(int channel, const Notice& notice, std::span<const int> fds, int flags) {
  return channel::send(channel, fixed::bytes_of(notice), fds, flags);
}

Result<Notice> parse_notice(std::string_view bytes) {
  TRY_ASSIGN(Notice notice, fixed::parse<Notice>(bytes, "a sandbox's", MessageType::cannot_run));
  fixed::end_text(notice.step);
  fixed::end_text(notice.detail);
  fixed::end_text(notice.hint);
  return notice;
}

std::string encode(const SpawnRequest& request) {
  std::string out(1, request.terminal ? 't' : '-');
  if (request.terminal)
    out.append(reinterpret_cast<const char*>(&*request.terminal), sizeof *request.terminal);
  put(out, request.builtin);
  put(out, request.working_folder);
  for (const std::string& argument : request.arguments)
    put(out, argument);
  return out;
}

Result<SpawnRequest> decode_spawn_request(std::string_view bytes) {
  SpawnRequest request;
  if (bytes.empty()) return fail("message too short");
  bool has_terminal = bytes[0] == 't';
  bytes.remove_prefix(1);
  if (has_terminal) {
    request.terminal.emplace();
    if (bytes.size() < sizeof *request.terminal) return fail("message too short");
    memcpy(&*request.terminal, bytes.data(), sizeof *request.terminal);
    bytes.remove_prefix(sizeof *request.terminal);
  }
  TRY_ASSIGN(request.builtin, take(bytes));
  TRY_ASSIGN(request.working_folder, take(bytes));
  while (!bytes.empty()) {
    TRY_ASSIGN(std::string argument, take(bytes));
    request.arguments.push_back(std::move(argument));
  }
  if (request.arguments.empty()) return fail("nothing to run");
  return request;
}

}  // namespace ringwall::sandbox
