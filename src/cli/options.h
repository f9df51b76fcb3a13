// Command lines by CLI11, with one way to fail and one way to print help. CLI11 stays behind this
// header: it costs every file that includes it seconds to compile.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "policy/values.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ringwall::cli {

// One option of a command line, while that is built.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option& type_name(const std::string& name);  // of its value, for the help
  Option& required();
  Option& excludes(const Option& other);

 private:
  CLI::Option* option_;
};

// What a command takes. Names are given as "-d,--detach"; one without dashes is an argument.
class CommandLine {
 public:
  // The usage is the line "Usage: ringwall …" of the help.
  CommandLine(const std::string& description, const std::string& name, const std::string& usage);
  ~CommandLine();

  void footer(const std::string& text);
  Option add_option(const std::string& names, std::string& value, const std::string& help);
  Option add_option(const std::string& names, std::optional<std::string>& value,
                    const std::string& help);
  // An argument that takes all words there are.
  Option add_option(const std::string& names, std::vector<std::string>& values,
                    const std::string& help);
  // May be repeated, with one value each time.
  Option add_list(const std::string& names, std::vector<std::string>& values,
                  const std::string& help);
  Option add_flag(const std::string& names, bool& value, const std::string& help);

  // Parses; returns an exit status if the command is done (help was printed, or the input is
  // wrong).
  std::optional<int> parse(const std::vector<std::string>& arguments);
  bool was_given(const std::string& name) const;
  bool takes_value(const std::string& name) const;  // false of one that is not known

  CLI::App& parser() { return *parser_; }

 private:
  std::optional<int> refuse_empty() const;

  std::unique_ptr<CLI::App> parser_;
  std::vector<CLI::Option*> texts_;  // those whose value may not be empty
};

// The flags of the policy fields, from the field table; values are collected as typed.
class PolicyFlags {
 public:
  PolicyFlags() = default;  // none was given
  // Those that the arguments name, since each costs a part of the start; all of them if the
  // arguments name another flag, which may be a wish for help, or a mistake to explain.
  PolicyFlags(CommandLine& line, const std::vector<std::string>& arguments);

  // All of them, for a question about a run with these: the help says where they are explained.
  static PolicyFlags of_run(CommandLine& line);

  // What was given, paths relative to the current folder.
  Result<std::vector<policy::Setting>> settings(const std::string& folder,
                                                const std::string& home) const;

 private:
  void add(CLI::App& parser, size_t field);

  std::vector<std::vector<std::string>> values_;
  std::vector<CLI::Option*> options_;  // null where it was not named
};

}  // namespace ringwall::cli
