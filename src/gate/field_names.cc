#include "gate/field_names.h"

#include <algorithm>
#include <string>

namespace ringwall::gate {
namespace {

// By its last word, or by all of it.
struct NamedKind {
  std::string_view word;
  FieldKind kind;
};
constexpr NamedKind kKinds[] = {
    {"command", FieldKind::command},
    {"commands", FieldKind::command},
    {"cmd", FieldKind::command},
    {"cmds", FieldKind::command},
    {"cmdline", FieldKind::command},
    {"commandline", FieldKind::command},
    {"script", FieldKind::command},
    {"scripts", FieldKind::command},
    {"shell", FieldKind::command},
    {"bash", FieldKind::command},
    {"sh", FieldKind::command},
    {"zsh", FieldKind::command},
    {"exec", FieldKind::command},
    {"args", FieldKind::arguments},
    {"arg", FieldKind::arguments},
    {"argv", FieldKind::arguments},
    {"arguments", FieldKind::arguments},
    {"parameters", FieldKind::arguments},
    {"params", FieldKind::arguments},
    {"options", FieldKind::arguments},
    {"flags", FieldKind::arguments},
    {"code", FieldKind::code},
    {"input", FieldKind::code},
    {"stdin", FieldKind::code},
    {"execute", FieldKind::code},
    {"run", FieldKind::code},
    {"program", FieldKind::code},
    {"executable", FieldKind::code},
    {"expression", FieldKind::code},
    {"eval", FieldKind::code},
    {"sql", FieldKind::sql},
    {"query", FieldKind::sql},
    {"queries", FieldKind::sql},
    {"statement", FieldKind::sql},
    {"statements", FieldKind::sql},
    {"path", FieldKind::path},
    {"paths", FieldKind::path},
    {"pathname", FieldKind::path},
    {"file", FieldKind::path},
    {"files", FieldKind::path},
    {"filename", FieldKind::path},
    {"filenames", FieldKind::path},
    {"filepath", FieldKind::path},
    {"filepaths", FieldKind::path},
    {"uri", FieldKind::path},
    {"uris", FieldKind::path},
    {"source", FieldKind::path},
    {"sources", FieldKind::path},
    {"src", FieldKind::path},
    {"destination", FieldKind::path},
    {"destinations", FieldKind::path},
    {"dest", FieldKind::path},
    {"dst", FieldKind::path},
    {"target", FieldKind::path},
    {"targets", FieldKind::path},
    {"directory", FieldKind::path},
    {"directories", FieldKind::path},
    {"dir", FieldKind::path},
    {"dirs", FieldKind::path},
    {"folder", FieldKind::path},
    {"folders", FieldKind::path},
    {"root", FieldKind::path},
    {"roots", FieldKind::path},
    {"cwd", FieldKind::path},
    {"workdir", FieldKind::path},
};

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_large(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

FieldKind kind_of_word(std::string_view word) {
  const auto* found = std::ranges::find(kKinds, word, &NamedKind::word);
  return found == std::end(kKinds) ? FieldKind::other : found->kind;
}

}  // namespace

FieldKind kind_of_field(std::string_view name) {
  std::string all, last;
  char before = 0;
  bool begins = true;  // a word, with the next letter: "file_1" and "path2" are a file and a path
  for (char c : name) {
    bool is_letter = is_small(c) || is_large(c);
    if ((!is_letter && !is_digit(c)) || (is_large(c) && is_small(before))) begins = true;
    before = c;
    if (!is_letter) continue;
    if (begins) last.clear();
    begins = false;
    char small = is_large(c) ? static_cast<char>(c - 'A' + 'a') : c;
    last += small;
    all += small;
  }
  FieldKind kind = kind_of_word(last);
  return kind == FieldKind::other ? kind_of_word(all) : kind;
}

}  // namespace ringwall::gate
