#include "policy/reference.h"

#include <map>

#include "policy/caches.h"
#include "policy/fields.h"
#include "policy/load.h"
#include "policy/numbers.h"
#include "policy/pattern.h"

namespace ringwall::policy {
namespace {

std::string type_of(const Field& field) {
  if (std::holds_alternative<SwitchOf>(field.member)) return "true or false";
  if (field.shape == Shape::tool_rule) return "list of texts or tables";
  if (std::holds_alternative<ListOf>(field.member)) return "list of texts";
  if (std::holds_alternative<NumberOf>(field.member))
    return std::string(description_of(field.shape));
  return "text";
}

std::string widens_of(const Field& field) {
  if (is_limit(field)) return "no: a limit";
  return field.widens ? "yes" : "";
}

std::string narrowing_of(const Field& field) {
  switch (field.narrowing) {
    case Narrowing::foreign:
      return "never say it";
    case Narrowing::never:
      return "";
    case Narrowing::adding:
      return "add";
    case Narrowing::on:
      return "turn on";
    case Narrowing::off:
      return "turn off";
    case Narrowing::lower:
      return "lower";
    case Narrowing::later:
      return "forbid more";
  }
  return "";
}

std::string schema_of(const Field& field) {
  std::string help;
  for (char c : field.help) {
    if (c == '"' || c == '\\') help += '\\';
    help += c;
  }
  std::string described = ", \"description\": \"" + help + "\"}";
  if (std::holds_alternative<SwitchOf>(field.member)) return "{\"type\": \"boolean\"" + described;
  if (std::holds_alternative<TextOf>(field.member)) return "{\"type\": \"string\"" + described;
  if (std::holds_alternative<NumberOf>(field.member))
    return "{\"type\": [\"string\", \"number\"]" + described;
  if (field.shape == Shape::tool_rule) {
    return "{\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": \"string\"}, {\"type\": "
           "\"object\", "
           "\"required\": [\"rule\"], \"additionalProperties\": false, \"properties\": {\"rule\": "
           "{\"type\": "
           "\"string\"}, \"reason\": {\"type\": \"string\"}, \"hint\": {\"type\": \"string\"}, "
           "\"tell\": "
           "{\"enum\": [\"reason\", \"refusal\", \"hint\"]}}}]}" +
           described;
  }
  return "{\"type\": \"array\", \"items\": {\"type\": \"string\"}" + described;
}

constexpr std::string_view kPatterns =
    "\n## Names of files\n\n"
    "`files.protect`, `files.unprotect`, `files.hide` and `files.show` are written like lines of a "
    "`.gitignore` at the workspace's top, and mean the same:\n\n"
    "| pattern | fits |\n| --- | --- |\n"
    "| `NAME` | a file, link or folder of that name at any depth; a folder with all that lies in "
    "it "
    "|\n"
    "| `NAME/` | a folder, or a link, which may lead to one |\n"
    "| `/NAME`, `A/B` | from the top of the workspace, or of a folder of `files.write`: a slash "
    "before the end |\n"
    "| `**/A/B`, `A/**/B`, `A/**` | any folders before or between; all that lies in `A` |\n"
    "| `*`, `?`, `[a-z]`, `[!a]`, `[[:digit:]]` | any characters, or one (a byte), of one name |\n"
    "| `\\x` | the character itself; a space at the end counts only so |\n\n"
    "Capital and small letters are the same. What git would take and let fit nothing, or what "
    "reads "
    "differently than it acts, is an error: `!x` (exceptions are `files.show` and "
    "`files.unprotect`), `#x`, `{a,b}`, `~/x`, `.` and `..`, `a**b`, brackets that do not close, a "
    "path of the host. `GIT/x` is a name in every git folder.";

}  // namespace

std::string reference_page() {
  std::string page =
      "# Policy\n\n"
      "Made by `make docs` from the table of fields; change `src/policy/fields.cc`, not this "
      "page.\n\n"
      "A policy is a TOML file. Several are merged, in this order:\n\n"
      "| layer | where | what it may do |\n| --- | --- | --- |\n"
      "| defaults | built in | |\n"
      "| organisation | `/etc/ringwall/policy.toml`, then `/etc/ringwall/policy.d/*.toml` by name "
      "| everything; `lock = [\"files.read\", …]` at the top fixes fields for every later layer |\n"
      "| profile | shipped with Ringwall, see [profiles.md](profiles.md) | everything that is not "
      "locked; what is, is left out of it |\n"
      "| person | `~/.config/ringwall/policy.toml` (`$XDG_CONFIG_HOME`), then `--policy FILE` "
      "| everything that is not locked |\n"
      "| workspace | `.ringwall.toml` at its top | only narrow, until you trust its exact content: "
      "`ringwall trust` |\n"
      "| command line | flags of `ringwall run` | everything that is not locked |\n\n"
      "A later single value replaces an earlier one, lists add up. Paths in a file are relative to "
      "its folder, on the command line to the current one; `~/` is the home. An unknown key is an "
      "error. A file that others can write (the workspace's own aside), that is a symbolic link, "
      "has more than 1 MB, or lies in a folder the agent may change, is refused. A limit bounds "
      "what is used up: raised, it gives access to nothing more. A lock on `files.protect` or "
      "`files.hide` holds for `files.unprotect` and `files.show` too.\n\n"
      "| key | flag | type | widens | `.ringwall.toml` may | meaning |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const Field& field : fields()) {
    page += "| `" + std::string(field.key) + "` | `" + std::string(field.flag) +
            (field.value.empty() ? "" : " " + std::string(field.value)) + "` | " + type_of(field) +
            " | " + widens_of(field) + " | " + narrowing_of(field) + " | " +
            std::string(field.help) + " |\n";
  }
  page += std::string(kPatterns) + " At most " + std::to_string(kMostEntries) +
          " entries in one list of a file, and " + std::to_string(kLongestPattern) +
          " bytes in one pattern.\n";
  page += "\n## Caches\n\n| name | folders of the real home |\n| --- | --- |\n";
  for (const Cache& cache : caches()) {
    page += "| `" + std::string(cache.name) + "` | `" + std::string(cache.folders) + "` |\n";
  }
  page +=
      "\n## What persists in a private home\n\nEverything else is gone when the run ends, but for "
      "`home.keep` and `home.login`.\n\n"
      "| folder | where this program is on PATH | reason |\n| --- | --- | --- |\n";
  for (const KeptState& state : kept_state()) {
    page += "| `~/" + std::string(state.folder) + "` | " + std::string(state.tool) + " | " +
            std::string(state.reason) + " |\n";
  }
  page +=
      "\n## Example\n\n```toml\n[files]\nread = [\"~/shared/datasets\"]\n\n[home]\ncaches = "
      "[\"npm\"]\n\n"
      "[environment]\nset = [\"CI=true\"]\n\n[limits]\nmemory = \"4G\"\ntime = \"30m\"\nprocesses "
      "= "
      "1000\n```\n";
  return page;
}

namespace {

std::string section_schema(std::string_view name, const std::string& properties) {
  return "    \"" + std::string(name) +
         "\": {\n      \"type\": \"object\",\n      \"additionalProperties\": false,\n"
         "      \"properties\": {\n" +
         properties + "\n      }\n    }";
}

// [tools.advisor] is a member of [tools].
void put_parts_into_their_sections(std::map<std::string, std::string>& sections) {
  for (auto at = sections.begin(); at != sections.end();) {
    size_t dot = at->first.find('.');
    if (dot == std::string::npos) {
      ++at;
      continue;
    }
    sections[at->first.substr(0, dot)] +=
        ",\n" + section_schema(at->first.substr(dot + 1), at->second);
    at = sections.erase(at);
  }
}

}  // namespace

std::string json_schema() {
  std::map<std::string, std::string> sections;
  std::string keys;
  for (const Field& field : fields()) {
    size_t dot = field.key.rfind('.');
    std::string& section = sections[std::string(field.key.substr(0, dot))];
    if (!section.empty()) section += ",\n";
    keys += (keys.empty() ? "\"" : ", \"") + std::string(field.key) + "\"";
    section += "        \"" + std::string(field.key.substr(dot + 1)) + "\": " + schema_of(field);
  }
  std::string schema =
      "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
      "  \"title\": \"Ringwall policy\",\n  \"type\": \"object\",\n"
      "  \"additionalProperties\": false,\n  \"properties\": {\n"
      "    \"lock\": {\"type\": \"array\", \"items\": {\"enum\": [" +
      keys +
      "]}, \"description\": \"fields that no later layer may change; only in the organisation's "
      "policy\"},\n";
  put_parts_into_their_sections(sections);
  size_t left = sections.size();
  for (const auto& [name, properties] : sections)
    schema += section_schema(name, properties) + (--left ? ",\n" : "\n");
  return schema + "  }\n}\n";
}

}  // namespace ringwall::policy
