// Office documents: text that is there and is not shown.
#include <map>

#include "audit/checks.h"
#include "audit/document_text.h"
#include "audit/zip_reader.h"
#include "instructions/result_scan.h"

namespace ringwall::audit {
namespace {

bool gives_orders(const std::string& text) {
  return instructions::is_worth_telling(instructions::scan_result(text));
}

}  // namespace

void check_document(const RepositoryFile& file, Reporter& reporter) {
  // Styles first, which the others refer to.
  std::map<std::string, std::string> styles, parts;
  Status read =
      read_zip(file.content, is_document_part, [&](std::string_view name, std::string_view xml) {
        bool is_style = name.ends_with("styles.xml");
        (is_style ? styles : parts)[std::string(name)] = xml;
      });
  if (!read) {
    reporter.add("RW228", file.path, 0, read.error().what);
    return;
  }
  DocumentText text;
  for (const auto* group : {&styles, &parts}) {
    for (const auto& [name, xml] : *group)
      read_document_part(name, xml, text);
  }
  bool may_hide_cells = text.has_hidden_sheet || text.has_white_font;
  // As hidden as a comment: an order in it weighs as much.
  if (gives_orders("<!-- " + text.hidden + " -->")) {
    reporter.add("RW225", file.path, 0, text.hidden);
  } else if (may_hide_cells && gives_orders("<!-- " + text.shown + " -->")) {
    reporter.add("RW225", file.path, 0, "an order in a workbook with a hidden sheet or white text");
  } else if (gives_orders(text.shown)) {
    reporter.add("RW227", file.path, 0, "an order for the assistant in the document's text");
  }
}

}  // namespace ringwall::audit
