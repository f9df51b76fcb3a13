// What a person does to runs that go on, from the client's side: asks over the control socket and
// waits for the answer.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "state/control.h"

namespace ringwall::clients {

// The runs that are going on, each as it describes itself, in the order of their names.
Result<std::vector<boost::json::object>> describe_runs();
Result<boost::json::object> describe_run(const std::string& name);

Result<std::vector<std::string>> list_run_names();

// The only run there is, if no name is given.
Result<std::string> choose_run(const std::string& name);

Status allow_host(const std::string& run, const std::string& host, int64_t seconds);
Status deny_host(const std::string& run, const std::string& host);
// What was answered: "api.example.com:443".
Result<std::string> answer_request(const std::string& run, int32_t id, bool approves,
                                   int64_t seconds);

// The person has found it harmless. Gives what has become of it.
Result<std::string> lower_risk(const std::string& run, const std::string& reason);

// Who listens at the other end, as a descriptor that cannot come to mean another process.
Result<Fd> open_supervisor(int connection);

// Return when nothing of the run is left. A supervisor that does not answer in time is killed, and
// the run dies with it.
Status stop_run(const std::string& run, int64_t seconds);
Status kill_run(const std::string& run);

}  // namespace ringwall::clients
