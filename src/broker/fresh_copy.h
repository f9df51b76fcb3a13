// Gives a file a new inode with the same content: whoever holds the old one open, or opened it in a
// moment when that was possible, holds something that nobody reads any more.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::broker {

// `name` in the folder `parent`, an ordinary file of one name and bounded size; owner and mode
// stay. Gives the new inode. `text`, if given, takes the place of the content.
Result<ino_t> put_fresh_copy(int parent, const std::string& name,
                             const std::string* text = nullptr);

}  // namespace ringwall::broker
