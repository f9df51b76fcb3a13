#include "broker/held_files.h"

#include <algorithm>

#include "base/path.h"

namespace ringwall::broker {
namespace {

constexpr size_t kMostHeld = 256;
constexpr size_t kLargest = 64 << 10;
constexpr int64_t kMoment = 100'000'000;  // nanoseconds; a rename that waits for a processor

std::optional<FileCopy> read_small(const files::WatchedTree& tree, const std::string& whole) {
  auto parent = files::open_parent(tree, tree.relative(whole));
  Fd file = parent ? open_file(parent->get(), std::string(path::basename(whole))) : Fd();
  auto copy = file ? read_copy(file.get(), kLargest) : fail("is no ordinary file");
  return copy ? std::optional(std::move(*copy)) : std::nullopt;
}

}  // namespace

HeldFiles HeldFiles::of(const std::vector<files::WatchedTree>& trees,
                        const std::set<std::string>& paths) {
  HeldFiles held;
  for (const std::string& whole : paths) {
    if (held.files_.size() >= kMostHeld) break;
    auto tree = std::ranges::find_if(
        trees, [&](const files::WatchedTree& one) { return path::is_beneath(whole, one.path); });
    auto copy = tree == trees.end() ? std::nullopt : read_small(*tree, whole);
    if (!copy) continue;
    held.folders_.insert(path::parent(whole));
    held.files_.emplace(whole, Held{static_cast<size_t>(tree - trees.begin()), std::move(*copy)});
  }
  return held;
}

std::vector<HeldFiles::Place> HeldFiles::places() const {
  std::vector<Place> places;
  for (const auto& [path, held] : files_)
    places.push_back({held.tree, path});
  return places;
}

bool HeldFiles::counts(const Held& held, int64_t now) {
  return held.later && now - held.later_since > kMoment;
}

const FileCopy* HeldFiles::last(const std::string& path, int64_t now) const {
  auto held = files_.find(path);
  if (held == files_.end()) return nullptr;
  return counts(held->second, now) ? &*held->second.later : &held->second.copy;
}

void HeldFiles::replace(const std::string& path, FileCopy copy) {
  auto held = files_.find(path);
  if (held != files_.end()) held->second = {held->second.tree, std::move(copy)};
}

void HeldFiles::written(const files::WatchedTree& tree, const std::string& path, int64_t now) {
  auto held = files_.find(path);
  if (held == files_.end()) return;
  if (counts(held->second, now)) held->second.copy = std::move(*held->second.later);
  held->second.later = read_small(tree, path);
  held->second.later_since = now;
}

}  // namespace ringwall::broker
