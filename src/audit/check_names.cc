#include "audit/checks.h"
#include "base/path.h"
#include "base/text.h"
#include "files/name_pattern.h"
#include "instructions/code_points.h"

namespace ringwall::audit {
namespace {

using instructions::CodePoint;

// Blanks that are none of the keyboard's, and fillers that show as nothing.
bool is_odd_blank(uint32_t code) {
  return code == 0xa0 || code == 0xad || (code >= 0x2000 && code <= 0x200a) ||
         (code >= 0x2028 && code <= 0x2029) || code == 0x202f || code == 0x205f || code == 0x3000 ||
         code == 0x115f || code == 0x1160 || code == 0x3164 || code == 0xffa0;
}

// Joiners belong into emoji and into some scripts: between two of ASCII they only hide.
bool joins_ascii(std::string_view name, size_t at, size_t size) {
  bool before = at == 0 || static_cast<unsigned char>(name[at - 1]) < 0x80;
  bool after = at + size >= name.size() || static_cast<unsigned char>(name[at + size]) < 0x80;
  return before && after;
}

bool is_misread(std::string_view name) {
  for (size_t at = 0; at < name.size();) {
    CodePoint point = instructions::code_point_at(name, at);
    uint32_t code = point.code;
    auto byte = static_cast<unsigned char>(name[at]);
    bool is_broken_control = code == instructions::kBroken && byte >= 0x80 && byte < 0xa0;
    bool is_line_end = code == '\t' || code == '\n' || code == '\r';
    if (is_line_end || is_broken_control || instructions::is_control(code) ||
        instructions::turns_text(code) || instructions::is_mark_of_direction(code) ||
        instructions::is_zero_width(code) || instructions::is_tag(code) || is_odd_blank(code) ||
        (instructions::is_joiner(code) && joins_ascii(name, at, point.size)))
      return true;
    at += point.size;
  }
  return name.ends_with(' ');
}

// As a reader takes it: small letters, look-alikes folded, nothing that cannot be seen.
std::string as_read(std::string_view name) {
  std::string out;
  for (size_t at = 0; at < name.size();) {
    CodePoint point = instructions::code_point_at(name, at);
    char folded = instructions::look_alike(point.code);
    bool hidden = instructions::is_zero_width(point.code) || instructions::is_joiner(point.code) ||
                  instructions::is_tag(point.code) ||
                  instructions::is_mark_of_direction(point.code);
    if (folded != 0) {
      out += folded;
    } else if (!hidden) {
      out += name.substr(at, point.size);
    }
    at += point.size;
  }
  return text::in_small_letters(out);
}

bool holds_disguise(std::string_view name) {
  for (size_t at = 0; at < name.size();) {
    CodePoint point = instructions::code_point_at(name, at);
    if (point.code >= 0x80 &&
        (instructions::is_disguise(point.code) || instructions::is_zero_width(point.code)))
      return true;
    at += point.size;
  }
  return false;
}

constexpr std::string_view kObeyed[] = {
    "claude.md",         "agents.md",     "gemini.md",
    ".mcp.json",         ".cursorrules",  "readme.md",
    "package.json",      "settings.json", ".gitmodules",
    ".gitattributes",    ".env",          ".envrc",
    "skill.md",          ".claude",       ".cursor",
    ".vscode",           "makefile",      "dockerfile",
    "tasks.json",        ".github",       "copilot-instructions.md",
    "package-lock.json", ".npmrc",
};

bool is_like_an_obeyed_one(std::string_view name) {
  if (!holds_disguise(name)) return false;
  std::string read = as_read(name);
  for (std::string_view obeyed : kObeyed) {
    if (read == obeyed) return true;
  }
  return false;
}

// Nearly every name: nothing below has a word to say about it.
bool is_plain(std::string_view name) {
  if (name.starts_with('-')) return false;
  for (char c : name) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                 c == '_' || c == '-';
    if (plain) continue;
    if (c != '.' || name.size() == 4 || name.starts_with(".g") || name.starts_with(".G"))
      return false;
  }
  return true;
}

// Other names of .git, on filesystems that fold case, drop ends or keep short names.
bool is_taken_for_git(std::string_view name) {
  if (name == ".git") return false;
  std::string read = as_read(name);
  size_t end = read.find_last_not_of(" .");
  read.resize(end == std::string::npos ? 0 : end + 1);
  return read == ".git" || read == "git~1" || read.starts_with(".git::$");
}

bool is_a_command(std::string_view name) {
  for (std::string_view sign : {"$(", "`", "${", "&&", "||", "|sh", "|bash", "| sh", "| bash"}) {
    if (name.contains(sign)) return true;
  }
  // An option, where a script says *: one with a value, of two dashes, or of letters alone.
  if (!name.starts_with('-') || name.size() < 3) return false;
  bool is_short = name.size() <= 4 && !name.contains('.');
  return name.starts_with("--") || name.find_first_of("= ") != std::string_view::npos || is_short;
}

}  // namespace

void check_name(const std::string& path, bool is_in_packages, Reporter& reporter) {
  std::string_view name = files::last_name(path);
  if (is_plain(name)) return;
  if (is_taken_for_git(name)) reporter.add("RW251", path, 0, name);
  if (is_in_packages) return;  // packages bring tests of odd names along
  if (is_like_an_obeyed_one(name)) {
    reporter.add("RW283", path, 0, name, "it reads as " + as_read(name) + ": rename or remove it");
  } else if (is_misread(name)) {
    reporter.add("RW281", path, 0, name);
  }
  if (is_a_command(name)) reporter.add("RW282", path, 0, name);
}

}  // namespace ringwall::audit
