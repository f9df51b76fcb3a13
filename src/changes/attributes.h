// What a file carries beside its bytes: mode, times and extended attributes that are its owner's.
// Set on the very inode that a descriptor names, also if that was opened with O_PATH.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "changes/entry.h"

namespace ringwall::changes {

// Those with "user.", and access lists, sorted; never those by which overlayfs marks its layers.
using Attributes = std::vector<std::pair<std::string, std::string>>;

// None where the filesystem, or this kind of file, has none.
Result<Attributes> read_attributes(int entry);
// The same for who may not name a file by its path: it was opened for reading.
Result<Attributes> read_attributes_of_open(int entry);
// As bytes, for who hands them to another process.
std::string pack(const Attributes& attributes);
Result<Attributes> unpack(std::string_view bytes);
// Makes them these; those that it has besides are removed.
Status write_attributes(int entry, const Attributes& wanted);

// Marks of overlayfs are taken off, so that the inode can lie in an ordinary tree. False if it has
// any other attribute that is not its owner's: a capability must not come along.
Result<bool> clean_attributes(int entry);

// setuid and setgid never; sticky only for folders.
uint32_t harmless_mode(EntryType type, uint32_t mode);

Status set_mode(int entry, uint32_t mode);
Status set_modified(int entry, int64_t nanoseconds);
Status set_modified_at(int folder, const std::string& name, int64_t nanoseconds);  // of a link too

// How the kernel takes a descriptor where only a path is taken.
std::string path_of(int entry);

}  // namespace ringwall::changes
