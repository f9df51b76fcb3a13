#include "net/resolver.h"

#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include "base/channel.h"
#include "base/fixed_message.h"

namespace ringwall::net {
namespace {

ResolverNotice resolve(const ResolverOrder& order) {
  ResolverNotice notice{order.id};
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  notice.error = getaddrinfo(order.name, nullptr, &hints, &found);
  for (addrinfo* one = found; one != nullptr && notice.count < kMostAddresses; one = one->ai_next) {
    Address& address = notice.addresses[notice.count];
    if (one->ai_family == AF_INET) {
      memcpy(address.bytes, &reinterpret_cast<sockaddr_in*>(one->ai_addr)->sin_addr, 4);
    } else if (one->ai_family == AF_INET6) {
      address.is_ipv6 = true;
      memcpy(address.bytes, &reinterpret_cast<sockaddr_in6*>(one->ai_addr)->sin6_addr, 16);
    } else {
      continue;
    }
    notice.count++;
  }
  if (found != nullptr) freeaddrinfo(found);
  return notice;
}

class Resolver {
 public:
  Resolver(int channel, TryActs try_acts) : channel_(channel), try_acts_(try_acts) {}

  void run() {
    while (true) {
      auto message = channel::receive(channel_);
      auto order = message && !message->bytes.empty() ? parse_resolver_order(message->bytes)
                                                      : std::unexpected(Error{"gone"});
      // The threads end with the process.
      if (!order) _exit(0);
      if (order->tries_acts) {
        tell_acts();
        continue;
      }
      std::lock_guard lock(mutex_);
      waiting_.push_back(*order);
      if (idle_ >= waiting_.size() || threads_ >= kMostThreads) {
        came_.notify_one();
        continue;
      }
      threads_++;
      std::thread([this] { work(); }).detach();
    }
  }

 private:
  void tell_acts() {
    ResolverNotice notice{};
    notice.type = ResolverNotice::Type::act;
    for (const TriedAct& act : try_acts_()) {
      notice.error = act.err;
      fixed::put(notice.act, act.name);
      (void)channel::send(channel_, fixed::bytes_of(notice));  // its end is seen by who receives
    }
    notice = {};
    notice.type = ResolverNotice::Type::acts_done;
    (void)channel::send(channel_, fixed::bytes_of(notice));  // as above
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      idle_++;
      came_.wait(lock, [&] { return !waiting_.empty(); });
      idle_--;
      ResolverOrder order = waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      ResolverNotice notice = resolve(order);
      // Its end is seen by the thread that receives.
      (void)channel::send(channel_, fixed::bytes_of(notice));
      lock.lock();
    }
  }

  int channel_;
  TryActs try_acts_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<ResolverOrder> waiting_;
  size_t idle_ = 0;
  size_t threads_ = 0;
};

}  // namespace

Result<ResolverOrder> parse_resolver_order(std::string_view bytes) {
  TRY_ASSIGN(ResolverOrder order, fixed::parse<ResolverOrder>(bytes, "a resolver's"));
  fixed::end_text(order.name);
  return order;
}

Result<ResolverNotice> parse_resolver_notice(std::string_view bytes) {
  TRY_ASSIGN(ResolverNotice notice, fixed::parse<ResolverNotice>(bytes, "a resolver's"));
  if (notice.count > kMostAddresses) return fail("a resolver's message with too many addresses");
  fixed::end_text(notice.act);
  return notice;
}

void run_resolver(int channel, TryActs try_acts) { Resolver(channel, try_acts).run(); }

}  // namespace ringwall::net
