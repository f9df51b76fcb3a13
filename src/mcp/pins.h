// What the tools of an MCP server said of themselves when they were seen first. A description is
// text that the agent obeys: one that has changed since, or that looks like instructions, is kept
// from the agent until the person approves it.
//
// Notes are lines that are only ever added: a process that reads hostile bytes may add to them, and
// cannot change what stands there. The first note of a tool counts, unless the person has approved
// another one, which stands in a file of its own.
#pragma once

#include <boost/json.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::mcp {

// What is pinned of a tool: its parts that reach the agent, in one order.
struct Definition {
  std::string tool;
  std::string text;    // JSON with sorted keys
  std::string digest;  // SHA-256 of it
};

// Of an entry of tools/list, what is known here. The rest could change unseen: it is not passed on.
boost::json::object pinned_parts(const boost::json::object& tool);
// `tool` is an entry of tools/list.
Definition define(const boost::json::object& tool);
// What a server says of itself and all its tools.
Definition define_instructions(std::string_view instructions);
inline constexpr std::string_view kInstructionsName = "(instructions)";

struct PinNote {
  enum class Kind { first, changed, held };
  Kind kind = Kind::first;
  Definition definition;
  std::string why;    // it is held
  int64_t since = 0;  // seconds since 1970

  std::string line() const;  // with the line's end
};

class Pins {
 public:
  // Notes as they stand in the file; a line that cannot be read is an error with its number.
  static Result<Pins> read(std::string_view notes, std::string_view approved);

  enum class State { unknown, same, changed, held };
  State look_at(const Definition& definition) const;
  bool knows(const std::string& tool) const { return pinned_.contains(tool); }

  void add(const PinNote& note);
  void approve(const PinNote& note);

  const std::map<std::string, PinNote>& pinned() const { return pinned_; }
  // The last one of each tool that waits for the person.
  const std::map<std::string, PinNote>& waiting() const { return waiting_; }
  std::string approved_text() const;  // the file of approvals

 private:
  std::map<std::string, PinNote> pinned_;
  std::map<std::string, PinNote> approved_;
  std::map<std::string, PinNote> waiting_;
};

// Lines "- …" and "+ …" of what differs, safe to show.
std::vector<std::string> show_difference(const std::string& before, const std::string& after);

}  // namespace ringwall::mcp
