#include "shell/syntax_tree.h"

#include <time.h>
#include <tree_sitter/api.h>

#include <array>
#include <chrono>

#include "shell/nesting.h"

extern "C" const TSLanguage* tree_sitter_bash(void);

namespace ringwall::shell {
namespace {

struct KindName {
  std::string_view name;
  NodeKind kind;
};

constexpr KindName kKinds[] = {
    {"program", NodeKind::program},
    {"compound_statement", NodeKind::statements},
    {"do_group", NodeKind::statements},
    {"else_clause", NodeKind::branch},
    {"elif_clause", NodeKind::branch},
    {"list", NodeKind::list},
    {"pipeline", NodeKind::pipeline},
    {"subshell", NodeKind::subshell},
    {"command", NodeKind::simple},
    {"declaration_command", NodeKind::simple},
    {"unset_command", NodeKind::simple},
    {"variable_assignment", NodeKind::simple},
    {"variable_assignments", NodeKind::simple},
    {"redirected_statement", NodeKind::redirected},
    {"negated_command", NodeKind::negated},
    {"if_statement", NodeKind::if_},
    {"while_statement", NodeKind::while_},
    {"for_statement", NodeKind::for_},
    {"case_statement", NodeKind::case_},
    {"case_item", NodeKind::case_item},
    {"function_definition", NodeKind::function},
    {"file_redirect", NodeKind::redirection},
    {"herestring_redirect", NodeKind::redirection},
    {"heredoc_redirect", NodeKind::redirection},
    {"comment", NodeKind::comment},
};

NodeKind kind_of_name(std::string_view name) {
  for (const KindName& entry : kKinds) {
    if (entry.name == name) return entry.kind;
  }
  return NodeKind::other;
}

// The grammar numbers its kinds; each number is looked up by its name once.
class KindTable {
 public:
  NodeKind kind_of(TSNode node) {
    TSSymbol symbol = ts_node_symbol(node);
    if (symbol >= known_.size()) return NodeKind::error;
    if (!known_[symbol]) {
      known_[symbol] = true;
      if (ts_node_is_named(node)) kinds_[symbol] = kind_of_name(ts_node_type(node));
    }
    return kinds_[symbol];
  }

 private:
  std::array<bool, 512> known_{};
  std::array<NodeKind, 512> kinds_{};
};

// Words and tokens have no children here: their text is read by others.
bool is_leaf(NodeKind kind) {
  return kind == NodeKind::other || kind == NodeKind::comment || kind == NodeKind::simple ||
         kind == NodeKind::redirection;
}

class Copier {
 public:
  explicit Copier(KindTable& kinds) : kinds_(kinds) {}

  // False if it is deeper than anybody writes.
  bool copy(TSNode root, SyntaxTree& tree) {
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    bool done = walk(cursor, tree);
    ts_tree_cursor_delete(&cursor);
    return done;
  }

 private:
  bool walk(TSTreeCursor& cursor, SyntaxTree& tree) {
    std::vector<uint32_t> parents;
    uint32_t before = add(cursor, tree);  // the sibling before, or the parent of a first child
    bool descends = true;
    while (true) {
      if (descends && !is_leaf(tree.nodes[before].kind) &&
          ts_tree_cursor_goto_first_child(&cursor)) {
        if (parents.size() > kDeepestNesting * 4) return false;
        parents.push_back(before);
        uint32_t child = add(cursor, tree);
        tree.nodes[before].first_child = child;
        before = child;
      } else if (!parents.empty() && ts_tree_cursor_goto_next_sibling(&cursor)) {
        uint32_t sibling = add(cursor, tree);
        tree.nodes[before].next = sibling;
        before = sibling;
        descends = true;
      } else if (!parents.empty()) {
        ts_tree_cursor_goto_parent(&cursor);
        before = parents.back();
        parents.pop_back();
        descends = false;
      } else {
        return true;
      }
    }
  }

  uint32_t add(TSTreeCursor& cursor, SyntaxTree& tree) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    bool is_error = ts_node_symbol(node) == static_cast<TSSymbol>(-1) || ts_node_is_missing(node);
    Node copied{.kind = is_error ? NodeKind::error : kinds_.kind_of(node),
                .from = ts_node_start_byte(node),
                .to = ts_node_end_byte(node)};
    // What is inside of a command is read again, so its errors are found there.
    if (copied.kind == NodeKind::error) tree.has_errors = true;
    tree.nodes.push_back(copied);
    return static_cast<uint32_t>(tree.nodes.size() - 1);
  }

  KindTable& kinds_;
};

constexpr auto kLongestParsing = std::chrono::milliseconds(10);
constexpr size_t kShort = 512;
constexpr uint64_t kFirstSlice = 12000;  // µs after which the parser is asked how long it took

std::chrono::nanoseconds processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

struct Parser::Hidden {
  TSParser* parser = ts_parser_new();
  KindTable kinds;
  std::chrono::nanoseconds spent{};
};

Parser::Parser() : hidden_(new Hidden) {
  ts_parser_set_language(hidden_->parser, tree_sitter_bash());
}

Parser::~Parser() {
  ts_parser_delete(hidden_->parser);
  delete hidden_;
}

ParseResult Parser::parse(std::string_view text) {
  // A parser that is interrupted and goes on may find another tree: it begins again instead, and
  // short texts are never interrupted.
  uint64_t slice = text.size() <= kShort ? 0 : kFirstSlice;
  TSTree* tree = nullptr;
  while (tree == nullptr && hidden_->spent < kLongestParsing) {
    std::chrono::nanoseconds start = processor_time();
    ts_parser_reset(hidden_->parser);
    ts_parser_set_timeout_micros(hidden_->parser, slice);
    tree = ts_parser_parse_string(hidden_->parser, nullptr, text.data(),
                                  static_cast<uint32_t>(text.size()));
    hidden_->spent += processor_time() - start;
    slice *= 2;
  }
  if (tree == nullptr) return {.tree = std::nullopt, .why = NoTree::too_slow};
  ParseResult result{.tree = SyntaxTree{}};
  result.tree->nodes.reserve(text.size() / 4 + 8);
  if (!Copier(hidden_->kinds).copy(ts_tree_root_node(tree), *result.tree))
    result = {.tree = std::nullopt, .why = NoTree::too_deep};
  ts_tree_delete(tree);
  return result;
}

}  // namespace ringwall::shell
