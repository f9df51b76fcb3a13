#include "policy/risk_order.h"

#include "policy/numbers.h"

namespace ringwall::policy {
namespace {

struct Threshold {
  std::string_view key;
  const Number* number;

  uint64_t value() const { return number->or_host(kNoLimit); }
  std::string shown() const { return show_number(Shape::share, value()); }
};

Disorder describe(const Threshold& lower, const Threshold& higher) {
  bool is_lower = lower.number->origin.layer > higher.number->origin.layer;
  const Threshold& said = is_lower ? lower : higher;
  const Threshold& other = is_lower ? higher : lower;
  std::string what = std::string(said.key) + " " + said.shown() + ": levels rise, and " +
                     std::string(other.key) + " is " + other.shown() + " (" +
                     other.number->origin.text() + ")";
  std::string hint = "write " + std::string(lower.key) + " = " + higher.shown() + " or less, or " +
                     std::string(higher.key) + " = " + lower.shown() + " or more";
  return {{field_by_key(said.key), said.value(), said.number->origin}, what, hint};
}

}  // namespace

std::optional<Disorder> find_disorder(const Policy::Risk& risk) {
  const Threshold thresholds[] = {{"risk.caution", &risk.caution},
                                  {"risk.restricted", &risk.restricted},
                                  {"risk.isolated", &risk.isolated},
                                  {"risk.killed", &risk.killed}};
  const Threshold* lower = nullptr;
  for (const Threshold& higher : thresholds) {
    if (higher.value() == kNoLimit) continue;
    if (lower != nullptr && higher.value() < lower->value()) return describe(*lower, higher);
    lower = &higher;
  }
  return std::nullopt;
}

}  // namespace ringwall::policy
