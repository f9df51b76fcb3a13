#include <algorithm>

#include "base/text.h"
#include "events/event.h"
#include "events/network_row.h"
#include "events/redact.h"

namespace ringwall::events {
namespace {

std::string line(bool colours, std::string_view what, std::string_view hint) {
  std::string out = colours ? "\x1b[1mringwall:\x1b[0m " : "ringwall: ";
  out += what;
  if (!hint.empty())
    out += std::string("\n          ") + (colours ? "\x1b[2m→\x1b[0m " : "→ ") + std::string(hint);
  return out;
}

// Secrets stay out of what is shown as out of the record: somebody inside may have put them there.
std::string quote(std::string_view untrusted) { return text::quote(redact(untrusted)); }
std::string escape(std::string_view untrusted) { return text::escape(redact(untrusted)); }

struct ToText {
  bool colours;
  std::string operator()(const RunStarted&) const { return {}; }
  std::string operator()(const RunEnded&) const { return {}; }
  std::string operator()(const FilesHidden&) const { return {}; }
  std::string operator()(const Connected&) const { return {}; }
  std::string operator()(const BlockedMany&) const { return {}; }
  std::string operator()(const Controlled&) const { return {}; }
  std::string operator()(const PolicyChanged&) const { return {}; }
  std::string operator()(const RecordGap&) const { return {}; }
  std::string operator()(const RecordRemoved&) const { return {}; }
  std::string operator()(const FirstSeenProgram&) const { return {}; }
  std::string operator()(const ToolJudged&) const { return {}; }
  std::string operator()(const HiddenFile&) const { return {}; }
  std::string operator()(const SubagentStarted&) const { return {}; }
  std::string operator()(const ToolFailed&) const { return {}; }
  std::string operator()(const Sent&) const { return {}; }
  std::string operator()(const ProcessBurst&) const { return {}; }
  std::string operator()(const RiskLowered&) const { return {}; }
  std::string operator()(const FilesChanged&) const { return {}; }
  std::string operator()(const RepositoryNews& e) const {
    std::string what = "new in this repository since the last run: " + escape(e.gravest);
    if (e.findings > 1) what += ", and " + std::to_string(e.findings - 1) + " more";
    return line(colours, what, "see all: ringwall audit repo");
  }
  std::string operator()(const KeptForUndo& e) const {
    if (e.unkept == 0) return {};
    return line(colours,
                std::to_string(e.unkept) + (e.unkept == 1 ? " file" : " files") +
                    " of before this run could not be put back: " + e.why,
                "see: ringwall history");
  }
  std::string operator()(const RiskLevel& e) const {
    char score[16];
    snprintf(score, sizeof score, "%.2f", e.score / 1e6);
    std::string what = "risk " + std::string(score) + ": this run is now " + e.level;
    if (!e.does.empty()) what += " (" + text::join(e.does, ", ") + ")";
    for (size_t i = 0; i < std::min<size_t>(e.because.size(), 3); i++)
      what += "\n            " + escape(e.because[i]);
    std::string hint = "see: ringwall explain risk " + e.run;
    if (e.asks)
      hint = "ringwall risk lower " + e.run + " --reason … lets it go on, ringwall kill " + e.run +
             " ends it";
    return line(colours, what, hint);
  }
  std::string operator()(const ToolRefused& e) const {
    std::string what = "the gate refused " + quote(e.tool) + " to " + quote(e.agent) + ": ";
    what += quote(e.what) + ": " + escape(e.why);
    return line(colours, what, e.rule.empty() ? "" : "by the rule " + quote(e.rule));
  }
  std::string operator()(const ResultFinding& e) const {
    return line(colours,
                "what " + quote(e.tool) + " brought to " + quote(e.agent) + " holds " +
                    escape(e.kind) + ": " + quote(e.excerpt),
                "the agent was warned; look at what it does next");
  }
  std::string operator()(const ToolNoise& e) const {
    return line(colours,
                std::to_string(e.messages) + " messages of the agent's hooks were too many to tell",
                "");
  }
  std::string operator()(const RefusedProgram& e) const {
    std::string what = "refused " + (e.path.empty() ? "code" : quote(e.path));
    if (!e.parent.empty()) what += " to " + quote(e.parent);
    what += ": " + escape(e.why);
    if (!e.rule.empty()) what += " (" + text::escape(e.rule) + ")";
    return line(colours, what + "; " + e.how,
                e.advice.empty() ? "" : "let it run the next time: " + e.advice);
  }
  std::string operator()(const Asked& e) const {
    std::string who = e.program.empty() ? "" : " for " + quote(e.program);
    std::string rest = " " + text::quote(e.run) + " " + std::to_string(e.id);
    return line(colours, "waits for you: " + quote(e.destination) + who,
                "ringwall approve" + rest + ", or: ringwall reject" + rest);
  }
  std::string operator()(const Answered& e) const {
    if (e.answer != "nobody answered") return {};
    if (e.kind == "tool")
      return line(colours, "refused " + quote(e.destination) + ": nobody answered in time", "");
    return line(colours, "refused " + quote(e.destination) + ": nobody answered in time",
                "grant it: ringwall allow " + text::quote(e.run) + " " + quote(e.destination));
  }
  std::string operator()(const RecordFailing& e) const {
    if (e.lost > 0) {
      return line(colours,
                  "the record lacks the last " + std::to_string(e.lost) +
                      " lines, which could not be written: " + escape(e.why),
                  "free some space before the next run");
    }
    return line(
        colours,
        (e.ends ? "ended: the record cannot be written: " : "the record cannot be written: ") +
            escape(e.why),
        e.ends ? "free some space, and start it again"
               : "free some space: what happens is kept in memory until then");
  }
  std::string operator()(const RecordTorn& e) const {
    std::string record = text::quote(e.record);
    return line(colours,
                "the record " + record + " of a killed run cannot be mended: " + escape(e.why),
                "look at it: ringwall log --verify " + record +
                    "; remove it: ringwall rm --record " + record);
  }
  std::string operator()(const RecordMended& e) const {
    return line(colours,
                "the record " + text::quote(e.record) + " was cut off by a kill, and is mended",
                "see it: ringwall log " + text::quote(e.record));
  }
  std::string operator()(const Refused& e) const {
    std::string what =
        e.wall.empty() ? e.what : "refused: the wall \"" + e.wall + "\" cannot be built: " + e.what;
    return line(colours, what, e.hint);
  }
  std::string operator()(const CannotRun& e) const {
    return line(colours, quote(e.program) + ": " + e.what, e.hint);
  }
  std::string operator()(const Withheld& e) const { return line(colours, redact(e.what), e.hint); }
  std::string operator()(const Detached& e) const {
    std::string run = text::quote(e.run);
    std::string what =
        e.replaced ? "another terminal took over " + run : "left " + run + ", which goes on";
    return line(colours, what, "come back: ringwall attach " + run);
  }
  std::string operator()(const Planted& e) const {
    std::string what =
        "took away " + quote(e.path) + ", which is protected (" + e.rule + "): " + escape(e.why);
    return line(colours, what,
                e.item.empty() ? "it could not be kept"
                               : "look at it: ringwall quarantine show " + e.item +
                                     "; bring it back: ringwall quarantine restore " + e.item);
  }
  std::string operator()(const Blocked& e) const {
    std::string what = "refused " + quote(e.destination);
    if (!e.program.empty()) what += " to " + quote(e.program);
    return line(colours, what + ": " + escape(e.why), redact(e.advice));
  }
  std::string operator()(const NetworkUse& e) const {
    std::string out = line(
        colours, e.rows.empty() ? "nothing was asked of the network" : "asked of the network:", "");
    size_t width = 0;
    for (const NetworkUse::Row& row : e.rows)
      width = std::max(width, escape(row.destination).size());
    for (const NetworkUse::Row& row : e.rows) {
      std::string where = escape(row.destination);
      out += "\n  " + where + std::string(width - where.size(), ' ') + "  " +
             std::to_string(row.times) + "x  " +
             (row.why.empty()                    ? "reached"
              : row.why.starts_with(kNotReached) ? escape(row.why)
                                                 : "refused: " + escape(row.why));
    }
    return out;
  }
  std::string operator()(const LimitReached& e) const {
    std::string what = "the run " + text::quote(e.run) + " " + e.what;
    std::string raise = "raise it the next time: " + e.flag;
    if (e.limit.starts_with("deleted_"))
      raise = "end it and put them back: ringwall stop " + text::quote(e.run) +
              " && ringwall undo " + text::quote(e.run) + "; " + raise;
    if (e.then == LimitReached::Then::paused) {
      return line(colours, "paused: " + what,
                  "let it go on: ringwall resume " + text::quote(e.run) + "; " + raise);
    }
    if (e.then == LimitReached::Then::ended) what = "ended: " + what;
    return line(colours, what, raise);
  }
};

}  // namespace

std::string to_text(const Event& event, bool colours) { return std::visit(ToText{colours}, event); }

}  // namespace ringwall::events
