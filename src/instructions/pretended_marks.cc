#include "instructions/pretended_marks.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "instructions/hidden_characters.h"

namespace ringwall::instructions {
namespace {

constexpr size_t kLongestImage = 2048;  // as markdown writes it

struct Mark {
  std::string_view text;  // in small letters
  int weight;
};

constexpr Mark kMarks[] = {
    {"<|im_start|>", 5},
    {"<|im_end|>", 5},
    {"<|system|>", 5},
    {"<|user|>", 4},
    {"<|assistant|>", 4},
    {"<|endoftext|>", 3},
    {"<|start_header_id|>", 5},
    {"<|eot_id|>", 5},
    {"<|begin_of_text|>", 4},
    {"[inst]", 4},
    {"[/inst]", 4},
    {"<<sys>>", 5},
    {"<system-reminder>", 6},
    {"</system-reminder>", 6},
    {"<tool_result>", 5},
    {"</tool_result>", 6},
    {"</function_results>", 6},
    {"<function_results>", 6},
    {"<function_calls>", 6},
    {"</function_calls>", 6},
    {"<invoke name=", 5},
    {"</tool_response>", 5},
    {"<tool_call>", 5},
    {"<system>", 3},
    {"</system>", 3},
    {"<system_prompt>", 4},
    {"<user_query>", 4},
    {"<important>", 4},
    {"</important>", 4},
    {"[system]", 4},
    {"[system message]", 5},
    {"[system override]", 6},
    {"[system:", 5},
    {"<admin>", 3},
    {"[admin]", 3},
    {"[assistant]", 3},
    {"<assistant>", 3},
    {"<secret>", 3},
    {"[end of tool output]", 5},
    {"[end of document]", 4},
    {"[end of file]", 2},
    {"<human>", 3},
    {"#system:", 3},
    {"### system", 3},
    {"[developer message]", 4},
};

constexpr size_t kLongestMark =
    std::ranges::max(kMarks, {}, [](const Mark& mark) { return mark.text.size(); }).text.size();

// Between quotes: somebody writes about it.
bool is_quoted(std::string_view text, size_t at, size_t end) {
  constexpr std::string_view kQuotes = "\"'`";
  bool opens = at > 0 && kQuotes.find(text[at - 1]) != kQuotes.npos;
  bool is_in_string = at > 1 && text.substr(at - 2, 2) == "\\n";
  return (opens || is_in_string) && end < text.size() &&
         text.substr(end, 40).find_first_of(kQuotes) != text.npos;
}

}  // namespace

void find_fake_marks(std::string_view text, std::vector<Finding>& findings) {
  for (size_t at = text.find_first_of("<[#"); at < text.size();
       at = text.find_first_of("<[#", at + 1)) {
    std::string begin = text::in_small_letters(text.substr(at, kLongestMark));
    for (const Mark& mark : kMarks) {
      if (!begin.starts_with(mark.text)) continue;
      bool quoted = is_quoted(text, at, at + mark.text.size());
      findings.push_back({"marks that pretend to be the agent's own", excerpt_of(text, at), at,
                          quoted ? std::max(1, mark.weight - 4) : mark.weight});
      break;
    }
  }
}

void find_carrying_images(std::string_view text, std::vector<Finding>& findings) {
  for (size_t at = text.find("!["); at < text.size(); at = text.find("![", at + 2)) {
    std::string_view rest = text.substr(at, kLongestImage);
    size_t open = rest.find("](");
    if (open == rest.npos) continue;
    std::string_view address = rest.substr(open + 2);
    address = address.substr(0, address.find_first_of(")\n"));
    size_t query = address.find('?');
    bool fills =
        query != address.npos && address.substr(query).find_first_of("{<[$") != address.npos;
    if (fills && address.starts_with("http"))
      findings.push_back({"an image whose address is to carry data", excerpt_of(text, at), at, 4});
  }
}

}  // namespace ringwall::instructions
