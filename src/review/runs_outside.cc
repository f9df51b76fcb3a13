#include "review/runs_outside.h"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>

#include "base/file.h"
#include "base/text.h"
#include "review/git_changes.h"
#include "review/link_changes.h"
#include "review/same_content.h"
#include "review/tree_open.h"

namespace ringwall::review {
namespace {

namespace json = boost::json;
using changes::Change;
using changes::EntryType;

constexpr size_t kMostJson = 1 << 20;
constexpr uint64_t kMostCompared = 64 << 20;
constexpr uint32_t kExecutable = 0111;
constexpr uint32_t kOtherRights = 06000;  // setuid, setgid

// Members of a package.json that npm and its like run, or load a program by.
constexpr std::string_view kRunByPackages[] = {"scripts",     "bin",           "husky",
                                               "lint-staged", "pre-commit",    "simple-git-hooks",
                                               "gypfile",     "packageManager"};

class Judge {
 public:
  Judge(const changes::Changes& all, const LayerView& layer, const files::ProtectedNames& names)
      : view_(all, layer), git_(view_, names), links_(all, view_), names_(names) {
    for (const LaterEntry& entry : later_entries()) {
      for (std::string_view pattern : text::split_in_place(entry.patterns, ' ')) {
        later_.add(files::NamePattern::parse_table(pattern));
        entries_.push_back(&entry);
      }
    }
  }

  std::optional<RunsOutside> judge(const Change& change) {
    GitVerdict git = git_.judge(change);
    if (git.is_git_part) {
      if (git.why.empty()) return std::nullopt;
      return RunsOutside{0, true, git.why};
    }
    if (auto rule = protected_by(change, change.path)) {
      if (!names_.is_by_content(*rule))
        return RunsOutside{0, true, files::ProtectedNames::reason_for(*rule)};
      std::string why = judge_content(change, *rule);
      if (!why.empty()) return RunsOutside{0, true, why};
    }
    for (const std::string& name : links_.other_names(change)) {
      auto rule = protected_by(change, name);
      if (rule && (!names_.is_by_content(*rule) || !judge_content(change, *rule).empty()))
        return RunsOutside{
            0, true,
            "a link gives it the name " + name + ", " + files::ProtectedNames::reason_for(*rule)};
    }
    if (auto link = links_.judge(change)) return link;
    std::string why = runs_later(change);
    if (why.empty()) return std::nullopt;
    return RunsOutside{0, false, why};
  }

 private:
  std::optional<std::string> protected_by(const Change& change, const std::string& path) const {
    for (size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
      std::string_view folder = std::string_view(path).substr(0, end);
      if (!names_.may_match(files::last_name(folder))) continue;
      auto rule = names_.match(folder, true);
      if (rule && !names_.is_unprotected(path)) return std::string(*rule);
    }
    if (!names_.may_match(files::last_name(path))) return std::nullopt;
    const changes::EntryFacts& facts = change.after.exists() ? change.after : change.before;
    auto rule = facts.type == EntryType::link ? names_.match_link(path)
                                              : names_.match(path, facts.type == EntryType::folder);
    return rule ? std::optional(std::string(*rule)) : std::nullopt;
  }

  // Of names that ordinary work writes: what it says now.
  std::string judge_content(const Change& change, const std::string& rule) const {
    if (change.after.type == EntryType::folder || !change.after.exists()) return "";
    constexpr const char* kUnread = "what it says cannot be read";
    if (change.after.type != EntryType::file) return kUnread;
    auto opened = open_content(view_.layer().upper, change.path);
    auto text = opened ? file::read_all(opened->get(), kMostJson) : std::unexpected(opened.error());
    return text ? names_.judge(rule, *text) : kUnread;
  }

  std::string runs_later(const Change& change) {
    if (!change.after.exists() || change.after.type == EntryType::folder) return "";
    uint32_t gained = change.after.mode & ~change.before.mode;
    if (change.after.type == EntryType::file && (gained & kOtherRights) != 0)
      return "it would run with the rights of its owner or group, whoever starts it";
    if (files::lies_in_registry_packages(change.path)) return "";
    if (files::same_name(files::last_name(change.path), "package.json"))
      return changes_package(change);
    const LaterEntry* entry = entry_for(change.path, change.after.type == EntryType::link);
    if (entry == nullptr) return "";
    bool gains_bit = (change.after.mode & kExecutable) != 0 && (gained & kExecutable) != 0;
    return gains_bit || has_other_content(change) ? std::string(entry->why) : "";
  }

  const LaterEntry* entry_for(const std::string& path, bool is_link) const {
    for (size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
      std::string_view folder = std::string_view(path).substr(0, end);
      if (!later_.may_match(files::last_name(folder))) continue;
      if (auto found = later_.match(folder, files::EntryKind::folder)) return entries_[*found];
    }
    auto found = later_.match(path, is_link ? files::EntryKind::link : files::EntryKind::file);
    return found ? entries_[*found] : nullptr;
  }

  bool has_other_content(const Change& change) {
    if (change.before.type != change.after.type || change.before.size != change.after.size)
      return true;
    if (change.after.type != EntryType::file) return true;
    auto was = open_content(view_.layer().real, change.path);
    auto is = open_content(view_.layer().upper, change.path);
    return !was || !is || !is_same_file(was->get(), is->get(), change.after.size, budget_);
  }

  std::string changes_package(const Change& change) const {
    constexpr const char* kUnread = "npm and its like run its scripts, and it cannot be read";
    if (change.after.type != EntryType::file) return kUnread;
    auto now = read_package(view_.layer().upper, change.path);
    if (!now) return kUnread;
    json::object was;
    if (change.before.type == EntryType::file) {
      auto old = read_package(view_.layer().real, change.path);
      if (old) was = std::move(*old);
    }
    for (std::string_view member : kRunByPackages) {
      const json::value* before = was.if_contains(member);
      const json::value* after = now->if_contains(member);
      bool is_same = after == nullptr || (before != nullptr && *before == *after);
      if (!is_same)
        return "npm and its like run what its \"" + std::string(member) + "\" names: that changed";
    }
    return "";
  }

  static std::optional<json::object> read_package(int tree, const std::string& path) {
    auto text = read_text_in(tree, path, kMostJson);
    if (!text) return std::nullopt;
    boost::system::error_code error;
    json::value value = json::parse(*text, error);
    if (error || !value.is_object()) return std::nullopt;
    return std::move(value.get_object());
  }

  ResultView view_;
  GitChanges git_;
  LinkChanges links_;
  const files::ProtectedNames& names_;
  files::PatternSet later_;
  std::vector<const LaterEntry*> entries_;  // beside later_
  ReadBudget budget_{kMostCompared};
};

}  // namespace

std::vector<RunsOutside> find_runs_outside(const changes::Changes& changes, const LayerView& layer,
                                           const files::ProtectedNames& names) {
  Judge judge(changes, layer, names);
  std::vector<RunsOutside> found;
  for (size_t i = 0; i < changes.size(); i++) {
    // What only has another time is what it was.
    auto one = changes[i].is_time_alone ? std::nullopt : judge.judge(changes[i]);
    if (!one) continue;
    one->change = i;
    found.push_back(std::move(*one));
  }
  return found;
}

}  // namespace ringwall::review
