// What the words of a command come down to: through wrappers and inner shells to the programs.
#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "shell/carried.h"
#include "shell/inline_code.h"
#include "shell/value.h"
#include "shell/walk.h"
#include "shell/walk_inside.h"

namespace ringwall::shell {
namespace {

constexpr int kDeepestCall = 16;

}  // namespace

void Walk::resolve(Call call) {
  while (spend(1) && resolve_step(call)) {
    if (++call.depth <= kDeepestCall) continue;
    doubt_at("programs that run programs, too many to be read", call.place);
    analysis_.has_unseen = true;
    call.certain = false;
    finish(std::move(call));
    return;
  }
}

bool Walk::resolve_step(Call& call) {
  if (call.words.empty()) return false;
  if (!resolve_unknown(call)) return false;
  bool here = call.through == through_;
  if (here) {
    auto function = state_.functions.find(call.words[0].text);
    if (function != state_.functions.end()) {
      call_function(function->second, call);
      return false;
    }
    use_alias(call);
  }
  if (run_builtin(call)) return false;
  if (unwrap_call(call)) return !call.words.empty();
  if (std::optional<ShellInput> input = shell_input(call.words)) {
    const std::optional<Word>& code =
        input->reads_input ? call.input : text_of_file(call, *input->file);
    if (code) return run_known_input(call, *code);
  }
  resolve_carried(call);
  finish(std::move(call));
  return false;
}

// The text that a shell would find in a file, if it is one of standard input or of <(…).
const std::optional<Word>& Walk::text_of_file(const Call& call, const Word& file) {
  static const std::optional<Word> kNone;
  if (file.text == "/dev/stdin" || file.text == "/dev/fd/0" || file.text == "/proc/self/fd/0")
    return call.input;
  bool is_pipe = file.text == "/dev/fd/" && !file.gaps.empty();
  return is_pipe ? call.file_text : kNone;
}

// A shell whose standard input or script is known. Fed by a pipe, it stays an act of its own.
bool Walk::run_known_input(const Call& call, const Word& code) {
  if (!call.fed_by.empty()) finish(call);
  State before = state_;
  state_.become_child();
  // What it runs finds nothing more to read.
  std::vector<size_t> feeds = std::exchange(feeds_, {});
  std::optional<Word> input = std::exchange(input_, std::nullopt);
  walk_inner_code(code, call, program_name(call.words[0]));
  feeds_ = std::move(feeds);
  input_ = std::move(input);
  state_ = std::move(before);
  return false;
}

// A program whose name is not known: true if what is known is enough to go on.
bool Walk::resolve_unknown(Call& call) {
  const Word& program = call.words[0];
  if (program.literal()) return true;
  call.certain = false;
  bool is_named = !program_name(program).empty();
  if (is_named && !program.splits) return true;
  doubt_at("the program's name is only known when it runs: " + shown(program), call.place);
  if (is_named) return true;
  call.fed_by.insert(call.fed_by.end(), call.substituted.begin(), call.substituted.end());
  finish(std::move(call));
  return false;
}

bool Walk::unwrap_call(Call& call) {
  std::optional<Unwrapped> inner = unwrap(call.words);
  if (!inner) return false;
  resolve_carried(call);  // ssh -o ProxyCommand=… host command
  call.certain &= inner->certain;
  call.elsewhere |= inner->elsewhere;
  call.assignments.insert(call.assignments.end(), inner->assignments.begin(),
                          inner->assignments.end());
  if (inner->folder) {
    const Word& to = *inner->folder;
    bool known = to.literal() && (to.text.starts_with('/') || call.folder);
    call.folder =
        known ? std::optional(path::absolute(to.text, call.folder.value_or("/"))) : std::nullopt;
  }
  if (inner->code) {
    run_code(call, *inner);
    call.words.clear();
    return true;
  }
  call.through.push_back(inner->name);
  call.words = std::move(inner->words);
  return true;
}

// sh -c CODE NAME ARGUMENT …
void Walk::run_code(const Call& call, const Unwrapped& inner) {
  if (!inner.code->literal()) {
    Call shown = call;
    shown.certain = false;
    shown.fed_by.insert(shown.fed_by.end(), call.substituted.begin(), call.substituted.end());
    finish(std::move(shown));
  } else if (!call.redirections.empty()) {
    Call opens = call;
    opens.words = {literal_word(":")};
    finish(std::move(opens));
  }
  State before = state_;
  state_.folder = call.folder;
  state_.become_child();
  for (const Assignment& assignment : call.assignments)
    state_.set(assignment.name, Value{{assignment.value}}, true);
  auto splits = [](const Word& word) { return word.splits; };
  if (!inner.code_arguments.empty()) state_.set("0", inner.code_arguments[0]);
  if (std::ranges::any_of(inner.code_arguments, splits)) {
    state_.arguments.reset();
  } else if (inner.code_arguments.size() > 1) {
    state_.arguments = std::vector(inner.code_arguments.begin() + 1, inner.code_arguments.end());
  } else {
    state_.arguments = std::vector<Word>{};
  }
  std::vector<size_t> feeds = std::exchange(feeds_, call.fed_by);
  std::optional<Word> input = std::exchange(input_, call.input);
  walk_inner_code(*inner.code, call, inner.name);
  feeds_ = std::move(feeds);
  input_ = std::move(input);
  state_ = std::move(before);
}

// Commands in options: find -exec, git -c alias.x=!…, tar --to-command …
void Walk::resolve_carried(const Call& call) {
  for (Carried& carried : carried_commands(call.words)) {
    Call inner = call;
    inner.redirections.clear();
    inner.fed_by.clear();
    inner.input.reset();
    inner.certain &= carried.certain;
    inner.depth++;
    if (inner.depth > kDeepestCall) {
      doubt_at("programs that run programs, too many to be read", call.place);
      analysis_.has_unseen = true;
      return;
    }
    if (carried.code) {
      State before = state_;
      walk_inner_code(*carried.code, inner, carried.name);
      state_ = std::move(before);
    } else {
      inner.through.push_back(carried.name);
      inner.words = std::move(carried.words);
      resolve(std::move(inner));
    }
  }
}

// An alias that the text itself defines counts as one of two things that may run.
void Walk::use_alias(const Call& call) {
  auto alias = state_.aliases.find(call.words[0].text);
  if (alias == state_.aliases.end()) return;
  Word code = alias->second;
  for (size_t i = 1; i < call.words.size(); i++) {
    code.text += ' ';
    const Word& word = call.words[i];
    append(code, word.literal() ? literal_word(quoted_for_shell(word.text)) : word);
  }
  State before = state_;
  state_.aliases.erase(call.words[0].text);
  Call inner = call;
  inner.certain = false;
  walk_inner_code(code, inner, "alias");
  state_ = std::move(before);
}

// The same command with other values of variables may come down to the same act.
size_t Walk::find_same(const Act& act) const {
  constexpr size_t kFarthest = 16;
  const std::vector<Act>& acts = analysis_.acts;
  size_t first = acts.size() > kFarthest ? acts.size() - kFarthest : 0;
  for (size_t i = first; i < acts.size(); i++) {
    const Act& known = acts[i];
    auto same_target = [](const Redirection& a, const Redirection& b) {
      return a.kind == b.kind && a.fd == b.fd && same(a.target, b.target);
    };
    if (known.place == act.place && known.certain == act.certain && known.folder == act.folder &&
        known.fed_by == act.fed_by && known.through == act.through &&
        std::ranges::equal(known.words, act.words, same) &&
        known.assignments.size() == act.assignments.size() &&
        std::ranges::equal(known.redirections, act.redirections, same_target))
      return i;
  }
  return acts.size();
}

size_t Walk::finish(Call call) {
  Act act{.words = std::move(call.words),
          .as_written = std::move(call.as_written),
          .through = call.through,
          .assignments = call.assignments,
          .redirections = std::move(call.redirections),
          .code = {},
          .fed_by = std::move(call.fed_by),
          .folder = call.folder,
          .elsewhere = call.elsewhere,
          .certain = call.certain,
          .place = call.place};
  if (size_t known = find_same(act); known < analysis_.acts.size()) return known;
  act.code = inline_code_of(act.words, call.input);
  std::vector<InlineCode> code = act.code;
  if (analysis_.acts.size() >= most_acts_) {
    doubt_at("more commands than can be judged", {0, 0});
    is_cut_ = true;
    return 0;
  }
  analysis_.acts.push_back(std::move(act));
  size_t index = analysis_.acts.size() - 1;
  size_t doubts = analysis_.doubts.size();
  for (const InlineCode& one : code) {
    for (const std::string& command : shell_commands_in(one)) {
      Call inner{.through = call.through, .assignments = call.assignments};
      inner.folder = call.folder;
      inner.elsewhere = call.elsewhere;
      inner.certain = false;
      inner.place = call.place;
      State before = state_;
      walk_inner_code(from_code(command), inner, one.language);
      state_ = std::move(before);
    }
  }
  // What was only a guess and made no sense is no reason to doubt the command.
  analysis_.doubts.resize(std::min(doubts, analysis_.doubts.size()));
  return index;
}

}  // namespace ringwall::shell
