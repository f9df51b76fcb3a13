#include "gate/named_file.h"

#include "base/path.h"

namespace ringwall::gate {
namespace {

using shell::Word;
using Gap = Word::Gap;

constexpr size_t kFewLetters = 3;

// What is put before the text, with the gaps moved behind it.
void prepend(Word& word, std::string_view text) {
  word.text.insert(0, text);
  for (Gap& gap : word.gaps)
    gap.at += static_cast<uint32_t>(text.size());
}

// The part before the first gap, without "..", "." and doubled slashes.
void tidy_start(Word& word) {
  size_t slash = word.text.rfind('/', word.gaps[0].at == 0 ? 0 : word.gaps[0].at - 1);
  if (slash == word.text.npos || slash == 0) return;
  std::string tidy = path::normalize(std::string_view(word.text).substr(0, slash));
  if (tidy == "/") tidy.clear();
  for (Gap& gap : word.gaps)
    gap.at = static_cast<uint32_t>(gap.at - slash + tidy.size());
  word.text.replace(0, slash, tidy);
}

std::string fill(const Word& word, std::string_view with) {
  std::string out;
  size_t at = 0;
  for (const Gap& gap : word.gaps) {
    out.append(word.text, at, gap.at - at);
    out += with;
    at = gap.at;
  }
  return out + word.text.substr(at);
}

NamedFile known_file(const std::string& path, std::string_view folder, PathResolver& resolver) {
  NamedFile file;
  bool is_normal = path.find("//") == path.npos && path.find("/.") == path.npos &&
                   (path.size() == 1 || !path.ends_with('/'));
  file.path.text = is_normal ? path : path::normalize(path);
  file.target = resolver.resolve(path, folder);
  return file;
}

// Letters of the part of the path in which the first gap is.
size_t letters_around_gap(const Word& word) {
  size_t at = word.gaps[0].at;
  size_t begin = at == 0 ? 0 : word.text.rfind('/', at - 1) + 1;
  size_t end = std::min(word.text.find('/', at), word.text.size());
  size_t letters = 0;
  for (size_t i = begin; i < end; i++)
    letters += word.text[i] != '.' && word.text[i] != '*' ? 1 : 0;
  return letters;
}

}  // namespace

FileLook look_at_file(const Word& written, const std::optional<std::string>& folder,
                      std::string_view home, PathResolver& resolver) {
  FileLook look;
  Word path = written;
  bool begins_unknown =
      !path.gaps.empty() && path.gaps[0].at == 0 && path.gaps[0].kind == Gap::Kind::text;
  if (path.text == "~" || path.text.starts_with("~/")) {
    path.text.erase(0, 1);
    for (Gap& gap : path.gaps)
      gap.at--;
    prepend(path, home);
  }
  if (!path.text.starts_with('/') && !begins_unknown) {
    if (folder) {
      prepend(path, *folder + "/");
    } else {
      prepend(path, "/");
      path.gaps.insert(path.gaps.begin(), {0, Gap::Kind::text});
    }
  }
  std::string_view here = folder ? std::string_view(*folder) : "/";
  if (path.gaps.empty()) {
    look.file = known_file(path.text, here, resolver);
    return look;
  }
  for (const Gap& gap : path.gaps)
    look.has_unknown |= gap.kind == Gap::Kind::text;
  look.is_blank = look.has_unknown && path.text.find_first_not_of("./") == path.text.npos;
  look.names_little = letters_around_gap(path) < kFewLetters;
  for (std::string_view with : {"x", ""}) {
    std::string filled = fill(path, with);
    look.filled.push_back(
        known_file(filled.starts_with('/') ? filled : "/" + filled, here, resolver));
  }
  tidy_start(path);
  look.file.path = std::move(path);
  return look;
}

}  // namespace ringwall::gate
