#include "risk/reference.h"

#include "risk/decayed_sum.h"
#include "risk/level.h"
#include "risk/signals.h"

namespace ringwall::risk {
namespace {

std::string points(uint64_t thousandths) {
  if (thousandths == kEach) return "each";
  char text[32];
  snprintf(text, sizeof text, "%g", static_cast<double>(thousandths) / kPoint);
  return text;
}

std::string share(uint32_t millionths) {
  char text[32];
  snprintf(text, sizeof text, "%.2f", millionths / 1e6);
  return text;
}

constexpr const char* kBegin = R"(# Risk

Made by `make docs` from the tables in `src/risk/`; change those, not this page.

Patterns say more than single acts: ten refused hosts in a minute, a call that fails again and again, a secret that was
read before bytes were sent. Ringwall keeps a score of them for each run, R in 0 … 1. It is made of the lines of the
run's record (`ringwall log`) and of nothing else: no model, no server, no file that somebody could delete. Whole numbers
only, so `ringwall risk replay RUN` finds the same scores to the last digit, on any machine.

The score only ever tightens by itself. A signal that is missing, late or looks forged lowers nothing; only time does,
and the person: `ringwall risk lower RUN --reason …`, which is written down. What a level refuses does not count for the
next one.

## From a line of the record to points

)";

constexpr const char* kFormulas = R"(
What stands in accounts with a `*` is said by the agent's hooks, and anything inside can say the same. It may be forged,
so it can only raise the score, and alone it stops no run (below).

A thing stands in the sum once, with the time at which it came last: its first points, and for each time that it came
again a little more, up to the next column. So a program that tries the same closed host all day
stays where it was after the first minute, and whoever tries many hosts does not. Where it says "each", every
time stands in the sum by itself. In both ways one more never makes the sum smaller. Beyond 20,000 different things
in a run, whatever is new counts each time.

## From points to axes

Points fade: what was entered t seconds ago counts p · 2^(−t / h), where h is the half-life of its axis. Ages are counted
in steps of h / 60, so that within one of these windows the order of things does not matter; after eight half-lives
nothing is left.

)";

constexpr const char* kExposure = R"(
An axis with x points stands at x² / (x² + 60²): 60 points are one half, the little that every day brings is next to
nothing, and it never quite reaches 1. The accounts of an axis are added. For boundary, points
for refused names beyond 45 count a quarter, and so do those for refused addresses: one page in a browser asks for dozens.
Names count 90 at most, since whoever looks for dead links asks for hundreds: names alone make a run restricted, and never
isolated. Planted files count 80 at most: the broker stops whoever plants, and ends a run that goes on with it
([protected-files.md](protected-files.md)). For exposure, with
the points *taken* t (what it has read), *sent* s (bytes) and *connections* c, x = in + out + in · out / 5, where
in = 40 t / (t + 40) and out = 35 s / (s + 35) + 30 c / (c + 30): a large push, a thousand requests or many fixtures that
look like secrets never make a level alone; what was read and what leaves together do. Five secrets in results and 64 KiB
to a host that no profile names are caution, 256 KiB are restricted; less than some 50 KiB looks like any other request. What
stays on this machine (`network.reach_host`) counts as expected.

## From axes to the score

R = 1 − (1 − w₁·a₁)(1 − w₂·a₂)(1 − w₃·a₃)(1 − w₄·a₄), where a are the axes and w their weights `risk.intent`,
`risk.boundary`, `risk.stability` and `risk.exposure`, each 1 unless the policy says less.

## Levels

| level | from | what is done, besides what lower levels do |
| --- | --- | --- |
)";

constexpr const char* kEnd = R"(
In `ringwall learn` no level is reached: refusals are what such a run is for. A level holds from its threshold on, at
once. It ends when the score is 0.10 below it. `isolated` ends only by the person.

`isolated` and `killed` need more than what hooks say: without the accounts with a `*`, the score must still be 0.08 or more
(18 points on one axis). Else any program inside could have its own run frozen by forged notices.

`[risk]` sets the thresholds (`none`: never), and with `at_caution`, `at_restricted` and `at_isolated` what is done there
besides; an organisation can lock them, and a workspace's file can only lower thresholds and add acts. Levels rise: a
threshold below that of a lower level is an error.

- `refuse-unanswered`: a tool call that an agent would ask about at its own prompt is asked outside (`ringwall top`,
  `ringwall approve`), and refused if nobody answers.
- `refuse-new-destinations`: only hosts are reached that were reached in this run before.
- `refuse-new-programs`: only programs run that ran in this run before. Only where programs are judged when they start
  (`exec.deny_later`, `exec.mode = "allow"`, see [programs.md](programs.md)).
- `cut-network`: every open connection ends, those to published ports too, and nothing more is reached or
  comes in.
- `freeze`: every process stands still until the person decides, and `ringwall exec` starts none. `ringwall risk lower` lets
  it go on, unless it was paused besides, by the person or at a limit: then `ringwall resume` does. `ringwall kill` ends it as
  it stands.

Each change of level is an event of the record, with the score, the axes and the events behind it. At a terminal and on
the desktop the person is told of rises.

## What is not seen

- A file that is not there inside is refused by the kernel alone, and so is a hidden one: the kernel tells nobody of a file
  that it does not open. Only tool calls that name a hidden file to read it are seen (`ls`, `stat` and what reads a whole
  folder are not), and only of agents whose hooks are called. The same holds for a system call that the filter refuses.
- What the agent's hooks say counts only while the hooks are called: an agent that starts programs behind the back of
  its own hooks is seen at the walls, not at the gate.
- Who has planted a file cannot be told where two runs, or the person, work in one tree at a time.
- Bytes that leave are counted for each destination; what is in them is not looked at. They are told of at every 16 KiB
  of a connection and at its end.
- UDP, ICMP and what is neither: the kernel refuses all of it and keeps no list. Only TCP connections and questions for
  names are seen.
- Of addresses that the kernel refuses, 1,024 different ones of each family within two seconds.
- While the person tries the walls (`ringwall verify RUN`) nothing counts, until three seconds after the last probe has
  ended (`probes done` in the record), and for a minute after a probe has begun at the most. Nobody inside can begin that.

## See it

<!-- run:
with run project-1
types q: ringwall top
-->
```sh
ringwall explain risk project-1  # the sum, and what weighs most
ringwall top                     # the curve
ringwall risk replay project-1   # every change of level once more, from the record
ringwall risk plot project-1 -o risk.svg
```
)";

std::string signals_table() {
  std::string out =
      "| signal | axis | event | first | again | at most again | what |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Signal& signal : signals()) {
    std::string axis(kAxisRows[static_cast<size_t>(axis_of(signal.account))].name);
    const AccountRow& account = row_of(signal.account);
    if (account.name != axis) axis += ", " + std::string(account.name);
    if (account.is_hearsay) axis += " *";
    out += "| " + std::string(signal.name) + " | " + axis + " | `" + std::string(signal.event) +
           "` | " + points(signal.first) + " | " + points(signal.again) + " | " +
           points(signal.most_again) + " | " + std::string(signal.what) + " |\n";
  }
  return out;
}

std::string axes_table() {
  std::string out = "| axis | what | half-life |\n| --- | --- | --- |\n";
  for (const AxisRow& axis : kAxisRows)
    out += "| " + std::string(axis.name) + " | " + std::string(axis.what) + " | " +
           std::to_string(axis.half_life / 60) + " minutes |\n";
  return out;
}

std::string levels_table() {
  policy::Policy::Risk risk;
  Thresholds thresholds = thresholds_of(risk);
  auto acts = acts_of(risk);
  std::string out = "| normal | 0 | |\n";
  for (size_t i = 1; i < kLevels; i++) {
    std::string does;
    for (size_t act = 0; act < policy::risk_acts().size(); act++) {
      auto one = static_cast<policy::RiskAct>(act);
      if (acts[i].has(one) && !acts[i - 1].has(one))
        does += (does.empty() ? "`" : ", `") + std::string(policy::risk_acts()[act]) + "`";
    }
    out += "| " + std::string(name_of(static_cast<Level>(i))) + " | " + share(thresholds.at[i]) +
           " | " + does + " |\n";
  }
  return out;
}

}  // namespace

std::string risk_page() {
  return kBegin + signals_table() + kFormulas + axes_table() + kExposure + levels_table() + kEnd;
}

}  // namespace ringwall::risk
