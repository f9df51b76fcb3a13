// How an item of the quarantine is shown: every byte of it was chosen by an agent, so nothing
// reaches the terminal that it obeys.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "broker/quarantine_item.h"

namespace ringwall::cli {

std::string in_local_time(int64_t seconds);

// Where it lay and why it was taken, then the beginning of a file, the names in a folder, or where
// a link leads.
Status show_item(int store, const broker::Item& item);

}  // namespace ringwall::cli
