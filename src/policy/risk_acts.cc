#include "policy/risk_acts.h"

namespace ringwall::policy {
namespace {

constexpr std::string_view kActs[] = {"refuse-unanswered",
                                      "refuse-new-destinations",
                                      "refuse-new-programs",
                                      "cut-network",
                                      "freeze",
                                      "kill"};

}  // namespace

std::span<const std::string_view> risk_acts() { return kActs; }

}  // namespace ringwall::policy
