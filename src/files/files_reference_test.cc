#include "files/files_reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "files/hidden.h"
#include "files/protected.h"

namespace ringwall::files {

TEST(FilesReference, EveryNameIsOnItsPage) {
  std::string page = protected_page();
  for (const ProtectedEntry& entry : protected_entries()) {
    for (const std::string& pattern : text::split(entry.patterns, ' '))
      EXPECT_NE(page.find("`" + pattern + "`"), std::string::npos) << pattern;
  }
  page = hidden_page();
  for (const HiddenEntry& entry : hidden_entries()) {
    for (const std::string& pattern : text::split(entry.patterns, ' '))
      EXPECT_NE(page.find("`" + pattern + "`"), std::string::npos) << pattern;
  }
}

TEST(FilesReference, EntriesOfOneOwnerStandTogether) {
  std::set<std::string> headings;
  for (const std::string& line : text::split(protected_page(), '\n')) {
    if (line.starts_with("## ")) {
      EXPECT_TRUE(headings.insert(line).second) << line << " is there twice";
    }
  }
}

// A bar in a cell would end it.
TEST(FilesReference, RowsHaveTheColumnsOfTheirTable) {
  for (const std::string& page : {protected_page(), hidden_page()}) {
    size_t columns = 0;
    for (const std::string& line : text::split(page, '\n')) {
      if (!line.starts_with("|")) {
        columns = 0;
        continue;
      }
      size_t bars = static_cast<size_t>(std::count(line.begin(), line.end(), '|'));
      EXPECT_TRUE(columns == 0 || bars == columns) << line;
      columns = bars;
    }
  }
}

}  // namespace ringwall::files
