// Runs probes one after the other, each in a process of its own: one that is killed for what it
// tried must not take the others along.
#include "probes/battery.h"

#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/file.h"
#include "probes/probe.h"
#include "probes/stubborn.h"

namespace ringwall::probes {
namespace {

constexpr unsigned kMostSeconds = 20;
constexpr int kNotWritten = 100;
constexpr std::string_view kWithActs = "--acts";

bool run_one(const Probe& probe, const Outside& outside, bool with_acts) {
  int status = in_child([&] {
    alarm(kMostSeconds);
    return write_line(probe.promise, probe.run(outside), with_acts) ? 0 : kNotWritten;
  });
  if (status == 0) return true;
  if (status == kNotWritten) return false;
  std::string why = "the probe was ended by signal " + std::to_string(status - 128);
  return write_line(probe.promise, {Finding::cannot_tell, why}, with_acts).has_value();
}

int verify(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return 125;
  Outside outside = Outside::from_json(arguments[0]);
  bool with_acts = std::find(arguments.begin(), arguments.end(), kWithActs) != arguments.end();
  bool all = arguments.size() == (with_acts ? 2u : 1u);
  for (const Probe& probe : probes()) {
    bool wanted =
        all || std::find(arguments.begin() + 1, arguments.end(), probe.promise) != arguments.end();
    if (wanted && !run_one(probe, outside, with_acts)) return 125;
  }
  return 0;
}

}  // namespace

Status write_line(std::string_view promise, const Verdict& verdict, bool with_acts) {
  boost::json::object line{
      {"promise", promise}, {"finding", name_of(verdict.finding)}, {"evidence", verdict.evidence}};
  if (with_acts) {
    boost::json::object acts;
    for (const Act& act : verdict.acts)
      acts[act.name] = act.met;
    line["acts"] = std::move(acts);
  }
  return file::write_all(1, boost::json::serialize(line) + "\n");
}

int run_builtin(const std::string& name, const std::vector<std::string>& arguments) {
  if (name == "verify") return verify(arguments);
  if (name == "wait") {
    while (true)
      pause();
  }
  if (name == "stubborn") run_stubborn();
  return 126;
}

}  // namespace ringwall::probes
