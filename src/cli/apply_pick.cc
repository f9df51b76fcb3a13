#include "cli/apply_pick.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "base/path.h"
#include "base/text.h"
#include "review/change_words.h"
#include "review/whole_review.h"

namespace ringwall::cli {
namespace {

using changes::Change;
using changes::EntryType;
using review::ApplyItem;
using review::ApplyTree;
using State = ApplyItem::State;

constexpr const char* kHelp =
    "  y  take it over      n  leave it in the review    d  show what was changed\n"
    "  a  take over this and all that follows but what would run outside\n"
    "  q  stop: nothing is taken over at all\n";

bool can_be_taken(const ApplyItem& item) {
  return item.state != State::conflict && item.state != State::refused;
}

bool removes_folder(const Change& change) {
  return change.before.type == EntryType::folder && change.after.type != EntryType::folder;
}

std::string describe(const review::Review& of, const ApplyTree& tree, const ApplyItem& item) {
  const Change& change = item.change;
  const char* kind = change.kind == Change::Kind::added     ? "added    "
                     : change.kind == Change::Kind::deleted ? "deleted  "
                                                            : "changed  ";
  if (!change.renamed_from.empty()) kind = "renamed  ";
  std::string path = review::shown_path(of, tree.tree, change.path);
  std::string words =
      kind + review::name_words(path, change.after.exists() ? change.after : change.before);
  if (!change.renamed_from.empty()) words += ", it was " + text::quote(change.renamed_from);
  std::string size = review::size_words(change);
  if (!size.empty()) words += "  " + size;
  bool has_both = change.kind == Change::Kind::changed && change.before.exists();
  if (has_both && change.before.type != change.after.type)
    words +=
        ", was " + review::type_words(change.before) + ", is " + review::type_words(change.after);
  else if (has_both && change.before.mode != change.after.mode)
    words += ", mode " + review::octal_mode(change.before.mode) + " -> " +
             review::octal_mode(change.after.mode);
  if (change.is_time_alone) words += ", another time and nothing else";
  if (removes_folder(change)) words += ", with all that lies in it";
  if (item.state != State::free) words += "\n  " + text::escape(item.why);
  return words;
}

// By the command itself, with its colours and its care for what a terminal obeys.
void show_diff(const review::Review& of, const std::string& path) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "ringwall", "diff", of.name.c_str(), "--", path.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
}

class Picking {
 public:
  Picking(const review::Review& of, ApplyTree& tree, bool& takes_all)
      : of_(of), tree_(tree), takes_all_(takes_all) {}

  // False: the person has had enough.
  bool ask_all(const std::vector<std::string>& paths) {
    for (size_t at = 0; at < tree_.items.size(); at++) {
      ApplyItem& item = tree_.items[at];
      std::string path = review::path_of(tree_, item);
      bool is_meant = paths.empty() || std::ranges::any_of(paths, [&](const std::string& named) {
                        return path::is_beneath(path, named);
                      });
      if (!is_meant || !can_be_taken(item) || is_answered_with_another(at)) continue;
      char answer = takes_all_ ? (item.state == State::free ? 'y' : 'n') : ask(item, path);
      if (answer == 'q') return false;
      if (answer == 'a') takes_all_ = true;
      if (answer == 'y' || answer == 'a') take(at);
    }
    return true;
  }

 private:
  // New folders come with what is taken in them, what lies in a removed one goes with it, and a
  // renaming is one question.
  bool is_answered_with_another(size_t at) const {
    const ApplyItem& item = tree_.items[at];
    if (item.change.is_renamed_away) return true;
    bool holds_more = at + 1 < tree_.items.size() && tree_.items[at + 1].parent == at;
    bool is_new_folder =
        item.change.after.type == EntryType::folder && item.change.before.type != EntryType::folder;
    if (is_new_folder && holds_more) return true;
    return item.parent != SIZE_MAX && removes_folder(tree_.items[item.parent].change);
  }

  char ask(const ApplyItem& item, const std::string& path) {
    while (true) {
      printf("%s\ntake it over? [y,n,a,d,q,?] ", describe(of_, tree_, item).c_str());
      fflush(stdout);
      std::string answer;
      if (!std::getline(std::cin, answer)) return 'q';
      char first = answer.empty() ? '?' : answer.front();
      if (first == 'd') show_diff(of_, path);
      if (first == '?') fputs(kHelp, stdout);
      if (std::string_view("ynaq").find(first) != std::string_view::npos) return first;
    }
  }

  void take(size_t at) {
    std::vector<ApplyItem>& items = tree_.items;
    items[at].is_chosen = true;
    for (size_t below = at + 1; removes_folder(items[at].change) && below < items.size(); below++) {
      if (items[below].parent == SIZE_MAX || items[below].parent < at) break;
      // What would run outside is asked for by its own name alone, and then the folder stays.
      items[below].is_chosen = items[below].state == State::free;
    }
    for (ApplyItem& other : items) {
      if (!items[at].change.renamed_from.empty() &&
          other.change.path == items[at].change.renamed_from && can_be_taken(other))
        other.is_chosen = true;
    }
  }

  const review::Review& of_;
  ApplyTree& tree_;
  bool& takes_all_;
};

}  // namespace

bool asks_yes(const std::string& question) {
  fprintf(stderr, "%s [y/N] ", question.c_str());
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

Result<bool> pick(const review::Review& review, std::vector<ApplyTree>& trees,
                  const std::vector<std::string>& paths) {
  if (isatty(STDIN_FILENO) == 0)
    return fail("--pick asks, and there is no terminal", "name paths in its place: -- PATH…");
  bool takes_all = false;
  for (ApplyTree& tree : trees)
    if (!Picking(review, tree, takes_all).ask_all(paths)) return false;
  return true;
}

}  // namespace ringwall::cli
