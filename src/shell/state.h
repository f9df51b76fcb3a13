// What a shell would know at one point of a command: variables, its folder, functions, aliases.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::shell {

struct Script;

struct Value {
  std::vector<Word> items;  // one, unless it is an array
  bool is_array = false;
};

struct Variable {
  std::vector<Value> may_be;  // more than one after branches of which only one runs
  bool exported = false;
  bool set_here = false;  // by the command, not from around it
};

struct Function {
  const Script* script = nullptr;
  uint32_t body = 0;  // node of its tree
};

// One more value than these, and it is unknown.
constexpr size_t kMostValues = 4;

class State {
 public:
  explicit State(const Surroundings& surroundings);

  const Variable* find(std::string_view name) const;
  void set(std::string_view name, Value value, bool exported = false);
  void set(std::string_view name, Word word) { set(name, Value{{std::move(word)}}); }
  void forget(std::string_view name);  // its value is unknown from here on
  void remove(std::string_view name);  // unset
  void set_exported(std::string_view name);

  // What a shell that this one starts knows of it.
  void become_child();

  // Of variables that the command set and that reach a program's environment.
  std::vector<Assignment> exported() const;

  // After branches of which one runs: each variable may be what it is here or there.
  void merge(const State& other);

  // True if something here is known, and known differently there.
  bool differs_from(const State& other) const;

  // How much a changed copy costs.
  size_t size() const { return variables_->size() + functions.size() + aliases.size() + 1; }

  std::optional<std::string> folder;
  std::optional<std::string> folder_before;
  std::optional<std::vector<Word>> arguments;  // $1 …; unknown if none
  std::map<std::string, Function, std::less<>> functions;
  std::map<std::string, Word, std::less<>> aliases;
  bool exports_all = false;  // set -a
  uint64_t changes = 0;      // of variables, counted

 private:
  using Variables = std::map<std::string, Variable, std::less<>>;

  Variables& own_variables();  // for changes
  void merge_variables(const Variables& others);

  std::shared_ptr<Variables> variables_;  // shared by copies until one of them changes
};

}  // namespace ringwall::shell
