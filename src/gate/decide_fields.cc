#include "gate/decide_fields.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "gate/decide_command.h"
#include "gate/decide_files.h"
#include "gate/field_names.h"
#include "gate/url_host.h"
#include "gate/verdict.h"
#include "shell/value.h"

namespace ringwall::gate {
namespace {

namespace json = boost::json;

constexpr int kMostDepth = 16;
constexpr size_t kMostLooks = 4000;
constexpr size_t kLongestPath = 4096;

// How sure it is that a value is what it is judged as. What only looks so is denied, never asked
// about: texts of all kinds pass here.
enum class Sure { named, looks };

bool starts_with_file(std::string_view text) {
  return text.size() > 5 && text::in_small_letters(text.substr(0, 5)) == "file:";
}

// "file:///x", "file:/x" and "file://localhost/x" are "/x".
std::string path_of_url(std::string_view url) {
  std::string_view rest = url.substr(5);
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    if (!rest.starts_with('/')) rest.remove_prefix(std::min(rest.find('/'), rest.size()));
  }
  return without_escapes(rest.substr(0, rest.find_first_of("?#")));
}

bool is_one_line(std::string_view text) {
  return !text.empty() && text.size() <= kLongestPath && text.find('\n') == text.npos;
}

bool looks_like_path(std::string_view text) {
  if (text.starts_with('/') || text.starts_with('~') || text.starts_with("./") ||
      text.starts_with("../"))
    return true;
  bool is_word = text.find_first_of(" \t") == text.npos;
  return is_word && (text.starts_with('.') || text.find('/') != text.npos);
}

// The texts of a list that holds nothing else but numbers and the like; nothing if it is none.
std::optional<std::vector<std::string>> words_of(const json::value& value) {
  const json::array* list = value.if_array();
  if (list == nullptr || list->empty()) return std::nullopt;
  std::vector<std::string> words;
  for (const json::value& entry : *list) {
    if (entry.is_object() || entry.is_array()) return std::nullopt;
    words.push_back(entry.is_string() ? std::string(entry.get_string()) : json::serialize(entry));
  }
  return words;
}

std::string as_command(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words)
    command += (command.empty() ? "" : " ") + shell::quoted_for_shell(word);
  return command;
}

class FieldJudge {
 public:
  FieldJudge(const RuleIndex& rules, const ToolCall& call, const Place& place,
             PathResolver& resolver, Rulings& out)
      : rules_(rules), call_(call), place_(place), resolver_(resolver), out_(out) {}

  void judge_object(const json::object& input, int depth) {
    judge_program_and_arguments(input);
    for (const auto& member : input)
      judge_value(member.key(), member.value(), depth);
  }

 private:
  // {"command": "cat", "args": ["/etc/shadow"]}
  void judge_program_and_arguments(const json::object& input) {
    for (const auto& program : input) {
      FieldKind kind = kind_of_field(program.key());
      bool may_run = kind == FieldKind::command || kind == FieldKind::code;
      if (!may_run || !program.value().is_string()) continue;
      for (const auto& member : input) {
        if (kind_of_field(member.key()) != FieldKind::arguments) continue;
        std::string command(program.value().get_string());
        if (auto words = words_of(member.value())) {
          command += " " + as_command(*words);
        } else if (member.value().is_string()) {
          command += " " + std::string(member.value().get_string());
        } else {
          continue;
        }
        judge_shell(command, kind == FieldKind::command ? Sure::named : Sure::looks);
      }
    }
  }

  void judge_value(std::string_view key, const json::value& value, int depth) {
    if (depth > kMostDepth)
      return out_.add(ask_because("it is nested too deep", ""), [&] { return text::quote(key); });
    if (value.is_object()) return judge_object(value.get_object(), depth + 1);
    if (value.is_string()) return judge_text(kind_of_field(key), value.get_string());
    if (!value.is_array()) return;
    FieldKind kind = kind_of_field(key);
    if (auto words = words_of(value)) {
      // One command, word by word.
      if (kind == FieldKind::command) judge_shell(as_command(*words), Sure::named);
      if (kind == FieldKind::arguments || kind == FieldKind::code)
        judge_shell(as_command(*words), Sure::looks);
    }
    for (const json::value& entry : value.get_array()) {
      // Of a command's words only those with blanks may be commands themselves.
      bool is_word = kind == FieldKind::command && entry.is_string() &&
                     entry.get_string().find_first_of(" \t\n;") == json::string::npos;
      if (is_word) {
        judge_shell(entry.get_string(), Sure::looks);
        judge_path(entry.get_string(), Sure::looks);
      } else {
        judge_value(key, entry, depth + 1);
      }
    }
  }

  void judge_text(FieldKind kind, std::string_view text) {
    switch (kind) {
      case FieldKind::command:
        judge_shell(text, Sure::named);
        break;
      case FieldKind::arguments:
        judge_shell(text, Sure::looks);
        break;
      case FieldKind::code:
        judge_shell(text, Sure::looks);
        for (const char* program : {"python3 -c ", "node -e "})
          judge_shell(program + shell::quoted_for_shell(text), Sure::looks);
        break;
      case FieldKind::sql: {
        PackHit<PackCode> found = match_code("sql", text, rules_.packs);
        if (found.row != nullptr)
          out_.add(ruling_of(found, std::string(found.row->needle)), [] { return "SQL"; });
        break;
      }
      case FieldKind::path:
      case FieldKind::other:
        break;
    }
    judge_path(text, kind == FieldKind::path ? Sure::named : Sure::looks);
  }

  bool may_look() {
    if (++looks_ <= kMostLooks) return true;
    if (looks_ == kMostLooks + 1)
      out_.add(ask_because("it holds more values than can be judged", ""),
               [&] { return text::quote(call_.tool); });
    return false;
  }

  void judge_shell(std::string_view command, Sure sure) {
    if (command.empty() || !may_look()) return;
    Rulings found(out_.parts());
    (void)judge_command(rules_, command, call_.folder, place_, resolver_, found);
    if (sure == Sure::looks && found.answer() != Answer::deny) return;
    out_.add_all(std::move(found));
  }

  void judge_path(std::string_view text, Sure sure) {
    if (!is_one_line(text)) return;
    std::string path(text);
    if (starts_with_file(text)) {
      path = path_of_url(text);
    } else if (text.find("://") != text.npos || (sure == Sure::looks && !looks_like_path(text))) {
      return;
    }
    if (path.empty() || !may_look()) return;
    Anchors anchors{place_.home, place_.workspace, call_.folder};
    FileLook look = look_at_file({path}, call_.folder, place_.home, resolver_);
    if (sure == Sure::named) note_hidden(look, FileAccess::read, out_);
    for (FileAccess access : {FileAccess::read, FileAccess::write}) {
      Ruling ruling = judge_file(rules_, look, access, anchors);
      if (sure == Sure::looks && ruling.answer != Answer::deny) continue;
      std::string verb = access == FileAccess::write ? "write " : "read ";
      out_.add(ruling, [&] { return verb + show(look.file.path); });
    }
  }

  const RuleIndex& rules_;
  const ToolCall& call_;
  const Place& place_;
  PathResolver& resolver_;
  Rulings& out_;
  size_t looks_ = 0;
};

}  // namespace

void judge_fields(const RuleIndex& rules, const ToolCall& call, const Place& place,
                  PathResolver& resolver, Rulings& decision) {
  FieldJudge(rules, call, place, resolver, decision).judge_object(call.input, 0);
}

}  // namespace ringwall::gate
