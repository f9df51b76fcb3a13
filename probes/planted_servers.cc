#include "probes/planted_servers.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/file.h"
#include "base/text.h"

namespace ringwall::probes {
namespace {

constexpr const char* kNameOfNobody = "granted.ringwall.invalid";  // RFC 2606: never resolves
constexpr const char* kZoneOfNobody = "below.ringwall.invalid";

// At a port of the kernel's choice if none was chosen yet.
Result<Fd> bind_loopback(bool is_ipv6, int type, unsigned long& port) {
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  v4.sin_family = AF_INET;
  v6.sin6_family = AF_INET6;
  v4.sin_port = v6.sin6_port = htons(static_cast<uint16_t>(port));
  v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  v6.sin6_addr = in6addr_loopback;
  auto* address = is_ipv6 ? reinterpret_cast<sockaddr*>(&v6) : reinterpret_cast<sockaddr*>(&v4);
  socklen_t size = is_ipv6 ? sizeof v6 : sizeof v4;
  Fd socket(::socket(is_ipv6 ? AF_INET6 : AF_INET, type | SOCK_CLOEXEC, 0));
  if (!socket || bind(socket.get(), address, size) < 0 ||
      (type == SOCK_STREAM && listen(socket.get(), 64) < 0) ||
      getsockname(socket.get(), address, &size) < 0)
    return fail_errno("cannot use the loopback address");
  port = ntohs(is_ipv6 ? v6.sin6_port : v4.sin_port);
  return socket;
}

void echo(int socket) {
  char buffer[4096];
  ssize_t count;
  while ((count = recv(socket, buffer, sizeof buffer, 0)) > 0) {
    if (!file::write_all(socket, {buffer, static_cast<size_t>(count)})) return;
  }
}

void talk(int socket) {
  char buffer[4096];
  ssize_t count = recv(socket, buffer, sizeof buffer, 0);
  if (count <= 0) return;
  std::string_view words(buffer, static_cast<size_t>(count));
  bool is_http = words.find(" HTTP/1.1\r\n") != std::string_view::npos;
  std::string answer(words);
  if (is_http) answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
  if (words == kStreamRequest) answer = long_stream();
  if (!file::write_all(socket, answer) || is_http || words == kStreamRequest) return;
  echo(socket);
}

// Every question has the same answer.
void answer_question(int socket) {
  char buffer[512];
  sockaddr_storage from{};
  socklen_t size = sizeof from;
  auto* address = reinterpret_cast<sockaddr*>(&from);
  ssize_t count = recvfrom(socket, buffer, sizeof buffer, 0, address, &size);
  if (count < 12) return;
  std::string answer(buffer, static_cast<size_t>(count));
  answer[2] = static_cast<char>(0x81);
  answer[7] = 1;
  answer.append("\xc0\x0c\0\1\0\1\0\0\0\0\0\4\x7f\0\0\1", 16);
  (void)sendto(socket, answer.data(), answer.size(), 0, address, size);  // a datagram may be lost
}

bool is_own(const std::string& address, const Outside& facts) {
  const std::vector<std::string>& own = facts.host_addresses;
  return address.starts_with("127.") || address == "::1" ||
         std::find(own.begin(), own.end(), address) != own.end();
}

bool is_usable_name(std::string_view name) {
  auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  bool has_letter = std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  bool is_localhost = name == "localhost" || name.ends_with(".localhost");
  return has_letter && !is_localhost &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || c == '.'; });
}

// A name that the host's own table leads to the host itself: nobody has to be asked for it.
std::string find_own_name(const Outside& facts) {
  auto table = file::read("/etc/hosts");
  if (!table) return "";
  for (std::string line : text::split(*table, '\n')) {
    line = line.substr(0, line.find('#'));
    std::replace(line.begin(), line.end(), '\t', ' ');
    std::vector<std::string> words = text::split(line, ' ');
    if (words.empty() || !is_own(words[0], facts)) continue;
    for (size_t i = 1; i < words.size(); i++) {
      if (is_usable_name(words[i])) return words[i];
    }
  }
  return "";
}

}  // namespace

const std::string& long_stream() {
  static const std::string kStream = [] {
    std::string stream(kStreamBytes, '\0');
    for (size_t i = 0; i < stream.size(); i++)
      stream[i] = static_cast<char>(i * 31 + (i >> 12));
    return stream;
  }();
  return kStream;
}

Status PlantedServers::listen_at(unsigned long& port, Kind kind) {
  int type = kind == Kind::answers_questions ? SOCK_DGRAM : SOCK_STREAM;
  TRY_ASSIGN(Fd socket, bind_loopback(false, type, port));
  listeners_.push_back({std::move(socket), kind});
  // Where there is IPv6, at the same port; another program may have it, then by IPv4 alone.
  if (auto other = bind_loopback(true, type, port)) listeners_.push_back({std::move(*other), kind});
  return {};
}

Result<PlantedServers> PlantedServers::open(Outside& facts) {
  PlantedServers servers;
  TRY(servers.listen_at(facts.tcp_port, Kind::greets));
  TRY(servers.listen_at(facts.named_port, Kind::greets));
  TRY(servers.listen_at(facts.greeting_port, Kind::greets));
  TRY(servers.listen_at(facts.served_port, Kind::talks));
  TRY(servers.listen_at(facts.dns_port, Kind::answers_questions));
  facts.own_name = find_own_name(facts);
  facts.granted_name = facts.own_name.empty() ? kNameOfNobody : facts.own_name;
  facts.granted_zone = kZoneOfNobody;
  return servers;
}

void PlantedServers::serve(const std::string& secret) {
  signal(SIGCHLD, SIG_IGN);  // nobody asks how they ended
  signal(SIGPIPE, SIG_IGN);
  std::vector<pollfd> waits;
  for (const Listener& listener : listeners_)
    waits.push_back({listener.socket.get(), POLLIN, 0});
  while (poll(waits.data(), waits.size(), -1) > 0 || errno == EINTR) {
    for (size_t i = 0; i < waits.size(); i++) {
      if ((waits[i].revents & POLLIN) == 0) continue;
      Kind kind = listeners_[i].kind;
      if (kind == Kind::answers_questions) {
        answer_question(waits[i].fd);
        continue;
      }
      Fd client(accept4(waits[i].fd, nullptr, nullptr, SOCK_CLOEXEC));
      if (!client || fork() != 0) continue;
      prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
      bool greeted = kind == Kind::greets && file::write_all(client.get(), secret);
      if (greeted) echo(client.get());
      if (kind == Kind::talks) talk(client.get());
      _exit(0);
    }
  }
  _exit(1);
}

std::vector<std::string> grants_for(const Outside& facts) {
  auto at = [](const std::string& name, unsigned long port) {
    return name + ":" + std::to_string(port);
  };
  std::vector<std::string> flags;
  auto add = [&](const char* flag, const std::string& value) {
    flags.insert(flags.end(), {flag, value});
  };
  add("--allow", at(facts.granted_name, 80));
  add("--allow", at(facts.granted_name, 443));
  add("--allow", "*." + facts.granted_zone);
  // The port of a server that somebody else's name is granted at.
  add("--allow", at(kNameOfNobody, facts.tcp_port));
  if (!facts.own_name.empty()) add("--allow", at(facts.own_name, facts.named_port));
  add("--reach-host", std::to_string(facts.greeting_port));
  add("--reach-host", std::to_string(facts.served_port));
  return flags;
}

}  // namespace ringwall::probes
