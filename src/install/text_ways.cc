// Lines of settings, scripts and shell files by which an agent is started past its plain name.
#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "install/ways_around.h"

namespace ringwall::install {
namespace {

constexpr std::string_view kFetchers[] = {"npx", "bunx", "pnpx", "dlx", "npm exec", "npm x"};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

bool is_comment(std::string_view line) {
  return line.starts_with('#') || line.starts_with("//") || line.starts_with("<!--");
}

// alias claude='claude --model x': the plain name all the same.
bool starts_the_name(std::string_view body, std::string_view command) {
  while (!body.empty() && (body[0] == '"' || body[0] == '\'' || body[0] == ' '))
    body.remove_prefix(1);
  for (std::string_view before : {"command ", "ringwall run -- ", "ringwall run "}) {
    if (body.starts_with(before)) body.remove_prefix(before.size());
  }
  return body.starts_with(command) &&
         (body.size() == command.size() || !is_word(body[command.size()]));
}

// Of "alias", as one word: what comes behind it. npos: there is none.
size_t end_of_alias(std::string_view line) {
  constexpr std::string_view kWord = "alias ";
  size_t at = line.find(kWord);
  while (at != line.npos && at > 0 && is_word(line[at - 1]))
    at = line.find(kWord, at + 1);
  return at == line.npos ? at : at + kWord.size();
}

// "alias -- claude=x", "alias ll=ls 'claude'=x"; fish also has "alias claude x".
bool defines_alias(std::string_view line, std::string_view command) {
  size_t from = end_of_alias(line);
  if (from == line.npos) return false;
  for (size_t at = from; (at = line.find(command, at)) != line.npos; at += command.size()) {
    bool is_start = line[at - 1] == ' ' || line[at - 1] == '\'' || line[at - 1] == '"';
    size_t end = at + command.size();
    while (end < line.size() && (line[end] == '\'' || line[end] == '"'))
      end++;
    if (!is_start || end >= line.size()) continue;
    bool is_fish = line[end] == ' ' && at == from;
    if (line[end] != '=' && !is_fish) continue;
    if (!starts_the_name(line.substr(end + 1), command)) return true;
  }
  return false;
}

bool takes_the_name(std::string_view line, std::string_view command) {
  std::string name(command);
  for (const std::string& start :
       {"function " + name + " ", "function " + name + "(", name + "()", name + " ()"}) {
    if (line.starts_with(start)) return true;
  }
  bool is_hashed = line.starts_with("hash -p ") && line.ends_with(" " + name);
  return is_hashed || line == "function " + name || defines_alias(line, command);
}

// "/home/ann/.claude/local/claude", "~/.local/bin/claude": from its first byte to the name's end.
std::string path_that_ends_in(std::string_view line, std::string_view command) {
  std::string wanted = "/" + std::string(command);
  for (size_t at = 0; (at = line.find(wanted, at)) != line.npos; at += wanted.size()) {
    size_t end = at + wanted.size();
    if (end < line.size() && (is_word(line[end]) || line[end] == '/')) continue;
    size_t from = at;
    while (from > 0 && (is_word(line[from - 1]) || line[from - 1] == '/' || line[from - 1] == '~' ||
                        line[from - 1] == '$' || line[from - 1] == '{' || line[from - 1] == '}' ||
                        line[from - 1] == '@'))
      from--;
    std::string_view found = line.substr(from, end - from);
    bool is_absolute = found.starts_with('/') || found.starts_with("~/") ||
                       found.starts_with("$HOME/") || found.starts_with("${HOME}/");
    // In an address, "https://x/claude", a colon comes before.
    bool is_address = from > 0 && line[from - 1] == ':' && found.starts_with("//");
    if (is_absolute && !is_address) return std::string(found);
  }
  return "";
}

// A program by whatever name its package gives it: ".../claude-code/bin/claude.exe".
std::string one_of_them_in(std::string_view line, const std::vector<std::string>& programs) {
  for (const std::string& program : programs) {
    size_t at = line.find(program);
    if (at == line.npos) continue;
    size_t end = at + program.size();
    if (end == line.size() || !is_word(line[end])) return program;
  }
  return "";
}

bool fetches(std::string_view line, std::string_view package) {
  if (package.empty() || line.find(package) == line.npos) return false;
  return std::ranges::any_of(kFetchers,
                             [&](std::string_view word) { return line.find(word) != line.npos; });
}

}  // namespace

std::vector<FoundLine> find_in_text(std::string_view text, const Agent& agent, bool is_shell_file,
                                    const std::vector<std::string>& programs) {
  std::vector<FoundLine> found;
  size_t number = 0;
  for (std::string_view whole : text::split_in_place(text, '\n')) {
    number++;
    std::string_view line = text::trim(whole);
    if (line.empty() || is_comment(line) || line.size() > 4096) continue;
    if (is_shell_file && takes_the_name(line, agent.name)) {
      found.push_back({WayAround::Kind::alias, number, std::string(line)});
    } else if (fetches(line, agent.package)) {
      found.push_back({WayAround::Kind::npx, number, std::string(line)});
    } else if (std::string path = path_that_ends_in(line, agent.name); !path.empty()) {
      found.push_back({WayAround::Kind::path, number, path});
    } else if (std::string named = one_of_them_in(line, programs); !named.empty()) {
      found.push_back({WayAround::Kind::path, number, named});
    }
  }
  return found;
}

std::vector<std::string> sourced_files(std::string_view text, const std::string& home) {
  std::vector<std::string> files;
  for (std::string_view whole : text::split_in_place(text, '\n')) {
    std::vector<std::string> words = text::split(text::trim(whole), ' ');
    for (size_t i = 0; i + 1 < words.size(); i++) {
      if (words[i] != "." && words[i] != "source") continue;
      std::string file = words[i + 1];
      std::erase_if(file, [](char c) { return c == '"' || c == '\'' || c == ';'; });
      for (std::string_view start : {"~", "${HOME}", "$HOME"}) {
        if (file.starts_with(start)) file = home + file.substr(start.size());
      }
      if (file.starts_with('/')) files.push_back(path::normalize(file));
      break;
    }
  }
  return files;
}

std::string_view name_of(WayAround::Kind kind) {
  switch (kind) {
    case WayAround::Kind::unwalled:
      return "unwalled";
    case WayAround::Kind::copy:
      return "copy";
    case WayAround::Kind::shadowed:
      return "shadowed";
    case WayAround::Kind::alias:
      return "alias";
    case WayAround::Kind::path:
      return "path";
    case WayAround::Kind::npx:
      return "npx";
    case WayAround::Kind::bundled:
      return "bundled";
    case WayAround::Kind::settings:
      return "settings";
  }
  return "";
}

}  // namespace ringwall::install
