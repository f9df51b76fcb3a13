#include "gate/rules.h"

#include <algorithm>

#include "base/text.h"
#include "gate/packs.h"
#include "gate/rule_index.h"
#include "policy/tool_rules.h"

namespace ringwall::gate {
namespace {

Tell tell_of(const policy::ToolRule& rule) {
  if (rule.tell == "refusal") return Tell::refusal;
  return rule.tell == "hint" ? Tell::hint : Tell::reason;
}

// Bash(git push:*) is Bash(git push *), which is "git push" and whatever follows.
CommandRule command_rule(const Rule* rule, std::string content) {
  if (content.ends_with(":*")) content.replace(content.size() - 2, 2, " *");
  CommandRule out{rule, content, ""};
  if (content.ends_with(" *")) out.alone = content.substr(0, content.size() - 2);
  return out;
}

// Bash(dangerouslyDisableSandbox:true): one word, a colon and no blank before it.
bool is_parameter(std::string_view content) {
  size_t colon = content.find(':');
  if (colon == content.npos || colon == 0 || content.substr(colon) == ":*") return false;
  return std::all_of(content.begin(), content.begin() + static_cast<ptrdiff_t>(colon), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// The fields of Bash besides the command.
bool is_field_of_bash(std::string_view content) {
  std::string_view name = content.substr(0, content.find(':'));
  return name == "dangerouslyDisableSandbox" || name == "run_in_background" || name == "timeout" ||
         name == "description";
}

// "git push *" is filed by "git push", "git p*" by "git".
void file_command(RuleIndex& index, CommandRule rule) {
  bool is_line = rule.glob.find_first_of("|&;") != std::string::npos;
  if (is_line && rule.rule->answer != Answer::allow) index.line_commands.push_back(rule);
  std::string_view glob = rule.glob;
  size_t star = glob.find('*');
  size_t end = 0;
  for (int words = 0; words < kFiledWords && end < glob.size(); words++) {
    size_t next = std::min(glob.find(' ', end == 0 ? 0 : end + 1), glob.size());
    if (star < next) break;
    end = next;
  }
  if (end == 0) {
    index.other_commands.push_back(std::move(rule));
  } else {
    index.commands[std::string(glob.substr(0, end))].push_back(std::move(rule));
  }
}

void file_rule(RuleIndex& index, const Rule* rule, const policy::ToolRule& written) {
  bool allows = rule->answer == Answer::allow;
  const std::string& content = written.content;
  if (content.empty()) {
    index.tools.push_back({rule, written.tool, "", ""});
  } else if (written.tool == "Read" || written.tool == "Edit") {
    index.files.add(content, {rule, written.tool == "Edit", PathRule::parse(content, allows)});
  } else if (written.tool == "Bash" && !(is_parameter(content) && is_field_of_bash(content))) {
    file_command(index, command_rule(rule, content));
  } else if (is_parameter(content)) {
    size_t colon = content.find(':');
    index.tools.push_back(
        {rule, written.tool, content.substr(0, colon), content.substr(colon + 1)});
  } else {
    // Agent(Explore), Skill(name): what the call names.
    index.tools.push_back({rule, written.tool, "*", content});
  }
}

PackSet packs_of(const policy::Tools& tools) {
  PackSet on = 0;
  for (size_t i = 0; i < packs().size(); i++) {
    auto names = [&](const std::vector<policy::Text>& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](const auto& text) { return text.value == packs()[i].name; });
    };
    if (names(tools.packs) || !names(tools.no_packs)) on |= PackSet{1} << i;
  }
  return on;
}

}  // namespace

std::string_view name_of(Answer answer) {
  switch (answer) {
    case Answer::open:
      return "open";
    case Answer::allow:
      return "allow";
    case Answer::ask:
      return "ask";
    case Answer::deny:
      return "deny";
  }
  return "";
}

bool fits_tool(std::string_view tool, std::string_view pattern) {
  if (fits_glob(tool, pattern)) return true;
  return pattern.starts_with("mcp__") && pattern.find("__", 5) == pattern.npos &&
         tool.starts_with(pattern) && tool.substr(pattern.size()).starts_with("__");
}

bool fits_domain(std::string_view host, std::string_view pattern) {
  if (pattern == "*") return true;
  if (pattern.starts_with("*."))
    return host.size() > pattern.size() - 1 && host.ends_with(pattern.substr(1));
  if (pattern.find('*') == pattern.npos) return host == pattern;
  return fits_glob(host, pattern) && std::count(host.begin(), host.end(), '.') ==
                                         std::count(pattern.begin(), pattern.end(), '.');
}

Result<Ruleset> compile_rules(const policy::Tools& tools) {
  auto index = std::make_shared<RuleIndex>();
  const std::pair<Answer, const std::vector<policy::Text>*> lists[] = {
      {Answer::deny, &tools.deny}, {Answer::ask, &tools.ask}, {Answer::allow, &tools.allow}};
  index->rules.reserve(tools.deny.size() + tools.ask.size() + tools.allow.size());
  for (const auto& [answer, list] : lists) {
    for (const policy::Text& text : *list) {
      auto written = policy::parse_tool_rule(text.value, answer == Answer::allow);
      if (!written) {
        written.error().what = text.origin.text() + ": the rule " + text::quote(text.value) + " " +
                               written.error().what;
        return std::unexpected(written.error());
      }
      std::string pattern =
          written->content.empty() ? written->tool : written->tool + "(" + written->content + ")";
      index->rules.push_back({answer, std::move(pattern), written->reason, written->hint,
                              tell_of(*written), text.origin.text()});
      file_rule(*index, &index->rules.back(), *written);
    }
  }
  index->packs = packs_of(tools);
  index->has_allows = !tools.allow.empty();
  return Ruleset(std::move(index));
}

}  // namespace ringwall::gate
