#include "session/run_record.h"

#include <fcntl.h>

#include "base/clock.h"
#include "base/file.h"
#include "events/record_show.h"
#include "events/record_store.h"
#include "policy/policy.h"

namespace ringwall::session {
namespace {

// One line more says what was done to it. A record whose lines do not fit stays as it is.
Result<std::optional<events::RecordMended>> mend(const std::string& state, const std::string& id) {
  TRY_ASSIGN(auto reopened, events::RecordFile::reopen(state, id));
  if (!reopened) return std::nullopt;
  events::RecordMended mended{id, reopened->cut_bytes};
  // Killed when all was said.
  bool has_ended = events::event_of(reopened->last_line) == "run_ended";
  if (!has_ended)
    reopened->record.add({clock::wall_seconds() * 1000, 0}, events::to_json(mended), 0);
  TRY(reopened->record.close());
  return mended;
}

}  // namespace

Result<std::unique_ptr<Recorder>> begin_record(const prepare::Preparation& prepared,
                                               const events::RunStarted& start) {
  const policy::Policy::Record& policy = prepared.request.policy.record;
  RecordRequest request{prepared.places.state, prepared.plan.run_name,
                        policy.size.value.value_or(policy::kNoLimit),
                        policy.kept.value.value_or(policy::kNoLimit)};
  auto recorder = Recorder::open(request, start);
  if (!recorder) recorder.error().hint = "a run is not started without its record";
  return recorder;
}

void mend_records(const prepare::Preparation& prepared, const Recorder* own,
                  const TellEvent& tell) {
  const std::string& state = prepared.places.state;
  auto heads = file::open(events::open_heads_folder(state), O_RDONLY | O_DIRECTORY);
  auto names = heads ? file::list(heads->get()) : std::unexpected(heads.error());
  if (!names) return;  // there is none
  for (const file::Entry& entry : *names) {
    if (own != nullptr && entry.name == own->id()) continue;
    if (events::is_going_on(heads->get(), entry.name)) continue;
    auto mended = mend(state, entry.name);
    // Where only the end is missing there is nothing to tell: the record says it.
    if (mended && *mended && (*mended)->cut_bytes > 0) tell(**mended);
    if (!mended) tell(events::RecordTorn{entry.name, mended.error().text()});
  }
}

void end_record(Recorder* recorder, const std::string& run, const TellEvent& tell) {
  if (recorder == nullptr) return;
  auto lost = recorder->close();
  if (!lost) tell(events::RecordFailing{run, lost.error().text(), false, 1});
  if (lost && *lost > 0) tell(events::RecordFailing{run, recorder->why_lost(), false, *lost});
}

}  // namespace ringwall::session
