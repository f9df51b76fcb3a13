// ringwall profiles: which policies come with the program, and what each says.
#include <boost/json.hpp>
#include <cstdio>

#include "base/layout.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "policy/profiles.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  ringwall profiles                 all of them
  ringwall profiles claude          what it says
  ringwall policy show -- claude    what holds with it)";

using policy::Profile;

void print_list(bool as_json) {
  boost::json::array out;
  for (const Profile& profile : policy::profiles()) {
    std::vector<std::string> programs = profile.words("programs");
    out.push_back({{"name", profile.name},
                   {"kind", policy::name_of(profile.kind())},
                   {"description", profile.description()},
                   {"programs", boost::json::value_from(programs)}});
    if (as_json) continue;
    printf("%s%s%s\n", layout::pad(std::string(profile.name) + "  ", 12).c_str(),
           layout::pad(std::string(policy::name_of(profile.kind())) + "  ", 12).c_str(),
           std::string(profile.description()).c_str());
  }
  if (as_json) printf("%s\n", boost::json::serialize(out).c_str());
}

}  // namespace

int cmd_profiles(const Invocation& invocation) {
  CommandLine line("Lists the policies that come with Ringwall, or prints one.", "profiles",
                   "ringwall profiles [NAME]");
  line.footer(kExamples);
  std::string name;
  bool json = false;
  line.add_option("NAME", name, "one of them, to be printed");
  line.add_flag("--json", json, "the list as JSON");
  if (auto status = line.parse(invocation.arguments)) return *status;
  if (name.empty()) {
    print_list(json);
    return 0;
  }
  const Profile* profile = policy::profile_by_name(name);
  if (profile == nullptr) {
    std::vector<std::string> known;
    for (const Profile& other : policy::profiles())
      known.emplace_back(other.name);
    std::string near = text::nearest(name, known);
    complain("no profile is called " + text::quote(name),
             near.empty() ? "known are: " + text::join(known, ", ") : "did you mean " + near + "?");
    return kUsageStatus;
  }
  printf("%s", std::string(profile->text).c_str());
  return 0;
}

}  // namespace ringwall::cli
