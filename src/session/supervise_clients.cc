#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <span>

#include "base/text.h"
#include "sandbox/descriptors.h"
#include "sandbox/wall.h"
#include "session/supervisor.h"

namespace ringwall::session {

using sandbox::kMainCommand;
using sandbox::MessageType;
using sandbox::Notice;

namespace {

constexpr size_t kSpawnDescriptors = 4;   // payload, 0, 1, 2
constexpr size_t kViewerDescriptors = 2;  // its socket, where its output goes
constexpr size_t kAttachDescriptors = 3;  // and where messages go
constexpr size_t kMostClients = 200;

bool has_no_name(int socket, decltype(getsockname)* ask) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  return ask(socket, reinterpret_cast<sockaddr*>(&address), &length) == 0 &&
         address.ss_family == AF_UNIX && length == sizeof(sa_family_t);
}

// What a client's relay of a socket hands to the inside: a pair has no name, can be dialled nowhere
// else, and its other end is the client's.
bool is_end_of_a_pair(int socket) {
  int type = 0;
  socklen_t length = sizeof type;
  return getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM &&
         has_no_name(socket, getsockname) && has_no_name(socket, getpeername);
}

}  // namespace

void Supervisor::accept_client() {
  auto client = state::accept_control(run_.control.get());
  if (!client) return;
  clients_.push_back({std::move(*client)});
  if (clients_.size() <= kMostClients) return;
  // Descriptors are few. Who has waited longest without anything to lose makes room.
  auto idle = std::ranges::find_if(clients_, [](const Client& one) {
    return !one.is_front_end && one.viewer == 0 && one.spawned == 0 && !one.awaits_end;
  });
  drop_client(static_cast<size_t>(idle - clients_.begin()));
}

Client* Supervisor::front_end() {
  auto found = std::ranges::find_if(clients_, &Client::is_front_end);
  return found == clients_.end() ? nullptr : &*found;
}

// A client that does not listen is dropped at its hang-up, and holds up nobody until then.
void Supervisor::answer(Client& client, const state::ControlMessage& message,
                        std::span<const int> fds) {
  (void)channel::send(client.connection.get(),
                      {reinterpret_cast<const char*>(&message), sizeof message}, fds, MSG_DONTWAIT);
}

void Supervisor::refuse(Client& client, std::string_view why) {
  state::ControlMessage refusal{state::ControlType::refused};
  snprintf(refusal.text, sizeof refusal.text, "%.*s", static_cast<int>(why.size()), why.data());
  answer(client, refusal);
}

void Supervisor::take_request(size_t index) {
  Client& client = clients_[index];
  auto message = channel::receive(client.connection.get(), MSG_DONTWAIT);
  auto request = message && !message->bytes.empty() ? state::parse_control(message->bytes)
                                                    : std::unexpected(Error{"gone"});
  if (!request || !serve(client, *request, *message)) drop_client(index);
}

// False if the request makes no sense from this client.
bool Supervisor::serve(Client& client, const state::ControlMessage& request,
                       channel::Message& message) {
  switch (request.type) {
    case state::ControlType::describe:
      describe(client);
      return true;
    case state::ControlType::spawn:
      if (client.spawned != 0 || client.viewer != 0) return false;
      spawn(client, request, message);
      return true;
    case state::ControlType::signal:
      if (client.spawned != 0) {
        tell({MessageType::signal, client.spawned, request.value});
      } else if (client.is_front_end) {
        forward(request.value);
      }
      return client.spawned != 0 || client.is_front_end;
    case state::ControlType::attach:
      if (client.spawned != 0 || client.viewer != 0) return false;
      attach(client, request, message.fds);
      return true;
    case state::ControlType::detach:
      client.is_front_end = false;
      changes_++;
      return true;
    case state::ControlType::resume:
      if (client.is_front_end) tell({MessageType::resume, kMainCommand, request.value});
      return client.is_front_end || client.spawned != 0;
    case state::ControlType::pause:
      if (request.value == 0 && frozen_by_risk_) {
        refuse(client, why_it_stands());
        return true;
      }
      answer(client,
             {state::ControlType::done, paused_ == (request.value != 0) ? state::kUnchanged : 0});
      if (paused_ != (request.value != 0))
        note_control(client, request.value != 0 ? "pause" : "resume");
      was_paused_ = request.value != 0;
      pause(request.value != 0);
      return true;
    case state::ControlType::try_acts:
      acts_asked_by_ = static_cast<uint32_t>(&client - clients_.data()) + 1;
      acts_awaited_ = 0;
      if (run_.relay.is_running() && run_.relay.try_acts()) acts_awaited_++;
      if (run_.broker.is_running() && run_.broker.order(broker::BrokerOrder::Type::try_acts))
        acts_awaited_++;
      if (run_.keeper.is_running() && run_.keeper.order(undo::KeeperOrder::Type::try_acts))
        acts_awaited_++;
      if (run_.hand.is_running() && run_.hand.try_acts()) acts_awaited_++;
      if (run_.exec_stop.is_running() && run_.exec_stop.try_acts()) acts_awaited_++;
      if (run_.network.desk) acts_awaited_ += run_.network.desk->try_acts();
      if (run_.network.keys && run_.network.keys->try_acts()) acts_awaited_++;
      if (acts_awaited_ == 0) refuse(client, "the run has no helpers");
      return true;
    default:
      return serve_control(client, request);
  }
}

// What a helper says of its walls, for who asked; `done` when the last one has said all.
void Supervisor::answer_act(std::string_view helper, std::string_view act, int err, bool done) {
  if (acts_asked_by_ == 0 || acts_asked_by_ > clients_.size()) return;
  if (done && --acts_awaited_ > 0) return;
  state::ControlMessage message{done ? state::ControlType::done : state::ControlType::act, err};
  std::string text = std::string(helper) + ": " + std::string(act);
  snprintf(message.text, sizeof message.text, "%s", text.c_str());
  answer(clients_[acts_asked_by_ - 1], message);
}

// Whoever asked for a process and leaves takes it along, and so does a front end with the run.
void Supervisor::drop_client(size_t index) {
  Client gone = std::move(clients_[index]);
  clients_.erase(clients_.begin() + static_cast<ptrdiff_t>(index));
  if (acts_asked_by_ == index + 1) acts_asked_by_ = 0;
  if (acts_asked_by_ > index + 1) acts_asked_by_--;
  if (gone.spawned != 0) tell({MessageType::leave, gone.spawned});
  if (gone.is_front_end) forward(SIGHUP);
  if (gone.is_front_end) changes_++;
}

void Supervisor::describe(Client& client) {
  boost::json::object description = run_.description;
  describe_control(description);
  description["paused"] = paused_;
  description["terminal"] = !has_terminal_ ? "none" : front_end() ? "attached" : "detached";
  auto file = channel::memory_file(text::harmless_json(boost::json::serialize(description)));
  if (!file) return;
  int fds[] = {file->get()};
  answer(client, {state::ControlType::described}, fds);
}

void Supervisor::attach(Client& client, const state::ControlMessage& request,
                        std::vector<Fd>& fds) {
  auto mode = static_cast<state::AttachMode>(request.value);
  if (fds.size() != kAttachDescriptors) return refuse(client, "an attach needs three descriptors");
  if (!has_terminal_) {
    return refuse(client,
                  "it has no terminal: its input and output went elsewhere when it was started");
  }
  bool interactive = mode != state::AttachMode::watch;
  if (Client* other = interactive ? front_end() : nullptr) {
    if (mode != state::AttachMode::take_over)
      return refuse(client, "somebody is attached already; --watch looks on, --take takes over");
    other->is_front_end = false;
    (void)run_.relay.drop_viewer(kMainCommand, other->viewer);
    answer(*other, {state::ControlType::replaced});
  }
  client.viewer = next_viewer_++;
  client.is_front_end = interactive;
  changes_++;
  if (!run_.relay.add_viewer({kMainCommand, client.viewer, interactive, request.eight_bit == 0,
                              request.size, fds[0].get(), fds[1].get()})) {
    return refuse(client, "the relay does not answer");
  }
  // Whoever had it may have suspended it, and cannot let it go on any more.
  if (interactive) tell({MessageType::resume, kMainCommand, 1});
  if (run_.listeners != nullptr) run_.listeners->add(std::move(fds[2]));
  state::ControlMessage attached{state::ControlType::attached, paused_ ? state::kPaused : 0};
  snprintf(attached.text, sizeof attached.text, "%s", paused_ ? paused_by_.c_str() : "");
  answer(client, attached);
}

std::optional<std::string> Supervisor::judge_spawn(const state::ControlMessage& request,
                                                   const channel::Message& message) const {
  bool with_terminal = request.size != terminal::Size{};
  size_t expected = kSpawnDescriptors + (with_terminal ? kViewerDescriptors : 0);
  if (message.fds.size() != expected) return "a spawn request came with the wrong descriptors";
  for (int i = 0; i < 3; i++) {
    if (sandbox::is_taken_away(sandbox::Wall::descriptors)) break;
    // Whatever the client has open is judged as our own descriptors were.
    auto kind =
        sandbox::judge_descriptor(message.fds[static_cast<size_t>(i) + 1].get(), i, run_.landlock);
    if (!kind) return kind.error().what;
    int fd = message.fds[static_cast<size_t>(i) + 1].get();
    if (*kind == sandbox::Descriptor::socket && !is_end_of_a_pair(fd))
      return "a socket cannot be handed to a process inside";
    if (*kind == sandbox::Descriptor::terminal)
      return "a terminal cannot be handed to a process inside";
  }
  return std::nullopt;
}

// What `run` has the exec stop started for; it cannot be started any more.
bool Supervisor::brings_file(const channel::Message& message) const {
  if (!run_.bars_files) return false;
  return std::ranges::any_of(std::span(message.fds).subspan(1, 3), [](const Fd& fd) {
    struct stat facts;
    return fstat(fd.get(), &facts) != 0 || S_ISREG(facts.st_mode);
  });
}

void Supervisor::spawn(Client& client, const state::ControlMessage& request,
                       channel::Message& message) {
  // It would run while everybody is told that nothing does, and past the limit that was reached.
  if (paused_) return refuse(client, "nothing can be started in it now: " + why_it_stands());
  if (auto why = judge_spawn(request, message)) return refuse(client, *why);
  bool is_probe = false;
  if (auto payload = channel::read_memory_file(message.fds[0].get(), sandbox::kMostSpawnBytes)) {
    if (auto wanted = sandbox::decode_spawn_request(*payload)) {
      is_probe = !wanted->builtin.empty();
      note_control(client, is_probe ? "probe" : "exec", wanted->arguments);
    }
  }
  if (!is_probe && brings_file(message))
    return refuse(client,
                  "in mode allow code in a file of the host could be run from: hand it over by a "
                  "pipe (cat FILE | ringwall exec … | cat)");
  client.spawned = next_id_++;
  if (is_probe) probes_.insert(client.spawned);
  if (is_probe) trial_ends_ = 0;
  if (message.fds.size() > kSpawnDescriptors) {
    client.viewer_socket = std::move(message.fds[kSpawnDescriptors]);
    client.viewer_output = std::move(message.fds[kSpawnDescriptors + 1]);
    client.size = request.size;
    client.utf8 = request.eight_bit == 0;
    if (!run_.relay.is_running()) {
      auto relay = RelayLink::start(run_.start_area);
      if (!relay || !relay->wait_until_ready()) {
        end_probe(std::exchange(client.spawned, 0));
        return refuse(client, "the relay of the terminal cannot be started");
      }
      run_.relay = std::move(*relay);
    }
  }
  int fds[] = {message.fds[0].get(), message.fds[1].get(), message.fds[2].get(),
               message.fds[3].get()};
  tell({MessageType::spawn, client.spawned}, fds);
}

// Pid 1 has made the terminal that a client asked for.
void Supervisor::give_terminal(uint32_t id, std::vector<Fd>& fds) {
  auto client = std::ranges::find(clients_, id, &Client::spawned);
  if (client == clients_.end() || fds.size() != 1 || !client->viewer_socket) return;
  client->viewer = next_viewer_++;
  client->has_terminal = true;
  RelayedTerminalRequest request = run_.terminals;
  request.id = id;
  request.size = client->size;
  request.utf8 = client->utf8;
  request.awaits_viewer = true;
  Status added = run_.relay.add_terminal(request, fds[0].get());
  if (added) {
    (void)run_.relay.add_viewer({id, client->viewer, true, client->utf8, client->size,
                                 client->viewer_socket.get(), client->viewer_output.get()});
  }
  client->viewer_socket.close();
  client->viewer_output.close();
}

void Supervisor::answer_spawner(const Notice& notice) {
  if (notice.type == MessageType::cannot_run || notice.type == MessageType::exited)
    end_probe(notice.id);
  auto client = std::ranges::find(clients_, notice.id, &Client::spawned);
  if (client == clients_.end()) return;
  if (notice.type == MessageType::cannot_run)
    return answer(*client, {state::ControlType::cannot_run, notice.value});
  if (notice.type != MessageType::exited) return;
  client->finished = notice.value;
  // Its last output first.
  if (client->has_terminal && run_.relay.end_terminal(notice.id)) return;
  finish_spawner(notice.id);
}

void Supervisor::finish_spawner(uint32_t id) {
  auto client = std::ranges::find(clients_, id, &Client::spawned);
  if (id == kMainCommand || client == clients_.end() || !client->finished) return;
  answer(*client, {state::ControlType::finished, *client->finished});
  client->spawned = 0;
}

std::string Supervisor::why_it_stands() const {
  if (!frozen_by_risk_) return "the run is paused; let it go on: ringwall resume " + run_.run_name;
  return "the run is isolated by its risk: ringwall risk lower " + run_.run_name +
         " --reason … lets it go on";
}

void Supervisor::hold_up(const events::LimitReached& limit) {
  paused_by_ = limit.what + " (" + limit.flag + ")";
  was_paused_ = true;
  pause(true);
}

// Who was told to end could not while it stands, by whatever keeps it.
void Supervisor::wake_to_end() {
  if (paused_) pause(false);
  tell({MessageType::pause, kMainCommand, 0});
  tell({MessageType::signal, kMainCommand, SIGCONT});
}

void Supervisor::pause(bool paused) {
  if (paused_ && !paused && run_.broker.is_running())
    (void)run_.broker.order(broker::BrokerOrder::Type::goes_on);  // its end is seen by poll
  paused_ = paused;
  if (!paused) paused_by_.clear();
  tell({MessageType::pause, kMainCommand, paused || held_ ? 1 : 0});
}

}  // namespace ringwall::session
