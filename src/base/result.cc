#include "base/result.h"

#include <cstring>

namespace ringwall {

std::string Error::text() const {
  if (err == 0) return what;
  return what + ": " + strerror(err);
}

}  // namespace ringwall
