// P10 and P11. A workspace with a repository, an editor's settings, an .env and a key; a script
// inside that tries to change, to plant and to read; and a look at the workspace from outside.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "review/review.h"
#include "verify/checks.h"
#include "verify/own_run.h"
#include "verify/yardstick.h"

namespace ringwall::verify {
namespace {

constexpr int kRefused = 125;
constexpr size_t kPlainProcesses = 20;
constexpr const char* kMarker = "planted-by-the-check";
// The example key of RFC 8410, in the form in which real ones lie about.
constexpr const char* kSecret = "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC";

constexpr const char* kThere[] = {".git/config", ".git/hooks/pre-commit", ".vscode/tasks.json",
                                  "sub/.envrc"};
constexpr const char* kHidden[] = {".env", "sub/deploy.pem"};
// Made inside; "new/" is a folder that is renamed into place as a whole.
constexpr const char* kAbsent[] = {
    ".mcp.json",  ".claude/settings.json", ".cursor/mcp.json", ".git/commondir",
    "sub/.npmrc", "linked/.envrc",         ".ringwall.toml"};

// $0 is the marker. Each line says what got through.
constexpr const char* kActs = R"(
for f in .git/config .git/hooks/pre-commit .vscode/tasks.json sub/.envrc; do
  (echo "$0" >>$f) && echo "P10 write $f"
  rm -f $f && echo "P10 remove $f"
  mv $f moved && echo "P10 rename $f"
  (echo "$0" >fresh) && mv fresh $f && echo "P10 replace $f"
done
for d in .git .git/hooks .vscode sub; do mv $d away && echo "P10 rename $d"; done
for f in .env sub/deploy.pem; do
  cat $f && echo "P11 read $f"
  mv $f seen && cat seen && echo "P11 rename $f"
  ln $f link && cat link && echo "P11 link $f"
  rm -f $f && echo "P11 remove $f"
  chmod 600 $f && cat $f && echo "P11 chmod $f"
done
echo "$0" >.mcp.json
mkdir -p .claude .cursor linked && echo "$0" >.claude/settings.json
echo "$0" >file && ln file .cursor/mcp.json
ln -s ../file linked/.envrc
echo "$0" >.git/commondir
mkdir -p new && echo "$0" >new/settings.json && mv new .idea
echo "$0" >sub/.npmrc
echo "$0" >.ringwall.toml
echo "end"
sleep 600
)";

Status furnish(const std::string& folder) {
  TRY_ASSIGN(Fd top, file::make_dirs(folder));
  for (const char* name : {".git/hooks", ".git/objects", ".git/refs", ".vscode", "sub"})
    TRY(file::make_dirs_at(top.get(), name));
  auto put = [&](const char* name, const std::string& text) -> Status {
    TRY_ASSIGN(Fd parent, file::make_dirs(path::parent(path::join(folder, name))));
    return file::replace_at(parent.get(), std::string(path::basename(name)), text, 0644);
  };
  TRY(put(".git/HEAD", "ref: refs/heads/main\n"));
  TRY(put(".git/config", "[core]\n\tbare = false\n"));
  TRY(put(".git/hooks/pre-commit", "#!/bin/sh\n"));
  TRY(put(".vscode/tasks.json", "{}\n"));
  TRY(put("sub/.envrc", "# nothing\n"));
  TRY(put(".env", std::string("KEY=") + kSecret + "\n"));
  return put("sub/deploy.pem", std::string("-----BEGIN PRIVATE KEY-----\n") + kSecret +
                                   "\n-----END PRIVATE KEY-----\n");
}

// What lies there, other than what the person put there.
std::vector<std::string> find_planted(const std::string& folder) {
  std::vector<std::string> planted;
  for (const char* name : kThere) {
    auto text = file::read(path::join(folder, name));
    if (!text || text->find(kMarker) != std::string::npos) planted.push_back(name);
  }
  for (const char* name : kAbsent) {
    struct stat facts;
    if (lstat(path::join(folder, name).c_str(), &facts) == 0) planted.push_back(name);
  }
  if (file::exists(path::join(folder, ".idea"))) planted.push_back(".idea");
  return planted;
}

struct Looks {
  std::vector<std::string> left;
  int64_t longest = 0;  // nanoseconds from the script's end until nothing was there
};

// The broker may be at it still when the script is done.
Looks look_until_clean(const std::string& folder, int64_t longest) {
  Looks looks;
  int64_t start = clock::monotonic();
  do {
    looks.left = find_planted(folder);
    looks.longest = clock::monotonic() - start;
    if (looks.left.empty()) break;
    usleep(500);
  } while (looks.longest < longest);
  return looks;
}

Verdict judge(std::string_view promise, const std::string& said, std::string held) {
  for (const std::string& line : text::split(said, '\n')) {
    if (line.starts_with(promise)) return {Finding::breached, line.substr(promise.size() + 1)};
  }
  return {Finding::held, std::move(held)};
}

// The same script under review: what it does happens inside, and nowhere else.
struct Reviewed {
  bool can_be_had = true;
  std::string said;
  std::vector<std::string> planted;  // in the real workspace
};

Result<Reviewed> try_under_review(const CheckInputs& inputs) {
  std::string folder = inputs.folder + "-reviewed";
  TRY(furnish(folder));
  OwnRunRequest request{.arguments = {"-w", folder, "--review", "--home", inputs.home_name, "--",
                                      "/bin/sh", "-c", kActs, kMarker}};
  TRY_ASSIGN(OwnRun run, OwnRun::start(request));
  auto said = run.read_until("end\n", seconds_from_now(kPatience));
  if (!said) {
    TRY_ASSIGN(int status, run.wait(seconds_from_now(kPatience)));
    bool refused = status == kRefused && run.messages().find("review") != std::string::npos;
    if (refused) return Reviewed{false, {}, {}};
    return std::unexpected(said.error());
  }
  TRY_ASSIGN(std::string name, run.wait_until_started(seconds_from_now(kPatience)));
  Reviewed reviewed{true, std::move(*said), find_planted(folder)};
  run.signal(SIGTERM);
  TRY(run.wait(seconds_from_now(kPatience)));
  if (reviewed.planted.empty()) reviewed.planted = find_planted(folder);
  TRY(review::remove_review(path::join(inputs.state_folder, "reviews"), name));
  if (reviewed.said.find("P10 write .git/config") == std::string::npos)
    return fail("a run under review cannot change its own view");
  return reviewed;
}

// Both verdicts, with what the second run showed.
Status judge_review(const CheckInputs& inputs, Verdict& planted, Verdict& hidden) {
  TRY_ASSIGN(Reviewed reviewed, try_under_review(inputs));
  if (!reviewed.can_be_had) {
    planted.evidence += "; no review can be had on this host";
    return {};
  }
  if (planted.finding == Finding::held && !reviewed.planted.empty())
    planted = {Finding::breached, reviewed.planted[0] + " was changed by a run under review"};
  if (planted.finding == Finding::held) planted.evidence += "; under review nothing came out";
  Verdict again = judge("P11", reviewed.said, "");
  if (again.finding == Finding::breached)
    hidden = {Finding::breached, again.evidence + " (review)"};
  if (reviewed.said.find(kSecret) != std::string::npos)
    hidden = {Finding::breached, "a secret was read under review"};
  return {};
}

}  // namespace

Result<std::vector<Verdict>> check_guarded(const CheckInputs& inputs) {
  TRY(furnish(inputs.folder));
  TRY_ASSIGN(int64_t plain_ending, time_ending_of_plain_processes(kPlainProcesses));
  OwnRunRequest request{.arguments = {"-w", inputs.folder, "--home", inputs.home_name, "--",
                                      "/bin/sh", "-c", kActs, kMarker}};
  TRY_ASSIGN(OwnRun run, OwnRun::start(request));
  TRY_ASSIGN(std::string said, run.read_until("end\n", seconds_from_now(kPatience)));
  Looks looks = look_until_clean(inputs.folder, time_to_take_away(plain_ending));
  run.signal(SIGTERM);
  TRY(run.wait(seconds_from_now(kPatience)));
  auto after = find_planted(inputs.folder);
  Verdict planted = judge("P10", said,
                          std::to_string(std::size(kThere) * 5) + " acts refused, " +
                              std::to_string(std::size(kAbsent) + 1) + " plants gone after " +
                              std::to_string(looks.longest / 1'000'000) + " ms");
  std::vector<std::string>& left = looks.left.empty() ? after : looks.left;
  if (planted.finding == Finding::held && !left.empty())
    planted = {Finding::breached, left[0] + " was planted"};
  Verdict hidden = judge("P11", said, std::to_string(std::size(kHidden) * 5) + " acts refused");
  if (said.find(kSecret) != std::string::npos) hidden = {Finding::breached, "a secret was read"};
  TRY(judge_review(inputs, planted, hidden));
  return std::vector<Verdict>{std::move(planted), std::move(hidden)};
}

}  // namespace ringwall::verify
