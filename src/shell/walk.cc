#include "shell/walk.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "shell/known_output.h"
#include "shell/rough.h"
#include "shell/skeleton.h"
#include "shell/value.h"
#include "shell/walk_inside.h"

namespace ringwall::shell {
namespace {

// What a person or an agent writes is far below these.
constexpr size_t kLargestText = 8 * 1024 * 1024;
constexpr long kMostExpansions = 16 * 1024;
constexpr int kDeepestCode = 10;
constexpr size_t kMostWork = 20000;
constexpr size_t kMostDoubts = 64;

// Here-documents as blanks, so that every byte keeps its place.
std::string with_blank_documents(std::string_view original,
                                 const std::vector<HereDocument>& documents) {
  std::string text(original);
  for (const HereDocument& document : documents) {
    text[document.at] = '<';
    std::fill(text.begin() + static_cast<long>(document.at) + 1,
              text.begin() + static_cast<long>(document.after), kDocumentByte);
    std::fill(text.begin() + static_cast<long>(document.from),
              text.begin() + static_cast<long>(document.end), ' ');
  }
  return text;
}

}  // namespace

Walk::Walk(const Surroundings& surroundings, Analysis& analysis)
    : surroundings_(surroundings), analysis_(analysis), state_(surroundings) {}

void Walk::run(std::string_view command) {
  walk_code(command, 0, std::nullopt);
  walk_uncalled_functions();
  if (!is_cut_) return;
  // The rest may hold anything, so all of it is gone through once more, roughly.
  is_cut_ = false;
  spent_ = 0;
  most_acts_ = analysis_.acts.size() + kMostActs;
  state_ = State(surroundings_);
  guess_at(command, {0, static_cast<uint32_t>(command.size())});
  analysis_.has_unseen |= is_cut_;
}

const Script* Walk::read(std::string_view code, uint32_t shift, std::optional<Place> place) {
  Place whole = place.value_or(Place{shift, shift + static_cast<uint32_t>(code.size())});
  auto give_up = [&](std::string why) -> const Script* {
    doubt_at(std::move(why), whole);
    // What stands in the command itself is found there again. Guesses in guesses have an end.
    if (place && code_depth_ < kDeepestCode * 2) {
      guess_at(code, whole);
    } else {
      is_cut_ = true;
    }
    return nullptr;
  };
  if (code.size() > kLargestText) return give_up("too long to be read");
  if (code.find('\0') != code.npos) return give_up("a byte that no command can hold");
  if (code_depth_ > kDeepestCode || !spend(1 + code.size() / 1024))
    return give_up("commands in commands, too many or too deep to be read");
  Nesting nesting = nesting_of(code);
  if (nesting.too_deep) return give_up("nested too deeply to be read");
  Script script{.original = std::string(code),
                .text = with_blank_documents(code, nesting.documents),
                .documents = std::move(nesting.documents),
                .shift = shift,
                .place = place};
  for (const HereDocument& document : script.documents) {
    if (!document.ended) doubt_at("a here-document without its end", whole);
  }
  Skeleton skeleton = skeleton_of(script.text);
  auto expands = [](char c) { return c == '$' || c == '`'; };
  if (!skeleton.is_whole || std::ranges::count_if(script.text, expands) > kMostExpansions)
    return give_up("too long to be read");
  ParseResult parsed = parser_.parse(skeleton.text);
  if (!parsed.tree)
    return give_up(parsed.why == NoTree::too_slow ? "takes too long to be read"
                                                  : "nested too deeply to be read");
  script.tree = std::move(*parsed.tree);
  for (Node& one : script.tree.nodes) {
    one.from = skeleton.places[one.from];
    one.to = skeleton.places[one.to];
  }
  scripts_.push_back(std::move(script));
  return &scripts_.back();
}

void Walk::walk_code(std::string_view code, uint32_t shift, std::optional<Place> place) {
  const Script* script = read(code, shift, place);
  if (script == nullptr) return;
  Inside inside(*this);
  script_ = script;
  size_t doubts = analysis_.doubts.size();
  walk(0);
  if (script->tree.has_errors && analysis_.doubts.size() == doubts)
    doubt("not understood as a shell command", 0, code.size());
}

// Code that a program in this text gets: sh -c, eval, a here-document for a shell …
void Walk::walk_inner_code(const Word& code, const Call& around, std::string_view through) {
  Inside inside(*this);
  through_ = around.through;
  through_.emplace_back(through);
  around_ = around.assignments;
  elsewhere_ = around.elsewhere;
  certain_ = around.certain;
  if (!code.literal()) {
    certain_ = false;
    doubt_at("a part of the code is only known when it runs: " + shown(code), around.place);
  }
  walk_code(to_code(code), 0, around.place);
}

// Nobody called them here, but a trap, a prompt or an export can.
void Walk::walk_uncalled_functions() {
  std::vector<std::pair<std::string, Function>> left(state_.functions.begin(),
                                                     state_.functions.end());
  for (const auto& [name, function] : left) {
    if (std::ranges::find(called_, name) != called_.end()) continue;
    Call call{.place = {0, 0}};
    Inside inside(*this);
    certain_ = false;
    call.words = {literal_word(name)};
    script_ = function.script;
    walk(function.body);
  }
}

void Walk::guess_at(std::string_view code, Place place) {
  if (!spend(1 + code.size() / 1024)) return;
  RoughLook look = rough_commands(code);
  is_cut_ |= !look.is_whole;
  for (std::vector<Word>& words : look.commands) {
    Call call{.words = words, .as_written = words, .through = through_, .place = place};
    call.certain = false;
    call.folder = state_.folder;
    call.elsewhere = elsewhere_;
    call.depth = kDeepestCode - 2;
    resolve(std::move(call));
  }
}

Substituter::Found Walk::look_into(std::string_view code, size_t at, bool is_exact) {
  if (spent_ > kMostWork) return {.output = unknown_word(), .acts = {}};
  if (seen_ != nullptr) {
    for (const Seen& seen : *seen_) {
      if (seen.script == script_ && seen.at == at) return seen.found;
    }
  }
  size_t first = analysis_.acts.size(), first_doubt = analysis_.doubts.size();
  Place place = place_of(at, at + code.size());
  {
    State before = state_;
    spend(state_.size() / 8 + 4);
    std::vector<Seen>* seen = seen_;
    Inside inside(*this);
    feeds_.clear();
    input_.reset();
    bool has_place = script_->place.has_value() || !is_exact;
    walk_code(code, place.first, has_place ? std::optional(place) : std::nullopt);
    state_ = std::move(before);
    seen_ = seen;
  }
  Found found{.output = output_of(first, first_doubt), .acts = {}};
  for (size_t i = first; i < analysis_.acts.size(); i++)
    found.acts.push_back(i);
  if (seen_ != nullptr) seen_->push_back({script_, at, found});
  return found;
}

// What the acts since then print, if it is known without running them.
Word Walk::output_of(size_t first_act, size_t first_doubt) const {
  bool is_one = analysis_.acts.size() == first_act + 1 && analysis_.doubts.size() == first_doubt;
  if (!is_one || !analysis_.acts.back().certain) return unknown_word();
  return known_output(analysis_.acts.back());
}

void Walk::doubt(std::string why, size_t from, size_t to) {
  doubt_at(std::move(why), place_of(from, to));
}

void Walk::doubt_at(std::string why, Place place) {
  if (analysis_.doubts.size() >= kMostDoubts) return;
  for (const Doubt& known : analysis_.doubts) {
    if (known.why == why && known.place == place) return;
  }
  analysis_.doubts.push_back({std::move(why), place});
}

Place Walk::place_of(size_t from, size_t to) const {
  if (script_ == nullptr) return {0, 0};
  if (script_->place) return *script_->place;
  return {script_->shift + static_cast<uint32_t>(from), script_->shift + static_cast<uint32_t>(to)};
}

bool Walk::spend(size_t work) {
  spent_ += work;
  if (spent_ <= kMostWork) return true;
  is_cut_ = true;
  doubt_at("too much to go through", {0, 0});
  return false;
}

std::string_view Walk::text_of(const Node& of) const {
  return std::string_view(script_->text).substr(of.from, of.to - of.from);
}

Analysis analyse(std::string_view command, const Surroundings& surroundings) {
  Analysis analysis;
  Walk(surroundings, analysis).run(command);
  return analysis;
}

}  // namespace ringwall::shell
