// Promises that only whole runs can show, tried from outside. Each check starts runs of its own and
// gives the same kind of verdict as a probe inside.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "verify/answers.h"

namespace ringwall::verify {

struct CheckInputs {
  std::string folder;     // an empty one, to use as workspace
  std::string home_name;  // a private home that nobody else uses
  std::string real_home;
  std::string state_folder;   // Ringwall's own
  std::string canary_file;    // in the real home
  std::string busy_folder;    // workspace of a run that is going on, and may change it; or empty
  std::string name_to_grant;  // leads to this machine without anybody being asked; or empty
  bool caller_is_root = false;
  bool landlock = true;
  bool redirect = true;  // connections can be taken to the wall on this host
};

// P10 and P11, in this order: nothing that runs outside later can be planted, and secrets of the
// workspace cannot be read. All in one run.
Result<std::vector<Verdict>> check_guarded(const CheckInputs& inputs);

// P12: neither the workspace nor the real home differ before, during and after a run, or after the
// death of one.
Result<Verdict> check_untouched(const CheckInputs& inputs);

// P20, P21 and P39, in this order: nothing inside types into the terminal of a run or makes it
// obey, and the helpers in between are walled. All in one run.
Result<std::vector<Verdict>> check_terminal(const CheckInputs& inputs);
// Its last part.
Result<Verdict> check_helpers(const std::string& run_name);

// P29: what a supervisor was given is not found inside.
Result<Verdict> check_secrets(const CheckInputs& inputs);

// P30: no road leads to a program that is denied.
Result<Verdict> check_programs(const CheckInputs& inputs);

// P31: in allow mode, no road leads to a program that nobody has vetted.
Result<Verdict> check_unknown(const CheckInputs& inputs);

// P32: nothing of a run is left a second after any of its processes was ended, or its terminal.
Result<Verdict> check_ending(const CheckInputs& inputs);

// P37: the same for runs that are ended by the kill switch.
Result<Verdict> check_kill_switch(const CheckInputs& inputs);

// P33: bombs of processes, files, memory and disk stay within the limits of their run.
Result<Verdict> check_bombs(const CheckInputs& inputs);

// P35: with any part of any required wall made impossible, nothing runs.
Result<Verdict> check_refusal(const CheckInputs& inputs);

// P36: refusals are recorded, and the record cannot be changed unnoticed.
Result<Verdict> check_record(const CheckInputs& inputs);

// P38: what one run plants in the private home is not there in the next.
Result<Verdict> check_leftovers(const CheckInputs& inputs);

}  // namespace ringwall::verify
