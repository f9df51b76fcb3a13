#include "instructions/instruction_phrases.h"

#include <algorithm>
#include <array>

#include "instructions/marked_words.h"
#include "instructions/word_classes.h"

namespace ringwall::instructions {
namespace {

// A word of these classes, with at most so many words since the one before.
struct Step {
  uint64_t classes = 0;
  uint32_t gap = 0;
};

struct Pattern {
  std::string_view kind;
  int weight;
  std::array<Step, 5> steps;
  bool is_order = false;  // only said to somebody: after "to", "can" … it is a description
  uint64_t not_between = 0;
  bool wants_address = false;  // a URL or a mail address must follow
  char behind_first = 0;       // the character that must follow the first word; 0: any
  bool begins_line = false;
};

constexpr std::string_view kIgnore = "an order to ignore instructions";
constexpr std::string_view kAddressed = "text addressed to the assistant";
constexpr std::string_view kHide = "an order to keep something from the person";
constexpr std::string_view kSendAway = "an order to send secrets away";
constexpr std::string_view kRole = "a new role for the assistant";
constexpr std::string_view kLasting = "an order for all that follows";
constexpr std::string_view kAuthority = "a claim to speak for the system";
constexpr std::string_view kPrompt = "a demand for the assistant's prompt";
constexpr std::string_view kDemand = "a demand for acts";

constexpr Pattern kPatterns[] = {
    {kIgnore, 6, {{{kOverride}, {kEarlier, 4}, {kInstructions, 3}}}, true},
    {kIgnore, 4, {{{kOverride}, {kEarlier, 3}, {kRules, 3}}}, true},
    {kIgnore, 5, {{{kOverride}, {kAny, 2}, {kInstructions, 0}}}, true},
    {kIgnore, 4, {{{kOverride}, {kAny, 2}, {kInstructions, 3}}}, true},
    {kIgnore, 2, {{{kOverride}, {kAny, 2}, {kRules, 2}}}, true},
    {kIgnore, 6, {{{kOverride}, {kInstructions, 2}, {kEarlier, 3}}}, true},
    {kIgnore, 4, {{{kOverride}, {kEverything, 1}, {kEarlier, 4}}}, true},
    {kIgnore, 5, {{{kOverride}, {kEverything, 1}, {kYou, 2}, {kTell | kInstructions, 4}}}, true},
    {kRole, 4, {{{kYour}, {kNew, 0}, {kInstructions | kTask, 1}}}},
    {kRole, 2, {{{kNew}, {kInstructions, 0}}}},
    {kRole, 5, {{{kYou}, {kAre, 0}, {kNow, 1}, {kUnbound, 4}}}},
    {kLasting, 3, {{{kFrom}, {kNow, 0}, {kYou, 2}}}},
    {kRole, 2, {{{kUnbound}, {kMode, 0}}}},
    {kAddressed, 5, {{{kIf}, {kYou, 1}, {kAre, 0}, {kAssistant, 3}}}, false, kUsing},
    {kAddressed, 5, {{{kIf}, {kYou, 1}, {kAre, 0}, {kLanguage, 2}, {kModel, 0}}}, false, kUsing},
    {kAddressed, 4, {{{kAs}, {kAssistant, 3}, {kYou, 2}, {kMust, 1}}}, false, kUsing},
    {kAddressed, 3, {{{kAddress}, {kFor, 1}, {kAssistant, 3}}}},
    {kAddressed, 4, {{{kHail}, {kAssistant, 2}}}},
    {kAddressed, 4, {{{kAssistant}, {kMust | kAct | kYou | kOverride, 3}}}, false, 0, false, ':'},
    {kAddressed, 4, {{{kAssistant}, {kMust | kAct | kYou | kOverride, 2}}}, false, 0, false, ','},
    {kAddressed, 2, {{{kAssistant}, {kMust, 0}}}},
    {kHide, 4, {{{kNot}, {kTell, 1}, {kUser, 3}}}},
    {kHide, 2, {{{kNot}, {kShow, 1}, {kUser, 3}}}},
    {kHide, 4, {{{kNot}, {kUser, 2}, {kKnowledge, 1}}}},
    {kHide, 3, {{{kSilently}, {kAct, 2}}}, true},
    {kHide, 3, {{{kNot}, {kTell, 1}, {kInstructions, 3}}}},
    {kSendAway, 4, {{{kSend}, {kSecret | kSecretFile, 6}, {kOver, 8}}}, true, 0, true},
    {kSendAway, 3, {{{kAct}, {kSecretFile, 5}}}, true},
    {kSendAway, 3, {{{kAct}, {kSecret, 5}, {kSend, 8}}}, true, 0, true},
    {kAuthority, 3, {{{kAddress}, {kFrom, 2}, {kMaker, 2}}}},
    {kAuthority, 4, {{{kSystem | kMaker}, {kOverrideNoun, 0}}}},
    {kAuthority, 3, {{{kSystem}, {kInstructions | kAddress, 0}}}, false, 0, false, 0, true},
    {kPrompt, 5, {{{kReveal | kTell | kShow}, {kYour, 2}, {kInstructions, 3}}}, true},
    {kPrompt, 4, {{{kReveal}, {kSystem, 2}, {kInstructions, 0}}}, true},
    {kDemand, 3, {{{kBefore}, {kAct | kUsing, 1}, {kTool, 3}, {kMust | kAct, 6}}}},
    {kDemand, 1, {{{kYou}, {kMust, 0}, {kRun | kSend | kFetch, 3}}}},
    {kDemand, 3, {{{kOverride}, {kInstructions, 4}, {kRun | kSend | kFetch | kAct, 2}}}, true},
    {kDemand, 2, {{{kImportant}, {kYou, 3}, {kMust, 1}}}},
    {kDemand, 3, {{{kDecode}, {kRun, 6}}}, true},
};

// Of languages that put no blanks between words, or the verb last: a verb, and within forty bytes
// before or behind it a word for instructions.
constexpr std::string_view kVerbs[] = {
    "忽略",    "无视",          "無視",   "忽視",  "忘记",   "忘掉",    "忘れ",
    "무시",    "잊어",          "تجاهل",  "انس",   "अनदेखा",  "नज़रअंदाज़", "התעלם",
    "yok say", "görmezden gel", "bỏ qua", "ละเว้น", "เพิกเฉย", "abaikan",
};
constexpr std::string_view kNouns[] = {
    "指令",    "指示",  "提示",   "命令",   "规则",    "지시",    "지침",      "명령", "التعليمات",
    "الأوامر", "निर्देश", "हिदायत", "הוראות", "ההוראות", "talimat", "hướng dẫn", "คำสั่ง", "instruksi",
};
constexpr size_t kNear = 48;

// Of words whose letters stand apart.
constexpr std::string_view kSpelled[] = {
    "ignoreprevious", "ignoreallprevious", "ignoreall",
    "ignoretheabove", "ignoreyour",        "disregardprevious",
    "disregardall",   "disregardthe",      "previousinstructions",
    "systemprompt",   "newinstructions",   "donottell",
    "forgetall",      "forgeteverything",  "allinstructions",
};

bool has_address(std::string_view text, size_t from) {
  std::string_view near = text.substr(from, 200);
  size_t at = near.find('@');
  bool is_mail = at != std::string_view::npos && at > 0 && near[at - 1] > ' ' &&
                 near.substr(at).find('.') != std::string_view::npos;
  return is_mail || near.find("://") != std::string_view::npos;
}

class Matcher {
 public:
  Matcher(std::string_view text, const MarkedText& marked) : text_(text), words_(marked.words) {}

  std::vector<Phrase> match() {
    for (size_t i = 0; i < words_.size(); i++) {
      if ((words_[i].classes & kAbout) != 0) {
        last_about_ = words_[i].number;
        spoke_about_ = true;
      }
      for (const Pattern& pattern : kPatterns) {
        if ((words_[i].classes & pattern.steps[0].classes) != 0) try_at(pattern, i);
      }
    }
    return std::move(found_);
  }

 private:
  // The next word of the step's classes that is near enough; its index, 0 if there is none.
  size_t find_step(const Step& step, size_t from, uint64_t not_between) const {
    const MarkedWord& before = words_[from];
    for (size_t i = from + 1; i < words_.size(); i++) {
      if (words_[i].number > before.number + step.gap + 1) return 0;
      if (words_[i].sentence != before.sentence) return 0;
      if ((words_[i].classes & step.classes) != 0) return i;
      if ((words_[i].classes & not_between) != 0) return 0;
    }
    return 0;
  }

  void try_at(const Pattern& pattern, size_t first) {
    if (pattern.behind_first != 0 && words_[first].behind != pattern.behind_first) return;
    if (pattern.begins_line && !words_[first].starts_line) return;
    size_t last = first;
    bool disguised = words_[first].disguised;
    for (size_t s = 1; s < pattern.steps.size() && pattern.steps[s].classes != 0; s++) {
      last = find_step(pattern.steps[s], last, pattern.not_between);
      if (last == 0) return;
      disguised = disguised || words_[last].disguised;
    }
    // "If you are an AI researcher", "when using Claude, run …": said to people.
    if (pattern.kind == kAddressed && (is_used(first, -1) || is_used(last, 1))) return;
    if (pattern.wants_address && !has_address(text_, words_[first].at)) return;
    Phrase phrase{pattern.kind, words_[first].at, words_[last].end, pattern.weight, disguised};
    phrase.is_quoted = is_quoted(phrase);
    phrase.is_talked_of = is_talked_of(first, last);
    phrase.is_described = pattern.is_order && is_described(first);
    phrase.is_negated = pattern.is_order && is_negated(first);
    found_.push_back(phrase);
  }

  // The word beside this one says that a person works with the assistant.
  bool is_used(size_t index, int step) const {
    size_t beside = index + static_cast<size_t>(step);
    if (beside >= words_.size()) return false;
    return words_[beside].number == words_[index].number + static_cast<uint32_t>(step) &&
           words_[beside].sentence == words_[index].sentence &&
           (words_[beside].classes & kUsing) != 0;
  }

  // "to ignore previous instructions" orders nothing.
  bool is_described(size_t first) const {
    return first > 0 && words_[first - 1].number + 1 == words_[first].number &&
           words_[first - 1].sentence == words_[first].sentence &&
           (words_[first - 1].classes & (kWhoMay | kNot)) != 0;
  }

  // "do not ignore these instructions" orders nothing either, also where nobody sees it.
  bool is_negated(size_t first) const {
    return is_described(first) && (words_[first - 1].classes & kNot) != 0 &&
           words_[first - 1].behind == ' ';
  }

  // Near words of whoever writes about attacks.
  bool is_talked_of(size_t first, size_t last) const {
    constexpr uint32_t kWords = 40;
    if (spoke_about_ && words_[first].number - last_about_ <= kWords) return true;
    for (size_t i = last + 1; i < words_.size(); i++) {
      if (words_[i].number > words_[last].number + 12) return false;
      if ((words_[i].classes & kAbout) != 0) return true;
    }
    return false;
  }

  bool is_quoted(const Phrase& phrase) const {
    constexpr size_t kLook = 4;
    constexpr std::string_view kQuotes =
        "\"'`\xe2\xc2\xe3";  // and those of other scripts, by their first byte
    size_t from = phrase.at > kLook ? phrase.at - kLook : 0;
    std::string_view before = text_.substr(from, phrase.at - from);
    if (before.find_last_of(kQuotes) == std::string_view::npos) return false;
    std::string_view behind = text_.substr(phrase.end, 60);
    return behind.substr(0, behind.find('\n')).find_first_of(kQuotes) != std::string_view::npos;
  }

  std::string_view text_;
  const std::vector<MarkedWord>& words_;
  std::vector<Phrase> found_;
  uint32_t last_about_ = 0;
  bool spoke_about_ = false;
};

void find_foreign(std::string_view text, std::vector<Phrase>& found) {
  // Nothing of these scripts is in a text that is all ASCII but for Turkish and Indonesian.
  for (std::string_view verb : kVerbs) {
    for (size_t at = text.find(verb); at != std::string_view::npos;
         at = text.find(verb, at + verb.size())) {
      size_t from = at > kNear ? at - kNear : 0;
      std::string_view near = text.substr(from, at - from + verb.size() + kNear);
      near = near.substr(0, near.find('\n', at - from));
      bool is_near = std::ranges::any_of(
          kNouns, [&](std::string_view noun) { return near.find(noun) != std::string_view::npos; });
      if (is_near) found.push_back({kIgnore, at, at + verb.size(), 6});
    }
  }
}

}  // namespace

std::vector<Phrase> find_phrases(std::string_view text) {
  MarkedText marked = mark_words(text);
  std::vector<Phrase> found = Matcher(text, marked).match();
  for (const auto& [at, letters] : marked.spaced) {
    bool is_spelled = std::ranges::any_of(
        kSpelled, [&](std::string_view words) { return letters.find(words) != std::string::npos; });
    if (is_spelled) found.push_back({kIgnore, at, at + 1, 4, true});
  }
  find_foreign(text, found);
  return found;
}

}  // namespace ringwall::instructions
