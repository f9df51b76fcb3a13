#include "gate/pack_match.h"

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "gate/pack_index.h"

namespace ringwall::gate {
namespace {

using shell::Act;
using shell::Word;

bool is_listed(std::string_view list, std::string_view name) {
  return any_part(list, '|', [&](std::string_view entry) { return entry == name; });
}

// "-r" in "-rf", "--recursive" or a beginning of it, "-delete" as find writes it.
bool is_flag(std::string_view word, std::string_view wanted) {
  bool is_long = word.starts_with("--");
  if (wanted.size() == 2 && wanted[0] == '-')
    return !is_long && word.find(wanted[1], 1) != word.npos;
  std::string_view name = word.substr(0, word.find('='));
  if (wanted.starts_with("--")) return is_long && name.size() >= 3 && wanted.starts_with(name);
  return name == wanted || (is_long && name.substr(1) == wanted);
}

// "--method=DELETE", "--method DELETE", "-XDELETE".
bool is_flag_with(const Operands& operands, size_t at, std::string_view name,
                  std::string_view value) {
  std::string_view word = operands.all[at]->text;
  bool next_fits = at + 1 < operands.all.size() && operands.all[at + 1]->text == value;
  if (word == name && next_fits) return true;
  if (name.starts_with("--"))
    return word.size() > value.size() && word.ends_with(value) &&
           word[word.size() - value.size() - 1] == '=' &&
           is_flag(word.substr(0, word.size() - value.size() - 1), name);
  return word.starts_with(name) && word.substr(name.size()) == value;
}

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
bool is_fed_by(const shell::Analysis& analysis, const Act& act, std::string_view kind, int depth) {
  if (depth == 0) return false;
  return std::any_of(act.fed_by.begin(), act.fed_by.end(), [&](size_t number) {
    if (number >= analysis.acts.size()) return false;
    const Act& before = analysis.acts[number];
    Operands program(before.words);
    if (kind == "any") return true;
    bool fits = kind == "fetch" ? is_listed(kFetchers, program.program) : decodes(program);
    return fits || is_fed_by(analysis, before, kind, depth - 1);
  });
}

bool gives_code(std::string_view flag) {
  constexpr std::string_view kFlags = "-c|-e|-m|-p|-n|-r|--eval|--print|-lc|-ec|-ic|-xc";
  return is_listed(kFlags, flag);
}

// An interpreter that was given a script, or code, reads its input as data. Code that is not known
// may be what was fetched: sh -c "$(curl …)".
bool reads_code(const Operands& program) {
  for (size_t i = 0; i < program.all.size(); i++) {
    const Word& word = *program.all[i];
    if (gives_code(word.text))
      return i + 1 < program.all.size() && !program.all[i + 1]->gaps.empty();
    if (word.text.starts_with("-s")) return true;
  }
  if (program.words.empty()) return true;
  const Word& first = *program.words[0];
  return !first.gaps.empty() || first.text == "-" || first.text.starts_with("/dev/") ||
         first.text.starts_with("/proc/");
}

// The branch that a push without a name would push, if that is one others build on.
bool is_on_main(const Operands& operands, const Surrounding& around) {
  size_t names = operands.words.size();  // push, remote, branch
  if (names > 3 || (names == 3 && operands.words[2]->text != "HEAD")) return false;
  for (std::string folder(around.folder); folder.size() > 1; folder = path::parent(folder)) {
    auto head = file::read(folder + "/.git/HEAD");
    if (head) return *head == "ref: refs/heads/main\n" || *head == "ref: refs/heads/master\n";
  }
  return false;
}

// One row against one act.
class RowMatch {
 public:
  RowMatch(const shell::Analysis& analysis, const Act& act, const Operands& operands,
           const Surrounding& around)
      : analysis_(analysis), act_(act), operands_(operands), around_(around) {}

  // Nothing, or how many unknown words had to be taken for what the row wants.
  std::optional<int> match(std::string_view spec) {
    next_word_ = 0;
    unknown_ = 0;
    size_t at = spec.find(' ');
    bool failed = at != spec.npos && any_part(spec.substr(at + 1), ' ',
                                              [&](std::string_view token) { return !fits(token); });
    if (failed) return std::nullopt;
    return unknown_;
  }

 private:
  bool fits(std::string_view token) {
    switch (token[0]) {
      case '-':
        return has_flag(token) || (operands_.may_be_more && ++unknown_ > 0);
      case '!':
        return !has_flag(token.substr(1));
      case '@':
        return token == "@on-main" ? is_on_main(operands_, around_) : has_class("", token);
      case '=':
        return has_value(token.substr(1));
      case '%':
        return has_known_value(token.substr(1));
      case '<':
        return is_fed_by(analysis_, act_, token.substr(1), 8) && reads_code(operands_);
      default:
        return has_word(token);
    }
  }

  bool has_word(std::string_view token) {
    if (next_word_ >= operands_.words.size()) return operands_.may_be_more && ++unknown_ > 0;
    const Word& word = *operands_.words[next_word_++];
    if (word.gaps.empty()) return is_listed(token, word.text);
    if (!any_part(token, '|', [&](std::string_view entry) { return may_fit(word, entry); }))
      return false;
    unknown_++;
    return true;
  }

  bool has_flag(std::string_view token) const {
    return any_part(token, '|', [&](std::string_view wanted) {
      size_t equals = wanted.find('=');
      if (equals == wanted.npos)
        return std::any_of(operands_.flags.begin(), operands_.flags.end(),
                           [&](const Word* flag) { return is_flag(flag->text, wanted); });
      for (size_t i = 0; i < operands_.all.size(); i++) {
        if (is_flag_with(operands_, i, wanted.substr(0, equals), wanted.substr(equals + 1)))
          return true;
      }
      return false;
    });
  }

  bool has_class(std::string_view prefix, std::string_view token) {
    uint16_t wanted = 0;
    any_part(token.substr(1), '|', [&](std::string_view name) {
      wanted |= operand_class(name);
      return false;
    });
    if (prefix.empty() && (all_classes() & wanted) == 0) return false;
    for (const Word* word : operands_.words) {
      if (!word->text.starts_with(prefix)) continue;
      Word rest = *word;
      rest.text.erase(0, prefix.size());
      for (Word::Gap& gap : rest.gaps)
        gap.at -= static_cast<uint32_t>(std::min<size_t>(gap.at, prefix.size()));
      uint16_t bits = classify(rest, around_);
      // What find found lies where find looked; find's own words say where that is.
      if (is_found_by_find()) bits &= static_cast<uint16_t>(~operand::unknown);
      if ((bits & wanted) == 0) continue;
      bool is_sure = rest.gaps.empty() || rest.gaps[0].kind == Word::Gap::Kind::name;
      if (!is_sure) unknown_++;
      return true;
    }
    return false;
  }

  // What any of the operands is; asked by many rows.
  uint16_t all_classes() {
    if (!classes_) {
      classes_ = 0;
      for (const Word* word : operands_.words)
        *classes_ |= classify(*word, around_);
    }
    return *classes_;
  }

  bool is_found_by_find() const {
    return std::any_of(act_.through.begin(), act_.through.end(),
                       [](const std::string& wrapper) { return wrapper.starts_with("find"); });
  }

  // An operand, or the value of an option.
  bool has_value(std::string_view token) {
    if (size_t at = token.find("=@"); at != token.npos)
      return has_class(token.substr(0, at + 1), token.substr(at + 1));
    for (const Word* word : operands_.all) {
      Word rest = *word;
      size_t equals = rest.text.starts_with("--") ? rest.text.find('=') : rest.text.npos;
      if (equals != rest.text.npos && rest.gaps.empty()) rest.text.erase(0, equals + 1);
      bool fitted =
          any_part(token, '|', [&](std::string_view glob) { return may_fit(rest, glob); });
      if (!fitted) continue;
      if (!rest.gaps.empty()) unknown_++;
      return true;
    }
    return false;
  }

  bool has_known_value(std::string_view token) const {
    return std::any_of(operands_.words.begin(), operands_.words.end(), [&](const Word* word) {
      return word->gaps.empty() && any_part(token, '|', [&](std::string_view glob) {
               return fits_glob(word->text, glob);
             });
    });
  }

  const shell::Analysis& analysis_;
  const Act& act_;
  const Operands& operands_;
  const Surrounding& around_;
  size_t next_word_ = 0;
  int unknown_ = 0;
  std::optional<uint16_t> classes_;
};

template <class Row>
void keep_strictest(PackHit<Row>& best, const Pack& pack, const Row& row, bool may) {
  // What only may fit is asked about: everyday commands have unknown words too.
  auto weight = [](Answer answer, bool unsure) {
    return std::pair(unsure && answer == Answer::deny ? Answer::ask : answer, !unsure);
  };
  if (best.row == nullptr || weight(row.answer, may) > weight(best.row->answer, best.may))
    best = {&pack, &row, may};
}

}  // namespace

PackHit<PackCommand> match_command(const shell::Analysis& analysis, const Act& act,
                                   const Surrounding& around, PackSet on) {
  PackHit<PackCommand> best;
  if (act.words.empty() || on == 0) return best;
  Operands operands(act.words);
  RowMatch matcher(analysis, act, operands, around);
  program_index().visit(operands.program, [&](const ProgramIndex::Entry& entry) {
    if ((on >> entry.pack & 1) == 0) return;
    const Pack& pack = packs()[entry.pack];
    const PackCommand& row = pack.commands[entry.row];
    auto unknown = matcher.match(row.spec);
    if (unknown && *unknown <= 1) keep_strictest(best, pack, row, *unknown == 1);
  });
  // A wrapper that gives rights is a rule's program too.
  for (const std::string& wrapper : act.through) {
    program_index().visit(wrapper, [&](const ProgramIndex::Entry& entry) {
      const Pack& pack = packs()[entry.pack];
      const PackCommand& row = pack.commands[entry.row];
      if ((on >> entry.pack & 1) != 0 && row.spec.find(' ') == row.spec.npos)
        keep_strictest(best, pack, row, false);
    });
  }
  return best;
}

PackHit<PackPath> match_path(const NamedFile& file, bool writes, const Anchors& anchors,
                             PackSet on) {
  PackHit<PackPath> best;
  path_index().visit(file, [&](const IndexedPath& entry) {
    const Pack& pack = packs()[entry.pack];
    const PackPath& row = pack.paths[entry.row];
    if ((on >> entry.pack & 1) == 0) return;
    if (row.use == (writes ? PackPath::Use::read : PackPath::Use::write)) return;
    if (best.row != nullptr && best.row->answer >= row.answer) return;
    std::string_view name = path::basename(file.is_known() ? file.target : file.path.text);
    bool is_harmless = any_part(row.except, '|', [&](std::string_view glob) {
      return file.is_known() ? fits_glob(name, glob) : false;
    });
    if (!is_harmless && entry.rule.may_fit(file, anchors))
      keep_strictest(best, pack, row, !file.is_known());
  });
  return best;
}

PackHit<PackCode> match_code(std::string_view language, std::string_view code, PackSet on) {
  PackHit<PackCode> best;
  std::string small = text::in_small_letters(code);
  // "DROP   TABLE" is one too.
  auto end = std::unique(small.begin(), small.end(),
                         [](char a, char b) { return isspace(a) && isspace(b); });
  small.erase(end, small.end());
  std::replace_if(
      small.begin(), small.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  for (size_t i = 0; i < packs().size(); i++) {
    if ((on >> i & 1) == 0) continue;
    for (const PackCode& row : packs()[i].code) {
      if (is_listed(row.languages, language) && small.find(row.needle) != small.npos)
        keep_strictest(best, packs()[i], row, false);
    }
  }
  return best;
}

}  // namespace ringwall::gate
