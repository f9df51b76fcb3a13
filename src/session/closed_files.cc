#include "session/closed_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "base/channel.h"
#include "changes/attributes.h"

namespace ringwall::session {
namespace {

constexpr int kHow = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOATIME | O_CLOEXEC;

// What others may not read either stays closed: only the mode of its owner is passed over.
Fd open_closed(int place) {
  struct stat seen;
  bool is_closed = fstat(place, &seen) == 0 && S_ISREG(seen.st_mode) && (seen.st_mode & 0400) == 0;
  if (!is_closed) return {};
  return Fd(open(("/proc/self/fd/" + std::to_string(place)).c_str(), kHow));
}

void open_until_gone(int channel) {
  while (true) {
    auto asked = channel::receive(channel);
    if (!asked || asked->fds.size() != 1) return;
    Fd opened = open_closed(asked->fds[0].get());
    std::string answer = "o";
    // Without its attributes it would not be kept as it is. More than a message holds nobody has.
    auto attributes = changes::read_attributes_of_open(opened.get());
    if (attributes) answer += changes::pack(*attributes);
    bool is_whole = opened && attributes && answer.size() <= channel::kMostBytes;
    if (!is_whole) answer = "o";
    int fds[] = {opened.get()};
    if (!channel::send(channel, answer, std::span<const int>(fds, is_whole ? 1 : 0))) return;
  }
}

}  // namespace

Result<Opener> start_opener(const std::vector<Fd>& trees, std::span<char> start_area) {
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  std::vector<int> kept = {pair.theirs.get()};
  std::vector<std::string> looked_at;
  for (const Fd& tree : trees) {
    kept.push_back(tree.get());
    looked_at.push_back("/proc/self/fd/" + std::to_string(tree.get()));
  }
  processes::HelperRequest request{.name = "ringwall-opener",
                                   .start_area = start_area,
                                   .kept = std::move(kept),
                                   .who = sandbox::Helper::opener,
                                   .looked_at = std::move(looked_at)};
  Opener opener;
  TRY_ASSIGN(opener.link.pid,
             processes::start_helper(std::move(request), [](std::span<const int> theirs) {
               open_until_gone(theirs[0]);
               _exit(0);
             }));
  opener.link.channel = std::move(pair.ours);
  return opener;
}

}  // namespace ringwall::session
