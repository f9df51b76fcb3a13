#include "policy/tool_rules.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "base/path.h"
#include "base/text.h"

namespace ringwall::policy {
namespace {

constexpr size_t kLongestRule = 4096;

constexpr std::array<std::string_view, 9> kPacks = {
    "destructive-files", "git-history", "credentials",   "infrastructure",   "privilege",
    "pipe-to-shell",     "publishing",  "nested-agents", "self-modification"};

constexpr std::array<std::string_view, 3> kTells = {"reason", "refusal", "hint"};

// Their paths stand in Read(…) and Edit(…): Claude Code ignores them elsewhere, and so would a
// person's wish be.
constexpr std::array<std::string_view, 5> kPathlessTools = {"Write", "NotebookEdit", "MultiEdit",
                                                            "Glob", "Grep"};

template <class List>
bool is_among(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool is_tool_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':' || c == '*';
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

// "mcp__server__" before the first star.
bool names_server(std::string_view tool) {
  if (!tool.starts_with("mcp__")) return false;
  size_t star = tool.find('*');
  size_t end = tool.find("__", 5);
  return end != tool.npos && end > 5 && end + 2 <= star;
}

Status check_tool_name(const ToolRule& rule, bool allows) {
  if (rule.tool.empty() || !std::all_of(rule.tool.begin(), rule.tool.end(), is_tool_letter))
    return fail("must begin with a tool's name",
                "Bash(git push *), Read(~/.ssh/**), WebFetch(domain:example.com), mcp__server__*");
  bool is_glob = rule.tool.find('*') != std::string::npos;
  if (is_glob && allows && !names_server(rule.tool))
    return fail("allows tools that nobody has named", "name the tool, or a server: mcp__server__*");
  if (is_glob && !rule.content.empty()) return fail("has a '*' in the tool's name and brackets");
  return {};
}

bool is_path_tool(std::string_view tool) { return tool == "Read" || tool == "Edit"; }

// A host's name, an address or a pattern of names, as gate/url_host.h gives them.
bool is_domain(std::string_view domain) {
  bool is_address = domain.starts_with('[') && domain.ends_with(']');
  return !domain.empty() && std::ranges::all_of(domain, [is_address](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '*' || (is_address && (c == '[' || c == ']' || c == ':'));
  });
}

// What could never fit a call.
Status check_for_nothing(const ToolRule& rule) {
  constexpr std::string_view kDomain = "domain:";
  if (text::trim(rule.content) != rule.content)
    return fail("has a blank behind the '(' or before the ')'");
  if (rule.tool == "WebFetch" && !is_domain(rule.content.substr(kDomain.size())))
    return fail("names a domain that is no plain name of a host",
                "WebFetch(domain:example.com), without scheme, port and path");
  bool takes_names = rule.tool == "Bash" || is_path_tool(rule.tool) || rule.tool == "Agent" ||
                     rule.tool == "Task" || rule.tool == "Skill";
  if (!takes_names && rule.content.find(':') == std::string::npos)
    return fail("names nothing that " + rule.tool + " has", "TOOL or TOOL(PARAMETER:VALUE)");
  return {};
}

// Tool(param:value). A colon in a command or a path is just that.
Status check_content(const ToolRule& rule, bool allows) {
  if (rule.content.empty()) return {};
  if (is_among(kPathlessTools, rule.tool))
    return fail("names a path for " + rule.tool + ", which no agent looks at",
                "Read(PATH) holds for everything that reads, Edit(PATH) for all that writes");
  if (rule.tool == "WebFetch" && !rule.content.starts_with("domain:"))
    return fail("must name a domain", "WebFetch(domain:example.com)");
  if (rule.tool.starts_with("mcp__") && rule.content.find(':') == std::string::npos)
    return fail("must be PARAMETER:VALUE in the brackets", "mcp__server__tool(path:/etc/*)");
  if (is_path_tool(rule.tool) && rule.content.starts_with('!'))
    return fail("begins with '!', which means nothing here", "exceptions are rules of their own");
  TRY(check_for_nothing(rule));
  bool by_parameter = rule.tool != "Bash" && rule.tool != "WebFetch" && !is_path_tool(rule.tool) &&
                      rule.tool != "Agent" && rule.tool != "Task" && rule.tool != "Skill" &&
                      rule.content.find(':') != std::string::npos;
  if (allows && by_parameter)
    return fail("allows by a parameter, and says nothing of the others",
                "tools.deny and tools.ask take such rules");
  return {};
}

Result<ToolRule> parse_written(std::string_view text, bool allows) {
  ToolRule rule;
  size_t open = text.find('(');
  if (open == text.npos) {
    rule.tool = text;
  } else {
    if (!text.ends_with(')')) return fail("has no ')' at its end");
    rule.tool = text.substr(0, open);
    rule.content = text.substr(open + 1, text.size() - open - 2);
    if (text::trim(rule.content).empty()) return fail("has empty brackets");
    if (rule.content == "*" || rule.content == "**") rule.content.clear();
  }
  TRY(check_tool_name(rule, allows));
  TRY(check_content(rule, allows));
  return rule;
}

Result<ToolRule> parse_object(std::string_view text, bool allows) {
  boost::system::error_code failed;
  boost::json::value parsed = boost::json::parse(text, failed);
  if (failed || !parsed.is_object()) return fail("begins with '{' and is no JSON object");
  std::string rule;
  std::string reason;
  std::string hint;
  std::string tell;
  const std::pair<std::string_view, std::string*> known[] = {
      {"rule", &rule}, {"reason", &reason}, {"hint", &hint}, {"tell", &tell}};
  for (const auto& member : parsed.get_object()) {
    auto found = std::find_if(std::begin(known), std::end(known),
                              [&](const auto& k) { return k.first == member.key(); });
    if (found == std::end(known) || !member.value().is_string())
      return fail("has a member " + text::quote(member.key()),
                  "known are rule, reason, hint and tell, all texts");
    *found->second = member.value().get_string();
    if (has_control(*found->second)) return fail("holds a control character");
  }
  if (rule.empty()) return fail("has no rule", "{rule = \"Bash(git push *)\", reason = \"…\"}");
  if (rule[0] == '{') return fail("has a table as its rule");
  if (!tell.empty() && !is_among(kTells, tell))
    return fail("has tell " + text::quote(tell), "it is one of reason, refusal, hint");
  if (tell == "hint" && hint.empty()) return fail("tells a hint and has none");
  TRY_ASSIGN(ToolRule out, parse_written(rule, allows));
  out.reason = std::move(reason);
  out.hint = std::move(hint);
  out.tell = std::move(tell);
  return out;
}

}  // namespace

Result<ToolRule> parse_tool_rule(std::string_view text, bool allows) {
  if (text.size() > kLongestRule) return fail("is too long");
  if (has_control(text)) return fail("holds a control character");
  return text.starts_with('{') ? parse_object(text, allows) : parse_written(text, allows);
}

Result<std::string> check_tool_rule(std::string_view text, bool allows, std::string_view folder) {
  TRY_ASSIGN(ToolRule rule, parse_tool_rule(text, allows));
  bool anchored =
      is_path_tool(rule.tool) && rule.content.starts_with('/') && !rule.content.starts_with("//");
  if (anchored) rule.content = "/" + path::join(folder, rule.content.substr(1));
  std::string written = rule.content.empty() ? rule.tool : rule.tool + "(" + rule.content + ")";
  if (!text.starts_with('{')) return written;
  boost::json::object out{{"rule", written}};
  if (!rule.reason.empty()) out["reason"] = rule.reason;
  if (!rule.hint.empty()) out["hint"] = rule.hint;
  if (!rule.tell.empty()) out["tell"] = rule.tell;
  return std::string(boost::json::serialize(out));
}

std::span<const std::string_view> tool_packs() { return kPacks; }

}  // namespace ringwall::policy
