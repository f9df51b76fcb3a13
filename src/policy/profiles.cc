#include "policy/profiles.h"

#include "base/text.h"

namespace ringwall::policy {
namespace {

constexpr Profile kProfiles[] = {
#include "profiles.inc"
};

// The value of the comment "# KEY: VALUE" among the first lines.
std::string_view comment_of(std::string_view text, std::string_view key) {
  while (text.starts_with("# ")) {
    std::string_view line = text.substr(2, text.find('\n') - 2);
    if (line.starts_with(key) && line.substr(key.size()).starts_with(": "))
      return line.substr(key.size() + 2);
    text.remove_prefix(std::min(text.size(), line.size() + 3));
  }
  return {};
}

std::string list_of(const Profile& profile, std::string_view key) {
  std::string out;
  for (const std::string& word : profile.words(key))
    out += (out.empty() ? "`" : ", `") + word + "`";
  return out;
}

std::string section_of(Profile::Kind kind, std::string_view chosen_by) {
  std::string rows;
  for (const Profile& profile : profiles()) {
    if (profile.kind() != kind) continue;
    rows += "| `" + std::string(profile.name) + "` | " + std::string(profile.description()) +
            " | " + list_of(profile, chosen_by) + " |\n";
  }
  return rows;
}

}  // namespace

Profile::Kind Profile::kind() const {
  return text.starts_with("# toolchain: ") ? Kind::toolchain : Kind::agent;
}

std::string_view name_of(Profile::Kind kind) {
  return kind == Profile::Kind::agent ? "agent" : "toolchain";
}

std::string_view Profile::description() const { return comment_of(text, name_of(kind())); }

std::vector<std::string> Profile::words(std::string_view key) const {
  std::string_view line = comment_of(text, key);
  if (line.empty()) return {};
  return text::split(line, ' ');
}

std::span<const Profile> profiles() { return kProfiles; }

const Profile* profile_by_name(std::string_view name) {
  for (const Profile& profile : kProfiles) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

LoadedText load_profile(const Profile& profile, const std::string& home) {
  return load_text(profile.text, Layer::profile, std::string(profile.name), home);
}

std::string profiles_page() {
  std::string page =
      "# Profiles\n\nMade by `make docs` from `profiles/*.toml`, which are built into the program. "
      "`ringwall profiles NAME` prints one; `ringwall policy show -- COMMAND` shows what holds "
      "with "
      "it, and which line said so.\n\n"
      "## Agents\n\nChosen by the program that really runs, if neither it nor a link to it lies in "
      "a "
      "folder that an agent can change now or could in an earlier run. `--no-profile` chooses "
      "none, "
      "`--profile NAME` adds one.\n\n"
      "An agent has one login store for all workspaces, below `~/.local/state/ringwall/logins`. "
      "What in it are settings (`home.copy`), or code that a run fetched (`home.forget`), each "
      "run has for itself: a copy of the real home's, or nothing. So settings and plugins of one "
      "run act in no other, not in one at the same time either. Members of a JSON file "
      "(`FILE#NAME`) all runs share; they are removed at each start. Folders with transcripts are "
      "each workspace's own (`home.keep`). Logins "
      "of the host are copied by `--copy-login` alone; where refresh tokens "
      "rotate, one of the two ends when the other is renewed.\n\n"
      "claude, codex, opencode, gemini and copilot get managed settings below `/etc`, read-only, "
      "unless the host has its own. gemini and copilot obey such files only if they, and the "
      "folders above them, belong to uid 0. Nobody inside is uid 0; for these two profiles alone "
      "an id that owns nothing else shows as 0: for root one more of Ringwall's own, for others "
      "the first of their subordinate ids (`/etc/subuid`, mapped by `newuidmap` of the package "
      "uidmap). Where there is none they run without these files: `ringwall doctor` says so, and "
      "which command mends it, and `ringwall run --explain` too. What the host itself has in "
      "`/etc/gemini-cli` or `/etc/github-copilot` is shown, but is nobody's inside, and not "
      "obeyed.\n\n"
      "| profile | | chosen for |\n| --- | --- | --- |\n";
  page += section_of(Profile::Kind::agent, "programs");
  page +=
      "\n## Toolchains\n\nChosen by a file at the top of the workspace. A repository holds what it "
      "likes, so such a profile only sets variables that switch off what a tool would do by itself "
      "(`--set NAME=VALUE` lifts one); network and caches wait until the person has agreed for "
      "this workspace, in one question, or by `ringwall trust --workspace DIR`. `ringwall trust "
      "--list` shows the answers, `--revoke DIR` takes them back. Another folder at the same path, "
      "or a profile that brings something else, is asked about anew.\n\n"
      "| profile | | chosen by |\n| --- | --- | --- |\n";
  page += section_of(Profile::Kind::toolchain, "workspace");
  return page;
}

}  // namespace ringwall::policy
