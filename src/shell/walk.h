// Goes through a shell text in the order in which it would run, keeps what the shell would know,
// and collects the acts. The one place where all parts of this room meet:
//
//   walk.cc          texts: limits, parsing, substitutions
//   walk_compound.cc lists, pipes, functions
//   walk_branch.cc   if, case, loops
//   walk_simple.cc   simple commands: assignments, words, redirections
//   walk_call.cc     what a command's words come down to: wrappers, inner shells, carried commands
//   walk_builtin.cc  commands that change what the shell knows
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shell/analysis.h"
#include "shell/call.h"
#include "shell/expand.h"
#include "shell/nesting.h"
#include "shell/raw_command.h"
#include "shell/state.h"
#include "shell/syntax_tree.h"
#include "shell/wrappers.h"

namespace ringwall::shell {

// A shell text that was read: the command itself, or code found in it.
struct Script {
  std::string original;
  std::string text;  // the same with blanks for here-documents
  std::vector<HereDocument> documents;
  SyntaxTree tree;
  uint32_t shift = 0;          // of its first byte in the whole command …
  std::optional<Place> place;  // … unless its bytes are not there as they are
};

class Walk : public Substituter {
 public:
  static constexpr size_t kMostActs = 4000;

  Walk(const Surroundings& surroundings, Analysis& analysis);

  void run(std::string_view command);

 private:
  // Texts.
  const Script* read(std::string_view code, uint32_t shift, std::optional<Place> place);
  void walk_code(std::string_view code, uint32_t shift, std::optional<Place> place);
  void walk_inner_code(const Word& code, const Call& around, std::string_view through);
  void walk_uncalled_functions();
  void guess_at(std::string_view code, Place place);
  Found look_into(std::string_view code, size_t at, bool is_exact) override;
  Word output_of(size_t first_act, size_t first_doubt) const;
  void doubt(std::string why, size_t from, size_t to) override;
  void doubt_at(std::string why, Place place);
  Place place_of(size_t from, size_t to) const;
  bool spend(size_t work);  // false when too much was spent

  // Statements; each takes the number of a node.
  const Node& node(uint32_t index) const { return script_->tree.nodes[index]; }
  std::string_view text_of(const Node& of) const;
  void walk(uint32_t index);
  void walk_by_kind(uint32_t index);
  void walk_children(uint32_t first, uint32_t end = 0);
  void walk_aside(uint32_t index);  // what it changes is not seen behind it
  struct Step {
    std::string_view before;  // the operator
    uint32_t node;
    size_t end;  // of its redirections
  };
  void walk_row(uint32_t index);
  void add_steps(uint32_t index, std::string_view before, size_t end, std::vector<Step>& row);
  void walk_pipeline(std::span<const Step> stage);
  void walk_step(const Step& step);
  void walk_if(const Node& statement);
  void walk_while(const Node& statement);
  void walk_for(const Node& statement);
  void walk_arithmetic_for(uint32_t body, Range head);
  void walk_case(const Node& statement);
  void walk_test(Range test);
  void open_files(const RawCommand& raw, Range written);
  void walk_redirected(uint32_t body, size_t end);
  void walk_error(const Node& error);
  void define_function(const Node& definition);
  void call_function(const Function& function, const Call& call);
  void forget_names_in(std::string_view arithmetic);

  // Simple commands.
  void walk_simple(size_t from, size_t to);
  void walk_simple_once(const RawCommand& raw, Place place, Choices& choices);
  void skip_reserved_words(RawCommand& raw, Place place);
  void assign(const RawAssignment& raw, Expander& expander, bool exported);
  std::vector<Word> declare(const RawCommand& raw, Expander& expander, std::string_view kind);
  std::vector<Redirection> expand_redirections(const RawCommand& raw, Expander& expander);
  Word text_of_document(size_t at, Choices& choices);
  void look_for_hidden_substitutions(std::string_view text, Place place);
  Expander expander_for(Choices& choices);

  // Calls.
  void resolve(Call call);
  bool resolve_step(Call& call);  // false when the call is done with
  bool resolve_unknown(Call& call);
  bool unwrap_call(Call& call);
  static const std::optional<Word>& text_of_file(const Call& call, const Word& file);
  bool run_known_input(const Call& call, const Word& code);  // false: the call is done with
  void run_code(const Call& call, const Unwrapped& inner);
  void resolve_carried(const Call& call);
  void use_alias(const Call& call);
  size_t find_same(const Act& act) const;
  size_t finish(Call call);

  // Builtins; true if there is nothing left to resolve.
  bool run_builtin(Call& call);
  void change_folder(const Call& call, std::string_view name);
  void read_set(const Call& call);
  void define_aliases(const Call& call);
  void read_hash(const Call& call);
  void run_option_values(const Call& call, std::string_view options);
  void forget_targets(const Call& call);

  class Inside;  // restores what is saved of this walk when it goes out of scope

  const Surroundings& surroundings_;
  Analysis& analysis_;
  Parser parser_;
  std::deque<Script> scripts_;
  State state_;

  const Script* script_ = nullptr;
  bool certain_ = true;
  int depth_ = 0;       // of statements
  int code_depth_ = 0;  // of texts in texts
  int loop_depth_ = 0;
  size_t spent_ = 0;
  size_t most_acts_ = kMostActs;
  bool is_cut_ = false;               // a part of the command was not gone through
  std::vector<std::string> through_;  // in which code this one stands
  std::vector<Assignment> around_;    // assignments that reach everything in it
  bool elsewhere_ = false;
  std::vector<size_t> feeds_;         // acts behind the pipe on standard input
  std::optional<Word> input_;         // a text on standard input
  std::vector<std::string> called_;   // functions, ever
  std::vector<std::string> running_;  // functions, now

  struct Seen {
    const Script* script;
    size_t at;
    Found found;
  };
  std::vector<Seen>* seen_ = nullptr;  // substitutions of the simple command at hand
};

}  // namespace ringwall::shell
