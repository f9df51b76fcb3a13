#include "session/repository_look.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "audit/repository.h"
#include "base/channel.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"
#include "sandbox/helper_walls.h"

namespace ringwall::session {
namespace {

using audit::Finding;
using audit::Severity;

constexpr size_t kMostNames = 400;  // that are looked at
constexpr size_t kMostInFolders = 2000;
constexpr size_t kMostNote = 1 << 20;   // bytes
constexpr int kLastMilliseconds = 300;  // for what is under way when a run ends

// What could have changed, as text: names, and what a stat says of each.
class Fingerprint {
 public:
  explicit Fingerprint(int top) : top_(top) { text_ = RINGWALL_VERSION "\n"; }

  // False: there is nothing of that name.
  bool add(const std::string& path) {
    struct stat facts;
    if (fstatat(top_, path.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0) return false;
    note(path, facts);
    if (S_ISDIR(facts.st_mode)) add_folder(path);
    return true;
  }

  std::string digest() const { return sha256(text_); }

 private:
  void note(const std::string& path, const struct stat& facts) {
    text_ += path;
    for (auto number : {static_cast<int64_t>(facts.st_ino), static_cast<int64_t>(facts.st_mode),
                        static_cast<int64_t>(facts.st_size), int64_t{facts.st_mtim.tv_sec},
                        int64_t{facts.st_mtim.tv_nsec}})
      text_ += '\0' + std::to_string(number);
    text_ += '\n';
  }

  void add_folder(const std::string& path) {
    auto folder = file::open_beneath(top_, path, O_RDONLY | O_DIRECTORY);
    auto entries = folder ? file::list(folder->get()) : std::unexpected(folder.error());
    if (!entries) return;
    std::ranges::sort(*entries, {}, &file::Entry::name);
    for (const file::Entry& entry : *entries) {
      if (++entries_ > kMostInFolders) return;
      add(path + "/" + entry.name);
    }
  }

  int top_;
  std::string text_;
  size_t entries_ = 0;
};

std::vector<std::string> names_in(const std::string& workspace,
                                  const prepare::GuardedFiles& guarded) {
  std::vector<std::string> names;
  std::string start = workspace + "/";
  for (const std::string& path : guarded.kept) {
    if (path.starts_with(start) && names.size() < kMostNames)
      names.push_back(path.substr(start.size()));
  }
  for (std::string_view name : audit::steering_names())
    names.emplace_back(name);
  return names;
}

// The last look: its fingerprint, then what was found, a digest a line.
std::vector<std::string> read_note(const std::string& note) {
  auto text = file::read(note, kMostNote);
  if (!text || !text->ends_with('\n')) return {};
  text->pop_back();
  return text::split(*text, '\n');
}

std::string key_of(const Finding& finding) {
  return sha256(std::string(finding.check->number) + '\0' + finding.path + '\0' + finding.seen);
}

// Who tells it makes its bytes harmless.
std::string describe(const Finding& finding) {
  return finding.path + ": " + std::string(finding.check->title);
}

// What one look needs to know.
struct Look {
  std::string workspace;
  std::vector<std::string> names;  // that are there
  std::string note;                // where the last look is noted
  std::string fingerprint;         // of what is looked at now
  std::vector<std::string> known;  // of the last look
};

// What crosses the channel.
struct Answer {
  uint64_t findings = 0;  // that are new
  char severity[16] = {};
  char gravest[512] = {};
};

// In a process of its own. Notes what was found, so that it is told once.
Result<Answer> look(const Look& wanted) {
  TRY_ASSIGN(audit::Report report,
             audit::scan_in_sandbox(audit::ask_for_repository(wanted.workspace, wanted.names, {})));
  std::string note = wanted.fingerprint + "\n";
  Answer answer;
  for (const Finding& finding : report.findings) {
    if (finding.check->severity < Severity::medium) continue;
    std::string key = key_of(finding);
    note += key + "\n";
    bool is_known = std::ranges::find(wanted.known, key) != wanted.known.end();
    // The gravest come first.
    if (is_known || answer.findings++ > 0) continue;
    fixed::put(answer.severity, audit::name_of(finding.check->severity));
    fixed::put(answer.gravest, describe(finding));
  }
  TRY_ASSIGN(Fd folder, file::make_dirs(path::parent(wanted.note)));
  TRY(file::replace_at(folder.get(), std::string(path::basename(wanted.note)), note));
  return answer;
}

Status stand_apart(const std::vector<int>& kept, pid_t supervisor) {
  TRY(sandbox::die_with(supervisor));
  return sandbox::close_all_but(kept);
}

Result<processes::HelperLink> start_looking(const Look& wanted, std::span<char> start_area) {
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  processes::HelperRequest request{.name = "ringwall-audit", .start_area = start_area};
  request.kept = {pair.theirs.get()};
  request.own_walls = stand_apart;
  processes::HelperLink link;
  TRY_ASSIGN(link.pid, processes::start_helper(std::move(request), [&](std::span<const int> kept) {
               auto answer = look(wanted);
               // Silence is an answer: it is looked again at the next start.
               if (answer) (void)channel::send(kept[0], fixed::bytes_of(*answer));
               _exit(0);
             }));
  link.channel = std::move(pair.ours);
  return link;
}

}  // namespace

RepositoryLook RepositoryLook::start(const std::string& workspace,
                                     const prepare::GuardedFiles& guarded,
                                     const state::Places& places, std::string run,
                                     std::span<char> start_area) {
  auto top = file::open(workspace, O_RDONLY | O_DIRECTORY);
  if (!top) return {};
  Fingerprint now(top->get());
  Look wanted;
  for (std::string& name : names_in(workspace, guarded)) {
    if (now.add(name)) wanted.names.push_back(std::move(name));
  }
  wanted.note = path::join(path::join(places.state, "audit"), state::name_for_path(workspace));
  wanted.fingerprint = now.digest();
  wanted.known = read_note(wanted.note);
  bool is_first = wanted.known.empty();
  bool is_same = !is_first && wanted.known[0] == wanted.fingerprint;
  if (is_same || (is_first && wanted.names.empty())) return {};
  wanted.workspace = workspace;
  auto link = start_looking(wanted, start_area);
  RepositoryLook started;
  if (link) started.link_ = std::move(*link);
  started.run_ = std::move(run);
  return started;
}

void RepositoryLook::step(const Tell& tell) {
  auto message = channel::receive(fd(), MSG_DONTWAIT);
  if (!message && message.error().err == EAGAIN) return;
  auto answer =
      message ? fixed::parse<Answer>(message->bytes, "a look's") : std::unexpected(message.error());
  link_.end();
  if (!answer || answer->findings == 0) return;
  fixed::end_text(answer->severity);
  fixed::end_text(answer->gravest);
  tell(events::RepositoryNews{run_, answer->findings, answer->severity, answer->gravest});
}

void RepositoryLook::finish(const Tell& tell) {
  pollfd ready{fd(), POLLIN, 0};
  if (fd() >= 0 && poll(&ready, 1, kLastMilliseconds) > 0) step(tell);
  link_.end();
}

}  // namespace ringwall::session
