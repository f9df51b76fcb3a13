#include "audit/document_text.h"

#include <algorithm>

#include "audit/text_encoding.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

constexpr size_t kMostText = 2u << 20;

// A tag: its name without a prefix, and the rest of it.
struct Tag {
  std::string_view name, rest;
  bool closes = false;    // </name>
  bool is_alone = false;  // <name/>
};

Tag read_tag(std::string_view inside) {
  Tag tag;
  tag.closes = inside.starts_with('/');
  if (tag.closes) inside.remove_prefix(1);
  tag.is_alone = inside.ends_with('/');
  size_t end = std::min(inside.find_first_of(" \t\r\n/"), inside.size());
  tag.name = inside.substr(0, end);
  tag.name.remove_prefix(tag.name.find(':') + 1);
  tag.rest = inside.substr(end);
  return tag;
}

// The value of an attribute, whatever its prefix and quotes.
std::string_view attribute(std::string_view rest, std::string_view name) {
  for (size_t at = rest.find(name); at != std::string_view::npos; at = rest.find(name, at + 1)) {
    bool is_start = at > 0 && std::string_view(" \t\r\n:").contains(rest[at - 1]);
    size_t equals = rest.find_first_not_of(" \t\r\n", at + name.size());
    if (!is_start || equals == std::string_view::npos || rest[equals] != '=') continue;
    size_t quote = rest.find_first_of("\"'", equals);
    if (quote == std::string_view::npos) return {};
    return rest.substr(quote + 1, rest.find(rest[quote], quote + 1) - quote - 1);
  }
  return {};
}

// White, or as good as white; with what stands for opaque before it in cells.
bool is_white(std::string_view colour) {
  if (colour.starts_with('#')) colour.remove_prefix(1);
  if (colour.size() == 8) colour.remove_prefix(2);
  if (colour.size() != 6) return false;
  for (size_t i = 0; i < 6; i += 2) {
    if (colour[i] != 'f' && colour[i] != 'F') return false;
  }
  return true;
}

bool is_off(const Tag& tag) {
  std::string_view value = attribute(tag.rest, "val");
  return value == "0" || value == "false" || value == "off";
}

bool is_ground_of_theme(std::string_view theme) {
  return theme == "background1" || theme == "light1" || theme == "bg1" || theme == "lt1";
}

// What the properties of a run or a style make of its text.
struct Looks {
  bool vanishes = false, is_white = false, has_ground = false, is_tiny = false;
  bool hides() const { return vanishes || is_tiny || (is_white && !has_ground); }

  void take(const Tag& tag) {
    if (tag.closes) return;
    if (tag.name == "vanish" || tag.name == "webHidden") vanishes = !is_off(tag);
    if (tag.name == "shd" || tag.name == "highlight") has_ground = true;
    if (tag.name == "color")
      is_white = audit::is_white(attribute(tag.rest, "val")) ||
                 is_ground_of_theme(attribute(tag.rest, "themeColor"));
    if (tag.name == "srgbClr") is_white = audit::is_white(attribute(tag.rest, "val"));
    if (tag.name == "schemeClr") is_white = is_ground_of_theme(attribute(tag.rest, "val"));
    std::string_view size = tag.name == "sz" ? attribute(tag.rest, "val") : "";
    is_tiny = is_tiny || size == "1" || size == "2" || size == "3" || size == "4";  // half points
    // Of slides: in hundredths of a point.
    std::string_view own = tag.name == "rPr" ? attribute(tag.rest, "sz") : "";
    is_tiny = is_tiny || (!own.empty() && own.size() <= 3 && own < "300");
  }
};

// Calls `tag` and `words` for what stands in a text of XML.
template <class OnTag, class OnWords>
void scan(std::string_view xml, OnTag on_tag, OnWords on_words) {
  for (size_t at = 0; at < xml.size();) {
    size_t open = std::min(xml.find('<', at), xml.size());
    if (open > at) on_words(xml.substr(at, open - at));
    if (open == xml.size()) return;
    size_t close = xml.find('>', open);
    if (close == std::string_view::npos) return;
    std::string_view inside = xml.substr(open + 1, close - open - 1);
    if (!inside.starts_with('?') && !inside.starts_with('!')) on_tag(read_tag(inside));
    at = close + 1;
  }
}

void append(std::string& out, std::string_view words) {
  if (out.size() < kMostText) out += words;
}

// Styles of Word that hide what has them.
void read_styles(std::string_view xml, DocumentText& text) {
  std::string id;
  Looks looks;
  scan(
      xml,
      [&](const Tag& tag) {
        if (tag.name == "style" && !tag.closes) {
          id = attribute(tag.rest, "styleId");
          looks = {};
        } else if (tag.name == "style") {
          if (looks.hides()) text.hiding_styles.insert(id);
        } else {
          looks.take(tag);
        }
      },
      [](std::string_view) {});
}

// Runs of Word and of slides: <r><rPr>…</rPr><t>words</t></r>, in paragraphs with a style.
void read_runs(std::string_view xml, DocumentText& text) {
  Looks looks;
  bool is_run = false, is_hidden_slide = false, is_hidden_paragraph = false;
  auto has_hiding_style = [&](const Tag& tag) {
    return text.hiding_styles.contains(attribute(tag.rest, "val"));
  };
  scan(
      xml,
      [&](const Tag& tag) {
        if (tag.name == "r" && !tag.is_alone) {
          if (!tag.closes) looks = {};
          if (tag.closes) append(looks.hides() ? text.hidden : text.shown, " ");
          is_run = !tag.closes;
        } else if (tag.name == "p" && !tag.closes) {
          is_hidden_paragraph = false;
        } else if (tag.name == "pStyle") {
          is_hidden_paragraph = has_hiding_style(tag);
        } else if (tag.name == "rStyle") {
          looks.vanishes = looks.vanishes || has_hiding_style(tag);
        } else if (tag.name == "sld") {
          is_hidden_slide = attribute(tag.rest, "show") == "0";
        } else if (is_run) {
          looks.take(tag);
        }
      },
      [&](std::string_view words) {
        if (!is_run) return;
        bool hides = looks.hides() || is_hidden_paragraph || is_hidden_slide;
        append(hides ? text.hidden : text.shown, words);
      });
}

// OpenDocument: styles that hide, and spans and paragraphs of these styles.
void read_open_document(std::string_view xml, DocumentText& text) {
  std::set<std::string, std::less<>> hiding;
  std::string style;
  bool hides = false;
  size_t hidden_depth = 0, depth = 0;
  scan(
      xml,
      [&](const Tag& tag) {
        if (tag.name == "style") {
          if (tag.closes && hides) hiding.insert(style);
          if (!tag.closes) style = attribute(tag.rest, "name");
          hides = false;
        }
        bool is_white_text = is_white(attribute(tag.rest, "color")) &&
                             attribute(tag.rest, "background-color").empty();
        if (tag.name == "text-properties")
          hides = hides || is_white_text || attribute(tag.rest, "display") == "none";
        bool is_text = tag.name == "span" || tag.name == "p" || tag.name == "h";
        if (!is_text || tag.is_alone) return;
        if (tag.closes) {
          if (depth == hidden_depth) hidden_depth = 0;
          depth -= depth > 0 ? 1 : 0;
          append(text.hidden, " ");
          append(text.shown, " ");
        } else {
          depth++;
          bool is_hidden = hiding.contains(attribute(tag.rest, "style-name"));
          if (is_hidden && hidden_depth == 0) hidden_depth = depth;
        }
      },
      [&](std::string_view words) {
        if (depth > 0) append(hidden_depth > 0 ? text.hidden : text.shown, words);
      });
}

// Texts of cells stand apart from the sheets: those of a workbook with a hidden one may be on it.
void read_workbook(std::string_view name, std::string_view xml, DocumentText& text) {
  bool is_font = false;
  scan(
      xml,
      [&](const Tag& tag) {
        std::string_view state = tag.name == "sheet" ? attribute(tag.rest, "state") : "";
        if (state == "hidden" || state == "veryHidden") text.has_hidden_sheet = true;
        if (tag.name == "font") is_font = !tag.closes;
        bool is_white_font =
            is_font && tag.name == "color" &&
            (is_white(attribute(tag.rest, "rgb")) || attribute(tag.rest, "theme") == "0");
        text.has_white_font = text.has_white_font || is_white_font;
      },
      [&](std::string_view words) {
        if (name != "xl/styles.xml" && name != "xl/workbook.xml") append(text.shown, words);
      });
  append(text.shown, " ");
}

}  // namespace

bool is_document_part(std::string_view name) {
  if (!name.ends_with(".xml") || name.contains("theme")) return false;
  return name == "content.xml" || name == "styles.xml" || name.starts_with("word/") ||
         name.starts_with("ppt/slides/") || name.starts_with("ppt/notesSlides/") ||
         name == "xl/workbook.xml" || name == "xl/styles.xml" || name == "xl/sharedStrings.xml" ||
         name.starts_with("xl/comments");
}

void read_document_part(std::string_view name, std::string_view xml, DocumentText& text) {
  std::string decoded = decode_utf16(xml);
  if (!decoded.empty()) xml = decoded;
  if (name == "word/styles.xml") return read_styles(xml, text);
  if (name.starts_with("word/") || name.starts_with("ppt/")) return read_runs(xml, text);
  if (name.starts_with("xl/")) return read_workbook(name, xml, text);
  read_open_document(xml, text);
}

}  // namespace ringwall::audit
