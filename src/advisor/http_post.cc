#include "advisor/http_post.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <chrono>
#include <exception>
#include <optional>

#include "base/file.h"
#include "base/http_url.h"
#include "base/text.h"

namespace ringwall::advisor {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using http_url::Url;

constexpr size_t kMostAnswer = 1 << 20;

http::request<http::string_body> make_request(const HttpRequest& from, const Url& url) {
  http::request<http::string_body> request(http::verb::post, url.target, 11);
  request.set(http::field::host, url.host);
  request.set(http::field::user_agent, "ringwall/" RINGWALL_VERSION);
  request.set(http::field::content_type, "application/json");
  for (const auto& [name, value] : from.headers)
    request.set(name, value);
  request.body() = from.body;
  request.prepare_payload();
  return request;
}

template <class Stream>
asio::awaitable<HttpAnswer> exchange(Stream& stream, const HttpRequest& from, const Url& url) {
  auto request = make_request(from, url);
  co_await http::async_write(stream, request, asio::use_awaitable);
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(kMostAnswer);
  co_await http::async_read(stream, buffer, parser, asio::use_awaitable);
  co_return HttpAnswer{parser.get().result_int(), std::move(parser.get().body())};
}

// Where the lists of authorities lie, beside where the library was built to look.
void trust_system(asio::ssl::context& context) {
  context.set_default_verify_paths();
  for (const char* list : {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                           "/etc/ssl/ca-bundle.pem"}) {
    boost::system::error_code ignored;  // another system keeps it elsewhere
    if (file::exists(list)) context.load_verify_file(list, ignored);
  }
  context.set_verify_mode(asio::ssl::verify_peer);
}

asio::awaitable<HttpAnswer> post(const HttpRequest& request, const Url& url) {
  auto executor = co_await asio::this_coro::executor;
  asio::ip::tcp::resolver resolver(executor);
  auto found = co_await resolver.async_resolve(url.host, url.port, asio::use_awaitable);
  asio::ip::tcp::socket socket(executor);
  for (auto at = found.begin();; ++at) {  // the first that answers
    boost::system::error_code failed;
    socket = asio::ip::tcp::socket(executor);
    co_await socket.async_connect(*at, asio::redirect_error(asio::use_awaitable, failed));
    if (!failed) break;
    if (std::next(at) == found.end()) throw boost::system::system_error(failed);
  }
  if (!url.is_tls) co_return co_await exchange(socket, request, url);
  asio::ssl::context context(asio::ssl::context::tls_client);
  trust_system(context);
  beast::ssl_stream<asio::ip::tcp::socket> stream(std::move(socket), context);
  SSL_set_tlsext_host_name(stream.native_handle(), url.host.c_str());
  stream.set_verify_callback(asio::ssl::host_name_verification(url.host));
  co_await stream.async_handshake(asio::ssl::stream_base::client, asio::use_awaitable);
  co_return co_await exchange(stream, request, url);
}

}  // namespace

Result<HttpAnswer> http_post(const HttpRequest& request) {
  TRY_ASSIGN(Url url, http_url::parse(request.url));
  asio::io_context context(1);
  std::optional<Result<HttpAnswer>> answer;
  asio::co_spawn(context, post(request, url), [&](std::exception_ptr error, HttpAnswer got) {
    if (!error) {
      answer = std::move(got);
      return;
    }
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& what) {
      answer = fail("the advisor at " + text::quote(url.host) + ": " + what.what());
    }
  });
  context.run_for(std::chrono::milliseconds(request.milliseconds));
  if (!answer)
    return fail("the advisor at " + text::quote(url.host) + " did not answer within " +
                std::to_string(request.milliseconds) + " ms");
  return std::move(*answer);
}

}  // namespace ringwall::advisor
