#include "gate/decide.h"

#include <algorithm>

#include "base/text.h"
#include "gate/decide_command.h"
#include "gate/decide_fields.h"
#include "gate/decide_files.h"
#include "gate/rule_index.h"
#include "gate/url_host.h"
#include "gate/verdict.h"

namespace ringwall::gate {
namespace {

namespace json = boost::json;

struct FileTool {
  std::string_view tool;
  std::string_view field;
  bool writes;
};
constexpr FileTool kFileTools[] = {
    {"Read", "file_path", false},
    {"Edit", "file_path", true},
    {"Write", "file_path", true},
    {"MultiEdit", "file_path", true},
    {"NotebookEdit", "notebook_path", true},
    {"NotebookRead", "notebook_path", false},
    {"Glob", "path", false},
    {"Grep", "path", false},
    {"LS", "path", false},
};

std::string_view text_of(const json::object& input, std::string_view key) {
  const json::value* value = input.if_contains(key);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

// A scalar as a rule writes it.
std::string scalar_text(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  return value.is_object() || value.is_array() ? "" : json::serialize(value);
}

// "src/*.c" of a Glob: names with gaps.
shell::Word glob_word(std::string_view glob) {
  shell::Word word;
  for (char c : glob) {
    if (c == '*' || c == '?') {
      uint32_t at = static_cast<uint32_t>(word.text.size());
      if (word.gaps.empty() || word.gaps.back().at != at)
        word.gaps.push_back({at, shell::Word::Gap::Kind::name});
    } else {
      word.text += c;
    }
  }
  return word;
}

class CallJudge {
 public:
  CallJudge(const RuleIndex& rules, const ToolCall& call, const Place& place, Parts parts)
      : rules_(rules), call_(call), place_(place), out_(parts) {}

  Decision judge() {
    if (call_.tool == "WebFetch") judge_url();
    bool allowed = judge_names();
    const FileTool* file = std::find_if(std::begin(kFileTools), std::end(kFileTools),
                                        [&](const FileTool& t) { return t.tool == call_.tool; });
    if (call_.tool == "Bash" || call_.tool == "Monitor") {
      std::string_view command = text_of(call_.input, "command");
      bool all = judge_command(rules_, command, call_.folder, place_, resolver_, out_);
      allowed = allowed || (all && !command.empty());
    } else if (file != std::end(kFileTools)) {
      allowed = judge_file_tool(*file) || allowed;
      if (call_.tool == "Grep") judge_search();
    } else if (call_.tool != "WebFetch" && call_.tool != "WebSearch" && call_.tool != "Agent") {
      // A tool of a server may run commands and read files too.
      judge_fields(rules_, call_, place_, resolver_, out_);
    }
    if (out_.answer() == Answer::open && allowed) out_.take_allow();
    if (out_.answer() == Answer::open && !call_.known && !is_named_) deny_unknown();
    return out_.take();
  }

 private:
  // Rules that name the tool, a parameter, a domain or an agent. True if one allows.
  bool judge_names() {
    bool allowed = false;
    for (const ToolNameRule& rule : rules_.tools) {
      if (!names_tool(rule) || !fits_value(rule)) continue;
      is_named_ = true;
      Ruling ruling = ruling_of(*rule.rule, false);
      out_.add(ruling, [&] { return text::quote(call_.tool); });
      allowed = allowed || ruling.answer == Answer::allow;
    }
    return allowed;
  }

  void judge_url() {
    url_ = hosts_of(text_of(call_.input, "url"));
    if (url_.is_certain) return;
    out_.add(ask_because("programs may take the URL for one of another host",
                         "write it as https://HOST/PATH, with the host in plain ASCII"),
             [&] { return text::quote(text_of(call_.input, "url")); });
  }

  // Agents have called Agent Task before, and people's rules still do.
  bool names_tool(const ToolNameRule& rule) const {
    if (fits_tool(call_.tool, rule.tool)) return true;
    if (call_.tool == "Agent") return fits_tool("Task", rule.tool);
    // A server may list what a rule denies in other letters.
    return call_.tool.starts_with("mcp__") && rule.rule->answer != Answer::allow &&
           fits_tool(text::in_small_letters(call_.tool), text::in_small_letters(rule.tool));
  }

  bool fits_host(const ToolNameRule& rule) const {
    if (rule.rule->answer == Answer::allow && !url_.is_certain) return false;
    return std::ranges::any_of(url_.hosts, [domain = domain_of(rule)](const std::string& host) {
      return fits_domain(host, domain);
    });
  }

  bool fits_value(const ToolNameRule& rule) const {
    if (rule.parameter.empty()) return true;
    if (rule.parameter == "domain" && call_.tool == "WebFetch") return fits_host(rule);
    if (rule.parameter == "*") {
      std::string_view named = text_of(call_.input, "subagent_type");
      if (named.empty()) named = text_of(call_.input, "skill");
      return !named.empty() && fits_glob(named, rule.value);
    }
    const json::value* value = call_.input.if_contains(rule.parameter);
    return value != nullptr && !value->is_object() && !value->is_array() &&
           fits_glob(scalar_text(*value), rule.value);
  }

  static std::string domain_of(const ToolNameRule& rule) {
    std::string domain = text::in_small_letters(rule.value);
    while (domain.ends_with('.'))
      domain.pop_back();
    return domain;
  }

  bool judge_path(const shell::Word& path, bool writes) {
    Anchors anchors{place_.home, place_.workspace, call_.folder};
    FileLook look = look_at_file(path, call_.folder, place_.home, resolver_);
    FileAccess access = writes ? FileAccess::write : FileAccess::read;
    note_hidden(look, access, out_);
    Ruling ruling = judge_file(rules_, look, access, anchors);
    out_.add(ruling, [&] { return (writes ? "write " : "read ") + show(look.file.path); });
    return ruling.answer == Answer::allow;
  }

  bool judge_file_tool(const FileTool& tool) {
    std::string_view path = text_of(call_.input, tool.field);
    bool allowed = judge_path({std::string(path.empty() ? "." : path)}, tool.writes);
    for (std::string_view key : {"pattern", "glob"}) {
      std::string_view glob = text_of(call_.input, key);
      bool is_content = key == "pattern" && call_.tool == "Grep";
      if (glob.empty() || is_content || tool.field != "path") continue;
      shell::Word word = glob_word(glob);
      if (!glob.starts_with('/') && !glob.starts_with('~') && !path.empty()) {
        std::string start = std::string(path) + "/";
        for (auto& gap : word.gaps)
          gap.at += static_cast<uint32_t>(start.size());
        word.text.insert(0, start);
      }
      allowed = judge_path(word, false) && allowed;
    }
    return allowed;
  }

  // A search shows what is in the files of a folder, unless it says only their names, or chooses.
  void judge_search() {
    std::string_view mode = text_of(call_.input, "output_mode");
    std::string_view glob = text_of(call_.input, "glob");
    bool is_choice = !glob.empty() && glob.find('!') == glob.npos;
    bool shows = mode.empty() || mode == "content";
    if (!shows || is_choice || !text_of(call_.input, "type").empty()) return;
    std::string_view path = text_of(call_.input, "path");
    Anchors anchors{place_.home, place_.workspace, call_.folder};
    FileLook look = look_at_file({std::string(path.empty() ? "." : path)}, call_.folder,
                                 place_.home, resolver_);
    auto is_left_out = [&](std::string_view beneath) {
      std::string_view name = beneath.substr(0, beneath.find('/'));
      return glob.find(name) != glob.npos;
    };
    Ruling ruling = judge_whole_read(rules_, look.file, anchors, resolver_, is_left_out);
    if (ruling.answer != Answer::open)
      out_.add(ruling, [&] { return "read all of " + show(look.file.path); });
  }

  void deny_unknown() {
    Ruling ruling{Answer::deny, "", "built in",
                  "no table knows the tool " + text::quote(call_.tool), ""};
    ruling.told = ruling.reason +
                  ". Instead: use a tool that is known, or ask the person to "
                  "name this one in tools.allow or tools.ask";
    out_.add(ruling, [&] { return text::quote(call_.tool); });
  }

  const RuleIndex& rules_;
  const ToolCall& call_;
  const Place& place_;
  PathResolver resolver_;
  UrlHosts url_;  // of a WebFetch
  Rulings out_;
  bool is_named_ = false;
};

}  // namespace

Decision decide(const Ruleset& rules, const ToolCall& call, const Place& place, Parts parts) {
  return CallJudge(rules.index(), call, place, parts).judge();
}

}  // namespace ringwall::gate
