// Whether a sanitizer of the compiler watches this build, which is one for tests then: it reserves
// terabytes of addresses.
#pragma once

namespace ringwall {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace ringwall
