// Which system calls name a file, where the name lies and what is wanted with it: one table, from
// which the filter of a run that learns and the reader of its calls are made. Pure.
#pragma once

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ringwall::calls {

struct FileCall {
  enum class Want : uint32_t {
    look = 1,  // is it there, where does it lead
    read,
    execute,
    write,    // it, or a new one in its place
    make,     // a new one where none is
    remove,   // the one that is there
    connect,  // to a socket; what lies there is an address of a socket, not a text
  };
  Want want;
  int folder = AT_FDCWD;  // a descriptor of the caller's, from which a relative name starts
  uint64_t name = 0;      // the address of a text
  uint64_t length = 0;    // of an address of a socket
};

// Nothing if the call names no file, or is not one of the table.
std::optional<FileCall> decode_file_call(const seccomp_data& call);

// What catches the calls of the table, to be put before others. Expects the number loaded, and
// leaves it so.
std::vector<sock_filter> file_calls_filter();

}  // namespace ringwall::calls
