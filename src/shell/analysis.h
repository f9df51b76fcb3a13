// What a shell command would run, found by parsing it: programs with their words, files it reads
// and writes by redirection, what feeds what. Nothing is run and no file is read: a word that only
// the running shell could know keeps a gap, and what cannot be understood at all is a doubt.
//
// Made for a gate that is strict to allow and loose to deny: an allow needs acts that are `certain`
// and no doubts; a deny may use everything here, also what only might run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringwall::shell {

// A word as the program would get it, as far as that is known before it runs.
struct Word {
  // Where unknown text stands in `text`, of any length, also none.
  struct Gap {
    enum class Kind : uint8_t {
      text,  // anything
      name,  // a part of one file's name, from a glob: no slash, no leading dot
    };
    uint32_t at = 0;  // offset into text
    Kind kind = Kind::text;
  };

  std::string text;
  std::vector<Gap> gaps;  // by offset
  bool splits = false;    // may be no word or several: an unquoted expansion, a glob, "$@"

  bool literal() const { return gaps.empty() && !splits; }
};

// NAME=value before a program, or by env, export …
struct Assignment {
  std::string name;
  Word value;
};

struct Redirection {
  enum class Kind : uint8_t {
    read,
    write,
    append,
    read_write,
    text
  };  // text: here-document or here-string
  Kind kind = Kind::read;
  int fd = 0;
  Word target;  // a path; for `text`, the text itself
};

// Code handed to an interpreter on its command line or its standard input.
struct InlineCode {
  std::string
      language;  // python, node, perl, ruby, php, awk, sed, sql …; shell code becomes acts instead
  Word code;
};

// One program, builtin or function call that would run.
struct Act {
  std::vector<Word> words;       // the program and its arguments; wrappers are taken away
  std::vector<Word> as_written;  // with the wrappers: `sudo env A=b git push`
  std::vector<std::string>
      through;  // the wrappers, outermost first: sudo, env, xargs, sh -c, find -exec, ssh …
  std::vector<Assignment> assignments;  // that reach its environment from this command
  std::vector<Redirection> redirections;
  std::vector<InlineCode> code;
  std::vector<size_t> fed_by;  // acts whose output it reads: a pipe, <(…)
  std::optional<std::string>
      folder;              // absolute: where it would run (`cd` followed); empty if unknown
  bool elsewhere = false;  // runs on another host or in a container (ssh, docker exec)
  bool certain = true;     // surely this program with these words if the command runs at all, and
                           // fully understood
  std::pair<uint32_t, uint32_t> place;  // of it in the command, bytes [from, to)
};

// What could not be understood, and where.
struct Doubt {
  std::string why;  // for a person: "the program's name is only known when it runs: $CMD"
  std::pair<uint32_t, uint32_t> place;
};

struct Analysis {
  std::vector<Act> acts;
  std::vector<Doubt> doubts;
  bool has_unseen = false;  // there is more in it than was looked at: nobody knows what
};

struct Surroundings {
  std::string folder;  // absolute, where the command would run
  std::string home;    // for ~ and $HOME
  std::vector<std::pair<std::string, std::string>> variables{};  // known values beyond HOME and PWD
};

// Never fails and never runs long. What is too large, too deep or too slow to parse is a doubt, and
// cut into its commands roughly, all of it; what is too much even for that is unseen.
Analysis analyse(std::string_view command, const Surroundings& surroundings);

}  // namespace ringwall::shell
