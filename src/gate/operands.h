// The words of a command that would run, told apart: its program by name, its subcommands and
// operands without the options that stand before them, and what an operand is to the workspace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gate/resolve_path.h"
#include "shell/analysis.h"

namespace ringwall::gate {

// Bits: an operand can be several.
namespace operand {
inline constexpr uint16_t root = 1;          // the system's root, or all that lies in it
inline constexpr uint16_t system = 2;        // installed programs, settings, devices
inline constexpr uint16_t home = 4;          // a whole home
inline constexpr uint16_t above = 8;         // a folder that holds the workspace
inline constexpr uint16_t workspace = 16;    // the whole of it
inline constexpr uint16_t git = 32;          // a repository's .git, or what it cannot do without
inline constexpr uint16_t outside = 64;      // of the workspace, and not temporary
inline constexpr uint16_t device = 128;      // but for those that swallow or only give
inline constexpr uint16_t unknown = 256;     // only the running shell knows
inline constexpr uint16_t agent = 512;       // a folder with settings of an agent, or of Ringwall
inline constexpr uint16_t temporary = 1024;  // the whole of a folder for temporary files
}  // namespace operand

uint16_t operand_class(std::string_view name);  // 0 if there is none of that name

struct Surrounding {
  std::string_view home;
  std::string_view workspace;
  std::string_view folder;  // where the command would run; empty if that is not known
  PathResolver* resolver;
};
uint16_t classify(const shell::Word& operand, const Surrounding& around);

// Options before a subcommand are left out: "push" is the first word of `git -C . push`. Points
// into the command, which has to stay.
class Operands {
 public:
  explicit Operands(const std::vector<shell::Word>& command);
  explicit Operands(std::vector<shell::Word>&&) = delete;
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;

  std::string program;                    // "git" of /usr/bin/git; "python" of python3.11
  std::vector<const shell::Word*> words;  // subcommands and operands
  std::vector<const shell::Word*> flags;
  std::vector<const shell::Word*> all;     // but for the program
  std::vector<const shell::Word*> before;  // options before the subcommand: those of git -c x push
  bool may_be_more = false;                // an unquoted expansion may bring words of any kind

 private:
  std::vector<shell::Word> rewritten_;
};

// "git-push", a program of git's own that may be called by name.
bool is_git_program(const shell::Word& word);

// "git-push" is "git push", also where git keeps it. False if it is no such program.
bool split_git_program(std::vector<shell::Word>& words);

// "/usr/bin/git" → "git"
std::string_view base_name(std::string_view program);

}  // namespace ringwall::gate
