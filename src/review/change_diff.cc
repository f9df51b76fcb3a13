#include "review/change_diff.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "review/change_words.h"
#include "review/outside_view.h"
#include "review/tree_open.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::EntryFacts;
using changes::EntryType;

constexpr size_t kMostText = 4 << 20;
constexpr size_t kLookedAt = 8000;  // as git does: a NUL so near the start makes a file binary

bool is_binary(std::string_view content) {
  return content.substr(0, kLookedAt).find('\0') != std::string_view::npos;
}

class Describer {
 public:
  Describer(const Change& change, const ChangeSides& sides, DiffBudget& budget)
      : change_(change), sides_(sides), budget_(budget) {}

  ChangeDiff describe() {
    if (!change_.renamed_from.empty())
      remark("was " + name_words(change_.renamed_from, change_.after) + ", with the same content");
    if (change_.is_time_alone) return remark("another time, and nothing else"), std::move(out_);
    if (sides_.is_conflict) remark("changed here too since the run began: a conflict");
    describe_facts();
    bool has_file = change_.before.type == EntryType::file || change_.after.type == EntryType::file;
    if (change_.before.type == EntryType::link || change_.after.type == EntryType::link)
      describe_links();
    if (has_file && change_.renamed_from.empty() && !change_.is_renamed_away) describe_content();
    return std::move(out_);
  }

 private:
  void remark(std::string words) { out_.remarks.push_back(std::move(words)); }

  void describe_facts() {
    const EntryFacts &before = change_.before, &after = change_.after;
    if (change_.is_renamed_away) return;
    if (before.exists() && after.exists() && before.type != after.type)
      return remark("was " + type_words(before) + ", is " + type_words(after));
    const EntryFacts& facts = after.exists() ? after : before;
    if (facts.type == EntryType::fifo || facts.type == EntryType::other) remark(type_words(facts));
    if (facts.type == EntryType::link) return;  // links have no modes of their own
    if (before.exists() && after.exists() && before.mode != after.mode)
      remark("mode " + octal_mode(before.mode) + " -> " + octal_mode(after.mode));
    bool is_unusual = facts.type == EntryType::file && (after.mode & 07111) != 0;
    if (!before.exists() && is_unusual) remark("mode " + octal_mode(after.mode));
    if (before.exists() && after.exists() && after.type == EntryType::folder &&
        before.mode == after.mode)
      remark("other attributes");
  }

  void describe_links() {
    auto words = [&](const EntryFacts& facts, int tree) {
      auto target = facts.type == EntryType::link ? read_link_in(tree, change_.path)
                                                  : Result<std::string>(std::string());
      if (!target) return "a link that cannot be read: " + target.error().text();
      return "a link to " + text::quote(*target);
    };
    bool was = change_.before.type == EntryType::link, is = change_.after.type == EntryType::link;
    if (was) remark((is ? "was " : "") + words(change_.before, sides_.real));
    if (is) remark((was ? "is " : "") + words(change_.after, sides_.upper));
  }

  // Nothing, and a remark, if there is no text.
  std::optional<std::string> read(const EntryFacts& facts, int tree) {
    if (facts.type != EntryType::file) return std::string();
    if (facts.size > kMostText) {
      out_.is_unshown = true;
      remark("too large to show, " + size_words(change_));
      return std::nullopt;
    }
    auto opened = open_content(tree, change_.path);
    auto content = opened ? file::read_all(opened->get(), kMostText)
                          : Result<std::string>(std::unexpected(opened.error()));
    if (!content) {
      out_.is_unshown = true;
      remark("cannot be shown: " + content.error().text());
    }
    return content ? std::optional(std::move(*content)) : std::nullopt;
  }

  void describe_content() {
    auto before = read(change_.before, sides_.real);
    if (!before) return;
    auto after = read(change_.after, sides_.upper);
    if (!after) return;
    bool had_file = change_.before.type == EntryType::file;
    bool has_file = change_.after.type == EntryType::file;
    if (had_file && has_file && *before == *after) {
      if (change_.before.mode == change_.after.mode)
        remark(change_.after.links > 1 ? "the same content, with several names now"
                                       : "the same content, other attributes");
      return;
    }
    if (is_binary(*before) || is_binary(*after)) {
      out_.is_unshown = true;
      return remark("binary, " + size_words(change_));
    }
    if (before->empty() && after->empty()) return remark("empty");
    out_.text = sides_.is_conflict && had_file && has_file
                    ? diff_three(sides_.base, *before, *after, budget_)
                    : diff_texts(*before, *after, budget_);
  }

  const Change& change_;
  const ChangeSides& sides_;
  DiffBudget& budget_;
  ChangeDiff out_;
};

}  // namespace

ChangeDiff diff_change(const Change& change, const ChangeSides& sides, DiffBudget& budget) {
  return Describer(change, sides, budget).describe();
}

}  // namespace ringwall::review
