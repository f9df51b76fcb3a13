// What a secret looks like, for who hides files that hold one and who keeps them out of a record:
// names that say it, tokens that say by their first letters what they are, passwords in addresses.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ringwall::secret {

// "DB_PASSWORD", "api-key"; not "TOKEN_URL", which is about one.
bool is_named(std::string_view name);

// False of what people write where a secret belongs, or where it comes from at run time:
// "changeme",
// "${TOKEN}".
bool is_real(std::string_view value);

// A part of a text.
struct Place {
  size_t at = 0;
  size_t length = 0;
};

// The next token of known form, as it stands with its first letters.
std::optional<Place> find_token(std::string_view text, size_t from = 0);

// The next password in scheme://user:password@host, alone.
std::optional<Place> find_url_password(std::string_view text, size_t from = 0);

}  // namespace ringwall::secret
