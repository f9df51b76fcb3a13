#include "machine_audit/fix_plan.h"

#include <sys/stat.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "machine_audit/scan.h"

namespace ringwall::machine_audit {
namespace {

// Files of the person and of root's. What a project says is for the sandbox alone.
Result<Scene> read_scene(const MachineRequest& request, const MachineFiles& files) {
  MachineFiles own = files;
  std::erase_if(own.entries, [](const MachineEntry& entry) {
    return entry.source->scope == FileScope::project;
  });
  TRY_ASSIGN(Telling telling, hear_telling(tell_scanner(request, own, false)));
  for (size_t i = 0; i < telling.scene.documents.size(); i++) {
    MachineFile& document = telling.scene.documents[i];
    auto text = file::read(telling.places[i], audit::kMostSettingsBytes);
    if (!text) {
      document.mistake = text.error().text();
      continue;
    }
    document.text = std::move(*text);
    read_document(document);
  }
  return std::move(telling.scene);
}

// Modes are seen outside, and so can be believed.
void plan_modes(const MachineRequest& request, const MachineFiles& found, FixPlan& plan) {
  for (const Finding& finding : found.findings) {
    std::string number(finding.check->number);
    bool is_mode = number == "RW130" || number == "RW197";
    struct stat facts;
    if (!is_mode || !path::is_beneath(finding.path, request.home) || finding.path == request.home ||
        lstat(finding.path.c_str(), &facts) < 0)
      continue;
    mode_t taken = number == "RW130" ? S_IWGRP | S_IWOTH : S_IRWXG | S_IRWXO;
    auto known = std::find_if(plan.files.begin(), plan.files.end(),
                              [&](const PlannedFile& file) { return file.path == finding.path; });
    if (known == plan.files.end()) {
      plan.files.push_back({finding.path, {}, {}, {}, {}});
      known = plan.files.end() - 1;
    }
    mode_t now = known->mode.value_or(facts.st_mode & 07777);
    known->mode = now & ~taken;
    known->numbers.push_back(number);
  }
}

}  // namespace

Result<FixPlan> plan_fixes(const MachineRequest& request, const audit::Report& report) {
  FixPlan plan{request.home, request.uid, {}, {}};
  MachineFiles found = find_machine_files(request);
  TRY_ASSIGN(Scene scene, read_scene(request, found));
  EditPlan edits = plan_edits(std::move(scene), report);
  plan.files = std::move(edits.files);
  plan.left = std::move(edits.left);
  plan_modes(request, found, plan);
  return plan;
}

}  // namespace ringwall::machine_audit
