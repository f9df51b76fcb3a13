#include "tool_calls/mcp_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::tool_calls {
namespace {

constexpr std::string_view kNotes = ".notes";
constexpr std::string_view kApproved = ".approved";
constexpr size_t kMostNotes = 16u << 20;

std::string folder_of(const state::Places& places) { return path::join(places.state, "mcp"); }

std::string file_of(const state::Places& places, const std::string& server, std::string_view kind) {
  return path::join(folder_of(places), server + std::string(kind));
}

// Empty if it is not there.
Result<std::string> read_if_there(const std::string& file) {
  auto text = file::read(file, kMostNotes);
  if (!text && text.error().err == ENOENT) return std::string();
  return text;
}

}  // namespace

Status check_server_name(const std::string& name) {
  bool plain = !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
  if (plain) return {};
  return fail(text::quote(name) + " cannot be the name of a server",
              "letters, digits, - and _, at most 64: ringwall mcp --name NAME -- …");
}

Result<mcp::Pins> read_pins(const state::Places& places, const std::string& server) {
  std::string hint = "to begin anew: ringwall mcp forget " + server;
  auto notes = read_if_there(file_of(places, server, kNotes));
  auto approved = read_if_there(file_of(places, server, kApproved));
  if (!notes || !approved) {
    return fail("the notes of " + text::quote(server) +
                    " cannot be read: " + (notes ? approved : notes).error().text(),
                hint);
  }
  auto pins = mcp::Pins::read(*notes, *approved);
  if (!pins)
    return fail("what is known of " + text::quote(server) + ": " + pins.error().what, hint);
  return pins;
}

Result<Fd> open_pin_notes(const state::Places& places, const std::string& server) {
  TRY_ASSIGN(Fd folder, file::make_dirs(folder_of(places)));
  return file::open_beneath(folder.get(), server + std::string(kNotes),
                            O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

Status approve_tool(const state::Places& places, const std::string& server, const std::string& tool,
                    const std::string& digest) {
  TRY_ASSIGN(mcp::Pins pins, read_pins(places, server));
  auto waits = pins.waiting().find(tool);
  if (waits == pins.waiting().end()) {
    return fail("no tool " + text::quote(tool) + " of " + text::quote(server) + " waits for you",
                "see: ringwall mcp list");
  }
  if (waits->second.definition.digest != digest)
    return fail("it has changed again meanwhile", "look at it once more");
  pins.approve(mcp::PinNote(waits->second));
  TRY_ASSIGN(Fd folder, file::make_dirs(folder_of(places)));
  return file::replace_at(folder.get(), server + std::string(kApproved), pins.approved_text());
}

Result<bool> forget_server(const state::Places& places, const std::string& server) {
  bool was_there = false;
  for (std::string_view kind : {kApproved, kNotes}) {
    std::string file = file_of(places, server, kind);
    if (unlink(file.c_str()) == 0)
      was_there = true;
    else if (errno != ENOENT)
      return fail_errno("cannot remove " + text::quote(file));
  }
  return was_there;
}

Result<std::vector<std::string>> list_servers(const state::Places& places) {
  std::vector<std::string> servers;
  auto folder = file::open(folder_of(places), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!folder && folder.error().err == ENOENT) return servers;
  if (!folder) return std::unexpected(folder.error());
  TRY_ASSIGN(auto entries, file::list(folder->get()));
  for (const file::Entry& entry : entries) {
    if (entry.name.ends_with(kNotes) && !entry.name.starts_with('.'))
      servers.push_back(entry.name.substr(0, entry.name.size() - kNotes.size()));
  }
  std::ranges::sort(servers);
  return servers;
}

}  // namespace ringwall::tool_calls
