#include "machine_audit/fix_edits.h"

#include <map>
#include <set>

namespace ringwall::machine_audit {
namespace {

constexpr size_t kMostEdits = 200;

// A finding by what it is about.
using Key = std::pair<std::string, std::string>;  // number, path

std::map<Key, size_t> count_findings(MachineDesk& desk) {
  std::map<Key, size_t> counts;
  for (const MachineDesk::Entry& entry : desk.entries())
    counts[{std::string(entry.finding.check->number), entry.finding.path}]++;
  return counts;
}

class Planner {
 public:
  Planner(Scene scene, const audit::Report& report) : scene_(std::move(scene)) {
    for (const Finding& finding : report.findings)
      told_.insert({std::string(finding.check->number), finding.path});
    for (const MachineFile& document : scene_.documents)
      before_[document.path] = document.text;
  }

  // One edit at a time, since each moves what stands behind it.
  void run() {
    for (size_t i = 0; i < kMostEdits; i++) {
      if (!step()) return;
    }
  }

  std::vector<PlannedFile> planned() const {
    std::vector<PlannedFile> files;
    for (const MachineFile& document : scene_.documents) {
      const std::string& before = before_.at(document.path);
      if (document.text == before) continue;
      const auto& numbers = numbers_.at(document.path);
      files.push_back({document.path, {numbers.begin(), numbers.end()}, before, document.text, {}});
    }
    return files;
  }

  // Looked at once more, after all edits.
  std::vector<LeftFinding> left() const {
    MachineDesk desk = look_at_machine(scene_);
    std::set<LeftFinding> found;
    for (const MachineDesk::Entry& entry : desk.entries()) {
      const Finding& finding = entry.finding;
      Key key{std::string(finding.check->number), finding.path};
      if (finding.check->severity == audit::Severity::info || !told_.contains(key)) continue;
      std::string why(entry.why_not);
      if (tried_.contains(act_of(finding)))
        why = "with the change alone it would not read as it should";
      if (!why.empty()) found.insert({finding.path, finding.line, key.first, why});
    }
    return {found.begin(), found.end()};
  }

 private:
  static std::string act_of(const Finding& finding) {
    return std::string(finding.check->number) + finding.path + finding.seen;
  }

  bool step() {
    MachineDesk desk = look_at_machine(scene_);
    std::map<Key, size_t> counts = count_findings(desk);
    for (const MachineDesk::Entry& entry : desk.entries()) {
      // What is only said for information is the person's to decide.
      bool is_grave = entry.finding.check->severity > audit::Severity::info;
      if (!entry.edit || entry.document == nullptr || !is_grave) continue;
      Key key{std::string(entry.finding.check->number), entry.finding.path};
      std::string act = act_of(entry.finding);
      if (!told_.contains(key) || tried_.contains(act)) continue;
      auto place = static_cast<size_t>(entry.document - scene_.documents.data());
      if (apply(place, *entry.edit, key, counts)) {
        numbers_[key.second].insert(key.first);
        return true;
      }
      tried_.insert(act);
    }
    return false;
  }

  // Leaves the document as it was if the edit does not do what it should.
  bool apply(size_t place, const TextEdit& edit, const Key& key,
             const std::map<Key, size_t>& counts) {
    MachineFile& document = scene_.documents[place];
    MachineFile old = document;
    if (edit.begin > edit.end || edit.end > old.text.size()) return false;
    MachineFile fresh;
    fresh.topic = old.topic;
    fresh.scope = old.scope;
    fresh.format = old.format;
    fresh.path = old.path;
    fresh.text = old.text.substr(0, edit.begin) + edit.text + old.text.substr(edit.end);
    read_document(fresh);
    document = std::move(fresh);
    MachineDesk desk = look_at_machine(scene_);
    std::map<Key, size_t> now = count_findings(desk);
    bool is_right = document.mistake.empty() && now[key] < counts.at(key);
    for (const auto& [other, count] : now) {
      auto before = counts.find(other);
      is_right = is_right && count <= (before == counts.end() ? 0 : before->second);
    }
    if (!is_right) document = std::move(old);
    return is_right;
  }

  Scene scene_;
  std::set<Key> told_;
  std::map<std::string, std::string> before_;             // texts by path
  std::map<std::string, std::set<std::string>> numbers_;  // of what goes, by path
  std::set<std::string> tried_;
};

}  // namespace

EditPlan plan_edits(Scene scene, const audit::Report& report) {
  Planner planner(std::move(scene), report);
  planner.run();
  return {planner.planned(), planner.left()};
}

}  // namespace ringwall::machine_audit
