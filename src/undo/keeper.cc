#include "undo/keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/channel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "base/program_pages.h"
#include "undo/expiry.h"
#include "undo/keeper_protocol.h"
#include "undo/outcome.h"
#include "undo/recent_look.h"
#include "undo/snapshot.h"

namespace ringwall::undo {
namespace {

// Whoever has ended a run waits for us at most so long.
constexpr int64_t kFinishTime = 1'000'000'000;  // nanoseconds
// An entry takes two microseconds: a twentieth of the run's time.
constexpr int64_t kPerEntry = 40'000;  // nanoseconds
// So much that is new is a reason to look whether it is too much.
constexpr uint64_t kMuch = 64 << 20;

// Where nobody waits, and an earlier run has kept everything not long ago: a command that is over
// by then starts and ends quicker if we do not look at a large tree beside it.
constexpr int64_t kLateness = 5'000'000;  // nanoseconds

// A note that is damaged may say any number.
constexpr uint64_t kMostExpected = 1'000'000;

constexpr const char* kIndex = ".git/index";

using Order = KeeperOrder::Type;
using Notice = KeeperNotice::Type;

class Keeper {
 public:
  explicit Keeper(KeeperInputs inputs) : in_(std::move(inputs)) {}

  void run() {
    auto folder = file::open(in_.folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (folder) undo_ = std::move(*folder);
    SnapshotRequest request{in_.trees, in_.hidden, in_.passed_over, in_.limits.size,
                            [this](StartSign& sign) { return look_for_start(sign); }};
    looked_ = clock::wall_seconds();
    mark_ = mark_of(in_.trees, in_.hidden);
    if (undo_) recent_ = find_recent_look(undo_.get(), in_.trees, mark_, looked_);
    request.open_closed = [this](int tree, const std::string& path) {
      return open_closed(tree, path);
    };
    request.may_be_put_off = !recent_.empty();
    if (undo_ && !in_.trees.empty())
      request.expected = std::min(latest_of(undo_.get(), in_.trees[0].path).entries, kMostExpected);
    snapshot_.emplace(request);
    if (request.may_be_put_off && !in_.is_waited_for) begin_late();
    Status kept = undo_ ? take_snapshot() : std::unexpected(folder.error());
    if (!kept) fail_with(kept.error());
    opener_.close();
    say(Notice::ready);
    bool is_put_off = snapshot_->was_put_off();
    if (kept) kept = is_put_off ? take_manifest_of(recent_) : write_down();
    if (!kept) fail_with(kept.error());
    store_lock_.close();
    previous_.clear();
    if (kept && !is_put_off && !snapshot_->was_cut_short()) tell_kept();
    if (kept) expire_old();
    while (!is_gone_ && !is_to_finish_)
      wait_for_order();
    if (!is_gone_ && !has_failed_) finish();
    say(Notice::finished);
    if (!is_gone_) channel::wait_until_closed(in_.channel);
  }

 private:
  Status take_snapshot() {
    if (!snapshot_->was_put_off()) TRY(snapshot_->look());
    if (snapshot_->was_put_off()) return {};
    TRY_ASSIGN(store_lock_, lock_store(undo_.get(), LockMode::shared));
    TRY_ASSIGN(Store store, Store::open(undo_.get()));
    std::vector<const ManifestTree*> previous;
    for (const KeeperTree& tree : in_.trees)
      previous.push_back(find_previous(tree.path));
    snapshot_->keep(store, previous);
    stored_ = store.stored();
    return {};
  }

  const ManifestTree* find_previous(const std::string& tree) {
    std::string id = latest_of(undo_.get(), tree).id;
    if (id.empty()) return nullptr;
    Previous* found = nullptr;
    for (auto& known : previous_) {
      if (known->id == id) found = known.get();
    }
    if (found == nullptr) {
      auto folder = open_kept_run(undo_.get(), id);
      auto manifest = folder ? read_manifest(folder->get()) : std::unexpected(folder.error());
      if (!manifest) return nullptr;  // everything is read anew
      previous_.push_back(
          std::make_unique<Previous>(Previous{id, std::move(*folder), std::move(*manifest)}));
      found = previous_.back().get();
    }
    for (const ManifestTree& known : found->manifest.trees) {
      if (known.path == tree) return &known;
    }
    return nullptr;
  }

  // One that says the same as the last is the same file.
  Status write_down() {
    TRY_ASSIGN(run_folder_, make_kept_run(undo_.get(), in_.run));
    bool is_same = previous_.size() == 1 && snapshot_->is_same_as(previous_[0]->manifest);
    bool is_linked = is_same && linkat(previous_[0]->folder.get(), kManifestName, run_folder_.get(),
                                       kManifestName, 0) == 0;
    if (!is_linked) TRY(write_manifest(run_folder_.get(), snapshot_->manifest()));
    uint64_t entries = 0;
    for (const ManifestTree& tree : snapshot_->manifest().trees)
      entries += tree.entries.size();
    for (const ManifestTree& tree : snapshot_->manifest().trees)
      TRY(set_latest(
          undo_.get(), tree.path,
          {in_.run.id, !snapshot_->was_cut_short(), mark_, looked_, entries, tree.clock}));
    return {};
  }

  // That one stays the latest: nobody has looked at anything since.
  Status take_manifest_of(const std::string& id) {
    TRY_ASSIGN(store_lock_, lock_store(undo_.get(), LockMode::shared));
    TRY_ASSIGN(Fd earlier, open_kept_run(undo_.get(), id));
    TRY_ASSIGN(run_folder_, make_kept_run(undo_.get(), in_.run));
    if (linkat(earlier.get(), kManifestName, run_folder_.get(), kManifestName, 0) < 0)
      return fail_errno("cannot take over what an earlier run has kept");
    return {};
  }

  void tell_kept() {
    KeeperNotice notice{Notice::kept};
    notice.numbers[0] = snapshot_->files();
    notice.numbers[1] = snapshot_->bytes();
    notice.numbers[3] = snapshot_->earlier();
    std::optional<Kept> first;
    for (const ManifestTree& tree : snapshot_->manifest().trees) {
      if (!tree.whole) notice.value = 1;
      for (const SavedEntry& entry : tree.entries) {
        // What nobody can read, or nobody sees inside, is told by the history alone.
        bool told = entry.kept == Kept::beyond || entry.kept == Kept::changed ||
                    entry.kept == Kept::no_room;
        if (!told) continue;
        notice.numbers[2]++;
        if (!first) first = entry.kept;
      }
    }
    if (first) fixed::put(notice.text, why_not(*first));
    say(notice);
  }

  void expire_old() {
    int64_t now = clock::wall_seconds();
    if (stored_ < kMuch && !is_time_to_expire(undo_.get(), now)) return;
    // Who cannot be removed now goes another time.
    (void)expire(undo_.get(), {in_.limits.kept, in_.limits.age, now_in_milliseconds()},
                 [this] { return take_orders() && !sign_.over; });
  }

  void finish() {
    Outcome outcome{clock::wall_seconds(), !snapshot_->was_put_off()};
    outcome.has_earlier_manifest = snapshot_->was_put_off();
    // A person waits for this: the longer the run went on, the longer it may take.
    size_t most = kFewEntries + static_cast<size_t>((clock::monotonic() - started_) / kPerEntry);
    for (size_t i = 0; i < in_.trees.size(); i++) {
      int folder = in_.trees[i].folder.get();
      auto clock = changes::read_kernels_clock();
      outcome.clocks.push_back(clock.value_or(0));
      if (!outcome.compared) continue;
      auto look = look_at_tree({folder, in_.passed_over, 0, [&](const auto& seen) {
                                  return seen.size() < most && clock::monotonic() < deadline_;
                                }});
      outcome.compared = outcome.compared && look && look->ended;
      if (!outcome.compared) continue;
      compare(snapshot_->manifest().trees[i], look->entries, static_cast<uint32_t>(i),
              outcome.touched);
    }
    if (!outcome.compared) {
      outcome.touched.clear();
      outcome.starts = clocks_of_start();
    }
    outcome.unkept = count_unkept(snapshot_->manifest(), outcome.touched);
    note_indexes_in(outcome);
    if (Status written = write_outcome(run_folder_.get(), outcome); !written)
      return fail_with(written.error());
    if (snapshot_->was_cut_short()) tell_kept_in_the_end(outcome);
    if (!outcome.touched.empty()) tell_changed(count(outcome.touched));
  }

  // Where nothing was compared, that of the tree itself is looked at.
  void note_indexes_in(Outcome& outcome) const {
    std::vector<int> folders;
    for (const KeeperTree& tree : in_.trees)
      folders.push_back(tree.folder.get());
    if (outcome.compared) return void(outcome.indexes = note_indexes(outcome.touched, folders));
    uint64_t left = kMostIndexes;
    for (uint32_t i = 0; i < folders.size() && i < outcome.starts.size(); i++) {
      auto now = changes::look_at(folders[i], kIndex);
      if (!now || !now->exists() || now->changed < outcome.starts[i]) continue;
      auto digest = describe_index_at(folders[i], kIndex, left);
      if (digest) outcome.indexes.push_back({i, kIndex, *digest});
    }
  }

  // There are stamps only if the command did not wait for the end of the look.
  std::vector<int64_t> clocks_of_start() const {
    std::vector<int64_t> clocks = sign_.clocks;
    if (!clocks.empty()) return clocks;
    for (const ManifestTree& tree : snapshot_->manifest().trees)
      clocks.push_back(tree.clock);
    return clocks;
  }

  // The run was over before everything was read: what it has not touched needs no copy.
  void tell_kept_in_the_end(const Outcome& outcome) {
    KeeperNotice notice{Notice::kept};
    notice.numbers[0] = snapshot_->files();
    notice.numbers[1] = snapshot_->bytes();
    notice.numbers[2] = outcome.unkept;
    fixed::put(notice.text, why_not(Kept::unread));
    say(notice);
  }

  void tell_changed(const Counts& counts) {
    KeeperNotice notice{Notice::changed};
    notice.numbers[0] = counts.added;
    notice.numbers[1] = counts.changed;
    notice.numbers[2] = counts.deleted;
    notice.numbers[3] = counts.renamed;
    notice.numbers[4] = counts.bytes;
    say(notice);
  }

  void fail_with(const Error& error) {
    if (std::exchange(has_failed_, true)) return;
    KeeperNotice notice{Notice::failed};
    fixed::put(notice.text, error.text());
    say(notice);
  }

  bool look_for_start(StartSign& sign) {
    if (!take_orders()) return false;
    if (sign_.started && !sign.started) sign = sign_;
    sign.over = sign_.over;
    return !sign_.over || clock::monotonic() < deadline_;
  }

  // The supervisor starts somebody who may, once.
  Result<changes::ContentAndAttributes> open_closed(int tree, const std::string& path) {
    if (!std::exchange(has_asked_for_opener_, true)) say(Notice::closed);
    while (!is_gone_ && !has_heard_of_opener_)
      take_order();
    TRY_ASSIGN(Fd place, file::open_beneath(tree, path, O_PATH | O_NOFOLLOW));
    int fds[] = {place.get()};
    Status asked = opener_ ? channel::send(opener_.get(), "o", fds) : fail("there is no opener");
    auto answer = asked ? channel::receive(opener_.get()) : std::unexpected(asked.error());
    if (!answer || answer->fds.size() != 1)
      return std::unexpected(Error{"cannot open a closed file", EACCES, ""});
    TRY_ASSIGN(changes::Attributes attributes, changes::unpack(answer->bytes.substr(1)));
    return changes::ContentAndAttributes{std::move(answer->fds[0]), std::move(attributes)};
  }

  // What has come, without waiting. False if nobody is there any more.
  bool take_orders() {
    pollfd waits{in_.channel, POLLIN, 0};
    while (!is_gone_ && poll(&waits, 1, 0) > 0)
      take_order();
    return !is_gone_;
  }

  void begin_late() {
    int64_t end = clock::monotonic() + kLateness;
    pollfd waits{in_.channel, POLLIN, 0};
    for (int64_t left = kLateness; left > 0 && !sign_.over && !is_gone_;
         left = end - clock::monotonic()) {
      if (poll(&waits, 1, static_cast<int>(left / 1'000'000) + 1) > 0) take_order();
    }
    if (sign_.over) snapshot_->put_off();
  }

  void wait_for_order() {
    pollfd waits{in_.channel, POLLIN, 0};
    int ready = poll(&waits, 1, thrift_.wait_time(-1));
    thrift_.after_wait(ready);
    if (ready > 0) take_order();
  }

  void take_order() {
    auto message = channel::receive(in_.channel);
    auto order = message && !message->bytes.empty() ? parse_keeper_order(message->bytes)
                                                    : std::unexpected(Error{"gone"});
    if (!order) {
      is_gone_ = true;
      return;
    }
    if (order->type == Order::stamp) {
      sign_.clocks.resize(in_.trees.size());
      if (order->tree < sign_.clocks.size()) sign_.clocks[order->tree] = order->clock;
    }
    if (order->type == Order::started) {
      sign_.started = true;
      started_ = clock::monotonic();
    }
    if (order->type == Order::over || order->type == Order::finish) {
      sign_.over = true;
      deadline_ = clock::monotonic() + kFinishTime;
    }
    is_to_finish_ |= order->type == Order::finish;
    if (order->type == Order::try_acts) try_acts();
    if (order->type == Order::opener) {
      has_heard_of_opener_ = true;
      if (message->fds.size() == 1) opener_ = std::move(message->fds[0]);
    }
  }

  void try_acts() {
    for (const TriedAct& act : in_.try_acts()) {
      KeeperNotice notice{Notice::act, act.err};
      fixed::put(notice.text, act.name);
      say(notice);
    }
    say(Notice::acts_done);
  }

  void say(Notice type) { say(KeeperNotice{type}); }
  void say(const KeeperNotice& notice) {
    if (!channel::send(in_.channel, fixed::bytes_of(notice))) is_gone_ = true;
  }

  struct Previous {
    std::string id;
    Fd folder;
    Manifest manifest;
  };

  KeeperInputs in_;
  Fd undo_, run_folder_, store_lock_;
  Fd opener_;  // channel
  bool has_asked_for_opener_ = false, has_heard_of_opener_ = false;
  std::optional<Snapshot> snapshot_;
  std::vector<std::unique_ptr<Previous>> previous_;
  StartSign sign_;
  std::string mark_, recent_;  // undo/recent_look.h
  int64_t looked_ = 0;         // seconds since the epoch
  int64_t started_ = 0;        // the command
  int64_t deadline_ = 0;       // when the run is over
  uint64_t stored_ = 0;
  IdleThrift thrift_;
  bool has_failed_ = false;
  bool is_to_finish_ = false;
  bool is_gone_ = false;
};

}  // namespace

void run_keeper(KeeperInputs inputs) { Keeper(std::move(inputs)).run(); }

}  // namespace ringwall::undo
