#include "gate/default_value.h"

#include <algorithm>

#include "gate/flag_match.h"

namespace ringwall::gate {
namespace {

using shell::Act;

bool is_twin(const Act& known, const Act& act) {
  if (known.place != act.place || known.through != act.through || known.folder != act.folder)
    return false;
  return std::equal(known.words.begin(), known.words.end(), act.words.begin(), act.words.end(),
                    [](const shell::Word& a, const shell::Word& b) {
                      return a.literal() && (!b.gaps.empty() || a.text == b.text);
                    });
}

// Their output is nowhere, and they set no variable to what is not written in the line.
bool gives_nothing(const Act& act) {
  constexpr std::string_view kQuiet = "cd|set|echo|mkdir|test|[|[[|true|:";
  return !act.words.empty() && is_listed(kQuiet, act.words[0].text);
}

}  // namespace

bool has_known_twin(const shell::Analysis& analysis, const Act& act) {
  bool has_twin = false;
  for (const Act& other : analysis.acts) {
    if (is_twin(other, act)) has_twin = true;
    bool is_before = other.place != act.place && other.place.first < act.place.second;
    if (is_before && !gives_nothing(other)) return false;
  }
  return has_twin;
}

}  // namespace ringwall::gate
