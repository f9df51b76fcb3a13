// Fuzz target of the readers of `ringwall audit` and of what --fix would write. The first byte
// chooses whose file the rest is. Whatever it holds:
//   every edit lies in the text; what --fix would write can be read, has fewer findings than
//   before, and leaves nothing to write a second time.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "machine_audit/fix_edits.h"

namespace {

using namespace ringwall::machine_audit;
using ringwall::audit::Report;

void expect(bool holds, const char* what, std::string_view text) {
  if (holds) return;
  fprintf(stderr, "a promise is broken: %s\n%.*s\n", what, static_cast<int>(text.size()),
          text.data());
  abort();
}

Scene scene_of(const MachineSource& source, std::string text) {
  Scene scene;
  scene.home = "/home/u";
  scene.project = "/home/u/p";
  scene.in_use = {source.topic};
  scene.credentials = {".ssh", ".aws"};
  MachineFile file;
  file.topic = source.topic;
  file.scope = source.scope;
  file.format = source.format;
  file.path = "/home/u/" + std::string(source.path);
  file.text = std::move(text);
  read_document(file);
  scene.documents.push_back(std::move(file));
  return scene;
}

Report report_of(MachineDesk& desk, const std::string& text) {
  Report report;
  for (const MachineDesk::Entry& entry : desk.entries()) {
    report.findings.push_back(entry.finding);
    if (!entry.edit) continue;
    expect(entry.edit->begin <= entry.edit->end && entry.edit->end <= text.size(),
           "an edit lies in the text", text);
  }
  return report;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  const MachineSource& source = machine_sources()[data[0] % machine_sources().size()];
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Scene scene = scene_of(source, text);
  MachineDesk desk = look_at_machine(scene);
  for (const PlannedFile& planned : plan_edits(scene, report_of(desk, text)).files) {
    expect(source.scope == FileScope::person, "only files of the person change", text);
    Scene after = scene_of(source, planned.after);
    expect(after.documents[0].mistake.empty(), "what is written can be read", planned.after);
    MachineDesk then = look_at_machine(after);
    expect(then.entries().size() < desk.entries().size(), "something went", planned.after);
    expect(plan_edits(after, report_of(then, planned.after)).files.empty(), "once is enough",
           planned.after);
  }
  return 0;
}
