// Why something of git's was refused, for the person: it names only what was found, never what to
// trust.
#pragma once

#include <string>
#include <string_view>

namespace ringwall::git {

struct GitConfigRule;

struct GitRefusal {
  std::string what;    // the key, hook or line, as it was found
  std::string reason;  // in plain words
  std::string_view attack;

  std::string text() const;
};

GitRefusal refuse_key(std::string_view key, std::string_view reason);
GitRefusal refuse_unlisted(std::string_view key);
GitRefusal refuse_value(std::string_view key, const GitConfigRule& rule);

}  // namespace ringwall::git
