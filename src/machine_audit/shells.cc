// Start files of shells, files of variables, and direnv, line by line. A shell script is not
// understood here: what a line plainly says is told, and nothing is changed.
#include <algorithm>

#include "base/secret_shape.h"
#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

constexpr std::string_view kFlags[] = {
    "--dangerously-skip-permissions",
    "--dangerously-bypass-approvals-and-sandbox",
    "--dangerously-bypass-hook-trust",
    "--yolo",
    "--allow-all",  // also -tools, -paths, -urls
    "--trust-all-tools",
    "--approval-mode=yolo",
    "--approval-mode yolo",
    "--permission-mode bypassPermissions",
    "--permission-mode=bypassPermissions",
    "--sandbox danger-full-access",
    "--sandbox=danger-full-access",
    "-s danger-full-access",
    "--sandbox disabled",
    "--ask-for-approval never",
    "--ask-for-approval=never",
    "gemini -y",
    "cursor-agent --force",
    "cursor-agent -f",
};
constexpr std::string_view kHomes[] = {
    "CODEX_HOME",      "CLAUDE_CONFIG_DIR",   "GEMINI_CLI_HOME",  "COPILOT_HOME",
    "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "GIT_CONFIG_GLOBAL"};

struct OffSwitch {
  std::string_view name, value;  // an empty value: any
};
constexpr OffSwitch kOff[] = {
    {"NODE_TLS_REJECT_UNAUTHORIZED", "0"},
    {"PYTHONHTTPSVERIFY", "0"},
    {"GIT_SSL_NO_VERIFY", ""},
    {"GEMINI_SANDBOX", "false"},
    {"GEMINI_SANDBOX", "0"},
    {"COPILOT_ALLOW_ALL", ""},
    {"IS_SANDBOX", "1"},
    {"GOSUMDB", "off"},
    {"GOINSECURE", ""},
    {"NPM_CONFIG_STRICT_SSL", "false"},
    {"npm_config_strict_ssl", "false"},
    {"PIP_TRUSTED_HOST", ""},
    {"CURL_INSECURE", ""},
};

constexpr size_t kLongestLine = 1 << 16;

struct Assignment {
  std::string name, value;
};

std::string_view without_quotes(std::string_view value) {
  bool quoted = value.size() >= 2 && (value[0] == '"' || value[0] == '\'') &&
                value.find(value[0], 1) != value.npos;
  return quoted ? value.substr(1, value.find(value[0], 1) - 1) : value;
}

bool is_name(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(),
                                      [](unsigned char c) { return isalnum(c) != 0 || c == '_'; });
}

// "export A=b", "A=b", "declare -x A=b", "set -gx A b".
std::optional<Assignment> assignment_in(std::string_view line) {
  for (std::string_view before : {"export ", "declare -x ", "typeset -x ", "setenv "}) {
    if (line.starts_with(before)) line = text::trim(line.substr(before.size()));
  }
  if (line.starts_with("set -")) {
    size_t name = line.find(' ', 4);
    if (name == line.npos || line.substr(4, name - 4).find('x') == line.npos) return std::nullopt;
    std::string_view rest = text::trim(line.substr(name));
    size_t blank = rest.find(' ');
    if (blank == rest.npos || !is_name(rest.substr(0, blank))) return std::nullopt;
    return Assignment{std::string(rest.substr(0, blank)),
                      std::string(without_quotes(text::trim(rest.substr(blank))))};
  }
  size_t equals = line.find('=');
  if (equals == line.npos || !is_name(line.substr(0, equals))) return std::nullopt;
  std::string_view value = text::trim(line.substr(equals + 1));
  bool quoted = value.starts_with('"') || value.starts_with('\'');
  if (!quoted) value = value.substr(0, value.find_first_of(" \t;"));
  return Assignment{std::string(line.substr(0, equals)), std::string(without_quotes(value))};
}

bool is_made_at_run_time(std::string_view value) {
  // A bracket: of fish.
  return value.starts_with('$') || value.starts_with('`') || value.starts_with('(') ||
         value.find("$(") != value.npos;
}

// Parts between colons, of which "${PATH:+…}" is one.
std::vector<std::string> entries_of_path(std::string_view value) {
  std::vector<std::string> entries(1);
  size_t depth = 0;
  for (char c : value) {
    if (c == '{') depth++;
    if (c == '}' && depth > 0) depth--;
    if (c == ':' && depth == 0) {
      entries.emplace_back();
    } else {
      entries.back() += c;
    }
  }
  return entries;
}

bool is_open_entry(std::string_view entry) {
  if (entry.starts_with("${")) return false;  // it may bring its own colon
  return entry.empty() || entry == "." || entry.starts_with("./") || entry.starts_with("..") ||
         entry.starts_with("node_modules") || lies_in_the_open(entry) || entry == "/tmp";
}

bool follows_brace(const std::vector<std::string>& entries, size_t i) {
  return i > 0 && entries[i - 1].starts_with("${") && i + 1 < entries.size();
}

void look_at_path(const MachineFile& document, size_t line, const Assignment& set,
                  MachineDesk& desk) {
  if (set.name != "PATH" || set.value.find("$(") != set.value.npos) return;
  std::vector<std::string> entries = entries_of_path(set.value);
  for (size_t i = 0; i < entries.size(); i++) {
    if (is_open_entry(entries[i]) && !follows_brace(entries, i))
      return desk.add("RW182", document, line, "PATH=" + set.value);
  }
}

void look_at_variable(const MachineFile& document, size_t line, const Assignment& set,
                      MachineDesk& desk) {
  bool is_off = std::any_of(std::begin(kOff), std::end(kOff), [&](const OffSwitch& off) {
    bool fits = off.value.empty() ? set.value != "0" && set.value != "false" && !set.value.empty()
                                  : set.value == off.value;
    return set.name == off.name && fits;
  });
  bool leads_away = (set.name.ends_with("_BASE_URL") && is_plain_address(set.value)) ||
                    (set.name == "DOCKER_HOST" && set.value.starts_with("tcp://") &&
                     set.value.find("127.0.0.1") == set.value.npos);
  if (is_off || leads_away) desk.add("RW180", document, line, set.name + "=" + set.value);
  bool is_library = (set.name == "LD_PRELOAD" || set.name == "LD_AUDIT") && !set.value.empty() &&
                    !set.value.starts_with("/usr/") && !set.value.starts_with("/lib") &&
                    !is_made_at_run_time(set.value);
  bool is_module = set.name == "NODE_OPTIONS" &&
                   (set.value.find("--require") != set.value.npos ||
                    set.value.find("--import") != set.value.npos || set.value.starts_with("-r "));
  bool is_script =
      (set.name == "BASH_ENV" || set.name == "PYTHONSTARTUP") && lies_in_the_open(set.value);
  if (is_library || is_module || is_script)
    desk.add("RW183", document, line, set.name + "=" + set.value);
  look_at_path(document, line, set, desk);
  bool is_secret = (secret::is_named(set.name) && secret::is_real(set.value) &&
                    set.value.size() >= 8 && set.value[0] != '/' && set.value[0] != '~') ||
                   secret::find_token(set.value).has_value();
  if (is_secret && !is_made_at_run_time(set.value) && document.topic == Topic::shell)
    desk.add("RW179", document, line, set.name + " holds a secret");
}

bool ends_session(std::string_view line) {
  if (line.starts_with("sudo ")) line = text::trim(line.substr(5));
  if (line.starts_with("-n ")) line = text::trim(line.substr(3));
  for (std::string_view word : {"shutdown ", "poweroff", "halt", "reboot", "rm -rf ~", "rm -rf /",
                                "rm -rf $HOME", "rm -rf \"$HOME"}) {
    if (line.starts_with(word)) return true;
  }
  return false;
}

// Lines as a shell takes them: one that ends in a backslash goes on in the next. Calls `use` with
// the number of the first.
template <class Use>
void each_line(std::string_view text, const Use& use) {
  size_t number = 0, first = 1;
  std::string whole;
  for (std::string_view raw : text::split_in_place(text, '\n')) {
    number++;
    if (whole.empty()) first = number;
    bool is_comment = whole.empty() && text::trim(raw).starts_with('#');
    size_t backslashes = raw.size() - std::min(raw.find_last_not_of('\\') + 1, raw.size());
    bool goes_on = backslashes % 2 == 1 && !is_comment && whole.size() < kLongestLine;
    whole += goes_on ? raw.substr(0, raw.size() - 1) : raw;
    if (goes_on) continue;
    use(first, text::trim(whole));
    whole.clear();
  }
  if (!whole.empty()) use(first, text::trim(whole));
}

void look_at_line(const MachineFile& document, size_t number, std::string_view line,
                  FetchedFiles& fetched, MachineDesk& desk) {
  bool takes_guard = std::any_of(std::begin(kFlags), std::end(kFlags), [&](std::string_view flag) {
    return line.find(flag) != line.npos;
  });
  if (takes_guard) desk.add("RW178", document, number, line);
  if (fetched.runs_one(line) || runs_a_download(line)) desk.add("RW181", document, number, line);
  if (ends_session(line)) desk.add("RW184", document, number, line);
  if (auto set = assignment_in(line)) look_at_variable(document, number, *set, desk);
}

void look_at_script(const MachineFile& document, MachineDesk& desk) {
  FetchedFiles fetched;
  each_line(document.text, [&](size_t number, std::string_view line) {
    if (!line.empty() && line[0] != '#') look_at_line(document, number, line, fetched, desk);
  });
}

void look_at_variables(const MachineFile& document, MachineDesk& desk) {
  for (const auto& [name, value] : document.root.members) {
    Assignment set{name, value.text};
    bool moves = std::find(std::begin(kHomes), std::end(kHomes), name) != std::end(kHomes);
    if (document.scope == FileScope::project && moves) {
      desk.add("RW127", document, value.line, name + "=" + value.text);
    } else if (document.scope == FileScope::project && name.ends_with("_BASE_URL") &&
               (name.starts_with("ANTHROPIC") || name.starts_with("OPENAI") ||
                name.starts_with("GOOGLE_GEMINI"))) {
      desk.add("RW116", document, value.line, name + "=" + value.text, "take the line out of .env");
    } else {
      look_at_variable(document, value.line, set, desk);
    }
  }
}

void look_at_direnv(const Scene& scene, const MachineFile& document, MachineDesk& desk) {
  for (std::string_view way : {"whitelist.prefix", "whitelist.exact"}) {
    const Setting* list = document.root.find_way(way);
    if (list == nullptr) continue;
    for (const auto& [name, folder] : list->members) {
      if (folder.is_text() && scene.is_wide(folder.text))
        desk.add("RW185", document, folder.line, std::string(way) + ": " + folder.text);
    }
  }
}

}  // namespace

void look_at_shells(const Scene& scene, MachineDesk& desk) {
  for (const MachineFile& document : scene.documents) {
    // A shell obeys what stands around a byte that is no UTF-8; of what could not be opened there
    // is no text.
    if (document.topic == Topic::shell) look_at_script(document, desk);
    if (document.topic == Topic::variables) look_at_variables(document, desk);
    if (!document.mistake.empty()) continue;
    if (document.topic == Topic::direnv) look_at_direnv(scene, document, desk);
  }
}

}  // namespace ringwall::machine_audit
