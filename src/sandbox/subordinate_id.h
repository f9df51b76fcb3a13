// Ids of the host that an ordinary caller was given besides his own: /etc/subuid says which, and
// newuidmap, a setuid program of the host's, alone may map them for him.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::sandbox {

// By the content of /etc/subuid, where a person stands by name or by number.
std::optional<uid_t> first_subordinate_id(std::string_view subuid, const std::string& user,
                                          uid_t uid);

// The command that gives him a range that nobody has.
std::string command_for_subordinate_ids(std::string_view subuid, const std::string& user);

// The first one of the caller's. An error says by its hint what mends it.
Result<uid_t> find_subordinate_id(uid_t uid);

// Maps in the user namespace of `child`: `uid` to itself, and `as_root` so that it shows as 0.
Status map_subordinate_id(pid_t child, uid_t uid, uid_t as_root);

}  // namespace ringwall::sandbox
