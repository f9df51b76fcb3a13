#include "machine_audit/scan.h"

#include <charconv>

#include "base/file.h"

namespace ringwall::machine_audit {
namespace {

constexpr std::string_view kHome = "home", kProject = "project", kUses = "uses",
                           kCredential = "credential", kFile = "file";

Result<size_t> read_number(const std::string& text, size_t below) {
  size_t number = 0;
  auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number >= below)
    return fail("the scanner was told a wrong number");
  return number;
}

}  // namespace

std::string machine_place(size_t number) { return "/machine/" + std::to_string(number); }

std::vector<std::string> tell_scanner(const MachineRequest& request, const MachineFiles& files,
                                      bool is_shown) {
  std::vector<std::string> told = {std::string(kHome), request.home, std::string(kProject),
                                   request.project};
  auto tell = [&](std::string_view word, std::string value) {
    told.emplace_back(word);
    told.push_back(std::move(value));
  };
  for (Topic topic : files.in_use)
    tell(kUses, std::to_string(static_cast<size_t>(topic)));
  for (const std::string& credential : files.credentials)
    tell(kCredential, credential);
  for (size_t i = 0; i < files.entries.size(); i++) {
    const MachineEntry& entry = files.entries[i];
    tell(kFile, std::to_string(entry.source - machine_sources().data()));
    told.push_back(entry.path);
    told.push_back(is_shown ? machine_place(i) : entry.real);
  }
  return told;
}

Result<Telling> hear_telling(const std::vector<std::string>& arguments) {
  Telling telling;
  for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
    const std::string& word = arguments[i];
    const std::string& value = arguments[i + 1];
    if (word == kHome) {
      telling.scene.home = value;
    } else if (word == kProject) {
      telling.scene.project = value;
    } else if (word == kUses) {
      TRY_ASSIGN(size_t topic, read_number(value, static_cast<size_t>(Topic::git_hook) + 1));
      telling.scene.in_use.insert(static_cast<Topic>(topic));
    } else if (word == kCredential) {
      telling.scene.credentials.push_back(value);
    } else if (word == kFile && i + 3 < arguments.size()) {
      TRY_ASSIGN(size_t number, read_number(value, machine_sources().size()));
      const MachineSource& source = machine_sources()[number];
      MachineFile file;
      file.topic = source.topic;
      file.scope = source.scope;
      file.format = source.format;
      file.path = arguments[i + 2];
      telling.scene.documents.push_back(std::move(file));
      telling.places.push_back(arguments[i + 3]);
      i += 2;
    } else {
      return fail("the scanner was told something that it does not know");
    }
  }
  return telling;
}

Status scan_machine(const std::vector<std::string>& arguments, audit::Reporter& reporter) {
  TRY_ASSIGN(Telling telling, hear_telling(arguments));
  for (size_t i = 0; i < telling.scene.documents.size(); i++) {
    MachineFile& document = telling.scene.documents[i];
    auto text = file::read(telling.places[i], audit::kMostSettingsBytes);
    reporter.count_file();
    if (!text) {
      document.mistake = text.error().text();
      continue;
    }
    document.text = std::move(*text);
    read_document(document);
  }
  MachineDesk desk = look_at_machine(telling.scene);
  for (MachineDesk::Entry& entry : desk.entries())
    reporter.add(std::move(entry.finding));
  return {};
}

}  // namespace ringwall::machine_audit
