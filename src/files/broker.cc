#include "files/broker.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "base/channel.h"
#include "base/clock.h"
#include "base/fixed_message.h"
#include "base/path.h"
#include "base/program_pages.h"
#include "files/deletion_brake.h"
#include "files/flood.h"
#include "files/guards.h"
#include "files/plant_patience.h"
#include "files/scan.h"
#include "files/tree_watch.h"
#include "files/written_files.h"

namespace ringwall::files {
namespace {

constexpr int kIdle = 300;              // milliseconds
constexpr int kAnswerPatience = 15000;  // milliseconds; longer than those who are asked have
constexpr timespec kNap{0, 500'000};
constexpr int64_t kSlice = 1'000'000;  // nanoseconds of looking into folders in one go
constexpr int64_t kMostBehind = 20'000'000;

class Broker {
 public:
  Broker(BrokerInputs inputs, TreeWatch watch)
      : in_(std::move(inputs)),
        watch_(std::move(watch)),
        guards_(in_.trees, std::move(in_.kept), std::move(in_.hidden), in_.desk),
        brake_(in_.deletions, in_.trees, watch_),
        vetter_(in_.protected_names, in_.trees,
                {[this](size_t tree, int folder, const std::string& path) {
                   auto departures =
                       guards_.are_beneath(tree, path) ? Departures::guarded : Departures::unheard;
                   auto number = watch_.add(tree, folder, path, departures);
                   if (number) brake_.meet(*number, folder);
                   if (!number) note_unwatched(number.error());
                 },
                 [this](size_t tree, int file, const std::string& path) {
                   auto number = watch_.add_file(tree, file, path);
                   if (number) written_.meet(*number, file);
                   if (!number) note_unwatched(number.error());
                 }}),
        written_(in_.trees, watch_, vetter_) {}

  void run() {
    watch_all();
    say({BrokerNotice::Type::watches, static_cast<int32_t>(watch_.folders())});
    brake_.work();
    // What came between the search and the watches, also into folders that came then.
    for (size_t watched = 0; watched < watch_.folders() && !ended_ && !has_order();) {
      watched = watch_.folders();
      std::vector<Culprit> culprits;
      search(culprits);
      handle(std::move(culprits));
      if (std::exchange(may_have_new_folders_, false)) watch_all();
    }
    while (!ended_)
      step();
  }

 private:
  void step() {
    pollfd waits[] = {
        {in_.channel, POLLIN, 0}, {watch_.fd(), POLLIN, 0}, {in_.desk.fd(), POLLIN, 0}};
    bool lists = brake_.has_work();
    int patience = is_prepared_ && !brake_.awaits() ? -1 : kIdle;
    int ready = poll(waits, 3, lists ? 0 : written_.wait_time(patience));
    ended_ = ended_ || (ready < 0 && errno != EINTR);
    if (ready < 0) return;
    bool is_idle = ready == 0 && !lists && !written_.are_there();
    if (is_idle) in_.quarantine->prepare();
    if (!lists) thrift_.after_wait(is_idle ? 0 : 1);  // once: who is needed again must be quick
    is_prepared_ = is_idle;
    if (waits[1].revents != 0 || written_.are_there()) {
      handle(collect(false));
      // Each moment would let more go.
      if (flood_.is_on() && !brake_.is_filling()) nap();
    }
    if (ended_) return;
    brake_.work();
    brake_.settle(clock::monotonic());
    if (brake_.is_over()) stop_deleting();
    if (waits[0].revents != 0 && has_order()) take_order();
    // Last: what was planted is more urgent than what was asked for.
    if (waits[2].revents != 0) in_.desk.take_ask();
  }

  // Orders and questions end it.
  void nap() const {
    pollfd waits[] = {{in_.channel, POLLIN, 0}, {in_.desk.fd(), POLLIN, 0}};
    ppoll(waits, 2, &kNap, nullptr);
  }

  void watch_all() {
    for (size_t tree = 0; tree < in_.trees.size() && !unwatched_; tree++) {
      in_.indexes[tree].visit_folders([&](std::string_view path, const IndexedFolder&) {
        if (holds_only_data(path)) return true;
        std::string name(path);
        int top = in_.trees[tree].folder.get();
        auto departures =
            guards_.are_beneath(tree, name) ? Departures::guarded : brake_.departures_from(path);
        auto number = watch_.add_by_path(tree, top, name, departures);
        if (number) brake_.expect(*number, name);
        if (!number) note_unwatched(number.error());
        // A command that is over at once does not wait for the rest.
        return ++visited_ % 256 != 0 || !has_order();
      });
    }
  }

  bool has_order() const {
    pollfd waits{in_.channel, POLLIN, 0};
    return poll(&waits, 1, 0) > 0;
  }

  // All that lies under a protected name and has to go, whatever was told of it.
  void search(std::vector<Culprit>& culprits) {
    for (size_t tree = 0; tree < in_.trees.size(); tree++) {
      auto result = scan(in_.trees[tree].folder.get(), in_.protected_names, in_.hidden_names,
                         in_.indexes[tree]);
      if (!result) vetter_.look(tree, "", culprits);  // opens up what stopped it
      if (!result) continue;
      may_have_new_folders_ = may_have_new_folders_ || result->read_again > 0;
      for (const Found& found : result->found) {
        if (found.is_guarded() && !guards_.is_kept(tree, found.path))
          vetter_.look(tree, found.path, culprits);
      }
    }
  }

  void take_order() {
    auto order = receive();
    if (!order) return;
    if (order->type == BrokerOrder::Type::sweep) return sweep_at_the_end();
    if (order->type != BrokerOrder::Type::try_acts) return;
    for (const TriedAct& act : in_.try_acts()) {
      BrokerNotice notice{BrokerNotice::Type::act, act.err};
      fixed::put(notice.text, act.name);
      say(notice);
    }
    say({BrokerNotice::Type::acts_done});
  }

  Result<BrokerOrder> receive() {
    auto message = channel::receive(in_.channel);
    if (!message || message->bytes.empty()) {
      ended_ = true;
      return fail("the supervisor is gone");
    }
    auto order = parse_broker_order(message->bytes);
    if (!order) ended_ = true;
    if (order && order->type == BrokerOrder::Type::goes_on) brake_.go_on();
    return order;
  }

  void say(const BrokerNotice& notice) {
    if (!channel::send(in_.channel, fixed::bytes_of(notice))) ended_ = true;
  }

  void note_unwatched(const Error& error) {
    if (is_gone(error)) return;
    if (!std::exchange(unwatched_, true)) say({BrokerNotice::Type::unwatched, error.err});
  }

  // What has appeared since the last look and has to go. As long as they run, whoever makes more
  // than we can look at is not waited for.
  std::vector<Culprit> collect(bool all_stand) {
    std::vector<Culprit> culprits;
    int64_t start = clock::monotonic();
    do {
      hear(culprits);
      written_.work(culprits);
      if (all_stand && std::exchange(has_lost_, false)) search(culprits);
      vetter_.work(clock::monotonic() + kSlice, culprits);
      if (!all_stand && (!culprits.empty() || clock::monotonic() - start > kMostBehind)) break;
    } while (vetter_.has_work());
    return without_kept(std::move(culprits));
  }

  void hear(std::vector<Culprit>& culprits) {
    auto batch = watch_.read();
    bool lost = !batch || batch->lost;
    has_lost_ = has_lost_ || lost;
    for (const Appeared& one : batch ? batch->appeared : std::vector<Appeared>()) {
      if (one.how == Appeared::How::opened) {
        written_.opened(one.folder);
        continue;
      }
      bool went = one.how == Appeared::How::went;
      if (!went || one.is_guarded) guards_.note(one);
      brake_.note(one);
      if (went || !vetter_.may_matter(one.path, one.is_folder)) continue;
      vetter_.note(one.tree, one.path, culprits);
    }
    brake_.end_batch(lost);
  }

  std::vector<Culprit> without_kept(std::vector<Culprit> culprits) const {
    std::erase_if(culprits, [&](const Culprit& culprit) {
      return guards_.is_kept(culprit.tree, culprit.path);
    });
    return culprits;
  }

  void handle(std::vector<Culprit> culprits) {
    tell_trouble();
    culprits = without_kept(std::move(culprits));
    bool replaced = guards_.has_replaced_kept() || guards_.has_replaced_hidden();
    // Who keeps us behind must stand as well: we are blind as long as that lasts.
    if (culprits.empty() && !replaced && !vetter_.has_work() && !has_lost_) return;
    say({BrokerNotice::Type::freeze});
    is_frozen_ = false;
    // While they are being stopped.
    cover_hidden();
    take_all(culprits);
    wait_for(BrokerOrder::Type::frozen);
    take_all(collect(true));
    cover_again();
    if (!emptied_.empty()) pause();
    take_all(collect(true));
    cover_again();
    say({BrokerNotice::Type::thaw});
    tell_planted();
    if (patience_.is_over()) say({BrokerNotice::Type::persists});
    if (wants_sweep_) sweep_at_the_end();
  }

  // Paused by the supervisor while it stands for us: nothing runs in between.
  void stop_deleting() {
    say({BrokerNotice::Type::freeze});
    is_frozen_ = false;
    wait_for(BrokerOrder::Type::frozen);
    take_all(collect(true));
    cover_again();
    if (brake_.is_really_over()) tell_deleted();
    say({BrokerNotice::Type::thaw});
    tell_planted();
    if (wants_sweep_) sweep_at_the_end();
  }

  void tell_deleted() {
    const DeletionCount& count = brake_.count();
    BrokerNotice notice{BrokerNotice::Type::deleted};
    notice.deletions = {count.gone(), count.all(), count.is_over_files() ? 0u : 1u};
    say(notice);
    brake_.stand();
  }

  void cover_again() {
    cover_hidden();
    for (const Guards::Replaced& one : guards_.take_replaced_kept()) {
      Guards::Refreshed refreshed = guards_.refresh(one);
      if (refreshed.aside) take(*refreshed.aside, one.path);
      if (refreshed.trouble) tell_stays(one.path, *refreshed.trouble);
      cover(one);
    }
  }

  void cover_hidden() {
    for (const Guards::Replaced& one : guards_.take_replaced_hidden())
      cover(one);
  }

  void cover(const Guards::Replaced& one) {
    BrokerNotice notice{BrokerNotice::Type::replaced, one.hidden ? 1 : 0};
    fixed::put(notice.path, one.path);
    say(notice);
    wait_for(BrokerOrder::Type::renewed);
  }

  void tell_stays(const std::string& whole, const Error& error) {
    BrokerNotice notice{BrokerNotice::Type::stays};
    fixed::put(notice.path, whole);
    fixed::put(notice.text, error.text());
    planted_.push_back(notice);
  }

  void tell_trouble() {
    auto trouble = vetter_.take_trouble();
    if (!trouble) return;
    BrokerNotice notice{BrokerNotice::Type::unseen};
    fixed::put(notice.text, trouble->text());
    is_left_ = true;
    say(notice);
  }

  void tell_planted() {
    for (BrokerNotice& notice : std::exchange(planted_, {})) {
      if (notice.type == BrokerNotice::Type::stays) is_left_ = true;
      say(notice);
    }
  }

  // When everything inside is gone, there is nobody to wait for.
  void wait_for(BrokerOrder::Type wanted) {
    int64_t deadline = clock::monotonic() + int64_t{kAnswerPatience} * 1'000'000;
    while (!ended_ && !wants_sweep_) {
      if (wanted == BrokerOrder::Type::frozen && is_frozen_) return;
      int64_t left = (deadline - clock::monotonic()) / 1'000'000;
      // Who waits for an answer of ours cannot stand still before it has come.
      pollfd waits[] = {{in_.channel, POLLIN, 0}, {in_.desk.fd(), POLLIN, 0}};
      if (left <= 0 || poll(waits, 2, static_cast<int>(left)) <= 0)
        return say({BrokerNotice::Type::restless});
      if (waits[1].revents != 0) in_.desk.take_ask();
      if (waits[0].revents == 0) continue;
      auto order = receive();
      if (order && order->type == BrokerOrder::Type::frozen) is_frozen_ = true;
      if (order && order->type == wanted) return;
      if (order && order->type == BrokerOrder::Type::sweep) wants_sweep_ = true;
    }
  }

  // Whoever plants again and again waits longer each time.
  void pause() {
    int64_t pause = patience_.pause_after(std::exchange(emptied_, {}), clock::monotonic());
    timespec time{pause / 1'000'000'000, pause % 1'000'000'000};
    nanosleep(&time, nullptr);
    patience_.rest_until(clock::monotonic());
  }

  void take_all(const std::vector<Culprit>& culprits) {
    for (const Culprit& culprit : culprits)
      take(culprit);
  }

  void take(const Culprit& culprit) {
    std::string whole = in_.trees[culprit.tree].whole(culprit.path);
    take(culprit, whole);
    emptied_.insert(std::move(whole));
  }

  void take(const Culprit& culprit, const std::string& whole) {
    auto parent = open_parent(in_.trees[culprit.tree], culprit.path);
    if (!parent && is_gone(parent.error())) return;  // told of again where it comes up
    auto taken = parent ? in_.quarantine->take(parent->get(), path::basename(culprit.path),
                                               {whole, in_.run_name}, {culprit.rule, culprit.why})
                        : std::unexpected(parent.error());
    if (taken && taken->outcome == Taken::Outcome::gone) return;
    BrokerNotice notice{taken ? BrokerNotice::Type::planted : BrokerNotice::Type::stays};
    fixed::put(notice.path, whole);
    fixed::put(notice.rule, culprit.rule);
    fixed::put(notice.text, taken ? culprit.why : taken.error().text());
    if (taken) fixed::put(notice.item, taken->item);
    planted_.push_back(notice);
  }

  void sweep_at_the_end() {
    take_all(collect(true));  // opens up what a search would pass over
    std::vector<Culprit> culprits;
    search(culprits);
    auto passed = vetter_.passed();
    for (const auto& [tree, path] : passed)
      vetter_.look(tree, path, culprits);
    take_all(without_kept(std::move(culprits)));
    tell_trouble();
    tell_planted();
    brake_.settle(INT64_MAX);
    if (brake_.is_really_over()) tell_deleted();
    in_.desk.finish();
    // Else the next start looks again.
    if (!is_left_) in_.unswept.remove();
    watch_.let_go();
    say({BrokerNotice::Type::swept});
    ended_ = true;
  }

  BrokerInputs in_;
  TreeWatch watch_;
  Guards guards_;
  DeletionBrake brake_;
  Vetter vetter_;
  WrittenFiles written_;
  size_t visited_ = 0;
  std::vector<BrokerNotice> planted_;
  Flood flood_;
  PlantPatience patience_;
  std::set<std::string> emptied_;  // since the last pause
  bool unwatched_ = false;
  bool has_lost_ = false;  // not everything was told
  bool may_have_new_folders_ = false;
  IdleThrift thrift_;
  bool is_prepared_ = false;
  bool is_frozen_ = false;
  bool wants_sweep_ = false;
  bool is_left_ = false;  // something planted may still lie there
  bool ended_ = false;
};

}  // namespace

void run_broker(BrokerInputs inputs) { Broker(std::move(inputs), TreeWatch::open()).run(); }

}  // namespace ringwall::files
