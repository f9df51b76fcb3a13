#include "files/broker.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "base/channel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "files/fresh_copy.h"
#include "files/scan.h"
#include "files/tree_watch.h"

namespace ringwall::files {
namespace {

constexpr int kShortRun = 4, kIdle = 300;   // milliseconds
constexpr int kFreezePatience = 100;        // milliseconds
constexpr int64_t kFirstPause = 1'000'000;  // nanoseconds
constexpr int64_t kLongestPause = 1'000'000'000;
constexpr int64_t kForgiveAfter = 10'000'000'000;  // without a plant
constexpr int kMostLongPauses = 3;

template <size_t size>
void put(char (&field)[size], std::string_view text) {
  snprintf(field, size, "%.*s", static_cast<int>(std::min(text.size(), size - 1)), text.data());
}

bool is_gone(const Error& error) {
  return error.err == ENOENT || error.err == ENOTDIR || error.err == ELOOP;
}

bool wants_changes(const std::string& path) {
  return ("/" + path + "/").find("/.git/") != std::string::npos;
}

class Broker {
 public:
  Broker(BrokerInputs inputs, TreeWatch watch)
      : in_(std::move(inputs)),
        watch_(std::move(watch)),
        vetter_(in_.protected_names, in_.trees,
                [this](size_t tree, int folder, const std::string& path) {
                  add_watch(tree, folder, path);
                }) {}

  void run() {
    // The kernel takes long to let go of watches: a command that is over at once has none.
    if (!has_order(kShortRun)) watch_all();
    say({BrokerNotice::Type::watches, static_cast<int32_t>(watch_.folders())});
    // What came between the search and the watches.
    handle(search());
    while (!ended_)
      step();
  }

 private:
  void step() {
    pollfd waits[] = {
        {in_.channel, POLLIN, 0}, {watch_.fd(), POLLIN, 0}, {in_.desk.fd(), POLLIN, 0}};
    int ready = poll(waits, 3, is_prepared_ ? -1 : kIdle);
    ended_ = ended_ || (ready < 0 && errno != EINTR);
    if (ready < 0) return;
    if (ready == 0) in_.quarantine->prepare();
    is_prepared_ = ready == 0;
    if (waits[1].revents != 0) handle(collect());
    if (waits[0].revents != 0) take_order();
    // Last: what was planted is more urgent than what was asked for.
    if (waits[2].revents != 0) in_.desk.take_ask();
  }

  void watch_all() {
    for (size_t tree = 0; tree < in_.trees.size() && !unwatched_; tree++) {
      in_.indexes[tree].visit_folders([&](std::string_view path, const IndexedFolder&) {
        if (holds_only_data(path)) return true;
        std::string name(path);
        int top = in_.trees[tree].folder.get();
        Status added = watch_.add_by_path(tree, top, name, wants_changes(name));
        if (!added && !is_gone(added.error())) tell_unwatched(added.error().err);
        // A command that is over at once does not wait for the rest.
        return ++visited_ % 256 != 0 || !has_order();
      });
    }
  }

  bool has_order(int patience = 0) const {
    pollfd waits{in_.channel, POLLIN, 0};
    return poll(&waits, 1, patience) > 0;
  }

  // All that lies under a protected name and has to go, whatever was told of it.
  std::vector<Culprit> search() {
    std::vector<Culprit> culprits;
    for (size_t tree = 0; tree < in_.trees.size(); tree++) {
      auto result = scan(in_.trees[tree].folder.get(), in_.protected_names, in_.hidden_names,
                         in_.indexes[tree]);
      if (!result) vetter_.look(tree, "", culprits);  // opens up what stopped it
      if (!result) continue;
      for (const Found& found : result->found) {
        bool is_guarded =
            found.kind == Found::Kind::protected_path || found.kind == Found::Kind::git_folder;
        if (is_guarded && !is_kept(tree, found.path)) vetter_.look(tree, found.path, culprits);
      }
    }
    return culprits;
  }

  // By itself, or with a folder above it.
  bool is_kept(size_t tree, const std::string& path) const {
    std::string at = path::join(in_.trees[tree].path, path);
    for (; at.size() > in_.trees[tree].path.size(); at = path::parent(at)) {
      if (in_.kept.contains(at)) return true;
    }
    return false;
  }

  void take_order() {
    auto order = receive();
    if (!order) return;
    if (order->type == BrokerOrder::Type::sweep) return sweep_at_the_end();
    if (order->type != BrokerOrder::Type::try_acts) return;
    for (const BrokerAct& act : in_.try_acts()) {
      BrokerNotice notice{BrokerNotice::Type::act, act.err};
      put(notice.text, act.name);
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
    return order;
  }

  void say(const BrokerNotice& notice) {
    if (!channel::send(in_.channel, bytes_of(notice))) ended_ = true;
  }

  void add_watch(size_t tree, int folder, const std::string& path) {
    bool has_git_file = vetter_.passed().contains({tree, path.empty() ? ".git" : path + "/.git"});
    Status added = watch_.add(tree, folder, path, has_git_file || wants_changes(path));
    if (!added) tell_unwatched(added.error().err);
  }

  void tell_unwatched(int err) {
    if (!std::exchange(unwatched_, true)) say({BrokerNotice::Type::unwatched, err});
  }
  // What has appeared since the last look and has to go.
  std::vector<Culprit> collect() {
    std::vector<Culprit> culprits;
    auto batch = watch_.read();
    if (!batch || batch->lost) culprits = search();
    if (batch) {
      for (const Appeared& one : batch->appeared) {
        note_replaced(one);
        if (one.how == Appeared::How::went || !vetter_.may_matter(one.path, one.is_folder))
          continue;
        vetter_.look(one.tree, one.path, culprits);
      }
    }
    return without_kept(std::move(culprits));
  }

  std::vector<Culprit> without_kept(std::vector<Culprit> culprits) const {
    std::erase_if(culprits,
                  [&](const Culprit& culprit) { return is_kept(culprit.tree, culprit.path); });
    return culprits;
  }

  // Nobody inside can move a guarded path: whoever did is outside.
  void note_replaced(const Appeared& one) {
    if (one.how == Appeared::How::written) return;
    std::string whole = path::join(in_.trees[one.tree].path, one.path);
    for (std::set<std::string>* guarded : {&in_.kept, &in_.hidden}) {
      // It, or what lies in it.
      for (auto at = guarded->lower_bound(whole);
           at != guarded->end() && path::is_beneath(*at, whole);) {
        bool is_gone_for_good = one.how == Appeared::How::went && guarded == &in_.kept;
        if (one.how == Appeared::How::came) replaced_.insert({*at, one.tree});
        // What comes there later is a plant, whoever brings it.
        at = is_gone_for_good ? guarded->erase(at) : std::next(at);
      }
    }
  }

  void handle(std::vector<Culprit> culprits) {
    culprits = without_kept(std::move(culprits));
    if (culprits.empty() && !has_replaced()) return;
    say({BrokerNotice::Type::freeze});
    wait_for(BrokerOrder::Type::frozen);
    bool planted = !culprits.empty();
    take_all(culprits);
    take_all(collect());
    cover_again();
    if (planted) pause();
    take_all(collect());
    cover_again();
    say({BrokerNotice::Type::thaw});
    for (BrokerNotice& notice : std::exchange(planted_, {}))
      say(notice);
    if (long_pauses_ >= kMostLongPauses) say({BrokerNotice::Type::persists});
    if (wants_sweep_) sweep_at_the_end();
  }

  // Our own fresh copies are told of as well.
  bool has_replaced() {
    std::erase_if(replaced_, [&](const auto& one) {
      struct stat facts;
      auto fresh = fresh_.find(one.first);
      return fresh != fresh_.end() && lstat_in(one.second, one.first, facts) &&
             facts.st_ino == fresh->second;
    });
    return !replaced_.empty();
  }

  bool lstat_in(size_t tree, const std::string& whole, struct stat& facts) const {
    auto parent = open_parent(tree, relative_to(tree, whole));
    return parent && fstatat(parent->get(), std::string(path::basename(whole)).c_str(), &facts,
                             AT_SYMLINK_NOFOLLOW) == 0;
  }

  std::string relative_to(size_t tree, const std::string& whole) const {
    return whole.substr(in_.trees[tree].path.size() + 1);
  }

  void cover_again() {
    if (!has_replaced()) return;
    for (const auto& [whole, tree] : std::exchange(replaced_, {})) {
      bool hidden = in_.hidden.contains(whole);
      if (!hidden && !in_.kept.contains(whole)) continue;
      if (!hidden) refresh(tree, whole);
      BrokerNotice notice{BrokerNotice::Type::replaced, hidden ? 1 : 0};
      put(notice.path, whole);
      say(notice);
      wait_for(BrokerOrder::Type::renewed);
    }
  }

  void refresh(size_t tree, const std::string& whole) {
    auto parent = open_parent(tree, relative_to(tree, whole));
    if (!parent) return;
    std::string name(path::basename(whole));
    if (ProtectedGitConfig* config = in_.desk.find(whole))
      return refresh_config(tree, whole, parent->get(), *config);
    auto fresh = put_fresh_copy(parent->get(), name);
    if (fresh) fresh_[whole] = *fresh;
    struct stat facts;
    bool is_file = lstat_in(tree, whole, facts) && S_ISREG(facts.st_mode);
    if (!fresh && is_file) tell_stays(whole, fresh.error());
  }

  void tell_stays(const std::string& whole, const Error& error) {
    BrokerNotice notice{BrokerNotice::Type::stays};
    put(notice.path, whole);
    put(notice.text, error.text());
    planted_.push_back(notice);
  }

  // One that could now run something goes back to what it was: who wrote it is not known.
  void refresh_config(size_t tree, const std::string& whole, int parent,
                      ProtectedGitConfig& config) {
    std::string name(path::basename(whole));
    auto opened = file::open_beneath(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    auto text = opened ? read_wanted_config(opened->get()) : std::unexpected(opened.error());
    bool harmless = text && is_harmless_change(config.last_text(), *text);
    std::string aside = make_aside_name();
    // The changed one is kept as if it had been planted.
    bool is_aside = !harmless && linkat(parent, name.c_str(), parent, aside.c_str(), 0) == 0;
    auto fresh = put_fresh_copy(parent, name, harmless ? &*text : &config.last_text());
    if (is_aside) {
      take({tree, relative_to(tree, path::join(path::parent(whole), aside)), "GIT/config",
            "it was changed while the run could write it, and would run something"},
           whole);
    }
    if (!fresh) return tell_stays(whole, fresh.error());
    fresh_[whole] = *fresh;
    // A host program may have put the next one there already, which is told of.
    auto now = file::open_beneath(parent, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    struct stat facts;
    if (now && fstat(now->get(), &facts) == 0 && facts.st_ino == *fresh)
      (void)config.replaced(std::move(*now));
  }

  static bool is_harmless_change(const std::string& before, const std::string& after) {
    auto last = parse_git_config(before), now = parse_git_config(after);
    return last && now && judge_git_config(*last, *last, *now).has_value();
  }

  Result<Fd> open_parent(size_t tree, const std::string& path) const {
    size_t slash = path.rfind('/');
    std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
    // A folder that is closed to us can hold a file that others reach by its name.
    constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    return file::open_beneath(in_.trees[tree].folder.get(), folder, kFlags);
  }

  void wait_for(BrokerOrder::Type wanted) {
    int64_t deadline = clock::monotonic() + int64_t{kFreezePatience} * 1'000'000;
    while (!ended_) {
      int64_t left = (deadline - clock::monotonic()) / 1'000'000;
      // Who waits for an answer of ours cannot stand still before it has come.
      pollfd waits[] = {{in_.channel, POLLIN, 0}, {in_.desk.fd(), POLLIN, 0}};
      if (left <= 0 || poll(waits, 2, static_cast<int>(left)) <= 0) return;
      if (waits[1].revents != 0) in_.desk.take_ask();
      if (waits[0].revents == 0) continue;
      auto order = receive();
      if (order && order->type == wanted) return;
      if (order && order->type == BrokerOrder::Type::sweep) wants_sweep_ = true;
    }
  }

  // Whoever plants again and again waits longer each time.
  void pause() {
    int64_t now = clock::monotonic();
    if (now - last_plant_ > kForgiveAfter) pause_ = kFirstPause;
    timespec time{pause_ / 1'000'000'000, pause_ % 1'000'000'000};
    nanosleep(&time, nullptr);
    if (pause_ >= kLongestPause) long_pauses_++;
    pause_ = std::min(pause_ * 2, kLongestPause);
    last_plant_ = clock::monotonic();
  }

  void take_all(const std::vector<Culprit>& culprits) {
    for (const Culprit& culprit : culprits)
      take(culprit);
  }

  void take(const Culprit& culprit) {
    take(culprit, path::join(in_.trees[culprit.tree].path, culprit.path));
  }

  void take(const Culprit& culprit, const std::string& whole) {
    auto parent = open_parent(culprit.tree, culprit.path);
    if (!parent && is_gone(parent.error())) return;  // told of again where it comes up
    auto taken = parent ? in_.quarantine->take(parent->get(), path::basename(culprit.path),
                                               {whole, in_.run_name}, {culprit.rule, culprit.why})
                        : std::unexpected(parent.error());
    if (taken && taken->outcome == Taken::Outcome::gone) return;
    BrokerNotice notice{taken ? BrokerNotice::Type::planted : BrokerNotice::Type::stays};
    put(notice.path, whole);
    put(notice.rule, culprit.rule);
    put(notice.text, taken ? culprit.why : taken.error().text());
    if (taken) put(notice.item, taken->item);
    planted_.push_back(notice);
  }

  void sweep_at_the_end() {
    take_all(collect());  // opens up what a search would pass over
    std::vector<Culprit> culprits = search();
    auto passed = vetter_.passed();
    for (const auto& [tree, path] : passed)
      vetter_.look(tree, path, culprits);
    take_all(without_kept(std::move(culprits)));
    for (BrokerNotice& notice : std::exchange(planted_, {}))
      say(notice);
    in_.desk.finish();
    say({BrokerNotice::Type::swept});
    ended_ = true;
  }

  BrokerInputs in_;
  TreeWatch watch_;
  Vetter vetter_;
  size_t visited_ = 0;
  std::vector<BrokerNotice> planted_;
  std::map<std::string, size_t> replaced_;  // guarded paths, and their trees
  std::map<std::string, ino_t> fresh_;      // copies that we have put there
  int64_t pause_ = kFirstPause;
  int64_t last_plant_ = 0;
  int long_pauses_ = 0;
  bool unwatched_ = false;
  bool is_prepared_ = false;
  bool wants_sweep_ = false;
  bool ended_ = false;
};

}  // namespace

void run_broker(BrokerInputs inputs) {
  auto watch = TreeWatch::open();
  if (!watch) return;
  Broker(std::move(inputs), std::move(*watch)).run();
}

}  // namespace ringwall::files
