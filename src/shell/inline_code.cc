#include "shell/inline_code.h"

#include <algorithm>
#include <array>

#include "shell/options.h"
#include "shell/value.h"
#include "shell/wrappers.h"

namespace ringwall::shell {
namespace {

struct Interpreter {
  std::string_view name;  // with a * at its end: python3.11 is python*
  std::string_view language;
  std::string_view code_options;
  OptionShape shape;
  bool first_operand = false;  // its first operand is code unless an option was
  bool reads_input = true;     // without operands, code comes on standard input
};

constexpr auto kInterpreters = std::to_array<Interpreter>({
    {"python*", "python", "-c", {"cmWXQ", "check-hash-based-pycs"}},
    {"pypy*", "python", "-c", {"cmWX", ""}},
    {"ipython*", "python", "-c", {"cm", "ext"}},
    {"node*",
     "node",
     "-e --eval -p --print -pe",
     {"erpC", "eval print require import loader conditions env-file input-type title"}},
    {"bun",
     "node",
     "-e --eval -p --print",
     {"erpdl", "eval print require preload define loader cwd"}},
    {"tsx", "node", "-e --eval -p --print", {"erp", "eval print require import"}},
    {"ts-node*", "node", "-e --eval -p --print", {"erpOP", "eval print require project"}},
    {"perl*", "perl", "-e -E", {"eEIMmCDFx", ""}},
    {"ruby*", "ruby", "-e", {"eIrCEFKTWx", "encoding external-encoding internal-encoding"}},
    {"php*",
     "php",
     "-r --run -B -R -E --process-begin --process-code --process-end",
     {"crBREFdftSz", "run define file process-begin process-code process-end server"}},
    {"lua*", "lua", "-e", {"el", ""}},
    {"texlua", "lua", "-e", {"el", ""}},
    {"Rscript", "r", "-e", {"e", ""}},
    {"R", "r", "-e", {"ef", "file args"}},
    {"julia", "julia", "-e -E --eval --print", {"eEJLpt", "eval print load project"}},
    {"elixir", "elixir", "-e --eval", {"er", "eval"}, false, false},
    {"erl", "erlang", "-eval", {"", "eval run pa pz name sname", true}, false, false},
    {"groovy", "groovy", "-e", {"ec", ""}, false, false},
    {"scala*", "scala", "-e", {"e", ""}},
    {"ghc", "haskell", "-e", {"e", ""}, false, false},
    {"racket", "lisp", "-e --eval", {"eflrtu", "eval"}},
    {"guile*", "lisp", "-c", {"cels", ""}},
    {"sbcl", "lisp", "--eval", {"", "eval load"}},
    {"emacs*", "lisp", "--eval --execute", {"lf", "eval execute load funcall"}, false, false},
    {"clojure", "lisp", "-e --eval", {"e", "eval"}},
    {"osascript", "applescript", "-e", {"els", ""}},
    {"pwsh*", "powershell", "-c -Command -command", {"", "Command command c File", true}},
    {"expect", "tcl", "-c", {"cf", ""}},
    {"tclsh*", "tcl", "", {}},
    {"awk",
     "awk",
     "-e --source",
     {"vFefi", "assign field-separator source file include"},
     true,
     false},
    {"gawk",
     "awk",
     "-e --source",
     {"vFefilE", "assign field-separator source file include exec"},
     true,
     false},
    {"mawk", "awk", "-e --source", {"vFefW", "assign field-separator source file"}, true, false},
    {"nawk", "awk", "-e --source", {"vFef", ""}, true, false},
    {"sed", "sed", "-e --expression", {"eflE", "expression file line-length"}, true, false},
    {"gsed", "sed", "-e --expression", {"efl", "expression file line-length"}, true, false},
    {"psql",
     "sql",
     "-c --command",
     {"cdfhLopPRTUv", "command dbname file host port username variable output"}},
    {"mysql*", "sql", "-e --execute", {"eDhPSu", "execute database host port user socket"}},
    {"mariadb*", "sql", "-e --execute", {"eDhPSu", "execute database host port user socket"}},
    {"sqlite3", "sql", "-cmd", {"", "cmd init separator newline nullvalue mmap", true}},
    {"mongosh", "mongo", "--eval", {"fup", "eval file host port username password"}},
    {"mongo", "mongo", "--eval", {"fup", "eval host port username password"}},
    {"clickhouse-client", "sql", "-q --query", {"qdhu", "query database host port user password"}},
    {"duckdb", "sql", "-c -s -cmd", {"", "c s cmd init", true}},
    {"sqlplus", "sql", "", {}},
    {"cqlsh", "sql", "-e --execute", {"efku", "execute file keyspace username"}},
});

const Interpreter* interpreter_named(std::string_view name) {
  if (name.empty()) return nullptr;
  for (const Interpreter& known : kInterpreters) {
    if (known.name[0] != name[0]) continue;
    bool open = known.name.ends_with('*');
    std::string_view start = known.name.substr(0, known.name.size() - (open ? 1 : 0));
    if (!name.starts_with(start)) continue;
    std::string_view rest = name.substr(start.size());
    // python3.11, but not python-config.
    if (rest.empty() || (open && rest.find_first_not_of("0123456789.js") == rest.npos))
      return &known;
  }
  return nullptr;
}

// sed -i.bak and -i alone; sed's -E and perl's -i take no word of their own.
OptionShape shape_of(const Interpreter& interpreter) {
  OptionShape shape = interpreter.shape;
  if (interpreter.language == "sed") shape.short_values = "efl";
  return shape;
}

}  // namespace

std::vector<InlineCode> inline_code_of(const std::vector<Word>& words,
                                       const std::optional<Word>& input) {
  std::vector<InlineCode> all;
  if (words.empty()) return all;
  const Interpreter* interpreter = interpreter_named(program_name(words[0]));
  if (interpreter == nullptr) return all;
  bool is_sql = interpreter->language == "sql" || interpreter->language == "mongo";
  bool may_mix = is_sql || interpreter->language == "sed";  // options behind operands
  std::vector<Word> operands;
  bool from_file = false;
  size_t at = 1;
  while (at < words.size()) {
    OptionReader reader(words, at, shape_of(*interpreter));
    for (Option option; reader.next(option);) {
      from_file |= option.name == "-f" || option.name == "--file" || option.name == "-m";
      if (option.has_value && lists(interpreter->code_options, option.name))
        all.push_back({std::string(interpreter->language), option.value});
    }
    at = reader.at();
    if (at < words.size()) operands.push_back(words[at++]);
    if (!may_mix) break;
  }
  bool is_dash = !operands.empty() && operands[0].text == "-";
  if (all.empty() && !from_file && interpreter->first_operand && !operands.empty())
    all.push_back({std::string(interpreter->language), operands[0]});
  // sqlite3 FILE 'select …'
  if (interpreter->name == "sqlite3" && operands.size() > 1) all.push_back({"sql", operands[1]});
  bool reads_input = interpreter->reads_input && (is_sql || operands.empty() || is_dash);
  if (input && reads_input && all.empty())
    all.push_back({std::string(interpreter->language), *input});
  return all;
}

}  // namespace ringwall::shell
