#include "gate/verdict.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace ringwall::gate {
namespace {

constexpr size_t kMostShown = 200;

std::string with_hint(std::string reason, std::string_view hint) {
  if (!hint.empty()) reason += ". Instead: " + std::string(hint);
  return reason;
}

}  // namespace

Ruling ruling_of(const Rule& rule, bool may) {
  std::string verb = rule.answer == Answer::deny ? "denies" : "asks about";
  if (rule.answer == Answer::allow) verb = "allows";
  std::string reason = rule.pattern + " " +
                       (may ? "may fit what is only known when it runs, and " : "") + verb +
                       (rule.reason.empty() ? " it" : " it: " + rule.reason);
  Ruling out{rule.answer, rule.pattern, rule.origin, reason, ""};
  switch (rule.tell) {
    case Tell::reason:
      out.told = with_hint(reason, rule.hint);
      break;
    case Tell::refusal:
      out.told = "refused by a rule of the person";
      break;
    case Tell::hint:
      out.told = "refused by a rule of the person. Instead: " + rule.hint;
      break;
  }
  return out;
}

Ruling ask_because(std::string reason, std::string hint) {
  std::string told = with_hint(reason, hint);
  return {Answer::ask, "", "built in", std::move(reason), std::move(told)};
}

template <class Row>
Ruling ruling_of(const PackHit<Row>& hit, std::string_view what) {
  if (hit.row == nullptr) return {};
  Answer answer = hit.may && hit.row->answer == Answer::deny ? Answer::ask : hit.row->answer;
  std::string reason(hit.row->reason);
  if (hit.may) reason = "depending on what is only known when it runs, " + reason;
  return {answer, std::string(what), std::string(kOfPack) + std::string(hit.pack->name), reason,
          with_hint(reason, hit.row->hint)};
}
template Ruling ruling_of(const PackHit<PackCommand>&, std::string_view);
template Ruling ruling_of(const PackHit<PackPath>&, std::string_view);
template Ruling ruling_of(const PackHit<PackCode>&, std::string_view);

void keep_stricter(Ruling& best, Ruling other) {
  if (other.answer > best.answer) best = std::move(other);
}

void Rulings::count(const Ruling& ruling) {
  if (ruling.answer >= Answer::ask && ruling.answer > decision_.answer) decide_by(ruling);
  if (ruling.answer == Answer::allow && first_allow_.answer == Answer::open) first_allow_ = ruling;
}

void Rulings::decide_by(const Ruling& ruling) {
  decision_.answer = ruling.answer;
  decision_.rule = ruling.rule;
  decision_.origin = ruling.origin;
  decision_.reason = ruling.reason;
  decision_.told = ruling.told;
}

void Rulings::add_all(Rulings others) {
  Decision& found = others.decision_;
  std::ranges::move(found.parts, std::back_inserter(decision_.parts));
  add_hidden(found.hidden);
  if (found.answer < Answer::ask || found.answer <= decision_.answer) return;
  found.parts = std::move(decision_.parts);
  found.hidden = std::move(decision_.hidden);
  decision_ = std::move(found);
}

void Rulings::take_allow() {
  if (first_allow_.answer != Answer::allow) return;
  decide_by(first_allow_);
  decision_.told.clear();
}

std::string show(const shell::Word& word) {
  std::string out;
  size_t at = 0;
  for (const shell::Word::Gap& gap : word.gaps) {
    out.append(word.text, at, gap.at - at);
    out += gap.kind == shell::Word::Gap::Kind::name ? "*" : "…";
    at = gap.at;
  }
  out += word.text.substr(at);
  if (out.size() > kMostShown) out = out.substr(0, kMostShown) + "…";
  return text::quote(out);
}

namespace {

// What quoting would leave as it is.
bool is_plain(const shell::Word& word) {
  return word.gaps.empty() && !word.text.empty() && word.text.size() <= kMostShown &&
         std::all_of(word.text.begin(), word.text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '.' || c == '/' || c == '_' || c == '=';
         });
}

}  // namespace

std::string show_words(const std::vector<shell::Word>& words) {
  std::string out;
  for (const shell::Word& word : words) {
    if (out.size() > kMostShown) return out + " …";
    if (!out.empty()) out += ' ';
    out += is_plain(word) ? word.text : show(word);
  }
  return out;
}

}  // namespace ringwall::gate
