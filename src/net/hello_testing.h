// Writes ClientHello messages and records of TLS, right and wrong ones, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::net::testing {

inline std::string number(size_t value, size_t bytes) {
  std::string out;
  while (bytes-- > 0)
    out += static_cast<char>(value >> (8 * bytes) & 0xff);
  return out;
}

inline std::string extension(uint16_t type, const std::string& data) {
  return number(type, 2) + number(data.size(), 2) + data;
}

inline std::string name_entry(const std::string& name, uint8_t kind = 0) {
  return number(kind, 1) + number(name.size(), 2) + name;
}

inline std::string name_list(const std::string& entries) {
  return extension(0, number(entries.size(), 2) + entries);
}

inline std::string server_name(const std::string& name) { return name_list(name_entry(name)); }

// What real clients have besides the name.
inline const std::string kUsualExtensions =
    extension(43, std::string("\x02\x03\x04", 3)) + extension(10, std::string("\0\x02\0\x1d", 4)) +
    extension(13, std::string("\0\x02\x08\x04", 4)) +
    extension(16, std::string("\0\x03\x02h2", 5)) +
    extension(51, number(36, 2) + std::string("\0\x1d\0\x20", 4) + std::string(32, 'k'));

struct Hello {
  std::string version = "\x03\x03";
  std::string session_id = std::string(32, 's');
  std::string suites = "\x13\x01\x13\x02";
  std::string compressions = std::string(1, '\0');
  std::string extensions = server_name("a.example") + kUsualExtensions;

  std::string body() const {
    return version + std::string(32, 'r') + number(session_id.size(), 1) + session_id +
           number(suites.size(), 2) + suites + number(compressions.size(), 1) + compressions +
           number(extensions.size(), 2) + extensions;
  }
  std::string message() const { return handshake(1, body()); }
  static std::string handshake(uint8_t type, const std::string& body) {
    return number(type, 1) + number(body.size(), 3) + body;
  }
};

inline std::string record(uint8_t type, const std::string& payload, uint8_t minor = 1) {
  return number(type, 1) + "\x03" + number(minor, 1) + number(payload.size(), 2) + payload;
}

inline std::string record_of(const Hello& hello) { return record(22, hello.message()); }

inline Hello hello_for(const std::string& name) {
  return {.extensions = server_name(name) + kUsualExtensions};
}

// The message over records of so many bytes each.
inline std::string spread(const std::string& message, size_t size) {
  std::string out;
  for (size_t at = 0; at < message.size(); at += size)
    out += record(22, message.substr(at, size));
  return out;
}

inline const std::string kChangeCipher = record(20, "\x01", 3);
inline const std::string kAppData = record(23, std::string(40, 'x'), 3);

}  // namespace ringwall::net::testing
