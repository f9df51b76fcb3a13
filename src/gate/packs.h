// The shipped packs of rules: what people do not want even inside the walls, or want to be asked
// about. Tables of typed matchers, so that flags count in any order, joined, long or shortened, and
// operands by what they are and not by how they are spelled. docs/tool-packs.md is made from them.
//
// A command is written in one line:
//   rm|rmdir           the program, by the last part of its path
//   push               the next word that is no option
//   -r|-R|--recursive  one of these options is there; -X=DELETE: with this value
//   !-n|--dry-run      none of these is in force
//   #3                 at least three words
//   @root|home         an operand is of this class (gate/operands.h, RowMatch::has_named_class)
//   ^root|home         an operand but the last is
//   >agent             what it makes or puts something into is (gate/copy_target.h)
//   =main|*:main       an operand or an option's value fits
//   %*/.claude         an operand fits that is fully known
//   ~core.pager        an operand fits in whatever letters
//   &clean.force=*     an option before the subcommand fits, in whatever letters
//   <fetch             what it runs comes from such a program (gate/code_source.h)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gate/answer.h"

namespace ringwall::gate {

struct PackCommand {
  std::string_view spec;
  Answer answer;
  std::string_view reason;
  std::string_view hint = {};
};

struct PackPath {
  std::string_view pattern;  // as in Read(…)
  enum class Use : uint8_t { read, write, both } use;
  Answer answer;
  std::string_view reason;
  std::string_view hint = {};
  std::string_view except = {};  // names that are meant by the pattern but harmless: "*.pub|config"
};

// Code on a command line, or text for an interpreter's input.
struct PackCode {
  std::string_view languages;  // "python|ruby"; "*": any
  std::string_view needle;     // in small letters
  Answer answer;
  std::string_view reason;
  std::string_view hint = {};
};

struct Pack {
  std::string_view name;
  std::string_view summary;
  std::span<const PackCommand> commands;
  std::span<const PackPath> paths = {};
  std::span<const PackCode> code = {};
};

std::span<const Pack> packs();

// The page of the documentation.
std::string packs_page();

}  // namespace ringwall::gate
