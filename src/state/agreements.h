// What the person said to the toolchains of a workspace, once for each. Kept outside every
// workspace, beside the files that are trusted, where no sandbox sees it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "state/places.h"

namespace ringwall::state {

struct Said {
  enum class Answer {
    yes,
    never,   // do not ask again
    hinted,  // nothing; but it was told how to agree, where nobody could be asked
  };
  Answer answer = Answer::hinted;
  std::string digest;  // of what it was said to: anything else is asked for anew
};
std::string_view name_of(Said::Answer answer);

struct Agreement {
  std::string workspace;             // real path
  std::string folder;                // which folder it was: another one at this path is another
  std::map<std::string, Said> said;  // by the names of profiles
  int64_t since = 0;                 // seconds since 1970

  // What was said to exactly this.
  std::optional<Said::Answer> answer_to(const std::string& profile,
                                        const std::string& digest) const;
};

// `workspace` is a real path. Nothing was said yet: an agreement without an answer.
Result<Agreement> read_agreement(const Places& places, const std::string& workspace);

Status write_agreement(const Places& places, Agreement agreement);

// Sorted by path; those to which an answer was given.
Result<std::vector<Agreement>> list_agreements(const Places& places);

// False if there was no answer. What was only hinted at is forgotten too.
Result<bool> revoke_agreement(const Places& places, const std::string& workspace);

}  // namespace ringwall::state
