// The acts of host_checks.h: parts that no step of the start covers alone.
#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "base/file.h"
#include "base/syscalls.h"
#include "sandbox/filesystems.h"
#include "sandbox/host_checks.h"
#include "sandbox/keyring.h"

namespace ringwall::sandbox {
namespace {

// One message of a netlink batch: header, netfilter's header, and for a new table its name.
std::string netfilter_message(uint16_t type, uint16_t flags, uint8_t family, uint16_t resource,
                              std::string_view table) {
  std::string body;
  nfgenmsg general{family, NFNETLINK_V0, htons(resource)};
  body.append(reinterpret_cast<const char*>(&general), sizeof general);
  if (!table.empty()) {
    nlattr attribute{static_cast<uint16_t>(NLA_HDRLEN + table.size() + 1), NFTA_TABLE_NAME};
    body.append(reinterpret_cast<const char*>(&attribute), sizeof attribute);
    body.append(table);
    body.append(NLA_ALIGN(table.size() + 1) - table.size(), '\0');
  }
  nlmsghdr header{static_cast<uint32_t>(NLMSG_HDRLEN + body.size()), type,
                  static_cast<uint16_t>(NLM_F_REQUEST | flags), 1, 0};
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + body;
}

}  // namespace

Status join_keyring() { return leave_callers_keyring(); }

Status make_overlay() {
  Mount scratch{.kind = Mount::Kind::tmpfs, .target = "/", .bytes = 1 << 20, .inodes = 64};
  TRY_ASSIGN(Fd root, new_tmpfs(scratch, 0));
  // Layers must be attached somewhere; this mount namespace ends with the process.
  if (sys::move_mount(root.get(), "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) < 0) {
    return fail_errno("cannot attach a tmpfs");
  }
  TRY_ASSIGN(Fd staging, file::make_dirs_at(root.get(), "staging"));
  TRY_ASSIGN(Fd lower, file::make_dirs_at(root.get(), "lower"));
  TRY(file::make_dirs_at(root.get(), "upper/upper"));
  TRY(file::make_dirs_at(root.get(), "upper/work"));
  constexpr unsigned kClone = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC;
  Fd below(sys::open_tree(root.get(), "lower", kClone));
  Fd above(sys::open_tree(root.get(), "upper", kClone));
  if (!below || !above) return fail_errno("cannot clone the layers");
  TRY(new_overlay(staging.get(), below.get(), above.get(), 0));
  return {};
}

Status make_nftables_table() {
  Fd socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER));
  if (!socket) return fail_errno("no netfilter socket");
  constexpr uint16_t kNewTable = (NFNL_SUBSYS_NFTABLES << 8) | NFT_MSG_NEWTABLE;
  std::string batch =
      netfilter_message(NFNL_MSG_BATCH_BEGIN, 0, AF_UNSPEC, NFNL_SUBSYS_NFTABLES, "") +
      netfilter_message(kNewTable, NLM_F_CREATE | NLM_F_ACK, NFPROTO_INET, 0, "ringwall") +
      netfilter_message(NFNL_MSG_BATCH_END, 0, AF_UNSPEC, NFNL_SUBSYS_NFTABLES, "");
  if (::send(socket.get(), batch.data(), batch.size(), 0) < 0) return fail_errno("cannot send");
  alignas(nlmsghdr) char answer[4096];
  ssize_t count = recv(socket.get(), answer, sizeof answer, 0);
  if (count < static_cast<ssize_t>(NLMSG_HDRLEN + sizeof(nlmsgerr))) return fail("no answer");
  const auto* header = reinterpret_cast<const nlmsghdr*>(answer);
  const auto* verdict = static_cast<const nlmsgerr*>(NLMSG_DATA(header));
  if (header->nlmsg_type != NLMSG_ERROR) return fail("an unexpected answer");
  if (verdict->error == 0) return {};
  errno = -verdict->error;
  return fail_errno("cannot make a table");
}

Status map_ids_of_folder() {
  char folder[PATH_MAX];
  if (getcwd(folder, sizeof folder) == nullptr) return fail_errno("no working folder");
  TRY(open_idmapped_tree(folder, callers_identity()));
  return {};
}

Status call_close_range() {
  // An empty range beyond every descriptor: only asks whether the call is there.
  if (close_range(~0u, ~0u, 0) < 0) return fail_errno("close_range");
  return {};
}

}  // namespace ringwall::sandbox
