#include "audit/checks.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

bool is_here(const std::string& host) {
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

void check_server(const std::string& path, const std::string& name, const Setting& server,
                  Reporter& reporter) {
  if (!server.is_object()) return;
  const Setting* command = server.find("command");
  if (command == nullptr) command = server.find("cmd");
  if (command != nullptr) {
    std::string words = words_of(*command);
    if (const Setting* arguments = server.find("args")) words += " " + words_of(*arguments);
    reporter.add("RW207", path, command->line, name + ": " + words);
    check_command(path, command->line, words, reporter);
  }
  for (const char* key : {"url", "httpUrl", "serverUrl"}) {
    const Setting* url = server.find(key);
    if (url != nullptr && url->is_text() && !is_here(host_of(url->text)))
      reporter.add("RW208", path, url->line, name + ": " + url->text);
  }
}

// In a list: the server itself, or the only member of an object by its name.
void check_listed(const std::string& path, const Setting& server, Reporter& reporter) {
  const Setting* name = server.find("name");
  bool is_one = server.find("command") != nullptr || server.find("url") != nullptr;
  if (is_one) return check_server(path, name == nullptr ? "" : name->text, server, reporter);
  for (const auto& [inner, one] : server.members)
    check_server(path, inner, one, reporter);
}

}  // namespace

void check_mcp_servers(const std::string& path, const Setting& settings, Reporter& reporter) {
  for (const char* key : {"mcpServers", "mcp_servers", "mcp-servers", "servers", "mcp",
                          "context_servers", "amp.mcpServers", "mcp.servers"}) {
    settings.each(key, [&](const Setting& servers) {
      for (const auto& [name, server] : servers.members) {
        if (servers.is_list()) {
          check_listed(path, server, reporter);
        } else if (name == "servers") {  // "mcp": {"servers": {…}} of editors
          for (const auto& [inner, one] : server.members)
            check_server(path, inner, one, reporter);
        } else {
          check_server(path, name, server, reporter);
        }
      }
    });
  }
}

void check_agent_plugin(const RepositoryFile& file, Reporter& reporter) {
  reporter.add("RW214", file.path, 1, file.content.substr(0, 120));
  check_command(file.path, 1, file.content, reporter);
}

}  // namespace ringwall::audit
