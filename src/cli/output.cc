#include "cli/output.h"

#include <unistd.h>

#include <cstdlib>

namespace ringwall::cli {

bool wants_colours(FILE* stream) {
  const char* no_color = getenv("NO_COLOR");
  const char* term = getenv("TERM");
  bool dumb = term != nullptr && std::string_view(term) == "dumb";
  return isatty(fileno(stream)) != 0 && (no_color == nullptr || *no_color == '\0') && !dumb;
}

void complain(std::string_view what, std::string_view hint) {
  tell(events::Refused{"", std::string(what), std::string(hint)}, false);
}

void complain(const Error& error) { complain(error.text(), error.hint); }

void tell(const events::Event& event, bool json) {
  fputs(line_of(event, json, wants_colours(stderr)).c_str(), stderr);
}

std::string line_of(const events::Event& event, bool json, bool colours) {
  std::string line = json ? events::to_json(event) : events::to_text(event, colours);
  return line.empty() ? line : line + '\n';
}

Style style_for(FILE* stream) {
  if (!wants_colours(stream)) return {};
  return {"\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"};
}

}  // namespace ringwall::cli
