#include "mcp/wrap_config.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/path.h"
#include "base/readable_json.h"
#include "base/strict_json.h"
#include "base/text.h"

namespace ringwall::mcp {
namespace {

namespace json = boost::json;

constexpr size_t kMostBytes = 1 << 20;

// Names of servers are chosen freely; rules and notes need plain ones.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (char c : name.substr(0, 64)) {
    bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '-' || c == '_';
    plain += is_plain ? c : '_';
  }
  return plain;
}

bool is_wrapped(std::string_view command, const json::array& arguments) {
  return path::basename(command) == "ringwall" && !arguments.empty() && arguments[0].is_string() &&
         arguments[0].get_string() == "mcp";
}

Status wrap_entry(std::string_view name, json::object& entry, const std::string& program,
                  Wrapped& done) {
  std::string shown = text::quote(name);
  const json::value* command = entry.if_contains("command");
  if (command == nullptr) {
    const json::value* type = entry.if_contains("type");
    std::string kind =
        type != nullptr && type->is_string() ? std::string(type->get_string()) : "url";
    done.left.push_back(shown + ": it has no command (" + text::escape(kind) + ")");
    return {};
  }
  if (!command->is_string()) return fail("the command of " + shown + " is no text");
  json::array before;
  if (const json::value* arguments = entry.if_contains("args")) {
    if (!arguments->is_array()) return fail("the args of " + shown + " are no list");
    before = arguments->get_array();
  }
  if (is_wrapped(command->get_string(), before)) {
    done.before.push_back(shown);
    return {};
  }
  json::array arguments{"mcp", "--name", plain_name(name)};
  if (const json::value* variables = entry.if_contains("env")) {
    if (!variables->is_object()) return fail("the env of " + shown + " is no object");
    for (const auto& member : variables->get_object()) {
      arguments.emplace_back("--env");
      arguments.emplace_back(member.key());
    }
  }
  arguments.emplace_back("--");
  arguments.push_back(*command);
  for (const json::value& argument : before)
    arguments.push_back(argument);
  entry["command"] = program;
  entry["args"] = std::move(arguments);
  done.servers.push_back(shown);
  return {};
}

}  // namespace

Result<Wrapped> wrap_json(std::string_view text, const std::string& program) {
  TRY_ASSIGN(json::object root, strict_json::parse_object(text, {kMostBytes, 32}));
  Wrapped done;
  bool has_list = false;
  for (const char* key : {"mcpServers", "servers"}) {
    json::value* servers = root.if_contains(key);
    if (servers == nullptr) continue;
    if (!servers->is_object()) return fail(std::string(key) + " is no object");
    has_list = true;
    for (auto& member : servers->get_object()) {
      if (!member.value().is_object())
        return fail("the server " + text::quote(member.key()) + " is no object");
      TRY(wrap_entry(member.key(), member.value().get_object(), program, done));
    }
  }
  if (!has_list) return fail("has no \"mcpServers\"", "name a file such as .mcp.json");
  done.text += readable_json(root);
  done.text += "\n";
  return done;
}

namespace {

// Where a value of one line stands: from behind '=' to the line's end, without a comment's blanks.
struct TomlValue {
  size_t from = std::string::npos, to = std::string::npos;
  bool is_there() const { return from != std::string::npos; }
};

struct TomlServer {
  std::string name;
  TomlValue command, arguments;
  std::vector<std::string> variables;
  bool has_url = false;
};

// Texts in "…" or '…' without escapes, which are all that such lists have; empty if it is not so.
std::optional<json::array> read_texts(std::string_view value) {
  json::array texts;
  bool is_list = value.starts_with('[');
  if (is_list && !value.ends_with(']')) return std::nullopt;
  if (is_list) value = value.substr(1, value.size() - 2);
  while (!(value = text::trim(value)).empty()) {
    char quote = value[0];
    size_t end = value.find(quote, 1);
    if ((quote != '"' && quote != '\'') || end == value.npos) return std::nullopt;
    std::string_view text = value.substr(1, end - 1);
    if (quote == '"' && text.find('\\') != text.npos) return std::nullopt;
    texts.emplace_back(text);
    value = text::trim(value.substr(end + 1));
    if (value.empty()) break;
    if (!is_list || value[0] != ',') return std::nullopt;
    value.remove_prefix(1);
  }
  return texts;
}

// The header of a table "[mcp_servers.NAME]" or "[mcp_servers.NAME.env]".
std::pair<std::string, bool> server_of(std::string_view header) {
  constexpr std::string_view kBegin = "[mcp_servers.";
  if (!header.starts_with(kBegin) || !header.ends_with(']')) return {};
  std::string_view name = header.substr(kBegin.size(), header.size() - kBegin.size() - 1);
  bool is_env = name.ends_with(".env");
  if (is_env) name.remove_suffix(4);
  if (name.size() > 2 && name.front() == '"' && name.back() == '"')
    name = name.substr(1, name.size() - 2);
  return {std::string(name), is_env};
}

Result<std::vector<TomlServer>> find_servers(std::string_view text) {
  std::vector<TomlServer> servers;
  TomlServer* now = nullptr;
  bool in_env = false;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text::trim(text.substr(at, end - at));
    size_t line_at = at;
    at = end + 1;
    if (line.starts_with('[')) {
      auto [name, is_env] = server_of(line);
      in_env = is_env;
      auto known = std::ranges::find(servers, name, &TomlServer::name);
      if (name.empty())
        now = nullptr;
      else if (known != servers.end())
        now = &*known;
      else
        now = &servers.emplace_back(TomlServer{name, {}, {}, {}, false});
      continue;
    }
    size_t equals = line.find('=');
    if (now == nullptr || line.starts_with('#') || equals == line.npos) continue;
    std::string_view key = text::trim(line.substr(0, equals));
    std::string_view value = text::trim(line.substr(equals + 1));
    size_t from = line_at + static_cast<size_t>(value.data() - (text.data() + line_at));
    if (in_env)
      now->variables.emplace_back(key);
    else if (key == "command")
      now->command = {from, from + value.size()};
    else if (key == "args")
      now->arguments = {from, from + value.size()};
    else if (key == "url")
      now->has_url = true;
    else if (key == "env")
      return fail("the env of " + text::quote(now->name) + " stands on one line",
                  "write it as a table: [mcp_servers." + now->name + ".env]");
  }
  return servers;
}

}  // namespace

Result<Wrapped> wrap_toml(std::string_view text, const std::string& program) {
  if (text.size() > kMostBytes) return fail("is larger than 1 MB");
  TRY_ASSIGN(std::vector<TomlServer> servers, find_servers(text));
  if (servers.empty()) return fail("has no [mcp_servers.NAME]");
  Wrapped done;
  done.text = text;
  // From the last to the first, so that places stay right.
  for (auto server = servers.rbegin(); server != servers.rend(); ++server) {
    std::string shown = text::quote(server->name);
    if (!server->command.is_there()) {
      done.left.push_back(shown + ": it has no command");
      continue;
    }
    auto value_of = [&](const TomlValue& value) {
      return text.substr(value.from, value.to - value.from);
    };
    auto command = read_texts(value_of(server->command));
    auto arguments = server->arguments.is_there() ? read_texts(value_of(server->arguments))
                                                  : std::optional(json::array());
    if (!command || command->size() != 1 || !arguments)
      return fail("command and args of " + shown + " must be plain texts, each on one line");
    json::object entry{{"command", (*command)[0]}, {"args", *arguments}};
    json::object variables;
    for (const std::string& name : server->variables)
      variables[name] = "";
    if (!variables.empty()) entry["env"] = variables;
    size_t wrapped = done.servers.size();
    TRY(wrap_entry(server->name, entry, program, done));
    if (done.servers.size() == wrapped) continue;
    std::string list;
    list += readable_json(entry.at("args"));
    std::string quoted = json::serialize(entry.at("command"));
    const TomlValue& args = server->arguments;
    if (!args.is_there()) quoted += "\nargs = " + list;
    bool is_behind = args.is_there() && args.from > server->command.from;
    if (is_behind) done.text.replace(args.from, args.to - args.from, list);
    done.text.replace(server->command.from, server->command.to - server->command.from, quoted);
    if (args.is_there() && !is_behind) done.text.replace(args.from, args.to - args.from, list);
  }
  return done;
}

}  // namespace ringwall::mcp
