#include "broker/new_sockets.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <climits>

#include "base/clock.h"
#include "base/file.h"
#include "base/fixed_message.h"

namespace ringwall::broker {
namespace {

// Nanoseconds from one look to the next.
constexpr int64_t kBetween[] = {0, 50'000'000, 1'000'000'000};
constexpr int64_t kGathered = 5'000'000;  // names of one folder
constexpr size_t kMostByName = 4;
constexpr int64_t kBetweenQuestions = 20'000'000;  // each is a process
constexpr size_t kMostAtOnce = 64;
constexpr size_t kMostRemembered = 4096;

// An inode of a number that comes again has another time.
std::pair<ino_t, int64_t> mark_of(const struct stat& facts) {
  return {facts.st_ino, int64_t{facts.st_ctim.tv_sec} * 1'000'000'000 + facts.st_ctim.tv_nsec};
}

}  // namespace

void NewSockets::note(const Appeared& one) {
  if (one.is_folder || one.how != Appeared::How::came) return;
  Fresh& fresh = fresh_[one.folder];
  if (fresh.since == 0)
    fresh = {one.tree, files::parent_of(one.path), {}, false, clock::monotonic()};
  if (fresh.paths.size() < kMostByName) {
    fresh.paths.push_back(one.path);
  } else {
    fresh.are_more = true;
  }
}

bool NewSockets::is_due(const Fresh& fresh, int64_t now) const {
  return now >= fresh.since + kGathered && (!fresh.are_more || now >= next_listing_);
}

// A folder is listed as cheaply as some of its files are looked at. Who fills a large one has it
// listed for a twentieth of the time.
void NewSockets::look_at_fresh(int64_t now, bool is_urgent) {
  for (auto at = fresh_.begin(); at != fresh_.end();) {
    if (!is_urgent && !is_due(at->second, now)) {
      ++at;
      continue;
    }
    Fresh fresh = std::move(at->second);
    at = fresh_.erase(at);
    if (fresh.are_more) {
      int64_t start = clock::monotonic();
      look_into(fresh);
      int64_t end = clock::monotonic();
      next_listing_ = end + 19 * (end - start);
      continue;
    }
    // The way may lead over a link by now: what is asked for is opened anew, without one.
    struct stat facts;
    int top = trees_[fresh.tree].folder.get();
    for (const std::string& path : fresh.paths) {
      if (fstatat(top, path.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISSOCK(facts.st_mode))
        expect(fresh.tree, path);
    }
  }
}

void NewSockets::look_into(const Fresh& fresh) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int top = trees_[fresh.tree].folder.get();
  auto folder = file::open_beneath(top, fresh.folder.empty() ? "." : fresh.folder, kFlags);
  if (!folder) return;  // where it lies now, its names are told again
  (void)reader_.read(folder->get(), [&](const FolderReader::Entry& entry) {
    if (entry.type != DT_SOCK && entry.type != DT_UNKNOWN) return;
    struct stat facts;
    if (fstatat(folder->get(), entry.name.data(), &facts, AT_SYMLINK_NOFOLLOW) < 0 ||
        !S_ISSOCK(facts.st_mode))
      return;
    std::string name(entry.name);
    std::string path = fresh.folder.empty() ? name : fresh.folder + "/" + name;
    auto known = asked_.find({fresh.tree, path});
    if (known == asked_.end() || known->second != mark_of(facts)) expect(fresh.tree, path);
  });
}

void NewSockets::expect(size_t tree, const std::string& path) { looks_[{tree, path}] = {}; }

bool NewSockets::are_too_many() const {
  int64_t now = clock::monotonic();
  return looks_.size() > kMostAtOnce && std::ranges::count_if(looks_, [&](const auto& one) {
                                          return one.second.due <= now;
                                        }) > static_cast<int64_t>(kMostAtOnce);
}

std::vector<NewSockets::Found> NewSockets::take_due(int64_t now) {
  std::vector<Found> due;
  for (auto at = looks_.begin(); at != looks_.end() && due.size() < kMostAtOnce;) {
    auto& [place, look] = *at;
    if (look.due > now) {
      ++at;
      continue;
    }
    const files::WatchedTree& tree = trees_[place.first];
    auto file =
        file::open_beneath(tree.folder.get(), place.second, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat facts;
    bool is_socket = file && fstat(file->get(), &facts) == 0 && S_ISSOCK(facts.st_mode);
    if (is_socket) {
      if (asked_.size() >= kMostRemembered) asked_.clear();
      asked_[place] = mark_of(facts);
      due.push_back({tree.whole(place.second), std::move(*file)});
    }
    bool was_last = ++look.number >= std::size(kBetween);
    if (!was_last) look.due = now + kBetween[look.number];
    at = !is_socket || was_last ? looks_.erase(at) : std::next(at);
  }
  return due;
}

bool NewSockets::ask(BrokerLine& line, int64_t now) {
  bool is_urgent = now == INT64_MAX;
  if (is_urgent) now = clock::monotonic();
  if (!fresh_.empty()) look_at_fresh(now, is_urgent);
  if (looks_.empty() || (!is_urgent && now < next_)) return false;
  std::vector<Found> due = take_due(now);
  if (due.empty()) return false;
  next_ = now + kBetweenQuestions;
  for (size_t i = 0; i < due.size(); i++) {
    BrokerNotice notice{BrokerNotice::Type::socket, static_cast<int32_t>(due.size() - i - 1)};
    fixed::put(notice.path, due[i].path);
    int file = due[i].file.get();
    line.say(notice, {&file, 1});
  }
  line.wait_for(BrokerOrder::Type::sockets_judged);
  return line.take_masked();
}

int NewSockets::wait_time(int longest, int64_t now) const {
  int64_t wait = longest < 0 ? INT_MAX : longest;
  auto shorten = [&](int64_t due) {
    wait = std::min(wait, std::max<int64_t>(0, (due - now + 999'999) / 1'000'000));
  };
  for (const auto& [place, look] : looks_)
    shorten(std::max(look.due, next_));
  for (const auto& [folder, fresh] : fresh_)
    shorten(std::max(fresh.since + kGathered, fresh.are_more ? next_listing_ : 0));
  return longest < 0 && wait == INT_MAX ? -1 : static_cast<int>(wait);
}

}  // namespace ringwall::broker
