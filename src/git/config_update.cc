#include "git/config_update.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/file.h"
#include "base/git_keys.h"
#include "base/path.h"
#include "base/text.h"
#include "git/config_rules.h"
#include "git/worktree_settings.h"

namespace ringwall::git {
namespace {

constexpr std::string_view kJournalHead = "ringwall git config journal 1\n";
constexpr size_t kMostJournalBytes = 3 * kMostGitConfigBytes;

void put(std::string& out, std::string_view text) {
  uint64_t size = text.size();
  out.append(reinterpret_cast<const char*>(&size), sizeof size);
  out.append(text);
}

Result<std::string> take(std::string_view& bytes) {
  uint64_t size;
  if (bytes.size() < sizeof size) return fail("a journal that is too short");
  memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  if (bytes.size() < size) return fail("a journal that is too short");
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return text;
}

// Against a journal that was cut short itself: FNV-1a, nobody chooses these bytes to deceive.
uint64_t checksum(std::string_view bytes) {
  uint64_t sum = 0xcbf29ce484222325;
  for (char c : bytes)
    sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return sum;
}

Status write_at_start(int fd, std::string_view text) {
  size_t done = 0;
  while (done < text.size()) {
    ssize_t count = pwrite(fd, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail_errno("cannot write the config");
    done += static_cast<size_t>(count);
  }
  return {};
}

Status overwrite(int fd, std::string_view text, size_t old_length) {
  // On a full disk, fail before the first byte. Not every filesystem can; then the write may fail.
  if (text.size() > old_length &&
      fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(text.size())) < 0 && errno == ENOSPC)
    return fail_errno("cannot make room for the config");
  TRY(write_at_start(fd, padded(text, old_length)));
  if (text.size() < old_length && ftruncate(fd, static_cast<off_t>(text.size())) < 0)
    return fail_errno("cannot shorten the config");
  return {};
}

// Bytes of the new text, then of the old one: what one write leaves that was cut short.
bool is_mixture(const UpdateJournal& journal, std::string_view now) {
  std::string after = padded(journal.after, journal.before.size());
  if (now.size() > after.size() || now.size() < std::min(journal.before.size(), after.size()))
    return false;
  for (size_t i = 0; i < now.size(); i++) {
    bool old = i < journal.before.size() && now[i] == journal.before[i];
    bool hole = i >= journal.before.size() && now[i] == '\0';
    if (now[i] != after[i] && !old && !hole) return false;
  }
  return true;
}

}  // namespace

Status keep_bytes(const JournalPlace& place, std::string_view bytes) {
  std::string temporary = "." + place.name;
  Fd fd(openat(place.folder, temporary.c_str(),
               O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return fail_errno("cannot keep a copy of the config");
  TRY(file::write_all(fd.get(), bytes));
  // By the kernel's own call: libc makes another one of it, which the broker's walls do not have.
  if (fdatasync(fd.get()) < 0 || syscall(SYS_renameat2, place.folder, temporary.c_str(),
                                         place.folder, place.name.c_str(), 0) < 0)
    return fail_errno("cannot keep a copy of the config");
  return {};
}

std::string padded(std::string_view text, size_t old_length) {
  std::string out(text);
  if (out.size() < old_length) out.resize(old_length, '\n');
  return out;
}

std::string encode_journal(const UpdateJournal& journal) {
  std::string body;
  put(body, journal.path);
  put(body, journal.before);
  put(body, journal.after);
  std::string out(kJournalHead);
  uint64_t sum = checksum(body);
  out.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return out + body;
}

Result<UpdateJournal> decode_journal(std::string_view bytes) {
  uint64_t sum;
  if (!bytes.starts_with(kJournalHead) || bytes.size() < kJournalHead.size() + sizeof sum)
    return fail("not a journal");
  bytes.remove_prefix(kJournalHead.size());
  memcpy(&sum, bytes.data(), sizeof sum);
  bytes.remove_prefix(sizeof sum);
  if (checksum(bytes) != sum) return fail("a journal that is not whole");
  UpdateJournal journal;
  TRY_ASSIGN(journal.path, take(bytes));
  TRY_ASSIGN(journal.before, take(bytes));
  TRY_ASSIGN(journal.after, take(bytes));
  return journal;
}

std::optional<std::string> mended(const UpdateJournal& journal, std::string_view now) {
  if (now == journal.before || now == journal.after || !is_mixture(journal, now))
    return std::nullopt;
  return journal.after;
}

Result<std::string> read_wanted_config(int fd) {
  struct stat facts;
  if (fstat(fd, &facts) < 0) return fail_errno("cannot look at the new config");
  if (!S_ISREG(facts.st_mode) || facts.st_nlink > 1) return fail("the new config is no plain file");
  std::string text;
  char piece[16384];
  while (text.size() <= kMostGitConfigBytes) {
    ssize_t count = pread(fd, piece, sizeof piece, static_cast<off_t>(text.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno("cannot read the new config");
    if (count == 0) return text;
    text.append(piece, static_cast<size_t>(count));
  }
  return fail("the new config is too long");
}

Result<GitConfig> read_git_config(const std::string& path) {
  TRY_ASSIGN(Fd config, file::open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  TRY_ASSIGN(std::string text, read_wanted_config(config.get()));
  return parse_git_config(text);
}

Result<ProtectedGitConfig> ProtectedGitConfig::open(Fd config, std::string path,
                                                    JournalPlace journal, GitScene scene,
                                                    RunRemotes remotes) {
  ProtectedGitConfig made(std::move(path), std::move(journal), std::move(scene),
                          std::move(remotes));
  TRY(made.take(std::move(config)));
  made.scene_.of_runs = made.remotes_.find_in(made.person_);
  made.persons_remotes_ = remotes_of(made.person_);
  for (const std::string& name : made.scene_.of_runs)
    made.persons_remotes_.erase(name);
  return made;
}

Status ProtectedGitConfig::replaced(Fd config) {
  TRY(take(std::move(config)));
  return note_remotes(person_);
}

// Who added one while the run went on is not always known: it counts as the run's.
Status ProtectedGitConfig::note_remotes(const GitConfig& config) {
  RemoteNames now = remotes_of(config);
  std::erase_if(now, [&](const std::string& name) { return persons_remotes_.contains(name); });
  scene_.of_runs = std::move(now);
  return remotes_.keep(config, scene_.of_runs);
}

std::optional<GitRefusal> ProtectedGitConfig::judge(const GitConfig& wanted) const {
  auto judged = judge_git_config(last_, last_, wanted, scene_);
  return judged ? std::nullopt : std::optional(judged.error());
}

std::vector<std::string> ProtectedGitConfig::local_ways() const {
  return ways_of_remotes(last_, scene_.place);
}

bool ProtectedGitConfig::knows(std::string_view address, bool of_submodule) const {
  auto holds = [&](const GitConfig& config, std::string_view section) {
    return std::ranges::any_of(config.entries, [&](const GitConfig::Entry& entry) {
      git::Key key = git::split_key(entry.key);
      return is_address(key) && key.section == section && entry.value == address &&
             (section != "remote" || !scene_.of_runs.contains(*key.subsection));
    });
  };
  if (holds(person_, "remote")) return true;
  // Of a run that changed it, that was told.
  return of_submodule &&
         (holds(last_, "submodule") || scene_.listed.contains(std::string(address)));
}

Status ProtectedGitConfig::take(Fd config) {
  config_ = std::move(config);
  TRY_ASSIGN(std::string text, read_wanted_config(config_.get()));
  auto parsed = parse_git_config(text);
  unreadable_ = parsed ? "" : parsed.error().text();
  person_ = parsed ? std::move(*parsed) : GitConfig{.text = text};
  last_ = person_;
  return {};
}

ProtectedGitConfig::Refusal ProtectedGitConfig::refuse(int err, std::string_view why) const {
  return {err, "an update of " + text::quote(path_) + " was refused: " + std::string(why)};
}

// The file must still be the one that is mounted, with what was let through last: else the person
// is at it, and what that means is not ours to guess.
std::optional<ProtectedGitConfig::Refusal> ProtectedGitConfig::find_hindrance() const {
  if (!unreadable_.empty()) return refuse(EACCES, "it cannot be judged: " + unreadable_);
  struct stat facts;
  if (fstat(config_.get(), &facts) < 0 || facts.st_nlink == 0) return Refusal{EBUSY, ""};
  auto now = read_wanted_config(config_.get());
  if (!now || *now != last_.text) return Refusal{EBUSY, ""};
  return std::nullopt;
}

std::expected<std::vector<AddedRemote>, ProtectedGitConfig::Refusal> ProtectedGitConfig::update(
    std::string_view wanted) {
  if (auto hindrance = find_hindrance()) return std::unexpected(*hindrance);
  auto parsed = parse_git_config(wanted);
  if (!parsed) return std::unexpected(refuse(EACCES, parsed.error().text()));
  auto judged = judge_git_config(person_, last_, *parsed, scene_);
  if (!judged) return std::unexpected(refuse(EACCES, judged.error().text()));
  if (std::ranges::find(judged->changed, kReadsWorktreeConfig) != judged->changed.end()) {
    auto refused = judge_sleeping_settings(scene_.place);
    if (refused) return std::unexpected(refuse(EACCES, refused->text()));
  }
  auto next = parse_git_config(judged->text);
  if (!next) return std::unexpected(refuse(EACCES, next.error().text()));
  Status written = note_remotes(*next);
  if (written) written = write(judged->text);
  if (!written)
    return std::unexpected(
        refuse(written.error().err == ENOSPC ? ENOSPC : EIO, written.error().text()));
  last_ = std::move(*next);
  return judged->added;
}

Status ProtectedGitConfig::write(const std::string& text) {
  if (text == last_.text) return {};
  TRY(keep_bytes(journal_, encode_journal({path_, last_.text, text})));
  has_journal_ = true;
  Status written = overwrite(config_.get(), text, last_.text.size());
  if (written) return {};
  // As it was; what has just been there fits again.
  struct stat facts;
  size_t length = fstat(config_.get(), &facts) < 0 ? 0 : static_cast<size_t>(facts.st_size);
  (void)overwrite(config_.get(), last_.text, length);
  return written;
}

std::vector<OtherName> ProtectedGitConfig::other_names() const {
  auto folder = file::open(path::parent(path_), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!folder || !scene_.branches) return {};
  std::vector<OtherName> all = find_other_names(folder->get(), *scene_.branches, scene_.start);
  std::erase_if(all, [&](const OtherName& one) {
    return std::ranges::find(scene_.other_names, one) != scene_.other_names.end();
  });
  return all;
}

std::vector<std::string> ProtectedGitConfig::replacements() const {
  auto folder = file::open(path::parent(path_), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!folder || scene_.start == 0) return {};
  return find_replacements(folder->get(), scene_.start);
}

void ProtectedGitConfig::finish() {
  if (!has_journal_ || fdatasync(config_.get()) < 0) return;
  unlinkat(journal_.folder, journal_.name.c_str(), 0);
  has_journal_ = false;
}

Status mend_from_journal(const JournalPlace& place) {
  Fd journal_file(
      openat(place.folder, place.name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!journal_file && errno == ENOENT) return {};
  if (!journal_file) return fail_errno("cannot open a journal");
  auto bytes = file::read_all(journal_file.get(), kMostJournalBytes);
  auto journal = bytes ? decode_journal(*bytes) : std::unexpected(bytes.error());
  if (journal) {
    // Who replaced it since by another kind of file wanted something else.
    Fd config(::open(journal->path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    auto now = config ? read_wanted_config(config.get()) : Result<std::string>("");
    auto right = now ? mended(*journal, *now) : std::nullopt;
    if (config && right) {
      TRY(overwrite(config.get(), *right, now->size()));
      if (fdatasync(config.get()) < 0) return fail_errno("cannot mend a config");
    }
  }
  if (unlinkat(place.folder, place.name.c_str(), 0) < 0)
    return fail_errno("cannot remove a journal");
  return {};
}

Status mend_from_journals(int folder, const std::function<bool(std::string_view run)>& goes_on) {
  TRY_ASSIGN(std::vector<file::Entry> entries, file::list(folder));
  for (const file::Entry& entry : entries) {
    bool unfinished = entry.name.starts_with('.');
    std::string_view name = std::string_view(entry.name).substr(unfinished ? 1 : 0);
    if (goes_on(name.substr(0, name.rfind('.')))) continue;
    // One that was never finished: the config was not touched yet.
    if (unfinished && unlinkat(folder, entry.name.c_str(), 0) < 0)
      return fail_errno("cannot remove a journal");
    if (!unfinished) TRY(mend_from_journal({folder, entry.name}));
  }
  return {};
}

}  // namespace ringwall::git
