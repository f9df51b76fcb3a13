// Lists, pipes and functions.
#include <algorithm>

#include "base/text.h"
#include "shell/value.h"
#include "shell/walk.h"
#include "shell/walk_inside.h"

namespace ringwall::shell {
namespace {

constexpr int kDeepestStatement = 200;

// After these, what follows in a branch does not run.
bool leaves(std::string_view statement) {
  for (std::string_view word : {"exit", "return", "break", "continue"}) {
    bool begins = statement.starts_with(word);
    if (begins && (statement.size() == word.size() || statement[word.size()] == ' ')) return true;
  }
  return false;
}

bool is_token(NodeKind kind) {
  return kind == NodeKind::other || kind == NodeKind::redirection || kind == NodeKind::comment;
}

}  // namespace

void Walk::walk(uint32_t index) {
  if (!spend(1)) return;
  if (++depth_ > kDeepestStatement) {
    doubt("nested too deeply to be read", node(index).from, node(index).to);
    is_cut_ = true;
  } else {
    walk_by_kind(index);
  }
  depth_--;
}

void Walk::walk_by_kind(uint32_t index) {
  const Node& at = node(index);
  switch (at.kind) {
    case NodeKind::other:
    case NodeKind::comment:
    case NodeKind::redirection:
      return;
    case NodeKind::error:
      return walk_error(at);
    case NodeKind::program:
    case NodeKind::statements:
    case NodeKind::branch:
    case NodeKind::case_item:
      return walk_children(at.first_child);
    case NodeKind::list:
    case NodeKind::pipeline:
    case NodeKind::negated:
    case NodeKind::redirected:
      return walk_row(index);
    case NodeKind::subshell: {
      State before = state_;
      walk_children(at.first_child);
      state_ = std::move(before);
      return;
    }
    case NodeKind::simple:
      return walk_simple(at.from, at.to);
    case NodeKind::if_:
      return walk_if(at);
    case NodeKind::while_:
      return walk_while(at);
    case NodeKind::for_:
      return walk_for(at);
    case NodeKind::case_:
      return walk_case(at);
    case NodeKind::function:
      return define_function(at);
  }
}

void Walk::walk_children(uint32_t first, uint32_t end) {
  for (uint32_t child = first; child != end && child != 0; child = node(child).next) {
    uint32_t next = node(child).next;
    bool in_background = next != 0 && text_of(node(next)) == "&";
    in_background ? walk_aside(child) : walk(child);
  }
}

void Walk::walk_aside(uint32_t index) {
  spend(state_.size() / 8);
  State before = state_;
  walk(index);
  before.functions.insert(state_.functions.begin(), state_.functions.end());
  state_ = std::move(before);
}

// `a && b >f | c` is a row of commands with operators between them. In which order the grammar hung
// them up does not matter here: pipes bind first, && and || bind alike.
void Walk::walk_row(uint32_t index) {
  std::vector<Step> row;
  add_steps(index, "", node(index).to, row);
  std::optional<State> stopped;  // as it is if a part of the row did not run
  for (size_t i = 0; i < row.size();) {
    size_t end = i + 1;
    while (end < row.size() && (row[end].before == "|" || row[end].before == "|&"))
      end++;
    std::span<const Step> stage(row.data() + i, end - i);
    State so_far = state_;
    if (row[i].before == "||") {
      if (stopped) state_.merge(*stopped);
      stopped.reset();
      walk_pipeline(stage);
      if (leaves(text_of(node(stage.front().node)))) {
        state_ = std::move(so_far);  // who comes further was not there
      } else {
        state_.merge(so_far);
      }
    } else {
      walk_pipeline(stage);
      if (row[i].before == "&&") {
        if (stopped) so_far.merge(*stopped);
        stopped = std::move(so_far);
      }
    }
    i = end;
  }
  if (stopped) state_.merge(*stopped);
}

// `end` is where its redirections end, which the grammar may have given to more than it.
void Walk::add_steps(uint32_t index, std::string_view before, size_t end, std::vector<Step>& row) {
  const Node& at = node(index);
  bool is_row = at.kind == NodeKind::list || at.kind == NodeKind::pipeline ||
                at.kind == NodeKind::negated || at.kind == NodeKind::redirected;
  uint32_t body = at.first_child;
  while (is_row && body != 0 && is_token(node(body).kind))
    body = node(body).next;
  if (!is_row || body == 0) {
    row.push_back({before, index, end});
    return;
  }
  if (at.kind == NodeKind::redirected) {
    if (node(body).kind == NodeKind::simple && at.first_child == body)
      return add_steps(body, before, end, row);
    if (node(body).kind == NodeKind::simple) {
      row.push_back({before, index, end});
      return;
    }
    return add_steps(body, before, end, row);
  }
  for (uint32_t child = at.first_child; child != 0; child = node(child).next) {
    if (node(child).kind == NodeKind::other) {
      std::string_view sign = text_of(node(child));
      if (sign != "!") before = sign;
    } else if (!is_token(node(child).kind)) {
      uint32_t next = node(child).next;
      add_steps(child, before, next == 0 ? end : node(child).to, row);
    }
  }
}

void Walk::walk_step(const Step& step) {
  const Node& at = node(step.node);
  if (at.kind == NodeKind::simple || at.kind == NodeKind::redirected) {
    walk_simple(at.from, step.end);
  } else if (step.end > at.to) {
    walk_redirected(step.node, step.end);
  } else {
    walk(step.node);
  }
}

void Walk::walk_pipeline(std::span<const Step> stage) {
  if (stage.size() == 1) return walk_step(stage[0]);
  std::vector<size_t> outer_feeds = feeds_;
  std::optional<Word> outer_input = input_;
  for (const Step& step : stage) {
    size_t first = analysis_.acts.size(), first_doubt = analysis_.doubts.size();
    State before = state_;
    walk_step(step);
    before.functions.insert(state_.functions.begin(), state_.functions.end());
    state_ = std::move(before);
    constexpr size_t kMostFeeds = 32;
    feeds_.clear();
    for (size_t i = first; i < analysis_.acts.size() && feeds_.size() < kMostFeeds; i++)
      feeds_.push_back(i);
    // echo 'rm x' | sh: the text is known.
    Word printed = output_of(first, first_doubt);
    bool is_known = !printed.text.empty();
    input_ = is_known ? std::optional(std::move(printed)) : std::nullopt;
  }
  feeds_ = std::move(outer_feeds);
  input_ = std::move(outer_input);
}

void Walk::walk_redirected(uint32_t body, size_t end) {
  RawCommand raw = read_simple_command(script_->text, node(body).to, end);
  std::vector<size_t> feeds = feeds_;
  std::optional<Word> input = input_;
  open_files(raw, {node(body).to, end});
  walk(body);
  feeds_ = std::move(feeds);
  input_ = std::move(input);
}

// The files of a compound command are opened by the shell itself.
void Walk::open_files(const RawCommand& raw, Range written) {
  if (!raw.is_clean || !raw.words.empty() || !raw.assignments.empty())
    doubt("redirections that are not understood", written.from, written.to);
  Choices choices;
  Expander expander = expander_for(choices);
  Call call{.words = {literal_word(":")}, .as_written = {literal_word(":")}, .through = through_};
  call.redirections = expand_redirections(raw, expander);
  call.place = place_of(written.from, written.to);
  call.folder = state_.folder;
  call.elsewhere = elsewhere_;
  call.certain = certain_ && !choices.were_needed();
  for (const Redirection& redirection : call.redirections) {
    if (redirection.fd != 0) continue;
    feeds_ = expander.read_acts;
    bool is_text = redirection.kind == Redirection::Kind::text;
    input_ = is_text ? std::optional(redirection.target) : std::nullopt;
  }
  if (!call.redirections.empty()) finish(std::move(call));
}

void Walk::walk_error(const Node& error) {
  doubt("not understood as a shell command", error.from, error.to);
  bool certain = certain_;
  certain_ = false;
  if (read_simple_command(script_->text, error.from, error.to).is_clean) {
    walk_simple(error.from, error.to);
    certain_ = certain;
    return;
  }
  walk_children(error.first_child);
  guess_at(std::string_view(script_->original).substr(error.from, error.to - error.from),
           place_of(error.from, error.to));
  certain_ = certain;
}

void Walk::define_function(const Node& definition) {
  std::string_view text = text_of(definition);
  if (text.starts_with("function") && text.size() > 8) text.remove_prefix(8);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  std::string name(text.substr(0, text.find_first_of(" \t\n({")));
  for (uint32_t child = definition.first_child; child != 0; child = node(child).next) {
    NodeKind kind = node(child).kind;
    if (kind == NodeKind::error) walk_error(node(child));
    if (kind == NodeKind::redirection)
      doubt("a function with redirections", definition.from, definition.to);
    if (kind == NodeKind::other || kind == NodeKind::redirection || kind == NodeKind::error)
      continue;
    state_.functions[name] = {script_, child};
  }
}

void Walk::call_function(const Function& function, const Call& call) {
  const std::string& name = call.words[0].text;
  if (std::ranges::find(running_, name) != running_.end())
    return doubt_at("a function that calls itself: " + text::quote(name), call.place);
  called_.push_back(name);
  running_.push_back(name);
  Inside inside(*this);
  script_ = function.script;
  certain_ = call.certain;
  feeds_ = call.fed_by;
  input_ = call.input;
  around_.insert(around_.end(), call.assignments.begin(), call.assignments.end());
  std::optional<std::vector<Word>> arguments = std::move(state_.arguments);
  auto splits = [](const Word& word) { return word.splits; };
  if (std::ranges::any_of(call.words, splits)) {
    state_.arguments.reset();
  } else {
    state_.arguments = std::vector(call.words.begin() + 1, call.words.end());
  }
  Function body = function;  // a function may define itself anew
  if (!call.redirections.empty()) {
    Call opens = call;
    opens.words = {literal_word(":")};
    finish(std::move(opens));
  }
  walk(body.body);
  state_.arguments = std::move(arguments);
  running_.pop_back();
}

}  // namespace ringwall::shell
