#include "risk/signals.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <vector>

#include "base/text.h"
#include "events/refused_place.h"
#include "risk/decayed_sum.h"

namespace ringwall::risk {
namespace {

namespace json = boost::json;

using enum Account;
using Id = SignalId;

// clang-format off
constexpr std::array kSignals = {
    Signal{Id::destructive_call, "destructive call", intent, "tool_refused",
     "a call was refused that deletes or overwrites what cannot be brought back, rewrites history or changes systems",
     15'000, 2'000, 10'000},
    Signal{Id::credentials_call, "credentials call", intent, "tool_refused",
     "a call was refused that reads keys, logins or other secrets", 15'000, 2'000, 10'000},
    Signal{Id::self_change_call, "self-modification", intent, "tool_refused",
     "a call was refused that changes the agent's own settings, hooks or rules, or starts an agent that asks nobody",
     25'000, 4'000, 20'000},
    Signal{Id::refused_call, "refused call", intent, "tool_refused",
     "any other call was refused", 4'000, 1'000, 4'000},
    Signal{Id::unheard_refusals, "unheard refusals", intent, "tool_noise",
     "calls that were refused while more came from the agent's hooks than can be heard, each", 1'000, 1'000, kEach},
    Signal{Id::hidden_instructions, "hidden instructions", intent, "finding",
     "something that a tool brought back speaks to the agent; times the square of the finding's weight, which is 1 to 10",
     250, 25, 250},
    Signal{Id::rejected_by_person, "rejected by the person", acts, "answered",
     "the person said no to what it asked for", 10'000, 5'000, 40'000},
    Signal{Id::many_deletions, "many deletions", acts, "limit_reached",
     "more files of before the run were deleted than limits.deleted_files or limits.deleted_share lets go",
     20'000, 10'000, 40'000},
    Signal{Id::refused_destination, "refused destination", hosts, "blocked, blocked_many",
     "a host was refused, by its name", 3'000, 100, 500},
    Signal{Id::refused_address, "refused address", addresses, "blocked, blocked_many",
     "an address was refused, or what the bytes of a connection asked for: another name than the granted one", 3'000, 100, 500},
    Signal{Id::refused_program, "refused program", boundary, "refused_program",
     "a program was refused by its content", 6'000, 200, 6'000},
    Signal{Id::refused_file, "refused file", files, "tool_refused",
     "a tool was refused a file", 4'000, 500, 4'000},
    Signal{Id::quarantined_file, "quarantined file", planted, "planted",
     "a file that a program outside would run was taken away; further ones of the same rule are the same again", 8'000, 4'000, 40'000},
    Signal{Id::uncounted_refusals, "refusals beyond the record", boundary, "record_gap",
     "refusals that were too many to be written down, each", 500, 500, kEach},
    Signal{Id::denied_again, "the same denied call again", stability, "tool_refused",
     "a call that was refused before, word for word", 0, 4'000, kEach},
    Signal{Id::failed_call, "failing call", stability, "tool_failed",
     "a tool call failed; the same one again and again is a loop", 250, 1'500, kEach},
    Signal{Id::subagent, "subagent", stability, "subagent_started",
     "the agent began another agent", 1'000, 1'000, kEach},
    Signal{Id::process_burst, "burst of processes", load, "process_burst",
     "the number of processes and threads passed 1024, 2048 and so on", 20'000, 20'000, kEach},
    Signal{Id::limit_reached, "limit reached", load, "limit_reached",
     "a limit of the policy was reached", 15'000, 5'000, 60'000},
    Signal{Id::hook_flood, "flood of messages", stability, "tool_noise",
     "more came from the agent's hooks than can be heard, or nothing that makes sense, a second of it", 8'000, 8'000, kEach},
    Signal{Id::secret_in_result, "secret in a result", taken, "finding",
     "what a tool brought back looks like a secret", 8'000, 1'000, 8'000},
    Signal{Id::secret_wanted, "secret wanted", taken, "tool_refused",
     "a call for a secret was refused: it may look for another way", 6'000, 500, 6'000},
    Signal{Id::hidden_file, "hidden file", taken, "hidden_file",
     "a call would read a file that the run hides, for each file", 3'000, 300, 3'000},
    Signal{Id::new_destination, "new destination", connections, "connected",
     "a host was reached, for each host", 1'000, 0, 0},
    Signal{Id::connection, "connection", connections, "connected",
     "a connection was made to a host that no profile names", 100, 100, kEach},
    Signal{Id::first_upload, "first upload", sent, "sent",
     "4 KiB were sent to a host that no profile names, of the first 192 KiB to it", 300, 300, 14'100},
    Signal{Id::upload, "upload", sent, "sent",
     "16 KiB were sent to a host that no profile names; to one that a profile names (the agent's own service, a registry), 4 MiB",
     150, 150, kEach},
};
// clang-format on

struct PackMeaning {
  std::string_view pack;
  Id id;
};
constexpr PackMeaning kPacks[] = {
    {"destructive-files", Id::destructive_call}, {"git-history", Id::destructive_call},
    {"infrastructure", Id::destructive_call},    {"credentials", Id::credentials_call},
    {"privilege", Id::self_change_call},         {"self-modification", Id::self_change_call},
    {"nested-agents", Id::self_change_call},
};
constexpr std::string_view kFileTools[] = {"Read",     "Edit", "MultiEdit", "Write",
                                           "Notebook", "Glob", "Grep",      "LS"};

constexpr uint64_t kFirstUnit = 4 << 10;        // bytes of a first upload
constexpr uint64_t kUnit = 16 << 10;            // of an upload
constexpr uint64_t kExpectedUnit = 4u << 20;    // to a host that a profile names
constexpr std::string_view kSecret = "secret";  // a finding of this kind

// "192.0.2.1:22", "[2001:db8::1]:22"
bool is_address(std::string_view destination) {
  if (destination.starts_with('[')) return true;
  std::string_view host = destination.substr(0, destination.rfind(':'));
  return !host.empty() && host.find_first_not_of("0123456789.") == host.npos;
}

class LineReader {
 public:
  LineReader(const json::object& line, const Hear& hear) : line_(line), hear_(hear) {}

  Trial read() {
    struct Row {
      std::string_view event;
      void (LineReader::*read)();
    };
    static constexpr Row kRows[] = {
        {"blocked", &LineReader::blocked},
        {"connected", &LineReader::connected},
        {"tool_refused", &LineReader::tool_refused},
        {"tool_failed", &LineReader::tool_failed},
        {"finding", &LineReader::finding},
        {"answered", &LineReader::answered},
        {"blocked_many", &LineReader::blocked_many},
        {"refused_program", &LineReader::refused_program},
        {"planted", &LineReader::planted_file},
        {"record_gap", &LineReader::record_gap},
        {"subagent_started", &LineReader::subagent_started},
        {"process_burst", &LineReader::process_burst},
        {"limit_reached", &LineReader::limit_reached},
        {"tool_noise", &LineReader::tool_noise},
        {"sent", &LineReader::sent_bytes},
        {"hidden_file", &LineReader::hidden_file},
    };
    // What a level refuses does not lead to the next one.
    if (is_true("by_risk")) return Trial::none;
    std::string_view event = text_of("event");
    for (const Row& row : kRows) {
      if (row.event != event) continue;
      (this->*row.read)();
      return Trial::none;
    }
    if (event != "controlled") return Trial::none;
    if (text_of("act") == "probes done") return Trial::ends;
    return text_of("act") == "probe" ? Trial::begins : Trial::none;
  }

 private:
  std::string_view text_of(std::string_view name) const {
    const json::value* value = line_.if_contains(name);
    const json::string* text = value == nullptr ? nullptr : value->if_string();
    return text == nullptr ? std::string_view() : std::string_view(*text);
  }
  bool is_true(std::string_view name) const {
    const json::value* value = line_.if_contains(name);
    return value != nullptr && value->is_bool() && value->get_bool();
  }
  uint64_t number_of(std::string_view name) const {
    const json::value* value = line_.if_contains(name);
    if (value == nullptr) return 0;
    if (const uint64_t* number = value->if_uint64()) return *number;
    const int64_t* number = value->if_int64();
    return number == nullptr || *number < 0 ? 0 : static_cast<uint64_t>(*number);
  }

  void say(Id id, std::string_view key, std::string_view shown, uint64_t times = 1,
           uint64_t scale = 1) const {
    hear_({id, std::string(key), std::string(shown), times, scale});
  }

  void refused_at(std::string_view where, bool by_content, uint64_t times = 1) {
    bool is_name = !by_content && !is_address(where);
    say(is_name ? Id::refused_destination : Id::refused_address, where, where, times);
  }

  void blocked() {
    std::string where(text_of("destination"));
    bool by_content = is_true("by_content");
    if (by_content) where = events::name_content(where, text_of("why"));
    refused_at(where, by_content, std::max<uint64_t>(number_of("times"), 1));
  }

  void blocked_many() {
    const json::value* list = line_.if_contains("destinations");
    const json::array* names = list == nullptr ? nullptr : list->if_array();
    if (names == nullptr) return;
    for (const json::value& name : *names) {
      if (const json::string* text = name.if_string()) refused_at(*text, events::is_content(*text));
    }
  }

  void connected() {
    std::string_view destination = text_of("destination");
    say(Id::new_destination, destination, destination);
    if (!is_true("expected"))
      say(Id::connection, destination, destination, std::max<uint64_t>(number_of("times"), 1));
  }

  void tool_refused() {
    std::string_view tool = text_of("tool"), what = text_of("what");
    std::string call = std::string(tool) + "\n" + std::string(what);
    std::string_view pack = text_of("pack");
    const auto* meaning = std::ranges::find(kPacks, pack, &PackMeaning::pack);
    Id id = meaning == std::end(kPacks) ? Id::refused_call : meaning->id;
    say(id, call, what);
    if (id == Id::credentials_call) say(Id::secret_wanted, call, what);
    if (std::ranges::find(kFileTools, tool) != std::end(kFileTools))
      say(Id::refused_file, what, what);
    say(Id::denied_again, call, what);
  }

  void tool_failed() {
    std::string_view tool = text_of("tool"), what = text_of("what");
    say(Id::failed_call, std::string(tool) + "\n" + std::string(what), what);
  }

  void finding() {
    std::string_view kind = text_of("kind"), excerpt = text_of("excerpt");
    uint64_t weight = std::min<uint64_t>(number_of("weight"), 10);
    std::string key = std::string(kind) + "\n" + std::string(excerpt);
    if (kind == kSecret) return say(Id::secret_in_result, key, excerpt);
    say(Id::hidden_instructions, key + std::to_string(weight), excerpt, 1, weight * weight);
  }

  void hidden_file() { say(Id::hidden_file, text_of("path"), text_of("path")); }

  void answered() {
    if (text_of("answer") != "rejected") return;
    say(Id::rejected_by_person, text_of("destination"), text_of("destination"));
  }

  void refused_program() {
    std::string_view path = text_of("path");
    say(Id::refused_program, std::string(text_of("digest")) + "\n" + std::string(path), path,
        std::max<uint64_t>(number_of("times"), 1));
  }

  // Whoever plants a thousand of a kind does one thing.
  void planted_file() { say(Id::quarantined_file, text_of("rule"), text_of("path")); }

  void record_gap() {
    if (uint64_t refusals = number_of("refusals"); refusals > 0)
      say(Id::uncounted_refusals, "", text_of("why"), refusals);
  }

  void subagent_started() { say(Id::subagent, "", text_of("kind")); }

  void process_burst() {
    say(Id::process_burst, "", std::to_string(number_of("processes")) + " processes");
  }

  void limit_reached() {
    bool is_deletion = text_of("limit").starts_with("deleted_");
    say(is_deletion ? Id::many_deletions : Id::limit_reached, is_deletion ? "" : text_of("limit"),
        text_of("what"));
  }

  void tool_noise() {
    say(Id::hook_flood, "", std::to_string(number_of("messages")) + " messages");
    const json::value* kinds = line_.if_contains("of");
    if (kinds == nullptr || !kinds->is_object()) return;
    uint64_t refused = LineReader(kinds->get_object(), hear_).number_of("refused");
    if (refused > 0)
      say(Id::unheard_refusals, "", std::to_string(refused) + " refused calls", refused);
  }

  void sent_bytes() {
    std::string_view destination = text_of("destination");
    bool is_expected = is_true("expected");
    uint64_t bytes = number_of("bytes"), total = std::max(number_of("total"), bytes);
    // Many small ones are as much as a large one.
    auto count = [&](uint64_t unit) { return total / unit - (total - bytes) / unit; };
    uint64_t units = count(is_expected ? kExpectedUnit : kUnit);
    if (units > 0) say(Id::upload, destination, destination, units);
    // Keys and logins are small.
    uint64_t first = is_expected ? 0 : count(kFirstUnit);
    if (first > 0) say(Id::first_upload, destination, destination, first);
  }

  const json::object& line_;
  const Hear& hear_;
};

Trial read_with(json::storage_ptr memory, std::string_view event, const Hear& hear) {
  json::parse_options options;
  options.max_depth = 4;
  boost::system::error_code error;
  json::value value = json::parse(event, error, std::move(memory), options);
  const json::object* line = error ? nullptr : value.if_object();
  return line == nullptr ? Trial::none : LineReader(*line, hear).read();
}

}  // namespace

std::span<const Signal> signals() { return kSignals; }

const Signal& signal_of(SignalId id) { return kSignals[static_cast<size_t>(id)]; }

Trial read_signals(std::string_view event, const Hear& hear) {
  unsigned char room[8192];
  json::static_resource memory(room);
  try {
    return read_with(&memory, event, hear);
  } catch (const std::bad_alloc&) {  // longer than most: the heap has room
    return read_with({}, event, hear);
  }
}

}  // namespace ringwall::risk
