#include "policy/reference.h"

#include <map>

#include "policy/caches.h"
#include "policy/fields.h"
#include "policy/numbers.h"

namespace ringwall::policy {
namespace {

std::string type_of(const Field& field) {
  if (std::holds_alternative<SwitchOf>(field.member)) return "true or false";
  if (std::holds_alternative<ListOf>(field.member)) return "list of texts";
  if (std::holds_alternative<NumberOf>(field.member))
    return std::string(description_of(field.shape));
  return "text";
}

std::string widens_of(const Field& field) {
  if (is_limit(field)) return "no: a limit";
  return field.widens ? "yes" : "";
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
  return "{\"type\": \"array\", \"items\": {\"type\": \"string\"}" + described;
}

}  // namespace

std::string reference_page() {
  std::string page =
      "# Policy\n\n"
      "Made by `make docs` from the table of fields; change `src/policy/fields.cc`, not this "
      "page.\n\n"
      "A policy is a TOML file given with `--policy FILE`; flags of `ringwall run` come on top of "
      "it. Single "
      "values replace, lists grow. Paths in a file are relative to its folder, on the command line "
      "to the "
      "current one; `~/` is the home. An unknown key is an error. A file that others can write, or "
      "that lies "
      "in a folder the agent may change, is refused. A limit bounds what is used up: raised, it "
      "gives "
      "access to nothing more.\n\n"
      "| key | flag | type | widens | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const Field& field : fields()) {
    page += "| `" + std::string(field.key) + "` | `" + std::string(field.flag) +
            (field.value.empty() ? "" : " " + std::string(field.value)) + "` | " + type_of(field) +
            " | " + widens_of(field) + " | " + std::string(field.help) + " |\n";
  }
  page += "\n## Caches\n\n| name | folders of the real home |\n| --- | --- |\n";
  for (const Cache& cache : caches()) {
    page += "| `" + std::string(cache.name) + "` | `" + std::string(cache.folders) + "` |\n";
  }
  page +=
      "\n## What persists in a private home\n\nEverything else is gone when the run ends.\n\n"
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

std::string json_schema() {
  std::map<std::string, std::string> sections;
  for (const Field& field : fields()) {
    size_t dot = field.key.find('.');
    std::string& section = sections[std::string(field.key.substr(0, dot))];
    if (!section.empty()) section += ",\n";
    section += "        \"" + std::string(field.key.substr(dot + 1)) + "\": " + schema_of(field);
  }
  std::string schema =
      "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
      "  \"title\": \"Ringwall policy\",\n  \"type\": \"object\",\n"
      "  \"additionalProperties\": false,\n  \"properties\": {\n";
  size_t left = sections.size();
  for (const auto& [name, properties] : sections) {
    schema += "    \"" + name +
              "\": {\n      \"type\": \"object\",\n      \"additionalProperties\": false,\n"
              "      \"properties\": {\n" +
              properties + "\n      }\n    }" + (--left ? ",\n" : "\n");
  }
  return schema + "  }\n}\n";
}

}  // namespace ringwall::policy
