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
  enum class Operands : uint8_t {
    none,
    first,         // the first is code unless an option was
    behind_first,  // each behind the first: sqlite3 FILE 'select …'
    line,          // all of them are one line of code
  } operands = Operands::none;
  bool reads_input = true;  // without operands, code comes on standard input
};
using Operands = Interpreter::Operands;

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
    {"elixir", "elixir", "-e --eval", {"er", "eval"}, Operands::none, false},
    {"erl", "erlang", "-eval", {"", "eval run pa pz name sname", true}, Operands::none, false},
    {"groovy", "groovy", "-e", {"ec", ""}, Operands::none, false},
    {"scala*", "scala", "-e", {"e", ""}},
    {"ghc", "haskell", "-e", {"e", ""}, Operands::none, false},
    {"racket", "lisp", "-e --eval", {"eflrtu", "eval"}},
    {"guile*", "lisp", "-c", {"cels", ""}},
    {"sbcl", "lisp", "--eval", {"", "eval load"}},
    {"emacs*",
     "lisp",
     "--eval --execute",
     {"lf", "eval execute load funcall"},
     Operands::none,
     false},
    {"clojure", "lisp", "-e --eval", {"e", "eval"}},
    {"osascript", "applescript", "-e", {"els", ""}},
    {"pwsh*", "powershell", "-c -Command -command", {"", "Command command c File", true}},
    {"expect", "tcl", "-c", {"cf", ""}},
    {"tclsh*", "tcl", "", {}},
    {"awk",
     "awk",
     "-e --source",
     {"vFefi", "assign field-separator source file include"},
     Operands::first,
     false},
    {"gawk",
     "awk",
     "-e --source",
     {"vFefilE", "assign field-separator source file include exec"},
     Operands::first,
     false},
    {"mawk",
     "awk",
     "-e --source",
     {"vFefW", "assign field-separator source file"},
     Operands::first,
     false},
    {"nawk", "awk", "-e --source", {"vFef", ""}, Operands::first, false},
    {"sed",
     "sed",
     "-e --expression",
     {"eflE", "expression file line-length"},
     Operands::first,
     false},
    {"gsed",
     "sed",
     "-e --expression",
     {"efl", "expression file line-length"},
     Operands::first,
     false},
    {"psql",
     "sql",
     "-c --command",
     {"cdfhLopPRTUv", "command dbname file host port username variable output"}},
    {"mysql*", "sql", "-e --execute", {"eDhPSu", "execute database host port user socket"}},
    {"mariadb*", "sql", "-e --execute", {"eDhPSu", "execute database host port user socket"}},
    {"sqlite3",
     "sql",
     "-cmd",
     {"", "cmd init separator newline nullvalue mmap", true},
     Operands::behind_first},
    {"sqlcmd", "sql", "-Q -q", {"SUPdQqiohlstwvVy", ""}},
    {"usql", "sql", "-c --command", {"cfov", "command file out set variable"}},
    {"pgcli", "sql", "", {"hpUdD", "host port username dbname dsn"}},
    {"mycli",
     "sql",
     "-e --execute",
     {"ehPuSpD", "execute host port user socket password database"}},
    {"litecli", "sql", "-e --execute", {"eD", "execute database"}},
    {"cockroach", "sql", "-e --execute", {"edu", "execute database user url host file"}},
    {"influx", "sql", "-execute", {"", "execute database host port username password", true}},
    {"bq", "sql", "", {"nF", "format project_id dataset_id location"}, Operands::behind_first},
    {"mongosh", "mongo", "--eval", {"fup", "eval file host port username password"}},
    {"mongo", "mongo", "--eval", {"fup", "eval host port username password"}},
    {"clickhouse-client", "sql", "-q --query", {"qdhu", "query database host port user password"}},
    {"clickhouse", "sql", "-q --query", {"qdhu", "query database host port user password"}},
    {"duckdb", "sql", "-c -s -cmd", {"", "c s cmd init", true}, Operands::behind_first},
    {"redis-cli", "redis", "", {"hpanuriDt", "user pass"}, Operands::line},
    {"valkey-cli", "redis", "", {"hpanuriDt", "user pass"}, Operands::line},
    {"keydb-cli", "redis", "", {"hpanuriDt", "user pass"}, Operands::line},
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

void add_operands(const Interpreter& interpreter, const std::vector<Word>& operands, bool from_file,
                  std::vector<InlineCode>& all) {
  std::string language(interpreter.language);
  switch (interpreter.operands) {
    case Operands::none:
      return;
    case Operands::first:
      if (all.empty() && !from_file && !operands.empty()) all.push_back({language, operands[0]});
      return;
    case Operands::behind_first:
      for (size_t i = 1; i < operands.size(); i++)
        all.push_back({language, operands[i]});
      return;
    case Operands::line:
      if (!operands.empty()) all.push_back({language, joined(operands)});
      return;
  }
}

}  // namespace

std::vector<InlineCode> inline_code_of(const std::vector<Word>& words,
                                       const std::optional<Word>& input) {
  std::vector<InlineCode> all;
  if (words.empty()) return all;
  const Interpreter* interpreter = interpreter_named(program_name(words[0]));
  if (interpreter == nullptr) return all;
  bool is_line = interpreter->operands == Operands::line;
  bool is_sql = interpreter->language == "sql" || interpreter->language == "mongo" || is_line;
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
  add_operands(*interpreter, operands, from_file, all);
  bool reads_input = interpreter->reads_input && (is_sql || operands.empty() || is_dash);
  if (input && reads_input && all.empty())
    all.push_back({std::string(interpreter->language), *input});
  return all;
}

}  // namespace ringwall::shell
