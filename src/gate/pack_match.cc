#include "gate/pack_match.h"

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "gate/code_source.h"
#include "gate/copy_target.h"
#include "gate/current_branch.h"
#include "gate/default_value.h"
#include "gate/flag_match.h"
#include "gate/pack_index.h"
#include "gate/process_match.h"
#include "shell/global_options.h"

namespace ringwall::gate {
namespace {

using shell::Act;
using shell::Word;

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
        return !is_in_force(operands_, token.substr(1));
      case '#':
        return has_words(static_cast<size_t>(token[1] - '0'));
      case '@':
        return has_named_class(token);
      case '^':
        return has_class("", token, Which::sources);
      case '>':
        return has_target(token);
      case '=':
        return has_value(token.substr(1));
      case '%':
        return has_known_value(token.substr(1));
      case '~':
        return has_folded_value(token.substr(1));
      case '&':
        return has_option_before(token.substr(1));
      case '<':
        return has_code_from(token.substr(1));
      default:
        return has_word(token);
    }
  }

  bool has_word(std::string_view token) {
    if (next_word_ >= operands_.words.size()) return operands_.may_be_more && ++unknown_ > 0;
    const Word& word = *operands_.words[next_word_++];
    if (word.gaps.empty())
      return any_part(token, '|', [&](std::string_view entry) {
        return entry.find('*') != entry.npos ? fits_glob(word.text, entry) : entry == word.text;
      });
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

  bool has_words(size_t count) {
    if (operands_.words.size() >= count) return true;
    return operands_.may_be_more && ++unknown_ > 0;
  }

  bool has_code_from(std::string_view kind) {
    FromThere from = runs_code_from(analysis_, act_, operands_, kind);
    if (from == FromThere::may) unknown_++;
    return from != FromThere::no;
  }

  // Classes that are not those of a path.
  bool has_named_class(std::string_view token) {
    if (token == "@on-main") return is_on_main(operands_, around_);
    if (token == "@all-files") return names_all_files();
    if (token == "@all-branches") return names_all_branches();
    if (token == "@every-process") return names_every_process(operands_);
    if (token == "@ringwall") {
      FromThere found = names_ringwall(analysis_, operands_);
      if (found == FromThere::may) unknown_++;
      return found != FromThere::no;
    }
    return has_class("", token, Which::all);
  }

  // git reads a star in what it pushes itself.
  bool names_all_branches() const {
    return std::any_of(operands_.words.begin(), operands_.words.end(), [](const Word* word) {
      return word->gaps.empty() && word->text.find('*') != word->text.npos;
    });
  }

  bool has_word_of(std::string_view list) const {
    return std::any_of(operands_.words.begin(), operands_.words.end(), [&](const Word* word) {
      return word->gaps.empty() && is_listed(list, word->text);
    });
  }

  // For git, which reads globs itself: './', '*', ':(top)'. What is only unstaged is not lost.
  bool names_all_files() {
    bool keeps = !operands_.words.empty() && operands_.words[0]->text == "restore" &&
                 is_in_force(operands_, "--staged|-S") && !has_flag("-W|--worktree");
    return !keeps && (has_word_of("*|./*|:/*|:|:(top)|:/.|**|./|./.") ||
                      has_class("", "@workspace", Which::all));
  }

  enum class Which : uint8_t { all, sources };

  static uint16_t classes_in(std::string_view token) {
    uint16_t wanted = 0;
    any_part(token.substr(1), '|', [&](std::string_view name) {
      wanted |= operand_class(name);
      return false;
    });
    return wanted;
  }

  bool has_class(std::string_view prefix, std::string_view token, Which which) {
    uint16_t wanted = classes_in(token);
    if (prefix.empty() && (all_classes() & wanted) == 0) return false;
    // With -t the target is no operand; where that is not known, every operand may be a source.
    size_t count = operands_.words.size();
    if (which == Which::sources && count > 1 && !has_flag("-t|--target-directory")) count--;
    for (size_t i = 0; i < count; i++) {
      const Word* word = operands_.words[i];
      if (!word->text.starts_with(prefix)) continue;
      Word rest = *word;
      rest.text.erase(0, prefix.size());
      for (Word::Gap& gap : rest.gaps)
        gap.at -= static_cast<uint32_t>(std::min<size_t>(gap.at, prefix.size()));
      if (is_of(rest, wanted)) return true;
    }
    return false;
  }

  bool is_of(const Word& word, uint16_t wanted) {
    uint16_t bits = classify(word, around_);
    // What find found lies where find looked; find's own words say where that is.
    if (is_found_by_find()) bits &= static_cast<uint16_t>(~operand::unknown);
    if ((bits & operand::temporary) != 0 && finds_by_name())
      bits &= static_cast<uint16_t>(~operand::outside);
    if ((bits & wanted) == operand::unknown && has_known_twin(analysis_, act_)) return false;
    if ((bits & wanted) == 0) return false;
    bool is_sure = word.gaps.empty() || word.gaps[0].kind == Word::Gap::Kind::name;
    if (!is_sure) unknown_++;
    return true;
  }

  // Some of the temporary files, as in `rm /tmp/x*`.
  bool finds_by_name() const {
    return operands_.program == "find" && is_in_force(operands_, "-name|-iname|-path|-ipath");
  }

  // Where something is put: the target itself, or what the source is called in it.
  bool has_target(std::string_view token) {
    uint16_t wanted = classes_in(token);
    CopyTarget copy = copy_target_of(operands_);
    if (!copy.target) return false;
    if (is_of(*copy.target, wanted)) return true;
    // A copy of settings elsewhere is nobody's settings.
    if ((classify(*copy.target, around_) & (operand::workspace | operand::home)) == 0) return false;
    std::vector<Word> made = names_in_target(copy);
    return std::any_of(made.begin(), made.end(),
                       [&](const Word& word) { return is_of(word, wanted); });
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
      return has_class(token.substr(0, at + 1), token.substr(at + 1), Which::all);
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

  // An operand in whatever letters.
  bool has_folded_value(std::string_view token) {
    for (const Word* word : operands_.words) {
      Word small = *word;
      small.text = text::in_small_letters(small.text);
      if (!any_part(token, '|', [&](std::string_view glob) { return may_fit(small, glob); }))
        continue;
      if (!small.gaps.empty()) unknown_++;
      return true;
    }
    return false;
  }

  // Of what is not known the rest counts: git -c remote.x.push=+refs/* push.
  bool has_option_before(std::string_view token) const {
    return std::any_of(operands_.before.begin(), operands_.before.end(), [&](const Word* word) {
      std::string text = text::in_small_letters(word->text);
      return any_part(token, '|', [&](std::string_view glob) { return fits_glob(text, glob); });
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

void keep_strictest(PackHit<PackCommand>& best, const Pack& pack, const PackCommand& row,
                    bool may) {
  // What only may fit is asked about: everyday commands have unknown words too.
  auto weight = [](Answer answer, bool unsure) {
    return std::pair(unsure && answer == Answer::deny ? Answer::ask : answer, !unsure);
  };
  if (best.row == nullptr || weight(row.answer, may) > weight(best.row->answer, best.may))
    best = {&pack, &row, may};
}

// "npm token --help" and nothing more. Behind operands some programs read no options.
bool only_tells(const Operands& operands) {
  if (operands.all.empty() || operands.flags.size() != 1 || operands.may_be_more) return false;
  const Word& last = *operands.all.back();
  if (!last.gaps.empty() || !is_listed("--help|--version", last.text)) return false;
  bool has_subcommands = shell::global_options_of(operands.program).has_value();
  return operands.before.empty() && operands.words.size() <= (has_subcommands ? 2u : 0u) &&
         std::all_of(operands.words.begin(), operands.words.end(), [](const Word* word) {
           constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyz-";
           return word->gaps.empty() && word->text.find_first_not_of(kPlain) == word->text.npos;
         });
}

// Most rows of a program are for other subcommands.
bool begins_otherwise(const ProgramIndex::Entry& row, const Operands& operands) {
  if (row.first_letters == 0 || operands.words.empty()) return false;
  const Word& first = *operands.words[0];
  return first.gaps.empty() && !first.text.empty() &&
         (row.first_letters & ProgramIndex::bit_of(first.text[0])) == 0;
}

}  // namespace

PackHit<PackCommand> match_command(const shell::Analysis& analysis, const Act& act,
                                   const Surrounding& around, PackSet on) {
  PackHit<PackCommand> best;
  if (act.words.empty() || on == 0) return best;
  auto with_branch = with_current_branch(analysis, act);
  Operands operands(with_branch ? *with_branch : act.words);
  RowMatch matcher(analysis, act, operands, around);
  bool tells = only_tells(operands);
  program_index().visit(operands.program, [&](const ProgramIndex::Entry& entry) {
    if ((on >> entry.pack & 1) == 0 || tells || begins_otherwise(entry, operands)) return;
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

}  // namespace ringwall::gate
