#include "desks/asking_program.h"

#include <fcntl.h>

#include <charconv>
#include <ranges>
#include <string_view>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "processes/sandbox_processes.h"

namespace ringwall::desks {
namespace {

constexpr size_t kMostLooked = 2048;  // processes; the line is told without a name then
// Somebody inside may have a hundred thousand of them, and the search holds up whoever else waits:
// at some 10 µs each.
constexpr size_t kMostDescriptors = 4096;
constexpr size_t kLargestTable = 1 << 20;

struct ListedSocket {
  uint16_t port = 0;
  std::string_view inode;  // "0": nobody holds it
};

// A line of /proc/net/tcp: "sl local rem st … inode", with the port in hexadecimal digits behind
// the local address's colon.
std::optional<ListedSocket> parse_socket(std::string_view line) {
  constexpr size_t kLocal = 1, kInode = 9;
  ListedSocket socket;
  for (size_t column = 0; column <= kInode; column++) {
    size_t start = line.find_first_not_of(' ');
    if (start == std::string_view::npos) return std::nullopt;
    line.remove_prefix(start);
    std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    if (column == kInode) socket.inode = word;
    if (column != kLocal) continue;
    std::string_view port = word.substr(word.rfind(':') + 1);
    if (std::from_chars(port.data(), port.data() + port.size(), socket.port, 16).ec != std::errc())
      return std::nullopt;  // the heads of the columns
  }
  return socket;
}

std::string find_inode(const std::string& table, uint16_t port) {
  for (std::string_view line : text::split_in_place(table, '\n')) {
    auto socket = parse_socket(line);
    if (socket && socket->port == port && socket->inode != "0") return std::string(socket->inode);
  }
  return {};
}

bool holds(pid_t process, const std::string& link, size_t& budget) {
  for (const std::string& table : processes::list_file_tables(process)) {
    auto folder = file::open(table, O_RDONLY | O_DIRECTORY);
    auto entries = folder ? file::list(folder->get()) : std::unexpected(folder.error());
    if (!entries) continue;
    for (const file::Entry& entry : *entries) {
      if (budget == 0) return false;
      budget--;
      auto target = file::read_link(path::join(table, entry.name));
      if (target && *target == link) return true;
    }
  }
  return false;
}

}  // namespace

std::string find_asking_program(pid_t init, const net::Asker& asker) {
  std::vector<pid_t> processes = processes::list_processes(init);
  if (processes.empty() || processes.size() > kMostLooked) return {};
  std::string proc = "/proc/" + std::to_string(processes[0]) + "/net/";
  std::string kind = asker.is_udp != 0 ? "udp" : "tcp";
  std::string inode;
  // A socket of IPv6 can talk IPv4.
  for (const char* family : {"", "6"}) {
    auto table = file::read(proc + kind + family, kLargestTable);
    if (table && inode.empty()) inode = find_inode(*table, asker.port);
  }
  if (inode.empty()) return {};
  std::string link = "socket:[" + inode + "]";
  size_t budget = kMostDescriptors;
  // Most often it is one of the last that were started.
  for (pid_t process : processes | std::views::reverse) {
    if (budget == 0) return {};
    if (!holds(process, link, budget)) continue;
    auto name = file::read("/proc/" + std::to_string(process) + "/comm");
    if (!name) return {};
    if (name->ends_with('\n')) name->pop_back();
    return *name;
  }
  return {};
}

std::optional<std::set<uint16_t>> list_held_ports(pid_t init) {
  pid_t process = processes::find_process(init);
  if (process == 0) return std::nullopt;
  std::set<uint16_t> ports;
  // A host without IPv6 has one of them only. A process that ends meanwhile has none: the other
  // comes last, and must be there.
  for (const char* name : {"/net/tcp6", "/net/tcp"}) {
    auto table = file::read("/proc/" + std::to_string(process) + name, kLargestTable);
    if (!table && table.error().err == ENOENT && name == std::string_view("/net/tcp6")) continue;
    if (!table) return std::nullopt;
    for (std::string_view line : text::split_in_place(*table, '\n')) {
      auto socket = parse_socket(line);
      if (socket && socket->inode != "0") ports.insert(socket->port);
    }
  }
  return ports;
}

}  // namespace ringwall::desks
