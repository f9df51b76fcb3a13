// What a person sees at the end of a run under review: on one screen, what runs outside later on
// top, then what was added, changed, deleted and renamed, and what can be done now.
#pragma once

#include <string>
#include <vector>

#include "events/event.h"
#include "review/whole_review.h"

namespace ringwall::review {

struct SummaryShape {
  size_t most_lines = 20;  // of changes; what is beyond is counted
  bool colours = false;
};

// Lines with their ends; a folder that was added or deleted is one line with all that it holds.
std::string summarize(const Review& review, const std::vector<ReviewedTree>& trees,
                      const SummaryShape& shape);

events::FilesChanged files_changed(const Review& review, const std::vector<ReviewedTree>& trees);

// "3 added (12K), 5 changed, 1 renamed"; "nothing changed".
std::string count_words(const ChangeCounts& counts);
// The numbers alone; of folders and times, if there is nothing else.
std::string file_words(const ChangeCounts& counts);

}  // namespace ringwall::review
