#include "hand/later_sockets.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "base/unix_sockets.h"
#include "hand/hand_mounts.h"
#include "hand/hand_walls.h"

namespace ringwall::hand {
namespace {

using unix_sockets::Binding;
using unix_sockets::Listed;

// Where the kernel may say that a socket is bound.
struct Bindings {
  Binding by_file, by_mount;
  bool has(const Binding& binding) const { return binding == by_file || binding == by_mount; }
};

// Where a filesystem has a device for each of its parts (btrfs), sockets are listed by the whole.
dev_t device_of_mount(int file, const std::string& mounts) {
  auto facts = file::read("/proc/self/fdinfo/" + std::to_string(file));
  size_t at = facts ? facts->find("mnt_id:") : std::string::npos;
  if (at == std::string::npos) return 0;
  long id = strtol(facts->c_str() + at + sizeof "mnt_id:" - 1, nullptr, 10);
  for (const std::string& line : text::split(mounts, '\n')) {
    std::vector<std::string> words = text::split(line, ' ');
    if (words.size() < 3 || words[0] != std::to_string(id)) continue;
    size_t colon = words[2].find(':');
    if (colon == std::string::npos) return 0;
    return makedev(static_cast<unsigned>(strtoul(words[2].c_str(), nullptr, 10)),
                   static_cast<unsigned>(strtoul(words[2].c_str() + colon + 1, nullptr, 10)));
  }
  return 0;
}

Result<std::vector<Bindings>> bindings_of(const std::vector<LaterSocket>& sockets) {
  TRY_ASSIGN(std::string mounts, file::read("/proc/self/mountinfo"));
  std::vector<Bindings> all;
  for (const LaterSocket& socket : sockets) {
    struct stat facts;
    if (fstat(socket.file, &facts) < 0) return fail_errno("cannot look at a socket");
    Binding by_file = unix_sockets::binding_of(facts.st_dev, facts.st_ino);
    dev_t device = device_of_mount(socket.file, mounts);
    all.push_back(
        {by_file, device == 0 ? by_file : unix_sockets::binding_of(device, facts.st_ino)});
  }
  return all;
}

// Live before and after a list that lacks it: it was somebody else's all the time.
Status tell_whose(const std::vector<LaterSocket>& sockets, const std::vector<Bindings>& bindings,
                  int inside, std::vector<JudgedSocket>& judged) {
  for (size_t i = 0; i < sockets.size(); i++)
    judged[i].is_hosts = unix_sockets::is_live(sockets[i].file);
  // Twice: one that goes away while the kernel writes the list can hide its neighbour.
  for (int round = 0; round < 2; round++) {
    TRY_ASSIGN(std::vector<Listed> listed, unix_sockets::read_list(inside));
    for (size_t i = 0; i < sockets.size(); i++) {
      bool is_insides = std::ranges::any_of(listed, [&](const Listed& one) {
        return !one.is_far_end && bindings[i].has(one.binding);
      });
      judged[i].is_hosts = judged[i].is_hosts && !is_insides;
    }
  }
  for (size_t i = 0; i < sockets.size(); i++)
    judged[i].is_hosts = judged[i].is_hosts && unix_sockets::is_live(sockets[i].file);
  return {};
}

// After the masks stand: whoever was quicker has a connection now.
Status find_connections(const std::vector<Bindings>& bindings, int outside, int inside,
                        std::vector<JudgedSocket>& judged) {
  TRY_ASSIGN(std::vector<Listed> hosts, unix_sockets::read_list(outside));
  TRY_ASSIGN(std::vector<Listed> insides, unix_sockets::read_list(inside));
  std::set<uint32_t> peers;
  for (const Listed& one : insides)
    peers.insert(one.peer);
  for (size_t i = 0; i < judged.size(); i++) {
    if (!judged[i].is_hosts) continue;
    auto is_its = [&](const Listed& one) { return bindings[i].has(one.binding); };
    auto owner = std::ranges::find_if(
        hosts, [&](const Listed& one) { return is_its(one) && !one.is_far_end; });
    // Without one that is known, it may be inside: one that is connected itself. To mask that does
    // little harm.
    if (owner == hosts.end()) continue;
    judged[i].is_connected = std::ranges::any_of(insides, is_its) || peers.contains(owner->number);
  }
  return {};
}

bool are_hosts(const std::vector<JudgedSocket>& judged) {
  return std::ranges::any_of(judged, &JudgedSocket::is_hosts);
}

}  // namespace

Result<std::vector<JudgedSocket>> mask_hosts_sockets(const LaterSocketsRoom& room,
                                                     const std::vector<LaterSocket>& sockets,
                                                     pid_t parent) {
  TRY(sandbox::die_with(parent));
  TRY(sandbox::close_all_but(room.kept));
  TRY_ASSIGN(std::vector<Bindings> bindings, bindings_of(sockets));
  TRY_ASSIGN(Fd outside, unix_sockets::open_list());
  TRY(join_users(room.user_namespace, room.identity));
  if (setns(room.network_namespace, CLONE_NEWNET) < 0)
    return fail_errno("cannot join the sandbox's network");
  TRY_ASSIGN(Fd inside, unix_sockets::open_list());
  std::vector<JudgedSocket> judged(sockets.size());
  TRY(tell_whose(sockets, bindings, inside.get(), judged));
  if (!are_hosts(judged)) return judged;
  TRY(join_mounts(room.mount_namespace, room.identity));
  TRY(sandbox::keep_rights(1u << CAP_SYS_ADMIN));
  TRY(sandbox::die_with(parent));  // a change of rights clears it
  for (size_t i = 0; i < sockets.size(); i++) {
    if (judged[i].is_hosts) judged[i].err = mask_file(sockets[i].path, sockets[i].file, room.mask);
  }
  TRY(find_connections(bindings, outside.get(), inside.get(), judged));
  return judged;
}

}  // namespace ringwall::hand
