#include "desks/advisor.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <boost/json.hpp>
#include <cstdlib>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"
#include "policy/advisor.h"
#include "state/companion.h"

namespace ringwall::desks {
namespace {

using gate::Advice;
using gate::AdviceQuestion;
using gate::Answer;

constexpr size_t kMostKey = 8192;
constexpr size_t kMostAnswer = 4096;
constexpr size_t kMostSent = 60'000;  // what a pipe holds
constexpr int64_t kKeptSeconds = 3600;
constexpr int kStartMilliseconds = 1000;  // beyond the time that the server has

Result<std::string> read_key(const policy::KeyPlace& place) {
  std::string key;
  if (place.kind == policy::KeyPlace::Kind::variable) {
    const char* value = getenv(place.name.c_str());
    if (value == nullptr)
      return fail("the advisor's key is not set", "export " + place.name + "=…");
    key = value;
  } else {
    TRY_ASSIGN(key, file::read(place.name, kMostKey));
  }
  size_t end = key.find_last_not_of(" \t\r\n");
  key.resize(end == std::string::npos ? 0 : end + 1);
  bool is_plain = key.find_first_of("\r\n") == std::string::npos;
  if (key.empty() || !is_plain) return fail("the advisor's key is empty, or of several lines");
  return key;
}

// Of everything that the answer depends on.
std::string name_of(const AdvisorPlan& plan, const AdviceQuestion& question) {
  Sha256 hash;
  auto add = [&](std::string_view text) {
    uint64_t size = text.size();
    hash.add(&size, sizeof size);
    hash.add(text.data(), text.size());
  };
  for (std::string_view text :
       {std::string_view(plan.url), std::string_view(plan.model), std::string_view(question.tool),
        std::string_view(question.input), std::string_view(question.folder)})
    add(text);
  for (const std::string& message : question.person)
    add(message);
  return hash.finish().hex();
}

// "deny it removes what nobody asked for"
std::optional<Advice> parse_advice(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  size_t blank = std::min(line.find(' '), line.size());
  std::string_view word = line.substr(0, blank);
  Advice advice;
  advice.reason = line.substr(std::min(blank + 1, line.size()));
  if (word == "ask") advice.answer = Answer::ask;
  if (word == "deny") advice.answer = Answer::deny;
  if (advice.answer == Answer::open && word != "open") return std::nullopt;
  return advice;
}

// What cannot be kept is asked for again.
void keep_advice(const AdvisorPlan& plan, const AdviceQuestion& question, std::string_view line) {
  auto folder = file::make_dirs(plan.kept);
  if (!folder) return;
  auto entries = file::list(folder->get());
  for (const file::Entry& entry : entries.value_or(std::vector<file::Entry>())) {
    struct stat facts;
    bool is_old = fstatat(folder->get(), entry.name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
                  S_ISREG(facts.st_mode) &&
                  std::abs(clock::wall_seconds() - facts.st_mtime) >= kKeptSeconds;
    if (is_old) unlinkat(folder->get(), entry.name.c_str(), 0);
  }
  (void)file::replace_at(folder->get(), name_of(plan, question), line);
}

std::vector<std::string> variables() {
  std::vector<std::string> kept;
  for (const char* name : {"SSL_CERT_FILE", "SSL_CERT_DIR"}) {  // a company's own authority
    const char* value = getenv(name);
    if (value != nullptr) kept.push_back(std::string(name) + "=" + value);
  }
  return kept;
}

}  // namespace

Result<AdvisorPlan> plan_advisor(const policy::Tools::Advisor& advisor, const std::string& home,
                                 const std::string& state) {
  AdvisorPlan plan;
  if (advisor.url.value.empty()) return plan;
  if (advisor.model.value.empty() || advisor.key.value.empty())
    return fail("tools.advisor has a url, but no model or no key",
                "[tools.advisor] takes url, model and key");
  TRY_ASSIGN(policy::KeyPlace place, policy::parse_key_place(advisor.key.value, home));
  TRY_ASSIGN(plan.key, read_key(place));
  TRY_ASSIGN(plan.program, state::find_companion("ringwall-advisor"));
  plan.url = advisor.url.value;
  plan.model = advisor.model.value;
  plan.milliseconds = static_cast<int>(advisor.time.or_host(0));
  plan.kept = path::join(state, "advice");
  return plan;
}

std::optional<Advice> find_advice(const AdvisorPlan& plan, const AdviceQuestion& question) {
  auto fd = file::open(path::join(plan.kept, name_of(plan, question)), O_RDONLY | O_NOFOLLOW);
  struct stat facts;
  bool is_young = fd && fstat(fd->get(), &facts) == 0 &&
                  std::abs(clock::wall_seconds() - facts.st_mtime) < kKeptSeconds;
  if (!is_young) return std::nullopt;
  auto line = file::read_all(fd->get(), kMostAnswer);
  return line ? parse_advice(*line) : std::nullopt;
}

Result<processes::OutsideProcess> start_advisor(const AdvisorPlan& plan,
                                                const AdviceQuestion& question) {
  boost::json::array person;
  for (const std::string& message : question.person)
    person.emplace_back(message);
  std::string task = boost::json::serialize(boost::json::object{{"url", plan.url},
                                                                {"model", plan.model},
                                                                {"key", plan.key},
                                                                {"milliseconds", plan.milliseconds},
                                                                {"tool", question.tool},
                                                                {"input", question.input},
                                                                {"folder", question.folder},
                                                                {"person", std::move(person)}});
  if (task.size() > kMostSent) return fail("the call is too long for the advisor");
  return processes::OutsideProcess::start(
      {{plan.program}, variables(), plan.milliseconds + kStartMilliseconds}, task);
}

Advice finish_advisor(const AdvisorPlan& plan, const AdviceQuestion& question,
                      processes::OutsideProcess process) {
  auto said = process.finish();
  auto advice = said ? parse_advice(*said) : std::nullopt;
  if (!advice) return {Answer::ask, "the advisor gave no answer"};
  keep_advice(plan, question, *said);
  return *advice;
}

Advice ask_advisor(const AdvisorPlan& plan, const AdviceQuestion& question) {
  if (auto known = find_advice(plan, question)) return *known;
  auto process = start_advisor(plan, question);
  if (!process) return {Answer::ask, "the advisor cannot be asked: " + process.error().text()};
  return finish_advisor(plan, question, std::move(*process));
}

}  // namespace ringwall::desks
