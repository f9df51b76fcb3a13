// A hostile table of wanted files for `ringwall learn`: whatever the bytes are, they are refused or
// become a proposal that loads as a policy and holds no name that was to stay out.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "hand/wanted_table.h"
#include "policy/load.h"
#include "policy/merge.h"
#include "policy/proposal.h"

using namespace ringwall;

namespace {

bool is_secret(const std::string& path) { return path.find("key") != std::string::npos; }

policy::Wish wish_for(const hand::WantedPath& path) {
  using Kind = policy::Wish::Kind;
  policy::Wish wish{Kind::read, path.path, path.times % 3 == 0, path.times, {path.program}};
  if (path.wanted == hand::Wanted::look) wish.kind = Kind::look;
  if (path.wanted == hand::Wanted::write) wish.kind = Kind::write;
  if (path.wanted == hand::Wanted::reach) wish.kind = Kind::reach;
  if (is_secret(path.path)) wish.left_out = "secret";
  return wish;
}

// As a hand that was not taken over would fill it: the lines of the text.
const std::string& table_of(std::string_view text) {
  constexpr size_t kMostUsed = 1 << 19;  // of it, by inputs as long as they are
  static std::string memory(hand::kWantedBytes, '\0');
  memory.replace(0, kMostUsed, kMostUsed, '\0');
  hand::WantedTable table(memory);
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    auto wanted = static_cast<hand::Wanted>(line.size() % 6 + 1);
    table.add(wanted, "/d/" + std::string(line), line.substr(0, 8));
  }
  return memory;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto wanted = data[0] % 4 == 0 ? hand::read_wanted(table_of(text)) : hand::read_wanted(text);
  if (!wanted) return 0;
  std::vector<policy::Wish> wishes;
  for (const hand::WantedPath& path : wanted->paths)
    wishes.push_back(wish_for(path));
  policy::Proposal proposal =
      policy::propose(wishes, {"/home/u", [](const std::string&, bool) { return std::string(); }});
  for (const policy::Proposal::Entry& entry : proposal.entries) {
    if (is_secret(entry.value)) abort();
  }
  auto loaded = policy::load_text(proposal.toml(), policy::Layer::person, "/p/x.toml", "/home/u");
  if (!loaded.diagnostics.empty() || !policy::merge({&loaded.text, 1}).refusals.empty()) abort();
  if (loaded.text.settings.size() != proposal.entries.size()) abort();
  return 0;
}
