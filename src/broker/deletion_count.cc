#include "broker/deletion_count.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace ringwall::broker {
namespace {

constexpr int64_t kSettled = 1'000'000'000;  // nanoseconds
constexpr size_t kMostMoving = 4096;

}  // namespace

DeletionCount::Key DeletionCount::key_of(int folder, std::string_view name) {
  uint64_t number = static_cast<uint64_t>(folder) * 0x9e3779b97f4a7c15u;
  return std::hash<std::string_view>()(name) ^ (number ^ number >> 29);
}

void DeletionCount::know(int folder, std::string_view name) {
  Key key = key_of(folder, name);
  if (!made_.contains(key) && !gone_.contains(key) && !away_.contains(key)) at_home_.insert(key);
}

void DeletionCount::finish(int folder) {
  unlisted_.erase(folder);
  if (unlisted_.empty()) made_.clear();
}

// Something lies again where a file of before the run lay.
bool DeletionCount::comes_back(Key key) {
  bool was_gone = gone_.erase(key) > 0;
  auto away = away_.find(key);
  // Then what was moved aside is a copy.
  if (away != away_.end()) {
    elsewhere_.erase(away->second);
    away_.erase(away);
    was_gone = true;
  }
  if (was_gone) at_home_.insert(key);
  return was_gone;
}

void DeletionCount::made(int folder, std::string_view name) {
  Key key = key_of(folder, name);
  if (comes_back(key)) return;
  if (stands_) {
    at_home_.insert(key);
    return;
  }
  // It was listed before we heard that it was made.
  at_home_.erase(key);
  if (unlisted_.contains(folder)) made_.insert(key);
}

void DeletionCount::lose(Key home) {
  away_.erase(home);
  if (!stands_) gone_.insert(home);
}

void DeletionCount::deleted(int folder, std::string_view name) {
  Key key = key_of(folder, name);
  if (auto other = elsewhere_.find(key); other != elsewhere_.end()) {
    Key home = other->second;
    elsewhere_.erase(other);
    lose(home);
  }
  bool was_at_home = at_home_.erase(key) > 0;
  bool was_expected = unlisted_.contains(folder) && made_.erase(key) == 0;
  if (was_at_home || was_expected) lose(key);
}

void DeletionCount::moved_away(int folder, std::string_view name, uint32_t move, int64_t now) {
  Key key = key_of(folder, name);
  bool was_expected = unlisted_.contains(folder) && made_.erase(key) == 0;
  Key home = key;
  if (auto other = elsewhere_.find(key); other != elsewhere_.end()) {
    home = other->second;
    elsewhere_.erase(other);
    at_home_.erase(key);  // it lay over this one, which is nowhere any more
  } else if (at_home_.erase(key) == 0 && !was_expected) {
    return;
  }
  away_.erase(home);
  // The person may do with them what they like.
  if (stands_) return;
  if (moving_.size() >= kMostMoving) return lose(home);
  moving_[move] = {home, std::string(name), now};
}

void DeletionCount::settle_at(Key at, Key home) {
  if (at == home) {
    at_home_.insert(home);
    return;
  }
  auto [other, is_first] = elsewhere_.try_emplace(at, home);
  if (!is_first) lose(std::exchange(other->second, home));  // two of before the run, one is left
  away_[home] = at;
}

bool DeletionCount::moved_here(int folder, std::string_view name, uint32_t move) {
  Key key = key_of(folder, name);
  auto moving = moving_.find(move);
  if (moving == moving_.end()) {
    bool is_back = comes_back(key);
    if (stands_) at_home_.insert(key);
    return is_back || stands_;
  }
  Key home = moving->second.home;
  moving_.erase(moving);
  if (home != key) comes_back(key);
  settle_at(key, home);
  return true;
}

bool DeletionCount::found(int folder, std::string_view name, bool is_old) {
  if (stands_) {
    at_home_.insert(key_of(folder, name));
    return true;
  }
  auto same = std::find_if(moving_.begin(), moving_.end(),
                           [&](const auto& one) { return one.second.name == name; });
  if (same == moving_.end() && is_old) same = moving_.begin();
  if (same == moving_.end() || is_known(folder, name)) return false;
  settle_at(key_of(folder, name), same->second.home);
  moving_.erase(same);
  return true;
}

void DeletionCount::settle(int64_t now) {
  std::erase_if(moving_, [&](const auto& one) {
    bool is_over = now - one.second.since > kSettled;
    if (is_over) lose(one.second.home);
    return is_over;
  });
}

bool DeletionCount::is_known(int folder, std::string_view name) const {
  Key key = key_of(folder, name);
  return at_home_.contains(key) || elsewhere_.contains(key);
}

void DeletionCount::see(int folder, std::string_view name) { seen_.insert(key_of(folder, name)); }

void DeletionCount::see_elsewhere(int folder, std::string_view name) {
  Key key = key_of(folder, name);
  at_home_.insert(key);
  seen_.insert(key);
  // One that came back to where it lay is not another's.
  if (gone_.erase(key) == 0) seen_elsewhere_++;
}

void DeletionCount::end_recount() {
  // Whatever was on its way has been seen, or is gone.
  std::vector<Key> missing;
  for (const auto& [move, one] : moving_)
    missing.push_back(one.home);
  moving_.clear();
  std::erase_if(elsewhere_, [&](const auto& one) {
    if (seen_.contains(one.first)) return false;
    missing.push_back(one.second);
    return true;
  });
  for (Key key : at_home_) {
    if (!seen_.contains(key)) missing.push_back(key);
  }
  for (size_t i = 0; i < missing.size(); i++) {
    at_home_.erase(missing[i]);
    away_.erase(missing[i]);
    if (i >= seen_elsewhere_) lose(missing[i]);
  }
  // What is left over was taken for gone before.
  for (size_t i = missing.size(); i < seen_elsewhere_ && !gone_.empty(); i++)
    gone_.erase(gone_.begin());
  seen_.clear();
}

uint64_t DeletionCount::all() const {
  return at_home_.size() + elsewhere_.size() + moving_.size() + gone_.size();
}

bool DeletionCount::is_over_share() const {
  // How many there are is known when all were listed.
  if (limits_.share > 1000 || !unlisted_.empty() || gone() < kLeastForShare) return false;
  return gone() * 1000 > limits_.share * all();
}

}  // namespace ringwall::broker
