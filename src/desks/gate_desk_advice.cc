// The desk's part in second opinions: starts the advisor for a call that no rule covers, and hands
// on what it says. A forged question costs a question, and no more than a few at a time.
#include <sys/epoll.h>

#include "base/fixed_message.h"
#include "desks/gate_desk.h"

namespace ringwall::desks {
namespace {

using gate::Answer;
using gate::GateAnswer;

constexpr size_t kMostQuestions = 4;

GateAnswer::Type type_of(Answer answer) {
  if (answer == Answer::deny) return GateAnswer::Type::advised_deny;
  return answer == Answer::ask ? GateAnswer::Type::advised_ask : GateAnswer::Type::advised_open;
}

}  // namespace

void GateDesk::answer_advice(uint32_t number, const gate::Advice& advice) {
  GateAnswer said{type_of(advice.answer)};
  fixed::put(said.why, advice.reason);
  answer(number, said);
}

void GateDesk::advise(uint32_t number, const gate::GateNotice& notice) {
  gate::AdviceQuestion question{notice.tool, notice.text, notice.folder, {notice.person}};
  if (!advisor_.is_on()) return answer_advice(number, {Answer::ask, "there is no advisor"});
  if (auto known = find_advice(advisor_, question)) return answer_advice(number, *known);
  if (questions_.size() >= kMostQuestions)
    return answer_advice(number, {Answer::ask, "the advisor is busy"});
  auto process = start_advisor(advisor_, question);
  // Only its end counts: what it says until then is in the pipe.
  if (!process || !watch(process->fd(), number | kAdvice, EPOLLHUP))
    return answer_advice(number, {Answer::ask, "the advisor cannot be asked"});
  questions_.emplace(number, Question{std::move(question), std::move(*process)});
}

void GateDesk::end_advice(uint32_t number) {
  auto question = questions_.extract(number);
  if (question.empty()) return;
  Question& ended = question.mapped();
  answer_advice(number, finish_advisor(advisor_, ended.asked, std::move(ended.process)));
}

void GateDesk::end_late_advice(int64_t now) {
  std::erase_if(questions_, [&](auto& entry) {
    if (entry.second.process.until() > now) return false;
    answer_advice(entry.first, {Answer::ask, "the advisor did not answer in time"});
    return true;
  });
}

}  // namespace ringwall::desks
