#include "probes/dialogue.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/clock.h"
#include "base/fd.h"

namespace ringwall::probes {
namespace {

constexpr int kPatience = 3000;
constexpr int kPatienceBare = 100;
constexpr uint16_t kTypeA = 1;

struct Place {
  sockaddr_storage address{};
  socklen_t size = 0;
};

// No size: it is no address.
Place place_of(const std::string& text, unsigned long port) {
  Place place;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&place.address);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&place.address);
  if (inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(static_cast<uint16_t>(port));
    place.size = sizeof *v4;
  } else if (inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(static_cast<uint16_t>(port));
    // Of one link and no other: loopback, the first and only one inside.
    if (IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr) || IN6_IS_ADDR_MULTICAST(&v6->sin6_addr))
      v6->sin6_scope_id = 1;
    place.size = sizeof *v6;
  }
  return place;
}

const sockaddr* plain(const Place& place) {
  return reinterpret_cast<const sockaddr*>(&place.address);
}

bool wait_for(int fd, short events, int64_t deadline) {
  while (true) {
    int64_t left = deadline - clock::monotonic();
    pollfd wait{fd, events, 0};
    int ready = left <= 0 ? 0 : poll(&wait, 1, static_cast<int>(left / 1'000'000) + 1);
    if (ready < 0 && errno == EINTR) continue;
    return ready > 0;
  }
}

int finish_connecting(int socket, const Place& to, int64_t deadline) {
  if (connect(socket, plain(to), to.size) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  if (!wait_for(socket, POLLOUT, deadline)) return ETIMEDOUT;
  int err = 0;
  socklen_t size = sizeof err;
  getsockopt(socket, SOL_SOCKET, SO_ERROR, &err, &size);
  return err;
}

void put_number(std::string& out, unsigned long value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
    out += static_cast<char>(value >> shift & 0xff);
}

std::string with_length(const std::string& content, int bytes) {
  std::string out;
  put_number(out, content.size(), bytes);
  return out + content;
}

bool is_whole(std::string_view framed) {
  if (framed.size() < 2) return false;
  auto high = static_cast<uint8_t>(framed[0]), low = static_cast<uint8_t>(framed[1]);
  return framed.size() >= 2u + (high << 8 | low);
}

std::string encode(const Question& question) {
  std::string out;
  for (unsigned part : {0x5257u, 0x100u, 1u, 0u, 0u, 0u})
    put_number(out, part, 2);
  size_t start = 0;
  while (start < question.name.size()) {
    size_t end = std::min(question.name.find('.', start), question.name.size());
    out += with_length(question.name.substr(start, end - start), 1);
    start = end + 1;
  }
  out += '\0';
  put_number(out, question.type, 2);
  put_number(out, 1, 2);
  return out;
}

Answer decode(std::string_view bytes, size_t asked, uint16_t type) {
  auto byte = [&](size_t at) { return static_cast<unsigned>(static_cast<uint8_t>(bytes[at])); };
  if (bytes.size() < 12) return {EPROTO};
  Answer answer{0, static_cast<int>(byte(3) & 15), byte(6) << 8 | byte(7), {}};
  // A record repeats the question's name by two bytes; its last four are the address.
  if (answer.records > 0 && type == kTypeA && bytes.size() >= asked + 16) {
    char text[INET_ADDRSTRLEN] = "";
    inet_ntop(AF_INET, bytes.data() + asked + 12, text, sizeof text);
    answer.address = text;
  }
  return answer;
}

Answer ask_by_tcp(const Question& question, const std::string& asked, int milliseconds) {
  std::string words = with_length(asked, 2);
  Heard heard = say({question.server, question.port, words, 4096, true}, milliseconds);
  if (heard.bytes.size() > 2)
    return decode(std::string_view(heard.bytes).substr(2), asked.size(), question.type);
  if (heard.err != 0) return {heard.err};
  return {heard.silent ? ETIMEDOUT : ECONNRESET};
}

}  // namespace

int patience(const Outside& outside) {
  return shares_namespace(outside, "net") ? kPatienceBare : kPatience;
}

Heard say(const Saying& saying, int milliseconds) {
  int64_t deadline = clock::monotonic() + milliseconds * 1'000'000L;
  Place to = place_of(saying.address, saying.port);
  if (to.size == 0) return {EINVAL, {}};
  Fd socket(::socket(to.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return {errno, {}};
  Heard heard;
  heard.err = finish_connecting(socket.get(), to, deadline);
  if (heard.err != 0) return heard;
  if (send(socket.get(), saying.words.data(), saying.words.size(), MSG_NOSIGNAL) < 0)
    heard.err = errno;
  std::string buffer(64 << 10, '\0');
  while (heard.bytes.size() < saying.most && !(saying.framed && is_whole(heard.bytes))) {
    if (!wait_for(socket.get(), POLLIN, deadline)) {
      heard.silent = true;
      break;
    }
    ssize_t count = recv(socket.get(), buffer.data(), buffer.size(), 0);
    if (count < 0 && errno != EAGAIN) heard.err = errno;
    if (count == 0 || (count < 0 && errno != EAGAIN)) break;
    if (count > 0) heard.bytes.append(buffer.data(), static_cast<size_t>(count));
  }
  if (heard.bytes.size() > saying.most) heard.bytes.resize(saying.most);
  return heard;
}

int send_datagram(const std::string& address, unsigned long port, std::string_view bytes) {
  Place to = place_of(address, port);
  if (to.size == 0) return EINVAL;
  Fd socket(::socket(to.address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return errno;
  int on = 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_BROADCAST, &on, sizeof on);
  ssize_t sent = sendto(socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT, plain(to), to.size);
  return sent < 0 ? errno : 0;
}

Answer ask(const Question& question, int milliseconds) {
  std::string asked = encode(question);
  if (question.by_tcp) return ask_by_tcp(question, asked, milliseconds);
  int64_t deadline = clock::monotonic() + milliseconds * 1'000'000L;
  Place to = place_of(question.server, question.port);
  if (to.size == 0) return {EINVAL};
  Fd socket(::socket(to.address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  // Connected, so that a refusal is told.
  if (!socket || connect(socket.get(), plain(to), to.size) < 0 ||
      send(socket.get(), asked.data(), asked.size(), 0) < 0)
    return {errno};
  if (!wait_for(socket.get(), POLLIN, deadline)) return {ETIMEDOUT};
  char buffer[4096];
  ssize_t count = recv(socket.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  if (count < 0) return {errno};
  return decode({buffer, static_cast<size_t>(count)}, asked.size(), question.type);
}

std::string address_of(const Outside& outside, const std::string& name) {
  if (shares_namespace(outside, "net")) return "127.0.0.1";
  return ask({name}, 10 * patience(outside)).address;
}

std::string client_hello(std::string_view name, bool with_encrypted) {
  std::string extensions;
  if (!name.empty()) {
    std::string entry = std::string(1, '\0') + with_length(std::string(name), 2);
    extensions += std::string(2, '\0') + with_length(with_length(entry, 2), 2);
  }
  if (with_encrypted) {
    // Of the outer kind, with a key and a content that only its server could read.
    std::string content("\0\0\1\0\1\7", 6);
    content += with_length(std::string(32, 'k'), 2) + with_length(std::string(64, 'c'), 2);
    put_number(extensions, 0xfe0d, 2);
    extensions += with_length(content, 2);
  }
  std::string body("\3\3", 2);
  body += std::string(32, 'r');                                // random
  body += with_length("", 1);                                  // session
  body += with_length(std::string("\x13\x01\xc0\x2f", 4), 2);  // ciphers
  body += with_length(std::string(1, '\0'), 1);                // compression
  body += with_length(extensions, 2);
  return "\x16\3\1" + with_length("\1" + with_length(body, 3), 2);
}

void judge_reached(Acts& acts, const std::string& act, const Heard& heard) {
  constexpr std::string_view kAlert("\x15\x03\x03\x00\x02\x02\x31", 7);
  bool in_words = heard.bytes.starts_with("HTTP/1.1 403") &&
                  heard.bytes.find("ringwall: ") != std::string::npos;
  if (in_words) return acts.stopped(act, "a page with the reason");
  if (heard.bytes.starts_with(kAlert)) return acts.stopped(act, "access denied");
  // Behind the walls an answer comes at once: silence means that it is on its way.
  if (!heard.bytes.empty() || heard.silent || heard.err == ETIMEDOUT) return acts.got_in(act);
  acts.stopped(act, heard.err == 0 ? ECONNRESET : heard.err);
}

}  // namespace ringwall::probes
