// The record of a run at its start and its end, and what earlier runs that were killed left of
// theirs.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "events/event.h"
#include "prepare/prepare.h"
#include "session/recorder.h"

namespace ringwall::session {

using TellEvent = std::function<void(const events::Event&)>;

// Null only in the build for tests.
Result<std::unique_ptr<Recorder>> begin_record(const prepare::Preparation& prepared,
                                               const events::RunStarted& start);

// Makes whole what a kill has cut off, and tells of it, or why it cannot.
void mend_records(const prepare::Preparation& prepared, const Recorder* own, const TellEvent& tell);

void end_record(Recorder* recorder, const std::string& run, const TellEvent& tell);

}  // namespace ringwall::session
