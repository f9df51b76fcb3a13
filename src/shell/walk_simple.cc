// Simple commands: assignments, words and redirections.
#include <algorithm>
#include <array>

#include "shell/skeleton.h"
#include "shell/value.h"
#include "shell/walk.h"

namespace ringwall::shell {
namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr size_t kLargestArray = 256;

constexpr std::array<std::string_view, 5> kDeclarations = {"export", "declare", "typeset", "local",
                                                           "readonly"};

// Where the grammar leaves one of these as a command, it has misread the text.
constexpr std::array<std::string_view, 12> kReserved = {
    "{", "}", "then", "do", "else", "elif", "if", "while", "until", "fi", "done", "esac"};

bool is_in(auto& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

std::string without_tabs(std::string_view text) {
  std::string out;
  bool at_start = true;
  for (char c : text) {
    if (at_start && c == '\t') continue;
    at_start = c == '\n';
    out += c;
  }
  return out;
}

void add_assignment(std::vector<Assignment>& all, Assignment one) {
  for (const Assignment& known : all) {
    if (known.name == one.name && same(known.value, one.value)) return;
  }
  all.push_back(std::move(one));
}

// What it reads is no longer what the pipe before it gives.
void redirect_input(Call& call) {
  const Redirection* last = nullptr;
  for (const Redirection& redirection : call.redirections) {
    if (redirection.fd == 0 && redirection.kind != Redirection::Kind::write) last = &redirection;
  }
  if (last == nullptr) return;
  bool is_text = last->kind == Redirection::Kind::text;
  call.fed_by.clear();
  call.input = is_text ? std::optional(last->target) : std::nullopt;
}

// Behind the first $( or ` that stands in a […], or npos.
size_t substitution_in_subscript(std::string_view text) {
  bool is_open = false;
  for (size_t i = text.find('['); i < text.size(); i++) {
    if (text[i] == '[') is_open = true;
    if (text[i] == ']') is_open = false;
    if (is_open && text[i] == '`') return i + 1;
    if (is_open && text.substr(i, 2) == "$(") return i + 2;
  }
  return kNone;
}

}  // namespace

Expander Walk::expander_for(Choices& choices) {
  Expander expander(script_->text, script_->original, state_, choices, *this);
  // Code for sh may run in bash or in a shell that knows less.
  auto is_plain = [](std::string_view name) {
    return name.starts_with("sh") || name.starts_with("dash") || name.starts_with("ash");
  };
  expander.may_be_plain = std::ranges::any_of(through_, is_plain);
  return expander;
}

void Walk::walk_simple(size_t from, size_t to) {
  Place place = place_of(from, to);
  if (end_of_test(std::string_view(script_->text).substr(0, to), from) > from)
    return walk_test({from, to});
  RawCommand raw = read_simple_command(script_->text, from, to);
  bool certain = certain_;
  if (!raw.is_clean) {
    doubt("not understood as a shell command", from, to);
    certain_ = false;
    guess_at(std::string_view(script_->original).substr(from, to - from), place);
  }
  skip_reserved_words(raw, place);
  std::vector<Seen> seen;
  std::vector<Seen>* outer_seen = seen_;
  seen_ = &seen;
  Choices choices;
  spend(state_.size() / 8);
  State before = state_;
  spend(state_.folder.value_or("").size() / 128);  // it grows with each `cd`
  std::optional<State> all;
  bool again = true;
  while (again && spend(1)) {
    walk_simple_once(raw, place, choices);
    again = choices.next();
    if (!again && !all) break;
    if (all) state_.merge(*all);
    all = std::move(state_);
    state_ = before;
  }
  if (all) state_ = std::move(*all);
  if (choices.were_too_many()) doubt("too many values that it may have", from, to);
  seen_ = outer_seen;
  certain_ = certain;
}

void Walk::skip_reserved_words(RawCommand& raw, Place place) {
  auto word_at = [&](size_t i) {
    if (i >= raw.words.size()) return std::string_view();
    return std::string_view(script_->text)
        .substr(raw.words[i].from, raw.words[i].to - raw.words[i].from);
  };
  while (!raw.words.empty()) {
    bool reserved = is_in(kReserved, word_at(0));
    bool before_reserved = word_at(0) == "time" && is_in(kReserved, word_at(1));
    bool starts_coprocess = word_at(0) == "coproc";
    if (!reserved && !before_reserved && !starts_coprocess && word_at(0) != "!") return;
    if (reserved || before_reserved) {
      doubt_at("not understood as a shell command", place);
      certain_ = false;
    }
    raw.words.erase(raw.words.begin());
    bool has_name = starts_coprocess && is_in(kReserved, word_at(1));
    if (has_name) raw.words.erase(raw.words.begin());
  }
}

void Walk::walk_simple_once(const RawCommand& raw, Place place, Choices& choices) {
  Expander expander = expander_for(choices);
  Call call{.through = through_, .fed_by = feeds_, .input = input_, .place = place};
  if (!raw.words.empty()) {
    Range first = raw.words.front();
    std::string_view name =
        std::string_view(script_->text).substr(first.from, first.to - first.from);
    if (is_in(kDeclarations, name)) {
      call.words = declare(raw, expander, name);
    } else {
      for (Range word : raw.words) {
        for (Word& field : expander.fields(word))
          call.words.push_back(std::move(field));
      }
    }
  }
  call.redirections = expand_redirections(raw, expander);
  redirect_input(call);
  call.folder = state_.folder;
  call.elsewhere = elsewhere_;
  if (call.words.empty()) {
    for (const RawAssignment& assignment : raw.assignments)
      assign(assignment, expander, false);
    if (call.redirections.empty()) return;
    call.words = {literal_word(":")};
  } else {
    call.assignments = state_.exported();  // each has a name of its own
    spend(call.assignments.size() / 8);
    for (const Assignment& assignment : around_)
      add_assignment(call.assignments, assignment);
    for (const RawAssignment& assignment : raw.assignments)
      add_assignment(call.assignments, {assignment.name, expander.value(assignment.value)});
  }
  call.certain = certain_ && !choices.were_needed();
  call.fed_by.insert(call.fed_by.end(), expander.read_acts.begin(), expander.read_acts.end());
  call.substituted = expander.substituted_acts;
  call.file_text = expander.read_text;
  call.as_written = call.words;
  resolve(std::move(call));
}

void Walk::assign(const RawAssignment& raw, Expander& expander, bool exported) {
  Value value;
  if (raw.is_array) {
    value.is_array = true;
    for (Range word : read_words(script_->text, raw.value.from, raw.value.to)) {
      for (Word& field : expander.fields(word))
        value.items.push_back(std::move(field));
    }
    auto is_odd = [](const Word& item) { return item.splits || item.text.starts_with('['); };
    if (value.items.size() > kLargestArray || std::ranges::any_of(value.items, is_odd))
      value.items = {unknown_word(true)};
  } else {
    value.items = {expander.value(raw.value)};
    look_for_hidden_substitutions(value.items[0].text, place_of(raw.value.from, raw.value.to));
  }
  const Variable* old = state_.find(raw.name);
  if (raw.subscript.to > 0) {
    expander.look_for_substitutions(raw.subscript);
    if (raw.name == "BASH_CMDS" || raw.name == "BASH_ALIASES")
      doubt("what a program's name means is changed", raw.value.from, raw.value.to);
    value = {{unknown_word(true)}, true};
  } else if (raw.adds && (old == nullptr || old->may_be.size() != 1)) {
    value = {{unknown_word(true)}, raw.is_array};
  } else if (raw.adds && raw.is_array) {
    Value longer = old->may_be[0];
    longer.is_array = true;
    longer.items.insert(longer.items.end(), value.items.begin(), value.items.end());
    value = std::move(longer);
  } else if (raw.adds && !old->may_be[0].items.empty()) {
    Word longer = old->may_be[0].items[0];
    append(longer, value.items[0]);
    value.items = {longer};
  }
  state_.set(raw.name, std::move(value), exported);
}

// export, declare …: what looks like an assignment is one, and is not split.
std::vector<Word> Walk::declare(const RawCommand& raw, Expander& expander, std::string_view kind) {
  std::vector<Word> words{literal_word(kind)};
  bool exports = kind == "export";
  for (size_t i = 1; i < raw.words.size(); i++) {
    RawAssignment assignment;
    if (read_assignment(script_->text, raw.words[i], assignment)) {
      assign(assignment, expander, exports);
      Word word = literal_word(assignment.name + "=");
      const Variable* set = state_.find(assignment.name);
      if (set != nullptr && !set->may_be.empty()) append(word, joined(set->may_be[0].items));
      words.push_back(std::move(word));
      continue;
    }
    for (Word& field : expander.fields(raw.words[i])) {
      bool is_option = field.text.starts_with('-');
      if (is_option && field.text.find('x') != kNone) exports = true;
      if (is_option && field.text.find('n') != kNone && kind != "export")
        doubt("a variable that is another name for one", raw.words[i].from, raw.words[i].to);
      // export "$x" sets whatever the value says.
      size_t equals = field.text.find('=');
      if (equals != kNone && is_name(std::string_view(field.text).substr(0, equals)))
        state_.set(field.text.substr(0, equals), Value{{part_of(field, equals + 1)}}, exports);
      if (exports && is_name(field.text)) state_.set_exported(field.text);
      words.push_back(std::move(field));
    }
  }
  return words;
}

std::vector<Redirection> Walk::expand_redirections(const RawCommand& raw, Expander& expander) {
  std::vector<Redirection> made;
  for (const RawRedirection& redirection : raw.redirections) {
    Redirection one{.kind = redirection.kind, .fd = redirection.fd};
    if (redirection.is_document) {
      Choices choices;
      one.target = text_of_document(redirection.target.from, choices);
    } else if (redirection.kind == Redirection::Kind::text) {
      one.target = expander.value(redirection.target);
    } else {
      std::vector<Word> fields = expander.fields(redirection.target);
      one.target = fields.size() == 1 ? std::move(fields[0]) : unknown_word(true);
    }
    made.push_back(std::move(one));
  }
  return made;
}

Word Walk::text_of_document(size_t at, Choices& choices) {
  for (const HereDocument& document : script_->documents) {
    if (document.at != at) continue;
    Word body;
    if (document.raw) {
      body = from_code(
          std::string_view(script_->original).substr(document.from, document.to - document.from));
    } else {
      Expander expander(script_->original, script_->original, state_, choices, *this);
      body = expander.quoted({document.from, document.to});
    }
    if (document.strips_tabs && body.gaps.empty()) body.text = without_tabs(body.text);
    return body;
  }
  return unknown_word();
}

// a[$(…)] in a text that arithmetic reads: the substitution runs, whatever quoted it.
void Walk::look_for_hidden_substitutions(std::string_view text, Place place) {
  size_t start = substitution_in_subscript(text);
  if (start == kNone) return;
  bool is_tick = text[start - 1] == '`';
  size_t close = is_tick ? end_of_backticks(text, start) : end_of_parentheses(text, start);
  bool certain = certain_;
  certain_ = false;
  State before = state_;
  walk_code(text.substr(start, close == kNone ? close : close - start), 0, place);
  state_ = std::move(before);
  certain_ = certain;
}

}  // namespace ringwall::shell
