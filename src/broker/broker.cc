#include "broker/broker.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "base/channel.h"
#include "base/clock.h"
#include "base/fixed_message.h"
#include "base/path.h"
#include "base/processor_turns.h"
#include "base/program_pages.h"
#include "broker/broker_line.h"
#include "broker/deletion_brake.h"
#include "broker/flood.h"
#include "broker/git_news.h"
#include "broker/guards.h"
#include "broker/late_links.h"
#include "broker/new_sockets.h"
#include "broker/plant_patience.h"
#include "broker/tree_watch.h"
#include "broker/written_files.h"
#include "files/scan.h"

namespace ringwall::broker {
namespace {

constexpr int kIdle = 300;             // milliseconds
constexpr int64_t kSlice = 1'000'000;  // nanoseconds of looking into folders in one go
constexpr int64_t kMostBehind = 20'000'000;
constexpr int kMostRounds = 64;  // of sockets, while everything stands

class Broker {
 public:
  Broker(BrokerInputs inputs, TreeWatch watch)
      : in_(std::move(inputs)),
        watch_(std::move(watch)),
        line_(in_.channel, in_.desk.fd(), {[this] { take_ask(); }, [this] { brake_.go_on(); }}),
        guards_(in_.trees, in_.protected_names, std::move(in_.kept), std::move(in_.hidden),
                in_.desk),
        brake_(in_.deletions, in_.trees, watch_),
        sockets_(in_.trees),
        vetter_(in_.protected_names, in_.trees,
                {[this](size_t tree, int folder, const std::string& path) {
                   auto departures = guards_.departures_from(tree, path, Departures::unheard);
                   auto number = watch_.add(tree, folder, path, departures);
                   if (number) brake_.meet(*number, folder);
                   if (!number) note_unwatched(number.error());
                 },
                 [this](size_t tree, int file, const std::string& path) {
                   if (guards_.is_kept(tree, path)) return;  // read-only inside, and ours to write
                   auto number = watch_.add_file(tree, file, path);
                   if (number) written_.meet(*number, file);
                   if (!number) note_unwatched(number.error());
                 },
                 [this](size_t tree, const std::string& path) { sockets_.expect(tree, path); }},
                std::move(in_.links), in_.only_read),
        written_(in_.trees, watch_, vetter_),
        late_links_(watch_, vetter_),
        news_(in_.trees, guards_, vetter_, in_.desk, line_) {}

  void run() {
    vetter_.ways() = std::move(in_.ways);
    for (const HeldFiles::Place& one : guards_.held())
      tell_apart(one.tree, one.path);
    watch_all();
    line_.say({BrokerNotice::Type::watches, static_cast<int32_t>(watch_.folders())});
    if (!line_.has_order()) brake_.work();
    // What came between the search and the watches, also into folders that came then.
    for (size_t watched = 0;
         watched < watch_.folders() && !line_.has_ended() && !line_.has_order();) {
      watched = watch_.folders();
      std::vector<Culprit> culprits;
      search(culprits);
      handle(std::move(culprits));
      if (std::exchange(may_have_new_folders_, false)) watch_all();
    }
    take_usual_turns();
    while (!line_.has_ended())
      step();
  }

 private:
  void step() {
    pollfd waits[] = {
        {line_.fd(), POLLIN, 0}, {watch_.fd(), POLLIN, 0}, {in_.desk.fd(), POLLIN, 0}};
    bool lists = brake_.has_work();
    int unhurried = is_prepared_ && !brake_.awaits() ? -1 : kIdle;
    int patience = late_links_.wait_time(written_.wait_time(unhurried));
    patience = sockets_.wait_time(patience, clock::monotonic());
    int ready = poll(waits, 3, lists || line_.has_put_off() ? 0 : patience);
    if (ready < 0 && errno != EINTR) line_.end();
    if (ready < 0) return;
    bool is_idle = ready == 0 && patience == unhurried && !lists && !written_.are_there();
    if (is_idle) in_.quarantine->prepare();
    if (!lists) thrift_.after_wait(is_idle ? 0 : 1);  // once: who is needed again must be quick
    is_prepared_ = is_idle;
    if (waits[1].revents != 0 || written_.are_there() || late_links_.are_due()) {
      handle(collect(false));
      // Each moment would let more go.
      if (flood_.is_on() && !brake_.is_filling()) line_.nap();
    }
    look_at_sockets();
    if (line_.has_ended()) return;
    bool has_order = waits[0].revents != 0 || line_.has_put_off();
    if (!has_order) brake_.work();  // who gives one waits
    brake_.settle(clock::monotonic());
    if (brake_.is_over()) stop_deleting();
    if (has_order && line_.has_order()) take_order();
    // Last: what was planted is more urgent than what was asked for.
    if (waits[2].revents != 0) take_ask();
  }

  void take_ask() {
    in_.desk.take_ask();
    news_.tell_added();
    vetter_.ways().add(in_.desk.local_ways());
  }

  void tell_apart(size_t tree, const std::string& whole) {
    auto told = watch_.tell_apart(in_.trees[tree].folder.get(), in_.trees[tree].relative(whole));
    if (!told) note_unwatched(told.error());
  }

  void watch_all() {
    for (size_t tree = 0; tree < in_.trees.size() && !unwatched_; tree++) {
      in_.indexes[tree].visit_folders([&](std::string_view path, const files::IndexedFolder&) {
        if (git::holds_only_data(path)) return true;
        std::string name(path);
        int top = in_.trees[tree].folder.get();
        auto departures = guards_.departures_from(tree, name, brake_.departures_from(path));
        auto number = watch_.add_by_path(tree, top, name, departures);
        if (number) brake_.expect(*number, name);
        if (!number) note_unwatched(number.error());
        // A command that is over at once does not wait for the rest.
        return ++visited_ % 64 != 0 || !line_.has_order();
      });
    }
  }

  // All that lies under a protected name and has to go, whatever was told of it.
  void search(std::vector<Culprit>& culprits) {
    for (size_t tree = 0; tree < in_.trees.size(); tree++) {
      auto result = files::scan(in_.trees[tree].folder.get(), in_.protected_names, in_.hidden_names,
                                in_.indexes[tree]);
      vetter_.look_at_ways(tree, "", culprits);
      if (!result) vetter_.look(tree, "", culprits);  // opens up what stopped it
      if (!result) continue;
      may_have_new_folders_ = may_have_new_folders_ || result->read_again > 0;
      for (const files::Found& found : result->found) {
        if (found.kind == files::Found::Kind::socket) sockets_.expect(tree, found.path);
        if (found.may_be_planted() && !guards_.is_kept(tree, found.path))
          vetter_.look(tree, found.path, culprits);
      }
    }
  }

  void take_order() {
    auto order = line_.receive();
    if (!order) return;
    if (order->type == BrokerOrder::Type::sweep) return sweep_at_the_end();
    if (order->type != BrokerOrder::Type::try_acts) return;
    for (const TriedAct& act : in_.try_acts())
      line_.say(notice_of(BrokerNotice::Type::act, "", act.name, act.err));
    line_.say({BrokerNotice::Type::acts_done});
  }

  void note_unwatched(const Error& error) {
    if (files::is_gone(error)) return;
    if (!std::exchange(unwatched_, true)) line_.say({BrokerNotice::Type::unwatched, error.err});
  }

  // What has appeared since the last look and has to go. As long as they run, whoever makes more
  // than we can look at is not waited for.
  std::vector<Culprit> collect(bool all_stand) {
    std::vector<Culprit> culprits;
    int64_t start = clock::monotonic();
    do {
      hear(culprits);
      written_.work(culprits);
      late_links_.work(culprits);
      if (all_stand && std::exchange(has_lost_, false)) search(culprits);
      vetter_.work(clock::monotonic() + kSlice, culprits);
      if (!all_stand && (!culprits.empty() || clock::monotonic() - start > kMostBehind)) break;
    } while (vetter_.has_work());
    return guards_.without_kept(std::move(culprits));
  }

  void hear(std::vector<Culprit>& culprits) {
    Batch batch = watch_.read().value_or(Batch{{}, true});
    has_lost_ = has_lost_ || batch.lost;
    flood_.note(batch.appeared.size());
    for (const Appeared& one : batch.appeared) {
      if (one.how == Appeared::How::opened) {
        written_.opened(one.folder);
        continue;
      }
      bool went = one.how == Appeared::How::went;
      if (one.is_guarded && guards_.note(one, only_host_acts_))
        vetter_.note(one.tree, one.path, culprits);
      if (one.how == Appeared::How::closed) continue;
      brake_.note(one);
      sockets_.note(one);
      if (went) continue;
      vetter_.look_at_ways(one.tree, one.path, culprits);
      if (vetter_.may_matter(one.path, one.is_folder))
        vetter_.note(one.tree, one.path, culprits);
      else
        late_links_.note(one.folder);
    }
    brake_.end_batch(batch.lost);
  }

  void handle(std::vector<Culprit> culprits) {
    tell_met();
    culprits = guards_.without_kept(std::move(culprits));
    bool replaced = guards_.has_replaced_kept() || guards_.has_replaced_hidden();
    // Who keeps us behind must stand as well: we are blind as long as that lasts.
    if (culprits.empty() && !replaced && !vetter_.has_work() && !has_lost_) return;
    line_.ask_to_stop();
    // While they are being stopped.
    cover_hidden();
    take_all(culprits);
    line_.wait_until_all_stand();
    take_all(collect(true));
    cover_again();
    if (!emptied_.empty()) pause();
    take_all(collect(true));
    cover_again();
    let_go_on();
  }

  // Who found one of the host's may have moved it, or given it a second name: all of that is told,
  // and masked while everything stands.
  void look_at_sockets() {
    bool stops = sockets_.are_too_many() || sockets_.ask(line_, clock::monotonic());
    if (line_.wants_sweep()) return sweep_at_the_end();
    if (!stops) return;
    line_.ask_to_stop();
    line_.wait_until_all_stand();
    for (int i = 0; i < kMostRounds && stops && !line_.wants_sweep(); i++) {
      take_all(collect(true));
      cover_again();
      stops = sockets_.ask(line_, INT64_MAX) || sockets_.are_too_many();
    }
    let_go_on();
  }

  // Paused by the supervisor while it stands for us: nothing runs in between.
  void stop_deleting() {
    line_.ask_to_stop();
    line_.wait_until_all_stand();
    take_all(collect(true));
    cover_again();
    if (brake_.is_really_over()) tell_deleted();
    let_go_on();
  }

  void let_go_on() {
    only_host_acts_ = false;
    line_.say({BrokerNotice::Type::thaw});
    tell_planted();
    if (patience_.is_over()) line_.say({BrokerNotice::Type::persists});
    if (line_.wants_sweep()) sweep_at_the_end();
  }

  void tell_deleted() {
    const DeletionCount& count = brake_.count();
    BrokerNotice notice{BrokerNotice::Type::deleted};
    notice.deletions = {count.gone(), count.all(), count.is_over_files() ? 0u : 1u};
    line_.say(notice);
    brake_.stand();
  }

  void cover_again() {
    cover_hidden();
    for (const Guards::Replaced& one : guards_.take_replaced_kept()) {
      Guards::Refreshed refreshed = guards_.refresh(one);
      if (refreshed.aside) take(*refreshed.aside, one.path);
      if (refreshed.is_changed)
        planted_.push_back(notice_of(BrokerNotice::Type::saved, one.path, ""));
      if (refreshed.trouble)
        planted_.push_back(
            notice_of(BrokerNotice::Type::stays, one.path, refreshed.trouble->text()));
      tell_apart(one.tree, one.path);
      vetter_.ways().add(in_.desk.local_ways());
      cover(one);
    }
    only_host_acts_ = true;  // what came before was heard
  }

  void cover_hidden() {
    for (const Guards::Replaced& one : guards_.take_replaced_hidden())
      cover(one);
  }

  void cover(const Guards::Replaced& one) {
    line_.say(notice_of(BrokerNotice::Type::replaced, one.path, "", one.hidden ? 1 : 0));
    line_.wait_for(BrokerOrder::Type::renewed);
  }

  void tell_met() {
    news_.tell_made();
    auto trouble = vetter_.take_trouble();
    if (!trouble) return;
    is_left_ = true;
    line_.say(notice_of(BrokerNotice::Type::unseen, "", trouble->text()));
  }

  void tell_planted() {
    for (BrokerNotice& notice : std::exchange(planted_, {})) {
      if (notice.type == BrokerNotice::Type::stays) is_left_ = true;
      line_.say(notice);
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
    auto parent = files::open_parent(in_.trees[culprit.tree], culprit.path);
    if (!parent && files::is_gone(parent.error())) return;  // told of again where it comes up
    auto taken = parent ? in_.quarantine->take(parent->get(), path::basename(culprit.path),
                                               {whole, in_.run_name}, {culprit.rule, culprit.why})
                        : std::unexpected(parent.error());
    if (taken && taken->outcome == Taken::Outcome::gone) return;
    BrokerNotice notice = notice_of(taken ? BrokerNotice::Type::planted : BrokerNotice::Type::stays,
                                    whole, taken ? culprit.why : taken.error().text());
    fixed::put(notice.rule, culprit.rule);
    if (taken) fixed::put(notice.item, taken->item);
    planted_.push_back(notice);
  }

  void sweep_at_the_end() {
    take_all(collect(true));  // opens up what a search would pass over
    std::vector<Culprit> culprits;
    search(culprits);
    vetter_.look_again(culprits);
    take_all(guards_.without_kept(std::move(culprits)));
    tell_met();
    tell_planted();
    for (const auto& [link, end] : vetter_.leading_out())
      line_.say(notice_of(BrokerNotice::Type::leads_out, link, end));
    news_.tell_in_the_end();
    brake_.settle(INT64_MAX);
    if (brake_.is_really_over()) tell_deleted();
    in_.desk.finish();
    // Else the next start looks again.
    if (!is_left_) in_.unswept.remove();
    watch_.let_go();
    line_.say({BrokerNotice::Type::swept});
    line_.end();
    channel::wait_until_closed(line_.fd());
  }

  BrokerInputs in_;
  TreeWatch watch_;
  BrokerLine line_;
  Guards guards_;
  DeletionBrake brake_;
  NewSockets sockets_;
  Vetter vetter_;
  WrittenFiles written_;
  LateLinks late_links_;
  GitNews news_;
  size_t visited_ = 0;
  std::vector<BrokerNotice> planted_;
  Flood flood_;
  PlantPatience patience_;
  std::set<std::string> emptied_;  // since the last pause
  bool unwatched_ = false;
  bool has_lost_ = false;        // not everything was told
  bool only_host_acts_ = false;  // all inside stand, and what they did was heard
  bool may_have_new_folders_ = false;
  IdleThrift thrift_;
  bool is_prepared_ = false;
  bool is_left_ = false;  // something planted may still lie there
};

}  // namespace

void run_broker(BrokerInputs inputs) { Broker(std::move(inputs), TreeWatch::open()).run(); }

}  // namespace ringwall::broker
