#include "identity/program_kind.h"

#include <elf.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <vector>

#include "base/path.h"
#include "base/text.h"

namespace ringwall::identity {
namespace {

// More headers than any linker writes; a file with more is taken for a program.
constexpr size_t kMostHeaders = 64;
constexpr size_t kMostDynamic = 512;

template <class T>
bool read_at(int fd, uint64_t at, T* into, size_t count) {
  auto bytes = static_cast<ssize_t>(count * sizeof(T));
  return pread(fd, into, static_cast<size_t>(bytes), static_cast<off_t>(at)) == bytes;
}

struct Dynamic {
  bool has_name = false;  // DT_SONAME: others link against it
  bool is_pie = false;
};

template <class Header, class Entry>
Dynamic read_dynamic(int fd, const Header& header) {
  Dynamic found;
  size_t count = std::min<size_t>(header.p_filesz / sizeof(Entry), kMostDynamic);
  std::vector<Entry> entries(count);
  if (!read_at(fd, header.p_offset, entries.data(), count)) return found;
  for (const Entry& entry : entries) {
    if (entry.d_tag == DT_NULL) break;
    found.has_name |= entry.d_tag == DT_SONAME;
    found.is_pie |= entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) != 0;
  }
  return found;
}

template <class File, class Header, class Entry>
ProgramKind judge_elf(int fd) {
  File file;
  if (!read_at(fd, 0, &file, 1)) return ProgramKind::library;
  if (file.e_type == ET_EXEC) return ProgramKind::program;
  if (file.e_type != ET_DYN) return ProgramKind::library;  // objects, dumps: they do not start
  if (file.e_phnum > kMostHeaders) return ProgramKind::program;
  std::vector<Header> headers(file.e_phnum);
  if (!read_at(fd, file.e_phoff, headers.data(), headers.size())) return ProgramKind::library;
  bool has_interpreter = false;
  Dynamic dynamic;
  for (const Header& header : headers) {
    has_interpreter |= header.p_type == PT_INTERP;
    if (header.p_type == PT_DYNAMIC) dynamic = read_dynamic<Header, Entry>(fd, header);
  }
  // libc and its kin can be started and tell their version: they stay libraries.
  if (dynamic.has_name) return ProgramKind::library;
  return has_interpreter || dynamic.is_pie ? ProgramKind::program : ProgramKind::library;
}

// The words of a line as a shell splits it; quotes and braces are dropped.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words(1);
  char quote = 0;
  for (char c : line) {
    if (quote == 0 && (c == ' ' || c == '\t')) {
      if (!words.back().empty()) words.emplace_back();
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool is_assignment(std::string_view word) {
  size_t equals = word.find('=');
  return equals != word.npos && equals > 0 && word.find('/') > equals;
}

// Lines that prepare and do nothing: a script of these and one command is a wrapper.
bool only_prepares(std::string_view line) {
  static constexpr std::array<std::string_view, 7> kStarts = {
      "#", "set ", "export ", "unset ", "umask ", "ulimit ", "cd "};
  if (line.empty()) return true;
  for (std::string_view start : kStarts) {
    if (line.starts_with(start)) return true;
  }
  std::vector<std::string> words = words_of(line.substr(0, line.find("$(")));
  return words.size() == 1 && is_assignment(words[0]);
}

// "$(dirname "$0")/x", "${0%/*}/x" and "$basedir/x" are in the script's own folder.
std::string as_written(std::string word) {
  for (std::string_view start : {"$(dirname $0)/", "`dirname $0`/", "${0%/*}/", "$basedir/",
                                 "${basedir}/", "$dir/", "${dir}/", "$here/", "$DIR/", "${DIR}/"}) {
    if (word.starts_with(start)) return "./" + word.substr(start.size());
  }
  return word.find('$') == word.npos ? word : "";
}

}  // namespace

ProgramKind kind_of_file(int fd, bool may_execute) {
  char head[EI_NIDENT] = {};
  ssize_t got = pread(fd, head, sizeof head, 0);
  if (got < 0) return ProgramKind::unreadable;
  std::string_view bytes(head, static_cast<size_t>(got));
  if (bytes.starts_with("#!")) return ProgramKind::script;
  if (got == EI_NIDENT && bytes.starts_with(ELFMAG)) {
    return head[EI_CLASS] == ELFCLASS32 ? judge_elf<Elf32_Ehdr, Elf32_Phdr, Elf32_Dyn>(fd)
                                        : judge_elf<Elf64_Ehdr, Elf64_Phdr, Elf64_Dyn>(fd);
  }
  return may_execute ? ProgramKind::other : ProgramKind::none;
}

std::string interpreter_of(std::string_view bytes) {
  if (!bytes.starts_with("#!")) return {};
  std::vector<std::string> words = words_of(bytes.substr(2, bytes.find('\n') - 2));
  return words.empty() ? "" : words[0];
}

std::string wrapped_by(std::string_view script) {
  if (script.size() > kLongestWrapper || script.find('\0') != script.npos) return {};
  std::string shell(path::basename(interpreter_of(script)));
  std::vector<std::string> first = words_of(script.substr(0, script.find('\n')));
  bool by_env = shell == "env" && first.size() > 1;
  std::string named = by_env ? first.back() : shell;
  bool is_shell = named == "sh" || named == "bash" || named == "dash" || named == "ksh" ||
                  named == "zsh" || named == "ash";
  if (!is_shell) return {};
  std::string command;
  for (std::string_view line : text::split_in_place(script, '\n')) {
    line = text::trim(line);
    if (only_prepares(line)) continue;
    if (!command.empty()) return {};  // it does more than one thing
    command = line;
  }
  if (command.find_first_of(";|&<>") != command.npos) return {};
  std::string flat = command;
  std::erase(flat, '"');  // "$(dirname "$0")/x" has quotes in quotes
  size_t at = flat.find("$(dirname $0)");
  if (at != flat.npos) flat.replace(at, 13, "${0%/*}");
  std::vector<std::string> words = words_of(flat);
  size_t i = 0;
  while (i < words.size() && (words[i] == "exec" || is_assignment(words[i]) || words[i] == "env" ||
                              words[i] == "command"))
    i++;
  return i < words.size() ? as_written(words[i]) : "";
}

}  // namespace ringwall::identity
