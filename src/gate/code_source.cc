#include "gate/code_source.h"

#include <algorithm>

#include "gate/flag_match.h"
#include "gate/keyed_paths.h"

namespace ringwall::gate {
namespace {

using shell::Act;
using shell::Word;

constexpr int kLongestPipe = 8;

constexpr std::string_view kFetchers =
    "curl|wget|wget2|fetch|aria2c|http|https|xh|httpie|nc|ncat|netcat|socat|lynx|w3m|links|ftp|"
    "tftp|"
    "lwp-request|GET|axel|hurl";
constexpr std::string_view kDecoders =
    "base64|base32|basenc|xxd|uudecode|rev|tr|zcat|gunzip|bzcat|xzcat|openssl|gpg|ascii2uni|printf";

bool decodes(const Operands& program) {
  std::string_view name = program.program;
  if (!is_listed(kDecoders, name)) return false;
  auto has = [&](std::string_view flags) {
    return std::any_of(program.flags.begin(), program.flags.end(), [&](const Word* flag) {
      return any_part(flags, '|', [&](std::string_view f) { return is_flag(flag->text, f); });
    });
  };
  if (name == "base64" || name == "base32" || name == "basenc") return has("-d|-D|--decode|-i");
  if (name == "xxd") return has("-r");
  if (name == "openssl" || name == "gpg") return has("-d|-D|--decrypt");
  return name != "printf";
}

// Somewhere up the pipe stands a program of this kind.
bool is_fed_by(const shell::Analysis& analysis, const Act& act, std::string_view kind, int depth);

bool is_of_kind(const shell::Analysis& analysis, const Act& act, std::string_view kind, int depth) {
  if (kind == "any") return true;
  Operands program(act.words);
  bool fits = kind == "fetch" ? is_listed(kFetchers, program.program) : decodes(program);
  return fits || is_fed_by(analysis, act, kind, depth);
}

bool is_fed_by(const shell::Analysis& analysis, const Act& act, std::string_view kind, int depth) {
  if (depth == 0) return false;
  return std::any_of(act.fed_by.begin(), act.fed_by.end(), [&](size_t number) {
    return number < analysis.acts.size() &&
           is_of_kind(analysis, analysis.acts[number], kind, depth - 1);
  });
}

bool gives_code(std::string_view flag) {
  constexpr std::string_view kFlags = "-c|-e|-m|-p|-n|-r|--eval|--print|-lc|-ec|-ic|-xc";
  return is_listed(kFlags, flag);
}

// An interpreter that was given a script, or code, reads its input as data. Code that is not known
// may be what was fetched: sh -c "$(curl …)".
bool reads_code(const Act& act, const Operands& program) {
  // Their first word is a subcommand or a target.
  if (is_listed("make|gmake|deno|bun", program.program)) {
    bool names_input = std::any_of(
        program.words.begin(), program.words.end(),
        [](const Word* word) { return word->text == "-" || word->text.starts_with("/dev/"); });
    if (names_input || is_listed("make|gmake", program.program)) return names_input;
  }
  for (size_t i = 0; i < program.all.size(); i++) {
    const Word& word = *program.all[i];
    // Of other languages than the shell's, unknown_code() says more about it.
    if (gives_code(word.text))
      return act.code.empty() && i + 1 < program.all.size() && !program.all[i + 1]->gaps.empty();
    if (word.text.starts_with("-s")) return true;
  }
  if (program.words.empty()) return true;
  const Word& first = *program.words[0];
  return !first.gaps.empty() || first.text == "-" || first.text.starts_with("/dev/") ||
         first.text.starts_with("/proc/");
}

bool is_connected(const Act& act) {
  return std::any_of(act.redirections.begin(), act.redirections.end(), [](const auto& one) {
    return one.target.text.starts_with("/dev/tcp/") || one.target.text.starts_with("/dev/udp/");
  });
}

bool is_only_gap(const Word& code) {
  return !code.gaps.empty() && code.text.find_first_not_of(" \t\n;") == code.text.npos;
}

// deno takes it behind a subcommand.
bool is_evaluated(const Operands& operands) {
  return operands.program == "deno" && operands.words.size() > 1 &&
         operands.words[0]->text == "eval";
}

// How much of the code on the command line is not known.
FromThere unknown_code(const Act& act, const Operands& operands) {
  FromThere found = FromThere::no;
  auto look_at = [&](const Word& code) {
    bool is_unknown = std::any_of(code.gaps.begin(), code.gaps.end(), [](const auto& gap) {
      return gap.kind == Word::Gap::Kind::text;
    });
    if (is_unknown) found = is_only_gap(code) ? FromThere::yes : std::max(found, FromThere::may);
  };
  for (const shell::InlineCode& one : act.code)
    look_at(one.code);
  if (is_evaluated(operands)) look_at(*operands.words[1]);
  return found;
}

// "cat x.py | python3" is "python3 x.py".
bool shows_a_file(const Act& act) {
  bool is_cat = act.words.size() > 1 && act.words[0].text == "cat" && act.fed_by.empty() &&
                act.redirections.empty();
  return is_cat && std::all_of(act.words.begin() + 1, act.words.end(), [](const Word& word) {
           return word.literal() && !word.text.starts_with('-') &&
                  !word.text.starts_with("/dev/") && !word.text.starts_with("/proc/");
         });
}

// Code that is written out in the line is judged as such; a file could be run by its name.
bool is_fed_plainly(const shell::Analysis& analysis, const Act& act) {
  bool is_written_out =
      !act.code.empty() && std::all_of(act.code.begin(), act.code.end(), [](const auto& one) {
        return one.code.literal() && !one.code.text.empty();
      });
  return is_written_out || std::all_of(act.fed_by.begin(), act.fed_by.end(), [&](size_t number) {
           return number < analysis.acts.size() && shows_a_file(analysis.acts[number]);
         });
}

// python3 -c "$(curl …)": what stands in the command's own words.
FromThere has_code_from(const shell::Analysis& analysis, const Act& act, const Operands& operands,
                        std::string_view kind) {
  FromThere found = unknown_code(act, operands);
  if (kind == "unknown") return found == FromThere::yes ? found : FromThere::no;
  if (found == FromThere::no || kind == "any") return FromThere::no;
  bool is_there = std::any_of(analysis.acts.begin(), analysis.acts.end(), [&](const Act& inner) {
    bool lies_in = inner.place.first > act.place.first && inner.place.second <= act.place.second;
    return lies_in && is_of_kind(analysis, inner, kind, kLongestPipe);
  });
  return is_there ? found : FromThere::no;
}

}  // namespace

FromThere runs_code_from(const shell::Analysis& analysis, const Act& act, const Operands& operands,
                         std::string_view kind) {
  if (kind == "socket") return is_connected(act) ? FromThere::yes : FromThere::no;
  if (kind == "any" && is_fed_plainly(analysis, act)) return FromThere::no;
  if (kind != "unknown" && is_fed_by(analysis, act, kind, kLongestPipe) &&
      reads_code(act, operands))
    return FromThere::yes;
  return has_code_from(analysis, act, operands, kind);
}

}  // namespace ringwall::gate
