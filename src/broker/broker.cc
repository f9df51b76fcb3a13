#include "broker/broker.h"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

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
#include "broker/staged_watch.h"
#include "broker/taking.h"
#include "broker/tree_watch.h"
#include "broker/written_files.h"
#include "files/scan.h"

namespace ringwall::broker {
namespace {

constexpr int kIdle = 300;             // milliseconds
constexpr int64_t kSlice = 1'000'000;  // nanoseconds of looking into folders in one go
constexpr int64_t kMostBehind = 20'000'000;
// Too long a way is not for programs that open files by their paths.
constexpr size_t kLongestPath = PATH_MAX - 1;
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
        staged_(in_.trees, in_.protected_names, in_.stamped),
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
                 [this](size_t tree, const std::string& path) { return staged_.take(tree, path); },
                 [this](size_t tree, const std::string& path) { sockets_.expect(tree, path); }},
                std::move(in_.links), in_.only_read),
        written_(in_.trees, watch_, vetter_),
        late_links_(watch_, vetter_),
        news_(in_.trees, guards_, vetter_, in_.desk, line_),
        taking_(in_.trees, *in_.quarantine, in_.run_name, line_) {}

  void run() {
    staged_.begin(in_.indexes, std::move(in_.start_indexes), in_.start);
    vetter_.ways() = std::move(in_.ways);
    for (const HeldFiles::Place& one : guards_.held())
      tell_apart(one.tree, one.path);
    look_first();
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
    int patience = staged_.wait_time(late_links_.wait_time(written_.wait_time(unhurried)));
    patience = sockets_.wait_time(patience, clock::monotonic());
    int ready = poll(waits, 3, lists || line_.has_put_off() ? 0 : patience);
    if (ready < 0 && errno != EINTR) line_.end();
    if (ready < 0) return;
    bool is_idle = ready == 0 && patience == unhurried && !lists && !written_.are_there();
    if (is_idle) in_.quarantine->prepare();
    if (!lists) thrift_.after_wait(is_idle ? 0 : 1);  // once: who is needed again must be quick
    is_prepared_ = is_idle;
    bool is_due = written_.are_there() || late_links_.are_due() || staged_.are_due();
    if (waits[1].revents != 0 || is_due) {
      handle(collect(false));
      // Each moment would let more go.
      if (flood_.is_on() && !brake_.is_filling()) line_.nap();
    }
    serve(waits[0].revents != 0 || line_.has_put_off(), waits[2].revents != 0);
  }

  void serve(bool has_order, bool is_asked) {
    look_at_sockets();
    if (line_.has_ended()) return;
    if (!has_order && !is_first_look_) brake_.work();  // who gives one waits
    brake_.settle(clock::monotonic());
    if (brake_.is_over()) stop_deleting();
    if (has_order && line_.has_order()) take_order();
    // Last: what was planted is more urgent than what was asked for.
    if (is_asked && !line_.has_ended()) take_ask();
  }

  // What came before the watches, and between a search and the watches: it may take seconds, and
  // what is told meanwhile is dealt with as ever.
  void look_first() {
    is_first_look_ = true;
    watch_tops();
    watch_all();
    if (line_.has_ended()) return;
    line_.say({BrokerNotice::Type::watches, static_cast<int32_t>(watch_.folders())});
    if (may_go_on()) brake_.work();
    for (bool has_new = true; has_new && may_go_on();) {
      std::vector<Culprit> culprits;
      for (size_t tree = 0; tree < in_.trees.size() && !line_.has_ended(); tree++)
        search(tree, in_.indexes[tree], culprits);
      if (line_.has_ended()) return;
      handle(std::move(culprits));
      has_new = std::exchange(may_have_new_folders_, false) && watch_all();
    }
    is_first_look_ = false;
  }

  // False: it is all over. A command that has ended at once does not wait for the first look.
  bool may_go_on() {
    if (!line_.has_ended() && line_.has_order()) take_order();
    return !line_.has_ended();
  }

  // Between the steps of the first look, now and then.
  bool look_up() {
    if (line_.has_ended() || (++visited_ % 64 == 0 && !may_go_on())) return false;
    if (clock::monotonic() - looked_up_ < kSlice) return true;
    handle(collect(false));
    serve(line_.has_order(), line_.is_asked());
    looked_up_ = clock::monotonic();
    return !line_.has_ended();
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

  // What was planted at a top before it was watched is found at once, not behind all below it.
  void watch_tops() {
    std::vector<Culprit> culprits;
    for (size_t tree = 0; tree < in_.trees.size(); tree++) {
      watch_one(tree, "", false);
      vetter_.look_at_names(tree, culprits);
    }
    handle(std::move(culprits));
  }

  // True: a folder was not watched before. Those near to the top come first, since what works
  // there is what reads settings by itself.
  bool watch_all() {
    bool has_new = false;
    for (size_t tree = 0; tree < in_.trees.size(); tree++) {
      in_.indexes[tree].visit_folders_by_level(
          kLongestPath + 1, [&](const std::string& path, bool is_free) -> std::optional<bool> {
            is_free = is_emptied_freely(path, is_free);
            if (!git::holds_only_data(path)) has_new |= watch_one(tree, path, is_free);
            return look_up() ? std::optional(is_free) : std::nullopt;
          });
    }
    return has_new;
  }

  bool watch_one(size_t tree, const std::string& path, bool is_free) {
    size_t before = watch_.folders();
    int top = in_.trees[tree].folder.get();
    auto departures = guards_.departures_from(tree, path, brake_.departures_from(is_free));
    auto number = watch_.add_by_path(tree, top, path, departures);
    if (number) brake_.expect(*number, path, is_free);
    if (!number) note_unwatched(number.error());
    return watch_.folders() > before;
  }

  // All that lies under a protected name and has to go, whatever was told of it. What the first
  // look fills is left to that one.
  void search(std::vector<Culprit>& culprits) {
    bool is_first = std::exchange(is_first_look_, false);
    for (size_t tree = 0; tree < in_.trees.size(); tree++) {
      files::Index copy;
      if (is_first) copy = in_.indexes[tree];
      search(tree, is_first ? copy : in_.indexes[tree], culprits);
    }
    is_first_look_ = is_first;
  }

  void search(size_t tree, files::Index& index, std::vector<Culprit>& culprits) {
    bool is_first = is_first_look_;
    auto goes_on = [&] {
      if (!is_first) return true;
      if (!culprits.empty()) handle(std::exchange(culprits, {}));
      return look_up();
    };
    auto result = files::scan(in_.trees[tree].folder.get(), in_.protected_names, in_.hidden_names,
                              index, {kLongestPath, goes_on});
    if (line_.has_ended()) return;
    vetter_.look_at_ways(tree, "", culprits);
    if (!result && is_first) return vetter_.note(tree, "", culprits);  // the rest is waited for
    if (!result) return vetter_.look(tree, "", culprits);              // opens up what stopped it
    may_have_new_folders_ = may_have_new_folders_ || result->read_again > 0;
    for (const files::Found& found : result->found) {
      if (!goes_on()) return;
      if (found.kind == files::Found::Kind::socket) sockets_.expect(tree, found.path);
      if (found.may_be_planted() && !guards_.is_kept(tree, found.path))
        vetter_.look(tree, found.path, culprits);
    }
  }

  void take_order() {
    auto order = line_.receive();
    if (!order) return;
    if (order->type == BrokerOrder::Type::sweep) return sweep_at_the_end();
    if (order->type != BrokerOrder::Type::try_acts) return;
    line_.say_tried(in_.try_acts());
  }

  void note_unwatched(const Error& error) {
    if (files::is_gone(error) || error.err == ENAMETOOLONG) return;
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
      staged_.work(culprits);
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
    news_.tell_made();
    taking_.tell_unseen(vetter_.take_trouble());
    culprits = guards_.without_kept(std::move(culprits));
    bool replaced = guards_.has_replaced_kept() || guards_.has_replaced_hidden();
    // Who keeps us behind must stand as well: we are blind as long as that lasts.
    if (culprits.empty() && !replaced && !vetter_.has_work() && !has_lost_) return;
    line_.ask_to_stop();
    // While they are being stopped.
    cover_hidden();
    taking_.take_all(culprits);
    line_.wait_until_all_stand();
    taking_.take_all(collect(true));
    cover_again();
    taking_.pause();
    taking_.take_all(collect(true));
    cover_again();
    let_go_on();
  }

  // Who found one of the host's may have moved it, or given it a second name: all of that is told,
  // and masked while everything stands.
  void look_at_sockets() {
    bool stops = sockets_.are_too_many() || sockets_.ask(line_, clock::monotonic());
    if (line_.wants_sweep()) return sweep_at_the_end();
    if (!stops) return;
    line_.stop_all();
    for (int i = 0; i < kMostRounds && stops && !line_.wants_sweep(); i++) {
      taking_.take_all(collect(true));
      cover_again();
      stops = sockets_.ask(line_, INT64_MAX) || sockets_.are_too_many();
    }
    let_go_on();
  }

  // Paused by the supervisor while it stands for us: nothing runs in between.
  void stop_deleting() {
    line_.stop_all();
    taking_.take_all(collect(true));
    cover_again();
    if (brake_.is_really_over()) line_.say(brake_.take_notice());
    let_go_on();
  }

  void let_go_on() {
    only_host_acts_ = false;
    line_.say({BrokerNotice::Type::thaw});
    taking_.tell();
    if (line_.wants_sweep()) sweep_at_the_end();
  }

  void cover_again() {
    cover_hidden();
    for (const Guards::Replaced& one : guards_.take_replaced_kept()) {
      Guards::Refreshed refreshed = guards_.refresh(one);
      if (refreshed.aside) taking_.take(*refreshed.aside, one.path);
      if (refreshed.is_changed) taking_.note(notice_of(BrokerNotice::Type::saved, one.path, ""));
      if (refreshed.trouble)
        taking_.note(notice_of(BrokerNotice::Type::stays, one.path, refreshed.trouble->text()));
      tell_apart(one.tree, one.path);
      vetter_.ways().add(in_.desk.local_ways());
      line_.ask_to_cover(one.path, one.hidden);
    }
    only_host_acts_ = true;  // what came before was heard
  }

  void cover_hidden() {
    for (const Guards::Replaced& one : guards_.take_replaced_hidden())
      line_.ask_to_cover(one.path, one.hidden);
  }

  void sweep_at_the_end() {
    taking_.take_all(collect(true));  // opens up what a search would pass over
    staged_.begin_last_look();
    std::vector<Culprit> culprits;
    search(culprits);
    vetter_.look_again(culprits);
    taking_.take_all(guards_.without_kept(std::move(culprits)));
    news_.tell_made();
    taking_.tell_unseen(vetter_.take_trouble());
    taking_.tell();
    news_.tell_in_the_end(staged_.staged());
    brake_.settle(INT64_MAX);
    if (brake_.is_really_over()) line_.say(brake_.take_notice());
    in_.desk.finish();
    if (!taking_.is_left()) in_.unswept.remove();  // else the next start looks again
    watch_.let_go();
    line_.say_last({BrokerNotice::Type::swept});
  }

  BrokerInputs in_;
  TreeWatch watch_;
  BrokerLine line_;
  Guards guards_;
  DeletionBrake brake_;
  NewSockets sockets_;
  StagedWatch staged_;
  Vetter vetter_;
  WrittenFiles written_;
  LateLinks late_links_;
  GitNews news_;
  size_t visited_ = 0;
  Flood flood_;
  Taking taking_;
  bool has_lost_ = false;        // not everything was told
  bool only_host_acts_ = false;  // all inside stand, and what they did was heard
  bool is_first_look_ = false, may_have_new_folders_ = false;
  bool unwatched_ = false, is_prepared_ = false;
  int64_t looked_up_ = 0;
  IdleThrift thrift_;
};

}  // namespace

void run_broker(BrokerInputs inputs) { Broker(std::move(inputs), TreeWatch::open()).run(); }

}  // namespace ringwall::broker
