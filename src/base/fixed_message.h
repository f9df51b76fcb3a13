// Messages of fixed layout between two of our processes. Whoever reads one does not trust the
// writer: length, type and the ends of texts are checked.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::fixed {

template <typename Message>
std::string_view bytes_of(const Message& message) {
  return {reinterpret_cast<const char*>(&message), sizeof message};
}

// As long as it must be. `whose` is for the error.
template <typename Message>
Result<Message> parse(std::string_view bytes, std::string_view whose) {
  Message message{};
  if (bytes.size() != sizeof message)
    return fail(std::string(whose) + " message of the wrong size");
  memcpy(&message, bytes.data(), sizeof message);
  return message;
}

// And of a type from 1 to `last`.
template <typename Message, typename Type>
Result<Message> parse(std::string_view bytes, std::string_view whose, Type last) {
  TRY_ASSIGN(Message message, parse<Message>(bytes, whose));
  auto type = static_cast<uint32_t>(message.type);
  if (type < 1 || type > static_cast<uint32_t>(last))
    return fail(std::string(whose) + " message of unknown type");
  return message;
}

template <size_t size>
void put(char (&field)[size], std::string_view text) {
  field[text.copy(field, size - 1)] = '\0';
}

template <size_t size>
void end_text(char (&field)[size]) {
  field[size - 1] = '\0';
}

}  // namespace ringwall::fixed
