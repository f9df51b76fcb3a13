#include "net/first_bytes.h"

#include <gtest/gtest.h>

#include <string>

namespace ringwall::net {
namespace {

using namespace std::string_literals;

}  // namespace

TEST(FirstBytes, AreRecognised) {
  const std::pair<std::string, Protocol> cases[] = {
      {"\x16\x03\x01\x02\x00\x01"s, Protocol::tls},
      {"\x16\x03\x03\x00\x01\x01"s, Protocol::tls},
      {"\x16\x03"s, Protocol::tls},
      {"SSH-2.0-OpenSSH_9.2\r\n", Protocol::ssh},
      {"GET / HTTP/1.1\r\n", Protocol::http},
      {"GET / HTTP/1.", Protocol::http},
      {"POST http://a.example/ HTTP/1.0\r\n", Protocol::http},
      {"OPTIONS * HTTP/1.1\r\n", Protocol::http},
      {"CONNECT a.example:443 HTTP/1.1\r\n", Protocol::http},
      {"M-SEARCH * HTTP/1.1\r\n", Protocol::http},
      {"UNLOCK /x HTTP/1.1\r\n", Protocol::http},
      {"LINK /x HTTP/1.1\r\n", Protocol::http},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", Protocol::http},
      // What a lenient server would take is recognised, so that the strict judge sees it.
      {"\r\nGET / HTTP/1.1\r\n", Protocol::http},
      {"\n\n\r\nGET / HTTP/1.1\r\n", Protocol::http},
      {"GET /a b HTTP/1.1\r\n", Protocol::http},
      {"GET \0 HTTP/1.1\r\n"s, Protocol::http},
      {"GET / HTTP/1.1\n", Protocol::http},
      {"GET / HTTP/0.9\r\n", Protocol::http},
      {"get / HTTP/1.1\r\n", Protocol::http},
      {"GETX / HTTP/1.1\r\n", Protocol::http},
      {"G(T / HTTP/1.1\r\n", Protocol::http},
      {"X-A / http/1.1\r\n", Protocol::http},
      {"GET / HTTP/1.1 x\r\n", Protocol::http},
      {"GET\t/\tHTTP/1.1\r\n", Protocol::http},
      {"GET\v/\fHTTP/1.1\r\n", Protocol::http},
      {" GET / HTTP/1.1\r\n", Protocol::http},
      {"PRI / HTTP/2.0\r\n", Protocol::http},
      {std::string(40, 'A') + " / HTTP/1.1\r\n", Protocol::http},
      {"GET /" + std::string(100'000, 'a') + " HTTP/1.1\r\n", Protocol::http},
      {"SSH-2.0 / HTTP/1.1\r\n", Protocol::http},
      // A request would stand behind these.
      {"PROXY TCP4 10.0.0.1 10.0.0.2 1 80\r\n", Protocol::http},
      {"\r\n\r\n\0\r\nQUIT\n"s, Protocol::http},
      {"GET /\r\n", Protocol::other},
      {"GET / XHTTP/1.1\r\n", Protocol::other},
      {"GET / HTTPS/1.1\r\n", Protocol::other},
      {"GET / HHTTP/ http://x/HTTP/1.1\r\n", Protocol::other},
      {"HTTP/1.1 200 OK\r\n", Protocol::other},
      {"OPTIONS rtsp://a.example RTSP/1.0\r\n", Protocol::other},
      {"\r\n\r\n\0\r\nSTOP\n"s, Protocol::other},
      {"AMQP\0\0\x09\x01"s, Protocol::other},
      {"GET /\r\n HTTP/1.1", Protocol::other},
      {"\x16\x02"s, Protocol::other},
      {"\x15\x03\x01"s, Protocol::other},
      // A hello in the manner of SSLv2.
      {"\x80\x2e\x01\x03\x01"s, Protocol::other},
      {"SSX\n", Protocol::other},
      {"EHLO a.example\r\n", Protocol::other},
      {"\0\0\0\x08\x04\xd2\x16\x2f"s, Protocol::other},
      {"*1\r\n$4\r\nPING\r\n", Protocol::other},
  };
  for (const auto& [bytes, protocol] : cases)
    EXPECT_EQ(recognise(bytes), protocol) << bytes;
}

// Cut anywhere, it is unknown until it is known, and then it stays.
TEST(FirstBytes, AreUnknownOnlyWhileTheyCouldBecomeKnown) {
  const std::pair<std::string, size_t> cases[] = {
      {"\x16\x03\x01\x02"s, 2},
      {"SSH-2.0-x\r\n", 11},
      {"GET / HTTP/1.1\r\n", 11},
      {"PRI * HTTP/2.0\r\n", 11},
      {"PROPPATCH /x HTTP/1.1\r\n", 18},
      {"\r\nPUT / HTTP/1.0\r\n", 13},
      {"GET /\n HTTP/1.1", 6},
      {"hello\n", 6},
      {"\1hello", 1},
      {"he\0llo"s, 3},
      {"PROXY TCP4 10.0.0.1", 6},
      {"\r\n\r\n\0\r\nQUIT\n"s, 12},
      {"\r\n\r\n\0\r\nQUIX"s, 11},
      {"\x16\x04"s, 2},
  };
  for (const auto& [bytes, known_at] : cases) {
    Protocol final = recognise(bytes);
    EXPECT_NE(final, Protocol::unknown_yet) << bytes;
    for (size_t length = 0; length <= bytes.size(); length++) {
      EXPECT_EQ(recognise(bytes.substr(0, length)),
                length < known_at ? Protocol::unknown_yet : final)
          << bytes << " cut at " << length;
    }
  }
}

TEST(FirstBytes, AreExpectedByThePort) {
  for (int port : {443, 8443, 853, 465, 636, 989, 990, 993, 995, 5061, 6443, 9443})
    EXPECT_EQ(kind_of_port(static_cast<uint16_t>(port)), PortKind::tls) << port;
  for (int port : {80, 8080, 8000, 8008, 8081, 8888, 3128})
    EXPECT_EQ(kind_of_port(static_cast<uint16_t>(port)), PortKind::http) << port;
  // Servers speak first here, or nobody can say.
  for (int port : {1, 21, 22, 25, 110, 143, 587, 3306, 5000, 5432, 5900, 6379, 9000, 9418, 65535})
    EXPECT_EQ(kind_of_port(static_cast<uint16_t>(port)), PortKind::other) << port;
}

}  // namespace ringwall::net
