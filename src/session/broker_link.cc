#include "session/broker_link.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "base/channel.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "base/path.h"
#include "broker/broker.h"
#include "broker/staged_watch.h"
#include "git/config_rules.h"
#include "git/named_files.h"
#include "git/worktree_settings.h"
#include "processes/helper_process.h"
#include "sandbox/helper_walls.h"
#include "sandbox/other_processor.h"

namespace ringwall::session {
namespace {

constexpr size_t kMostIndexes = 64;  // that are held open

std::set<std::string> covered_files(const prepare::GuardedFiles& guarded) {
  std::set<std::string> covered(guarded.hidden.begin(), guarded.hidden.end());
  covered.insert(guarded.denied.begin(), guarded.denied.end());
  return covered;
}

std::vector<std::string> trees_of(const prepare::GuardedFiles& guarded, bool writable) {
  std::vector<std::string> paths;
  for (const prepare::GuardedTree& tree : guarded.trees) {
    if (tree.writable == writable) paths.push_back(tree.path);
  }
  return paths;
}

bool is_of_worktree(const std::string& config) {
  return path::basename(config) == git::kWorktreeConfig;
}

// Anybody may have written it: who parses it is walled.
std::string text_of_modules(const std::string& top) {
  auto file =
      file::open(path::join(top, ".gitmodules"), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  auto text = file ? git::read_wanted_config(file->get()) : std::unexpected(file.error());
  return text.value_or("");
}

// As .gitmodules says, which git submodule init copies into the config.
std::set<std::string> addresses_of_submodules(std::string_view modules) {
  std::set<std::string> all;
  auto parsed = git::parse_git_config(modules);
  if (!parsed) return all;
  for (const git::GitConfig::Entry& entry : parsed->entries) {
    if (entry.value && git::is_address(git::split_key(entry.key))) all.insert(*entry.value);
  }
  return all;
}

// Configs of git that the broker may change for the inside.
Result<git::GitConfigDesk> open_desk(const BrokerRequest& request, int hand,
                                     const BrokerGround& ground) {
  if (hand < 0) return git::GitConfigDesk();
  TRY_ASSIGN(Fd journals, file::open(request.journals, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  TRY_ASSIGN(Fd remotes, file::open(request.remotes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  std::vector<git::ProtectedGitConfig> configs;
  for (size_t i = 0; i < request.guarded.git_configs.size(); i++) {
    const std::string& path = request.guarded.git_configs[i];
    TRY_ASSIGN(Fd config, file::open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    git::GitScene scene{.place = {path::parent(path), ground.writable, ground.only_read},
                        .branches = ground.branches[i],
                        .start = ground.start,
                        .other_names = ground.other_names[i],
                        .named_elsewhere = ground.named,
                        .is_of_worktree = is_of_worktree(path),
                        .listed = addresses_of_submodules(ground.modules[i])};
    TRY_ASSIGN(auto made, git::ProtectedGitConfig::open(
                              std::move(config), path,
                              {journals.get(), request.run_name + "." + state::name_for_path(path)},
                              std::move(scene), {remotes.get(), state::name_for_path(path)}));
    configs.push_back(std::move(made));
  }
  return git::GitConfigDesk(Fd(hand), std::move(configs), std::move(journals), std::move(remotes));
}

Result<broker::UnsweptList> note_guarded(const BrokerRequest& request) {
  TRY_ASSIGN(Fd folder, file::open(request.unswept, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  broker::GuardList list{request.run_name, {}, request.guarded.kept, request.guarded.links};
  for (const prepare::GuardedTree& tree : request.guarded.trees) {
    if (tree.writable) list.trees.push_back(tree.path);
  }
  return broker::UnsweptList::write(folder.get(), list);
}

// In the broker.
void work(const BrokerRequest& request, const BrokerGround& ground, std::span<const int> kept) {
  int channel = kept[0], hand = kept[1];
  std::span<const int> folders = kept.subspan(2);
  std::span<const int> opened = folders.subspan(ground.folders.size());
  broker::BrokerInputs inputs{.channel = channel,
                              .only_read = ground.only_read,
                              .protected_names = request.guarded.protected_names,
                              .hidden_names = request.guarded.hidden_names,
                              .links = request.links,
                              .run_name = request.run_name,
                              .kept = request.guarded.kept,
                              .hidden = covered_files(request.guarded),
                              .ways = ground.ways,
                              .start = ground.start,
                              .stamped = ground.stamped,
                              .deletions = request.deletions,
                              .try_acts = sandbox::try_forbidden_acts};
  inputs.links.known = request.guarded.links;
  auto quarantine = broker::Quarantine::open(request.quarantine);
  if (!quarantine) return;
  inputs.quarantine.emplace(std::move(*quarantine));
  auto desk = open_desk(request, hand, ground);
  if (!desk) return;
  inputs.desk = std::move(*desk);
  auto unswept = note_guarded(request);
  if (!unswept) return;
  inputs.unswept = std::move(*unswept);
  for (const prepare::GuardedTree& tree : request.guarded.trees) {
    if (!tree.writable) continue;
    inputs.trees.push_back({Fd(folders[inputs.trees.size()]), tree.path});
    inputs.indexes.push_back(tree.index);
  }
  for (size_t i = 0; i < opened.size(); i++)
    inputs.start_indexes.push_back({ground.indexes[i].tree, ground.indexes[i].path, Fd(opened[i])});
  broker::run_broker(std::move(inputs));
}

}  // namespace

BrokerLink::BrokerLink(BrokerLink&& other) noexcept
    : channel_(std::move(other.channel_)),
      pid_(std::exchange(other.pid_, -1)),
      deletions_(other.deletions_) {}

BrokerLink& BrokerLink::operator=(BrokerLink&& other) noexcept {
  std::swap(channel_, other.channel_);
  std::swap(pid_, other.pid_);
  std::swap(deletions_, other.deletions_);
  return *this;
}

BrokerLink::~BrokerLink() { end(); }

Result<BrokerGround> look_at_ground(const prepare::GuardedFiles& guarded, const std::string& home) {
  BrokerGround ground{.writable = trees_of(guarded, true), .only_read = trees_of(guarded, false)};
  timespec now;
  // As the kernel takes the times of files: none of what comes later lies before it.
  if (clock_gettime(CLOCK_REALTIME_COARSE, &now) == 0)
    ground.start = now.tv_sec * 1'000'000'000 + now.tv_nsec;
  if (!guarded.git_configs.empty())
    ground.named = git::remotes_named_for_all(home, git::git_settings_elsewhere());
  for (const std::string& path : ground.writable) {
    TRY_ASSIGN(Fd folder, file::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    ground.stamped.push_back(broker::stamps_files(folder.get()));
    ground.folders.push_back(std::move(folder));
  }
  for (const std::string& config : guarded.git_configs) {
    ground.branches.emplace_back();
    ground.other_names.emplace_back();
    ground.modules.emplace_back();
    ground.ways.begin(git::ways_of_config(config, ground.writable, ground.only_read));
    if (is_of_worktree(config)) continue;  // beside the repository's own
    auto folder = file::open(path::parent(config), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (folder) ground.branches.back() = git::read_branches(folder->get());
    if (const auto& branches = ground.branches.back())
      ground.other_names.back() = git::find_other_names(folder->get(), *branches, ground.start);
    ground.modules.back() = text_of_modules(path::parent(path::parent(config)));
    bool may_hold_more = ground.indexes.size() < kMostIndexes;
    auto index = may_hold_more ? broker::open_start_index(ground.writable, path::parent(config))
                               : std::nullopt;
    if (index) ground.indexes.push_back(std::move(*index));
  }
  return ground;
}

Result<BrokerLink> BrokerLink::start(const BrokerRequest& request, const BrokerGround& ground) {
  // So that the broker has a folder to be walled into.
  TRY(file::make_dirs(request.quarantine));
  TRY(file::make_dirs(request.unswept));
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  std::vector<std::string> folders = {request.quarantine, request.unswept};
  if (request.hand >= 0) {
    TRY(file::make_dirs(request.journals));
    folders.push_back(request.journals);
    TRY(file::make_dirs(request.remotes));
    folders.push_back(request.remotes);
  }
  std::vector<int> kept = {pair.theirs.get(), request.hand};
  for (const Fd& folder : ground.folders) {
    kept.push_back(folder.get());
    folders.push_back("/proc/self/fd/" + std::to_string(folder.get()));
  }
  for (const broker::StartIndex& index : ground.indexes)
    kept.push_back(index.file.get());
  BrokerLink link;
  link.deletions_ = request.deletions;
  processes::HelperRequest helper{"ringwall-broker", request.start_area, std::move(kept),
                                  sandbox::Helper::broker, std::move(folders)};
  helper.takes_long_turns = true;  // until it watches
  TRY_ASSIGN(link.pid_,
             processes::start_helper(std::move(helper), [&](std::span<const int> theirs) {
               work(request, ground, theirs);
               _exit(0);
             }));
  sandbox::move_to_own_processor(link.pid_);
  link.channel_ = std::move(pair.ours);
  return link;
}

Status BrokerLink::order(broker::BrokerOrder::Type type) {
  return channel::send(channel_.get(), fixed::bytes_of(broker::BrokerOrder{type}), {},
                       MSG_DONTWAIT);
}

Result<BrokerLink::Heard> BrokerLink::receive() {
  TRY_ASSIGN(channel::Message message, channel::receive(channel_.get()));
  if (message.bytes.empty()) return fail("the broker is gone");
  TRY_ASSIGN(broker::BrokerNotice notice, broker::parse_broker_notice(message.bytes));
  return Heard{notice, std::move(message.fds)};
}

void BrokerLink::end() {
  channel_.close();
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(std::exchange(pid_, -1), nullptr, 0);
}

}  // namespace ringwall::session
