#include "gate/decide_files.h"

#include <algorithm>

#include "base/path.h"
#include "gate/masked_file.h"

namespace ringwall::gate {
namespace {

// A denial to read is one to write, too: what may not be seen may not be replaced.
bool concerns(const FileRule& rule, bool writes) {
  if (rule.rule->answer == Answer::allow) return rule.writes == writes;
  return rule.writes == writes || (writes && rule.rule->answer == Answer::deny);
}

// Globs may be all they could be. Unknown text counts by what stands around it.
bool may_mean(const PathRule& rule, const FileLook& look, const Anchors& anchors) {
  if (look.file.is_known()) return rule.may_fit(look.file, anchors);
  auto fits = [&](const NamedFile& file) { return rule.may_fit(file, anchors); };
  if (std::any_of(look.filled.begin(), look.filled.end(), fits)) return true;
  return !look.has_unknown && rule.may_fit(look.file, anchors);
}

Ruling judge_by_rules(const RuleIndex& rules, const FileLook& look, bool writes,
                      const Anchors& anchors) {
  Ruling best;
  const Rule* by = nullptr;
  auto take = [&](const FileRule& rule, Answer answer, bool may) {
    // The first of a list among equals, in whatever order they come.
    if (answer < best.answer || (answer == best.answer && by != nullptr && by <= rule.rule)) return;
    by = rule.rule;
    best = ruling_of(*rule.rule, may);
    best.answer = answer;
  };
  rules.files.visit(look.file, [&](const FileRule& rule) {
    if (!concerns(rule, writes)) return;
    if (rule.rule->answer == Answer::allow) {
      if (rule.path.surely_fits(look.file, anchors)) take(rule, Answer::allow, false);
    } else if (may_mean(rule.path, look, anchors)) {
      take(rule, rule.rule->answer, !look.file.is_known());
    } else if (look.has_unknown && rule.path.may_fit(look.file, anchors)) {
      take(rule, Answer::ask, true);
    }
  });
  return best;
}

Ruling judge_by_packs(const RuleIndex& rules, const FileLook& look, bool writes,
                      const Anchors& anchors) {
  auto judge = [&](const NamedFile& file, bool may) {
    PackHit<PackPath> hit = match_path(file, writes, anchors, rules.packs);
    hit.may = may;
    std::string what = hit.row == nullptr ? "" : std::string(hit.row->pattern);
    return ruling_of(hit, (writes ? "Edit(" : "Read(") + what + ")");
  };
  if (look.file.is_known()) return judge(look.file, false);
  Ruling best;
  if (look.is_blank) return best;
  for (const NamedFile& file : look.filled)
    keep_stricter(best, judge(file, true));
  if (!look.has_unknown && !look.names_little) keep_stricter(best, judge(look.file, true));
  return best;
}

Ruling ruling_of_part(const Rule& rule) {
  Ruling out = ruling_of(rule, false);
  std::string why = ", and it lies in what is read as a whole";
  out.reason += why;
  if (rule.tell == Tell::reason)
    out.told +=
        why + ". Leave it out (--exclude-dir=…, --glob '!…'), or name the folders beside it";
  return out;
}

}  // namespace

Ruling judge_whole_read(const RuleIndex& rules, const NamedFile& folder, const Anchors& anchors,
                        PathResolver& resolver,
                        const std::function<bool(std::string_view)>& is_left_out) {
  Ruling best;
  const std::string& whole = folder.target;
  if (!folder.is_known() || !resolver.is_folder(whole)) return best;
  auto is_read = [&](const std::string& place) {
    if (place.size() <= whole.size() || !path::is_beneath(place, whole)) return false;
    return resolver.exists(place) &&
           !is_left_out(std::string_view(place).substr(whole == "/" ? 1 : whole.size() + 1));
  };
  for (const FileRule& rule : rules.files.all()) {
    Answer answer = rule.rule->answer;
    if (rule.writes || answer == Answer::allow || answer <= best.answer) continue;
    std::vector<std::string> places = rule.path.places(anchors, whole);
    if (std::any_of(places.begin(), places.end(), is_read)) best = ruling_of_part(*rule.rule);
  }
  return best;
}

void note_hidden(const FileLook& look, FileAccess access, Rulings& rulings) {
  if (access != FileAccess::read) return;
  auto note = [&](const NamedFile& file) {
    if (is_masked(file.target)) rulings.add_hidden(file.target);
  };
  if (look.file.is_known()) return note(look.file);
  for (const NamedFile& file : look.filled)
    note(file);
}

Ruling judge_file(const RuleIndex& rules, const FileLook& look, FileAccess access,
                  const Anchors& anchors) {
  bool writes = access == FileAccess::write;
  Ruling best = judge_by_rules(rules, look, writes, anchors);
  if (access != FileAccess::list) keep_stricter(best, judge_by_packs(rules, look, writes, anchors));
  return best;
}

}  // namespace ringwall::gate
