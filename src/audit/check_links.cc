#include "audit/checks.h"
#include "base/path.h"
#include "base/text.h"
#include "files/name_pattern.h"
#include "files/protected.h"

namespace ringwall::audit {
namespace {

// Where keys and settings lie, of this machine or of any home.
constexpr std::string_view kSensitive[] = {
    ".ssh",    ".aws",      ".gnupg",          ".kube",    ".docker",    ".config",
    ".netrc",  ".npmrc",    ".pypirc",         ".claude",  ".codex",     ".gemini",
    ".cursor", ".bashrc",   ".zshrc",          ".profile", ".git",       ".gitconfig",
    ".local",  ".mcp.json", "authorized_keys", "id_rsa",   "id_ed25519",
};
constexpr std::string_view kSystem[] = {"/etc",  "/proc", "/sys",    "/dev",
                                        "/root", "/run",  "/var/run"};

bool is_sensitive(std::string_view target) {
  for (std::string_view part : text::split_in_place(target, '/')) {
    for (std::string_view name : kSensitive) {
      if (part == name) return true;
    }
  }
  for (std::string_view place : kSystem) {
    if (path::is_beneath(target, place)) return true;
  }
  return target == "/" || target == "/home" || target.starts_with("~");
}

// Relative to the top; nothing if it leads out of it.
bool stays_inside(std::string_view path, std::string_view target, std::string& end) {
  if (target.starts_with('/')) return false;
  std::vector<std::string_view> parts = text::split_in_place(path, '/');
  parts.pop_back();
  for (std::string_view part : text::split_in_place(target, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (parts.empty()) {
      return false;
    } else {
      parts.pop_back();
    }
  }
  for (std::string_view part : parts)
    end += (end.empty() ? "" : "/") + std::string(part);
  return true;
}

// A place where settings of agents and editors are looked for.
bool is_obeyed(std::string_view path) {
  for (std::string_view part : text::split_in_place(path, '/')) {
    for (std::string_view name : {".claude", ".cursor", ".vscode", ".mcp.json", ".codex", ".gemini",
                                  ".github", ".husky", ".git", ".idea", ".envrc"}) {
      if (part == name) return true;
    }
  }
  return false;
}

}  // namespace

void check_link(const std::string& path, std::string_view target, bool leads_out,
                Reporter& reporter) {
  std::string shown = "leads to " + std::string(target);
  std::string end;
  if (stays_inside(path, target, end) && !leads_out) {
    // What is called a plain folder and is the git folder: writes by that name reach it.
    bool is_git = end == ".git" || end.starts_with(".git/") || end.contains("/.git/");
    if (is_git) reporter.add("RW247", path, 0, shown);
    return;
  }
  reporter.add(is_sensitive(target) || is_obeyed(path) ? "RW247" : "RW248", path, 0, shown);
}

}  // namespace ringwall::audit
