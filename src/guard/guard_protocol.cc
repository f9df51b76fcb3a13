#include "guard/guard_protocol.h"

#include "base/fixed_message.h"

namespace ringwall::guard {

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::none:
      return "none";
    case Kind::tracepoints:
      return "tracepoints";
    case Kind::lsm:
      return "lsm";
  }
  return "none";
}

Result<GuardRequest> parse_request(std::string_view bytes) {
  TRY_ASSIGN(GuardRequest request,
             fixed::parse<GuardRequest>(bytes, "a guard's client's", GuardRequest::Type::enforce));
  constexpr uint32_t kKnown = GuardRequest::kAllowList | GuardRequest::kSystem |
                              GuardRequest::kBuiltHere | GuardRequest::kAnonymous;
  if ((request.flags & ~kKnown) != 0 || request.least > static_cast<uint32_t>(Kind::lsm) ||
      request.denied > kMostDigests || request.allowed > kMostDigests ||
      request.named > kMostDigests)
    return fail("a guard's client's message is out of range");
  return request;
}

Result<GuardNotice> parse_notice(std::string_view bytes) {
  TRY_ASSIGN(GuardNotice notice,
             fixed::parse<GuardNotice>(bytes, "the guard's", GuardNotice::Type::refused));
  if (notice.kind > static_cast<uint32_t>(Kind::lsm)) return fail("the guard names no known kind");
  fixed::end_text(notice.program);
  fixed::end_text(notice.parent);
  fixed::end_text(notice.path);
  fixed::end_text(notice.text);
  return notice;
}

}  // namespace ringwall::guard
