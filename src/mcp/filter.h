// The filter between an agent and an MCP server, as a pure value: a line from one side goes in,
// lines for both sides come out, with what the person should hear and what is to be noted of tools.
// Both generations of the protocol: with a handshake, and without any state.
//
// From the agent, calls are judged by rule. From the server, only answers to what was asked pass:
// tools that a rule denies, whose description has changed, or that hold instructions are left out,
// what nobody sees is stripped, results are looked at for hidden instructions, and requests of the
// server's own are refused unless they are granted.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gate/tool_call.h"
#include "instructions/result_scan.h"
#include "mcp/message.h"
#include "mcp/pins.h"

namespace ringwall::mcp {

// What a rule says to a call.
struct Verdict {
  bool passes = true;
  bool asks = false;  // it does not pass, since the person would have to be asked
  std::string rule;   // that decided; empty: none
  std::string told;   // to the agent
};

struct FilterSettings {
  std::string server;        // its name in rules: mcp__SERVER__tool
  std::string workspace;     // the only root that it hears of
  bool sampling = false;     // it may ask the agent's model
  bool elicitation = false;  // it may ask the person, by the agent
  int64_t now = 0;           // seconds since 1970, for notes
  Pins pins;
  std::function<Verdict(const gate::ToolCall&)> judge;
};

// What the person should hear.
struct Report {
  enum class Kind : uint32_t {
    refused = 1,  // a call, a tool or a request: `what`, by `rule`
    finding,      // in what `tool` brought back
    dropped,      // a message that nobody can use
    waits,        // a tool until it is approved
  };
  Kind kind = Kind::refused;
  std::string tool;  // or method
  std::string what;
  std::string rule;
  int weight = 0;
};

struct Filtered {
  std::vector<std::string> to_agent, to_server;  // lines without their ends
  std::vector<Report> reports;
  std::vector<PinNote> notes;  // to be written before anything is sent
};

class Filter {
 public:
  explicit Filter(FilterSettings settings) : settings_(std::move(settings)) {}

  Filtered from_agent(std::string_view line);
  Filtered from_server(std::string_view line);
  // A line that was too long, by its beginning.
  Filtered too_long(bool is_agents, std::string_view beginning);

 private:
  struct Pending {
    std::string method;
    std::string tool;  // what was called
    bool is_stateless = false;
    bool cancelled = false;
  };

  // filter.cc
  void refuse_line(std::string_view line, const std::string& why, Filtered& out);
  void take_request(Message& message, Filtered& out);
  void take_agents_notification(const Message& message, Filtered& out);
  void take_agents_answer(const Message& message, Filtered& out);
  bool judge_call(Message& message, Pending& pending, Filtered& out);
  void deny(const Message& message, const Pending& pending, const Verdict& verdict, Filtered& out);
  void withhold_capabilities(Message& message) const;
  void report(Filtered& out, Report::Kind kind, std::string tool, std::string what,
              std::string rule = {});

  // filter_answers.cc
  void give_up(const boost::json::value& id, Filtered& out);
  void take_notification(Message& message, Filtered& out);
  void take_servers_request(Message& message, Filtered& out);
  void take_answer(Message& message, Filtered& out);
  bool take_input_requests(Message& message, const Pending& pending, Filtered& out);
  void check_tools(Message& message, Filtered& out);
  bool may_show(const boost::json::object& tool, std::set<std::string>& names, Filtered& out);
  bool is_pinned(const Definition& definition, Filtered& out);
  void check_instructions(boost::json::object& result, Filtered& out);
  void check_listed(boost::json::object& result, const char* list, Filtered& out);
  void check_rest(boost::json::object& result, const std::string& method, Filtered& out);
  void pass_error(Message& message, Filtered& out);
  bool may_ask(const std::string& method, const boost::json::object& params) const;

  FilterSettings settings_;
  std::map<std::string, Pending> pending_;    // of the agent, by id, until they are answered
  std::map<std::string, std::string> asked_;  // of the server, by id: the method
  std::map<std::string, size_t> reported_;    // how often, so that nobody is flooded
  std::set<std::string> blocked_;             // tools, at their last listing
};

}  // namespace ringwall::mcp
