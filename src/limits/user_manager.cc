#include "limits/user_manager.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <optional>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"

namespace ringwall::limits {
namespace {

constexpr int kPatienceSeconds = 2;
constexpr uint32_t kMostAnswer = 64 << 10;
constexpr size_t kHeadSize = 16;  // fixed part of a message, with the length of the fields

enum MessageKind : char { kCall = 1, kReturn = 2, kError = 3, kSignal = 4 };
enum HeaderField : char {
  kPath = 1,
  kInterface = 2,
  kMember = 3,
  kDestination = 6,
  kSignature = 8
};

// Values lie at multiples of their size, counted from the start of the message.
class Encoder {
 public:
  void align(size_t to) { bytes_.resize((bytes_.size() + to - 1) / to * to, '\0'); }
  void byte(char value) { bytes_ += value; }
  void number(uint32_t value) {
    align(4);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void long_number(uint64_t value) {
    align(8);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<uint32_t>(value.size()));
    bytes_.append(value).push_back('\0');
  }
  void signature(std::string_view value) {
    byte(static_cast<char>(value.size()));
    bytes_.append(value).push_back('\0');
  }

  // An array of structs: its length does not count the gap before the first one.
  size_t open_array() {
    number(0);
    size_t at = bytes_.size() - sizeof(uint32_t);
    align(8);
    return at;
  }
  void close_array(size_t at) {
    size_t first = (at + sizeof(uint32_t) + 7) / 8 * 8;
    auto length = static_cast<uint32_t>(bytes_.size() - first);
    memcpy(bytes_.data() + at, &length, sizeof length);
  }

  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

void put_property(Encoder& out, std::string_view name, std::string_view value) {
  out.align(8);
  out.text(name);
  out.signature("s");
  out.text(value);
}

void put_property(Encoder& out, std::string_view name, uint64_t value) {
  out.align(8);
  out.text(name);
  out.signature("t");
  out.long_number(value);
}

void put_switch(Encoder& out, std::string_view name) {
  out.align(8);
  out.text(name);
  out.signature("b");
  out.number(1);
}

void put_process(Encoder& out, std::string_view name, pid_t process) {
  out.align(8);
  out.text(name);
  out.signature("au");
  out.number(sizeof(uint32_t));
  out.number(static_cast<uint32_t>(process));
}

void put_field(Encoder& out, HeaderField field, std::string_view type, std::string_view value) {
  out.align(8);
  out.byte(field);
  out.signature(type);
  type == "g" ? out.signature(value) : out.text(value);
}

struct Call {
  std::string_view destination, path, interface, member, signature;
};

std::string encode_call(const Call& call, const std::string& body, uint32_t serial) {
  Encoder out;
  out.byte('l');  // little endian
  out.byte(kCall);
  out.byte(0);
  out.byte(1);  // version of the protocol
  out.number(static_cast<uint32_t>(body.size()));
  out.number(serial);
  size_t fields = out.open_array();
  put_field(out, kPath, "o", call.path);
  put_field(out, kInterface, "s", call.interface);
  put_field(out, kMember, "s", call.member);
  put_field(out, kDestination, "s", call.destination);
  if (!call.signature.empty()) put_field(out, kSignature, "g", call.signature);
  out.close_array(fields);
  out.align(8);
  return out.bytes() + body;
}

std::string encode_hello() {
  return encode_call(
      {"org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello", ""}, "",
      1);
}

Result<Fd> connect_to(const std::string& path) {
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  timeval patience{kPatienceSeconds, 0};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return fail("the manager's socket has a long path");
  memcpy(address.sun_path, path.data(), path.size());
  if (!socket ||
      setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0 ||
      setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) < 0 ||
      connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) {
    return fail_errno("cannot reach the service manager at " + text::quote(path));
  }
  return socket;
}

Status read_exactly(int socket, char* into, size_t count) {
  while (count > 0) {
    ssize_t some = recv(socket, into, count, 0);
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) return fail_errno("the service manager does not answer");
    if (some == 0) return fail("the service manager hung up");
    into += some;
    count -= static_cast<size_t>(some);
  }
  return {};
}

// One line of the greeting, which goes before the messages.
Status greet(int socket) {
  std::string uid = std::to_string(getuid()), hex;
  for (char digit : uid)
    hex += std::string("3") + digit;
  TRY(file::write_all(socket, std::string(1, '\0') + "AUTH EXTERNAL " + hex + "\r\n"));
  std::string line;
  while (!line.ends_with("\r\n")) {
    char c;
    TRY(read_exactly(socket, &c, 1));
    line += c;
    if (line.size() > 256) return fail("the service manager greets strangely");
  }
  if (!line.starts_with("OK ")) return fail("the service manager does not know this user");
  return file::write_all(socket, "BEGIN\r\n");
}

uint32_t number_at(const std::string& bytes, size_t at) {
  uint32_t value = 0;
  if (at + sizeof value <= bytes.size()) memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Answer {
  char kind;
  std::string body;
};

Result<Answer> read_message(int socket) {
  std::string head(kHeadSize, '\0');
  TRY(read_exactly(socket, head.data(), head.size()));
  uint32_t body = number_at(head, 4), fields = number_at(head, 12);
  if (head[0] != 'l' || body > kMostAnswer || fields > kMostAnswer)
    return fail("the service manager answers in another protocol");
  size_t rest = (fields + 7) / 8 * 8;
  std::string bytes(rest + body, '\0');
  TRY(read_exactly(socket, bytes.data(), bytes.size()));
  return Answer{head[1], bytes.substr(rest)};
}

// Signals may come before the answer; of ours there is one call at a time.
Status take_answer(int socket) {
  constexpr int kMostSignals = 1000;
  for (int i = 0; i < kMostSignals; i++) {
    TRY_ASSIGN(Answer answer, read_message(socket));
    if (answer.kind == kReturn) return {};
    if (answer.kind != kError) continue;
    std::string why =
        answer.body.substr(std::min<size_t>(4, answer.body.size()), number_at(answer.body, 0));
    return fail("the service manager refused: " + text::quote(why));
  }
  return fail("the service manager does not answer");
}

// Takes a text from the start of a body; nothing if it is not whole.
std::optional<std::string> take_text(std::string_view body, size_t& at) {
  at = (at + 3) / 4 * 4;
  uint32_t length = 0;
  if (at + sizeof length > body.size()) return std::nullopt;
  memcpy(&length, body.data() + at, sizeof length);
  at += sizeof length;
  if (length > body.size() || at + length + 1 > body.size()) return std::nullopt;
  std::string text(body.substr(at, length));
  at += length + 1;
  return text;
}

// The manager tells everybody on its own socket how each job ended: number, job, unit, result.
Status wait_for_job(int socket, const std::string& wanted) {
  constexpr int kMostSignals = 1000;
  for (int i = 0; i < kMostSignals; i++) {
    TRY_ASSIGN(Answer signal, read_message(socket));
    if (signal.kind != kSignal) continue;
    std::string_view body = signal.body;
    size_t at = sizeof(uint32_t);
    auto job = take_text(body, at);
    auto unit = job ? take_text(body, at) : std::nullopt;
    auto result = unit ? take_text(body, at) : std::nullopt;
    if (!result || *unit != wanted) continue;
    if (*result == "done") return {};
    return fail("the service manager could not make a scope: " + text::quote(*result));
  }
  return fail("the service manager does not answer");
}

}  // namespace

std::string find_user_manager(uid_t uid, const char* runtime) {
  std::string folder = runtime != nullptr ? runtime : "/run/user/" + std::to_string(uid);
  // The manager's own socket first: the bus may not be there, and stands in between.
  std::vector<std::string> places = {folder + "/systemd/private", folder + "/bus"};
  if (uid == 0) places = {"/run/systemd/private"};
  for (const std::string& place : places) {
    struct stat facts;
    bool there = stat(place.c_str(), &facts) == 0 && S_ISSOCK(facts.st_mode);
    if (there && facts.st_uid == uid) return place;
  }
  return "";
}

std::string encode_start_scope(const ScopeRequest& request, uint32_t serial) {
  Encoder body;
  body.text(request.unit);
  body.text("fail");  // if a unit of that name is there already
  size_t properties = body.open_array();
  put_property(body, "Description", std::string_view("Ringwall sandbox"));
  put_property(body, "CollectMode", std::string_view("inactive-or-failed"));
  put_switch(body, "Delegate");
  put_process(body, "PIDs", request.process);
  if (request.memory != kNoLimit) {
    put_property(body, "MemoryMax", request.memory);
    put_property(body, "MemorySwapMax", uint64_t{0});
  }
  if (request.processes != kNoLimit) put_property(body, "TasksMax", request.processes);
  if (request.cpu != kNoLimit) put_property(body, "CPUQuotaPerSecUSec", request.cpu * 1000);
  body.close_array(properties);
  size_t others = body.open_array();
  body.close_array(others);
  return encode_call({"org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                      "org.freedesktop.systemd1.Manager", "StartTransientUnit", "ssa(sv)a(sa(sv))"},
                     body.bytes(), serial);
}

Status start_scope(const std::string& socket_path, const ScopeRequest& request) {
  TRY_ASSIGN(Fd socket, connect_to(socket_path));
  TRY(greet(socket.get()));
  bool is_bus = socket_path.ends_with("/bus");
  if (is_bus) {
    TRY(file::write_all(socket.get(), encode_hello()));
    TRY(take_answer(socket.get()));
  }
  TRY(file::write_all(socket.get(), encode_start_scope(request, 2)));
  TRY(take_answer(socket.get()));
  // On the bus one would have to subscribe; there whoever waits for the move sees its end.
  if (is_bus) return {};
  return wait_for_job(socket.get(), request.unit);
}

}  // namespace ringwall::limits
