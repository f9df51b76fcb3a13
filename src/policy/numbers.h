// Numbers as people write them, "512M", "1h30m", "1.5", and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "policy/fields.h"

namespace ringwall::policy {

// In the smallest unit of the shape. An error says what to write, without naming the field.
Result<uint64_t> parse_number(Shape shape, std::string_view text);

// Rounded to one digit after the point, with the largest unit that fits: "1.5G", "90s", "none".
std::string show_number(Shape shape, uint64_t value);

// What a person may write, for messages and documents: "a size such as 512M or 4G".
std::string_view description_of(Shape shape);

}  // namespace ringwall::policy
