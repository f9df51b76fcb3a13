#include "tool_calls/hook_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/channel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "base/text.h"
#include "gate/judge.h"
#include "sandbox/helper_walls.h"
#include "sandbox/reader_walls.h"
#include "tool_calls/hook_link.h"
#include "tool_calls/hook_rules.h"

namespace ringwall::tool_calls {
namespace {

using gate::Answer;
using gate::EventRow;
using gate::GateAnswer;
using gate::GateNotice;
using gate::HookReply;
using gate::Judgement;
using gate::Moment;

constexpr int64_t kMillisecond = 1'000'000;
// Well below what any agent waits: one that waits no more goes on.
constexpr int64_t kWatchdog = 5000 * kMillisecond;
constexpr int64_t kWatchdogAtEnd = 800 * kMillisecond;  // of a session
constexpr int kMostPromptSeconds = 50;                  // agents with a prompt wait a minute
constexpr int kMostAdviceSeconds = 24;                  // an advisor has 20 at the most
constexpr uint64_t kMostMemory = 1u << 30;              // of the worker
constexpr uint64_t kMostSeconds = 5;

bool wait_for(int fd, int64_t deadline) {
  while (true) {
    int64_t left = deadline - clock::monotonic();
    pollfd waits{fd, POLLIN, 0};
    int ready = left <= 0 ? 0 : poll(&waits, 1, static_cast<int>(left / kMillisecond) + 1);
    if (ready < 0 && errno == EINTR) continue;
    return ready > 0;
  }
}

Result<std::string> read_input(int64_t deadline) {
  std::string input;
  std::string part(1 << 16, '\0');
  while (true) {
    if (!wait_for(STDIN_FILENO, deadline)) return fail("the hook's input does not end");
    ssize_t count = read(STDIN_FILENO, part.data(), part.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return fail_errno("cannot read the hook's input");
    if (count == 0) return input;
    input.append(part.data(), static_cast<size_t>(count));
    if (input.size() > gate::kMostHookBytes)
      return fail("the hook's input is longer than " + std::to_string(gate::kMostHookBytes) +
                  " bytes");
  }
}

// What an agent may least do with it.
int strictness(Answer answer) {
  switch (answer) {
    case Answer::allow:
      return 0;
    case Answer::open:
      return 1;
    case Answer::ask:
      return 2;
    case Answer::deny:
      break;
  }
  return 3;
}

Result<Judgement> judge_by_all(const gate::HookEvent& event, HookPolicies policies) {
  TRY_ASSIGN(std::vector<HookRules> all, std::move(policies).rules_for(event.folder));
  std::optional<Judgement> strictest;
  for (const HookRules& one : all) {
    Judgement judged = gate::judge(event, one.rules, one.place, one.advised);
    if (!strictest || strictness(judged.answer) > strictness(strictest->answer)) strictest = judged;
  }
  if (!strictest) return fail("no policy was found");
  return *strictest;
}

// In the worker. What needs more than to look at files is read before the walls stand; the agent's
// text after.
Result<Judgement> judge_input(const HookRequest& request, const EventRow* row,
                              const std::string& input) {
  std::optional<HookPolicies> policies;
  if (row == nullptr || gate::needs_rules(*row)) {
    TRY_ASSIGN(policies, HookPolicies::load());
  }
  TRY(sandbox::enter_reader_walls(kMostMemory, kMostSeconds));
  auto event = gate::read_hook(request.dialect, request.event, input);
  if (!event) {
    event.error().what.insert(0, "the hook's input ");
    return std::unexpected(event.error());
  }
  if (policies && gate::needs_rules(*event->row)) return judge_by_all(*event, std::move(*policies));
  TRY_ASSIGN(HookRules none, no_rules());
  return gate::judge(*event, none.rules, none.place, none.advised);
}

// What the worker says of its own failure: row and answer mean nothing then.
Judgement describe_failure(const Error& error) {
  Judgement failed;
  failed.row = UINT32_MAX;
  fixed::put(failed.told, error.hint.empty() ? error.text() : error.text() + "; " + error.hint);
  return failed;
}

Result<Judgement> receive_judgement(int channel, const gate::Dialect& dialect, int64_t deadline) {
  if (!wait_for(channel, deadline)) return fail("the gate took too long");
  TRY_ASSIGN(channel::Message message, channel::receive(channel, MSG_DONTWAIT));
  if (message.bytes.empty()) return fail("the gate ended without an answer");
  TRY_ASSIGN(Judgement judged, fixed::parse<Judgement>(message.bytes, "a worker's"));
  fixed::end_text(judged.hidden);
  fixed::end_text(judged.told);
  fixed::end_text(judged.warning);
  if (judged.row == UINT32_MAX) return fail(judged.told);
  if (judged.row >= dialect.events.size() || judged.answer > Answer::deny)
    return fail("the gate's answer makes no sense");
  return judged;
}

Result<Judgement> have_judged(const HookRequest& request, const EventRow* row,
                              const std::string& input, int64_t deadline) {
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  pid_t waiting = getpid();
  pid_t worker = fork();
  if (worker < 0) return fail_errno("cannot start the gate's worker");
  if (worker == 0) {
    if (!sandbox::die_with(waiting)) _exit(1);
    auto judged = judge_input(request, row, input);
    Judgement said = judged ? *judged : describe_failure(judged.error());
    (void)channel::send(pair.theirs.get(), fixed::bytes_of(said));  // silence is a denial too
    _exit(0);
  }
  pair.theirs.close();
  auto judged = receive_judgement(pair.ours.get(), request.dialect, deadline);
  kill(worker, SIGKILL);
  while (waitpid(worker, nullptr, 0) < 0 && errno == EINTR) {
  }
  return judged;
}

gate::Verdict deny_unasked(const Judgement& judged, const std::string& why) {
  std::string told = judged.told;
  return {Answer::deny, told.empty() ? why : told + " (" + why + ")", ""};
}

gate::Verdict verdict_of(const Result<GateAnswer>& answer, const Judgement& judged) {
  auto deny = [&](const std::string& why) { return deny_unasked(judged, why); };
  if (!answer) return deny("a person has to agree, and cannot be asked: " + answer.error().text());
  switch (answer->type) {
    case GateAnswer::Type::prompt:
      return {judged.answer, judged.told, judged.warning};
    case GateAnswer::Type::approved:
      return {Answer::open, "", ""};
    case GateAnswer::Type::rejected:
      return deny("the person said no");
    case GateAnswer::Type::unanswered:
      return deny("the person was asked, and did not answer in time");
    case GateAnswer::Type::no_room:
      return deny("too much waits for the person's answer already");
    default:
      return deny("no answer");
  }
}

// The person outside, where the agent has no prompt of its own.
gate::Verdict ask_outside(const HookRequest& request, Judgement& judged) {
  auto deny = [&](const std::string& why) { return deny_unasked(judged, why); };
  if (!is_inside()) return deny("a person has to agree, and nobody can be asked here");
  if (request.dialect.most_wait_seconds == 0)
    return deny("a person has to agree, and this agent does not wait for one");
  if (!judged.is_whole) return deny("a person has to agree, and it is too long to be shown whole");
  judged.notice.type = GateNotice::Type::ask;
  judged.has_notice = false;
  return verdict_of(ask_supervisor(judged.notice, request.dialect.most_wait_seconds), judged);
}

// At the agent's own prompt, unless the supervisor does not trust the run with that any more.
gate::Verdict ask_at_prompt(Judgement& judged) {
  judged.has_notice = false;
  return verdict_of(ask_supervisor(judged.notice, kMostPromptSeconds), judged);
}

gate::Advice ask_advisor_here(const GateNotice& notice) {
  auto plan = load_advisor_here();
  if (!plan) return {Answer::ask, "the advisor cannot be asked: " + plan.error().text()};
  return desks::ask_advisor(*plan, {notice.tool, notice.text, notice.folder, {notice.person}});
}

gate::Advice ask_advisor_outside(const GateNotice& notice) {
  auto answer = ask_supervisor(notice, kMostAdviceSeconds);
  if (!answer) return {Answer::ask, "the advisor cannot be asked: " + answer.error().text()};
  switch (answer->type) {
    case GateAnswer::Type::advised_open:
      return {Answer::open, answer->why};
    case GateAnswer::Type::advised_deny:
      return {Answer::deny, answer->why};
    case GateAnswer::Type::advised_ask:
      return {Answer::ask, answer->why};
    default:
      return {Answer::ask, "the advisor gave no answer"};
  }
}

// Stricter than "open", or as it was.
void take_advice(Judgement& judged) {
  GateNotice& notice = judged.notice;
  gate::Advice advice{Answer::ask, "it is too long for the advisor"};
  if (judged.is_whole)
    advice = is_inside() ? ask_advisor_outside(notice) : ask_advisor_here(notice);
  if (advice.answer == Answer::open) return;
  judged.answer = advice.answer;
  judged.has_notice = true;
  notice.type = advice.answer == Answer::deny ? GateNotice::Type::refused : GateNotice::Type::asked;
  fixed::put(notice.rule, "the advisor");
  fixed::put(notice.why, advice.reason);
  fixed::put(judged.told, "a second opinion: " + advice.reason);
}

gate::Verdict settle(const HookRequest& request, const EventRow& row, Judgement& judged) {
  if (judged.is_open) take_advice(judged);
  gate::Verdict verdict{judged.answer, judged.told, judged.warning};
  if (judged.answer != Answer::ask || row.moment != Moment::before_tool) return verdict;
  if (row.can_ask) return is_inside() ? ask_at_prompt(judged) : verdict;
  if (judged.asks_again) return {};
  verdict = ask_outside(request, judged);
  // Whoever was not even asked has been refused.
  if (verdict.answer == Answer::deny && judged.notice.type == GateNotice::Type::asked)
    judged.notice.type = GateNotice::Type::refused;
  return verdict;
}

// Whatever is answered: the attempt counts.
void tell_hidden(const Judgement& judged) {
  if (judged.hidden[0] == '\0' || !is_inside()) return;
  GateNotice notice{GateNotice::Type::hidden, judged.notice.agent};
  fixed::put(notice.tool, judged.notice.tool);
  fixed::put(notice.text, judged.hidden);
  tell_supervisor(notice);
}

int finish(const HookReply& reply) {
  bool said = file::write_all(STDOUT_FILENO, reply.out).has_value();
  said = file::write_all(STDERR_FILENO, reply.err).has_value() && said;
  return said ? reply.status : gate::kDenyStatus;
}

int deny(const HookRequest& request, const EventRow* row, const std::string& why) {
  std::string told = "Ringwall denies what it cannot judge: " + why;
  if (row == nullptr) return finish(gate::deny_unknown(told));
  return finish(gate::reply(request.dialect, *row, {Answer::deny, told, told}));
}

}  // namespace

int run_hook(const HookRequest& request) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  const EventRow* row =
      request.event.empty() ? nullptr : gate::find_event(request.dialect, request.event);
  if (row == nullptr && !request.event.empty())
    return deny(
        request, nullptr,
        text::quote(request.event) + " is no event of " + std::string(request.dialect.name));
  bool ends = row != nullptr && row->moment == Moment::session_end;
  int64_t deadline = clock::monotonic() + (ends ? kWatchdogAtEnd : kWatchdog);
  auto input = read_input(deadline);
  if (!input) return deny(request, row, input.error().text());
  auto judged = have_judged(request, row, *input, deadline);
  if (!judged) return deny(request, row, judged.error().text());
  const EventRow& known = row != nullptr ? *row : request.dialect.events[judged->row];
  tell_hidden(*judged);
  gate::Verdict verdict = settle(request, known, *judged);
  if (judged->has_notice && is_inside()) tell_supervisor(judged->notice);
  return finish(gate::reply(request.dialect, known, verdict));
}

}  // namespace ringwall::tool_calls
