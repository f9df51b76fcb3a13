// What git calls a file of this content by.
#pragma once

#include <string>
#include <string_view>

namespace ringwall {

// The bytes of its id: 20 in most repositories, 32 in those that are made for SHA-256.
std::string git_blob_id(std::string_view content, size_t id_size);

}  // namespace ringwall
