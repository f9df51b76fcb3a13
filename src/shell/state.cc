#include "shell/state.h"

#include <algorithm>

#include "shell/value.h"

namespace ringwall::shell {
namespace {

bool same_value(const Value& a, const Value& b) {
  return a.is_array == b.is_array && std::ranges::equal(a.items, b.items, same);
}

void add_values(Variable& to, const std::vector<Value>& values) {
  for (const Value& value : values) {
    auto is_it = [&](const Value& known) { return same_value(known, value); };
    if (std::ranges::none_of(to.may_be, is_it)) to.may_be.push_back(value);
  }
  if (to.may_be.size() > kMostValues) to.may_be = {Value{{unknown_word()}}};
}

}  // namespace

State::State(const Surroundings& surroundings)
    : folder(surroundings.folder), variables_(std::make_shared<Variables>()) {
  set("IFS", literal_word(" \t\n"));
  if (!surroundings.home.empty()) set("HOME", literal_word(surroundings.home));
  for (const auto& [name, value] : surroundings.variables)
    set(name, literal_word(value));
  for (auto& [name, variable] : *variables_) {
    variable.set_here = false;
    variable.exported = name != "IFS";
  }
}

const Variable* State::find(std::string_view name) const {
  auto found = variables_->find(name);
  return found == variables_->end() ? nullptr : &found->second;
}

State::Variables& State::own_variables() {
  if (variables_.use_count() > 1) variables_ = std::make_shared<Variables>(*variables_);
  return *variables_;
}

void State::set(std::string_view name, Value value, bool is_exported) {
  Variable& variable = own_variables()[std::string(name)];
  variable.may_be = {std::move(value)};
  variable.exported |= is_exported || exports_all;
  variable.set_here = true;
  changes++;
}

void State::forget(std::string_view name) { set(name, unknown_word()); }

void State::remove(std::string_view name) {
  Variable& variable = own_variables()[std::string(name)];
  variable = {.may_be = {Value{{literal_word("")}}}};
  changes++;
}

void State::set_exported(std::string_view name) {
  Variables& variables = own_variables();
  auto found = variables.find(name);
  if (found != variables.end()) found->second.exported = true;
}

void State::become_child() {
  Variables& variables = own_variables();
  std::erase_if(variables, [](const auto& entry) {
    bool reaches = entry.second.exported || entry.first == "PATH" || entry.first == "HOME";
    return !reaches;
  });
  set("IFS", literal_word(" \t\n"));
  variables.find("IFS")->second.set_here = false;
  functions.clear();
  aliases.clear();
}

std::vector<Assignment> State::exported() const {
  std::vector<Assignment> all;
  for (const auto& [name, variable] : *variables_) {
    // PATH is in every environment, so a new value gets there too.
    bool reaches = variable.exported || name == "PATH" || name == "HOME";
    if (!variable.set_here || !reaches) continue;
    for (const Value& value : variable.may_be)
      all.push_back({name, value.items.empty() ? Word{} : value.items.front()});
  }
  return all;
}

void State::merge_variables(const Variables& others) {
  Variables& variables = own_variables();
  for (const auto& [name, theirs] : others) {
    auto [ours, is_new] = variables.try_emplace(name, Variable{{Value{{unknown_word()}}}});
    ours->second.set_here |= theirs.set_here;
    ours->second.exported |= theirs.exported;
    add_values(ours->second, theirs.may_be);
  }
  for (auto& [name, ours] : variables) {
    if (!others.contains(name)) add_values(ours, {Value{{unknown_word()}}});
  }
}

bool State::differs_from(const State& other) const {
  if (folder != other.folder) return true;
  if (variables_ == other.variables_) return false;
  for (const auto& [name, ours] : *variables_) {
    const Variable* theirs = other.find(name);
    bool is_known = std::ranges::any_of(ours.may_be, [](const Value& value) {
      return value.items.size() != 1 || !value.items[0].text.empty() || value.items[0].gaps.empty();
    });
    if (theirs == nullptr && is_known) return true;
    if (theirs != nullptr && !std::ranges::equal(ours.may_be, theirs->may_be, same_value))
      return true;
  }
  return false;
}

void State::merge(const State& other) {
  if (variables_ != other.variables_) merge_variables(*other.variables_);
  if (folder != other.folder) folder.reset();
  if (folder_before != other.folder_before) folder_before.reset();
  if (arguments && other.arguments && !std::ranges::equal(*arguments, *other.arguments, same))
    arguments.reset();
  if (!other.arguments) arguments.reset();
  functions.insert(other.functions.begin(), other.functions.end());
  aliases.insert(other.aliases.begin(), other.aliases.end());
}

}  // namespace ringwall::shell
