#include "policy/merge.h"

#include <algorithm>

#include "base/text.h"
#include "policy/programs.h"
#include "policy/risk_order.h"

namespace ringwall::policy {
namespace {

// The accessors of the table are for a policy that may be changed; nothing is changed here.
Policy& as_changeable(const Policy& policy) { return const_cast<Policy&>(policy); }

// True if the policy says so already.
bool holds_already(const Policy& policy, const Setting& setting) {
  Policy& now = as_changeable(policy);
  const Field& field = *setting.field;
  if (const auto* number = std::get_if<NumberOf>(&field.member))
    return number->of(now).value == std::get<uint64_t>(setting.value);
  if (const auto* on = std::get_if<SwitchOf>(&field.member))
    return (*on)(now).on == std::get<bool>(setting.value);
  const std::string& text = std::get<std::string>(setting.value);
  if (const auto* single = std::get_if<TextOf>(&field.member)) return (*single)(now).value == text;
  const auto& list = std::get<ListOf>(field.member)(now);
  return std::any_of(list.begin(), list.end(), [&](const Text& t) { return t.value == text; });
}

bool raises(const Policy& policy, const Setting& setting) {
  const Number& now = std::get<NumberOf>(setting.field->member).of(as_changeable(policy));
  uint64_t wanted = std::get<uint64_t>(setting.value);
  // Where the host decides, the plan takes the lower of both (Number::only_lowers).
  return now.value ? wanted > *now.value : wanted == kNoLimit;
}

// The choices of such a field stand in the order of what they forbid.
bool forbids_less(const Policy& policy, const Setting& setting) {
  auto choices = setting.field->shape == Shape::exec_mode ? exec_modes() : guard_kinds();
  auto place = [&](const std::string& choice) {
    return std::find(choices.begin(), choices.end(), choice) - choices.begin();
  };
  const Text& now = std::get<TextOf>(setting.field->member)(as_changeable(policy));
  return place(std::get<std::string>(setting.value)) < place(now.value);
}

std::string describe(const Setting& setting) {
  return std::string(setting.field->key) + " " + show_value(*setting.field, setting.value);
}

Refusal refuse(Refusal::Why why, const Setting& setting, std::string what, std::string hint) {
  const Origin& at = setting.origin;
  std::string place = at.text() + (at.column == 0 ? "" : ":" + std::to_string(at.column));
  return {why, setting, {place, std::move(what), std::move(hint), at.line, at.column}};
}

Refusal refuse_locked(const Setting& setting, const Lock& lock) {
  std::string of =
      lock.field == setting.field ? "" : " (by the lock on " + std::string(lock.field->key) + ")";
  return refuse(Refusal::Why::locked, setting,
                describe(setting) + ": the field is locked" + of + " by " + lock.origin.text(),
                "leave it out, or ask whoever administers this machine to change " +
                    text::quote(lock.origin.place));
}

Refusal refuse_foreign(const Setting& setting) {
  return refuse(Refusal::Why::foreign, setting,
                describe(setting) + ": a file that lies in the workspace cannot say this",
                "leave it out, or use the flag " + std::string(setting.field->flag));
}

Refusal refuse_wider(const Setting& setting) {
  return refuse(
      Refusal::Why::widens, setting,
      describe(setting) + ": what comes with the workspace can only narrow, and this " +
          (setting.field->widens || setting.field->narrowing != Narrowing::never
               ? "gives the run more"
               : "is yours to choose"),
      "leave it out, or grant it on purpose: ringwall trust " + text::quote(setting.origin.place));
}

class Merger {
 public:
  explicit Merger(std::span<const PolicyText> texts) {
    for (const PolicyText& text : texts)
      texts_.push_back(&text);
    std::stable_sort(texts_.begin(), texts_.end(),
                     [](const auto* a, const auto* b) { return a->layer < b->layer; });
    for (const PolicyText* text : texts_) {
      if (text->layer != Layer::organisation) continue;
      for (const Lock& lock : text->locks)
        locks_.push_back(&lock);
    }
  }

  Merged merge() {
    for (const PolicyText* text : texts_) {
      for (const Setting& setting : text->settings)
        take(*text, setting);
    }
    if (auto disorder = find_disorder(out_.policy.risk))
      out_.refusals.push_back(refuse(Refusal::Why::disorder, disorder->setting,
                                     std::move(disorder->what), std::move(disorder->hint)));
    return std::move(out_);
  }

 private:
  void take(const PolicyText& text, const Setting& setting) {
    const Lock* lock = text.layer > Layer::organisation ? lock_on(*setting.field) : nullptr;
    // What changes nothing may be said by anybody, and the first who said it stays its origin.
    if ((lock != nullptr || text.only_narrows) && holds_already(out_.policy, setting)) return;
    if (lock != nullptr) {
      auto& told = text.layer == Layer::profile ? out_.left_out : out_.refusals;
      return told.push_back(refuse_locked(setting, *lock));
    }
    if (text.layer == Layer::workspace && setting.field->narrowing == Narrowing::foreign)
      return out_.refusals.push_back(refuse_foreign(setting));
    if (text.only_narrows && gives_more(out_.policy, setting))
      return out_.refusals.push_back(refuse_wider(setting));
    bool only_lowers = text.only_narrows && is_default_limit(*setting.field);
    put(out_.policy, setting);
    if (only_lowers) std::get<NumberOf>(setting.field->member).of(out_.policy).only_lowers = true;
  }

  // The host has a word in every default: it can be lower than the number that is written here.
  bool is_default_limit(const Field& field) {
    const auto* number = std::get_if<NumberOf>(&field.member);
    return number != nullptr && number->of(out_.policy).origin.is_default();
  }

  const Lock* lock_on(const Field& field) const {
    for (const Lock* lock : locks_) {
      if (lock->field == &field || lock->field->key == field.undoes) return lock;
    }
    return nullptr;
  }

  std::vector<const PolicyText*> texts_;
  std::vector<const Lock*> locks_;
  Merged out_;
};

}  // namespace

bool gives_more(const Policy& policy, const Setting& setting) {
  switch (setting.field->narrowing) {
    case Narrowing::foreign:
    case Narrowing::never:
      return !holds_already(policy, setting);
    case Narrowing::adding:
      return false;
    case Narrowing::on:
      return !std::get<bool>(setting.value) && !holds_already(policy, setting);
    case Narrowing::off:
      return std::get<bool>(setting.value) && !holds_already(policy, setting);
    case Narrowing::lower:
      return raises(policy, setting);
    case Narrowing::later:
      return forbids_less(policy, setting);
  }
  return true;
}

Merged merge(std::span<const PolicyText> texts) { return Merger(texts).merge(); }

}  // namespace ringwall::policy
