#include "prepare/terminal_entry.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::prepare {
namespace {

constexpr size_t kLargest = 64 << 10;
constexpr const char* kSystem[] = {"/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"};

// Below a folder of descriptions: by the first letter, or, where names differ in nothing but case,
// by its number.
std::vector<std::string> names_below(const std::string& term) {
  constexpr const char* kDigits = "0123456789abcdef";
  auto first = static_cast<unsigned char>(term[0]);
  std::string number = {kDigits[first >> 4], kDigits[first & 15]};
  return {term.substr(0, 1) + "/" + term, number + "/" + term};
}

bool is_name(const std::string& term) {
  auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("+-._").contains(c);
  };
  return !term.empty() && term.size() <= 128 && term[0] != '.' && std::ranges::all_of(term, fits);
}

// By its first two bytes, so that no other file is taken for one.
bool is_description(const std::string& bytes) {
  return bytes.starts_with("\x1a\x01") || bytes.starts_with("\x1e\x02");
}

std::optional<std::string> read_description(const std::string& name) {
  auto file = file::open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  struct stat facts;
  if (!file || fstat(file->get(), &facts) < 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  auto bytes = file::read_all(file->get(), kLargest);
  return bytes && is_description(*bytes) ? std::optional(std::move(*bytes)) : std::nullopt;
}

std::string value_of(const char* name) {
  const char* value = getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

TerminalVariables read_terminal_variables(const std::string& home) {
  return {value_of("TERM"), value_of("TERMINFO"), value_of("TERMINFO_DIRS"), home};
}

std::optional<sandbox::MadeFile> find_terminal_entry(const TerminalVariables& variables) {
  if (!is_name(variables.term)) return std::nullopt;
  std::vector<std::string> names = names_below(variables.term);
  for (const char* folder : kSystem) {
    for (const std::string& name : names)
      if (file::exists(path::join(folder, name))) return std::nullopt;
  }
  std::vector<std::string> folders = {variables.terminfo, path::join(variables.home, ".terminfo")};
  for (std::string& folder : text::split(variables.terminfo_dirs, ':'))
    folders.push_back(std::move(folder));
  for (const std::string& folder : folders) {
    if (!folder.starts_with('/')) continue;
    for (const std::string& name : names) {
      auto bytes = read_description(path::join(folder, name));
      if (!bytes) continue;
      return sandbox::MadeFile{
          .target = path::join(variables.home, ".terminfo/" + names[0]),
          .content = std::move(*bytes),
          .reason = "what programs know of the terminal, from " + text::quote(folder)};
    }
  }
  return std::nullopt;
}

void add_terminal_entry(const TerminalVariables& variables, std::vector<sandbox::MadeFile>& made) {
  auto entry = find_terminal_entry(variables);
  if (entry && std::ranges::find(made, entry->target, &sandbox::MadeFile::target) == made.end())
    made.push_back(std::move(*entry));
}

}  // namespace ringwall::prepare
