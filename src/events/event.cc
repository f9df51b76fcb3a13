#include "events/event.h"

#include <boost/json.hpp>

#include "base/text.h"

namespace ringwall::events {
namespace {

namespace json = boost::json;

json::array strings(const std::vector<std::string>& texts) {
  json::array out;
  for (const std::string& text : texts)
    out.emplace_back(text);
  return out;
}

std::string_view name_of(LimitReached::Then then) {
  switch (then) {
    case LimitReached::Then::refused:
      return "refused";
    case LimitReached::Then::killed:
      return "killed";
    case LimitReached::Then::paused:
      return "paused";
    case LimitReached::Then::ended:
      return "ended";
  }
  return "";
}

struct ToJson {
  json::object operator()(const RunStarted& e) const {
    return {{"event", "run_started"},
            {"run", e.run},
            {"workspace", e.workspace},
            {"command", strings(e.command)},
            {"widenings", strings(e.widenings)},
            {"missing_walls", strings(e.missing_walls)}};
  }
  json::object operator()(const RunEnded& e) const {
    return {{"event", "run_ended"}, {"run", e.run}, {"exit_status", e.exit_status}};
  }
  json::object operator()(const Refused& e) const {
    return {{"event", "refused"}, {"wall", e.wall}, {"what", e.what}, {"hint", e.hint}};
  }
  json::object operator()(const CannotRun& e) const {
    return {{"event", "cannot_run"}, {"program", e.program}, {"what", e.what}, {"hint", e.hint}};
  }
  json::object operator()(const Withheld& e) const {
    return {{"event", "withheld"}, {"what", e.what}, {"hint", e.hint}};
  }
  json::object operator()(const Detached& e) const {
    return {{"event", "detached"}, {"run", e.run}, {"replaced", e.replaced}};
  }
  json::object operator()(const Planted& e) const {
    return {{"event", "planted"}, {"run", e.run}, {"path", e.path},
            {"rule", e.rule},     {"why", e.why}, {"item", e.item}};
  }
  json::object operator()(const LimitReached& e) const {
    return {{"event", "limit_reached"}, {"run", e.run},   {"limit", e.limit},
            {"then", name_of(e.then)},  {"what", e.what}, {"flag", e.flag}};
  }
};

std::string line(bool colours, std::string_view what, std::string_view hint) {
  std::string out = colours ? "\x1b[1mringwall:\x1b[0m " : "ringwall: ";
  out += what;
  if (!hint.empty())
    out += std::string("\n          ") + (colours ? "\x1b[2m→\x1b[0m " : "→ ") + std::string(hint);
  return out;
}

struct ToText {
  bool colours;
  std::string operator()(const RunStarted&) const { return {}; }
  std::string operator()(const RunEnded&) const { return {}; }
  std::string operator()(const Refused& e) const {
    std::string what =
        e.wall.empty() ? e.what : "refused: the wall \"" + e.wall + "\" cannot be built: " + e.what;
    return line(colours, what, e.hint);
  }
  std::string operator()(const CannotRun& e) const {
    return line(colours, text::quote(e.program) + ": " + e.what, e.hint);
  }
  std::string operator()(const Withheld& e) const { return line(colours, e.what, e.hint); }
  std::string operator()(const Detached& e) const {
    std::string run = text::quote(e.run);
    std::string what =
        e.replaced ? "another terminal took over " + run : "left " + run + ", which goes on";
    return line(colours, what, "come back: ringwall attach " + run);
  }
  std::string operator()(const Planted& e) const {
    std::string what = "took away " + text::quote(e.path) + ", which is protected (" + e.rule +
                       "): " + text::escape(e.why);
    return line(colours, what,
                e.item.empty() ? "it could not be kept"
                               : "look at it: ringwall quarantine show " + e.item +
                                     "; bring it back: ringwall quarantine restore " + e.item);
  }
  std::string operator()(const LimitReached& e) const {
    std::string what = "the run " + text::quote(e.run) + " " + e.what;
    std::string raise = "raise it the next time: " + e.flag;
    if (e.then == LimitReached::Then::paused) {
      return line(colours, "paused: " + what,
                  "let it go on: ringwall resume " + text::quote(e.run) + "; " + raise);
    }
    if (e.then == LimitReached::Then::ended) what = "ended: " + what;
    return line(colours, what, raise);
  }
};

}  // namespace

std::string to_json(const Event& event) {
  return text::harmless_json(json::serialize(std::visit(ToJson{}, event)));
}
std::string to_text(const Event& event, bool colours) { return std::visit(ToText{colours}, event); }

}  // namespace ringwall::events
