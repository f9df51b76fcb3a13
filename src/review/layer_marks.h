// What overlayfs writes into a layer beside files: marks of what is deleted and replaced. The
// kernel keeps the inside from setting them: there user.overlay.x is stored under another name.
#pragma once

#include <sys/stat.h>

#include <map>
#include <string>

namespace ringwall::review {

enum class Opaque {
  no,
  yes,               // what the real folder holds does not shine through
  marked_whiteouts,  // it does, and files in it may be marked as whiteouts
};
Opaque read_opaque(int folder);

// "Deleted": a device with the number 0, or in a folder that says so an empty file with a mark.
bool is_whiteout(int folder, const std::string& name, const struct stat& seen, Opaque opaque);

// The attributes that belong to a file's state, without overlayfs's own and without those that the
// system gives a file by its place.
std::map<std::string, std::string> attributes_of(int fd);

}  // namespace ringwall::review
