// Changes in words: sizes, modes, types and names, short and harmless on a terminal.
#pragma once

#include <cstdint>
#include <string>

#include "changes/change.h"

namespace ringwall::review {

std::string short_size(uint64_t bytes);  // "800", "12K", "1.4M"
std::string octal_mode(uint32_t mode);   // "0644"
std::string type_words(const changes::EntryFacts& facts);

// Quoted, with a slash behind a folder; of one that is very long the end.
std::string name_words(const std::string& path, const changes::EntryFacts& facts);

// "340", or "3.1K -> 3.4K"; empty for what has no size.
std::string size_words(const changes::Change& change);

// Both sides changed it: the real one has a later ctime than the run's start. Of a folder that says
// nothing, since whatever comes or goes in it changes its time.
bool was_changed_outside(const changes::Change& change, int64_t stamp);

}  // namespace ringwall::review
