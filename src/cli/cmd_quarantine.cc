// ringwall quarantine: what was taken from runs because it would have run outside later.
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "base/byte_text.h"
#include "base/layout.h"
#include "base/path.h"
#include "base/text.h"
#include "broker/quarantine_item.h"
#include "broker/quarantine_restore.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/quarantine_show.h"
#include "cli/size_text.h"
#include "state/control.h"
#include "state/places.h"
#include "state/registry.h"

namespace ringwall::cli {
namespace {

using broker::Item;

constexpr const char* kHelp =
    R"(Files that a run planted where something outside would run them later.

Usage: ringwall quarantine list [--run NAME] [--json]
       ringwall quarantine show ITEM
       ringwall quarantine restore ITEM [--to PATH]
       ringwall quarantine remove ITEM... | --all

Examples:
  ringwall quarantine list                       what there is, the oldest first
  ringwall quarantine show 9f3a2c1b              what is in it, safe to look at
  ringwall quarantine restore 9f3a2c1b           back to where it lay
  ringwall quarantine restore 9f3a2c1b --to x    as x
  ringwall quarantine remove --all               throw everything away

ITEM is a name from the list, or the end of one. Look before you restore: an agent
wrote it, and something on this machine will run it. Nothing is ever overwritten.
Exit status: 0; 125 if it could not be done.
)";

struct Store {
  state::Places places;
  Fd folder;  // null if nothing was ever taken
};

Result<Store> open_store() {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  Store store{state::find_places(caller, getenv("XDG_RUNTIME_DIR"))};
  TRY_ASSIGN(store.folder, broker::open_store(store.places.state + "/quarantine"));
  return store;
}

Result<std::string> find(const Store& store, const std::string& word) {
  if (store.folder) return broker::find_item(store.folder.get(), word);
  return fail("no item in quarantine is called " + text::quote(word), "the quarantine is empty");
}

int complain_about(const Error& error) {
  complain(error);
  return kUsageStatus;
}

boost::json::object to_json(const Item& item) {
  boost::json::object object{{"item", item.name},
                             {"kind", broker::in_words(item.kind)},
                             {"kept", item.kept},
                             {"bytes", item.bytes}};
  if (!item.whole) object["at_least"] = true;
  if (!item.record) return object;
  object["path"] = item.record->path;
  // The path as it is may be no UTF-8; this one survives.
  object["path_bytes"] = text_of_bytes(item.record->path);
  object["run"] = item.record->run;
  object["time"] = item.record->time;
  object["rule"] = item.record->rule;
  object["reason"] = item.record->reason;
  return object;
}

using Line = std::array<std::string, 6>;

void print_table(const std::vector<Item>& items) {
  std::vector<Line> lines = {{"ITEM", "TAKEN", "RUN", "KIND", "SIZE", "PATH"}};
  for (const Item& item : items) {
    const auto& record = item.record;
    lines.push_back({item.name, record ? in_local_time(record->time) : "unknown",
                     record ? text::quote(record->run) : "unknown",
                     std::string(broker::in_words(item.kind)),
                     item.kept ? describe_size(item.bytes, item.whole) : "not kept",
                     record ? text::quote(record->path) : "unknown"});
  }
  size_t widths[5] = {};
  for (const Line& line : lines) {
    for (size_t i = 0; i < 5; i++)
      widths[i] = std::max(widths[i], layout::columns(line[i]) + 2);
  }
  Style style = style_for(stdout);
  for (const Line& line : lines) {
    std::string row = line[5];
    for (size_t i = 5; i-- > 0;)
      row = layout::pad(line[i], widths[i]) + row;
    if (&line == &lines.front()) row = std::string(style.bold) + row + std::string(style.plain);
    printf("%s\n", row.c_str());
  }
}

int list(const std::vector<std::string>& arguments) {
  CommandLine line("Lists what is in quarantine, the oldest first.", "quarantine list",
                   "ringwall quarantine list [--run NAME] [--json]");
  std::string run;
  bool json = false;
  line.add_option("--run", run, "only what this run planted").type_name("NAME");
  line.add_flag("--json", json, "as a JSON array");
  if (auto status = line.parse(arguments)) return *status;
  auto store = open_store();
  if (!store) return complain_about(store.error());
  std::vector<Item> items;
  if (store->folder) {
    auto listed = broker::list_items(store->folder.get(), run);
    if (!listed) return complain_about(listed.error());
    items = std::move(*listed);
  }
  if (json) {
    boost::json::array array;
    for (const Item& item : items)
      array.push_back(to_json(item));
    printf("%s\n", text::harmless_json(boost::json::serialize(array)).c_str());
    return 0;
  }
  if (!items.empty()) print_table(items);
  // For people only: a script sees the items.
  if (isatty(STDERR_FILENO) == 0) return 0;
  if (items.empty()) {
    fprintf(stderr, "nothing is in quarantine\n");
    return 0;
  }
  uint64_t bytes = 0;
  bool whole = true;
  for (const Item& item : items) {
    bytes += item.bytes;
    whole = whole && item.whole;
  }
  fprintf(stderr, "%s in %zu item%s\n", describe_size(bytes, whole).c_str(), items.size(),
          items.size() == 1 ? "" : "s");
  return 0;
}

// A run that goes on where the item goes would lose it again at once.
std::string run_at(const state::Places& places, const std::string& path) {
  auto names = state::list_runs(places);
  if (!names) return "";
  for (const std::string& name : *names) {
    auto folder = state::open_run(places, name);
    if (!folder) continue;  // ended since it was listed
    auto connection = state::connect_control(folder->get());
    if (!connection) continue;
    auto description = state::ask_description(connection->get());
    boost::system::error_code error;
    auto value = boost::json::parse(description.value_or(""), error);
    if (error || !value.is_object()) continue;
    const boost::json::value* workspace = value.get_object().if_contains("workspace");
    if (workspace == nullptr || !workspace->is_string()) continue;
    if (path::is_beneath(path, std::string_view(workspace->get_string()))) return name;
  }
  return "";
}

int print_restored(const Store& store, const broker::Restored& restored, const std::string& item) {
  std::string what(broker::in_words(restored.kind));
  if (restored.kind != broker::Kind::link) what += ", " + describe_size(restored.bytes, true);
  if (restored.kind == broker::Kind::folder)
    what += " in " + std::to_string(restored.entries - 1) +
            (restored.entries == 2 ? " entry" : " entries");
  printf("restored %s (%s)\n", text::quote(restored.path).c_str(), what.c_str());
  std::string run = run_at(store.places, restored.path);
  if (!run.empty()) {
    complain("the run " + run + " goes on there, and what it must not plant is taken again",
             "if it is gone: end the run, then restore it from the new item");
  }
  if (!restored.left_out.empty()) {
    complain(std::to_string(restored.left_out.size()) +
                 (restored.left_out.size() == 1 ? " socket, FIFO or device was"
                                                : " sockets, FIFOs or devices were") +
                 " left out, so the item stays",
             "to remove it: ringwall quarantine remove " + item);
  }
  if (restored.stays) complain(*restored.stays);
  return restored.stays ? kUsageStatus : 0;
}

int restore(const std::vector<std::string>& arguments) {
  CommandLine line("Copies an item back to where it lay, and removes it from the quarantine.",
                   "quarantine restore", "ringwall quarantine restore ITEM [--to PATH]");
  std::string word, to;
  line.add_option("ITEM", word, "a name from the list, or the end of one");
  line.add_option("--to", to, "make it this file or folder instead; it must not exist")
      .type_name("PATH");
  if (auto status = line.parse(arguments)) return *status;
  if (word.empty()) {
    complain("quarantine restore: which item?", "see: ringwall quarantine list");
    return kUsageStatus;
  }
  if (line.was_given("--to") && to.empty()) {
    complain("quarantine restore: --to needs a path", "");
    return kUsageStatus;
  }
  auto store = open_store();
  if (!store) return complain_about(store.error());
  auto name = find(*store, word);
  if (!name) return complain_about(name.error());
  auto item = broker::look_at_item(store->folder.get(), *name);
  if (!item) return complain_about(item.error());
  if (!to.empty()) {
    char here[PATH_MAX];
    if (getcwd(here, sizeof here) == nullptr) {
      complain("the current folder is gone", "say the whole path: --to /PATH");
      return kUsageStatus;
    }
    to = path::absolute(to, here);
  }
  auto restored = broker::restore_item(store->folder.get(), *item, to);
  if (!restored) return complain_about(restored.error());
  return print_restored(*store, *restored, *name);
}

int show(const std::vector<std::string>& arguments) {
  CommandLine line(
      "Shows an item: where it lay, why it was taken, and the beginning of what is in it.",
      "quarantine show", "ringwall quarantine show ITEM");
  std::string word;
  line.add_option("ITEM", word, "a name from the list, or the end of one");
  if (auto status = line.parse(arguments)) return *status;
  if (word.empty()) {
    complain("quarantine show: which item?", "see: ringwall quarantine list");
    return kUsageStatus;
  }
  auto store = open_store();
  if (!store) return complain_about(store.error());
  auto name = find(*store, word);
  if (!name) return complain_about(name.error());
  auto item = broker::look_at_item(store->folder.get(), *name);
  if (!item) return complain_about(item.error());
  Status shown = show_item(store->folder.get(), *item);
  return shown ? 0 : complain_about(shown.error());
}

Result<std::vector<std::string>> choose(const Store& store, const std::vector<std::string>& words,
                                        bool all) {
  std::vector<std::string> names;
  if (all) {
    if (!store.folder) return names;
    TRY_ASSIGN(auto items, broker::list_items(store.folder.get()));
    for (const Item& item : items)
      names.push_back(item.name);
    return names;
  }
  // All are found before the first one goes.
  for (const std::string& word : words) {
    TRY_ASSIGN(std::string name, find(store, word));
    names.push_back(std::move(name));
  }
  return names;
}

int remove(const std::vector<std::string>& arguments) {
  CommandLine line("Removes items for good.", "quarantine remove",
                   "ringwall quarantine remove ITEM... | --all");
  std::vector<std::string> words;
  bool all = false;
  line.add_option("ITEM", words, "names from the list, or their ends");
  line.add_flag("--all", all, "everything");
  if (auto status = line.parse(arguments)) return *status;
  if (words.empty() != all) {
    complain(all ? "quarantine remove: items or --all, not both" : "quarantine remove: which item?",
             "see: ringwall quarantine list");
    return kUsageStatus;
  }
  auto store = open_store();
  if (!store) return complain_about(store.error());
  auto names = choose(*store, words, all);
  if (!names) return complain_about(names.error());
  int status = 0;
  for (const std::string& name : *names) {
    Status removed = broker::remove_item(store->folder.get(), name);
    if (removed) {
      printf("removed %s\n", name.c_str());
    } else {
      status = complain_about(removed.error());
    }
  }
  return status;
}

struct Act {
  std::string_view name;
  int (*run)(const std::vector<std::string>& arguments);
};
constexpr Act kActs[] = {{"list", list}, {"show", show}, {"restore", restore}, {"remove", remove}};

}  // namespace

int cmd_quarantine(const Invocation& invocation) {
  const std::vector<std::string>& words = invocation.arguments;
  std::string first = words.empty() ? "" : words.front();
  if (first == "--help" || first == "-h") {
    fputs(kHelp, stdout);
    return 0;
  }
  std::vector<std::string> names;
  for (const Act& act : kActs) {
    if (act.name == first) return act.run({words.begin() + 1, words.end()});
    names.emplace_back(act.name);
  }
  std::string near = text::nearest(first, names);
  complain(first.empty() ? "quarantine: what shall be done?"
                         : "quarantine: unknown command " + text::quote(first),
           near.empty() || first.empty() ? "one of: " + text::join(names, ", ")
                                         : "did you mean: ringwall quarantine " + near + "?");
  return kUsageStatus;
}

}  // namespace ringwall::cli
