#include "git/refusal.h"

#include "base/git_keys.h"
#include "base/text.h"
#include "git/config_rules.h"

namespace ringwall::git {

std::string GitRefusal::text() const {
  std::string out = text::quote(what) + ": " + reason;
  if (!attack.empty()) out += " (" + std::string(attack) + ")";
  return out;
}

GitRefusal refuse_key(std::string_view key, std::string_view reason) {
  const git::KnownKey* known = git::find_known(git::split_key(key));
  return {std::string(key), std::string(reason), known == nullptr ? "" : known->attack};
}

GitRefusal refuse_unlisted(std::string_view key) {
  const git::KnownKey* known = git::find_known(git::split_key(key));
  return refuse_key(key, known == nullptr
                             ? "it is not among the settings that may change during a run"
                             : "it " + std::string(known->does));
}

GitRefusal refuse_value(std::string_view key, const GitConfigRule& rule) {
  return refuse_key(key, "its value must be " + std::string(rule.values));
}

}  // namespace ringwall::git
