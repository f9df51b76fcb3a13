#include "gate/decide_command.h"

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "gate/copy_target.h"
#include "gate/decide_files.h"
#include "gate/injection.h"
#include "gate/operands.h"
#include "shell/analysis.h"
#include "shell/file_uses.h"
#include "shell/global_options.h"
#include "shell/whole_reads.h"

namespace ringwall::gate {
namespace {

using shell::Act;
using shell::Word;

// Looking at more would take longer than a person waits.
constexpr size_t kMostFiles = 2000;
constexpr size_t kMostUnknownFiles = 50;

// Claude Code takes these away before it matches; an allow sees through them too.
constexpr std::string_view kTransparent[] = {"timeout", "time",    "nice",   "nohup", "stdbuf",
                                             "command", "builtin", "noglob", "xargs"};

bool is_transparent(const std::string& wrapper) {
  return std::find(std::begin(kTransparent), std::end(kTransparent), wrapper) !=
         std::end(kTransparent);
}

// They show names and not what is in a file.
bool is_lister(std::string_view program) {
  constexpr std::string_view kListers[] = {
      "ls", "dir",      "tree",     "exa",  "eza",   "find", "fd",    "du",         "stat", "test",
      "[",  "realpath", "readlink", "file", "chmod", "cd",   "pushd", "ssh-keygen", "git"};
  return std::find(std::begin(kListers), std::end(kListers), program) != std::end(kListers);
}

// scp -i KEY: it logs in by it, and shows it to nobody.
bool is_login_of(const Act& act, const Word& path) {
  if (act.words.empty()) return false;
  std::string_view program = base_name(act.words[0].text);
  if (program != "scp" && program != "sftp") return false;
  bool is_given = false;
  for (size_t i = 1; i < act.words.size(); i++) {
    if (act.words[i].text != path.text) continue;
    if (act.words[i - 1].text != "-i") return false;
    is_given = true;
  }
  return is_given;
}

// "/usr/bin/git -C . push" is "git push" too.
void add_shorter(const std::vector<Word>& words, std::vector<Word>& faces) {
  if (words.empty()) return;
  if (is_git_program(words[0])) {
    std::vector<Word> split = words;
    split_git_program(split);
    faces.push_back(join_words(split));
  }
  bool has_path = words[0].gaps.empty() && words[0].text.find('/') != std::string::npos;
  bool has_options = shell::first_behind_global_options(words) > 1;
  if (!has_path && !has_options) return;
  std::vector<Word> named = words;
  if (has_path) {
    named[0].text = base_name(words[0].text);
    faces.push_back(join_words(named));
  }
  if (has_options) faces.push_back(join_words(shell::without_global_options(named)));
}

// The command lines under which a denial knows an act.
std::vector<Word> faces_of(const Act& act) {
  std::vector<Word> faces;
  if (!act.words.empty()) faces.push_back(join_words(act.words));
  add_shorter(act.words, faces);
  if (act.as_written.size() != act.words.size() && !act.as_written.empty()) {
    faces.push_back(join_words(act.as_written));
    add_shorter(act.as_written, faces);
  }
  return faces;
}

bool has_hidden_name(std::string_view path) {
  return path.starts_with('.') || path.find("/.") != path.npos;
}

// --exclude-dir=NAME, -g '!NAME', -not -path './NAME/*': by a name that stands in the path.
bool is_left_out(const std::vector<Word>& words, std::string_view path) {
  for (size_t i = 1; i < words.size(); i++) {
    std::string_view text = words[i].text, before = words[i - 1].text;
    bool leaves_out = text.starts_with("--exclude") || before.starts_with("--exclude") ||
                      text.starts_with("--ignore") || before.starts_with("--ignore") ||
                      text.find('!') != text.npos || before == "-x";
    bool is_named =
        any_part(path, '/', [&](std::string_view name) { return text.find(name) != text.npos; });
    if (leaves_out && is_named) return true;
  }
  return false;
}

// What nobody looked at may be what is denied.
Ruling too_much(std::string reason) {
  std::string told = reason + ". Instead: give it in parts, fewer commands and files at a time";
  return {Answer::deny, "", "built in", std::move(reason), std::move(told)};
}

class CommandJudge {
 public:
  CommandJudge(const RuleIndex& rules, const shell::Analysis& analysis, const Place& place,
               PathResolver& resolver, Rulings& rulings)
      : rules_(rules), analysis_(analysis), place_(place), resolver_(resolver), rulings_(rulings) {}

  bool judge() {
    bool all_allowed = !analysis_.acts.empty() && analysis_.doubts.empty();
    for (const Act& act : analysis_.acts) {
      Ruling ruling = judge_act(act);
      all_allowed = all_allowed && ruling.answer == Answer::allow;
      rulings_.add(ruling,
                   [&] { return show_words(act.as_written.empty() ? act.words : act.as_written); });
    }
    for (const shell::Doubt& doubt : analysis_.doubts) {
      rulings_.add(ask_because(doubt.why, "write the command so that it says what will run"),
                   [] { return std::string("?"); });
    }
    if (analysis_.has_unseen)
      rulings_.add(too_much("there is more in it than can be looked at"),
                   [] { return std::string("…"); });
    return all_allowed && !analysis_.has_unseen;
  }

 private:
  Ruling judge_act(const Act& act) {
    Ruling best = judge_by_rules(act);
    keep_stricter(best, judge_by_packs(act));
    for (const shell::Assignment& assignment : act.assignments)
      keep_stricter(best, judge_assignment(assignment, assigned_for(act)));
    keep_stricter(best, judge_files(act));
    if (best.answer == Answer::open) best = judge_allow(act);
    return best;
  }

  AssignedFor assigned_for(const Act& act) const {
    bool is_known = !act.words.empty() && act.words[0].literal();
    return {is_known ? std::string_view(act.words[0].text) : "", place_.workspace, place_.home};
  }

  // The rules that are filed by the face's first words. An unknown one may be any.
  template <class Visit>
  void visit_rules(const Word& face, Visit visit) const {
    size_t known = face.gaps.empty() ? face.text.size() : face.gaps[0].at;
    size_t end = 0;
    for (int words = 0; words < kFiledWords && end < face.text.size(); words++) {
      end = std::min(face.text.find(' ', end == 0 ? 0 : end + 1), face.text.size());
      if (known <= end && !face.gaps.empty()) return visit_all(visit);
      visit_filed(std::string_view(face.text).substr(0, end), visit);
    }
    std::for_each(rules_.other_commands.begin(), rules_.other_commands.end(), visit);
  }

  template <class Visit>
  void visit_all(Visit visit) const {
    for (const auto& [word, rules] : rules_.commands)
      std::for_each(rules.begin(), rules.end(), visit);
    std::for_each(rules_.other_commands.begin(), rules_.other_commands.end(), visit);
  }

  template <class Visit>
  void visit_filed(std::string_view words, Visit visit) const {
    auto found = rules_.commands.find(words);
    if (found != rules_.commands.end())
      std::for_each(found->second.begin(), found->second.end(), visit);
  }

  Ruling judge_by_rules(const Act& act) const {
    Ruling best;
    if (rules_.commands.empty() && rules_.other_commands.empty()) return best;
    for (const Word& face : faces_of(act)) {
      visit_rules(face, [&](const CommandRule& rule) {
        bool can_matter = rule.rule->answer != Answer::allow && rule.rule->answer > best.answer;
        if (can_matter && rule.may_fit(face))
          best = ruling_of(*rule.rule, !face.gaps.empty() && !rule.surely_fits(face));
      });
    }
    return best;
  }

  Ruling judge_by_packs(const Act& act) const {
    Surrounding around{place_.home, place_.workspace,
                       act.folder ? std::string_view(*act.folder) : "", &resolver_};
    PackHit<PackCommand> hit;
    // On another host its paths are others; what it would do there is looked at all the same.
    hit = match_command(analysis_, act, around, rules_.packs);
    Ruling best = ruling_of(hit, hit.row == nullptr ? "" : hit.row->spec);
    for (const shell::InlineCode& code : act.code) {
      PackHit<PackCode> found = match_code(code.language, code.code.text, rules_.packs);
      keep_stricter(best, ruling_of(found, found.row == nullptr ? "" : found.row->needle));
    }
    return best;
  }

  Ruling judge_one_file(const Act& act, const Word& path, FileAccess access) const {
    if (path.gaps.empty() && path.text == "/dev/null") return {Answer::allow};
    Anchors anchors{place_.home, place_.workspace,
                    act.folder ? std::string_view(*act.folder) : place_.workspace};
    FileLook look = look_at_file(path, act.folder, place_.home, resolver_);
    note_hidden(look, access, rulings_);
    return judge_file(rules_, look, access, anchors);
  }

  Ruling judge_files(const Act& act) {
    Ruling best;
    bool lists = !act.words.empty() && is_lister(base_name(act.words[0].text));
    std::vector<shell::FileUse> files = shell::files_of(act);
    for (const shell::FileUse& use : files) {
      if (!is_new_file(act, use)) continue;
      if (known_files_ > kMostFiles) return too_much("it names more files than can be looked at");
      if (unknown_files_ > kMostUnknownFiles)
        return ask_because("it names more files than are looked at", "name fewer files at a time");
      FileAccess access = use.kind != shell::FileUse::Kind::read ? FileAccess::write
                          : lists || is_login_of(act, use.path)  ? FileAccess::list
                                                                 : FileAccess::read;
      Ruling found = judge_one_file(act, use.path, access);
      if (found.answer > Answer::allow) keep_stricter(best, std::move(found));
    }
    keep_stricter(best, judge_copies(act));
    keep_stricter(best, judge_whole_reads(act, files));
    return best;
  }

  // What is put into a folder is a file there.
  Ruling judge_copies(const Act& act) const {
    Ruling best;
    if (act.elsewhere || !may_copy(act.words)) return best;
    Operands operands(act.words);
    for (const Word& path : names_in_target(copy_target_of(operands))) {
      Ruling found = judge_one_file(act, path, FileAccess::write);
      if (found.answer > Answer::allow) keep_stricter(best, std::move(found));
    }
    return best;
  }

  Ruling judge_whole_reads(const Act& act, const std::vector<shell::FileUse>& files) const {
    Ruling best;
    if (rules_.files.all().empty()) return best;
    Anchors anchors{place_.home, place_.workspace,
                    act.folder ? std::string_view(*act.folder) : place_.workspace};
    for (const shell::WholeRead& read : shell::whole_reads_of(analysis_, act, files)) {
      FileLook look = look_at_file(read.folder, act.folder, place_.home, resolver_);
      keep_stricter(
          best, judge_whole_read(rules_, look.file, anchors, resolver_, [&](std::string_view path) {
            return (read.skips_hidden && has_hidden_name(path)) || is_left_out(act.words, path);
          }));
    }
    return best;
  }

  // Counts it, too.
  bool is_new_file(const Act& act, const shell::FileUse& use) {
    std::string key = use.path.text + '\0' + static_cast<char>('0' + static_cast<int>(use.kind));
    for (const Word::Gap& gap : use.path.gaps)
      key += (gap.kind == Word::Gap::Kind::name ? '*' : '?') + std::to_string(gap.at);
    key += '\0' + act.folder.value_or("");
    if (!seen_files_.insert(std::move(key)).second) return false;
    (use.path.gaps.empty() ? known_files_ : unknown_files_)++;
    return true;
  }

  // What the shell itself writes, an allow of the program says nothing about.
  bool may_redirect(const Act& act) const {
    return std::all_of(act.redirections.begin(), act.redirections.end(), [&](const auto& one) {
      using Kind = shell::Redirection::Kind;
      return one.kind == Kind::read || one.kind == Kind::text ||
             judge_one_file(act, one.target, FileAccess::write).answer == Answer::allow;
    });
  }

  // Literal, certain, and in this environment.
  static bool is_plain(const Act& act) {
    auto is_known = [](const Word& word) {
      return std::all_of(word.gaps.begin(), word.gaps.end(),
                         [](const Word::Gap& gap) { return gap.kind == Word::Gap::Kind::name; });
    };
    return act.certain && !act.words.empty() && act.words[0].literal() &&
           std::all_of(act.words.begin(), act.words.end(), is_known) &&
           std::all_of(act.assignments.begin(), act.assignments.end(), [](const auto& set) {
             return set.value.literal() && is_harmless_variable(set.name);
           });
  }

  Ruling judge_allow(const Act& act) const {
    if (!rules_.has_allows || !is_plain(act) || !may_redirect(act)) return {};
    bool sees_through = std::all_of(act.through.begin(), act.through.end(), is_transparent);
    Word face = join_words(sees_through || act.as_written.empty() ? act.words : act.as_written);
    Ruling best;
    visit_rules(face, [&](const CommandRule& rule) {
      if (best.answer == Answer::open && rule.rule->answer == Answer::allow &&
          rule.surely_fits(face))
        best = ruling_of(*rule.rule, false);
    });
    return best;
  }

  const RuleIndex& rules_;
  const shell::Analysis& analysis_;
  const Place& place_;
  PathResolver& resolver_;
  Rulings& rulings_;
  std::unordered_set<std::string> seen_files_;
  size_t known_files_ = 0;
  size_t unknown_files_ = 0;
};

// A rule may name a whole line: Bash(make && make install).
void judge_line(const RuleIndex& rules, std::string_view command, Rulings& rulings) {
  if (rules.line_commands.empty()) return;
  Word line{std::string(text::trim(command))};
  for (const CommandRule& rule : rules.line_commands) {
    if (rule.may_fit(line)) rulings.add(ruling_of(*rule.rule, false), [&] { return show(line); });
  }
}

}  // namespace

bool judge_command(const RuleIndex& rules, std::string_view command, const std::string& folder,
                   const Place& place, PathResolver& resolver, Rulings& rulings) {
  shell::Analysis analysis = shell::analyse(command, {folder, place.home});
  judge_line(rules, command, rulings);
  return CommandJudge(rules, analysis, place, resolver, rulings).judge();
}

}  // namespace ringwall::gate
