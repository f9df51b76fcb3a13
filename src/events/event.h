// What happened, as typed values: one struct per kind of event, one place that turns them into JSON
// and into a line for a person.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ringwall::events {

struct RunStarted {
  std::string run;
  std::string workspace;
  std::vector<std::string> command;
  std::string policy;                      // SHA-256 of the merged policy
  std::string home;                        // the private one's name; empty: none
  std::vector<std::string> widenings;      // "files.read=/data (--ro)"
  std::vector<std::string> missing_walls;  // optional walls that this host does not have
  // By which the risk is counted: of each axis, and from which on a level holds.
  std::vector<uint32_t> risk_weights = {};
  std::vector<uint32_t> risk_thresholds = {};
};

struct RunEnded {
  std::string run;
  int exit_status = 0;
};

// Ringwall refused to do something; nothing ran.
struct Refused {
  std::string wall;  // empty: the input was wrong
  std::string what;
  std::string hint;
};

// The command could not be started inside.
struct CannotRun {
  std::string program;
  std::string what;
  std::string hint;
};

// Something was kept from the agent that the person may expect to be there.
struct Withheld {
  std::string what;
  std::string hint;
};

// Something appeared that a program outside would run, and was taken away.
struct Planted {
  std::string run;
  std::string path;
  std::string rule;  // the pattern that it fell under
  std::string why;
  std::string item;  // of the quarantine; empty: it was not kept
};

// What of the workspace cannot be read or connected to inside, by its path.
struct FilesHidden {
  std::string run;
  std::vector<std::string> paths;
  std::vector<std::string> sockets;
};

// A connection, or the question for a name, was refused. The person is told once for each
// destination and reason; the record has each, the same ones of a second in one.
struct Blocked {
  std::string run;
  std::string destination;  // "api.example.com:443"
  std::string program;      // that asked, empty: it was gone already
  std::string why;
  std::string advice;  // the command that would allow it, if one would
  uint64_t times = 1;
  bool by_risk = false;     // allowed, but for the level that the run's risk has reached
  bool by_content = false;  // granted, but for what its bytes said: each `why` is another thing
};

// Refusals of one second that were too many to be told one by one.
struct BlockedMany {
  std::string run;
  std::vector<std::string> destinations;
  uint64_t times = 0;  // in all
};

// A connection was made.
struct Connected {
  std::string run;
  std::string destination;
  std::string rule;  // that granted it
  uint64_t times = 1;
  bool expected = false;  // a profile names it
};

// Bytes left: what was sent to one destination since it was last told of.
struct Sent {
  std::string run;
  std::string destination;
  uint64_t bytes = 0;
  uint64_t total = 0;     // in the run, to this destination
  bool expected = false;  // a profile names it
};

// A connection that no rule covers, or a tool call that a rule asks for, waits for the person.
struct Asked {
  std::string run;
  uint64_t id = 0;
  std::string destination;  // of a tool: the call
  std::string program;
  std::string kind = {};  // "tool"; empty: a connection
};

// A program that may not run was executed, or a file that may not was to be mapped for execution.
// Told once for each content and path.
struct RefusedProgram {
  std::string run;
  std::string digest;  // empty: nobody has read it
  std::string path;    // as seen inside
  std::string parent;  // the program that started it
  std::string rule;    // the policy's entry; empty: none names it
  std::string why;
  std::string how;     // it was stopped
  std::string advice;  // the command that would allow it, if one would
  uint64_t times = 1;
  bool by_risk = false;  // as above
};

// A program ran for the first time in this run. For the record alone.
struct FirstSeenProgram {
  std::string run;
  std::string digest;
  std::string path;
  std::string parent;
  std::string rule;  // that allows it; empty: none is needed
};

// What became of it.
struct Answered {
  std::string run;
  uint64_t id = 0;
  std::string destination;
  std::string answer;  // "approved", "rejected", "nobody answered"
  std::string scope;   // "once", "session", "1h", "always"
  std::string by;      // who answered: "uid 1000, pid 4711"
  std::string kind = {};
};

// The gate refused a call of the agent's tools. Said by a process inside: it may be forged.
struct ToolRefused {
  std::string run;
  std::string agent;
  std::string tool;
  std::string what;  // the call, as far as it fits
  std::string rule;
  std::string why;
  std::string pack = {};  // the shipped pack that it is of
};

// A call of the agent's tools did not do what it should. As credible as the above.
struct ToolFailed {
  std::string run;
  std::string agent;
  std::string tool;
  std::string what;
};

// The same of one that a rule allows, or that the agent's own prompt asks for. For the record
// alone.
struct ToolJudged {
  std::string run;
  std::string agent;
  std::string tool;
  std::string what;
  std::string answer;  // "allowed", "asked"
  std::string rule;
};

// Something in what a tool brought back looks like instructions for the agent.
struct ResultFinding {
  std::string run;
  std::string agent;
  std::string tool;
  std::string kind;
  std::string excerpt;
  uint64_t weight = 0;
};

// A tool call would read a file that the run hides. As credible as the above.
struct HiddenFile {
  std::string run;
  std::string agent;
  std::string tool;
  std::string path;
};

// An agent inside began another.
struct SubagentStarted {
  std::string run;
  std::string agent;
  std::string kind;
};

// More came from the agent's hooks than is worth a line each.
struct ToolNoise {
  std::string run;
  uint64_t messages = 0;
  std::map<std::string, uint64_t> of = {};  // how many of each kind; nonsense is of none
};

// A person outside changed what the run may do.
struct PolicyChanged {
  std::string run;
  std::string change;  // "allow api.example.com:443"
  std::string scope;
  std::string by;
};

// A person outside did something to the run: started a further command, stopped it, let it go on.
struct Controlled {
  std::string run;
  std::string act;  // "exec", "probe", "probes done", "pause", "resume", "stop", "kill"
  std::vector<std::string> command;
  std::string by;
};

// Events that stand in the record by their number alone: it was full, or could not be written.
struct RecordGap {
  std::string run;
  std::string why;
  uint64_t events = 0;
  uint64_t refusals = 0;  // among them
};

// The record could not be written for a while.
struct RecordFailing {
  std::string run;
  std::string why;
  bool ends = false;  // the run, by policy
  uint64_t lost = 0;  // lines, at the end of the run; 0: they are kept until they can be written
};

// A record of a run that was killed with its supervisor was made whole.
struct RecordMended {
  std::string record;
  uint64_t cut_bytes = 0;  // of what was being written
};

// The same could not be done.
struct RecordTorn {
  std::string record;
  std::string why;
};

// An old record was removed to make room.
struct RecordRemoved {
  std::string record;
  uint64_t lines = 0;
  uint64_t refusals = 0;
};

// What was asked for in a run, reached or refused.
struct NetworkUse {
  struct Row {
    std::string destination;
    std::string why;  // it was refused; empty: it was reached
    size_t times = 0;
  };
  std::string run;
  std::vector<Row> rows;
};

// The front end has left and the run goes on.
struct Detached {
  std::string run;
  bool replaced = false;  // by another front end
};

// A limit was reached. Told once for each limit, until the run was let go on beyond it.
struct LimitReached {
  enum class Then {
    refused,  // the kernel refuses more, the run goes on
    killed,   // the kernel has ended a process of the run
    paused,   // everything inside stands still until a person decides
    ended,    // the run is being ended
  };
  std::string run;
  std::string limit;  // of the policy: "memory"
  Then then = Then::refused;
  std::string what;  // "uses 4.1G of memory, and 4G are allowed"
  std::string flag;  // what raises it: "--memory"
};

// The number of processes passed a mark.
struct ProcessBurst {
  std::string run;
  uint64_t processes = 0;
};

// The risk of the run has reached another level. Numbers are millionths.
struct RiskLevel {
  std::string run;
  std::string level;
  std::string before;
  uint32_t score = 0;
  std::vector<uint32_t> axes;
  int64_t looked = 0;                // milliseconds since the start: the score is of that moment
  std::vector<std::string> because;  // the events behind it, the heaviest first
  std::vector<std::string> does;     // what is done from now on
  bool asks = false;                 // everything stands still until the person decides
};

// A person outside has found it harmless: the score begins anew.
struct RiskLowered {
  std::string run;
  std::string reason;
  uint32_t score = 0;  // before
  std::string level;
  std::string by;
};

// What a run did to the files that it may change: to the tree itself, or in a review.
struct FilesChanged {
  std::string run;
  uint64_t added = 0;
  uint64_t changed = 0;
  uint64_t deleted = 0;
  uint64_t renamed = 0;
  uint64_t bytes = 0;   // of what was added and changed
  bool review = false;  // nothing of it has happened to the real files yet
};

// What can be put back after a run that works on the real files.
struct KeptForUndo {
  std::string run;
  uint64_t files = 0;
  uint64_t bytes = 0;
  uint64_t unkept = 0;  // files that are not among them
  std::string why;      // of those
};

// What would run or steer something in this repository, and was not there at the last run.
struct RepositoryNews {
  std::string run;
  uint64_t findings = 0;
  std::string severity;  // of the gravest
  std::string gravest;   // where it is and what it would do
};

using Event =
    std::variant<RunStarted, RunEnded, Refused, CannotRun, Withheld, FilesHidden, LimitReached,
                 Planted, Blocked, BlockedMany, Connected, NetworkUse, Detached, Asked, Answered,
                 PolicyChanged, Controlled, RecordGap, RecordFailing, RecordMended, RecordTorn,
                 RecordRemoved, RefusedProgram, FirstSeenProgram, ToolRefused, ToolJudged,
                 ResultFinding, HiddenFile, SubagentStarted, ToolNoise, Sent, ToolFailed,
                 ProcessBurst, RiskLevel, RiskLowered, FilesChanged, KeptForUndo, RepositoryNews>;

// One line, without what looks like a secret or is named as one; a record has such lines too. Texts
// are cut at 4096 bytes.
std::string to_json(const Event& event);

// One or two lines for a terminal, empty if the event is nothing to tell: silent on success.
std::string to_text(const Event& event, bool colours);

// How often something that the inside wanted was not done; 0: the event is no refusal.
uint64_t count_refusals(const Event& event);

}  // namespace ringwall::events
