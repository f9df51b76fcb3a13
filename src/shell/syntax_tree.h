// The structure of a shell text's skeleton, from tree-sitter's grammar of bash: which commands
// stand in which lists, pipes, loops and functions. Copied into a plain list of nodes, so that the
// rest of this room does not know the parser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::shell {

enum class NodeKind : uint8_t {
  other,  // a token, or a part of a word: their text is read by this room itself
  error,
  program,
  statements,  // { …; }, the body of a loop: what stands in it runs in order
  branch,      // elif …, else …
  list,        // && and ||
  pipeline,
  subshell,
  simple,  // a command, assignments, export …
  redirected,
  negated,
  if_,
  while_,
  for_,
  case_,
  case_item,
  function,
  redirection,
  comment,
};

struct Node {
  NodeKind kind = NodeKind::other;
  uint32_t from = 0, to = 0;  // bytes of what was parsed
  uint32_t first_child = 0;   // 0: none, as the root is nobody's child
  uint32_t next = 0;
};

struct SyntaxTree {
  std::vector<Node> nodes;  // the root first
  bool has_errors = false;
};

// Why there is no tree.
enum class NoTree : uint8_t { too_slow, too_deep };

struct ParseResult {
  std::optional<SyntaxTree> tree;
  NoTree why = NoTree::too_slow;
};

// A parser can be used for many texts, one after the other.
class Parser {
 public:
  Parser();
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // All texts together get no more than a few milliseconds of the processor. What others take from
  // it at the same time does not count: the same text is read in the same way on a busy machine.
  ParseResult parse(std::string_view text);

 private:
  struct Hidden;
  Hidden* hidden_;
};

}  // namespace ringwall::shell
