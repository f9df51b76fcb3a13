#include "guard/guard_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/clock.h"
#include "base/fixed_message.h"
#include "guard/pins.h"

namespace ringwall::guard {
namespace {

constexpr size_t kMostPeers = 512;
constexpr size_t kMostPeersOfUser = 64;
constexpr size_t kMostScopesOfUser = 32;
constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kPatience = 2 * kSecond;   // for a request
constexpr int64_t kIdleTime = 60 * kSecond;  // until the programs are detached
constexpr int kTidyMilliseconds = 5000;

void answer(int socket, bool accepted, Kind kind, std::string_view text) {
  GuardNotice notice;
  notice.accepted = accepted ? 1 : 0;
  notice.kind = static_cast<uint32_t>(kind);
  fixed::put(notice.text, text);
  (void)channel::send(socket, fixed::bytes_of(notice), {}, MSG_DONTWAIT);  // who is gone, is gone
}

bool has_ended(int pidfd) {
  pollfd process{pidfd, POLLIN, 0};
  return poll(&process, 1, 0) > 0;
}

}  // namespace

Result<Fd> listen_at(const std::string& path) {
  Fd listener(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener) return fail_errno("cannot make a socket");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return fail("the socket's path is too long");
  memcpy(address.sun_path, path.c_str(), path.size());
  unlink(path.c_str());
  if (bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0 ||
      chmod(path.c_str(), 0666) < 0 || listen(listener.get(), 64) < 0)
    return fail_errno("cannot listen at " + path);
  return listener;
}

GuardServer::GuardServer(KernelGate& gate, Fd listener, std::string pins_root, std::string pins,
                         std::string why_not)
    : gate_(gate),
      listener_(std::move(listener)),
      pins_root_(std::move(pins_root)),
      pins_(std::move(pins)),
      why_not_(std::move(why_not)) {}

void GuardServer::run(int stop) {
  while (true) {
    std::vector<pollfd> waits = {{stop, POLLIN, 0},
                                 {peers_.size() < kMostPeers ? listener_.get() : -1, POLLIN, 0},
                                 {gate_.refusals_fd(), POLLIN, 0}};
    for (const Peer& peer : peers_)
      waits.push_back({peer.socket.get(), POLLIN, 0});
    if (poll(waits.data(), waits.size(), wait_time()) < 0 && errno != EINTR) return;
    if (waits[0].revents != 0) break;
    if (waits[2].revents != 0) take_refusals();
    size_t at = 3;
    for (auto peer = peers_.begin(); peer != peers_.end(); at++) {
      bool late = peer->deadline != 0 && clock::monotonic() > peer->deadline;
      bool stays = (waits[at].revents == 0 || serve(*peer)) && !late;
      if (!stays) drop(*peer);
      peer = stays ? std::next(peer) : peers_.erase(peer);
    }
    if (waits[1].revents != 0) accept_peer();
    tidy_up();
  }
  // Whoever is in a scope stays in it, and runs nothing more.
  bool has_scopes = !lingering_.empty();
  for (Peer& peer : peers_) {
    has_scopes = has_scopes || peer.scope != nullptr;
    drop(peer);
  }
  if (!has_scopes) gate_.detach();
}

int GuardServer::wait_time() const {
  bool is_waited_for = std::any_of(peers_.begin(), peers_.end(),
                                   [](const Peer& peer) { return peer.deadline != 0; });
  if (is_waited_for) return 500;
  bool has_rest = has_abandoned_ || !lingering_.empty() || idle_since_ != 0;
  return has_rest ? kTidyMilliseconds : -1;
}

void GuardServer::accept_peer() {
  Peer peer;
  peer.socket = Fd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!peer.socket) return;
  ucred who{};
  socklen_t size = sizeof who;
  if (getsockopt(peer.socket.get(), SOL_SOCKET, SO_PEERCRED, &who, &size) < 0) return;
  peer.uid = who.uid;
  auto same = std::count_if(peers_.begin(), peers_.end(),
                            [&](const Peer& other) { return other.uid == peer.uid; });
  if (static_cast<size_t>(same) >= kMostPeersOfUser)
    return answer(peer.socket.get(), false, gate_.kind(), "too many connections of this user");
  peer.deadline = clock::monotonic() + kPatience;
  peers_.push_back(std::move(peer));
}

bool GuardServer::serve(Peer& peer) {
  auto message = channel::receive(peer.socket.get(), MSG_DONTWAIT);
  if (!message) return message.error().err == EAGAIN;
  // Nobody has anything more to say after its request.
  if (message->bytes.empty() || peer.deadline == 0) return false;
  auto request = parse_request(message->bytes);
  if (!request) {
    answer(peer.socket.get(), false, gate_.kind(), request.error().text());
    return false;
  }
  return serve_request(peer, *request, message->fds);
}

bool GuardServer::serve_request(Peer& peer, const GuardRequest& request, std::vector<Fd>& fds) {
  if (request.type == GuardRequest::Type::describe) {
    answer(peer.socket.get(), true, gate_.kind(), why_not_);
    return false;
  }
  Status done = enforce(peer, request, fds);
  if (!done) answer(peer.socket.get(), false, gate_.kind(), done.error().text());
  return done.has_value();
}

Status GuardServer::enforce(Peer& peer, const GuardRequest& request, std::vector<Fd>& fds) {
  if (fds.size() != 2) return fail("a sandbox and its rules are wanted");
  if (request.least > static_cast<uint32_t>(gate_.kind()))
    return fail("only " + std::string(name_of(gate_.kind())) + " can be had here: " + why_not_);
  auto scopes = std::count_if(peers_.begin(), peers_.end(), [&](const Peer& other) {
    return other.uid == peer.uid && other.scope != nullptr;
  });
  if (static_cast<size_t>(scopes) >= kMostScopesOfUser)
    return fail("too many sandboxes of this user");
  TRY_ASSIGN(ScopeRules rules, read_rules(peer, request, fds[1].get()));
  TRY_ASSIGN(Sandbox sandbox, check_owner(std::move(fds[0]), peer.uid));
  if (gate_.has_scope(sandbox.process_namespace)) return fail("that sandbox has its rules already");
  TRY(gate_.attach());
  TRY_ASSIGN(VerdictTable table, gate_.take_table());
  peer.deadline = 0;
  peer.digests = rules.denied.size() + rules.allowed.size() + rules.named.size();
  peer.scope = std::make_unique<ExecScope>(std::move(table), gate_, cache_, std::move(rules),
                                           std::move(sandbox), peer.socket.get());
  peer.scope->start();
  return {};
}

Result<ScopeRules> GuardServer::read_rules(const Peer& peer, const GuardRequest& request,
                                           int fd) const {
  // Sealed memory: any other file may belong to a server that never answers.
  constexpr int kSeals = F_SEAL_WRITE | F_SEAL_SHRINK;
  int seals = fcntl(fd, F_GET_SEALS);
  if (seals < 0 || (seals & kSeals) != kSeals) return fail("the rules are not sealed");
  size_t taken = 0;
  for (const Peer& other : peers_)
    taken += other.uid == peer.uid ? other.digests : 0;
  size_t count = static_cast<size_t>(request.denied) + request.allowed + request.named;
  if (count + taken > kMostDigests) return fail("too many digests of this user");
  TRY_ASSIGN(std::string bytes, channel::read_memory_file(fd, count * kDigestSize));
  if (bytes.size() != count * kDigestSize) return fail("the rules have another size");
  ScopeRules rules;
  rules.flags = request.flags;
  for (size_t i = 0; i < count; i++) {
    Digest digest;
    memcpy(digest.bytes.data(), bytes.data() + i * kDigestSize, kDigestSize);
    bool is_named = i >= request.denied + request.allowed;
    (i < request.denied ? rules.denied : is_named ? rules.named : rules.allowed).insert(digest);
  }
  return rules;
}

void GuardServer::drop(Peer& peer) {
  if (peer.scope == nullptr) return;
  Fd pidfd = peer.scope->take_pidfd();
  peer.scope.reset();
  if (!has_ended(pidfd.get())) lingering_.push_back(std::move(pidfd));
  if (idle_since_ == 0) idle_since_ = clock::monotonic();
}

void GuardServer::take_refusals() {
  gate_.take_refusals([&](const rw_refusal& refusal) {
    for (Peer& peer : peers_) {
      if (peer.scope != nullptr && peer.scope->id() == refusal.scope)
        peer.scope->take_refusal(refusal);
    }
  });
}

// Programs in the kernel cost everybody a little: they go when nobody needs them.
void GuardServer::tidy_up() {
  bool is_waited_for = std::any_of(peers_.begin(), peers_.end(),
                                   [](const Peer& peer) { return peer.deadline != 0; });
  if (!is_waited_for) gate_.make_spare_table();
  std::erase_if(lingering_, [](const Fd& pidfd) { return has_ended(pidfd.get()); });
  if (has_abandoned_) has_abandoned_ = remove_abandoned_pins(pins_root_, pins_);
  bool in_use = !lingering_.empty() || std::any_of(peers_.begin(), peers_.end(), [](const Peer& p) {
    return p.scope != nullptr;
  });
  if (in_use) idle_since_ = 0;
  if (idle_since_ == 0 || clock::monotonic() - idle_since_ < kIdleTime) return;
  gate_.detach();
  idle_since_ = 0;
}

}  // namespace ringwall::guard
