// if, case, loops and tests.
#include <algorithm>

#include "shell/skeleton.h"
#include "shell/value.h"
#include "shell/walk.h"

namespace ringwall::shell {
namespace {

constexpr int kDeepestLoop = 3;  // deeper ones are gone through once
constexpr size_t kMostRounds = 16;

}  // namespace

void Walk::walk_if(const Node& statement) {
  uint32_t child = statement.first_child;
  while (child != 0 && text_of(node(child)) != "then") {
    walk(child);
    child = node(child).next;
  }
  spend(state_.size() / 4);
  State after_condition = state_;
  bool has_else = false;
  uint32_t branch = child;
  while (branch != 0 && node(branch).kind != NodeKind::branch)
    branch = node(branch).next;
  walk_children(child, branch);
  State all = state_;
  for (; branch != 0; branch = node(branch).next) {
    if (node(branch).kind != NodeKind::branch) {
      walk(branch);
      continue;
    }
    has_else |= text_of(node(branch)).starts_with("else");
    state_ = after_condition;
    walk(branch);
    all.merge(state_);
    spend(state_.size() / 4);
  }
  if (!has_else) all.merge(after_condition);
  state_ = std::move(all);
}

void Walk::walk_while(const Node& statement) {
  loop_depth_++;
  int rounds = loop_depth_ > kDeepestLoop ? 1 : 2;
  for (int round = 0; round < rounds; round++) {
    spend(state_.size() / 8);
    State before = state_;
    walk_children(statement.first_child);
    bool tells_more = state_.differs_from(before);
    state_.merge(before);
    if (!tells_more) break;
  }
  loop_depth_--;
}

void Walk::walk_for(const Node& statement) {
  std::string name;
  size_t from = 0, to = statement.to;
  uint32_t body = 0;
  for (uint32_t child = statement.first_child; child != 0; child = node(child).next) {
    std::string_view text = text_of(node(child));
    bool is_keyword = child == statement.first_child;
    if (node(child).kind == NodeKind::statements) {
      body = child;
      to = node(child).from;
    } else if (name.empty() && !is_keyword && is_name(text)) {
      name = text;
    } else if (from == 0 && text == "in") {
      from = node(child).to;
    } else if (node(child).kind == NodeKind::error) {
      walk_error(node(child));
    }
  }
  if (body == 0) return walk_error(statement);
  size_t head = script_->text.find_first_not_of(" \t", statement.from + 3);
  if (name.empty() && std::string_view(script_->text).substr(head, 2) == "((")
    return walk_arithmetic_for(body, {head + 2, to});
  Choices choices;
  Expander expander = expander_for(choices);
  std::vector<Word> values;
  if (from == 0) {
    values = state_.arguments.value_or(std::vector{unknown_word()});
  } else {
    for (Range word : read_words(script_->text, from, to)) {
      for (Word& value : expander.fields(word))
        values.push_back(std::move(value));
    }
  }
  if (values.size() > kMostRounds || choices.were_needed()) values = {unknown_word()};
  loop_depth_++;
  spend(state_.size() / 8);
  State before = state_;
  for (Word& value : values) {
    value.splits = false;
    state_.set(name, std::move(value));
    walk(body);
    if (loop_depth_ > kDeepestLoop) break;
  }
  state_.merge(before);
  loop_depth_--;
}

void Walk::walk_arithmetic_for(uint32_t body, Range head) {
  Choices choices;
  expander_for(choices).look_for_substitutions(head);
  std::string_view text = std::string_view(script_->text).substr(head.from, head.to - head.from);
  look_for_hidden_substitutions(text, place_of(head.from, head.to));
  forget_names_in(text);
  State before = state_;
  walk(body);
  state_.merge(before);
}

void Walk::walk_case(const Node& statement) {
  Choices choices;
  size_t head_end = statement.to;
  State before = state_, all = state_;
  for (uint32_t child = statement.first_child; child != 0; child = node(child).next) {
    if (node(child).kind == NodeKind::error) walk_error(node(child));
    if (node(child).kind != NodeKind::case_item) continue;
    head_end = std::min<size_t>(head_end, node(child).from);
    state_ = before;
    // Its patterns are expanded too.
    uint32_t first = node(child).first_child;
    for (; first != 0 && node(first).kind == NodeKind::other && text_of(node(first)) != ")";
         first = node(first).next)
      expander_for(choices).look_for_substitutions({node(first).from, node(first).to});
    walk_children(first);
    all.merge(state_);
    spend(state_.size() / 4 + 1);
  }
  state_ = std::move(all);
  expander_for(choices).look_for_substitutions({statement.from, head_end});
}

void Walk::walk_test(Range range) {
  size_t end = std::min(std::max(end_of_test(script_->text, range.from), range.from), range.to);
  if (end < range.to)
    open_files(read_simple_command(script_->text, end, range.to), {end, range.to});
  Range test{range.from, end};
  std::string_view text = std::string_view(script_->text).substr(test.from, test.to - test.from);
  Choices choices;
  Expander expander = expander_for(choices);
  Place place = place_of(test.from, test.to);
  if (text.starts_with("((")) {
    expander.look_for_substitutions({test.from + 2, test.to});
    look_for_hidden_substitutions(text, place);
    return forget_names_in(text);
  }
  Call call{.through = through_, .assignments = around_, .place = place};
  for (Range word : read_words(script_->text, test.from, test.to))
    call.words.push_back(expander.value(word));
  for (const Word& word : call.words)
    look_for_hidden_substitutions(word.text, place);
  call.as_written = call.words;
  call.folder = state_.folder;
  call.elsewhere = elsewhere_;
  call.certain = certain_ && !choices.were_needed();
  if (!call.words.empty()) finish(std::move(call));
}

void Walk::forget_names_in(std::string_view arithmetic) {
  for (size_t i = 0; i < arithmetic.size();) {
    size_t length = length_of_name(arithmetic.substr(i));
    if (length > 0 && spend(0)) state_.forget(arithmetic.substr(i, length));
    i += std::max<size_t>(length, 1);
  }
}

}  // namespace ringwall::shell
