#include "cli/learned_show.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/path.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "policy/fields.h"

namespace ringwall::cli {
namespace {

namespace json = boost::json;
using policy::Proposal;

constexpr size_t kMostRows = 40;    // of what was left out, for a person
constexpr size_t kWidestName = 60;  // longer ones push their row aside

struct Row {
  std::string verb, what, times, by, why;
};

std::string shorten(const std::string& what, const std::string& home) {
  bool in_home = home != "/" && what != home && path::is_beneath(what, home);
  return text::quote(in_home ? "~" + what.substr(home.size()) : what);
}

std::string_view verb_of(const Proposal::Entry& entry) {
  if (entry.key == "files.write") return "write";
  if (entry.key == "home.caches") return "cache";
  return entry.key == "network.allow" ? "reach" : "read";
}

std::string pad(const std::string& text, size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

std::string table(const std::vector<Row>& rows) {
  size_t what = 0, times = 0, by = 0;
  for (const Row& row : rows) {
    if (row.what.size() <= kWidestName) what = std::max(what, row.what.size());
    times = std::max(times, row.times.size());
    by = std::max(by, row.by.size());
  }
  std::string out;
  for (const Row& row : rows) {
    out += "  " + pad(row.verb, 5) + "  " + pad(row.what, what) + "  " +
           std::string(times - row.times.size(), ' ') + row.times + "  " +
           (row.why.empty() ? row.by : pad(row.by, by) + "  " + row.why) + "\n";
  }
  return out;
}

std::string count(size_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

std::string proposed_table(const Proposal& proposal) {
  std::vector<Row> rows;
  for (const Proposal::Entry& entry : proposal.entries) {
    std::string files = entry.files > 0 ? std::to_string(entry.files) + " files of it" : "";
    rows.push_back({std::string(verb_of(entry)), text::quote(entry.value),
                    std::to_string(entry.times) + "x", policy::name_programs(entry.programs),
                    files});
  }
  return table(rows);
}

std::string left_out_table(const Proposal& proposal, const std::string& home) {
  std::vector<Row> rows;
  for (const Proposal::LeftOut& left : proposal.left_out) {
    if (rows.size() == kMostRows) break;
    std::string what = shorten(left.what, home);
    if (left.files > 1) what += " (" + std::to_string(left.files) + " in it)";
    rows.push_back({std::string(policy::verb_of(left.kind)), what, std::to_string(left.times) + "x",
                    policy::name_programs(left.programs), text::escape(left.why)});
  }
  std::string out = table(rows);
  if (proposal.left_out.size() > rows.size())
    out += "  and " + std::to_string(proposal.left_out.size() - rows.size()) +
           " more: ringwall learn --json lists them\n";
  return out;
}

std::string in_words(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& word : words)
    quoted.push_back(text::shell_word(word));
  return text::join(quoted, " ");
}

// The command that gives what is proposed.
std::string next_command(const Proposal& proposal, const LearnedView& view) {
  std::string command = "ringwall run ";
  if (!view.own.empty()) command += in_words(view.own) + " ";
  // A run takes one --policy.
  bool has_policy = std::ranges::any_of(
      view.own, [](const std::string& word) { return word.starts_with("--policy"); });
  command += view.written.empty() || has_policy ? text::join(proposal.flags(), " ")
                                                : "--policy " + text::shell_word(view.written);
  return command + " -- " + in_words(view.command);
}

}  // namespace

std::string show_learned(const Proposal& proposal, const LearnedView& view) {
  std::string name = view.colours ? "\x1b[1mringwall:\x1b[0m " : "ringwall: ";
  std::string out;
  size_t proposed = proposal.entries.size(), left = proposal.left_out.size();
  if (proposed == 0 && left == 0) out = name + "learned: nothing of this host was missed\n";
  if (proposed > 0) {
    out += name + "learned: " + count(proposed, "thing was", "things were") +
           " wanted and refused; what was asked for is not always needed\n" +
           proposed_table(proposal);
  }
  if (left > 0) {
    out += name + "left out, since " + (left == 1 ? "it opens" : "they open") +
           " more than the command may need; grant by hand what you must\n" +
           left_out_table(proposal, view.home);
  }
  if (proposal.unseen > 0)
    out += name + count(proposal.unseen, "call", "calls") +
           " for further files could not be noted: the list is full\n";
  if (proposed == 0) return out;
  out += view.written.empty()
             ? name + "as a policy (learn --write FILE puts it into a new file):\n\n"
             : name + "written to " + text::quote(view.written) + ":\n\n";
  out += proposal.toml() + "\n";
  return out + name + "try it: " + next_command(proposal, view) + "\n";
}

std::string learned_json(const Proposal& proposal, const LearnedView& view) {
  auto names = [](const std::set<std::string>& programs) {
    json::array out;
    for (const std::string& program : programs)
      out.emplace_back(program);
    return out;
  };
  json::array entries, left_out, flags;
  for (const Proposal::Entry& entry : proposal.entries)
    entries.push_back({{"key", entry.key},
                       {"value", entry.value},
                       {"times", entry.times},
                       {"programs", names(entry.programs)},
                       {"files", entry.files}});
  for (const Proposal::LeftOut& left : proposal.left_out)
    left_out.push_back({{"wanted", policy::verb_of(left.kind)},
                        {"what", left.what},
                        {"files", left.files},
                        {"times", left.times},
                        {"programs", names(left.programs)},
                        {"why", left.why}});
  for (const std::string& flag : proposal.flags())
    flags.emplace_back(flag);
  json::object out{{"event", "learned"},
                   {"proposed", std::move(entries)},
                   {"left_out", std::move(left_out)},
                   {"not_noted", proposal.unseen},
                   {"policy", proposal.toml()},
                   {"flags", std::move(flags)},
                   {"written", view.written}};
  return text::harmless_json(json::serialize(out));
}

}  // namespace ringwall::cli
