// One way to fail: Result<T> carries a value or an Error, TRY hands an Error on to the caller.
//
// An Error says what was tried, the errno if the kernel refused, and what a person can do about it.
// Nothing is printed here; whoever talks to the person (cli/) decides how it looks.
#pragma once

#include <cerrno>
#include <expected>
#include <string>
#include <utility>

namespace ringwall {

struct Error {
  std::string what;  // "cannot open /x", without the errno's text
  int err = 0;       // errno, 0 if the kernel had no part in it
  std::string hint;  // what to do next; may be empty

  // "while starting: cannot open /x: Permission denied"
  std::string text() const;
};

template <class T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

inline std::unexpected<Error> fail(std::string what, std::string hint = {}) {
  return std::unexpected(Error{std::move(what), 0, std::move(hint)});
}

// Takes errno as it stands, so it must be the first call after the one that failed.
inline std::unexpected<Error> fail_errno(std::string what, std::string hint = {}) {
  int err = errno;
  return std::unexpected(Error{std::move(what), err, std::move(hint)});
}

}  // namespace ringwall

#define RINGWALL_JOIN2(a, b) a##b
#define RINGWALL_JOIN(a, b) RINGWALL_JOIN2(a, b)

// TRY(call()) for a Status; TRY_ASSIGN(auto x, call()) for a value.
#define TRY(expression)                                      \
  do {                                                       \
    if (auto try_result = (expression); !try_result)         \
      return std::unexpected(std::move(try_result).error()); \
  } while (false)

#define TRY_ASSIGN(declaration, expression) \
  TRY_ASSIGN_AS(RINGWALL_JOIN(try_result_, __LINE__), declaration, expression)
#define TRY_ASSIGN_AS(name, declaration, expression)          \
  auto name = (expression);                                   \
  if (!name) return std::unexpected(std::move(name).error()); \
  declaration = std::move(*name)
