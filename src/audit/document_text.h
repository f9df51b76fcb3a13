// Texts of office documents, by whether they are shown. Tags are told by their names without a
// prefix: which one stands for Word's names is up to the document.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace ringwall::audit {

struct DocumentText {
  std::string shown, hidden;
  std::set<std::string, std::less<>> hiding_styles;  // of Word, by their ids
  bool has_hidden_sheet = false;
  bool has_white_font = false;  // of cells
};

// A part of the archive, by its name. Styles are to be read before what uses them.
void read_document_part(std::string_view name, std::string_view xml, DocumentText& text);

bool is_document_part(std::string_view name);

}  // namespace ringwall::audit
